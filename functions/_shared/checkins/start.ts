import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '../database.ts'
import {
  AUDIO_CONTENT_TYPES,
  AUDIO_NAME,
  IMAGE_CONTENT_TYPES,
  IMAGE_NAMES,
  MAX_AUDIO_BYTES,
  MAX_IMAGE_BYTES,
  MEDIA_BUCKET,
  mediaFolder,
} from './media.ts'
import type { StartRequest } from './requests.ts'

/** A place to upload one medium to, with `supabase-js` or a plain `PUT`. */
export type Upload = {
  path: string
  token: string
  signed_url: string
  expires_at: string
  max_bytes: number
  content_types: string[]
}

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
  { database, supabase, publicUrl }: { database: Database; supabase: SupabaseClient; publicUrl: string },
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
  const sign = (name: string, maxBytes: number, contentTypes: string[]) =>
    signUpload({ supabase, publicUrl }, `${folder}/${name}`, maxBytes, contentTypes)
  const [audio, ...images] = await Promise.all([
    consents.audio ? sign(AUDIO_NAME, MAX_AUDIO_BYTES, AUDIO_CONTENT_TYPES) : null,
    ...(consents.camera ? IMAGE_NAMES : []).map((name) => sign(name, MAX_IMAGE_BYTES, IMAGE_CONTENT_TYPES)),
  ])
  return { ...row, uploads: { audio: audio ?? null, images: images.filter((image) => image !== null) } }
}

async function signUpload(
  { supabase, publicUrl }: { supabase: SupabaseClient; publicUrl: string },
  path: string,
  maxBytes: number,
  contentTypes: string[],
): Promise<Upload> {
  const { data, error } = await supabase.storage
    .from(MEDIA_BUCKET)
    .createSignedUploadUrl(path, { upsert: true })
  if (error) throw error
  return {
    path: data.path,
    token: data.token,
    signed_url: reachable(data.signedUrl, publicUrl),
    expires_at: expiryOf(data.token),
    max_bytes: maxBytes,
    content_types: contentTypes,
  }
}

/** A signed address as apps reach it, whatever address the functions reach Storage by. */
function reachable(signedUrl: string, publicUrl: string): string {
  const { pathname, search } = new URL(signedUrl)
  return new URL(pathname + search, publicUrl).href
}

/** When a signed token ends, from its `exp` claim. */
function expiryOf(token: string): string {
  const claims: unknown = JSON.parse(
    atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')),
  )
  if (typeof claims === 'object' && claims && 'exp' in claims && typeof claims.exp === 'number') {
    return new Date(claims.exp * 1000).toISOString()
  }
  throw new Error('The upload token has no expiry')
}
