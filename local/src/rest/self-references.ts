import type { AnyAST, ForeignKeyInfo, IntrospectResult, JoinMap, SelectEntry } from '@supabase/lite'
import { restError } from './errors.ts'

const keysOf = (keys: ForeignKeyInfo[]) => [...new Set(keys.map(({ foreign_key_name }) => foreign_key_name))]

/**
 * Says which foreign key embeds a table in itself. As with PostgREST the table's name means the rows that refer to this
 * one, with a column as the hint where several do (`children:nodes!parent_id(*)`), and the column's name the row that
 * this one refers to. lite takes the first foreign key, and of a hint makes null.
 *
 * Source: `findRel` in src/PostgREST/Plan.hs.
 *
 * @returns the response to a request that PostgREST rejects, or that cannot be served here
 */
export function resolveSelfReferences(ast: AnyAST, known: IntrospectResult): Response | undefined {
  const chosen = new Map<string, Set<string>>()
  const rejection = walk(ast.from ?? '', ast.select, ast.join, known, chosen, 0)
  if (rejection) return rejection
  for (const [table, names] of chosen) {
    if (names.size > 1) return unsupported('Embedding a table in itself by several foreign keys at once')
    known.foreign_keys = known.foreign_keys.filter(
      (key) => key.table !== table || key.ref_table !== table || names.has(key.foreign_key_name),
    )
  }
  return undefined
}

function walk(
  parent: string,
  select: SelectEntry[] | undefined,
  join: JoinMap | undefined,
  known: IntrospectResult,
  chosen: Map<string, Set<string>>,
  levels: number,
): Response | undefined {
  const own = known.foreign_keys.filter((key) => key.table === parent && key.ref_table === parent)
  for (const entry of select ?? []) {
    if (typeof entry === 'string') continue
    for (const [alias, embedded] of Object.entries(entry)) {
      if (!('select' in embedded)) continue
      const definition = join?.[alias]
      const name = definition?.from ?? alias
      const hint = definition?.hint
      const byColumn = own.filter((key) => key.column === (name === parent ? (hint ?? key.column) : name))
      const names = keysOf(byColumn)
      if (name === parent && own.length > 0) {
        if (names.length === 0) return notFound(parent, hint ?? '', own[0]?.schema ?? '')
        if (names.length > 1) return ambiguous(parent, byColumn)
        delete definition?.hint
      }
      if (names.length > 0) {
        // At the third level lite gives two of them the same alias.
        if (levels === 2) return unsupported('Embedding a table in itself three times over')
        chosen.set(parent, new Set([...(chosen.get(parent) ?? []), ...names]))
      }
      const target = names.length > 0 ? parent : name
      const rejection = walk(
        target,
        embedded.select,
        embedded.join ?? join,
        known,
        chosen,
        names.length > 0 ? levels + 1 : 0,
      )
      if (rejection) return rejection
    }
  }
  return undefined
}

const unsupported = (what: string) =>
  restError(501, { code: 'PGRST127', message: `${what} is not supported on the local stack` })

const notFound = (table: string, hint: string, schema: string) =>
  restError(400, {
    code: 'PGRST200',
    message: `Could not find a relationship between '${table}' and '${table}' in the schema cache`,
    details:
      `Searched for a foreign key relationship between '${table}' and '${table}' using the hint '${hint}' ` +
      `in the schema '${schema}', but no matches were found.`,
  })

const ambiguous = (table: string, keys: ForeignKeyInfo[]) =>
  restError(300, {
    code: 'PGRST201',
    message: `Could not embed because more than one relationship was found for '${table}' and '${table}'`,
    hint: `Try changing '${table}' to one of the following: ${keys.map(({ column }) => `'${table}!${column}'`).join(', ')}.`,
  })
