import type * as z from 'zod'
import type { Database } from '../database.ts'
import { ServiceError } from '../errors.ts'
import { currentTraceId, joinTrace } from '../log.ts'
import type { ReceivedUploads, StartRequest, startedCheckIn, upload } from './check-in.ts'
import {
  AUDIO_CONTENT_TYPES,
  AUDIO_NAME,
  IMAGE_CONTENT_TYPES,
  IMAGE_NAMES,
  MAX_AUDIO_BYTES,
  MAX_IMAGE_BYTES,
  mediaFolder,
  type SignedUpload,
} from './media.ts'

export type Upload = z.infer<typeof upload>
export type StartedCheckIn = z.infer<typeof startedCheckIn>

/**
 * Stores a new check-in, in the trace of the request, or goes on with the open one of this type, and returns an upload address for each
 * medium that the student has consented to, with what was uploaded there before.
 *
 * An address can be reused until it expires, so an interrupted upload or a wrong file is simply uploaded again.
 *
 * Throws `forbidden` for an account that is not a student's, and `storage_full`.
 */
export async function startCheckIn(
  { database, signUpload }: { database: Database; signUpload(path: string): Promise<SignedUpload> },
  userId: string,
  request: StartRequest,
): Promise<StartedCheckIn> {
  const [row] = await database<[Stored?]>`
    select id, type, status, to_jsonb(created_at) #>> '{}' as created_at, to_jsonb(expires_at) #>> '{}' as expires_at,
      created_at <> now() as resumed, trace_id, private.received_uploads(id) as received,
      private.has_consent(user_id, 'audio') as "audioAllowed", private.has_consent(user_id, 'camera') as "imagesAllowed"
    from private.start_check_in(${userId}, ${request.type}::public.assessment_type, ${currentTraceId()})`
  if (!row) throw new ServiceError('forbidden', 'Only students check in.')
  const { audioAllowed, imagesAllowed, trace_id, received, ...checkIn } = row
  joinTrace(trace_id)
  const folder = mediaFolder(userId, checkIn.id)
  const files = [received.audio, ...received.images].filter((file) => file !== null)
  const sign = async (name: string, maxBytes: number, contentTypes: string[]): Promise<Upload> => ({
    ...(await signUpload(`${folder}/${name}`)),
    max_bytes: maxBytes,
    content_types: contentTypes,
    received: receivedUnder(name, files),
  })
  const [audio, ...images] = await Promise.all([
    audioAllowed ? sign(AUDIO_NAME, MAX_AUDIO_BYTES, AUDIO_CONTENT_TYPES) : null,
    ...(imagesAllowed ? IMAGE_NAMES : []).map((name) => sign(name, MAX_IMAGE_BYTES, IMAGE_CONTENT_TYPES)),
  ])
  return { ...checkIn, uploads: { audio: audio ?? null, images: images.filter((image) => image !== null) } }
}

/** The check-in as it is stored, with what has arrived of it and what the student has consented to. */
type Stored = Omit<StartedCheckIn, 'uploads'> & {
  trace_id: string | null
  received: ReceivedUploads
  audioAllowed: boolean
  imagesAllowed: boolean
}

function receivedUnder(
  name: string,
  files: readonly NonNullable<ReceivedUploads['audio']>[],
): Upload['received'] {
  const file = files.find((other) => other.name === name)
  if (!file) return null
  const { bytes, content_type, uploaded_at } = file
  return { bytes, content_type, uploaded_at }
}
