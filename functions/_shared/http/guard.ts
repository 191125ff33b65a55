import type { Database } from '../database.ts'
import { ServiceError } from '../errors.ts'
import { clientAddress } from '../platform/client-address.ts'
import { type Caller, sessionOf } from './authenticate.ts'
import type { Route } from './route.ts'

type CallError = {
  code: 'address_blocked' | 'quarantined'
  retry_s: number
  /** Of a block: until when, and whom to ask. */
  until: Date | null
  contact: string | null
  resources: unknown
}

/** How long an isolate relies on what it was told of an address, milliseconds: a block is in force within this time. */
const KEPT_MS = 2000

/** Most addresses of which it is kept; then all are forgotten. */
const KEPT_ADDRESSES = 1000

const kept = new Map<string, { until: number; errors: Promise<CallError[]> }>()

/** What a call is checked for: its route's `reachable`, and who calls, where somebody is signed in. */
type Passes = { reachable?: Route['reachable']; caller?: Promise<Caller> | null }

/**
 * What every call of a function has to pass before anything else looks at it: its address is not blocked, or the caller's
 * session is older than the block, and the function is not quarantined. The error says where help is.
 *
 * Throws `address_blocked` and `quarantined`.
 *
 * @param name name of the edge function
 */
export async function checkCall(
  database: Database,
  request: Request,
  name: string,
  { reachable = [], caller = null }: Passes = {},
): Promise<void> {
  if (reachable === 'always') return
  const address = clientAddress(request)
  for (const found of await errorsOf(database, address, name)) {
    const details = { retry_after_s: found.retry_s, crisis_resources: found.resources }
    if (found.code === 'quarantined') {
      if (reachable.includes('in_quarantine')) continue
      throw new ServiceError('quarantined', 'This part of the service is switched off for now.', details)
    }
    if (reachable.includes('in_block') || (await isOlderThanBlock(database, address, caller))) continue
    const until = found.until?.toISOString()
    throw new ServiceError(
      'address_blocked',
      `Requests from this address are blocked until ${until}. Whoever was signed in before can go on${found.contact === null ? '' : `; ask ${found.contact}`}.`,
      { ...details, until, ...(found.contact !== null && { contact: found.contact }) },
    )
  }
}

/** Whether the caller's session is older than the block of the address; false where nobody is signed in. */
async function isOlderThanBlock(
  database: Database,
  address: string | null,
  caller: Passes['caller'],
): Promise<boolean> {
  const known = await caller?.catch((error) => {
    // A token that is not valid is nobody's.
    if (error instanceof ServiceError) return null
    throw error
  })
  if (!known) return false
  const [row] = await database<[{ blocked: boolean }]>`
    select private.is_blocked(${address}::inet, ${sessionOf(known.token)}::uuid) as blocked`
  return !row.blocked
}

function errorsOf(database: Database, address: string | null, name: string): Promise<CallError[]> {
  const key = `${name} ${address}`
  const known = kept.get(key)
  if (known && known.until > performance.now()) return known.errors
  if (kept.size >= KEPT_ADDRESSES) kept.clear()
  const errors = database<CallError[]>`select * from private.check_call(${address}::inet, ${name})`.then(
    (rows) => [...rows],
  )
  kept.set(key, { until: performance.now() + KEPT_MS, errors })
  errors.catch(() => kept.delete(key))
  return errors
}
