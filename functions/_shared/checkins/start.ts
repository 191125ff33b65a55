import type * as z from 'zod'
import type { Database } from '../database.ts'
import type { StartRequest, startedCheckIn, upload } from './check-in.ts'
import {
  AUDIO_CONTENT_TYPES,
  AUDIO_NAME,
  IMAGE_CONTENT_TYPES,
  IMAGE_NAMES,
  MAX_AUDIO_BYTES,
  MAX_IMAGE_BYTES,
  mediaFolder,
} from './media.ts'

/** An address that takes one object, until a time. */
export type SignedUpload = Pick<Upload, 'path' | 'token' | 'signed_url' | 'expires_at'>

export type Upload = z.infer<typeof upload>
export type StartedCheckIn = z.infer<typeof startedCheckIn>

/**
 * Stores a new check-in and gives out an upload address for each medium that the student has consented to.
 *
 * An address can be used again until it expires, so that an upload that broke off or was the wrong file is simply
 * sent once more.
 */
export async function startCheckIn(
  { database, signUpload }: { database: Database; signUpload(path: string): Promise<SignedUpload> },
  userId: string,
  request: StartRequest,
): Promise<StartedCheckIn> {
  const [row] = await database<[Omit<StartedCheckIn, 'uploads'> & { mayHear: boolean; maySee: boolean }]>`
    insert into checkin.check_ins (user_id, type)
    values (${userId}, ${request.type})
    returning id, type, status, to_jsonb(created_at) #>> '{}' as created_at, to_jsonb(expires_at) #>> '{}' as expires_at,
      private.has_consent(user_id, 'audio') as "mayHear", private.has_consent(user_id, 'camera') as "maySee"`
  const { mayHear, maySee, ...checkIn } = row

  const folder = mediaFolder(userId, checkIn.id)
  const sign = async (name: string, maxBytes: number, contentTypes: string[]): Promise<Upload> => ({
    ...(await signUpload(`${folder}/${name}`)),
    max_bytes: maxBytes,
    content_types: contentTypes,
  })
  const [audio, ...images] = await Promise.all([
    mayHear ? sign(AUDIO_NAME, MAX_AUDIO_BYTES, AUDIO_CONTENT_TYPES) : null,
    ...(maySee ? IMAGE_NAMES : []).map((name) => sign(name, MAX_IMAGE_BYTES, IMAGE_CONTENT_TYPES)),
  ])
  return { ...checkIn, uploads: { audio: audio ?? null, images: images.filter((image) => image !== null) } }
}
