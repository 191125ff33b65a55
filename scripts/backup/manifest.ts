import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { isObjectName } from '../../functions/_shared/supabase/object-address.ts'

const storedObject = z.object({
  id: z.uuid(),
  bucket: z.string(),
  name: z.string(),
  owner: z.string().nullable(),
  owner_id: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  last_accessed_at: z.string().nullable(),
  user_metadata: z.record(z.string(), z.unknown()).nullable(),
  type: z.string().nullable(),
  cache_control: z.string().nullable(),
})

// What a name becomes part of: a statement, or a file's name.
const identifier = '(?:[a-z_][a-z0-9_$]*|"[^"/\\\\.]+")'
const columnName = z.string().regex(new RegExp(`^${identifier}$`))
const tableName = z.string().regex(new RegExp(`^${identifier}\\.${identifier}$`))
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** A row of storage.objects that Storage does not make anew when the content is uploaded again. */
export type StoredObject = z.infer<typeof storedObject>

const schema = z.object({
  format: z.literal(1, { error: 'This backup has another layout than this version of the project reads.' }),
  /** The time of the snapshot: what was stored later is not in the backup. */
  taken_at: z.iso.datetime({ offset: true }),
  migrations: z.array(z.string()),
  tables: z.array(
    z.object({ name: tableName, columns: z.array(columnName), rows: z.int(), hash: z.string() }),
  ),
  /** Last values; null of one that was never used. */
  sequences: z.array(z.object({ name: z.string(), last_value: z.string().nullable() })),
  objects: z.array(storedObject.extend({ sha256 })),
  /** Objects that Storage had no content of: removed while the backup was made, or lost before. */
  without_content: z.array(z.string()),
  /** Objects that are not in the backup, because their names could lead to what is not theirs. */
  unsafe_names: z.array(z.string()).default([]),
})

/** What a backup consists of: `manifest.json` in its folder. */
export type Manifest = z.infer<typeof schema>

/** Says that a backup is complete: written last. */
export function writeManifest(folder: string, manifest: Manifest): void {
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 })
}

/** Throws when the folder has no complete backup. An object whose name could lead elsewhere moves to `unsafe_names`: it is not restored. */
export function readManifest(folder: string): Manifest {
  const file = join(folder, 'manifest.json')
  if (!existsSync(file)) throw new Error(`${folder} has no complete backup: there is no manifest.json`)
  const manifest = schema.parse(JSON.parse(readFileSync(file, 'utf8')))
  const [objects, unsafe] = byName(manifest.objects)
  return { ...manifest, objects, unsafe_names: [...manifest.unsafe_names, ...unsafe.map(fullName)] }
}

/** Objects that can be asked for under their names, and those whose names could lead elsewhere. */
export function byName<Item extends { bucket: string; name: string }>(
  objects: readonly Item[],
): [safe: Item[], unsafe: Item[]] {
  const isSafe = ({ bucket, name }: Item) => isObjectName(bucket) && isObjectName(name)
  return [objects.filter(isSafe), objects.filter((object) => !isSafe(object))]
}

/** An object as lists name it. */
export function fullName({ bucket, name }: { bucket: string; name: string }): string {
  return `${bucket}/${name}`
}
