import type { Database } from '../database.ts'
import { documentFiles } from './documents.ts'
import { pathOfOriginal, ROOT_FOLDER } from './names.ts'
import { type ObjectStore, openOriginal, storeVolume } from './storage.ts'
import type { BuiltVolume, Volume } from './volume.ts'
import { type ZipFile, zipOf } from './zip.ts'

/**
 * Builds a volume and stores it, from Storage to Storage: what an earlier attempt left is replaced. Throws what Storage or the
 * database throw, and when it takes longer than its lease.
 */
export async function buildVolume(
  database: Database,
  store: ObjectStore,
  volume: Volume,
): Promise<BuiltVolume> {
  const signal = AbortSignal.timeout(volume.lease_ms * 0.9)
  const { object_name: name } = volume
  if (volume.content === 'file') {
    const [original] = volume.objects
    const content = original && (await openOriginal(store, original, signal))
    const left = { name, type: original?.type ?? 'application/octet-stream' }
    const bytes = await storeVolume(store, left, content ?? new Blob([]).stream(), signal)
    return { bytes, leftOut: content ? 0 : 1 }
  }
  let leftOut = 0
  const files =
    volume.content === 'documents'
      ? documentFiles(database, volume)
      : mediaFiles(store, volume, signal, () => leftOut++)
  const bytes = await storeVolume(store, { name, type: 'application/zip' }, zipOf(files), signal)
  return { bytes, leftOut }
}

/** The originals of a volume, each opened when it is reached; last a list of what is there. */
async function* mediaFiles(
  store: ObjectStore,
  volume: Volume,
  signal: AbortSignal,
  onLeftOut: () => void,
): AsyncGenerator<ZipFile> {
  const lastModified = new Date(volume.created_at)
  const listed = []
  for (const original of volume.objects) {
    const input = await openOriginal(store, original, signal)
    if (input === null) {
      onLeftOut()
      continue
    }
    const path = pathOfOriginal(original, volume.user_id)
    listed.push({ path, bucket: original.bucket, name: original.name, type: original.type })
    yield { name: `${ROOT_FOLDER}/${path}`, input, lastModified }
  }
  yield {
    name: `${ROOT_FOLDER}/media-${volume.ordinal}.json`,
    input: `${JSON.stringify(listed, null, 2)}\n`,
    lastModified,
  }
}
