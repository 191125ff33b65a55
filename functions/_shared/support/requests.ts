import { createHash } from 'node:crypto'
import * as z from 'zod'
import { consentRequired } from '../consent.ts'
import { crisisResources } from '../crisis-resources.ts'
import type { Database } from '../database.ts'
import { ServiceError } from '../errors.ts'
import { LANGUAGES } from '../languages.ts'

/** What a contact can answer. */
export const ANSWERS = ['called', 'messaged', 'unavailable'] as const

export type Answer = (typeof ANSWERS)[number]

/** An answer as the form sends it; its title (`Called`) is taken too. */
export const answer = z.preprocess(
  (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
  z.enum(ANSWERS),
)

const names = { contact_name: z.string(), student_name: z.string() }

const requestView = z.discriminatedUnion('state', [
  z.object({
    state: z.enum(['open', 'answered', 'expired', 'cancelled']),
    ...names,
    now: z.enum(['waiting', 'all_right', 'answered_by_other', 'ended', 'withdrawn', 'stopped']),
    language: z.enum(LANGUAGES),
    request_type: z.enum(['user_initiated', 'system_initiated']),
    worrying_days: z.int().nullable(),
    response_type: z.enum(ANSWERS).nullable(),
    resources: crisisResources,
  }),
  z.object({ state: z.literal('unknown'), resources: crisisResources }),
])

/** What the page of a link shows, as `private.read_request` returns it. */
export type RequestView = z.output<typeof requestView>

/** What is stored of a link's token. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Reads the request behind a link's token; changes nothing. */
export async function readRequest(database: Database, token: string): Promise<RequestView> {
  const [row] = await database`select private.read_request(${hashOf(token)}, now()) as view`
  return requestView.parse(row?.view)
}

/** Stores when a person seems to have opened an open link first. */
export async function countClick(database: Database, token: string): Promise<void> {
  await database`select private.count_click(${hashOf(token)}, now())`
}

/** Stores the answer of a contact, the first one only. */
export async function answerRequest(database: Database, token: string, given: Answer): Promise<void> {
  await database`select private.answer_request(${hashOf(token)}, ${given}, now())`
}

/** Ends being a contact; false when the link is over. */
export async function stopByLink(database: Database, token: string): Promise<boolean> {
  const [row] = await database`select private.stop_by_link(${hashOf(token)}, now()) as outcome`
  return row?.outcome === 'stopped'
}

const outcome = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('requested'),
    request_id: z.uuid(),
    send_at: z.coerce.date().nullable(),
    waits_for: z.enum(['day', 'agreement']).nullable(),
  }),
  z.object({ outcome: z.literal('rate_limited'), retry_after_s: z.int() }),
  z.object({ outcome: z.enum(['buddy_not_found', 'consent_required', 'buddy_unavailable']) }),
])

/**
 * A request that was made. Its text is sent at `sendAt`: at once, when the contact's day begins (`day`), or, with `sendAt` null, when
 * the contact's number agrees (`agreement`), if that is within a day.
 */
export type MadeRequest = { requestId: string; sendAt: Date | null; waitsFor: 'day' | 'agreement' | null }

/**
 * Asks a contact by text to check in on a student.
 *
 * Throws `buddy_not_found`, `consent_required`, `buddy_unavailable`, and `rate_limited` when the contact was asked within
 * 24 hours, or their number by too many students.
 */
export async function requestCheckIn(
  database: Database,
  student: string,
  contact: string,
): Promise<MadeRequest> {
  const [row] = await database`select private.request_check_in(${student}, ${contact}, now()) as outcome`
  const result = outcome.parse(row?.outcome)
  switch (result.outcome) {
    case 'requested':
      return { requestId: result.request_id, sendAt: result.send_at, waitsFor: result.waits_for }
    case 'buddy_not_found':
      throw new ServiceError('buddy_not_found', 'There is no such contact of yours.')
    case 'consent_required':
      throw consentRequired('support_circle')
    case 'buddy_unavailable':
      throw new ServiceError('buddy_unavailable', 'This contact cannot be asked at the moment.')
    case 'rate_limited':
      throw new ServiceError(
        'rate_limited',
        'This contact was asked within the last 24 hours. Try again later.',
        {
          retry_after_s: result.retry_after_s,
        },
      )
  }
}
