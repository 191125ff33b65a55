import * as z from 'zod'

/** The most columns that one call may name. */
const MAX_COLUMNS = 100

/** Schemas that the Data API exposes. */
export const SCHEMAS = ['public', 'checkin'] as const

/** A table, as its schema and its name. */
type TableName = { schema: (typeof SCHEMAS)[number]; name: string }

const plainName = '[a-z_][a-z0-9_]{0,62}'

/** A column: a plain name of Postgres, so that no query syntax fits into it. */
export const columnName = z
  .string()
  .regex(new RegExp(`^${plainName}$`), 'a column is lower-case letters, digits and underscores')
  .describe('a column')

/** A table of `public`, or of another exposed schema with the schema's name before it. */
export const tableName = z
  .string()
  .regex(new RegExp(`^(${plainName}\\.)?${plainName}$`), 'a table is `name` or `schema.name`')
  .describe('a table or view of `public`, or `checkin.name`')

/** `*`, or columns separated by commas. */
export const columnList = z
  .string()
  .max(MAX_COLUMNS * 65, `at most ${MAX_COLUMNS} columns`)
  .regex(
    new RegExp(`^ *(\\*|${plainName}( *, *${plainName})*) *$`),
    'columns are `*`, or names with commas between them',
  )
  .describe('`*`, or columns with commas between them')

/** Splits a table's name; null if its schema is not exposed. */
export function splitTableName(table: string): TableName | null {
  const [first = '', second] = table.split('.')
  const schema = SCHEMAS.find((known) => known === (second === undefined ? 'public' : first))
  return schema ? { schema, name: second ?? first } : null
}
