import { describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { audioData } from '../../../harness/factories/session-summaries.ts'
import { newSessionId, post, requests, type SessionFunction } from '../../../harness/factories/sessions.ts'
import { newStudent } from '../../../harness/factories/students.ts'

const project = inject('project')

const LIMITS: [SessionFunction, number][] = [
  ['analyze-audio', 10],
  ['analyze-visual', 5],
  ['analyze-text', 20],
  ['calculate-wellbeing-score', 10],
]

describe.each(LIMITS)('%s', (name, limit) => {
  test(`succeeds ${limit} times a minute, and says how long to wait`, async () => {
    const student = await newStudent(project)
    const body = { ...(await requests[name](crypto.randomUUID())), imageData: 'AAAA' }
    for (let taken = 1; taken <= limit; taken++) {
      const { status, headers } = await post(project, student, name, body)
      expect(status).toBe(404)
      expect(headers.get('ratelimit-limit')).toBe(`${limit}`)
      expect(headers.get('ratelimit-remaining')).toBe(`${limit - taken}`)
      expect(headers.get('ratelimit-policy')).toBe(`${limit};w=60`)
      expect(headers.get('retry-after')).toBeNull()
    }
    const rejected = await post(project, student, name, body)
    expect(rejected).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(rejected.headers.get('ratelimit-remaining')).toBe('0')
    const wait = Number(rejected.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    expect(rejected.headers.get('ratelimit-reset')).toBe(`${wait}`)
    expect(rejected.body.details).toEqual({ retry_after_s: wait })

    const other = await newStudent(project)
    expect((await post(project, other, name, body)).status).toBe(404)
  })
})

test('of 100 calls at once to a function that is limited to 10, exactly 10 pass', async () => {
  const student = await newStudent(project, ['audio'])
  const body = { sessionId: await newSessionId(student), audioData: audioData() }
  const responses = await Promise.all(
    Array.from({ length: 100 }, () => call(project, student.token, 'POST', 'analyze-audio', body)),
  )
  const statuses = responses.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(10)
  expect(statuses.filter((status) => status === 429)).toHaveLength(90)
  const remaining = responses
    .filter(({ status }) => status === 200)
    .map(({ headers }) => Number(headers.get('ratelimit-remaining')))
  expect(remaining.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect((await student.client.from('session_analyses').select('modality')).data).toHaveLength(1)
})

test('one function’s calls take nothing from another’s', async () => {
  const student = await newStudent(project, ['audio'])
  const body = { sessionId: await newSessionId(student), audioData: audioData() }
  await post(project, student, 'analyze-audio', body)
  const { headers } = await post(project, student, 'calculate-wellbeing-score', body)
  expect(headers.get('ratelimit-remaining')).toBe('9')
})
