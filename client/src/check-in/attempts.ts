import type { WellbeingError } from '../errors.ts'
import type { CheckInRecord } from './record.ts'

/** Attempts that may fail one after the other before the queue waits for the person. */
const MOST_ATTEMPTS = 8
const FIRST_WAIT_MS = 2000
const LONGEST_WAIT_MS = 5 * 60 * 1000

/**
 * When what has failed is tried again: after twice as long each time, and not before the service asks. Null: when the person or the
 * app acts, because nothing changes by itself, or because it has failed too often. A device without a network is never out of attempts.
 */
export function nextAttempt(record: CheckInRecord, error: WellbeingError, now: number): number | null {
  if (!error.retryable) return null
  if (error.retryAfterS !== null && error.code === 'rate_limited') return now + error.retryAfterS * 1000
  if (error.code !== 'offline' && record.attempts >= MOST_ATTEMPTS) return null
  const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.max(0, record.attempts - 1))
  // Devices that lost the service together do not come back together.
  const jitteredMs = waitMs * (0.5 + Math.random() / 2)
  return now + Math.max(jitteredMs, (error.retryAfterS ?? 0) * 1000)
}

/** Whether a check-in is to be sent now: it waits no longer, or whoever was sending it has ended. */
export function isDue({ step, nextAttemptAt }: CheckInRecord, now: number): boolean {
  if (step === 'starting' || step === 'uploading' || step === 'submitting') return true
  return step === 'waiting' && nextAttemptAt !== null && nextAttemptAt <= now
}
