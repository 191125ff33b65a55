import { fileTypeFromBuffer } from 'file-type'
import { ServiceError } from '../errors.ts'

/** A file as it was sent. */
export type SentFile = { name: string; declaredType: string | undefined; bytes: Uint8Array<ArrayBuffer> }

/** How a file is stored, whatever it was called. */
export type FileType = { extension: string; contentType: string }

const OFFICE = 'application/vnd.openxmlformats-officedocument'

/** Types that are accepted, by the extension that they are stored with, and other names of them. */
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

/** Extensions of the types that are accepted. */
export const EXTENSIONS = Object.keys(TYPES)

/** What a program declares when it does not know the type. */
const UNDECLARED = ['application/octet-stream', 'binary/octet-stream']

/** Bytes of a text that are decoded at a time. */
const BLOCK_BYTES = 64 * 1024

/** Control characters other than those that a text may have: tab, line feed, form feed, carriage return. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matching control characters is the purpose
const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001f\u007f]/

/** The start of what a browser or a shell would run if told to, or by guessing. */
const MARKUP =
  /^\ufeff?\s*(?:#!|<(?:!doctype|!--|\?|html|head|body|svg|script|style|iframe|img|meta|link|title|math|xml))/i

/**
 * The type of a file, from its bytes alone; a CSV, which has no signature of its own, is text that calls itself one.
 *
 * Throws `file_type_not_allowed` for every type that is not accepted, and `file_type_mismatch` when the file was declared
 * to be another.
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
  // A file that ends within its signature has none.
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined)
  const extension = found?.ext === 'apng' ? 'png' : found?.ext
  return extension !== undefined && Object.hasOwn(TYPES, extension) ? extension : undefined
}

/** The type of a text, whose first letters may look like a signature. */
function written(bytes: Uint8Array, name: string, declaredType = ''): 'csv' | 'txt' | undefined {
  if (!isPlainText(bytes) || isMarkup(bytes)) return undefined
  const saysCsv = /\.csv$/i.test(name) || (/csv|ms-excel/.test(declaredType) && declaredType !== 'text/plain')
  return saysCsv ? 'csv' : 'txt'
}

/** Whether bytes are UTF-8 text without control characters; reads a block at a time, keeping nothing. */
function isPlainText(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (let start = 0; start < bytes.length; start += BLOCK_BYTES) {
      const block = bytes.subarray(start, start + BLOCK_BYTES)
      if (CONTROL.test(decoder.decode(block, { stream: true }))) return false
    }
    decoder.decode()
    return true
  } catch {
    return false
  }
}

/** Whether a text begins as a page, a drawing or a script does. */
function isMarkup(bytes: Uint8Array): boolean {
  return MARKUP.test(new TextDecoder().decode(bytes.subarray(0, BLOCK_BYTES)))
}
