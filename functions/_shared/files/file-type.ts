import { fileTypeFromBuffer } from 'file-type'
import { ServiceError } from '../errors.ts'
import { isMarkup, isPlainText } from './plain-text.ts'
import type { SentFile } from './upload-form.ts'

/** How a file is stored, whatever it was called. */
export type FileType = { extension: string; contentType: string }

const OFFICE = 'application/vnd.openxmlformats-officedocument'

/** Types that are taken, by the extension they are stored with, and other names that they go by. */
const TYPES: Record<string, { contentType: string; alsoKnownAs?: string[] }> = {
  jpg: { contentType: 'image/jpeg', alsoKnownAs: ['image/jpg', 'image/pjpeg'] },
  png: { contentType: 'image/png', alsoKnownAs: ['image/apng', 'image/x-png'] },
  webp: { contentType: 'image/webp' },
  gif: { contentType: 'image/gif' },
  pdf: { contentType: 'application/pdf', alsoKnownAs: ['application/x-pdf'] },
  docx: { contentType: `${OFFICE}.wordprocessingml.document` },
  xlsx: { contentType: `${OFFICE}.spreadsheetml.sheet` },
  pptx: { contentType: `${OFFICE}.presentationml.presentation` },
  mp3: { contentType: 'audio/mpeg', alsoKnownAs: ['audio/mp3', 'audio/x-mp3', 'audio/mpeg3'] },
  m4a: { contentType: 'audio/mp4', alsoKnownAs: ['audio/m4a', 'audio/x-m4a', 'video/mp4'] },
  wav: { contentType: 'audio/wav', alsoKnownAs: ['audio/x-wav', 'audio/wave', 'audio/vnd.wave'] },
  mp4: { contentType: 'video/mp4', alsoKnownAs: ['audio/mp4', 'audio/m4a', 'audio/x-m4a'] },
  csv: {
    contentType: 'text/csv; charset=utf-8',
    // Windows names a CSV after the program that opens it.
    alsoKnownAs: ['text/csv', 'application/csv', 'application/vnd.ms-excel', 'text/plain'],
  },
  txt: { contentType: 'text/plain; charset=utf-8', alsoKnownAs: ['text/plain'] },
}

/** Extensions of the types that are taken. */
export const EXTENSIONS = Object.keys(TYPES)

/** What a program declares that does not know. */
const UNDECLARED = ['application/octet-stream', 'binary/octet-stream']

/**
 * The type of a file, told from its bytes alone; a CSV, which has no mark of its own, is text that calls itself one.
 *
 * Throws `file_type_not_allowed` for every type that is not taken, and `file_type_mismatch` when the file was declared to
 * be another.
 */
export async function fileTypeOf({ name, declaredType, bytes }: SentFile): Promise<FileType> {
  const extension = (await signed(bytes)) ?? written(bytes, name, declaredType)
  const type = extension === undefined ? undefined : TYPES[extension]
  if (extension === undefined || !type) {
    throw new ServiceError('file_type_not_allowed', `Send one of these: ${EXTENSIONS.join(', ')}.`, {
      allowed: EXTENSIONS,
    })
  }
  const { contentType, alsoKnownAs = [] } = type
  const names = [contentType, ...alsoKnownAs, ...UNDECLARED]
  if (declaredType !== undefined && !names.includes(declaredType)) {
    throw new ServiceError(
      'file_type_mismatch',
      `The content of the file is ${contentType.split(';')[0]}; declare that type, or none.`,
      { found: contentType.split(';')[0] },
    )
  }
  return { extension, contentType }
}

/** The type whose signature the bytes have. */
async function signed(bytes: Uint8Array): Promise<string | undefined> {
  // A file that breaks off within its signature is none.
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined)
  const extension = found?.ext === 'apng' ? 'png' : found?.ext
  return extension !== undefined && Object.hasOwn(TYPES, extension) ? extension : undefined
}

/** The type of what people can read; the letters that a text begins with may look like a signature. */
function written(bytes: Uint8Array, name: string, declaredType = ''): 'csv' | 'txt' | undefined {
  if (!isPlainText(bytes) || isMarkup(bytes)) return undefined
  const saysCsv = /\.csv$/i.test(name) || (/csv|ms-excel/.test(declaredType) && declaredType !== 'text/plain')
  return saysCsv ? 'csv' : 'txt'
}
