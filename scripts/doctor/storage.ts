import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import * as z from 'zod'
import { objectPath } from '../../functions/_shared/platform/object-address.ts'
import { type Asset, type DeclaredBucket, sha256 } from '../stage/release.ts'
import type { Stage } from '../stage/stage.ts'
import type { Check, Finding } from './finding.ts'

type Storage = SupabaseClient['storage']

/** A stage's Storage, with its secret key. */
export async function storageOf(stage: Stage): Promise<Storage> {
  const { secret } = await stage.keys()
  return createClient(stage.apiUrl, secret, { auth: { persistSession: false } }).storage
}

export type BucketDifference = { bucket: DeclaredBucket; exists: boolean; differences: string[] }

/** Declared buckets that are missing or different. */
export async function bucketDifferences({ release }: Stage, storage: Storage): Promise<BucketDifference[]> {
  const { data, error } = await storage.listBuckets()
  if (error) throw new Error(`The buckets cannot be listed: ${error.message}`)
  return release.buckets.flatMap((bucket) => {
    const found = data.find(({ name }) => name === bucket.name)
    if (!found) return { bucket, exists: false, differences: ['it does not exist'] }
    const differences = [
      ...(found.public === bucket.public ? [] : [`it is ${found.public ? 'public' : 'not public'}`]),
      ...(found.file_size_limit === bucket.fileSizeLimit
        ? []
        : [`its limit is ${found.file_size_limit ?? 'none'} bytes, not ${bucket.fileSizeLimit}`]),
      ...(sameTypes(found.allowed_mime_types ?? null, bucket.allowedMimeTypes)
        ? []
        : [`it takes ${found.allowed_mime_types?.join(', ') ?? 'any type'}`]),
    ]
    return differences.length > 0 ? { bucket, exists: true, differences } : []
  })
}

function sameTypes(one: string[] | null, other: string[] | null): boolean {
  return JSON.stringify(one?.toSorted() ?? null) === JSON.stringify(other?.toSorted() ?? null)
}

export type AssetDifference = { asset: Asset; problem: 'missing' | 'different' }

const listed = z.object({ size: z.number(), eTag: z.string() })

/** Assets that are missing, or whose content is another. What Storage's ETag does not tell is downloaded and compared. */
export async function assetDifferences({ release }: Stage, storage: Storage): Promise<AssetDifference[]> {
  const found: AssetDifference[] = []
  for (const bucket of new Set(release.assets.map((asset) => asset.bucket))) {
    const { data, error } = await storage.from(bucket).list('', { limit: 1000 })
    if (error) throw new Error(`Bucket ${bucket} cannot be listed: ${error.message}`)
    for (const asset of release.assets.filter((each) => each.bucket === bucket)) {
      const object = data.find(({ name }) => name === asset.name)
      if (!object) found.push({ asset, problem: 'missing' })
      else if (!(await isSame(storage, asset, object.metadata))) found.push({ asset, problem: 'different' })
    }
  }
  return found
}

async function isSame(storage: Storage, { bucket, name, path }: Asset, metadata: unknown): Promise<boolean> {
  const { data: known } = listed.safeParse(metadata)
  if (known && known.size !== statSync(path).size) return false
  const content = readFileSync(path)
  // An object that came in one part has its MD5 as ETag; one of several parts has something else.
  if (known?.eTag.replaceAll('"', '') === createHash('md5').update(content).digest('hex')) return true
  const { data, error } = await storage
    .from(objectPath(bucket))
    .download(objectPath(name), {}, { cache: 'no-store' })
  if (error) throw new Error(`${bucket}/${name} cannot be downloaded: ${error.message}`)
  return sha256(new Uint8Array(await data.arrayBuffer())) === sha256(content)
}

const DEPLOY = 'npm run deploy -- --stage NAME --only storage'

export const bucketsAndAssets: Check = {
  name: 'buckets and assets',
  needsPlatform: false,
  async read(stage) {
    const storage = await storageOf(stage)
    const buckets = await bucketDifferences(stage, storage)
    const isThere = ({ bucket }: Asset) =>
      !buckets.some((each) => !each.exists && each.bucket.name === bucket)
    const { release } = stage
    const assets = await assetDifferences(
      { ...stage, release: { ...release, assets: release.assets.filter(isThere) } },
      storage,
    )
    return [
      ...buckets.map(
        ({ bucket: { name }, exists, differences }): Finding => ({
          id: exists ? 'bucket_differs' : 'bucket_missing',
          about: name,
          problem: `Bucket ${name}: ${differences.join('; ')}`,
          mend: DEPLOY,
        }),
      ),
      ...assets.map(
        ({ asset: { bucket, name }, problem }): Finding => ({
          id: `asset_${problem}`,
          about: `${bucket}/${name}`,
          problem:
            problem === 'missing'
              ? `${bucket} lacks ${name}, which the functions load`
              : `${bucket}/${name} is not what this checkout has`,
          mend: DEPLOY,
        }),
      ),
    ]
  },
}

const UNSAFE = 'where not (private.is_object_name(bucket_id) and private.is_object_name(name))'

/** Objects from before the database refused such names: who chose one may have meant to read what is not theirs. */
export const objectNames: Check = {
  name: 'names of objects',
  needsPlatform: false,
  async read({ query }) {
    const found = await query(
      z.object({ bucket: z.string(), objects: z.coerce.number() }),
      `select bucket_id as bucket, count(*) as objects from storage.objects ${UNSAFE} group by 1 order by 1`,
    )
    return found.map(
      ({ bucket, objects }): Finding => ({
        id: 'object_name_unsafe',
        about: bucket,
        problem: `Bucket ${bucket}: ${objects} objects whose names could lead elsewhere; exports and backups leave them out`,
        mend: `Look who chose them: select bucket_id, name, owner_id, created_at from storage.objects ${UNSAFE}; then remove them: select private.queue_object_removal(bucket_id, name, 'unsafe_name') from storage.objects ${UNSAFE}`,
      }),
    )
  },
}
