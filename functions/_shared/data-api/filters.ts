import * as z from 'zod'
import { columnName } from './names.ts'

/** Names that the query of a request gives another meaning than that of a column. */
const RESERVED = ['select', 'columns', 'order', 'limit', 'offset', 'and', 'or', 'not', 'on_conflict']

const MOST_FILTERS = 50

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
    contains: z.union([z.string(), z.array(z.unknown()), z.record(z.string(), z.unknown())]),
  })
  .partial()
  .refine((conditions) => Object.keys(conditions).length > 0, 'an operator is needed')

/** What a column must fulfil: equal a value, be one of an array, be null, or fulfil every operator of an object. */
const filter = z.union([scalar, z.null(), z.array(scalar), operators], {
  error:
    'a value, an array of values, null, or an object of neq, gt, gte, lt, lte, like, ilike, in, is and contains',
})

/** Conditions by column; a row must fulfil all. */
export const filters = z
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
  .refine((conditions) => Object.keys(conditions).length <= MOST_FILTERS, `at most ${MOST_FILTERS} columns`)
  .describe(
    'conditions by column, which a row must all fulfil: a value, an array of values, null, or an object of operators',
  )

/** Conditions of a call that changes rows: at least one, so that no mistake reaches a whole table. */
export const neededFilters = filters
  .refine((conditions) => Object.keys(conditions).length > 0, NO_FILTER)
  .describe('conditions by column, as for select; at least one')

export type Filters = z.output<typeof filters>
export type Filter = z.output<typeof filter>
export type Operators = z.output<typeof operators>
export type Scalar = z.output<typeof scalar>
