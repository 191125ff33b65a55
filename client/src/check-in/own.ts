import type { QueueContext } from './context.ts'
import type { CheckInRecord } from './record.ts'
import type { EndedCheckIn } from './types.ts'

/**
 * Whether a check-in that was submitted, and maybe by another device, was so with what was recorded here: its files are those that this
 * device uploaded, which stay from then on, and no part that was recorded here is missing in what was analysed.
 */
export async function isOwn(
  { media, transcript, folder, submitted }: CheckInRecord,
  { result, error }: EndedCheckIn,
  { listStored }: Pick<QueueContext, 'listStored'>,
): Promise<boolean> {
  if (submitted === 'yes') return true
  const own = media.filter(({ arrivedAt }) => arrivedAt !== null)
  const missing = (result?.components ?? error?.reasons ?? [])
    .filter(({ reason }) => reason === 'not_provided')
    .map(({ modality }) => modality)
  if (transcript !== null && missing.includes('text')) return false
  if (own.some(({ name }) => missing.includes(name === 'audio' ? 'audio' : 'visual'))) return false
  if (own.length === 0 || folder === null) return true
  const stored = await listStored(folder)
  // What is gone was deleted since, as by the end of a consent.
  return own.every(({ name, arrivedAt }) => {
    const now = stored.get(name)
    // The one has microseconds, the other one milliseconds.
    return now === undefined || Math.abs(Date.parse(now) - Date.parse(arrivedAt ?? now)) <= 1
  })
}
