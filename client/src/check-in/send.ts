import { WellbeingError } from '../errors.ts'
import type { Place, QueueContext, StartedCheckIn } from './context.ts'
import { isOwn } from './own.ts'
import { type CheckInRecord, detach, hasRest, type Medium } from './record.ts'
import type { Store } from './store.ts'
import type { EndedCheckIn } from './types.ts'

/** What comes next: `upload` sends what is still to be sent. */
type Next = 'start' | 'upload' | 'complete' | 'done'

/** As often as one attempt may begin anew because another device was faster, or because an image was refused. */
const ROUNDS = 16

type Sending = Pick<QueueContext, 'calls' | 'upload' | 'listStored'> & {
  store: Store
  signal: AbortSignal
  /** Rejects where another person is signed in than the one whose check-in it is. */
  requireOwner(): Promise<void>
  /** Something is done: the check-in is to be shown, and stored. */
  save(): Promise<void>
  /** It has got on: to be shown, and stored at times. */
  show(): void
}

/**
 * Sends a check-in, from wherever it was interrupted, until the service has all of it.
 *
 * @throws {WellbeingError} why it can't be sent now, or at all. `details.file` names what the service has refused for its content, or the
 *   device has lost: that is left out of the record then.
 */
export async function send(record: CheckInRecord, sending: Sending): Promise<void> {
  let started: StartedCheckIn | null = null
  // What may be with the service already is submitted once more, which is harmless, before another check-in would be begun.
  let next: Next = record.submitted === 'maybe' ? 'complete' : 'start'
  for (let round = 0; round < ROUNDS && next !== 'done'; round++) {
    if (next !== 'complete') {
      if (next === 'start') started = null
      started ??= await start(record, sending)
      next = started ? await uploadAll(record, started, sending) : 'done'
    }
    if (next === 'complete') next = await complete(record, sending)
  }
  if (next !== 'done') throw new WellbeingError('busy', { message: 'The check-in changes all the time.' })
  record.step = 'analysing'
  record.progress = 0
  await sending.save()
}

/** Whether a check-in of which `complete` was called is with the service, with what was recorded here. */
async function hasArrived(
  record: CheckInRecord,
  seen: EndedCheckIn | null,
  sending: Sending,
): Promise<boolean> {
  if (record.submitted !== 'maybe' || seen === null) return false
  return seen.status !== 'created' && seen.status !== 'expired' && (await isOwn(record, seen, sending))
}

async function readOwn({ checkInId }: CheckInRecord, { calls, signal }: Pick<Sending, 'calls' | 'signal'>) {
  if (checkInId === null) return null
  return calls.read(checkInId, signal).catch((error) => {
    if (error instanceof WellbeingError && error.code === 'check_in_not_found') return null
    throw error
  })
}

/** Null: what was submitted before is with the service. */
async function start(record: CheckInRecord, sending: Sending): Promise<StartedCheckIn | null> {
  const { calls, requireOwner, save, signal } = sending
  record.step = 'starting'
  record.progress = 0
  await save()
  const started = await calls.start(record.type, signal)
  // In another tab somebody else may have signed in: then it is theirs.
  await requireOwner()
  // Another one than before: that has expired, or was submitted, here or by another device.
  if (started.id !== record.checkInId) {
    if (await hasArrived(record, await readOwn(record, sending), sending)) return null
    detach(record, started.id)
  }
  const [place] = [started.uploads.audio, ...started.uploads.images].filter((found) => found !== null)
  record.folder = place?.path.slice(0, place.path.lastIndexOf('/')) ?? null
  for (const medium of record.media) {
    // Another device may have replaced it meanwhile.
    if (placeOf(medium, started.uploads)?.received?.bytes !== medium.bytes) medium.sent = false
  }
  await save()
  return started
}

/** `start`: an address no longer takes files. */
async function uploadAll(
  record: CheckInRecord,
  { uploads }: StartedCheckIn,
  sending: Sending,
): Promise<'start' | 'complete'> {
  const { store, save, show, signal } = sending
  record.step = 'uploading'
  await save()
  const placed = record.media.flatMap((medium) => {
    const place = placeOf(medium, uploads)
    return place ? { medium, place } : []
  })
  const total = placed.reduce((sum, { medium }) => sum + medium.bytes, 0)
  let before = 0
  for (const { medium, place } of placed) {
    const { name, bytes, type } = medium
    if (!medium.sent) {
      const file = await store.readFile(record, name)
      if (!file) throw await leaveOut(record, medium, sending, 'recording_lost')
      try {
        await sending.upload({
          place,
          file,
          type,
          signal,
          resumeAt: medium.resumeAt,
          onResumable(address) {
            medium.resumeAt = address
            save().catch(() => {})
          },
          onProgress(sent, confirmed) {
            record.progress = total > 0 ? (before + sent) / total : 1
            if (confirmed) record.attempts = 0
            show()
          },
        })
      } catch (error) {
        if (!(error instanceof WellbeingError) || error.code !== 'upload_rejected') throw error
        medium.resumeAt = null
        // It was submitted elsewhere, its consent was withdrawn, or its address has expired: start says. If not, it is the file.
        if (medium.refusedFor === record.checkInId)
          throw await leaveOut(record, medium, sending, 'upload_rejected')
        medium.refusedFor = record.checkInId
        await save()
        return 'start'
      }
      medium.sent = true
      medium.resumeAt = null
      record.attempts = 0
    }
    before += bytes
    record.progress = total > 0 ? before / total : 1
    await save()
  }
  return 'complete'
}

function placeOf({ name }: Medium, { audio, images }: StartedCheckIn['uploads']): Place | null {
  if (name === 'audio') return audio
  return images.find(({ path }) => path.endsWith(`/${name}`)) ?? null
}

/** Submits exactly what this device has uploaded. `start`: another device was faster; `upload`: something is to be sent once more. */
async function complete(record: CheckInRecord, sending: Sending): Promise<'done' | 'start' | 'upload'> {
  const { calls, save, signal } = sending
  record.step = 'submitting'
  record.progress = 0
  await save()
  const seen = await readOwn(record, sending)
  if (seen === null || seen.status !== 'created' || record.checkInId === null) {
    if (await hasArrived(record, seen, sending)) return 'done'
    detach(record)
    return 'start'
  }
  const arrived = [...(seen.uploads?.images ?? []), ...(seen.uploads?.audio ? [seen.uploads.audio] : [])]
  const own = record.media.filter(({ sent }) => sent)
  for (const medium of own) {
    const file = arrived.find(({ name }) => name === medium.name)
    medium.sent = file?.bytes === medium.bytes
    // Of what another device has replaced it stays, to tell the one from the other.
    if (file && medium.sent) medium.arrivedAt = file.uploaded_at
  }
  if (own.some(({ sent }) => !sent)) return 'start'
  if (own.length === 0 && record.transcript === null) {
    throw new WellbeingError('consent_required', { message: 'Nothing that was recorded may be sent.' })
  }

  const before = record.submitted
  record.submitted = 'maybe'
  await save()
  try {
    const request = {
      media: own.map(({ name }) => name),
      ...(record.transcript !== null && { transcript: record.transcript }),
      ...(record.mood !== null && { mood_score: record.mood }),
      ...(record.durationS !== null && { conversation_duration: record.durationS }),
    }
    await calls.complete(record.checkInId, request, signal)
    record.submitted = 'yes'
    return 'done'
  } catch (error) {
    if (!(error instanceof WellbeingError) || error.status === null || error.status >= 500) throw error
    // What was called before, and got no response, may still take effect.
    record.submitted = before
    await save()
    return afterRefusing(record, error, sending)
  }
}

async function afterRefusing(
  record: CheckInRecord,
  error: WellbeingError,
  sending: Sending,
): Promise<'start' | 'upload'> {
  const refused = record.media.find(({ name }) => name === error.details.file)
  const images = record.media.filter(({ name }) => name !== 'audio')
  switch (error.code) {
    case 'check_in_expired':
    case 'check_in_not_found':
    case 'too_many_submissions':
      detach(record)
      return 'start'
    case 'nothing_uploaded':
      if (!refused) throw error
      refused.sent = false
      return 'start'
    case 'consent_required':
      if (record.transcript === null || record.media.length === 0) throw error
      record.transcript = null
      return 'upload'
    case 'image_count':
      if (images.length === 0) throw error
      for (const image of images) await leaveOut(record, image, sending, error)
      if (!hasRest(record)) throw error
      return 'upload'
  }
  if (!refused || error.status !== 400) throw error
  await leaveOut(record, refused, sending, error)
  // One image more or less changes little; without the recording the person decides.
  if (refused.name === 'audio' || !hasRest(record)) throw error
  return 'upload'
}

/** Deletes a file that can't be sent; the rest of the check-in stays. */
async function leaveOut(
  record: CheckInRecord,
  { name }: Medium,
  { store, save }: Sending,
  why: 'recording_lost' | 'upload_rejected' | WellbeingError,
): Promise<WellbeingError> {
  record.media = record.media.filter((medium) => medium.name !== name)
  await save()
  await store.removeFiles(record, [name])
  if (why instanceof WellbeingError) return why
  const message =
    why === 'recording_lost' ? `${name} is no longer on the device.` : `Storage does not take ${name}.`
  return new WellbeingError(why, { message, details: { file: name } })
}
