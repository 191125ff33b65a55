import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { ended, part, scored, speech, startWith, transcriptOf } from '../../../harness/factories/check-ins.ts'
import { newStudent } from '../../../harness/factories/students.ts'
import { type ConfiguredStack, startConfiguredStack } from '../../../harness/stack/own-stack.ts'
import { localOnly, withDatabase } from '../../../harness/stack/project.ts'
import { noise, sound, wav } from '../../unit/audio/recordings.ts'

/** What the provider's stand-in responds to each request with in turn, and what it was sent. */
let responses: { status: number; body: object }[] = []
let received: string[] = []
let asked = 0
let provider: Server
let project: ConfiguredStack

beforeAll(async () => {
  provider = createServer((request, response) => {
    let body = ''
    request.setEncoding('latin1').on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      if (request.url?.endsWith('/chat/completions')) {
        // The language model, which reads every transcript, finds nothing.
        asked++
        const content = JSON.stringify({ now: [], earlier: [] })
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] }))
        return
      }
      received.push(`${request.method} ${request.url} ${request.headers.authorization}\n${body}`)
      const next = responses.shift() ?? { status: 500, body: { error: { message: 'unexpected request' } } }
      response.writeHead(next.status, { 'content-type': 'application/json' }).end(JSON.stringify(next.body))
    })
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const address = provider.address()
  if (address === null || typeof address === 'string') throw new Error('The provider has no port')
  project = await startConfiguredStack({
    OPENAI_API_KEY: 'sk-invented',
    OPENAI_BASE_URL: `http://127.0.0.1:${address.port}/v1`,
  })
  // What is tried again is tried soon.
  await withDatabase(project, async (sql) => {
    await sql`update private.pipeline_settings set retry_backoff = '1 second'`
    await sql`select cron.schedule('dispatch-due-jobs', '2 seconds', 'select private.dispatch_due_jobs()')`
  })
})

afterAll(async () => {
  await project.stop()
  await new Promise((resolve) => provider.close(resolve))
})

beforeEach(() => {
  responses = []
  received = []
  asked = 0
})

/** As many words as the recording holds. */
const SAID = 'I slept well this week, and my exams went better than I had thought.'

async function scoreOf(consents: Parameters<typeof newStudent>[1], body: Record<string, unknown> = {}) {
  const student = await newStudent(project, consents)
  const { id } = await startWith(project, student, { audio: speech('short.m4a') })
  return { student, result: await scored(project, student, id, body) }
}

describe('with a transcription provider', localOnly('starts a stack with a transcription provider'), () => {
  test('a recording without a transcript is transcribed and the transcript is scored', async () => {
    responses = [{ status: 200, body: { text: SAID } }]
    const { student, result } = await scoreOf(['audio', 'text'])
    expect(part(result, 'text').score).not.toBeNull()
    const { data } = await student.client
      .schema('checkin')
      .from('text_analysis')
      .select('transcript_source')
      .single()
    expect(data).toEqual({ transcript_source: 'transcribed' })
    expect(received).toHaveLength(1)
    expect(received[0]).toContain('POST /v1/audio/transcriptions Bearer sk-invented')
    expect(received[0]).toContain('filename="recording.m4a"')
  })

  test('a transcript that the student sends is used as it is', async () => {
    const { result } = await scoreOf(['audio', 'text'], { transcript: transcriptOf('neutral') })
    expect(part(result, 'text').score).not.toBeNull()
    expect(received).toEqual([])
  })

  test('nothing is sent to it without the student’s consent to text', async () => {
    const { result } = await scoreOf(['audio'])
    expect(part(result, 'text')).toMatchObject({ score: null, reason: 'no_consent' })
    expect(received).toEqual([])
    expect(asked).toBe(0)
  })

  test('a provider that is busy is asked again', async () => {
    responses = [
      { status: 503, body: { error: { message: 'overloaded' } } },
      { status: 200, body: { text: SAID } },
    ]
    const { result } = await scoreOf(['audio', 'text'])
    expect(part(result, 'text').score).not.toBeNull()
    expect(received).toHaveLength(2)
  })

  test('a provider that rejects the recording leaves the text missing and the audio scored', async () => {
    responses = [{ status: 400, body: { error: { message: 'no speech' } } }]
    const { result } = await scoreOf(['audio', 'text'])
    expect(part(result, 'text')).toMatchObject({ score: null, weight: 0, reason: 'transcription_rejected' })
    expect(part(result, 'audio').score).not.toBeNull()
  })

  describe('a provider that refuses the key', () => {
    const UNAUTHORIZED = {
      status: 401,
      body: { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } },
    }

    test('leaves the text missing for another reason, which is counted', async () => {
      const before = await refused()
      responses = [UNAUTHORIZED]
      const { result } = await scoreOf(['audio', 'text'])
      expect(part(result, 'text')).toMatchObject({ score: null, reason: 'transcription_refused' })
      expect(part(result, 'audio').score).not.toBeNull()
      expect((await refused()) - before).toBe(1)
    })

    test('or whose account has nothing left, is why a check-in failed of which nothing else can be scored', async () => {
      const error = {
        message: 'You exceeded your current quota',
        type: 'insufficient_quota',
        code: 'insufficient_quota',
      }
      responses = [{ status: 429, body: { error } }]
      const student = await newStudent(project, ['audio', 'text'])
      // Too short to be scored, and long enough to be transcribed.
      const bytes = speech('short.wav').bytes.slice(0, 44 + 2 * 16_000 * 1.2)
      new DataView(bytes.buffer).setUint32(40, bytes.length - 44, true)
      const { id } = await startWith(project, student, { audio: { bytes, type: 'audio/wav' } })
      expect(await call(project, student.token, 'POST', `checkins/${id}/complete`, {})).toMatchObject({
        status: 200,
      })
      expect(await ended(project, student, id)).toMatchObject({
        status: 'failed',
        error: { code: 'analysis_failed' },
      })
      expect(received).toHaveLength(1)
    })

    const refused = () =>
      withDatabase(project, async (sql) => {
        const [row] = await sql<[{ value: number }?]>`
          select value from private.metrics
          where name = 'wellbeing_jobs_failed_total'
            and labels = '{"kind": "transcription", "error_code": "transcription_refused", "cause": "service"}'`
        return row?.value ?? 0
      })
  })

  test('a recording without speech is not sent to it, whatever it would hear there', async () => {
    responses = [{ status: 200, body: { text: 'Thanks for watching. Bye.' } }]
    const student = await newStudent(project, ['audio', 'text'])
    const random = noise()
    const hiss = new Uint8Array(wav(sound(5, () => 0.004 * random())))
    const { id } = await startWith(project, student, { audio: { bytes: hiss, type: 'audio/wav' } })
    await call(project, student.token, 'POST', `checkins/${id}/complete`, {})
    expect(await ended(project, student, id)).toMatchObject({
      status: 'failed',
      error: { code: 'nothing_to_score' },
    })
    expect(received).toEqual([])
    await withDatabase(project, async (sql) => {
      expect(await sql`select risk_level from checkin.check_ins where id = ${id}`).toEqual([
        { risk_level: 'none' },
      ])
      expect(await sql`select from public.clinical_reviews where user_id = ${student.id}`).toEqual([])
    })
  })

  test('what is said beside a bang, which hides it from the measurement, is heard', async () => {
    responses = [{ status: 200, body: { text: 'I want to kill myself.' } }]
    const student = await newStudent(project, ['audio', 'text'])
    const random = noise()
    const said = new Int16Array(speech('short.wav').bytes.slice(44).buffer)
    const bang = sound(5 + said.length / 16_000, (timeS, at) =>
      timeS < 0.6 ? 0.9 * random() : 0.05 * ((said[at - 5 * 16_000] ?? 0) / 32_768),
    )
    const { id } = await startWith(project, student, {
      audio: { bytes: new Uint8Array(wav(bang)), type: 'audio/wav' },
    })
    await call(project, student.token, 'POST', `checkins/${id}/complete`, {})
    expect(await ended(project, student, id)).toMatchObject({
      status: 'failed',
      error: { reasons: expect.arrayContaining([expect.objectContaining({ reason: 'no_measured_speech' })]) },
    })
    expect(received).toHaveLength(1)
    await withDatabase(project, async (sql) => {
      expect(await sql`select risk_level from checkin.check_ins where id = ${id}`).toEqual([
        { risk_level: 'high' },
      ])
    })
  })

  test('what cannot have been said is not scored, and its crisis words count all the same', async () => {
    const pleading = 'I want to kill myself. '.repeat(60)
    responses = [{ status: 200, body: { text: pleading } }]
    const { result } = await scoreOf(['audio', 'text'])
    expect(part(result, 'text')).toMatchObject({ score: null, weight: 0, reason: 'too_many_words' })
    expect(result.risk_level).toBe('high')
  })

  test('a recording in which the provider hears no words leaves the text missing', async () => {
    responses = [{ status: 200, body: { text: '' } }]
    const { result } = await scoreOf(['audio', 'text'])
    expect(part(result, 'text')).toMatchObject({ score: null, weight: 0, reason: 'not_provided' })
  })
})
