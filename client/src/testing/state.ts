import type { Reply, Row } from '../calls.ts'
import type { EndedCheckIn } from '../check-in/types.ts'
import type { HistoryEntry } from '../client.ts'
import type { ConsentKind } from '../consents.ts'
import type { Export } from '../privacy.ts'

/** A row of a table, of whichever. */
export type AnyRow = Record<string, unknown>

export const KINDS: readonly ConsentKind[] = [
  'audio',
  'camera',
  'text',
  'support_circle',
  'counselor_access',
  'research_export',
]
/** Of the consents' texts. */
export const VERSION = '2026-11'

export const UNIVERSITY: Reply<'get', '/api/public/universities'>['universities'][number] = {
  id: 'northfield',
  name: 'University of Northfield',
  short_name: 'Northfield',
  branding: { primary_color: '#1d4e89', secondary_color: '#f2b134' },
  languages: ['en', 'de', 'es', 'fr', 'ar'],
  crisis_resources: [
    {
      name: 'Northfield Counseling',
      phone: '+1 202 555 0143',
      website: 'https://northfield.example.edu/help',
    },
    { name: 'Emergency', phone: '911', website: null },
  ],
}

export type StoredFile = { name: string; bytes: number; content_type: string; uploaded_at: string }

export type StoredCheckIn = {
  /** As it is returned, but for what has arrived of it. */
  view: EndedCheckIn
  files: Map<string, StoredFile>
  /** Names of the files that were submitted. */
  media: string[]
  submissions: number
}

export type StoredSession = { row: Row<'assessment_sessions'>; analyses: Set<'audio' | 'visual' | 'text'> }

/** Everything that the double has of one person. */
export type Account = {
  id: string
  email: string
  password: string
  confirmed: boolean
  profile: Row<'profiles'>
  consents: Map<ConsentKind, { version: string; grantedAt: string }>
  checkIns: StoredCheckIn[]
  sessions: StoredSession[]
  history: HistoryEntry[]
  contacts: Row<'buddy_contacts'>[]
  requests: Row<'buddy_check_in_requests'>[]
  alerts: Row<'support_alerts'>[]
  preferences: Row<'support_preferences'> | null
  exports: Export[]
  erasure: Reply<'get', '/api/privacy/erasure'> | null
}

/** An address of a student, with the code that is in the mail. */
export type Mail = { to: string; code: string }

export type State = {
  url: string
  accounts: Account[]
  mails: Mail[]
  /** Access tokens that work, and refresh tokens that do, with whose they are. */
  tokens: Map<string, Account>
  refreshTokens: Map<string, Account>
  /** Upload tokens, with where they lead. */
  places: Map<string, { checkIn: StoredCheckIn; name: string }>
  /** Whether check-ins stay `processing` until the test ends them. */
  held: boolean
  /** What the next check-ins end with. */
  outcomes: Outcome[]
  /** Sends an event on a channel. */
  broadcast(topic: string, event: string, payload: object): void
}

/** How a check-in ends: with a result, of which the test says what it likes, or as failed, with the reason. */
export type Outcome = { result: Partial<NonNullable<EndedCheckIn['result']>> } | { reason: string }

export const now = () => new Date().toISOString()

export function newAccount(email: string, password: string, name: { first: string; last: string }): Account {
  const id = crypto.randomUUID()
  return {
    id,
    email,
    password,
    confirmed: true,
    profile: {
      ...{ user_id: id, first_name: name.first, last_name: name.last, university_id: UNIVERSITY.id },
      ...{ language: null, time_zone: null, zone_day_began_at: null, created_at: now(), updated_at: now() },
    },
    consents: new Map(),
    checkIns: [],
    sessions: [],
    history: [],
    contacts: [],
    requests: [],
    alerts: [],
    preferences: null,
    exports: [],
    erasure: null,
  }
}
