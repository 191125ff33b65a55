import * as z from 'zod'
import { ofPlainJson } from '../plain-json.ts'
import { filters, neededFilters } from './filters.ts'
import { columnList, columnName, tableName } from './names.ts'

/** Most rows of one call, in either direction. */
const MOST_ROWS = 1000

/** Rows of a select that does not say how many. */
const USUAL_ROWS = 100

const row = z
  .record(columnName, z.unknown(), {
    error: ({ code }) => (code === 'invalid_key' ? 'not the name of a column' : undefined),
  })
  .refine((values) => Object.keys(values).length > 0, 'at least one column is needed')

export const selectRequest = ofPlainJson(
  z.strictObject({
    table: tableName,
    columns: columnList.default('*'),
    filters: filters.default({}),
    orderBy: z
      .array(
        z.strictObject({
          column: columnName,
          ascending: z.boolean().default(true).describe('smallest first'),
        }),
      )
      .max(10)
      .default([])
      .describe('columns to sort by, the most important first'),
    limit: z.int().min(0).max(MOST_ROWS).default(USUAL_ROWS).describe('most rows to answer'),
    offset: z.int().min(0).max(1_000_000_000).default(0).describe('rows to leave out first'),
  }),
)

export const insertRequest = ofPlainJson(
  z.strictObject({
    table: tableName,
    data: z
      .union([z.array(row).min(1).max(MOST_ROWS), row], {
        error: `a row, or an array of 1 to ${MOST_ROWS} rows; a row is an object of columns`,
      })
      .describe('a row, or several: values by column'),
    returning: columnList.optional().describe('columns of the rows to answer with'),
  }),
)

export const updateRequest = ofPlainJson(
  z.strictObject({
    table: tableName,
    data: row.describe('new values by column'),
    filters: neededFilters,
    returning: columnList.optional().describe('columns of the rows to answer with'),
  }),
)

export const deleteRequest = ofPlainJson(
  z.strictObject({
    table: tableName,
    filters: neededFilters,
    returning: columnList.optional().describe('columns of the rows to answer with'),
  }),
)

export type SelectRequest = z.output<typeof selectRequest>
export type InsertRequest = z.output<typeof insertRequest>
export type UpdateRequest = z.output<typeof updateRequest>
export type DeleteRequest = z.output<typeof deleteRequest>
