import * as z from 'zod'
import { isStaffAt } from '../_shared/accounts/roles.ts'
import { ServiceError } from '../_shared/errors.ts'
import { fileNotFound, fileTooLarge, MAX_FILE_BYTES, signFile, storeFile } from '../_shared/files/bucket.ts'
import type { SentFile } from '../_shared/files/file-type.ts'
import { DEFAULT_LIFETIME_S, fileKey, folder, isFileKey } from '../_shared/files/keys.ts'
import { validated } from '../_shared/http/body.ts'
import { type FormPart, withForm } from '../_shared/http/form.ts'
import { endpoint } from '../_shared/http/serve.ts'
import { callerClient } from '../_shared/platform/clients.ts'
import { universityId } from '../_shared/universities/university.ts'

/** Largest form: a file, the fields beside it, and the framing of both. */
const MAX_FORM_BYTES = MAX_FILE_BYTES + 64 * 1024

/** What both calls have. */
const common = { tag: 'Storage', security: 'user', errorMembers: { success: false } } as const

const success = z.literal(true).describe('Always; an error says false.')

const url = z.url().describe('Signed address of the file; whoever has it can read the file until it expires.')

const fields = {
  university_id: universityId,
  folder: folder
    .optional()
    .describe('Folder below the university’s or the own one, such as guides/first-week.'),
}

const uploadFields = z.strictObject(fields)

/** What knows the types of files is loaded with the first upload. */
const uploadFile = endpoint(
  {
    ...common,
    id: 'uploadFile',
    method: 'post',
    path: '/api/storage/upload',
    summary: 'Stores a file of a university',
    description:
      'Files of counselors and administrators are for the whole university; those of others for themselves alone. The type is detected from the bytes. `url` can be read from for an hour.',
    limit: 'file-upload',
    body: z.strictObject({
      file: z.file().describe('The file, up to 50 MB. Its type is detected from its bytes.'),
      ...fields,
    }),
    consumes: 'multipart/form-data',
    response: z.strictObject({
      success,
      url,
      key: z.string().describe('Name of the file within the store; use it to ask for later addresses.'),
    }),
    errors: [
      'invalid_form',
      'body_too_large',
      'file_empty',
      'file_type_not_allowed',
      'file_type_mismatch',
      'forbidden',
    ],
    example: { body: { file: '@first-week.pdf', university_id: 'northfield', folder: 'guides' } },
  },
  async (_, call) =>
    withForm(
      call.request,
      call.context.memory,
      { maxBytes: MAX_FORM_BYTES, tooLarge: fileTooLarge },
      async (parts) => {
        const { fileTypeOf } = await import('../_shared/files/file-type.ts')
        const { file, fields } = fileAndFields(parts)
        const { university_id: university, folder = [] } = validated(uploadFields, fields)
        const type = await fileTypeOf(file)
        const supabase = callerClient(call)
        const staff = await isStaffAt(supabase, university)
        const key = fileKey({
          university,
          student: staff ? null : call.caller.userId,
          folder,
          id: crypto.randomUUID(),
          name: file.name,
          extension: type.extension,
        })
        await storeFile(supabase, key, file.bytes, type)
        const { url } = await signFile(supabase, call.environment.publicUrl, key, DEFAULT_LIFETIME_S)
        return { success: true as const, url, key }
      },
    ),
)

const downloadFile = endpoint(
  {
    ...common,
    id: 'downloadFile',
    method: 'get',
    path: '/api/storage/download',
    summary: 'Signs an address to read a file from',
    limit: 'data-api',
    query: z.strictObject({
      key: z
        .string()
        .min(1)
        .max(1024)
        .describe('The `key` that the upload returned, or the name under which Storage has the file.'),
      university_id: universityId,
      expires: z.coerce
        .number()
        .int()
        .min(1)
        .max(604_800)
        .default(DEFAULT_LIFETIME_S)
        .describe('Seconds until the address expires, up to seven days.'),
    }),
    response: z.strictObject({
      success,
      url,
      expires: z.iso.datetime().describe('When the address expires.'),
    }),
    errors: ['file_not_found'],
    example: {
      query: {
        key: 'northfield/shared/guides/5b0f2d0e-0d0c-4c0e-9d6e-0f6d1d7a1c11-first-week.pdf',
        university_id: 'northfield',
      },
    },
  },
  async ({ query: { key, university_id, expires } }, call) => {
    if (!isFileKey(key, university_id)) throw fileNotFound()
    const signed = await signFile(callerClient(call), call.environment.publicUrl, key, expires)
    return { success: true, ...signed }
  },
)

/** `/api/storage/*`. */
export const STORAGE = [uploadFile, downloadFile] as const

/**
 * Splits a form into its one file and its fields.
 *
 * Throws `invalid_parameters` when there is not exactly one file, or a field is repeated, `file_empty` and
 * `body_too_large`.
 */
export function fileAndFields(parts: FormPart[]): { file: SentFile; fields: Record<string, string> } {
  const files = parts.filter(({ name, fileName }) => name === 'file' && fileName !== undefined)
  const [part] = files
  if (!part || (part.fileName === '' && part.bytes.length === 0)) throw invalid('file', 'is missing')
  if (files.length > 1) throw invalid('file', 'takes one file; send each in a request of its own')
  if (part.bytes.length === 0) throw new ServiceError('file_empty', 'The file is empty.')
  if (part.bytes.length > MAX_FILE_BYTES) throw fileTooLarge()

  const fields = new Map<string, string>()
  for (const { name, fileName, bytes } of parts) {
    if (name === 'file' && fileName !== undefined) continue
    if (fileName !== undefined) throw invalid(name, 'is no field for a file')
    if (fields.has(name)) throw invalid(name, 'comes more than once')
    fields.set(name, text(name, bytes))
  }
  return {
    file: { name: part.fileName ?? '', declaredType: part.contentType, bytes: part.bytes },
    fields: Object.fromEntries(fields),
  }
}

function text(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid(name, 'is not UTF-8')
  }
}

function invalid(name: string, problem: string): ServiceError {
  const field = name.slice(0, 60)
  return new ServiceError('invalid_parameters', `Check the field ${field}: it ${problem}`, {
    issues: [{ field, problem }],
  })
}
