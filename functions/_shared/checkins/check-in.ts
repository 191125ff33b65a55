import * as z from 'zod'
import { MAX_CHARACTERS } from '../text/clean.ts'
import { AUDIO_BUCKET, AUDIO_NAME, IMAGE_BUCKET, IMAGE_NAMES } from './media.ts'

const timestamp = z.iso.datetime({ offset: true })

/** Members of a check-in, whatever else is known of it. */
export const checkInFields = {
  id: z.guid().describe('The check-in'),
  type: z.enum(['daily', 'weekly', 'baseline', 'on_demand']).describe('What the check-in is for'),
  status: z.enum(['created', 'processing', 'complete', 'failed', 'expired']).meta({
    id: 'CheckInStatus',
    description: 'created → processing → complete or failed; created → expired',
  }),
  created_at: timestamp.describe('When it was started'),
  expires_at: timestamp.describe('Until when it can be submitted'),
}

const { id, type, status, created_at, expires_at } = checkInFields

export const startRequest = z.strictObject({ type })

const received = {
  bytes: z.int().min(0).describe('Size, bytes'),
  content_type: z.string().nullable().describe('Content type that it was sent with'),
  uploaded_at: timestamp.describe('When it had arrived'),
}

const receivedFile = z.strictObject({
  name: z.string().describe('Name in the folder of the check-in: `audio`, or `image-01` to `image-12`'),
  ...received,
})

/** What has arrived of an open check-in's media. */
export const receivedUploads = z
  .strictObject({
    audio: receivedFile.nullable().describe('The recording; `null` while there is none'),
    images: z.array(receivedFile).describe('The images, in the order of their names'),
  })
  .meta({ id: 'ReceivedUploads', description: 'What has arrived of an open check-in’s media' })

/** A place to upload one medium to, with `supabase-js` or a plain `PUT`. */
export const upload = z
  .strictObject({
    bucket: z
      .enum([AUDIO_BUCKET, IMAGE_BUCKET])
      .describe('Bucket: `check-in-media` for the recording, `check-in-images` for images'),
    path: z.string().describe('Path in the bucket'),
    token: z
      .string()
      .describe('For `uploadToSignedUrl` of supabase-js, or the header `x-signature` of a resumable upload'),
    signed_url: z.url().describe('Address for a plain `PUT` of the bytes'),
    expires_at: timestamp.describe('Until when the address takes an upload, also a repeated one'),
    max_bytes: z.int().positive().describe('Largest file, bytes'),
    content_types: z
      .array(z.string())
      .describe(
        'Content types that the upload may be sent with; parameters such as `codecs=opus` may follow',
      ),
    received: z
      .strictObject(received)
      .nullable()
      .describe(
        'What was uploaded there before, of a check-in that goes on; it is replaced by another upload',
      ),
  })
  .meta({ id: 'CheckInUpload', description: 'A place to upload one medium to' })

/** A check-in that waits for its media. */
export const startedCheckIn = z.strictObject({
  id,
  type,
  status,
  created_at,
  expires_at,
  resumed: z.boolean().describe('Whether this is the open check-in of this type, which was started before'),
  uploads: z
    .strictObject({
      audio: upload.nullable().describe('For the recording; `null` if the student has not agreed to it'),
      images: z
        .array(upload)
        .max(12)
        .describe('For the images; empty if the student has not agreed to the camera'),
    })
    .describe('Where to upload the media'),
})

export const completeRequest = z.strictObject({
  // As Postgres can hold it: no NUL, no half of a surrogate pair; `undefined` when nothing is left.
  transcript: z
    .string()
    .max(MAX_CHARACTERS, `at most ${MAX_CHARACTERS} characters`)
    .transform((text) => text.toWellFormed().replaceAll('\0', '').trim() || undefined)
    .nullish()
    .describe('What the student said; without it the score is made without the text'),
  media: z
    .array(z.enum([AUDIO_NAME, ...IMAGE_NAMES]))
    .max(1 + IMAGE_NAMES.length)
    .nullish()
    .describe(
      'Names of what is scored of the uploads, such as `["audio"]` to go on without images; all of them by default',
    ),
  mood_score: z.number().min(1).max(10).nullish().describe('Mood that the student reported, 1 to 10'),
  conversation_duration: z
    .number()
    .min(0)
    .max(86_400)
    .nullish()
    .describe('Length of the conversation, seconds'),
})

/** A check-in that was submitted. */
export const completedCheckIn = z.strictObject({ id, status })

export type ReceivedUploads = z.infer<typeof receivedUploads>
export type StartRequest = z.infer<typeof startRequest>
export type CompleteRequest = z.infer<typeof completeRequest>
