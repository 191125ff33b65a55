import type { WellbeingError } from '../errors.ts'
import { type CheckInRecord, detach, type StoredError, storedError } from './record.ts'
import type { CheckInStep, EndedCheckIn } from './types.ts'

/** Attempts that may fail one after the other before the queue waits for the person. */
const MOST_ATTEMPTS = 8
const FIRST_WAIT_MS = 2000
const LONGEST_WAIT_MS = 5 * 60 * 1000

/** Whether a check-in is to be sent now: it waits no longer, or whoever was sending it has ended. */
export function isDue({ step, nextAttemptAt }: CheckInRecord, now: number): boolean {
  if (step === 'starting' || step === 'uploading' || step === 'submitting') return true
  return step === 'waiting' && nextAttemptAt !== null && nextAttemptAt <= now
}

/**
 * Whether a check-in waits behind another one of its type, which may still arrive at the service: until that is known, its files would
 * take the place of those.
 */
export function isBehind({ type, submitted }: CheckInRecord, records: CheckInRecord[]): boolean {
  if (submitted === 'maybe') return false
  return records.some(
    (other) =>
      other.type === type &&
      other.submitted === 'maybe' &&
      other.step === 'waiting' &&
      other.nextAttemptAt !== null,
  )
}

/**
 * An attempt has failed: it waits, or is over.
 *
 * @param error in the person's words
 * @param before why it waited before the attempt
 * @param isSignedIn whether its owner is, in spite of what the service said
 */
export function failedAttempt(
  record: CheckInRecord,
  error: WellbeingError,
  { before, isSignedIn, now }: { before: StoredError | null; isSignedIn: boolean; now: number },
): void {
  record.problem = storedError(error)
  record.progress = 0
  // A device without a network says nothing of the service.
  const isSame = before === null || (before.code === 'offline') === (error.code === 'offline')
  record.attempts = isSame ? record.attempts + 1 : 1
  if (error.details.file !== undefined || (error.status === 400 && !error.retryable)) {
    over(record, 'failed', now)
    return
  }
  record.step = 'waiting'
  // The service may be right where the device's clock is wrong: a session that is still there may be renewed.
  const isRetryable = error.retryable || (error.code === 'session_ended' && isSignedIn)
  record.nextAttemptAt = isRetryable ? nextAttempt(record, error, now) : null
}

/**
 * When what has failed is tried again: after twice as long each time, and not before the service asks. Null: when the person or the
 * app acts, because it has failed too often. A device without a network is never out of attempts.
 */
function nextAttempt({ attempts }: CheckInRecord, error: WellbeingError, now: number): number | null {
  const askedMs = (error.retryAfterS ?? 0) * 1000
  if (error.code === 'rate_limited' && askedMs > 0) return now + askedMs
  if (error.code !== 'offline' && attempts >= MOST_ATTEMPTS) return null
  const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1))
  // Devices that lost the service together do not come back together.
  return now + Math.max(askedMs, waitMs * (0.5 + Math.random() / 2))
}

/** It is sent anew, as another check-in. */
export function requeue(record: CheckInRecord, now: number): void {
  detach(record)
  record.step = 'waiting'
  record.progress = 0
  record.problem = null
  record.ended = null
  record.endedAt = null
  record.attempts = 0
  record.nextAttemptAt = now
}

/** The service has a result, or has failed. */
export function ended(record: CheckInRecord, checkIn: EndedCheckIn, now: number): void {
  record.ended = checkIn
  record.progress = 1
  over(record, checkIn.status === 'complete' ? 'complete' : 'failed', now)
  const { code, message = '', reason, reasons = [] } = checkIn.error ?? {}
  if (checkIn.status === 'complete') return
  const [words = { title: message, advice: '' }] = reasons.map(({ title, advice }) => ({ title, advice }))
  record.problem = {
    code: code === 'analysis_failed' ? code : 'nothing_to_score',
    message,
    details: { reason, reasons },
    words,
  }
}

/** Ends a check-in; what is left of it may be sent once more. */
export function over(record: CheckInRecord, step: CheckInStep, now: number): void {
  record.step = step
  record.nextAttemptAt = null
  record.endedAt = now
}

/** Whether what was recorded is of use after the end: the person can leave out what was refused, or try what the service got wrong. */
export function keepsRest({ step, problem }: CheckInRecord): boolean {
  return step === 'failed' && problem?.code !== 'nothing_to_score' && problem?.code !== 'check_in_not_found'
}
