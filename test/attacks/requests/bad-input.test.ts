import { createHmac } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, inject, test } from 'vitest'
import type { StartedCheckIn } from '../../../functions/_shared/checkins/start.ts'
import { call } from '../../../harness/client/call.ts'
import {
  ended,
  faces,
  groupPhotograph,
  type Medium,
  part,
  scored,
  speech,
  start,
  startWith,
  transcriptOf,
  uploadMedium,
} from '../../../harness/factories/check-ins.ts'
import { newStudent, type Student } from '../../../harness/factories/students.ts'
import { localOnly, localStack, withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

/** A wav of a tone, or of nothing, with 8 bits a sample. */
function wav(seconds: number, amplitude: number, rate = 8000): Medium {
  const samples = new Uint8Array(rate * seconds).fill(128)
  if (amplitude > 0) {
    for (let i = 0; i < samples.length; i++)
      samples[i] = 128 + amplitude * Math.sin((i / rate) * 2 * Math.PI * 150)
  }
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.length, 40)
  return { bytes: new Uint8Array(Buffer.concat([header, samples])), type: 'audio/wav' }
}

/** A grey PNG that says it has these dimensions; its data holds as many rows as are asked for. */
function png(width: number, height: number, rows = height): Medium {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const check = Buffer.alloc(4)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const row = Buffer.alloc(width + 1, 100)
  row[0] = 0
  const data = deflateSync(Buffer.alloc((width + 1) * rows, row))
  const parts = [
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return { bytes: new Uint8Array(Buffer.concat(parts)), type: 'image/png' }
}

/** The beginning of a photograph as an iPhone stores it. */
const heic = (type: string): Medium => ({
  bytes: new Uint8Array(Buffer.from('\0\0\0\x24ftypheic\0\0\0\0mif1MiHBMiHEheic', 'latin1')),
  type,
})

/** Apple Lossless by the names in its index, which hides in the same file as AAC. */
function appleLossless(): Medium {
  const { bytes, type } = speech('short.m4a')
  const named = Buffer.from(bytes)
  const at = named.indexOf('mp4a')
  named.write('alac', at)
  named.write('alac', at + 36)
  return { bytes: new Uint8Array(named), type }
}

const text = (content: string, type: string): Medium => ({ bytes: new TextEncoder().encode(content), type })

async function complete(student: Student, { id }: StartedCheckIn, body: unknown = {}) {
  return call(project, student.token, 'POST', `checkins/${id}/complete`, body)
}

/** After an error the check-in is as it was: it can be corrected and submitted. */
async function expectUntouched({ id }: StartedCheckIn) {
  const [row] = await withDatabase(
    project,
    (sql) => sql`
    select status, submissions, (select count(*)::int from private.analysis_jobs j where j.check_in_id = c.id) as jobs
    from checkin.check_ins c where id = ${id}`,
  )
  expect(row).toEqual({ status: 'created', submissions: 0, jobs: 0 })
}

async function reviewsOf({ id }: Student): Promise<unknown[]> {
  return withDatabase(project, async (sql) => [
    ...(await sql`select source_id, risk_level from public.clinical_reviews where user_id = ${id}`),
  ])
}

describe('start rejects', () => {
  test.each([
    ['an unknown type', { type: 'hourly' }, 'invalid_parameters'],
    ['no type', {}, 'invalid_parameters'],
    ['a type of the wrong kind', { type: 7 }, 'invalid_parameters'],
    ['a field that it does not know', { type: 'daily', user_id: crypto.randomUUID() }, 'invalid_parameters'],
    ['an array', [], 'invalid_parameters'],
    ['invalid JSON', '{"type": "daily"', 'invalid_json'],
    ['a body of 2 MB', JSON.stringify({ type: 'x'.repeat(2_000_000) }), 'body_too_large'],
  ])('%s', async (_what, body, code) => {
    const student = await newStudent(project, [])
    const response = await call(project, student.token, 'POST', 'checkins/start', body)
    expect(response).toMatchObject({ status: 400, body: { code, error: expect.any(String) } })
    const { data } = await student.client.schema('checkin').from('check_ins').select('id')
    expect(data).toEqual([])
  })
})

describe('an error that comes before the whole body was read', () => {
  test('leaves the connection to the next call', async () => {
    const huge = JSON.stringify({ type: 'x'.repeat(5_000_000) })
    for (let round = 0; round < 15; round++) {
      const student = await newStudent(project, [])
      const rejected = await call(project, student.token, 'POST', 'checkins/start', huge)
      expect(rejected.body.code).toBe('body_too_large')
      const taken = await call(project, student.token, 'POST', 'checkins/start', { type: 'daily' })
      expect(taken.status).toBe(200)
    }
  })
})

describe('addresses', () => {
  test('that do not exist give 404, and known ones with another method 405', async () => {
    const student = await newStudent(project, [])
    for (const [method, path, status, code] of [
      ['GET', 'checkins', 404, 'not_found'],
      ['POST', 'checkins/x/y/z', 404, 'not_found'],
      ['DELETE', `checkins/${crypto.randomUUID()}`, 405, 'method_not_allowed'],
      ['GET', 'checkins/not-an-id', 400, 'invalid_parameters'],
      ['POST', 'checkins/%00/complete', 400, 'invalid_parameters'],
    ] as const) {
      const response = await call(project, student.token, method, path)
      expect(response, `${method} ${path}`).toMatchObject({ status, body: { code } })
    }
  })
})

describe('complete rejects', () => {
  test('a check-in to which nothing was uploaded', async () => {
    const student = await newStudent(project)
    const started = await start(project, student)
    expect(await complete(student, started)).toMatchObject({
      status: 400,
      body: { code: 'nothing_uploaded' },
    })
    await expectUntouched(started)
  })

  test.each([
    ['a mood of 11', { mood_score: 11 }],
    ['a mood that is a word', { mood_score: 'good' }],
    ['a transcript of 100,001 characters', { transcript: 'a'.repeat(100_001) }],
    ['a transcript that is a number', { transcript: 7 }],
    ['a conversation of negative length', { conversation_duration: -1 }],
  ])('%s', async (_what, body) => {
    const student = await newStudent(project, ['text'])
    const started = await start(project, student)
    expect(await complete(student, started, body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_parameters' },
    })
    await expectUntouched(started)
  })

  test('a body of 2 MB and one that is not JSON', async () => {
    const student = await newStudent(project, ['text'])
    const started = await start(project, student)
    const huge = await complete(student, started, JSON.stringify({ transcript: 'x'.repeat(2_000_000) }))
    expect(huge).toMatchObject({ status: 400, body: { code: 'body_too_large' } })
    expect(await complete(student, started, 'transcript')).toMatchObject({
      status: 400,
      body: { code: 'invalid_json' },
    })
    await expectUntouched(started)
  })

  const m4a = speech('neutral.m4a')
  test.each<[string, Medium, string]>([
    ['a text file named m4a', text('Dear diary, this is not a recording.', 'audio/mp4'), 'audio_unreadable'],
    ['an image in place of a recording', { ...png(100, 100), type: 'audio/mp4' }, 'audio_unreadable'],
    ['a recording of no bytes', { bytes: new Uint8Array(), type: 'audio/mp4' }, 'audio_empty'],
    ['a truncated m4a', { ...m4a, bytes: m4a.bytes.slice(0, m4a.bytes.length / 2) }, 'audio_truncated'],
    [
      'a truncated wav',
      { ...speech('short.wav'), bytes: speech('short.wav').bytes.slice(0, 20_000) },
      'audio_truncated',
    ],
    ['a recording of 90 minutes', wav(90 * 60, 0, 8000), 'audio_too_long'],
  ])('%s, and takes the right file afterwards', async (_what, medium, code) => {
    const student = await newStudent(project, ['audio'])
    const started = await startWith(project, student, { audio: medium })
    expect(await complete(student, started)).toMatchObject({
      status: 400,
      body: { code, details: { file: 'audio' } },
    })
    await expectUntouched(started)
    await uploadMedium(student, started.uploads.audio, speech('short.m4a'))
    expect(await complete(student, started)).toMatchObject({ status: 200, body: { status: 'processing' } })
    await ended(project, student, started.id)
  })

  const photograph = groupPhotograph()
  const cutImage = { ...photograph, bytes: photograph.bytes.slice(0, photograph.bytes.length / 2) }
  test.each<[string, Medium, string]>([
    ['an image of 1 pixel', png(1, 1), 'image_too_small'],
    ['an image of 9 megapixels', png(3000, 3000), 'image_too_large'],
    ['a decompression bomb', png(50_000, 50_000, 10), 'image_too_large'],
    ['a text file named jpg', text('not an image', 'image/jpeg'), 'image_unreadable'],
    ['a truncated image', cutImage, 'image_truncated'],
    ['a HEIC under the name of a JPEG', heic('image/jpeg'), 'image_unsupported'],
    ['an image of no bytes', { bytes: new Uint8Array(), type: 'image/jpeg' }, 'image_empty'],
  ])('%s', async (_what, medium, code) => {
    const student = await newStudent(project, ['camera'])
    const started = await startWith(project, student, { images: [...(await faces()).slice(0, 7), medium] })
    expect(await complete(student, started)).toMatchObject({
      status: 400,
      body: { code, details: { file: 'image-08' } },
    })
    await expectUntouched(started)
  })

  test.each<[string, Medium, { file: string; format: string }]>([
    ['Apple Lossless', appleLossless(), { file: 'audio', format: 'Apple Lossless (ALAC)' }],
    ['HEIC', heic('image/jpeg'), { file: 'image-08', format: 'HEIC' }],
  ])('%s, and says which file is in which format', async (_what, medium, details) => {
    const isAudio = details.file === 'audio'
    const student = await newStudent(project, [isAudio ? 'audio' : 'camera'])
    const media = isAudio ? { audio: medium } : { images: [...(await faces()).slice(0, 7), medium] }
    const started = await startWith(project, student, media)
    const { status, body } = await complete(student, started)
    expect({ status, details: body.details }).toEqual({ status: 400, details })
    await expectUntouched(started)
  })

  const CRISIS = 'I want to kill myself tonight, I have the pills.'
  const DOUBTFUL = 'I had lectures all day and I am just a burden to everybody.'
  test.each<[string, string, Medium, string]>([
    ['high', CRISIS, heic('image/jpeg'), 'image_unsupported'],
    ['moderate', DOUBTFUL, cutImage, 'image_truncated'],
  ])('an image, but keeps crisis language of %s with its review', async (level, transcript, medium, code) => {
    const student = await newStudent(project, ['camera', 'text'])
    const usable = await faces()
    const started = await startWith(project, student, { images: [...usable.slice(0, 7), medium] })
    expect(await complete(student, started, { transcript })).toMatchObject({
      status: 400,
      body: {
        code,
        details: {
          file: 'image-08',
          crisis_resources: expect.arrayContaining([expect.objectContaining({ phone: '911' })]),
        },
      },
    })
    await expectUntouched(started)
    expect(await reviewsOf(student)).toEqual([{ source_id: started.id, risk_level: level }])

    const [first] = usable
    if (first) await uploadMedium(student, started.uploads.images[7], first)
    expect(await complete(student, started, { transcript: transcriptOf('positive') })).toMatchObject({
      status: 200,
    })
    expect((await ended(project, student, started.id)).result?.risk_level).toBe(level)
  })

  test('a submission after a day, but keeps its crisis language', async () => {
    const student = await newStudent(project, ['text'])
    const started = await start(project, student)
    await withDatabase(
      project,
      (sql) => sql`
        update checkin.check_ins set created_at = now() - interval '25 hours', expires_at = now() - interval '1 hour'
        where id = ${started.id}`,
    )
    expect(await complete(student, started, { transcript: CRISIS })).toMatchObject({
      status: 400,
      body: { code: 'check_in_expired', details: { crisis_resources: expect.any(Array) } },
    })
    expect(await reviewsOf(student)).toEqual([{ source_id: started.id, risk_level: 'high' }])
  })

  test('an image beside ordinary words, with nothing kept of them', async () => {
    const student = await newStudent(project, ['camera', 'text'])
    const started = await startWith(project, student, { images: [...(await faces()).slice(0, 7), cutImage] })
    const { body } = await complete(student, started, { transcript: transcriptOf('positive') })
    expect(body).toMatchObject({ code: 'image_truncated', details: { file: 'image-08' } })
    expect(body.details).not.toHaveProperty('crisis_resources')
    expect(await reviewsOf(student)).toEqual([])
  })

  test('7 images, which it can do without, and a 13th has no address', async () => {
    const student = await newStudent(project, ['camera', 'text'])
    const started = await startWith(project, student, { images: (await faces()).slice(0, 7) })
    expect(await complete(student, started)).toMatchObject({
      status: 400,
      body: { code: 'image_count', details: { found: 7, min: 8, max: 12 } },
    })
    expect(started.uploads.images).toHaveLength(12)
    const last = started.uploads.images[11]
    const [image] = await faces()
    const path = last?.path.replace('image-12', 'image-13') ?? ''
    await expect(uploadMedium(student, last && { ...last, path }, image ?? png(64, 64))).rejects.toThrow()
    await expectUntouched(started)
    const transcript = transcriptOf('neutral')
    expect(await complete(student, started, { transcript, media: ['image-08'] })).toMatchObject({
      status: 400,
      body: { code: 'nothing_uploaded', details: { file: 'image-08' } },
    })
    const result = await scored(project, student, started.id, { transcript, media: [] })
    expect(part(result, 'visual')).toMatchObject({ score: null, weight: 0, reason: 'not_provided' })
  })
})

/** What is in the folder of a check-in. */
async function stored({ uploads }: StartedCheckIn): Promise<unknown[]> {
  const folder = uploads.audio?.path.replace(/audio$/, '%') ?? ''
  return withDatabase(project, async (sql) => [
    ...(await sql`select name from storage.objects where name like ${folder}`),
  ])
}

describe('storage rejects', () => {
  test('a recording of 51 MB', async () => {
    const student = await newStudent(project, ['audio'])
    const started = await start(project, student)
    const large = { bytes: new Uint8Array(51 * 1024 * 1024), type: 'audio/wav' }
    await expect(uploadMedium(student, started.uploads.audio, large)).rejects.toMatchObject({
      statusCode: '413',
    })
    expect(await stored(started)).toEqual([])
  })

  test('an image of 11 MB, and a recording in the place of an image', async () => {
    const student = await newStudent(project, ['camera'])
    const { uploads } = await start(project, student)
    const large = { bytes: new Uint8Array(11 * 1024 * 1024), type: 'image/jpeg' }
    await expect(uploadMedium(student, uploads.images[0], large)).rejects.toMatchObject({ statusCode: '413' })
    await expect(uploadMedium(student, uploads.images[0], speech('short.m4a'))).rejects.toThrow(/mime/i)
  })

  test('a HEIC, before its bytes, and says which types it takes', async () => {
    const student = await newStudent(project, ['camera'])
    const { uploads } = await start(project, student)
    await expect(uploadMedium(student, uploads.images[0], heic('image/heic'))).rejects.toThrow(
      /mime type image\/heic is not supported/i,
    )
    expect(uploads.images[0]?.content_types).toEqual(['image/jpeg', 'image/png', 'image/webp'])
  })

  test('a content type that is neither sound nor image', async () => {
    const student = await newStudent(project, ['audio'])
    const started = await start(project, student)
    await expect(uploadMedium(student, started.uploads.audio, text('<script>', 'text/html'))).rejects.toThrow(
      /mime/i,
    )
  })

  test('an upload token that has expired', localOnly('signs tokens'), async () => {
    const student = await newStudent(project, ['audio'])
    const started = await start(project, student)
    const [header = '', claims = ''] = started.uploads.audio?.token.split('.') ?? []
    const past = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), exp: 1 }
    const unsigned = `${header}.${Buffer.from(JSON.stringify(past)).toString('base64url')}`
    const token = `${unsigned}.${createHmac('sha256', localStack().jwtSecret).update(unsigned).digest('base64url')}`
    const upload = started.uploads.audio && { ...started.uploads.audio, token }
    await expect(uploadMedium(student, upload, speech('short.m4a'))).rejects.toThrow(/exp/i)
    expect(await stored(started)).toEqual([])
  })
})

describe('what cannot be measured is said, and never becomes a confident score', () => {
  test('silence', async () => {
    const student = await newStudent(project, ['audio', 'text'])
    const quiet = await startWith(project, student, { audio: wav(12, 0) })
    const result = await scored(project, student, quiet.id, { transcript: transcriptOf('neutral') })
    expect(part(result, 'audio')).toMatchObject({ score: null, weight: 0, reason: 'silent' })

    const heard = await newStudent(project, ['audio', 'text'])
    const spoken = await startWith(project, heard, { audio: speech('neutral.m4a') })
    const full = await scored(project, heard, spoken.id, { transcript: transcriptOf('neutral') })
    expect(result.uncertainty).toBeGreaterThan(full.uncertainty)
  })

  test('silence alone, which leaves nothing to score', async () => {
    const student = await newStudent(project, ['audio'])
    const started = await startWith(project, student, { audio: wav(12, 0) })
    await complete(student, started)
    const failed = await ended(project, student, started.id)
    expect(failed).toMatchObject({
      status: 'failed',
      error: {
        code: 'nothing_to_score',
        reason: 'silent',
        message: expect.stringMatching(/nothing in the recording.*microphone/),
      },
    })
    expect(failed.crisis_resources?.length).toBeGreaterThan(0)
  })

  test('a check-in that failed can be mended, three times in all', async () => {
    const student = await newStudent(project, ['audio'])
    const started = await startWith(project, student, { audio: wav(12, 0) })
    for (let submission = 1; submission <= 3; submission++) {
      expect(await complete(student, started)).toMatchObject({ status: 200 })
      expect((await ended(project, student, started.id)).status).toBe('failed')
    }
    expect(await complete(student, started)).toMatchObject({
      status: 400,
      body: { code: 'too_many_submissions' },
    })
  })

  test('images without a face', async () => {
    const student = await newStudent(project, ['camera', 'text'])
    const blank = Array.from({ length: 8 }, () => png(320, 240))
    const started = await startWith(project, student, { images: blank })
    const result = await scored(project, student, started.id, { transcript: transcriptOf('neutral') })
    expect(part(result, 'visual')).toMatchObject({ score: null, weight: 0, reason: 'no_face' })
  })

  test('images with more than one face, which leave nothing to score, and no advice about the sound', async () => {
    const student = await newStudent(project)
    const images = Array.from({ length: 8 }, groupPhotograph)
    const started = await startWith(project, student, { images })
    await complete(student, started)
    const { error, result } = await ended(project, student, started.id)
    expect(result).toBeUndefined()
    expect(error).toMatchObject({
      code: 'nothing_to_score',
      reason: 'multiple_faces',
      message: 'More than one face can be seen in the pictures. Take them again with only yourself in view.',
    })
    expect(error?.reasons.map(({ modality, reason }) => [modality, reason])).toEqual([
      ['visual', 'multiple_faces'],
      ['audio', 'not_provided'],
      ['text', 'not_provided'],
    ])
  })

  test('words that are not English', async () => {
    const student = await newStudent(project, ['audio', 'text'])
    const started = await startWith(project, student, { audio: speech('neutral.m4a') })
    const result = await scored(project, student, started.id, {
      transcript:
        'Heute war ein langer Tag an der Universität und ich habe mit meinen Freunden zu Mittag gegessen, danach bin ich nach Hause gegangen und habe noch etwas gelernt.',
    })
    expect(part(result, 'text')).toMatchObject({ score: null, weight: 0, reason: 'not_english' })
  })
})
