import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { isObjectName } from '../../functions/_shared/platform/object-address.ts'

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

/** Layout of a manifest: the second names the SHA-256 of every file. */
const FORMAT = 2

const schema = z.object({
  format: z.literal(FORMAT),
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
  /** SHA-256 of each file with rows or secrets, by its path in the folder. */
  files: z.record(z.string(), sha256),
  /** Objects that are not in the backup, because their names could lead to what is not theirs. */
  unsafe_names: z.array(z.string()),
})

/** What a backup consists of: `manifest.json` in its folder. */
export type Manifest = z.infer<typeof schema>

/**
 * Says that a backup is complete: written last.
 *
 * @returns the SHA-256 of the manifest, which vouches for every file of the backup
 */
export function writeManifest(folder: string, manifest: Omit<Manifest, 'files'>): string {
  const content = `${JSON.stringify({ ...manifest, files: filesOf(folder) }, null, 1)}\n`
  writeFileSync(join(folder, 'manifest.json'), content, { mode: 0o600 })
  return hashOf(content)
}

/** Throws when the folder has no complete backup. An object whose name could lead elsewhere moves to `unsafe_names`: it is not restored. */
export function readManifest(folder: string): Manifest {
  const content: unknown = JSON.parse(contentOf(folder).toString('utf8'))
  requireLayout(content)
  const manifest = schema.parse(content)
  const [objects, unsafe] = byName(manifest.objects)
  return { ...manifest, objects, unsafe_names: [...manifest.unsafe_names, ...unsafe.map(fullName)] }
}

/**
 * Reads the manifest of a backup that is to be restored, whose rows become roles, agreements and secrets of a project. Throws unless
 * it is the one that was made, by what its making printed, and every file with rows or secrets is the one that it names.
 */
export function readConfirmedManifest(folder: string, confirmed: string | undefined): Manifest {
  const content = contentOf(folder)
  // One of before printed nothing that would confirm it.
  requireLayout(JSON.parse(content.toString('utf8')))
  const hash = hashOf(content)
  if (confirmed !== hash) {
    throw new Error(
      `Nothing was restored: is this the backup that was made? If making it printed the same, go on with --confirm ${hash}`,
    )
  }
  const manifest = readManifest(folder)
  const found = filesOf(folder)
  const changed = Object.keys({ ...manifest.files, ...found }).filter(
    (path) => manifest.files[path] !== found[path],
  )
  if (changed.length > 0) throw new Error(`Not as they were backed up: ${changed.sort().join(', ')}`)
  return manifest
}

function requireLayout(content: unknown): void {
  const { format } = z.object({ format: z.unknown() }).parse(content)
  if (format === 1) {
    throw new Error(
      'This backup was made by an earlier version of the project, and nothing vouches for its files: make a new backup.',
    )
  }
  if (format !== FORMAT)
    throw new Error('This backup has another layout than this version of the project reads.')
}

function contentOf(folder: string): Buffer {
  const file = join(folder, 'manifest.json')
  if (!existsSync(file)) throw new Error(`${folder} has no complete backup: there is no manifest.json`)
  return readFileSync(file)
}

function filesOf(folder: string): Record<string, string> {
  const paths = [...readdirSync(join(folder, 'tables')).map((name) => `tables/${name}`), 'secrets.json']
  return Object.fromEntries(paths.sort().map((path) => [path, hashOf(readFileSync(join(folder, path)))]))
}

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
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
