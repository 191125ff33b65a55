import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SupabaseClient } from '@supabase/supabase-js'
import type { Sql } from 'postgres'
import { objectPath } from '../../functions/_shared/platform/object-address.ts'
import { byName, fullName, type Manifest, type StoredObject } from './manifest.ts'

type Storage = SupabaseClient['storage']

type BackedUp = Manifest['objects'][number]

/** Objects under way at once. */
const AT_ONCE = 8

/** Writes the content of objects, each under its SHA-256, so that equal ones are stored once. */
export async function dumpObjects(
  storage: Storage,
  folder: string,
  objects: readonly StoredObject[],
): Promise<Pick<Manifest, 'objects' | 'without_content' | 'unsafe_names'>> {
  mkdirSync(join(folder, 'objects'), { recursive: true, mode: 0o700 })
  const found: BackedUp[] = []
  const without: string[] = []
  const [safe, unsafe] = byName(objects)
  await each(safe, async (object) => {
    const bytes = await contentOf(storage, object)
    if (!bytes) {
      without.push(fullName(object))
      return
    }
    const sha256 = hashOf(bytes)
    const file = join(folder, 'objects', sha256)
    if (!existsSync(file)) writeFileSync(file, bytes, { mode: 0o600 })
    found.push({ ...object, sha256 })
  })
  return {
    objects: found.sort((a, b) => (fullName(a) < fullName(b) ? -1 : 1)),
    without_content: without.sort(),
    unsafe_names: unsafe.map(fullName).sort(),
  }
}

/**
 * Uploads every object whose content is not what was backed up, and gives its row the owner and times that it had. Its account must be
 * there. Can be repeated. Throws what Storage throws, with the name.
 *
 * @returns how many were uploaded
 */
export async function restoreObjects(
  sql: Sql,
  storage: Storage,
  folder: string,
  manifest: Manifest,
): Promise<number> {
  const names = manifest.objects.filter(({ bucket }) => bucket === 'exports').map(({ name }) => name)
  let uploaded = 0
  const upload = (objects: readonly BackedUp[]) =>
    each(objects, async (object) => {
      const bytes = await contentOf(storage, object)
      if (bytes && hashOf(bytes) === object.sha256) return
      const backedUp = readFileSync(join(folder, 'objects', object.sha256))
      if (hashOf(backedUp) !== object.sha256)
        throw new Error(`Not as it was backed up: objects/${object.sha256}`)
      await store(storage, object, backedUp)
      uploaded += 1
    })
  await upload(manifest.objects.filter(({ bucket }) => bucket !== 'exports'))
  // The bucket takes only volumes that are being built.
  await withVolumesBeingBuilt(sql, names, () =>
    upload(manifest.objects.filter(({ bucket }) => bucket === 'exports')),
  )
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      update storage.objects o
      set id = b.id, owner = b.owner, owner_id = b.owner_id, created_at = b.created_at, updated_at = b.updated_at,
        last_accessed_at = b.last_accessed_at, user_metadata = b.user_metadata
      from jsonb_to_recordset(${JSON.stringify(manifest.objects)}::text::jsonb) as b (
        id uuid, bucket text, name text, owner uuid, owner_id text, created_at timestamptz, updated_at timestamptz,
        last_accessed_at timestamptz, user_metadata jsonb
      )
      where o.bucket_id = b.bucket and o.name = b.name`
  })
  return uploaded
}

/** Objects of a backup whose content or row is not as it was, and objects that it does not have, one line each. */
export async function differingObjects(sql: Sql, storage: Storage, manifest: Manifest): Promise<string[]> {
  const rows = await sql<StoredObject[]>`
    select id, bucket_id as bucket, name, owner_id, floor(extract(epoch from created_at) * 1000)::bigint::text as created_at
    from storage.objects`
  const found = new Map(rows.map((row) => [fullName(row), row]))
  const expected = new Set(manifest.objects.map(fullName))
  const wrong = rows
    .filter((row) => !expected.has(fullName(row)))
    .map((row) => `${fullName(row)}: not in the backup`)
  await each(manifest.objects, async (object) => {
    const row = found.get(fullName(object))
    if (!row) {
      wrong.push(`${fullName(object)}: no row`)
      return
    }
    const isSameRow =
      row.id === object.id &&
      row.owner_id === object.owner_id &&
      Number(row.created_at) === Date.parse(object.created_at)
    if (!isSameRow) wrong.push(`${fullName(object)}: another row`)
    const bytes = await contentOf(storage, object)
    if (!bytes) wrong.push(`${fullName(object)}: no content`)
    else if (hashOf(bytes) !== object.sha256) wrong.push(`${fullName(object)}: other content`)
  })
  return wrong.sort()
}

/** Null where Storage has none. Throws whatever else it says. */
async function contentOf(storage: Storage, object: { bucket: string; name: string }): Promise<Buffer | null> {
  const { data, error } = await storage.from(objectPath(object.bucket)).download(objectPath(object.name))
  if (!error) return Buffer.from(await data.arrayBuffer())
  const status = 'status' in error ? Number(error.status) : 0
  // Storage says 400 for what is not there.
  if ([400, 404].includes(status)) return null
  throw new Error(`${fullName(object)}: ${error.message}`)
}

async function store(storage: Storage, object: BackedUp, bytes: Buffer<ArrayBuffer>): Promise<void> {
  const age = object.cache_control?.match(/max-age=(\d+)/)?.[1]
  const { error } = await storage.from(objectPath(object.bucket)).upload(objectPath(object.name), bytes, {
    upsert: true,
    ...(object.type !== null && { contentType: object.type }),
    ...(age !== undefined && { cacheControl: age }),
  })
  if (error) throw new Error(`${fullName(object)}: ${error.message}`)
}

/** Says of volumes of exports that they are being built while something runs. */
async function withVolumesBeingBuilt(sql: Sql, names: string[], run: () => Promise<void>): Promise<void> {
  if (names.length === 0) return run()
  const [{ volumes }] = await sql<[{ volumes: string }]>`
    select coalesce(jsonb_agg(v), '[]')::text as volumes from private.export_volumes v where object_name = any (${names})`
  const update = (change: string) =>
    sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx.unsafe(
        `update private.export_volumes v set ${change}
        from jsonb_populate_recordset(null::private.export_volumes, $1::text::jsonb) was
        where v.object_name = was.object_name`,
        [volumes],
      )
    })
  await update(`status = 'running', bytes = null, left_out = null`)
  try {
    await run()
  } finally {
    await update('status = was.status, bytes = was.bytes, left_out = was.left_out')
  }
}

async function each<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of left) await run(item)
    }),
  )
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
