import type { WellbeingError } from '../errors.ts'
import type { components } from '../generated/api.ts'

type Schemas = components['schemas']

/** What was recorded for a check-in; what the person refused (microphone, camera) is left out. At least one part is needed. */
export type CheckInMedia = {
  /** The recording, with the type that the recorder gave it (`audio/webm;codecs=opus`). 1 s to 20 minutes, up to 50 MB. */
  audio?: Blob
  /** 8 to 12 images, or none. */
  images?: Blob[]
  /** The person's own words, where the app has them. */
  transcript?: string
  /** 1 (very bad) to 10 (very good), as the person says. */
  mood?: number
  /** Seconds that the conversation lasted. */
  durationS?: number
}

export type CheckInOptions = {
  /** Default: `daily`. */
  type?: 'daily' | 'weekly' | 'baseline' | 'on_demand'
  onProgress?: (checkIn: QueuedCheckIn) => void
  /** Ends the wait, not the check-in: that stays in the queue; `queue.remove` ends it. */
  signal?: AbortSignal
}

/**
 * Where a check-in is. `waiting`: on the device, to be sent when the network, the session or the service is back (`problem` says
 * why); `starting`, `uploading`, `submitting`: being sent; `analysing`: with the service, safe; `complete`, `failed`: ended;
 * `expired`: it was too old before it could be sent.
 */
export type CheckInStep =
  | 'waiting'
  | 'starting'
  | 'uploading'
  | 'submitting'
  | 'analysing'
  | 'complete'
  | 'failed'
  | 'expired'

/** A check-in as the device keeps it. */
export type QueuedCheckIn = {
  /** The device's own id, before and after the service has given it one. */
  id: string
  /** The service's id, once it was started. */
  checkInId: string | null
  type: NonNullable<CheckInOptions['type']>
  recordedAt: string
  step: CheckInStep
  /** Share of the step that is done, 0 to 1: bytes of `uploading`, the service's own progress of `analysing`. */
  progress: number
  /** What is in the way: of `waiting` why it waits, of `failed` why it failed; of a step that goes on, that it is kept in memory alone. */
  problem: WellbeingError | null
  /** When it is tried again by itself; null: when the person or the app acts, or nothing is in the way. */
  nextAttemptAt: string | null
  /** Whether `queue.retry` can send it: it waits, or it has failed and something of it is left. */
  canRetry: boolean
  /** When what was recorded is deleted from the device, whatever happened. */
  expiresAt: string
  /** What the service returned of it, once it has ended. */
  ended: EndedCheckIn | null
}

/** A check-in that has ended, as the service returns it: `result`, or `error` with `reasons`. */
export type EndedCheckIn = Schemas['CheckIn']

/** What was recorded and is on its way, for one signed-in person. Survives reload and the end of the app. */
export type CheckInQueue = {
  list(): Promise<QueuedCheckIn[]>
  /** Goes on with everything that waits: call it at the start of the app and when it comes to the front. */
  resume(): Promise<void>
  /** Tries one at once, also one that waits for the person. */
  retry(id: string): Promise<void>
  /** Removes one, with what was recorded; of one that has ended, that it was shown. */
  remove(id: string): Promise<void>
  /** Calls with the whole list at each change, of other tabs too, and once at the beginning. Returns what ends it. */
  subscribe(listener: (waiting: QueuedCheckIn[]) => void): () => void
  /** Ends timers and listeners; what waits stays on the device. */
  close(): void
}

/**
 * What a person has recorded and written, and not sent yet. The next `checkIn` takes its place, once; until then it is kept on the device,
 * for as long as a check-in would wait there, and neither sent nor among those of the queue.
 */
export type Draft = {
  /**
   * Keeps it in place of what this tab kept before; with nothing in it that is removed.
   *
   * @throws {WellbeingError} `device_storage_full`, `device_storage_unavailable`: it is not kept
   */
  save(media: CheckInMedia): Promise<void>
  /** The person's latest, also of a tab or an app that was closed; null: there is none. */
  read(): Promise<CheckInMedia | null>
}

/** What a client does with check-ins. */
export type CheckIns = {
  checkIn(media: CheckInMedia, options?: CheckInOptions): Promise<EndedCheckIn>
  queue: CheckInQueue
  draft: Draft
  /** Deletes of what waits here the part of a consent that was withdrawn; a check-in without any other part is removed. */
  leaveOut(kind: string): Promise<void>
}
