import type { SupabaseClient } from '@supabase/supabase-js'
import { objectPath } from '../platform/object-address.ts'
import { expiryOf, reachable } from '../platform/storage.ts'
import { MAX_IMAGES } from '../visual/groups.ts'

/** Private bucket of recordings, and that of images, which takes smaller files. */
export const AUDIO_BUCKET = 'check-in-media'
export const IMAGE_BUCKET = 'check-in-images'
export const MAX_AUDIO_BYTES = 50 * 1024 * 1024
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024

/** Content types that an upload may be sent with; the bytes decide what it is. */
export const AUDIO_CONTENT_TYPES = [
  'audio/mp4',
  'audio/x-m4a',
  'audio/aac',
  'audio/webm',
  'audio/ogg',
  'audio/mpeg',
  'audio/wav',
  'audio/flac',
]
export const IMAGE_CONTENT_TYPES = ['image/jpeg', 'image/png', 'image/webp']

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

/** The bucket that holds the medium of this path or name. */
export function bucketOf(path: string): typeof AUDIO_BUCKET | typeof IMAGE_BUCKET {
  return path.slice(path.lastIndexOf('/') + 1) === AUDIO_NAME ? AUDIO_BUCKET : IMAGE_BUCKET
}

/** The media directly in the folder of a check-in, in either bucket. */
export async function listFolder(supabase: SupabaseClient, folder: string): Promise<ListedObject[]> {
  const listings = await Promise.all(
    [AUDIO_BUCKET, IMAGE_BUCKET].map(async (bucket) => {
      const { data, error } = await supabase.storage.from(bucket).list(folder, { limit: 100 })
      if (error) throw error
      return data.filter(({ name }) => bucketOf(name) === bucket)
    }),
  )
  return listings.flat().map(({ name, metadata }) => ({ name, size: Number(metadata?.size ?? 0) }))
}

/** An address that accepts the upload of one object until it expires. */
export type SignedUpload = {
  bucket: ReturnType<typeof bucketOf>
  path: string
  token: string
  signed_url: string
  expires_at: string
}

/** Signs an upload address under the project's public address, where apps reach it. */
export async function signUpload(
  supabase: SupabaseClient,
  publicUrl: string,
  path: string,
): Promise<SignedUpload> {
  const bucket = bucketOf(path)
  const { data, error } = await supabase.storage
    .from(bucket)
    .createSignedUploadUrl(objectPath(path), { upsert: true })
  if (error) throw error
  return {
    bucket,
    path,
    token: data.token,
    signed_url: reachable(data.signedUrl, publicUrl),
    expires_at: expiryOf(data.token),
  }
}
