import * as z from 'zod'
import { isObjectName } from '../platform/object-address.ts'
import { normalForm } from '../unicode.ts'

/** The bucket of the universities' files. */
export const FILES_BUCKET = 'university-files'

/** Lifetime of the address that an upload returns, and the default of a download; seconds. */
export const DEFAULT_LIFETIME_S = 3600

const MAX_NAME_CHARACTERS = 80
const MAX_FOLDER_CHARACTERS = 200
const MAX_LEVELS = 8

/** `a/b/c` below the university's or the student's own folder, made safe. */
export const folder = z
  .string()
  .max(MAX_FOLDER_CHARACTERS, `at most ${MAX_FOLDER_CHARACTERS} characters`)
  .transform((path, context) => {
    const levels = path.split('/').filter((level) => level.trim() !== '')
    const safe = levels.map((level) => safeName(level))
    const problem = levels.some((level) => /^\s*\.+\s*$|\p{Cc}/u.test(level))
      ? 'may not have a level of dots alone, nor control characters'
      : levels.length > MAX_LEVELS
        ? `at most ${MAX_LEVELS} levels`
        : safe.includes('')
          ? 'each level needs a Latin letter or a digit'
          : undefined
    if (!problem) return safe
    context.addIssue({ code: 'custom', message: problem })
    return z.NEVER
  })

/** Where a file goes. Files of staff are for the whole university; those of others are for themselves. */
export function fileKey(place: {
  university: string
  /** Owner of the file; null if it is the university's. */
  student: string | null
  folder: string[]
  id: string
  name: string
  extension: string
}): string {
  const home = place.student === null ? ['shared'] : ['students', place.student]
  // The stored extension is the one of the type that the bytes have.
  const stem = safeName((place.name.split(/[/\\]/).pop() ?? '').replace(/\.[A-Za-z0-9]{1,10}$/, '')) || 'file'
  return [place.university, ...home, ...place.folder, `${place.id}-${stem}.${place.extension}`].join('/')
}

/** Whether a key is one that a file of this university could have in Storage, whoever named it. */
export function isFileKey(key: string, university: string): boolean {
  return key.startsWith(`${university}/`) && isObjectName(key)
}

/**
 * A name with the characters that every object store, address and file system accepts: accents are dropped, however they
 * are composed, and anything but a Latin letter, digit, `.`, `_` or `-` becomes `-`.
 */
function safeName(name: string): string {
  return normalForm(name, 'NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .slice(0, MAX_NAME_CHARACTERS)
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '')
}
