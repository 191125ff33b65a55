import type { SupabaseClient } from '@supabase/supabase-js'
import { expiryOf, reachable } from '../supabase/storage.ts'

/** Private bucket of recordings and images. */
export const MEDIA_BUCKET = 'check-in-media'
export const MIN_IMAGES = 8
export const MAX_IMAGES = 12
export const MAX_AUDIO_BYTES = 50 * 1024 * 1024
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024

/** Content types that an upload may be sent with; the bytes decide what it is. */
export const AUDIO_CONTENT_TYPES = [
  'audio/mp4',
  'audio/x-m4a',
  'audio/webm',
  'audio/ogg',
  'audio/mpeg',
  'audio/wav',
  'audio/flac',
]
export const IMAGE_CONTENT_TYPES = ['image/jpeg', 'image/png']

/** Folder of one check-in's media. */
export function mediaFolder(userId: string, checkInId: string): string {
  return `${userId}/${checkInId}`
}

/** Names of the media in the folder of a check-in: `audio`, and `image-01` to `image-12`. */
export const AUDIO_NAME = 'audio'
export const IMAGE_NAMES = Array.from(
  { length: MAX_IMAGES },
  (_, index) => `image-${String(index + 1).padStart(2, '0')}`,
)

/** An uploaded object as the listing of its folder names it; size in bytes. */
export type ListedObject = { name: string; size: number }

/** The objects directly in a folder of the media bucket. */
export async function listFolder(supabase: SupabaseClient, folder: string): Promise<ListedObject[]> {
  const { data, error } = await supabase.storage.from(MEDIA_BUCKET).list(folder, { limit: 100 })
  if (error) throw error
  return data.map((object) => ({ name: object.name, size: Number(object.metadata?.size ?? 0) }))
}

/** An address that accepts the upload of one object until it expires. */
export type SignedUpload = { path: string; token: string; signed_url: string; expires_at: string }

/** Signs an upload address under the project's public address, where apps reach it. */
export async function signUpload(
  supabase: SupabaseClient,
  publicUrl: string,
  path: string,
): Promise<SignedUpload> {
  const { data, error } = await supabase.storage
    .from(MEDIA_BUCKET)
    .createSignedUploadUrl(path, { upsert: true })
  if (error) throw error
  return {
    path: data.path,
    token: data.token,
    signed_url: reachable(data.signedUrl, publicUrl),
    expires_at: expiryOf(data.token),
  }
}
