import * as z from 'zod'
import { route } from '../http/route.ts'
import { deleteRequest, insertRequest, selectRequest, updateRequest } from './requests.ts'

/** Members of a refusal, so that an answer always has `data`, `count` and `error`. */
const refusal = { data: null, count: null }

/** What every call of the Data API has. */
const call = { tag: 'Data', security: 'user', limit: 'data-api', refusal } as const

const errors = [
  'table_not_found',
  'unknown_column',
  'invalid_value',
  'query_too_long',
  'constraint_violated',
  'query_too_complex',
  'forbidden',
] as const

const row = z.record(z.string(), z.unknown())
const error = z.null().describe('null: what fails is answered with another status, and says why here')

const changes = z.object({
  data: z.array(row).nullable().describe('the rows, where `returning` asks for columns; else null'),
  count: z.int().describe('rows that were changed'),
  error,
})

/** `GET /api/database/health`. */
export const databaseHealth = route({
  id: 'databaseHealth',
  method: 'get',
  path: '/api/database/health',
  tag: 'Data',
  summary: 'Whether the database answers, directly and through the Data API with the caller’s token',
  security: 'user',
  limit: 'data-api',
  response: z.object({
    status: z.enum(['ok', 'degraded']).describe('`degraded`: the Data API does not answer'),
    database: z
      .object({
        status: z.enum(['ok', 'failing']).describe('whether it answers'),
        latency_ms: z.number().describe('of one statement'),
      })
      .describe('the database'),
    data_api: z
      .object({
        status: z.enum(['ok', 'failing']).describe('whether it answers'),
        latency_ms: z.number().describe('of one read of the caller’s own profile'),
      })
      .describe('the Data API'),
    timestamp: z.iso.datetime().describe('when it was looked'),
  }),
})

/** `POST /api/database/select`. */
export const selectRows = route({
  ...call,
  id: 'selectRows',
  method: 'post',
  path: '/api/database/select',
  summary: 'Reads rows of a table',
  body: selectRequest,
  response: z.object({
    data: z.array(row).describe('the rows: values by column'),
    count: z.int().describe('rows on all pages'),
    error,
  }),
  errors,
  example: {
    body: {
      table: 'checkin.check_ins',
      columns: 'id, status, created_at',
      filters: { status: ['complete', 'failed'], created_at: { gte: '2026-09-01' } },
      orderBy: [{ column: 'created_at', ascending: false }],
      limit: 20,
    },
  },
})

/** `POST /api/database/insert`. */
export const insertRows = route({
  ...call,
  id: 'insertRows',
  method: 'post',
  path: '/api/database/insert',
  summary: 'Adds a row, or up to 1000 at once',
  description: 'More than one row at once also counts against the limit of bulk operations, 5 a minute.',
  body: insertRequest,
  response: changes,
  errors,
  example: {
    body: {
      table: 'assessment_sessions',
      data: { assessment_type: 'daily', session_data: { platform: 'ios' } },
      returning: 'id, created_at',
    },
  },
})

/** `POST /api/database/update`. */
export const updateRows = route({
  ...call,
  id: 'updateRows',
  method: 'post',
  path: '/api/database/update',
  summary: 'Changes the rows that fulfil the filters',
  body: updateRequest,
  response: changes,
  errors,
  example: {
    body: {
      table: 'assessment_sessions',
      data: { status: 'completed' },
      filters: { id: '3f2f7a52-4f0e-4a0c-9a5e-5d4c7d9d8e10' },
    },
  },
})

/** `POST /api/database/delete`. */
export const deleteRows = route({
  ...call,
  id: 'deleteRows',
  method: 'post',
  path: '/api/database/delete',
  summary: 'Removes the rows that fulfil the filters',
  body: deleteRequest,
  response: changes,
  errors,
  example: { body: { table: 'assessment_sessions', filters: { status: 'failed' }, returning: 'id' } },
})

/** `POST /api/database/setup-tables`. */
export const setupTables = route({
  ...call,
  id: 'setupTables',
  method: 'post',
  path: '/api/database/setup-tables',
  summary: 'Says which tables and migrations the database lacks; changes nothing',
  description: 'For security administrators. Tables are made by migrations alone.',
  body: z.strictObject({}),
  response: z.object({
    data: z
      .object({
        tables: z
          .array(
            z.object({
              table: z.string().describe('`schema.name`'),
              exists: z.boolean().describe('whether it is there'),
              row_level_security: z.boolean().describe('whether row-level security is on'),
              policies: z.int().describe('policies that it has'),
            }),
          )
          .describe('every table that the service expects'),
        migrations: z
          .object({
            applied: z.array(z.string()).describe('versions that the database has'),
            pending: z.array(z.string()).describe('versions that it lacks'),
          })
          .describe('the service’s migrations'),
      })
      .describe('what is there and what is not'),
    count: z.int().describe('tables'),
    error,
  }),
  errors: ['forbidden'],
  example: { body: {} },
})
