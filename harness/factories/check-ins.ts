import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { demonstrationImages } from '../../demo/images.ts'
import type { CheckIn, CheckInResult } from '../../demo/mobile-client.ts'
import type { StartedCheckIn, Upload } from '../../functions/_shared/checkins/start.ts'
import { ROOT } from '../../scripts/root.ts'
import { call } from '../client/call.ts'
import { type Project, withDatabase } from '../stack/project.ts'
import type { Student } from './students.ts'

export const SPEECH = join(ROOT, 'corpora', 'speech')

export type Medium = { bytes: Uint8Array<ArrayBuffer>; type: string }

const TYPES: Record<string, string> = {
  m4a: 'audio/mp4',
  webm: 'audio/webm',
  ogg: 'audio/ogg',
  aac: 'audio/aac',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
}

/** One of the recordings that the project ships, by file name. */
export function speech(name: string): Medium {
  const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  return { bytes: new Uint8Array(readFileSync(join(SPEECH, name))), type }
}

/** The transcript of a recording that the project ships. */
export function transcriptOf(name: string): string {
  return readFileSync(join(SPEECH, `${name}.txt`), 'utf8')
}

let images: Promise<Medium[]> | undefined

/** Eight images of one face. */
export function faces(): Promise<Medium[]> {
  images ??= demonstrationImages(mkdtempSync(join(tmpdir(), 'images-'))).then((folder) =>
    Array.from({ length: 8 }, (_, index) => ({
      bytes: new Uint8Array(readFileSync(join(folder, `image-${index + 1}.jpg`))),
      type: 'image/jpeg',
    })),
  )
  return images
}

/** A photograph of three people, 1920 px wide. */
export function groupPhotograph(): Medium {
  const file = join(ROOT, 'node_modules', '@vladmandic', 'face-api', 'demo', 'sample3.jpg')
  return { bytes: new Uint8Array(readFileSync(file)), type: 'image/jpeg' }
}

/** Starts a check-in, or goes on with the student's open one of this type. */
export async function start(
  project: Project,
  student: Student,
  type: StartedCheckIn['type'] = 'daily',
): Promise<StartedCheckIn> {
  const { status, body } = await call(project, student.token, 'POST', 'checkins/start', { type })
  if (status !== 200) throw new Error(`start responded ${status} ${body.code}`)
  return body as StartedCheckIn
}

/** Sends one medium to its address, as `supabase-js` does. */
export async function uploadMedium(
  student: Student,
  upload: Upload | null | undefined,
  medium: Medium,
): Promise<void> {
  if (!upload) throw new Error('There is no upload address')
  const { error } = await student.client.storage
    .from(upload.bucket)
    .uploadToSignedUrl(upload.path, upload.token, new Blob([medium.bytes], { type: medium.type }), {
      contentType: medium.type,
    })
  if (error) throw error
}

/** Starts a check-in and uploads to it. */
export async function startWith(
  project: Project,
  student: Student,
  media: { audio?: Medium; images?: Medium[] },
): Promise<StartedCheckIn> {
  const started = await start(project, student)
  await Promise.all([
    ...(media.audio ? [uploadMedium(student, started.uploads.audio, media.audio)] : []),
    ...(media.images ?? []).map((image, index) =>
      uploadMedium(student, started.uploads.images[index], image),
    ),
  ])
  return started
}

/** Waits until a check-in has ended, and returns it as the API responds. */
export async function ended(
  project: Project,
  student: Student,
  id: string,
  withinMs = 180_000,
): Promise<CheckIn> {
  await withDatabase(project, (sql) =>
    vi.waitFor(
      async () => {
        const [row] = await sql`select status from checkin.check_ins where id = ${id}`
        if (!['complete', 'failed'].includes(row?.status))
          throw new Error(`The check-in is still ${row?.status}`)
      },
      { timeout: withinMs, interval: 50 },
    ),
  )
  const { status, body } = await call(project, student.token, 'GET', `checkins/${id}`)
  if (status !== 200) throw new Error(`The check-in: ${status} ${body.code}`)
  return body as CheckIn
}

/** Completes a check-in, waits for its end, and returns its result. Throws when there is none. */
export async function scored(
  project: Project,
  student: Student,
  id: string,
  body: Record<string, unknown> = {},
  withinMs?: number,
): Promise<CheckInResult> {
  const completed = await call(project, student.token, 'POST', `checkins/${id}/complete`, body)
  if (completed.status !== 200)
    throw new Error(`complete responded ${completed.status}: ${completed.body.error}`)
  const { result, error } = await ended(project, student, id, withinMs)
  if (!result) throw new Error(`No result: ${error?.code}`)
  return result
}

/** One part of a result. */
export function part(result: CheckInResult, modality: string) {
  const found = result.components.find((component) => component.modality === modality)
  if (!found) throw new Error(`The result has no component ${modality}`)
  return found
}
