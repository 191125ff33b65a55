import { WellbeingError } from '../errors.ts'
import type { QueueContext } from './context.ts'
import { over } from './outcome.ts'
import { type CheckInRecord, hasRest, isOver, storedError } from './record.ts'
import { Removed, type Store } from './store.ts'

/** How long an ended check-in stays in the list at least, milliseconds, unless it is removed. */
const TOLD_FOR_MS = 24 * 60 * 60 * 1000
/** A record that was stored so long after now, milliseconds, was stored by another clock. */
const CLOCK_TOLERANCE_MS = 60_000

type Purging = Pick<QueueContext, 'explain'> & { store: Store; now(): number; keepForMs: number }

/** Deletes what is too old, of whomever, and files whose check-in is gone. */
export async function purge(purging: Purging): Promise<void> {
  const { store } = purging
  const records = await store.list()
  for (const record of records) {
    try {
      await purgeOne(record, purging)
    } catch (error) {
      if (!(error instanceof Removed)) throw error
    }
  }
  await store.sweep(records)
}

async function purgeOne(record: CheckInRecord, { store, now, keepForMs, explain }: Purging): Promise<void> {
  // In place of a record that can't be read one that tells the person.
  if (record.savedAt === 0) {
    if (record.problem)
      record.problem = storedError(await explain(new WellbeingError(record.problem.code, record.problem)))
    record.endedAt = now()
    await store.removeFiles(record)
    await store.save(record)
  }
  // The clock was set back: what waited until a time of before does not, and is kept no longer than from now on.
  if (record.savedAt > now() + CLOCK_TOLERANCE_MS) {
    record.expiresAt = Math.min(record.expiresAt, now() + keepForMs)
    if (record.nextAttemptAt !== null) record.nextAttemptAt = now()
    await store.save(record)
  }
  if (now() <= record.expiresAt) return
  if (isOver(record) && now() > (record.endedAt ?? 0) + TOLD_FOR_MS) {
    await store.remove(record)
    return
  }
  if (record.isDraft) {
    await store.remove(record)
    return
  }
  // What is with the service is still followed.
  if (!isOver(record) && record.step !== 'analysing') {
    const error = new WellbeingError('check_in_too_old', { message: 'It waited too long on the device.' })
    record.problem = storedError(await explain(error))
    over(record, 'expired', now())
  } else if (!hasRest(record)) return
  await store.removeRest(record)
}
