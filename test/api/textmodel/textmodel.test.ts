import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { start, transcriptOf } from '../../../harness/factories/check-ins.ts'
import { newStudent, type Student } from '../../../harness/factories/students.ts'
import { localOnly, localStack, withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')
const PATH = 'api/textmodel/analyze-text'

const TRANSCRIPT =
  'I had an okay week with my friends. The exam is close and I study in the library every day. I slept well most nights and went for a run on Sunday.'
const CRISIS = 'I want to kill myself and I have the pills here.'

let student: Student

beforeAll(async () => {
  student = await newStudent(project, ['text'])
})

const post = (body: unknown, from = student) => call(project, from.token, 'POST', PATH, body)

/** What one transcript left behind. */
async function leftBy(from: Student) {
  return withDatabase(project, async (sql) => ({
    results: await sql`
      select id, encode(transcript_sha256, 'hex') as sha256, check_in_id, provider, risk_level, result
      from private.transcript_results where user_id = ${from.id}`,
    reviews: await sql`
      select source, source_id, status, risk_level from public.clinical_reviews where user_id = ${from.id}`,
    messages: await sql`
      select channel, purpose, recipient, body from private.outbox where user_id = ${from.id}`,
  }))
}

describe('without a key', () => {
  test('the built-in analysis answers, and the header says so', async () => {
    const { status, headers, body } = await post({ transcript: TRANSCRIPT })
    expect(status).toBe(200)
    expect(headers.get('x-analysis-provider')).toBe('built-in')
    expect(headers.get('ratelimit-limit')).toBe('20')
    expect(headers.get('api-version')).toBe('2.0')
    expect(body).toEqual({
      text_score: expect.any(Number),
      uncertainty: expect.any(Number),
      themes: expect.arrayContaining([expect.any(String)]),
      keywords: expect.arrayContaining(['library']),
      risk_level: 'none',
      direction_of_change: 'same',
      conversation_summary: expect.stringMatching(/\byou\b/i),
      drivers_positive: expect.any(Array),
      drivers_negative: expect.any(Array),
      crisis_resources: expect.arrayContaining([{ name: 'Emergency services', phone: '911', website: null }]),
    })
  })

  test('supabase-js gets the same as fetch', async () => {
    const { data, error } = await student.client.functions.invoke(PATH, { body: { transcript: TRANSCRIPT } })
    expect(error).toBeNull()
    expect(data).toEqual((await post({ transcript: TRANSCRIPT })).body)
  })

  test('a context is taken, with all of its fields, or with null in their place', async () => {
    const given = {
      studentFirstName: 'Quillon',
      previousTextThemes: ['exams'],
      previousWellbeingScore: 99,
      previousDirectionOfChange: 'better',
    }
    const { status, body } = await post({ transcript: `${TRANSCRIPT} ${TRANSCRIPT}`, context: given })
    expect(status).toBe(200)
    expect(body.direction_of_change).toBe('worse')
    const none = Object.fromEntries(Object.keys(given).map((key) => [key, null]))
    expect((await post({ transcript: TRANSCRIPT, context: { ...none, checkinId: null } })).status).toBe(200)
    expect((await post({ transcript: TRANSCRIPT, context: null })).status).toBe(200)
  })

  test('the result is stored by the hash of the words, never with them', async () => {
    const owner = await newStudent(project, ['text'])
    const { body } = await post({ transcript: `${TRANSCRIPT} Ünïcode 🦉.` }, owner)
    const { crisis_resources: _, ...result } = body
    const { results, reviews, messages } = await leftBy(owner)
    expect(results).toEqual([
      {
        id: expect.any(String),
        sha256: createHash('sha256').update(`${TRANSCRIPT} Ünïcode 🦉.`).digest('hex'),
        check_in_id: null,
        provider: 'built-in',
        risk_level: 'none',
        result,
      },
    ])
    expect(reviews).toEqual([])
    expect(messages).toEqual([])
  })
})

describe('a transcript in crisis', () => {
  test('leaves a review, a message and the help to show after one call', async () => {
    const owner = await newStudent(project, ['text'])
    const { body } = await post({ transcript: CRISIS }, owner)
    expect(body.risk_level).toBe('high')
    expect(body.crisis_resources).not.toEqual([])
    const { results, reviews, messages } = await leftBy(owner)
    expect(reviews).toEqual([
      { source: 'transcript', source_id: results[0]?.id, status: 'open', risk_level: 'high' },
    ])
    expect(messages).toEqual([
      {
        channel: 'email',
        purpose: 'clinical_review',
        recipient: expect.stringContaining('@'),
        body: expect.not.stringContaining('pills'),
      },
    ])
  })

  test('leaves them once, however often it is sent, and at the same time', async () => {
    const owner = await newStudent(project, ['text'])
    const answers = await Promise.all(Array.from({ length: 8 }, () => post({ transcript: CRISIS }, owner)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const { results, reviews, messages } = await leftBy(owner)
    expect([results.length, reviews.length, messages.length]).toEqual([1, 1, 1])
  })

  test('of a check-in opens the review of the check-in and raises its risk', async () => {
    const owner = await newStudent(project, ['audio', 'text'])
    const { id } = await start(project, owner)
    expect((await post({ transcript: CRISIS, context: { checkinId: id.toUpperCase() } }, owner)).status).toBe(
      200,
    )
    const { reviews } = await leftBy(owner)
    expect(reviews).toEqual([{ source: 'check_in', source_id: id, status: 'open', risk_level: 'high' }])
    const { data } = await owner.client.schema('checkin').from('check_ins').select('risk_level').single()
    expect(data).toEqual({ risk_level: 'high' })
  })
})

describe('a request that is refused', () => {
  const THEMES = Array.from({ length: 21 }, () => 'exams')

  test.each<[string, unknown, string]>([
    ['no transcript', {}, 'transcript'],
    ['an empty transcript', { transcript: '' }, 'transcript'],
    ['a transcript of blanks', { transcript: ' \n ' }, 'transcript'],
    ['a transcript that is a number', { transcript: 7 }, 'transcript'],
    ['a transcript of 100,001 characters', { transcript: 'a'.repeat(100_001) }, 'transcript'],
    ['a field that is not known', { transcript: 'a', model: 'x' }, ''],
    ['a context that is a text', { transcript: 'a', context: 'x' }, 'context'],
    ['a check-in that is no UUID', { transcript: 'a', context: { checkinId: '7' } }, 'context.checkinId'],
    [
      'a name that is too long',
      { transcript: 'a', context: { studentFirstName: 'a'.repeat(101) } },
      'context.studentFirstName',
    ],
    [
      'themes that are no list',
      { transcript: 'a', context: { previousTextThemes: 'x' } },
      'context.previousTextThemes',
    ],
    [
      'too many themes',
      { transcript: 'a', context: { previousTextThemes: THEMES } },
      'context.previousTextThemes',
    ],
    [
      'a score over 100',
      { transcript: 'a', context: { previousWellbeingScore: 101 } },
      'context.previousWellbeingScore',
    ],
    [
      'a direction that is a number',
      { transcript: 'a', context: { previousDirectionOfChange: 1 } },
      'context.previousDirectionOfChange',
    ],
  ])('%s is rejected with the field', async (_, body, field) => {
    const owner = await newStudent(project, ['text'])
    const refused = await post(body, owner)
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ code: 'invalid_parameters', details: { issues: [{ field }] } })
    expect(refused.headers.get('x-analysis-provider')).toBeNull()
    expect((await leftBy(owner)).results).toEqual([])
  })

  test('is one whose body is over 1 MB', async () => {
    const { status, body } = await post({ transcript: 'a', context: { filler: 'x'.repeat(1_000_000) } })
    expect([status, body.code]).toEqual([400, 'body_too_large'])
  })

  test('is one that is not JSON', async () => {
    const { status, body } = await post('{"transcript": ')
    expect([status, body.code]).toEqual([400, 'invalid_json'])
  })

  test('is one without the consent to words, and after its withdrawal', async () => {
    const owner = await newStudent(project, ['audio'])
    const without = await post({ transcript: TRANSCRIPT }, owner)
    expect(without.status).toBe(403)
    expect(without.body).toMatchObject({ code: 'consent_required', details: { kind: 'text' } })

    const other = await newStudent(project, ['text'])
    expect((await post({ transcript: TRANSCRIPT }, other)).status).toBe(200)
    await other.client
      .from('consents')
      .update({ withdrawn_at: new Date().toISOString() })
      .eq('kind', 'text')
      .is('withdrawn_at', null)
    expect((await post({ transcript: TRANSCRIPT }, other)).status).toBe(403)
  })

  test('is one about a check-in of another, or of nobody', async () => {
    const other = await newStudent(project, ['audio', 'text'])
    const { id } = await start(project, other)
    for (const checkinId of [id, crypto.randomUUID()]) {
      const { status, body } = await post({ transcript: CRISIS, context: { checkinId } })
      expect([status, body.code]).toEqual([404, 'check_in_not_found'])
    }
  })

  test('is one without a token', async () => {
    const { status, body } = await call(project, null, 'POST', PATH, { transcript: TRANSCRIPT })
    expect([status, body.code]).toEqual([401, 'unauthorized'])
  })

  test('is one of another method or address', async () => {
    expect((await call(project, student.token, 'GET', PATH)).body.code).toBe('method_not_allowed')
    expect((await call(project, student.token, 'POST', 'api/nothing', {})).body.code).toBe('not_found')
  })

  test('is the 21st of a minute', async () => {
    const owner = await newStudent(project, ['text'])
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => post({ transcript: 'I am fine, thank you.' }, owner)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(5)
    expect(refused[0]?.body.code).toBe('rate_limited')
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

test('the longest transcript is answered', async () => {
  const { status } = await post({
    transcript: transcriptOf('neutral').padEnd(100_000, ` ${transcriptOf('neutral')}`),
  })
  expect(status).toBe(200)
})

test('no word of a transcript is in the log', localOnly('reads the log'), async () => {
  const marked = await newStudent(project, ['text'])
  expect((await post({ transcript: `${TRANSCRIPT} Zanzibarquokka.` }, marked)).status).toBe(200)
  expect((await post({ transcript: 'Zanzibarquokka', extra: true }, marked)).status).toBe(400)
  expect(readFileSync(localStack().logFile, 'utf8')).not.toMatch(/zanzibarquokka|quillon/i)
})
