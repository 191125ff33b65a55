import type { SupabaseClient } from '@supabase/supabase-js'
import type { CheckInMedia, CheckInOptions, CheckInQueue, EndedCheckIn } from './check-in/types.ts'
import type { Device } from './device.ts'
import type { Words } from './errors.ts'
import type { components, paths } from './generated/api.ts'
import type { Database } from './generated/database.ts'

type Schemas = components['schemas']
type Tables = Database['public']['Tables']
type Functions = Database['public']['Functions']
type Row<Table extends keyof Tables> = Tables[Table]['Row']
type Reply<Path extends keyof paths, Method extends 'get' | 'post'> = paths[Path] extends {
  [M in Method]: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never

/** A copy of what is stored about the person, as the service describes it. */
export type Export = Reply<'/api/privacy/exports/{id}', 'get'>

export type WellbeingOptions = {
  /** Where check-ins wait; default: in memory, lost with the process. */
  device?: Device
  /** The person's language (BCP 47), for words; default: English. `setLanguage` changes it. */
  language?: string
}

export type ConsentKind = Database['public']['Enums']['consent_kind']
export type Unsubscribe = () => void

/** The service, for an app with a Supabase client of its own. Every call rejects with a `WellbeingError`. */
export type WellbeingClient = {
  /** Keeps the check-in on the device, sends it, follows it, and resolves when it has ended. */
  checkIn(media: CheckInMedia, options?: CheckInOptions): Promise<EndedCheckIn>
  queue: CheckInQueue
  setLanguage(language: string): void
  /** The words of a code or reason, in the person's language. */
  words(code: string): Promise<Words>

  account: {
    /** The same answer whether or not the address has an account: a code is in the mail. */
    signUp(account: {
      email: string
      password: string
      firstName: string
      lastName: string
      universityId?: string
      language?: string
    }): Promise<void>
    profile(): Promise<Row<'profiles'>>
    updateProfile(changes: Tables['profiles']['Update']): Promise<void>
    /** Tells the service the device's time zone, by which a day is counted, and the person's language. */
    tellWhere(): Promise<void>
    /** Who has looked at what is stored about the person. */
    accesses(): Promise<Reply<'/api/privacy/accesses', 'get'>['accesses']>
  }
  universities: {
    /** Whose sign-up the address leads to; null where there is none. */
    ofEmail(email: string): Promise<Reply<'/api/public/universities', 'get'>['universities'][number] | null>
  }
  consents: {
    /** The newest text of each kind in the person's language, to be shown before `grant`. */
    texts(): Promise<Reply<'/api/consent-texts', 'get'>['texts']>
    status(): Promise<Functions['consent_status']['Returns']>
    grant(kinds: ConsentKind[], version: string): Promise<void>
    /** Ends a consent, and deletes what it covered: how many of what. */
    withdraw(kind: ConsentKind): Promise<Record<string, number>>
  }
  /** Check-ins and sessions, the newest first. */
  history(options?: { days?: number }): Promise<Reply<'/api/history', 'get'>['entries']>
  /** Begins an assessment session, or goes on with one. */
  session(options?: { id?: string; type?: Row<'assessment_sessions'>['assessment_type'] }): Promise<Session>
  buddies: {
    list(): Promise<Row<'buddy_contacts'>[]>
    add(contact: {
      name: string
      phone: string
      email?: string
      relationship?: string
    }): Promise<Row<'buddy_contacts'>>
    update(
      id: string,
      changes: { name?: string; phone?: string; email?: string; relationship?: string; isActive?: boolean },
    ): Promise<Row<'buddy_contacts'>>
    remove(id: string): Promise<void>
    /** Each active contact once, the first to be told first. */
    reorder(ids: string[]): Promise<void>
    /** Emails the contact to ask whether they agree. */
    askToAgree(id: string): Promise<void>
    /** Asks a contact by SMS to check in on the student. */
    requestCheckIn(
      id: string,
      options?: { message?: string; sendAt?: Date },
    ): Promise<Reply<'/api/buddy/request-check-in', 'post'>>
    requests(): Promise<Row<'buddy_check_in_requests'>[]>
    alerts(): Promise<Row<'support_alerts'>[]>
    /** Ends an open alert about the student; how many contacts were told, null: no alert was open. */
    reportAllRight(): Promise<number | null>
    /** Until when alerts are paused; null ends the pause. */
    pauseAlerts(until: Date | null): Promise<void>
    subscribe(listener: (event: { type: 'alert' | 'answer' | 'contact' }) => void): Unsubscribe
  }
  exports: {
    request(options?: { includeName?: boolean }): Promise<Export>
    list(): Promise<Export[]>
    /** With addresses to download from, once it is ready. */
    get(id: string): Promise<Export>
    remove(id: string): Promise<void>
    subscribe(listener: (change: Schemas['ExportEvent']) => void): Unsubscribe
  }
  erasure: {
    /** Null: nothing was asked for. */
    status(): Promise<Reply<'/api/privacy/erasure', 'get'> | null>
    request(password: string): Promise<void>
    cancel(): Promise<void>
  }
  reminders: {
    get(): Promise<Reminder | null>
    set(reminder: Reminder | null): Promise<void>
    /** An iCalendar file (RFC 5545) that reminds at the local time wherever the person is. */
    calendar(reminder: Reminder, words: { title: string; description: string }): string
    /** Whether the time of today's reminder has passed without a check-in. */
    isDue(reminder: Reminder, now?: Date): Promise<boolean>
  }
  /** Whom to turn to, of the person's university; kept on the device, for when there is no network. */
  crisisResources(): Promise<Reply<'/api/crisis-resources', 'get'>['crisis_resources']>
  /** Ends channels, timers and listeners of the client. */
  close(): Promise<void>
}

/** At a local time (`18:30`) on days of the week, 0 Sunday to 6 Saturday. Kept on the device. */
export type Reminder = { time: string; days: number[] }

export type Session = {
  id: string
  analyzeAudio(
    audio: paths['/analyze-audio']['post']['requestBody']['content']['application/json']['audioData'],
  ): Promise<Reply<'/analyze-audio', 'post'>>
  analyzeVisual(images: Blob[]): Promise<Reply<'/analyze-visual', 'post'>>
  analyzeText(text: string): Promise<Reply<'/analyze-text', 'post'>>
  score(): Promise<Reply<'/calculate-wellbeing-score', 'post'>>
  end(): Promise<void>
  subscribe(listener: (event: { type: string; data: Record<string, unknown> }) => void): Unsubscribe
}

export function createWellbeingClient(
  supabase: SupabaseClient,
  options: WellbeingOptions = {},
): WellbeingClient {
  throw new Error(`not there yet: ${typeof supabase}, ${Object.keys(options).join()}`)
}
