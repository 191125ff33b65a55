import * as z from 'zod'
import { deleteRequest, insertRequest, selectRequest, updateRequest } from '../_shared/data-api/query.ts'
import { deleteRows, insertRows, selectRows, updateRows } from '../_shared/data-api/rows.ts'
import { readSetup } from '../_shared/data-api/setup.ts'
import { consumeRateLimit } from '../_shared/http/rate-limit.ts'
import { endpoint } from '../_shared/http/serve.ts'
import { jsonObject } from '../_shared/json.ts'
import { describeError, log } from '../_shared/log.ts'
import { callerClient } from '../_shared/platform/clients.ts'

/** What every call has; the members of errors are there so that a response always has `data`, `count` and `error`. */
const common = {
  tag: 'Data',
  security: 'user',
  limit: 'data-api',
  errorMembers: { data: null, count: null },
} as const

const errors = [
  'table_not_found',
  'unknown_column',
  'invalid_value',
  'query_too_long',
  'constraint_violated',
  'query_too_complex',
  'forbidden',
] as const

/** What the rules of some tables raise by themselves. */
const ruleErrors = [
  'consent_required',
  'feature_disabled',
  'buddy_name_invalid',
  'buddy_phone_invalid',
  'buddy_phone_landline',
  'buddy_country_unsupported',
  'buddy_email_invalid',
  'buddy_self',
  'buddy_unavailable',
  'buddy_limit',
  'buddy_duplicate',
  'consent_version_unknown',
  'consent_given',
  'consent_version_outdated',
] as const

const error = z.null().describe('null: an error has another status, and says why here')

const changes = z.object({
  data: z.array(jsonObject).nullable().describe('the rows, where `returning` asks for columns; else null'),
  count: z.int().describe('rows that were changed'),
  error,
})

const probeStatus = z.enum(['ok', 'failing'])

const databaseHealth = endpoint(
  {
    id: 'databaseHealth',
    method: 'get',
    path: '/api/database/health',
    tag: 'Data',
    summary: 'Whether the database responds, directly and through the Data API with the caller’s token',
    security: 'user',
    limit: 'data-api',
    response: z.object({
      status: z.enum(['ok', 'degraded']).describe('`degraded`: one of the two does not respond'),
      database: z
        .object({
          status: probeStatus.describe('whether it responds'),
          latency_ms: z.number().describe('of one statement'),
        })
        .describe('the database'),
      data_api: z
        .object({
          status: probeStatus.describe('whether it responds'),
          latency_ms: z.number().describe('of one read of the caller’s own profile'),
        })
        .describe('the Data API'),
      timestamp: z.iso.datetime().describe('when it was checked'),
    }),
  },
  async (_, call) => {
    const [direct, throughApi] = await Promise.all([
      probe(async () => {
        await call.database`select 1`
      }),
      probe(async () => {
        const { error } = await callerClient(call).from('profiles').select('user_id').limit(1)
        if (error) throw error
      }),
    ])
    const healthy = direct.status === 'ok' && throughApi.status === 'ok'
    return {
      status: healthy ? ('ok' as const) : ('degraded' as const),
      database: direct,
      data_api: throughApi,
      timestamp: new Date().toISOString(),
    }
  },
)

const select = endpoint(
  {
    ...common,
    id: 'selectRows',
    method: 'post',
    path: '/api/database/select',
    summary: 'Reads rows of a table',
    body: selectRequest,
    response: z.object({
      data: z.array(jsonObject).describe('the rows: values by column'),
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
  },
  ({ body }, call) => selectRows(callerClient(call), body),
)

const insert = endpoint(
  {
    ...common,
    id: 'insertRows',
    method: 'post',
    path: '/api/database/insert',
    summary: 'Adds a row, or up to 1000 at once',
    description: 'More than one row at once also counts against the limit of bulk operations, 5 a minute.',
    body: insertRequest,
    response: changes,
    errors: [...errors, ...ruleErrors],
    example: {
      body: {
        table: 'assessment_sessions',
        data: { assessment_type: 'daily', session_data: { platform: 'ios' } },
        returning: 'id, created_at',
      },
    },
  },
  async ({ body }, call) => {
    if (Array.isArray(body.data) && body.data.length > 1) {
      await consumeRateLimit(call.database, call.context, call.caller.userId, 'bulk')
    }
    return insertRows(callerClient(call), body)
  },
)

const update = endpoint(
  {
    ...common,
    id: 'updateRows',
    method: 'post',
    path: '/api/database/update',
    summary: 'Changes the rows that match the filters',
    body: updateRequest,
    response: changes,
    errors: [...errors, ...ruleErrors],
    example: {
      body: {
        table: 'assessment_sessions',
        data: { status: 'completed' },
        filters: { id: '3f2f7a52-4f0e-4a0c-9a5e-5d4c7d9d8e10' },
      },
    },
  },
  ({ body }, call) => updateRows(callerClient(call), body),
)

const remove = endpoint(
  {
    ...common,
    id: 'deleteRows',
    method: 'post',
    path: '/api/database/delete',
    summary: 'Deletes the rows that match the filters',
    body: deleteRequest,
    response: changes,
    errors,
    example: { body: { table: 'assessment_sessions', filters: { status: 'failed' }, returning: 'id' } },
  },
  ({ body }, call) => deleteRows(callerClient(call), body),
)

const setupTables = endpoint(
  {
    ...common,
    staff: ['security_admin'],
    id: 'setupTables',
    method: 'post',
    path: '/api/database/setup-tables',
    summary: 'Says which tables and migrations the database lacks; changes nothing',
    description: 'For security administrators. Tables are created by migrations alone.',
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
  },
  async (_, { database }) => {
    const data = await readSetup(database)
    return { data, count: data.tables.length, error: null }
  },
)

/** `/api/database/*`: tables with the caller's own token, so that row-level security decides. */
export const DATABASE = [databaseHealth, select, insert, update, remove, setupTables] as const

type Probe = { status: 'ok' | 'failing'; latency_ms: number }

async function probe(work: () => Promise<void>): Promise<Probe> {
  const started = performance.now()
  const status = await work().then(
    () => 'ok' as const,
    (error: unknown) => {
      log('error', 'health_check_failed', describeError(error))
      return 'failing' as const
    },
  )
  return { status, latency_ms: Math.round(performance.now() - started) }
}
