import type * as z from 'zod'
import type { Database } from '../database.ts'
import { ServiceError } from '../errors.ts'
import { currentTraceId } from '../log.ts'
import type { StartRequest, startedCheckIn, upload } from './check-in.ts'
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
 * Stores a new check-in, in the trace of the request, and returns an upload address for each medium that the student has consented to.
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
  const [storage] = await database<[{ room: boolean }]>`
    select private.has_room_for_check_in(${userId}) as room`
  if (!storage.room) {
    throw new ServiceError(
      'storage_full',
      'The media of your check-ins take up all your space. Ask the operator.',
    )
  }
  const [row] = await database<
    [(Omit<StartedCheckIn, 'uploads'> & { audioAllowed: boolean; imagesAllowed: boolean })?]
  >`
    select id, type, status, to_jsonb(created_at) #>> '{}' as created_at, to_jsonb(expires_at) #>> '{}' as expires_at,
      private.has_consent(user_id, 'audio') as "audioAllowed", private.has_consent(user_id, 'camera') as "imagesAllowed"
    from private.start_check_in(${userId}, ${request.type}::public.assessment_type, ${currentTraceId()})`
  if (!row) throw new ServiceError('forbidden', 'Only students check in.')
  const { audioAllowed, imagesAllowed, ...checkIn } = row

  const folder = mediaFolder(userId, checkIn.id)
  const sign = async (name: string, maxBytes: number, contentTypes: string[]): Promise<Upload> => ({
    ...(await signUpload(`${folder}/${name}`)),
    max_bytes: maxBytes,
    content_types: contentTypes,
  })
  const [audio, ...images] = await Promise.all([
    audioAllowed ? sign(AUDIO_NAME, MAX_AUDIO_BYTES, AUDIO_CONTENT_TYPES) : null,
    ...(imagesAllowed ? IMAGE_NAMES : []).map((name) => sign(name, MAX_IMAGE_BYTES, IMAGE_CONTENT_TYPES)),
  ])
  return { ...checkIn, uploads: { audio: audio ?? null, images: images.filter((image) => image !== null) } }
}
