import type { AnyAST, ColumnInfo } from '@supabase/lite'

/**
 * A value of JSON on its way into a `json` or `jsonb` column. lite leaves it as it is, where of a text it would make
 * what the text looks like.
 */
class Json {
  readonly #value: unknown
  constructor(value: unknown) {
    this.#value = value
  }
  toJSON(): unknown {
    return this.#value
  }
}

const jsonTypes = new Set(['json', 'jsonb', '_json', '_jsonb'])
const textTypes = new Set(['text', 'varchar', 'bpchar', 'name'])

/** A value of a body as `json_to_recordset` takes it for a column. Null is SQL's null, also for JSON. */
function valueFor(column: ColumnInfo | undefined, value: unknown): unknown {
  const type = column?.pg_type ?? ''
  if (value === null) return null
  if (jsonTypes.has(type)) {
    return type.startsWith('_') && Array.isArray(value)
      ? value.map((item) => (item === null ? null : new Json(item)))
      : new Json(value)
  }
  return textTypes.has(type) && typeof value === 'object' ? JSON.stringify(value) : value
}

/**
 * Makes the rows of an insert or update what Postgres reads from their JSON. With a list of columns (`columns=`) a row
 * that leaves one out has null there, or its default with `Prefer: missing=default`, and is returned as it is stored: lite
 * would keep the row's old value in an upsert, and return null.
 */
export function readRows(ast: AnyAST, columns: ColumnInfo[]): void {
  if (!ast.values) return
  const byName = new Map(
    columns.flatMap((column) => (column.table === ast.from ? [[column.name, column]] : [])),
  )
  const listed = ast.$meta?.columns
  const absent =
    ast.$meta?.missing === 'default' || !listed ? {} : Object.fromEntries(listed.map((name) => [name, null]))
  const read = (row: object) =>
    Object.fromEntries(
      Object.entries({ ...absent, ...row }).map(([name, value]) => [name, valueFor(byName.get(name), value)]),
    )
  const isRow = (row: unknown): row is object =>
    typeof row === 'object' && row !== null && !Array.isArray(row)
  if (!Array.isArray(ast.values)) ast.values = read(ast.values)
  else if (ast.values.every(isRow)) ast.values = ast.values.map(read)
  // lite reads the list only as something to go through, and by its length decides to return null.
  if (listed && ast.$meta?.missing === 'default') Object.assign(ast.$meta, { columns: new Set(listed) })
}
