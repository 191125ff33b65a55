import * as z from 'zod'
import { ofPlainJson } from '../fields.ts'
import { json, jsonObject } from '../json.ts'
import { columnList, columnName, tableName } from './names.ts'

/** Names that mean something other than a column in the query of a PostgREST request. */
const RESERVED = ['select', 'columns', 'order', 'limit', 'offset', 'and', 'or', 'not', 'on_conflict']

const MAX_FILTERS = 50

const NO_FILTER = 'at least one filter is needed'

const scalar = z.union([z.string(), z.number(), z.boolean()])

const operators = z
  .strictObject({
    neq: scalar.nullable(),
    gt: scalar,
    gte: scalar,
    lt: scalar,
    lte: scalar,
    like: z.string(),
    ilike: z.string(),
    in: z.array(scalar),
    is: z.boolean().nullable(),
    contains: z.union([z.string(), z.array(json), jsonObject]),
  })
  .partial()
  .refine((conditions) => Object.keys(conditions).length > 0, 'an operator is needed')

/** What a column must match: a value, one of an array, null, or every operator of an object. */
const filter = z.union([scalar, z.null(), z.array(scalar), operators], {
  error:
    'a value, an array of values, null, or an object of neq, gt, gte, lt, lte, like, ilike, in, is and contains',
})

/** Conditions by column; a row must match all of them. */
const filters = z
  .record(
    columnName.refine((name) => !RESERVED.includes(name)),
    filter,
    {
      error: ({ code, input }) => {
        if (input === undefined) return NO_FILTER
        return code === 'invalid_key' ? 'not the name of a column' : undefined
      },
    },
  )
  .refine((conditions) => Object.keys(conditions).length <= MAX_FILTERS, `at most ${MAX_FILTERS} columns`)
  .describe(
    'conditions by column, all of which a row must match: a value, an array of values, null, or an object of operators',
  )

/** Conditions of a call that changes rows: at least one, so that no mistake reaches a whole table. */
const requiredFilters = filters
  .refine((conditions) => Object.keys(conditions).length > 0, NO_FILTER)
  .describe('conditions by column, as for select; at least one')

export type Filters = z.output<typeof filters>
export type Filter = z.output<typeof filter>
export type Operators = z.output<typeof operators>
export type Scalar = z.output<typeof scalar>

/** Most rows of one call, in either direction. */
const MAX_ROWS = 1000

/** Rows of a select that names no limit. */
const USUAL_ROWS = 100

const row = z
  .record(columnName, json, {
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
    limit: z.int().min(0).max(MAX_ROWS).default(USUAL_ROWS).describe('most rows to return'),
    offset: z.int().min(0).max(1_000_000_000).default(0).describe('rows to skip first'),
  }),
)

export const insertRequest = ofPlainJson(
  z.strictObject({
    table: tableName,
    data: z
      .union([z.array(row).min(1).max(MAX_ROWS), row], {
        error: `a row, or an array of 1 to ${MAX_ROWS} rows; a row is an object of columns`,
      })
      .describe('a row, or several: values by column'),
    returning: columnList.optional().describe('columns of the rows to return'),
  }),
)

export const updateRequest = ofPlainJson(
  z.strictObject({
    table: tableName,
    data: row.describe('new values by column'),
    filters: requiredFilters,
    returning: columnList.optional().describe('columns of the rows to return'),
  }),
)

export const deleteRequest = ofPlainJson(
  z.strictObject({
    table: tableName,
    filters: requiredFilters,
    returning: columnList.optional().describe('columns of the rows to return'),
  }),
)

export type SelectRequest = z.output<typeof selectRequest>
export type InsertRequest = z.output<typeof insertRequest>
export type UpdateRequest = z.output<typeof updateRequest>
export type DeleteRequest = z.output<typeof deleteRequest>
