import type { SupabaseClient } from '@supabase/supabase-js'
import { expiryOf, reachable } from '../supabase/storage.ts'
import type { ListedObject } from './inspect.ts'
import { MEDIA_BUCKET } from './media.ts'
import type { SignedUpload } from './start.ts'

/** The objects directly in a folder of the media bucket, with their sizes in bytes. */
export async function listFolder(supabase: SupabaseClient, folder: string): Promise<ListedObject[]> {
  const { data, error } = await supabase.storage.from(MEDIA_BUCKET).list(folder, { limit: 100 })
  if (error) throw error
  return data.map((object) => ({ name: object.name, size: Number(object.metadata?.size ?? 0) }))
}

/** Signs an address to upload to, which apps reach under the project's public address. */
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
