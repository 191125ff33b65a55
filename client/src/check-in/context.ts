import type { Device } from '../device.ts'
import type { WellbeingError } from '../errors.ts'
import type { components, paths } from '../generated/api.ts'
import type { CompleteRequest } from './record.ts'
import type { EndedCheckIn, QueuedCheckIn } from './types.ts'

export type Place = components['schemas']['CheckInUpload']
export type StartedCheckIn = paths['/checkins/start']['post']['responses'][200]['content']['application/json']

/** The calls of a check-in. Each rejects with a `WellbeingError`. */
export type CheckInCalls = {
  start(type: QueuedCheckIn['type'], signal: AbortSignal): Promise<StartedCheckIn>
  complete(id: string, request: CompleteRequest, signal: AbortSignal): Promise<unknown>
  /** A check-in that has not ended is returned, too. */
  read(id: string, signal: AbortSignal): Promise<EndedCheckIn>
}

/** Who is signed in. */
export type Person = {
  /** The account; null where nobody is signed in. Rejects where that can't be told now, as without a network: it may take half a minute. */
  current(): Promise<string | null>
  /** Calls with whoever signs in, and with null at a sign-out. Returns what ends it. */
  subscribe(listener: (account: string | null) => void): () => void
}

/** How one file is sent. */
export type Upload = {
  place: Place
  file: Blob
  type: string
  /** Where an interrupted upload goes on. */
  resumeAt: string | null
  /** Where it could go on if it were interrupted now. */
  onResumable(address: string): void
  /** Bytes that have been sent, and whether the service has confirmed them. */
  onProgress(bytes: number, confirmed: boolean): void
  signal: AbortSignal
}

/** What the queue needs of the client, and of the device. */
export type QueueContext = {
  device: Device
  person: Person
  calls: CheckInCalls
  /** Rejects with a `WellbeingError`: `upload_rejected` where Storage does not take the file. */
  upload(upload: Upload): Promise<void>
  /** When each file of a folder of a check-in had arrived, by its name. */
  listStored(folder: string): Promise<Map<string, string>>
  /** Calls at each event of the channel of a check-in. Returns what leaves it. */
  listen(checkInId: string, listener: (event: CheckInEvent) => void): () => void
  /** The error in the person's words. */
  explain(error: unknown): Promise<WellbeingError>
  now?(): number
  /** How long what was recorded waits on the device at most, milliseconds. Default: 7 days. */
  keepForMs?: number
}

/** `joined`: the channel tells from now on; `lost`: it does not; `changed`: read the check-in again. */
export type CheckInEvent = { type: 'joined' | 'lost' | 'changed' } | { type: 'progress'; progress: number }
