import type { Caller } from '../http/caller.ts'
import { connect } from '../postgres/connections.ts'
import { utcTimestamp } from '../postgres/timestamps.ts'
import { fromDatabase } from './errors.ts'

/** A connection as the role of the storage service. */
export function connectStorage(adminUrl: string) {
  return connect(adminUrl, {
    max: 6,
    idle_timeout: 60,
    onnotice: () => {},
    connection: {
      application_name: 'storage',
      TimeZone: 'UTC',
      role: 'supabase_storage_admin',
      search_path: 'storage',
    },
    types: {
      timestamptz: { to: 1184, from: [1184], serialize: (value: string) => value, parse: utcTimestamp },
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
    },
  })
}

export type Sql = ReturnType<typeof connectStorage>
export type Transaction = Parameters<Parameters<Sql['begin']>[1]>[0]

/** The service itself, past every policy. */
export const service: Caller = { role: 'service_role', claims: { role: 'service_role' } }

class Rollback extends Error {}

/** The caller, what it asks for (`storage.operation()` in policies), and the request. */
export interface Operation {
  caller: Caller
  name: string
  request: Request
}

async function actAs(sql: Transaction, { caller, name, request }: Operation): Promise<void> {
  const { role, claims } = caller
  const sub = typeof claims.sub === 'string' ? claims.sub : ''
  await sql`
    select set_config('role', ${role}, true),
      set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
      set_config('request.jwt.claim.sub', ${sub}, true),
      set_config('request.jwt.claim.role', ${role}, true),
      set_config('request.method', ${request.method}, true),
      set_config('request.path', ${new URL(request.url).pathname}, true),
      set_config('request.headers', ${JSON.stringify(Object.fromEntries(request.headers))}, true),
      set_config('storage.operation', ${name}, true),
      set_config('storage.allow_delete_query', 'true', true)`
}

/** Runs queries as the caller, so that the policies on `storage.objects` decide. @throws StorageError */
export async function asCaller<T>(
  sql: Sql,
  operation: Operation,
  run: (sql: Transaction) => Promise<T>,
): Promise<T> {
  const outcome: { value?: T } = {}
  await sql
    .begin(async (transaction) => {
      await actAs(transaction, operation)
      outcome.value = await run(transaction)
    })
    .catch((error: unknown) => {
      throw fromDatabase(error)
    })
  // Set whenever `begin` did not throw.
  return outcome.value as T
}

/** Whether the caller may run these queries; what they change is undone. @throws StorageError when not */
export async function assertAllowed(
  sql: Sql,
  operation: Operation,
  run: (sql: Transaction) => Promise<unknown>,
): Promise<void> {
  await asCaller(sql, operation, async (transaction) => {
    await run(transaction)
    throw new Rollback()
  }).catch((error: unknown) => {
    if (!(error instanceof Rollback)) throw error
  })
}
