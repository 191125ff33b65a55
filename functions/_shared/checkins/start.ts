import type { Database } from '../database.ts'
import {
  AUDIO_CONTENT_TYPES,
  AUDIO_NAME,
  IMAGE_CONTENT_TYPES,
  IMAGE_NAMES,
  MAX_AUDIO_BYTES,
  MAX_IMAGE_BYTES,
  mediaFolder,
} from './media.ts'
import type { StartRequest } from './requests.ts'

/** An address that takes one object, until a time. */
export type SignedUpload = { path: string; token: string; signed_url: string; expires_at: string }

/** A place to upload one medium to, with `supabase-js` or a plain `PUT`. */
export type Upload = SignedUpload & { max_bytes: number; content_types: string[] }

export type StartedCheckIn = {
  id: string
  type: string
  status: string
  created_at: string
  expires_at: string
  uploads: { audio: Upload | null; images: Upload[] }
}

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
  const [consents] = await database<[{ audio: boolean; camera: boolean }]>`
    select private.has_consent(${userId}, 'audio') as audio, private.has_consent(${userId}, 'camera') as camera`
  const [row] = await database<[Omit<StartedCheckIn, 'uploads'>]>`
    insert into checkin.check_ins (user_id, type)
    values (${userId}, ${request.type})
    returning id, type, status, to_jsonb(created_at) #>> '{}' as created_at, to_jsonb(expires_at) #>> '{}' as expires_at`

  const folder = mediaFolder(userId, row.id)
  const sign = async (name: string, maxBytes: number, contentTypes: string[]): Promise<Upload> => ({
    ...(await signUpload(`${folder}/${name}`)),
    max_bytes: maxBytes,
    content_types: contentTypes,
  })
  const [audio, ...images] = await Promise.all([
    consents.audio ? sign(AUDIO_NAME, MAX_AUDIO_BYTES, AUDIO_CONTENT_TYPES) : null,
    ...(consents.camera ? IMAGE_NAMES : []).map((name) => sign(name, MAX_IMAGE_BYTES, IMAGE_CONTENT_TYPES)),
  ])
  return { ...row, uploads: { audio: audio ?? null, images: images.filter((image) => image !== null) } }
}
