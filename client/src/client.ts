import type { SupabaseClient } from '@supabase/supabase-js'
import { type Account, createAccount } from './account.ts'
import { type Buddies, createBuddies } from './buddies.ts'
import { createCalls, type Reply, type Supabase } from './calls.ts'
import { createFeed } from './channels.ts'
import { createCheckIns } from './check-in/supabase.ts'
import type { CheckInMedia, CheckInOptions, CheckInQueue, Draft, EndedCheckIn } from './check-in/types.ts'
import { type Consents, createConsents } from './consents.ts'
import { type Device, memoryDevice } from './device.ts'
import type { WellbeingError, Words } from './errors.ts'
import { createErasure, createExports, type Erasure, type Exports } from './privacy.ts'
import { createReminders, type Reminders } from './reminders.ts'
import type { Session, SessionOptions, SessionScore } from './session.ts'
import {
  type CrisisResource,
  createUniversities,
  readCrisisResources,
  type Universities,
} from './university.ts'
import { createWording } from './wording.ts'

export type WellbeingOptions = {
  /** Where check-ins wait; default: in memory, lost with the process. */
  device?: Device
  /** How many days what was recorded waits on the device at most. Default: 7. */
  keepCheckInsForDays?: number
  /** The person's language (BCP 47), for words; default: English. `setLanguage` changes it. */
  language?: string
}

export type HistoryEntry = Reply<'get', '/api/history'>['entries'][number]

/** The service, for an app with a Supabase client of its own. Every call rejects with a `WellbeingError`. */
export type WellbeingClient = {
  /** Keeps the check-in on the device, sends it, follows it, and resolves when it has ended. */
  checkIn(media: CheckInMedia, options?: CheckInOptions): Promise<EndedCheckIn>
  queue: CheckInQueue
  /** What the person has recorded and not sent yet: it survives a reload, too. */
  draft: Draft
  setLanguage(language: string): void
  /** The words of a code or reason, in the person's language. */
  words(code: string): Promise<Words>
  /** What `supabase-js` reported to the app itself (a sign-in, a query of its own), with a code and the person's words. */
  explain(error: unknown): Promise<WellbeingError>

  account: Account
  universities: Universities
  consents: Consents
  /** Check-ins and sessions of the last days, today among them, the newest first. Default: 31 days, 366 at most. */
  history(options?: { days?: number }): Promise<HistoryEntry[]>
  /**
   * A check-in by the service's own id, of any device: its result, how far its analysis is, or why it failed.
   *
   * @throws {WellbeingError} `check_in_not_found`
   */
  readCheckIn(id: string): Promise<EndedCheckIn>
  /** The check-in that is open or being analysed, on whatever device it was begun: `uploads` says what has arrived. Null: none. */
  currentCheckIn(): Promise<EndedCheckIn | null>
  /** Begins an assessment session, or goes on with one. */
  session(options?: SessionOptions): Promise<Session>
  /** The stored score of a session; null: it has none. */
  sessionScore(id: string): Promise<SessionScore | null>
  buddies: Buddies
  exports: Exports
  erasure: Erasure
  reminders: Reminders
  /** Whom to turn to, of the person's university; kept on the device, for when there is no network. */
  crisisResources(): Promise<CrisisResource[]>
  /** Ends channels, timers and listeners of the client. */
  close(): Promise<void>
}

/** Sessions need the network anyway, and many apps have none: loaded with the first. */
const conversation = () => import('./session.ts')

/** Most entries that a page of the history has. */
const HISTORY_PAGE = 200

/**
 * The service, by the app's own Supabase client, to which nothing is added.
 *
 * @example
 * const wellbeing = createWellbeingClient(supabase, { device: browserDevice(), language: navigator.language })
 */
export function createWellbeingClient(
  supabase: SupabaseClient,
  { device = memoryDevice(), language = 'en', keepCheckInsForDays }: WellbeingOptions = {},
): WellbeingClient {
  const project: Supabase = supabase
  const wording = createWording(project, device, language)
  const calls = createCalls(project, wording, device)
  const { checkIn, queue, draft, leaveOut } = createCheckIns(calls, device, {
    keepForDays: keepCheckInsForDays,
  })
  const buddies = createBuddies(calls)
  const exports = createExports(calls)
  const sessions = new Set<Session>()

  async function history({ days = 31 }: { days?: number } = {}): Promise<HistoryEntry[]> {
    const entries: HistoryEntry[] = []
    let before: string | null = null
    do {
      const query: { days: number; limit: number; before?: string } = { days, limit: HISTORY_PAGE }
      if (before !== null) query.before = before
      const page: Reply<'get', '/api/history'> = await calls.call('get', '/api/history', {
        params: { query },
      })
      entries.push(...page.entries)
      before = page.next
    } while (before !== null)
    return entries
  }

  async function checkedInSince(since: Date): Promise<boolean> {
    const entries = await history({ days: 2 })
    return entries.some(({ source, at }) => source === 'check_in' && new Date(at) >= since)
  }

  return {
    checkIn,
    queue,
    draft,
    setLanguage: wording.setLanguage,
    async words(code) {
      try {
        return await wording.wordsOf(code)
      } catch (error) {
        throw await calls.explain(error)
      }
    },
    explain: calls.explain,
    account: createAccount(calls, wording),
    universities: createUniversities(calls),
    consents: createConsents(calls, wording, leaveOut),
    history,
    readCheckIn: (id) => calls.call('get', '/checkins/{id}', { params: { path: { id } } }),
    async currentCheckIn() {
      const { check_in } = await calls.call('get', '/checkins/current')
      return check_in
    },
    async session(options = {}) {
      const { openSession } = await conversation()
      const session = await openSession(calls, createFeed, options)
      sessions.add(session)
      return session
    },
    async sessionScore(id) {
      const { readSessionScore } = await conversation()
      return readSessionScore(calls, id)
    },
    buddies,
    exports,
    erasure: createErasure(calls),
    reminders: createReminders(calls, device, queue, checkedInSince),
    crisisResources: () => readCrisisResources(calls, device),
    async close() {
      queue.close()
      await Promise.all([buddies, exports, ...sessions].map((opened) => opened.close()))
    },
  }
}
