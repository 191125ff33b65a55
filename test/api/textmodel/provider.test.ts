import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BY_LEVEL } from '../../../corpora/crisis/by-level.ts'
import { type ApiResponse, call } from '../../../harness/client/call.ts'
import { scored, start } from '../../../harness/factories/check-ins.ts'
import { newSessionId } from '../../../harness/factories/sessions.ts'
import { newStudent, type Student } from '../../../harness/factories/students.ts'
import { type ConfiguredStack, startConfiguredStack } from '../../../harness/stack/own-stack.ts'
import { localOnly, withDatabase } from '../../../harness/stack/project.ts'
import { FALLBACK, ORDINARY_WEEK } from '../../unit/textmodel/asking.ts'
import {
  answers,
  drips,
  type FakeProvider,
  fails,
  floods,
  GOOD,
  hangs,
  resets,
  startProvider,
} from '../../unit/textmodel/provider.ts'

/** A stack of its own, because its functions have a provider and are killed: by the tests alone, not at the platform's limits. */
let provider: FakeProvider
let project: ConfiguredStack

beforeAll(async () => {
  provider = await startProvider()
  project = await startConfiguredStack(
    {
      OPENAI_API_KEY: 'sk-invented-key',
      OPENAI_BASE_URL: provider.baseUrl,
      TEXTMODEL_MODEL: 'invented-model',
      TEXTMODEL_TIMEOUT_MS: '6000',
    },
    { limits: false },
  )
})

afterAll(async () => {
  await project.stop()
  await provider.stop()
})

beforeEach(() => provider.behave(answers(GOOD)))

const CRISIS = 'I want to kill myself and I have the pills here.'
const { mood_score: _, ...GOOD_RESULT } = GOOD

function post(student: Student, transcript: string, context?: Record<string, unknown>): Promise<ApiResponse> {
  const body = { transcript, ...(context && { context }) }
  return call(project, student.token, 'POST', 'api/textmodel/analyze-text', body)
}

/** Counts of what a student's transcripts left behind. */
async function leftBy(student: Student) {
  return withDatabase(project, async (sql) => {
    const [left] = await sql<[{ results: number; reviews: number; messages: number }]>`
      select
        (select count(*)::int from private.transcript_results where user_id = ${student.id}) as results,
        (select count(*)::int from public.clinical_reviews where user_id = ${student.id}) as reviews,
        (select count(*)::int from private.outbox where user_id = ${student.id}) as messages`
    return left
  })
}

function resultOf({ body }: ApiResponse) {
  const { crisis_resources, ...result } = body
  expect(crisis_resources).toEqual(expect.arrayContaining([expect.objectContaining({ phone: '911' })]))
  return result
}

describe('with a provider', localOnly('starts a stack with a language model'), () => {
  test('the model’s result is answered, and the header says so', async () => {
    const answer = await post(await newStudent(project, ['text']), ORDINARY_WEEK)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-analysis-provider')).toBe('language-model')
    expect(resultOf(answer)).toEqual(GOOD_RESULT)
    expect(provider.received[0]).toMatchObject({
      path: 'POST /v1/chat/completions',
      authorization: 'Bearer sk-invented-key',
      body: { model: 'invented-model', max_completion_tokens: 2048 },
    })
  })

  test('a browser can read the header', async () => {
    const answer = await post(await newStudent(project, ['text']), ORDINARY_WEEK)
    expect(answer.headers.get('access-control-expose-headers')).toContain('x-analysis-provider')
  })

  test.each([
    ['refuses', fails(401)],
    ['is overloaded', fails(503)],
    ['hangs', hangs],
    ['drips', drips],
    ['floods', floods],
    ['resets the connection', resets],
    ['is cut off', answers(JSON.stringify(GOOD).slice(0, 80), { finish_reason: 'length' })],
    ['answers with nothing', answers('')],
  ])('one that %s gives the fallback', async (_, behaviour) => {
    provider.behave(behaviour)
    const answer = await post(await newStudent(project, ['text']), ORDINARY_WEEK)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-analysis-provider')).toBe('fallback')
    expect(resultOf(answer)).toEqual(FALLBACK)
  })

  test('nobody is asked about words that may not be analysed', async () => {
    const student = await newStudent(project, ['text'])
    const other = await newStudent(project, ['audio', 'text'])
    const { body } = await call(project, other.token, 'POST', 'checkins/start', { type: 'daily' })
    expect((await post(await newStudent(project, []), CRISIS)).status).toBe(403)
    expect((await post(student, CRISIS, { checkinId: body.id })).status).toBe(404)
    expect((await post(student, '')).status).toBe(400)
    expect(provider.received).toEqual([])
  })

  test('fifty students are answered at once, each with their own', async () => {
    provider.behave((response, request) => {
      const { body } = provider.received.find((one) => one.request === request) ?? {}
      const { transcript } = JSON.parse(body?.messages[1]?.content ?? '{}')
      const number = /number (\d+)/.exec(transcript)?.[1]
      answers({ ...GOOD, keywords: [`number ${number}`] })(response, request)
    })
    const students = await Promise.all(Array.from({ length: 50 }, () => newStudent(project, ['text'])))
    const all = await Promise.all(
      students.map((student, index) => post(student, `${ORDINARY_WEEK} I live at number ${index}.`)),
    )
    expect(all.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(all.map(({ body }) => body.keywords)).toEqual(students.map((_, index) => [`number ${index}`]))
    expect(provider.received).toHaveLength(50)
    expect(await leftBy(students[49] as Student)).toEqual({ results: 1, reviews: 0, messages: 0 })
  })
})

describe('a student in crisis', localOnly('starts a stack with a language model'), () => {
  const words = BY_LEVEL.high.slice(0, 5)

  test.each(words)('leaves a review and a message whatever the model says: %s', async (text) => {
    provider.behave(answers({ ...GOOD, risk_level: 'none' }))
    const student = await newStudent(project, ['text'])
    const answer = await post(student, `I had a long day at the library. ${text} That is all.`)
    expect(resultOf(answer).risk_level).toBe('high')
    expect(await leftBy(student)).toEqual({ results: 1, reviews: 1, messages: 1 })
  })

  test('is found by the model where the crisis check finds nothing', async () => {
    provider.behave(answers({ ...GOOD, risk_level: 'high' }))
    const student = await newStudent(project, ['text'])
    expect(resultOf(await post(student, ORDINARY_WEEK)).risk_level).toBe('high')
    expect(await leftBy(student)).toEqual({ results: 1, reviews: 1, messages: 1 })
  })

  test('leaves them when the model fails', async () => {
    provider.behave(fails(400))
    const student = await newStudent(project, ['text'])
    const answer = await post(student, CRISIS)
    expect(resultOf(answer)).toEqual({
      ...FALLBACK,
      risk_level: 'high',
      conversation_summary: expect.stringContaining('Please reach out now'),
    })
    expect(await leftBy(student)).toEqual({ results: 1, reviews: 1, messages: 1 })
  })
})

describe('the third reading', localOnly('starts a stack with a language model'), () => {
  const asked = () => provider.received.map(({ body }) => body.messages[0]?.content ?? '')
  const FOR_A_CRISIS = expect.stringContaining('suicide, self-harm, abuse and violence')

  beforeEach(() => provider.behave(answers({ now: ['plan_or_preparation'], earlier: [] })))

  async function analyzed(student: Student, conversationText: string): Promise<void> {
    const sessionId = await newSessionId(student)
    const { status } = await call(project, student.token, 'POST', 'analyze-text', {
      sessionId,
      conversationText,
    })
    expect(status).toBe(200)
  }

  test('of a check-in asks for a crisis alone, also of ordinary words, and raises its risk', async () => {
    const student = await newStudent(project, ['text'])
    const { id } = await start(project, student)
    const result = await scored(project, student, id, { transcript: ORDINARY_WEEK })
    expect(result.risk_level).toBe('high')
    expect(result.summary).toContain('reach out now')
    expect(asked()).toEqual([FOR_A_CRISIS])
    expect(await leftBy(student)).toMatchObject({ reviews: 1, messages: 1 })
  })

  test('of a session does so too, in whatever form it comes', async () => {
    provider.behave(answers('**High**'))
    const student = await newStudent(project, ['text'])
    await analyzed(student, ORDINARY_WEEK)
    expect(asked()).toEqual([FOR_A_CRISIS])
    expect(await leftBy(student)).toMatchObject({ reviews: 1, messages: 1 })
  })

  test('is not asked for where the level is high already', async () => {
    const student = await newStudent(project, ['text'])
    await analyzed(student, CRISIS)
    expect(asked()).toEqual([])
    expect(await leftBy(student)).toMatchObject({ reviews: 1, messages: 1 })
  })

  test('of a provider whose account has nothing left is asked for once, and the operator learns it', async () => {
    provider.behave(fails(429, { 'retry-after': '0' }, { code: 'insufficient_quota' }))
    const student = await newStudent(project, ['text'])
    const before = await refused()
    await analyzed(student, ORDINARY_WEEK)
    await analyzed(student, `${ORDINARY_WEEK} I am just a burden to everybody.`)
    expect(provider.received).toHaveLength(2)
    expect(await leftBy(student)).toMatchObject({ reviews: 1 })
    expect((await refused()) - before).toBe(2)
    const lines = project.logged.filter((line) =>
      /"language_model_refused","function":"analyze-text"/.test(line),
    )
    expect(lines).toEqual([expect.stringContaining('"provider_code":"insufficient_quota"')])
  })

  const refused = () =>
    withDatabase(project, async (sql) => {
      const [row] = await sql<[{ value: number }?]>`
        select value from private.metrics
        where name = 'wellbeing_language_model_failures_total' and labels = '{"error_code": "provider_refused"}'`
      return row?.value ?? 0
    })
})

describe('a function that is killed', localOnly('starts a stack with a language model'), () => {
  const killApi = () => void project.kill('api')
  const all = { results: 1, reviews: 1, messages: 1 }
  const none = { results: 0, reviews: 0, messages: 0 }

  test('before the model answers leaves nothing, and the call made again all of it', async () => {
    provider.behave(() => killApi(), answers(GOOD))
    const student = await newStudent(project, ['text'])
    await post(student, CRISIS).catch(() => undefined)
    expect(await leftBy(student)).toEqual(none)
    expect((await post(student, CRISIS)).status).toBe(200)
    expect(await leftBy(student)).toEqual(all)
  })

  test.each([0, 1, 2, 4, 8, 16])('%d ms after the model answers leaves all or nothing', async (wait) => {
    provider.behave((response, request) => {
      response.once('finish', () => setTimeout(killApi, wait))
      answers(GOOD)(response, request)
    }, answers(GOOD))
    const student = await newStudent(project, ['text'])
    await post(student, CRISIS).catch(() => undefined)
    expect([all, none]).toContainEqual(await leftBy(student))

    await expect.poll(async () => (await post(student, CRISIS)).status, { timeout: 20_000 }).toBe(200)
    expect(await leftBy(student)).toEqual(all)
  })
})

test(
  'neither the words, the answer nor the key is in the log',
  localOnly('starts a stack with a language model'),
  async () => {
    provider.behave(answers({ ...GOOD, themes: ['Zanzibarquokka'] }), fails(500))
    const student = await newStudent(project, ['text'])
    for (const _ of [1, 2]) {
      const context = { studentFirstName: 'Quillonquokka', previousTextThemes: ['Themequokka'] }
      expect((await post(student, `${ORDINARY_WEEK} Wordquokka.`, context)).status).toBe(200)
    }
    const log = project.logged.join('\n')
    expect(log).toContain('language_model_failed')
    expect(log).not.toMatch(/quokka|sk-invented|conversation_summary/i)
  },
)
