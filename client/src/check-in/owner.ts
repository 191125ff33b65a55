import { PERSON_KEY } from '../calls.ts'
import type { Device } from '../device.ts'
import { WellbeingError } from '../errors.ts'
import { pause } from '../pause.ts'
import type { Person } from './context.ts'
import type { CheckInRecord } from './record.ts'

/** How long the session may take to say whose it is before the device's own memory is asked, milliseconds. */
const SESSION_WITHIN_MS = 1500

/** Whose check-ins are shown and sent. */
export type Owner = {
  /** The person, also on a device without a network whose token has expired; null: nobody is signed in. */
  current(): Promise<string | null>
  /** Who was signed in so many seconds ago: a session may end while somebody speaks. */
  since(seconds: number): Promise<string | null>
  /** Rejects with `session_ended` where another person is signed in, or nobody; with `offline` where a session can't be renewed now. */
  require(record: CheckInRecord): Promise<void>
  /** Somebody has signed in, or (null) out. */
  became(account: string | null): Promise<void>
}

export function createOwner(
  person: Person,
  { items }: Pick<Device, 'items'>,
  { now, signal }: { now(): number; signal: AbortSignal },
): Owner {
  /** Who was signed in last, and until when. */
  let last: { account: string | null; until: number | null } | undefined

  async function became(account: string | null): Promise<void> {
    const isKnown = last !== undefined && (account === null ? last.until !== null : last.account === account)
    if (isKnown && (account === null || last?.until === null)) return
    last = account === null ? { account: last?.account ?? null, until: now() } : { account, until: null }
    // What the device forgets for want of room it is told again.
    await (account === null ? items.removeItem(PERSON_KEY) : items.setItem(PERSON_KEY, account)).catch(
      () => {},
    )
  }

  async function current(): Promise<string | null> {
    const known = new AbortController()
    const end = () => known.abort()
    signal.addEventListener('abort', end)
    const said = await Promise.race([
      person.current().then(
        (account) => ({ account }),
        () => undefined,
      ),
      pause(SESSION_WITHIN_MS, known.signal),
    ])
    signal.removeEventListener('abort', end)
    end()
    if (said) {
      await became(said.account)
      return said.account
    }
    if (last) return last.until === null ? last.account : null
    return items.getItem(PERSON_KEY).catch(() => null)
  }

  return {
    current,
    became,
    async since(seconds) {
      const account = await current()
      if (account !== null || !last?.until) return account
      return last.until > now() - seconds * 1000 ? last.account : null
    },
    async require({ owner }) {
      if ((await person.current()) === owner) return
      throw new WellbeingError('session_ended', { message: 'Nobody is signed in.' })
    },
  }
}
