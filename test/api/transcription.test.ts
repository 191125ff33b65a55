import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from 'local-supabase'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Stack, startStack } from '../../demo/stack.ts'
import { speech, startWith, words } from './media.ts'
import { part, scored } from './outcome.ts'
import { newStudent, type Project } from './project.ts'

/** What the provider's stand-in responds to each request with in turn, and what it was sent. */
let responses: { status: number; body: object }[] = []
let received: string[] = []
let provider: Server
let stack: Stack
let project: Project
let dataDir: string

beforeAll(async () => {
  const [port = 0, dbPort = 0, inboxPort = 0, providerPort = 0] = await freePorts(4)
  provider = createServer((request, response) => {
    let body = ''
    request.setEncoding('latin1').on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      received.push(`${request.method} ${request.url} ${request.headers.authorization}\n${body}`)
      const next = responses.shift() ?? { status: 500, body: { error: { message: 'unexpected request' } } }
      response.writeHead(next.status, { 'content-type': 'application/json' }).end(JSON.stringify(next.body))
    })
  })
  await new Promise<void>((resolve) => provider.listen(providerPort, '127.0.0.1', resolve))
  dataDir = mkdtempSync(join(tmpdir(), 'stack-'))
  const env = { OPENAI_API_KEY: 'sk-invented', OPENAI_BASE_URL: `http://127.0.0.1:${providerPort}/v1` }
  stack = await startStack(
    { port, dbPort, inboxPort, dataDir, reset: false, watch: false, durable: false, env },
    { progress: () => {}, log: () => {} },
  )
  const { keys, ...rest } = stack
  project = { ...rest, publishableKey: keys.publishable, secretKey: keys.secret, jwtSecret: keys.jwtSecret }
}, 120_000)

afterAll(async () => {
  await stack.stop()
  await new Promise((resolve) => provider.close(resolve))
  rmSync(dataDir, { recursive: true, force: true })
})

beforeEach(() => {
  responses = []
  received = []
})

async function scoreOf(consents: Parameters<typeof newStudent>[1], body: Record<string, unknown> = {}) {
  const student = await newStudent(project, consents)
  const { id } = await startWith(project, student, { audio: speech('short.m4a') })
  return { student, result: await scored(project, student, id, body) }
}

describe('with a transcription provider', () => {
  test('a recording without a transcript is transcribed and the transcript is scored', async () => {
    responses = [{ status: 200, body: { text: words('neutral') } }]
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
    const { result } = await scoreOf(['audio', 'text'], { transcript: words('neutral') })
    expect(part(result, 'text').score).not.toBeNull()
    expect(received).toEqual([])
  })

  test('nothing is sent to it without the student’s consent to text', async () => {
    const { result } = await scoreOf(['audio'])
    expect(part(result, 'text')).toMatchObject({ score: null, reason: 'no_consent' })
    expect(received).toEqual([])
  })

  test('a provider that is busy is asked again', async () => {
    responses = [
      { status: 503, body: { error: { message: 'overloaded' } } },
      { status: 200, body: { text: words('neutral') } },
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

  test('a recording in which the provider hears no words leaves the text missing', async () => {
    responses = [{ status: 200, body: { text: '' } }]
    const { result } = await scoreOf(['audio', 'text'])
    expect(part(result, 'text')).toMatchObject({ score: null, weight: 0, reason: 'not_provided' })
  })
})
