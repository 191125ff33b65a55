import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demonstrationImages } from '../../demo/images.ts'
import type { StartedCheckIn, Upload } from '../../functions/_shared/checkins/start.ts'
import { ROOT } from '../../scripts/root.ts'
import { call, type Project, type Student } from './project.ts'

export const SPEECH = join(ROOT, 'test', 'fixtures', 'speech')

export type Medium = { bytes: Uint8Array<ArrayBuffer>; type: string }

const TYPES: Record<string, string> = {
  m4a: 'audio/mp4',
  webm: 'audio/webm',
  ogg: 'audio/ogg',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
}

/** One of the recordings that the project ships, by file name. */
export function speech(name: string): Medium {
  const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  return { bytes: new Uint8Array(readFileSync(join(SPEECH, name))), type }
}

/** The words of a recording that the project ships. */
export function words(name: string): string {
  return readFileSync(join(SPEECH, `${name}.txt`), 'utf8')
}

let stills: Promise<Medium[]> | undefined

/** Eight stills of one face. */
export function faces(): Promise<Medium[]> {
  stills ??= demonstrationImages(mkdtempSync(join(tmpdir(), 'stills-'))).then((folder) =>
    Array.from({ length: 8 }, (_, index) => ({
      bytes: new Uint8Array(readFileSync(join(folder, `image-${index + 1}.jpg`))),
      type: 'image/jpeg',
    })),
  )
  return stills
}

/** A photograph of three people, 1920 px wide. */
export function groupPhotograph(): Medium {
  const file = join(ROOT, 'node_modules', '@vladmandic', 'face-api', 'demo', 'sample3.jpg')
  return { bytes: new Uint8Array(readFileSync(file)), type: 'image/jpeg' }
}

/** Starts a check-in. */
export async function start(project: Project, student: Student): Promise<StartedCheckIn> {
  const { status, body } = await call(project, student.token, 'POST', 'checkins/start', { type: 'daily' })
  if (status !== 200) throw new Error(`start answered ${status} ${body.code}`)
  return body as StartedCheckIn
}

/** Sends one medium to its address, as `supabase-js` does. */
export async function send(
  student: Student,
  upload: Upload | null | undefined,
  medium: Medium,
): Promise<void> {
  if (!upload) throw new Error('There is no upload address')
  const { error } = await student.client.storage
    .from('check-in-media')
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
    ...(media.audio ? [send(student, started.uploads.audio, media.audio)] : []),
    ...(media.images ?? []).map((image, index) => send(student, started.uploads.images[index], image)),
  ])
  return started
}
