import type { Database } from '../database.ts'
import { ServiceError } from '../errors.ts'
import { clientAddress } from '../supabase/client-address.ts'
import type { Route } from './route.ts'

type CallError = { code: 'address_blocked' | 'quarantined'; retry_s: number; resources: unknown }

/** How long an isolate relies on what it was told of an address, milliseconds: a block is in force within this time. */
const KEPT_MS = 2000

/** Most addresses of which it is kept; then all are forgotten. */
const KEPT_ADDRESSES = 1000

const kept = new Map<string, { until: number; error: Promise<CallError | undefined> }>()

/**
 * What every call of a function has to pass before anything else looks at it: its address is not blocked, and the function is
 * not quarantined. The error says where help is.
 *
 * Throws `address_blocked` and `quarantined`.
 *
 * @param name name of the edge function
 */
export async function checkCall(
  database: Database,
  request: Request,
  name: string,
  reachable?: Route['reachable'],
): Promise<void> {
  if (reachable === 'always') return
  const found = await errorOf(database, clientAddress(request), name)
  if (!found || (found.code === 'quarantined' && reachable === 'in_quarantine')) return
  const details = { retry_after_s: found.retry_s, crisis_resources: found.resources }
  throw found.code === 'quarantined'
    ? new ServiceError('quarantined', 'This part of the service is switched off for now.', details)
    : new ServiceError('address_blocked', 'Requests from this address are blocked for now.', details)
}

function errorOf(database: Database, address: string | null, name: string): Promise<CallError | undefined> {
  const key = `${name} ${address}`
  const known = kept.get(key)
  if (known && known.until > performance.now()) return known.error
  if (kept.size >= KEPT_ADDRESSES) kept.clear()
  const error = database<[CallError?]>`select * from private.check_call(${address}::inet, ${name})`.then(
    ([row]) => row,
  )
  kept.set(key, { until: performance.now() + KEPT_MS, error })
  error.catch(() => kept.delete(key))
  return error
}
