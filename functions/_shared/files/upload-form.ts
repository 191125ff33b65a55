import * as z from 'zod'
import { ServiceError } from '../errors.ts'
import { universityId } from '../universities/requests.ts'
import type { FormPart } from './form-parts.ts'
import { folder } from './keys.ts'

/** Largest file, bytes; the bucket has the same limit. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024

/** Largest form: a file, the fields beside it and what holds them together. */
export const MAX_FORM_BYTES = MAX_FILE_BYTES + 64 * 1024

const fields = {
  university_id: universityId,
  folder: folder
    .optional()
    .describe('Folder below the university’s or the own one, such as guides/first-week.'),
}

/** The fields of an upload beside its file. */
export const uploadFields = z.strictObject(fields)

/** The form of an upload as the service describes it. */
export const uploadForm = z.strictObject({
  file: z.file().describe('The file, up to 50 MB. Its type is told from its bytes.'),
  ...fields,
})

/** A file as it was sent. */
export type SentFile = { name: string; declaredType: string | undefined; bytes: Uint8Array<ArrayBuffer> }

/**
 * Takes a form apart into its one file and its fields.
 *
 * Throws `invalid_parameters` when the file is missing or not alone, or a field comes twice, `file_empty` and
 * `body_too_large`.
 */
export function fileAndFields(parts: FormPart[]): { file: SentFile; fields: Record<string, string> } {
  const files = parts.filter(({ name, fileName }) => name === 'file' && fileName !== undefined)
  const [part] = files
  if (!part || (part.fileName === '' && part.bytes.length === 0)) throw wrong('file', 'is missing')
  if (files.length > 1) throw wrong('file', 'takes one file; send each in a request of its own')
  if (part.bytes.length === 0) throw new ServiceError('file_empty', 'The file is empty.')
  if (part.bytes.length > MAX_FILE_BYTES) throw fileTooLarge()

  const fields = new Map<string, string>()
  for (const { name, fileName, bytes } of parts) {
    if (name === 'file' && fileName !== undefined) continue
    if (fileName !== undefined) throw wrong(name, 'is no field for a file')
    if (fields.has(name)) throw wrong(name, 'comes more than once')
    fields.set(name, text(name, bytes))
  }
  return {
    file: { name: part.fileName ?? '', declaredType: part.contentType, bytes: part.bytes },
    fields: Object.fromEntries(fields),
  }
}

/** The refusal of a file over the limit. */
export function fileTooLarge(): ServiceError {
  return new ServiceError('body_too_large', 'The file is over 50 MB.', { max_bytes: MAX_FILE_BYTES })
}

function text(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw wrong(name, 'is not UTF-8')
  }
}

function wrong(name: string, problem: string): ServiceError {
  const field = name.slice(0, 60)
  return new ServiceError('invalid_parameters', `Check the field ${field}: it ${problem}`, {
    issues: [{ field, problem }],
  })
}
