import { Upload as ResumableUpload, type UploadOptions } from 'tus-js-client'
import { describe, expect, inject, test } from 'vitest'
import { AUDIO_CONTENT_TYPES } from '../../../functions/_shared/checkins/media.ts'
import type { Upload } from '../../../functions/_shared/checkins/start.ts'
import { call } from '../../../harness/client/call.ts'
import { ended, part, scored, speech, start, transcriptOf } from '../../../harness/factories/check-ins.ts'
import { newStudent, type Student } from '../../../harness/factories/students.ts'
import { wavFile } from '../../../harness/media/containers.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

type Bytes = Uint8Array<ArrayBuffer>
type Outcome = { status: number; message: string }
const STORED: Outcome = { status: 200, message: '' }

/** The upload of the recording of a new check-in. */
async function recordingOf(student: Student): Promise<{ id: string; audio: Upload }> {
  const { id, uploads } = await start(project, student)
  if (!uploads.audio) throw new Error('There is no upload address')
  return { id, audio: uploads.audio }
}

/** What tus-js-client needs for a signed upload, as docs/checkins.md says. */
const resumable = ({ bucket, path, token }: Upload, contentType: string): UploadOptions => ({
  endpoint: `${project.apiUrl}/storage/v1/upload/resumable/sign`,
  headers: { 'x-signature': token },
  metadata: { bucketName: bucket, objectName: path, contentType },
  uploadDataDuringCreation: true,
  chunkSize: 6 * 1024 * 1024,
  retryDelays: null,
})

const outcomeOf = (error: { statusCode?: string; message: string } | null): Outcome =>
  error === null ? STORED : { status: Number(error.statusCode), message: error.message }

/** Every way in which an app can use the address of an upload. */
const WAYS: [
  way: string,
  send: (student: Student, upload: Upload, bytes: Bytes, type: string) => Promise<Outcome>,
][] = [
  [
    'a plain PUT',
    async (_, { signed_url }, bytes, type) => {
      const sent = await fetch(signed_url, { method: 'PUT', body: bytes, headers: { 'content-type': type } })
      const { statusCode, message } = await sent.json()
      return statusCode ? { status: Number(statusCode), message } : STORED
    },
  ],
  [
    'uploadToSignedUrl, which sends a form',
    async (student, { bucket, path, token }, bytes, type) => {
      const storage = student.client.storage.from(bucket)
      const { error } = await storage.uploadToSignedUrl(path, token, new Blob([bytes], { type }))
      return outcomeOf(error)
    },
  ],
  [
    'uploadToSignedUrl with bytes, which sends them as they are',
    async (student, { bucket, path, token }, bytes, contentType) => {
      const storage = student.client.storage.from(bucket)
      const { error } = await storage.uploadToSignedUrl(path, token, bytes, { contentType })
      return outcomeOf(error)
    },
  ],
  [
    'a resumable upload',
    (_, upload, bytes, type) =>
      new Promise((resolve) => {
        new ResumableUpload(Buffer.from(bytes), {
          ...resumable(upload, type),
          onSuccess: () => resolve(STORED),
          onError: (error) => {
            const response = 'originalResponse' in error ? error.originalResponse : null
            resolve({ status: response?.getStatus() ?? 0, message: response?.getBody() ?? error.message })
          },
        }).start()
      }),
  ],
]

/** Bytes of the recording that Storage has. */
async function kept(student: Student, { bucket, path }: Upload): Promise<Bytes> {
  const { data, error } = await student.client.storage.from(bucket).download(path)
  if (error) throw error
  return new Uint8Array(await data.arrayBuffer())
}

describe.each(WAYS)('a recording, sent by %s,', (_, send) => {
  test('may say its type as a browser, a phone or anybody does', async () => {
    const student = await newStudent(project, ['audio'])
    const { audio } = await recordingOf(student)
    for (const [index, type] of [
      'audio/webm;codecs=opus',
      'audio/mp4;codecs=mp4a.40.2',
      'audio/ogg; codecs=opus',
      'audio/webm; codecs="opus"',
      'AUDIO/WEBM;CODECS=OPUS',
      'video/webm;codecs=vp8,opus',
    ].entries()) {
      const bytes = new Uint8Array([index])
      expect([type, await send(student, audio, bytes, type)]).toEqual([type, STORED])
      expect(await kept(student, audio)).toEqual(bytes)
    }
  })

  test('is refused under a type that none is taken of', async () => {
    const student = await newStudent(project, ['audio'])
    const { audio } = await recordingOf(student)
    for (const type of ['audio/x-caf', 'text/html;codecs=opus', 'image/png']) {
      const { status, message } = await send(student, audio, new Uint8Array(1), type)
      expect([type, status, message.includes('is not supported: check-in-media takes audio/mp4, ')]).toEqual([
        type,
        403,
        true,
      ])
    }
    await expect(kept(student, audio)).rejects.toThrow()
  })
})

test('each type that start names is one that Storage takes', async () => {
  const rows = await withDatabase(
    project,
    (sql) => sql`
      select type from unnest(${AUDIO_CONTENT_TYPES}::text[]) type where not private.takes_type('check-in-media', type)`,
  )
  expect(rows).toEqual([])
})

describe('what was scored', () => {
  test('stays: no address of its check-in replaces it or adds to it any more', async () => {
    const student = await newStudent(project, ['audio', 'text'])
    const { id, audio } = await recordingOf(student)
    const recording = speech('short.webm').bytes
    const [[, put] = []] = WAYS
    expect(await put?.(student, audio, recording, 'audio/webm;codecs=opus')).toEqual(STORED)
    const completed = await call(project, student.token, 'POST', `checkins/${id}/complete`, {
      transcript: transcriptOf('short'),
    })
    expect(completed.status).toBe(200)
    const refused: Outcome = {
      status: 403,
      message: 'This check-in was submitted: what was uploaded to it stays.',
    }
    const attempt = async () => {
      for (const [way, send] of WAYS) {
        expect([way, await send(student, audio, new Uint8Array(8), 'audio/webm')]).toEqual([way, refused])
      }
    }
    await attempt()
    expect((await ended(project, student, id)).status).toBe('complete')
    await attempt()
    expect(await kept(student, audio)).toEqual(recording)
  })

  test('of a check-in that failed can be replaced, and is scored when it is completed again', async () => {
    const student = await newStudent(project, ['audio'])
    const { id, audio } = await recordingOf(student)
    const [[, put] = [], , , [, resume] = []] = WAYS
    expect(
      await put?.(
        student,
        audio,
        new Uint8Array(wavFile({ rateHz: 8000, sound: new Uint8Array(12 * 16_000) })),
        'audio/wav',
      ),
    ).toEqual(STORED)
    await call(project, student.token, 'POST', `checkins/${id}/complete`, {})
    expect((await ended(project, student, id)).status).toBe('failed')
    expect(await resume?.(student, audio, speech('short.ogg').bytes, 'audio/ogg; codecs=opus')).toEqual(
      STORED,
    )
    const result = await scored(project, student, id)
    expect(part(result, 'audio').score).not.toBeNull()
  })
})

test('a resumable upload goes on after an interruption, by another client too, and tells how far it is', async () => {
  const student = await newStudent(project, ['audio'])
  const { audio } = await recordingOf(student)
  const bytes = speech('neutral.m4a').bytes
  const piece = Math.ceil(bytes.length / 4)
  const options = { ...resumable(audio, 'audio/mp4;codecs=mp4a.40.2'), chunkSize: piece }
  const address = await new Promise<string>((resolve, reject) => {
    const interrupted: ResumableUpload = new ResumableUpload(Buffer.from(bytes), {
      ...options,
      onError: reject,
      onChunkComplete: (_size, accepted) => {
        if (accepted < 2 * piece) return
        void interrupted.abort()
        resolve(interrupted.url ?? '')
      },
    })
    interrupted.start()
  })
  await expect(kept(student, audio)).rejects.toThrow()
  const progress: number[] = []
  await new Promise<void>((resolve, reject) => {
    new ResumableUpload(Buffer.from(bytes), {
      ...options,
      uploadUrl: address,
      onProgress: (sent) => progress.push(sent),
      onSuccess: () => resolve(),
      onError: reject,
    }).start()
  })
  expect(progress[0]).toBeGreaterThanOrEqual(2 * piece)
  expect(progress.at(-1)).toBe(bytes.length)
  expect(await kept(student, audio)).toEqual(bytes)
})
