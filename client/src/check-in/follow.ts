import { WellbeingError } from '../errors.ts'
import { errorOf } from '../explain.ts'
import { pause } from '../pause.ts'
import type { QueueContext } from './context.ts'
import type { EndedCheckIn } from './types.ts'

/** Between two readings, milliseconds: while the channel tells, and while it does not. */
const READ_EVERY_MS = { told: 20_000, untold: 3000 }

/**
 * Follows a check-in that was submitted to its end, by its channel; reads it every few seconds too, for what the channel told while the
 * device was offline.
 *
 * @throws {WellbeingError} `check_in_not_found`, `session_ended`, or another that is not over by itself
 */
export async function follow(
  { calls, listen }: Pick<QueueContext, 'calls' | 'listen'>,
  checkInId: string,
  { onProgress, signal }: { onProgress(share: number): void; signal: AbortSignal },
): Promise<EndedCheckIn> {
  let everyMs = READ_EVERY_MS.untold
  let wait = new AbortController()
  const leave = listen(checkInId, (event) => {
    if (event.type === 'progress') return onProgress(event.progress)
    everyMs = event.type === 'lost' ? READ_EVERY_MS.untold : READ_EVERY_MS.told
    wait.abort()
  })
  const end = () => wait.abort()
  signal.addEventListener('abort', end)
  try {
    while (!signal.aborted) {
      wait = new AbortController()
      const seen = await calls.read(checkInId, signal).catch((error) => {
        if (!errorOf(error).retryable) throw error
        return null
      })
      if (seen && seen.status !== 'processing' && seen.status !== 'created') return seen
      if (seen) onProgress(seen.progress)
      await pause(everyMs, wait.signal)
    }
    throw new WellbeingError('aborted', { message: 'The app no longer follows the check-in.' })
  } finally {
    signal.removeEventListener('abort', end)
    leave()
  }
}
