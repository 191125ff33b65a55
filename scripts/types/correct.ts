import ts from 'typescript'

/** What the catalog knows of a database, and the types that the CLI generates from it leave out. */
export type Catalog = {
  /** Columns of tables, as `schema.table.column`. */
  columns: Record<string, Column>
  /** Arguments that are null by default, as `schema.function().argument`. */
  nullableArguments: readonly string[]
  /** Tables whose row a function returns, as `schema.table`, by `schema.function()`. */
  rows: Record<string, string>
}

export type Column = {
  /** Whether somebody who is signed in may set it in a new row, and change it. */
  insertable: boolean
  updatable: boolean
  /** The texts that a check allows; `null` where none does. */
  known: readonly string[] | null
}

/** What nobody but the author of a view or function knows. */
export type Declared = {
  /** Members of `Shapes`: what a column or a result holds, as `schema.table.column`, `schema.function()` or `schema.function().column`. */
  shapes: readonly string[]
  /** Columns that may be null, by `schema.view`, `schema.function()` or `schema.composite`; all may where it is not listed. */
  nullable: Readonly<Record<string, readonly string[]>>
}

/**
 * Corrects types of the CLI: inserts and updates have the columns that somebody who is signed in may write, texts of a closed set and JSON
 * have types, and what cannot be null is not.
 *
 * @throws Error where the CLI's types are not of the form that this reads.
 */
export function correctTypes(source: string, catalog: Catalog, declared: Declared): string {
  const file = ts.createSourceFile('database.ts', source, ts.ScriptTarget.Latest, true)
  const alias = file.statements.find(
    (statement) => ts.isTypeAliasDeclaration(statement) && statement.name.text === 'Database',
  )
  if (!alias || !ts.isTypeAliasDeclaration(alias) || !ts.isTypeLiteralNode(alias.type)) {
    throw new Error('The types of the CLI have no Database')
  }
  const schemas = alias.type.members.map((schema) => {
    const kinds = membersOf(schema).map((kind) => {
      const relations = membersOf(kind).map((entry) => {
        const name = `${nameOf(schema)}.${nameOf(entry)}`
        const corrected = CORRECTIONS[nameOf(kind)]?.(name, entry, catalog, declared)
        return corrected ?? print(typeOf(entry))
      })
      const names = membersOf(kind).map(nameOf)
      // Of a kind that a schema has nothing of, the CLI writes an index signature.
      return `${nameOf(kind)}: ${names.length === 0 ? print(typeOf(kind)) : literal(names, relations)}`
    })
    return `${nameOf(schema)}: {\n${kinds.join('\n')}\n}`
  })
  const rest = file.statements
    .filter((statement) => statement !== alias)
    .map((statement) => statement.getFullText(file).trim())
  const [json, ...helpers] = rest
  const corrected = [
    "import type { Shapes } from './shapes.ts'",
    json,
    `export type Database = {\n${schemas.join('\n')}\n}`,
    ...helpers,
  ].join('\n\n')
  return ts.createPrinter().printFile(ts.createSourceFile('database.ts', corrected, ts.ScriptTarget.Latest))
}

type Correction = (name: string, entry: ts.TypeElement, catalog: Catalog, declared: Declared) => string

const CORRECTIONS: Readonly<Record<string, Correction>> = {
  Tables: (name, entry, catalog, declared) =>
    parts(entry, {
      Row: (row) => columnsOf(row, (column, type) => typed(`${name}.${column}`, type, catalog, declared)),
      Insert: (row) =>
        columnsOf(row, (column, type) =>
          catalog.columns[`${name}.${column}`]?.insertable
            ? typed(`${name}.${column}`, type, catalog, declared)
            : null,
        ),
      Update: (row) =>
        columnsOf(row, (column, type) =>
          catalog.columns[`${name}.${column}`]?.updatable
            ? typed(`${name}.${column}`, type, catalog, declared)
            : null,
        ),
    }),
  Views: (name, entry, catalog, declared) =>
    parts(entry, {
      Row: (row) => columnsOf(row, (column, type) => resulting(name, column, type, catalog, declared)),
    }),
  Functions: (name, entry, catalog, declared) => {
    const called = `${name}()`
    return parts(entry, {
      Args: (type) =>
        ts.isTypeLiteralNode(type)
          ? columnsOf(
              type,
              (argument, text) =>
                typed(`${called}.${argument}`, text, catalog, declared) +
                (catalog.nullableArguments.includes(`${called}.${argument}`) ? ' | null' : ''),
            )
          : print(type),
      Returns: (type) => {
        if (declared.shapes.includes(called)) return shape(called)
        const row = catalog.rows[called]
        const many = ts.isArrayTypeNode(type)
        if (row) return `${reference('Tables', row)}['Row']${many ? '[]' : ''}`
        const one = many ? type.elementType : type
        if (!ts.isTypeLiteralNode(one)) return print(type)
        return `${columnsOf(one, (column, text) => resulting(called, column, text, catalog, declared, ''))}[]`
      },
    })
  },
  CompositeTypes: (name, entry, catalog, declared) =>
    columnsOf(typeOf(entry), (column, type) => resulting(name, column, type, catalog, declared)),
}

/** A column of a table. */
function typed(path: string, text: string, catalog: Catalog, declared: Declared): string {
  const orNull = / \| null$/.test(text) ? ' | null' : ''
  if (declared.shapes.includes(path)) return shape(path) + orNull
  const known = catalog.columns[path]?.known
  if (known) {
    const union = known.map((value) => `'${value}'`).join(' | ')
    return (/\[\]/.test(text) ? `(${union})[]` : union) + orNull
  }
  // Addresses (inet) are texts in JSON, and the CLI knows no type for them.
  return text === 'unknown' ? 'string | null' : text
}

/** A column of what a view or a function returns, which Postgres has no `not null` of. */
function resulting(
  name: string,
  column: string,
  text: string,
  catalog: Catalog,
  declared: Declared,
  unlisted = ' | null',
): string {
  const nullable = declared.nullable[name]
  const plain = typed(`${name}.${column}`, text, catalog, declared).replace(/ \| null$/, '')
  return plain + (nullable ? (nullable.includes(column) ? ' | null' : '') : unlisted)
}

function shape(path: string): string {
  return `Shapes['${path}']`
}

function reference(kind: string, path: string): string {
  const [schema, name] = path.split('.')
  return `Database['${schema}']['${kind}']['${name}']`
}

/** The members of a type, some of them rewritten. */
function parts(entry: ts.TypeElement, rewrite: Record<string, (type: ts.TypeNode) => string>): string {
  const members = membersOf(entry)
  return literal(
    members.map(nameOf),
    members.map((member) => rewrite[nameOf(member)]?.(typeOf(member)) ?? print(typeOf(member))),
  )
}

/** An object type with a member for each column; a column is left out where its type is null. No column is `never`. */
function columnsOf(type: ts.TypeNode, rewrite: (column: string, text: string) => string | null): string {
  if (!ts.isTypeLiteralNode(type)) return print(type)
  const columns = type.members.flatMap((member) => {
    const text = rewrite(nameOf(member), print(typeOf(member)))
    const optional = ts.isPropertySignature(member) && member.questionToken ? '?' : ''
    return text === null ? [] : [`${nameOf(member)}${optional}: ${text}`]
  })
  return columns.length === 0 ? 'never' : `{\n${columns.join('\n')}\n}`
}

function literal(names: string[], types: string[]): string {
  return `{\n${names.map((name, at) => `${name}: ${types[at]}`).join('\n')}\n}`
}

function membersOf(entry: ts.TypeElement): ts.TypeElement[] {
  const type = typeOf(entry)
  return ts.isTypeLiteralNode(type) ? [...type.members] : []
}

function typeOf(entry: ts.TypeElement): ts.TypeNode {
  if (!ts.isPropertySignature(entry) || !entry.type) throw new Error(`No type: ${entry.getText()}`)
  return entry.type
}

function nameOf(entry: ts.TypeElement): string {
  const { name } = entry
  if (!name || !(ts.isStringLiteral(name) || ts.isIdentifier(name)))
    throw new Error(`No name: ${entry.getText()}`)
  return name.text
}

function print(type: ts.TypeNode): string {
  return type.getText().replace(/NonNullable<Json>/g, 'Json')
}
