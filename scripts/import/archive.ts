import { strFromU8, unzipSync } from 'fflate'
import { extentOf } from '../../functions/_shared/http/body.ts'

/** A file as it was downloaded. */
export type DownloadedFile = { name: string; bytes: Uint8Array<ArrayBuffer> }

/** Files of one export, and their bytes together: more than any person has, and less than a machine holds. */
export const MAX_FILES = 200
export const MAX_BYTES = 4 * 1024 ** 3

/** Largest zip, bytes: one holds 40 MiB of media, or the documents of 250 check-ins. */
const MAX_ZIP_BYTES = 256 * 1024 ** 2

/** Most files of a zip. */
const MAX_ENTRIES = 10_000

/** Largest text of a zip, bytes, and how deep it may nest. */
const MAX_JSON_BYTES = 64 * 1024 ** 2
const MAX_JSON_DEPTH = 32

const FOLDER = 'wellbeing-export/'
const END_OF_ZIP = 0x06054b50
const END_OF_ZIP64 = 0x07064b50
const END_BYTES = 22
const END64_BYTES = 20

/**
 * Unpacks the zips of an export into one folder. An export compresses nothing, so that whatever says that it is larger unpacked than
 * packed comes from elsewhere.
 *
 * Throws what is wrong with a zip, by name: its size, its form, a file that is compressed, twice there, or outside the folder.
 */
export function unpack(zips: readonly DownloadedFile[]): Map<string, Uint8Array> {
  const unpacked = new Map<string, Uint8Array>()
  for (const { name: zip, bytes } of zips) {
    const refuse = (why: string): never => {
      throw new Error(`${zip} is no volume of an export: ${why}`)
    }
    requireEnd(bytes, refuse)
    let entries = 0
    let total = 0
    const filter = (entry: { name: string; size: number; originalSize: number; compression: number }) => {
      total += entry.size
      if (++entries > MAX_ENTRIES) refuse(`it has more than ${MAX_ENTRIES} files`)
      if (entry.compression !== 0 || entry.size !== entry.originalSize) refuse('a file of it is compressed')
      if (total > bytes.byteLength) refuse('its files are larger than it is')
      if (!entry.name.startsWith(FOLDER) || !isPlainPath(entry.name))
        refuse('a file of it lies outside its folder')
      if (unpacked.has(entry.name)) refuse(`${entry.name} is there twice`)
      unpacked.set(entry.name, new Uint8Array())
      return true
    }
    for (const [name, content] of Object.entries(unzipSync(bytes, { filter }))) {
      unpacked.set(name, content)
    }
  }
  return unpacked
}

/** Parses a text of an export within bounds of size and nesting. Throws with its path. */
export function parseJson(path: string, bytes: Uint8Array): unknown {
  if (bytes.byteLength > MAX_JSON_BYTES) throw new Error(`${path} is over ${MAX_JSON_BYTES} bytes`)
  const text = strFromU8(bytes)
  if (extentOf(text).depth > MAX_JSON_DEPTH) {
    throw new Error(`${path} is nested more than ${MAX_JSON_DEPTH} levels deep`)
  }
  return JSON.parse(text)
}

/** Whether each level of a path is a name of its own: none is empty, leads upwards, or holds a backslash or a control character. */
export function isPlainPath(path: string): boolean {
  return path
    .split('/')
    .every((level) => level !== '' && level !== '.' && level !== '..' && !/[\\\p{Cc}]/u.test(level))
}

/** Requires the end of a small zip, by which the library finds the rest. */
function requireEnd(bytes: Uint8Array<ArrayBuffer>, refuse: (why: string) => never): void {
  if (bytes.byteLength < END_BYTES || bytes.byteLength > MAX_ZIP_BYTES) {
    refuse(`it has ${bytes.byteLength} bytes`)
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = bytes.byteLength - END_BYTES
  if (view.getUint32(end, true) !== END_OF_ZIP) refuse('it is no zip, or is cut off')
  if (end >= END64_BYTES && view.getUint32(end - END64_BYTES, true) === END_OF_ZIP64) refuse('it is a ZIP64')
}
