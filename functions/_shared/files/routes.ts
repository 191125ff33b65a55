import * as z from 'zod'
import { route } from '../http/route.ts'
import { universityId } from '../universities/requests.ts'
import { USUAL_LIFETIME_S } from './keys.ts'
import { uploadForm } from './upload-form.ts'

const REFUSAL = { success: false }

const url = z.url().describe('Signed address of the file; who has it can read the file until it ends.')

const success = z.literal(true).describe('Always; a refusal says false.')

/** `POST /api/storage/upload`. */
export const uploadFile = route({
  id: 'uploadFile',
  method: 'post',
  path: '/api/storage/upload',
  tag: 'Storage',
  summary: 'Stores a file of a university',
  description:
    'Files of counselors and administrators are for the whole university; those of others for themselves alone. The type is told from the bytes. `url` can be read from for an hour.',
  security: 'user',
  limit: 'file-upload',
  body: uploadForm,
  consumes: 'multipart/form-data',
  response: z.strictObject({
    success,
    url,
    key: z.string().describe('Name of the file within the store; ask for later addresses with it.'),
  }),
  errors: [
    'invalid_form',
    'body_too_large',
    'file_empty',
    'file_type_not_allowed',
    'file_type_mismatch',
    'forbidden',
  ],
  refusal: REFUSAL,
  example: { body: { file: '@first-week.pdf', university_id: 'northfield', folder: 'guides' } },
})

/** `GET /api/storage/download`. */
export const downloadFile = route({
  id: 'downloadFile',
  method: 'get',
  path: '/api/storage/download',
  tag: 'Storage',
  summary: 'Signs an address to read a file from',
  security: 'user',
  limit: 'data-api',
  query: z.strictObject({
    key: z.string().min(1).max(1024).describe('What the upload answered.'),
    university_id: universityId,
    expires: z.coerce
      .number()
      .int()
      .min(60)
      .max(604_800)
      .default(USUAL_LIFETIME_S)
      .describe('Seconds until the address ends, up to seven days.'),
  }),
  response: z.strictObject({
    success,
    url,
    expires: z.iso.datetime().describe('When the address ends.'),
  }),
  errors: ['file_not_found'],
  refusal: REFUSAL,
  example: {
    query: {
      key: 'northfield/shared/guides/5b0f2d0e-0d0c-4c0e-9d6e-0f6d1d7a1c11-first-week.pdf',
      university_id: 'northfield',
    },
  },
})
