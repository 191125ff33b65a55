import { WellbeingError } from '../errors.ts'
import { type CheckInRecord, isOver, viewOf } from './record.ts'
import type { CheckInOptions, EndedCheckIn } from './types.ts'

/** Callers of `checkIn` who wait for the end of theirs. */
export type Waiting = {
  /** Resolves at the end; rejects where it failed or waits for the person, and where the wait is ended. */
  forEnd(id: string, options: CheckInOptions): Promise<EndedCheckIn>
  /** What each of these check-ins has come to. */
  see(records: CheckInRecord[]): void
  /** Ends each wait for what is not among these. */
  keep(records: CheckInRecord[]): void
  failAll(error: WellbeingError): void
}

type Waiter = { see(record: CheckInRecord): void; fail(error: WellbeingError): void; hasSeen: boolean }

const aborted = (message: string) => new WellbeingError('aborted', { message })

export function createWaiting(closing: AbortSignal): Waiting {
  const waiters = new Map<string, Waiter>()

  function forEnd(id: string, { onProgress, signal }: CheckInOptions): Promise<EndedCheckIn> {
    return new Promise((resolve, reject) => {
      let before = ''
      const abort = () => waiter.fail(aborted('The wait was ended.'))
      const stop = () => {
        waiters.delete(id)
        signal?.removeEventListener('abort', abort)
        closing.removeEventListener('abort', abort)
      }
      const waiter: Waiter = {
        hasSeen: false,
        fail(error) {
          stop()
          reject(error)
        },
        see(record) {
          waiter.hasSeen = true
          const view = viewOf(record)
          const { step, progress, problem, nextAttemptAt } = view
          const now = JSON.stringify([step, progress, problem?.code, nextAttemptAt])
          if (now !== before) onProgress?.(view)
          before = now
          const waitsForPerson = step === 'waiting' && record.problem !== null && nextAttemptAt === null
          if (view.ended) {
            stop()
            resolve(view.ended)
          } else if (problem && (isOver(record) || waitsForPerson)) waiter.fail(problem)
        },
      }
      waiters.set(id, waiter)
      signal?.addEventListener('abort', abort)
      closing.addEventListener('abort', abort)
      if (signal?.aborted || closing.aborted) abort()
    })
  }

  return {
    forEnd,
    see(records) {
      for (const record of records) waiters.get(record.id)?.see(record)
    },
    keep(records) {
      for (const [id, { hasSeen, fail }] of waiters) {
        if (hasSeen && !records.some((record) => record.id === id)) fail(aborted('The check-in was removed.'))
      }
    },
    failAll(error) {
      for (const { fail } of waiters.values()) fail(error)
    },
  }
}
