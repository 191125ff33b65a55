import { createHash } from 'node:crypto'
import * as z from 'zod'
import { isObjectName } from '../../functions/_shared/platform/object-address.ts'
import { type DownloadedFile, MAX_BYTES, MAX_FILES, parseJson, unpack } from './archive.ts'

/** Version of the layout that is read; functions/_shared/exports/documents.ts writes it. */
const FORMAT = 1

const MAX_TABLES = 200
const MAX_ROWS = 100_000
const MAX_ORIGINALS = 100_000

const name = z.string().min(1).max(1024)
const original = z.object({ bucket: name, name, type: z.string().max(200).nullable() })
const tableName = z.string().regex(/^[a-z_]{1,63}$/)

const manifest = z.object({
  format: z.literal(FORMAT, {
    error: 'This export has another layout than this version of the project reads.',
  }),
  export: z.uuid(),
  volume: z.int().min(1).max(MAX_FILES),
  volumes: z.int().min(1).max(MAX_FILES),
  user_id: z.uuid(),
  tables: z
    .array(z.object({ schema: tableName, table: tableName, file: z.string().max(200), rows: z.int() }))
    .max(MAX_TABLES),
  large_files: z.array(original.extend({ file_name: name })).max(MAX_FILES),
})

const mediaList = z.array(original.extend({ path: name })).max(MAX_ORIGINALS)

const jsonRows = z.array(z.record(z.string(), z.unknown())).max(MAX_ROWS)

/** A row of an export. */
export type ExportedRow = Readonly<Record<string, unknown>>

/** Rows of a table: as JSON text, with every digit, and as they were parsed from it. */
export type ExportedPart = { text: string; rows: readonly ExportedRow[] }

/** An original of an export. */
export type ImportedOriginal = { bucket: string; name: string; type: string | null; bytes: Uint8Array }

/** An export as it was read. Everything in it is what somebody wrote into files. */
export type ReadExport = {
  userId: string
  /** Rows by table. */
  tables: ReadonlyMap<string, readonly ExportedPart[]>
  originals: readonly ImportedOriginal[]
  /** Originals that are not stored, because no object may have such a name: exports of before that rule have some. */
  leftOut: readonly { bucket: string; name: string }[]
  /** SHA-256 of all the files' contents, in no order. */
  sha256: string
}

/**
 * Reads the files of one export, in any order. Throws when they are of several exports, when one is missing, when they hold more than
 * a person has, and when an original is to be stored elsewhere than in the account's own folders. One whose name no object may have
 * is left out.
 */
export function readExportFiles(files: readonly DownloadedFile[]): ReadExport {
  if (files.length > MAX_FILES || files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) > MAX_BYTES) {
    throw new Error(`An export has at most ${MAX_FILES} files and ${MAX_BYTES} bytes`)
  }
  const unpacked = unpack(files.filter(({ name }) => name.endsWith('.zip')))
  const bytesOf = (path: string) => {
    const bytes = unpacked.get(path)
    if (!bytes) throw new Error(`The export lacks ${JSON.stringify(path)}`)
    return bytes
  }
  const read = (path: string) => parseJson(path, bytesOf(path))
  const parts = [...unpacked.keys()]
    .filter((path) => path.endsWith('/manifest.json'))
    .sort()
    .map((path) => ({ folder: path.slice(0, -'manifest.json'.length), ...manifest.parse(read(path)) }))
  const [first] = parts
  if (!first) throw new Error('No file is the first volume of an export')
  if (parts.some((part) => part.export !== first.export || part.user_id !== first.user_id))
    throw new Error('These files are of several exports')
  if (new Set(parts.map(({ volume }) => volume)).size !== parts.length)
    throw new Error('A volume is there twice')
  if (files.length !== first.volumes) {
    throw new Error(`The export has ${first.volumes} files, and ${files.length} were given`)
  }
  const tables = new Map<string, ExportedPart[]>()
  for (const part of parts) {
    for (const { schema, table } of part.tables) {
      const path = `${part.folder}data/${schema}.${table}.json`
      const content = { text: new TextDecoder().decode(bytesOf(path)), rows: jsonRows.parse(read(path)) }
      tables.set(`${schema}.${table}`, [...(tables.get(`${schema}.${table}`) ?? []), content])
    }
  }
  const listed = [...unpacked.keys()]
    .filter((path) => /\/media-\d+\.json$/.test(path))
    .flatMap((path) => mediaList.parse(read(path)))
  const isStorable = ({ name }: { name: string }) => isObjectName(name)
  const originals: ImportedOriginal[] = [
    ...listed
      .filter(isStorable)
      .map(({ path, ...rest }) => ({ ...rest, bytes: bytesOf(`wellbeing-export/${path}`) })),
    ...first.large_files.filter(isStorable).map(({ file_name, ...rest }) => {
      const found = files.find((file) => file.name === file_name)
      if (!found) throw new Error(`The export lacks ${JSON.stringify(file_name)}`)
      return { ...rest, bytes: found.bytes }
    }),
  ]
  requireOwnPaths(first.user_id, originals)
  const leftOut = [...listed, ...first.large_files]
    .filter((original) => !isStorable(original))
    .map(({ bucket, name }) => ({ bucket, name }))
  return { userId: first.user_id, tables, originals, leftOut, sha256: hashOf(files) }
}

/** All rows of a table that an export has. */
export function rowsOf(tables: ReadExport['tables'], table: string): ExportedRow[] {
  return (tables.get(table) ?? []).flatMap(({ rows }) => rows)
}

/** Whether an object of Storage lies in a folder of the account's own, under a name that an object may have. */
export function isOwnObject(userId: string, { bucket, name }: { bucket: string; name: string }): boolean {
  const levels = name.split('/')
  if (!isObjectName(name)) return false
  if (bucket === 'check-in-media' || bucket === 'check-in-images') {
    return levels.length > 1 && levels[0] === userId
  }
  return (
    bucket === 'university-files' && levels.length > 3 && levels[1] === 'students' && levels[2] === userId
  )
}

function requireOwnPaths(userId: string, originals: readonly ImportedOriginal[]): void {
  if (originals.length > MAX_ORIGINALS) throw new Error(`An export has at most ${MAX_ORIGINALS} originals`)
  const names = new Set<string>()
  for (const original of originals) {
    const { bucket, name } = original
    const path = JSON.stringify(`${bucket}/${name}`)
    if (!isOwnObject(userId, original)) throw new Error(`${path} is not in a folder of the account's own`)
    if (names.has(path)) throw new Error(`${path} is there twice`)
    names.add(path)
  }
}

function hashOf(files: readonly DownloadedFile[]): string {
  const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')
  return sha256(
    files
      .map(({ bytes }) => sha256(bytes))
      .sort()
      .join('\n'),
  )
}
