import type { SupabaseClient } from '@supabase/supabase-js'
import { objectPath } from '../../functions/_shared/platform/object-address.ts'
import type { ImportedOriginal, ReadExport } from './read.ts'

/**
 * Stores the originals of an export under their names, through Storage; the account must be there, as nothing is stored for one that
 * is not. Nothing is overwritten, so that it can be repeated. Throws what Storage throws, with the name, and when another file has it.
 */
export async function importFiles(
  storage: SupabaseClient['storage'],
  { originals }: Pick<ReadExport, 'originals'>,
): Promise<void> {
  for (const original of originals) {
    const { bucket, name, type, bytes } = original
    const path = objectPath(name)
    const options = { upsert: false, ...(type !== null && { contentType: type }) }
    const { error } = await storage.from(bucket).upload(path, new Uint8Array(bytes), options)
    if (error && !(await isThere(storage, original, path)))
      throw new Error(`${bucket}/${name}: ${error.message}`)
  }
}

/** Whether Storage has this very file, from an import that was interrupted. */
async function isThere(
  storage: SupabaseClient['storage'],
  { bucket, bytes }: ImportedOriginal,
  path: string,
): Promise<boolean> {
  const { data } = await storage.from(bucket).download(path)
  return data !== null && Buffer.from(await data.arrayBuffer()).equals(bytes)
}
