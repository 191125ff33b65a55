import type { ErrorCode } from '../errors.ts'
import { WellbeingError, type WellbeingErrorInit } from '../errors.ts'
import type { paths } from '../generated/api.ts'
import { readStored } from '../stored.ts'
import type { CheckInMedia, CheckInStep, EndedCheckIn, QueuedCheckIn } from './types.ts'

export type CompleteRequest = NonNullable<
  paths['/checkins/{id}/complete']['post']['requestBody']
>['content']['application/json']

/** `audio`, or `image-01` to `image-12`: as the service names what is uploaded. */
export type MediumName = NonNullable<CompleteRequest['media']>[number]

/** A file of a check-in, which waits on the device. */
export type Medium = {
  name: MediumName
  type: string
  bytes: number
  /** Whether it has arrived at the service, for the check-in of `checkInId`. */
  sent: boolean
  /** When it had arrived, as the service said just before the check-in was submitted. */
  arrivedAt: string | null
  /** Where a resumable upload goes on. */
  resumeAt: string | null
  /** The check-in for which Storage has refused it once. */
  refusedFor: string | null
}

/** An error as it is stored. */
export type StoredError = WellbeingErrorInit & { code: ErrorCode }

/** A check-in as the device stores it. Times are milliseconds since 1970, by the device's clock. */
export type CheckInRecord = {
  version: 1
  id: string
  /** Whose it is: only while they are signed in it is sent, or shown. */
  owner: string
  type: QueuedCheckIn['type']
  recordedAt: number
  expiresAt: number
  savedAt: number
  /** What is left to be sent: without what the service has refused, and what the device has lost. */
  media: Medium[]
  /** Whether the person has not sent it yet. */
  isDraft: boolean
  transcript: string | null
  mood: number | null
  durationS: number | null
  checkInId: string | null
  /** Where its files are in Storage. */
  folder: string | null
  /** `yes`: the service said so; `maybe`: `complete` was called, and no response heard. */
  submitted: 'no' | 'maybe' | 'yes'
  step: CheckInStep
  progress: number
  /** Attempts that have failed since something went well. */
  attempts: number
  nextAttemptAt: number | null
  problem: StoredError | null
  /** Why it is kept in memory alone. */
  storageProblem: StoredError | null
  ended: EndedCheckIn | null
  endedAt: number | null
}

export function newRecord(given: {
  owner: string
  type: QueuedCheckIn['type']
  media: CheckInMedia
  now: number
  keepForMs: number
}): { record: CheckInRecord; files: Map<MediumName, Blob> } {
  const { owner, type, media, now, keepForMs } = given
  const files = new Map<MediumName, Blob>()
  if (media.audio) files.set('audio', media.audio)
  for (const [index, image] of (media.images ?? []).entries()) {
    const name = IMAGE_NAMES[index]
    if (name) files.set(name, image)
  }
  const record: CheckInRecord = {
    ...emptyRecord(owner, `${now}-${Math.random().toString(36).slice(2, 10)}`, now),
    type,
    expiresAt: now + keepForMs,
    media: [...files].map(([name, { type, size }]) => ({
      name,
      type,
      bytes: size,
      sent: false,
      arrivedAt: null,
      resumeAt: null,
      refusedFor: null,
    })),
    transcript: media.transcript?.trim() || null,
    mood: media.mood ?? null,
    durationS: media.durationS ?? null,
    nextAttemptAt: now,
  }
  return { record, files }
}

const IMAGE_NAMES: MediumName[] = [
  'image-01',
  'image-02',
  'image-03',
  'image-04',
  'image-05',
  'image-06',
  'image-07',
  'image-08',
  'image-09',
  'image-10',
  'image-11',
  'image-12',
]

function emptyRecord(owner: string, id: string, now: number): CheckInRecord {
  return {
    version: 1,
    id,
    owner,
    type: 'daily',
    recordedAt: now,
    expiresAt: now,
    savedAt: now,
    media: [],
    isDraft: false,
    transcript: null,
    mood: null,
    durationS: null,
    checkInId: null,
    folder: null,
    submitted: 'no',
    step: 'waiting',
    progress: 0,
    attempts: 0,
    nextAttemptAt: null,
    problem: null,
    storageProblem: null,
    ended: null,
    endedAt: null,
  }
}

/** What stands for a record that can't be read any more: its key is gone, or it is damaged. */
export function lostRecord(owner: string, id: string): CheckInRecord {
  const recordedAt = timeOf(id)
  return {
    ...emptyRecord(owner, id, recordedAt),
    savedAt: 0,
    step: 'failed',
    problem: { code: 'recording_lost', message: 'The device can no longer read this check-in.' },
  }
}

/** When a check-in was recorded, milliseconds, of its id or the name of a file of it. */
export function timeOf(name: string): number {
  return Number.parseInt(name, 10) || 0
}

/** Reads a stored record. Null where it is none of this version, or damaged. */
export function parseRecord(text: string | null): CheckInRecord | null {
  return readStored(text, isRecord)
}

function isRecord(value: unknown): value is CheckInRecord {
  if (typeof value !== 'object' || value === null) return false
  const example = emptyRecord('', '', 0)
  const fits = Object.entries(example).every(([key, expected]) => {
    const found: unknown = Reflect.get(value, key)
    // What is null at the beginning may be anything later; all else keeps its type.
    if (expected === null) return found !== undefined
    return typeof found === typeof expected && Array.isArray(found) === Array.isArray(expected)
  })
  if (!fits || Reflect.get(value, 'version') !== 1) return false
  const times: unknown[] = ['recordedAt', 'expiresAt', 'nextAttemptAt'].map((key) => Reflect.get(value, key))
  const media: unknown[] = Reflect.get(value, 'media')
  return times.every(isTime) && media.every(isMedium)
}

/** Whether something is a time that a date can have, or none. */
function isTime(value: unknown): boolean {
  return value === null || (typeof value === 'number' && !Number.isNaN(new Date(value).getTime()))
}

function isMedium(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
}

/** Whether something is left that can be sent. */
export function hasRest({ media, transcript }: CheckInRecord): boolean {
  return media.length > 0 || transcript !== null
}

export function isOver({ step }: CheckInRecord): boolean {
  return step === 'complete' || step === 'failed' || step === 'expired'
}

/** From now on it belongs to no check-in of the service. */
export function detach(record: CheckInRecord, checkInId: string | null = null): void {
  record.checkInId = checkInId
  record.submitted = 'no'
  for (const medium of record.media) {
    medium.sent = false
    medium.arrivedAt = null
    medium.resumeAt = null
  }
}

export function storedError(error: WellbeingError): StoredError {
  return error.toJSON()
}

/** A check-in as apps see it. */
export function viewOf(record: CheckInRecord): QueuedCheckIn {
  const problem = record.problem ?? record.storageProblem
  return {
    id: record.id,
    checkInId: record.checkInId,
    type: record.type,
    recordedAt: new Date(record.recordedAt).toISOString(),
    step: record.step,
    progress: record.progress,
    problem: problem && new WellbeingError(problem.code, problem),
    nextAttemptAt: record.nextAttemptAt === null ? null : new Date(record.nextAttemptAt).toISOString(),
    canRetry: record.step === 'waiting' || (isOver(record) && hasRest(record)),
    expiresAt: new Date(record.expiresAt).toISOString(),
    ended: record.ended,
  }
}
