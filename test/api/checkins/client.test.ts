import { describe, expect, inject, test } from 'vitest'
import { problemsOf, servedDocument } from '../../../harness/client/described-response.ts'
import { type ApiClient, apiClient } from '../../../harness/client/openapi-client.ts'
import {
  ended,
  groupPhotograph,
  speech,
  startWith,
  transcriptOf,
} from '../../../harness/factories/check-ins.ts'
import { newSessionId, requests } from '../../../harness/factories/sessions.ts'
import { newStudent } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')
const STRANGER = '00000000-0000-4000-8000-000000000000'

/** A student who has agreed to everything, and their client. */
async function newCaller() {
  const student = await newStudent(project)
  return { student, api: apiClient(project, student.token) }
}

// The client compares each answer with the document, so these tests say little of what it holds.
describe('the answers of a check-in are as described', () => {
  test('from its start to its result', async () => {
    const student = await newStudent(project, ['audio', 'text'])
    const api = apiClient(project, student.token)
    const path = { id: (await startWith(project, student, { audio: speech('short.wav') })).id }
    const created = await api.GET('/checkins/{id}', { params: { path } })
    expect(created.data).toMatchObject({ status: 'created', completed_at: null, uploads: { images: [] } })
    const current = await api.GET('/checkins/current', { params: { query: { type: 'daily' } } })
    expect(current.data?.check_in).toEqual(created.data)
    const body = { transcript: transcriptOf('positive'), mood_score: 7, conversation_duration: 60 }
    const { data } = await api.POST('/checkins/{id}/complete', { params: { path }, body })
    expect(data).toEqual({ id: path.id, status: 'processing' })
    await ended(project, student, path.id)
    const complete = await api.GET('/checkins/{id}', { params: { path } })
    expect(complete.data?.result?.components.map(({ modality }) => modality)).toContain('text')
  })

  test('when it starts with and without a camera', async () => {
    const { api } = await newCaller()
    expect(
      (await api.POST('/checkins/start', { body: { type: 'daily' } })).data?.uploads.images,
    ).toHaveLength(12)
    const without = apiClient(project, (await newStudent(project, [])).token)
    const { data } = await without.POST('/checkins/start', { body: { type: 'on_demand' } })
    expect(data?.uploads).toEqual({ audio: null, images: [] })
  })

  test('when it fails', async () => {
    const student = await newStudent(project, ['text'])
    const api = apiClient(project, student.token)
    const { data } = await api.POST('/checkins/start', { body: { type: 'weekly' } })
    const path = { id: data?.id ?? '' }
    await api.POST('/checkins/{id}/complete', { params: { path }, body: { transcript: 'Fine.' } })
    await ended(project, student, path.id)
    const failed = await api.GET('/checkins/{id}', { params: { path } })
    expect(failed.data).toMatchObject({
      status: 'failed',
      error: {
        code: 'nothing_to_score',
        reason: 'too_short',
        message: expect.stringContaining('too few words'),
      },
    })
    const current = await api.GET('/checkins/current')
    expect(current.data).toEqual({ check_in: null })
  })

  test('when it is refused', async () => {
    const { api } = await newCaller()
    const { data } = await api.POST('/checkins/start', { body: { type: 'daily' } })
    const path = { id: data?.id ?? '' }
    const errors = await Promise.all([
      apiClient(project, null).POST('/checkins/start', { body: { type: 'daily' } }),
      api.POST('/checkins/{id}/complete', { params: { path }, body: {} }),
      api.POST('/checkins/{id}/complete', { params: { path }, body: { mood_score: 11 } }),
      api.GET('/checkins/{id}', { params: { path: { id: STRANGER } } }),
      api.GET('/checkins/{id}', { params: { path: { id: 'not-an-id' } } }),
    ])
    expect(errors.map(({ error }) => error?.code)).toEqual([
      'unauthorized',
      'nothing_uploaded',
      'invalid_parameters',
      'check_in_not_found',
      'invalid_parameters',
    ])
  })
})

test('the answer is as described when as many were submitted as a day allows, and the check-in stays open', async () => {
  const { student, api } = await newCaller()
  await withDatabase(
    project,
    (sql) => sql`
      insert into private.rate_limit_uses (subject, scope, used_at)
      select ${student.id}, scope, array_fill(now(), array[daily_requests])
      from private.rate_limit_rules where scope = 'check-in-submission'`,
  )
  const { data } = await api.POST('/checkins/start', { body: { type: 'daily' } })
  const path = { id: data?.id ?? '' }
  const body = { transcript: transcriptOf('positive') }
  const { error, response } = await api.POST('/checkins/{id}/complete', { params: { path }, body })
  expect(error).toMatchObject({ code: 'rate_limited', details: { retry_after_s: expect.any(Number) } })
  // Until the student's next midnight, of a day of up to 25 hours.
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(25 * 3600)
  expect((await api.GET('/checkins/current')).data?.check_in?.status).toBe('created')
})

describe('the answers of a session’s calls are as described', () => {
  /** The four calls of a session, in their order. */
  async function allOf(api: ApiClient, sessionId: string) {
    return [
      await api.POST('/analyze-audio', { body: await requests['analyze-audio'](sessionId) }),
      await api.POST('/analyze-visual', { body: await requests['analyze-visual'](sessionId) }),
      await api.POST('/analyze-text', { body: await requests['analyze-text'](sessionId) }),
      await api.POST('/calculate-wellbeing-score', { body: { sessionId } }),
    ]
  }

  test('when all goes well', async () => {
    const { student, api } = await newCaller()
    const answers = await allOf(api, await newSessionId(student))
    expect(answers.map(({ response }) => response.status)).toEqual([200, 200, 200, 200])
  })

  test('when the still shows several people', async () => {
    const { student, api } = await newCaller()
    const sessionId = await newSessionId(student)
    const { visualSummary } = await requests['analyze-visual'](sessionId)
    const imageData = Buffer.from(groupPhotograph().bytes).toString('base64')
    const { data } = await api.POST('/analyze-visual', { body: { sessionId, imageData, visualSummary } })
    expect(data?.analysis_summary.primary_emotion).toBe('unknown')
  })

  test('when the session is somebody else’s', async () => {
    const { api } = await newCaller()
    const answers = await allOf(api, STRANGER)
    expect(answers.map(({ error }) => error?.code)).toEqual(Array(4).fill('session_not_found'))
  })

  test('when there are no analyses yet, or no consent', async () => {
    const { student, api } = await newCaller()
    const incomplete = await api.POST('/calculate-wellbeing-score', {
      body: { sessionId: await newSessionId(student) },
    })
    expect(incomplete.error?.code).toBe('analyses_incomplete')
    const silent = await newStudent(project, [])
    const refused = await allOf(apiClient(project, silent.token), await newSessionId(silent))
    expect(refused.map(({ error }) => error?.code)).toEqual(Array(4).fill('consent_required'))
  })
})

describe('the answers of the text model are as described', () => {
  test('for words of every tone, with and without a mood', async () => {
    const { api } = await newCaller()
    for (const transcript of [
      'I slept well and walked to the lake with a friend.',
      'My mood is a three out of ten, and I cannot sleep before the exams.',
      'I want to kill myself.',
      '今日はとても元気です。',
    ]) {
      const { response } = await api.POST('/api/textmodel/analyze-text', { body: { transcript } })
      expect(response.status).toBe(200)
    }
  })

  test('when they are refused', async () => {
    const { api } = await newCaller()
    const silent = apiClient(project, (await newStudent(project, [])).token)
    const transcript = 'I walked to the lake.'
    const errors = [
      await api.POST('/api/textmodel/analyze-text', { body: { transcript: ' ' } }),
      await api.POST('/api/textmodel/analyze-text', {
        body: { transcript, context: { checkinId: STRANGER } },
      }),
      await silent.POST('/api/textmodel/analyze-text', { body: { transcript } }),
    ]
    expect(errors.map(({ error }) => error?.code)).toEqual([
      'invalid_parameters',
      'check_in_not_found',
      'consent_required',
    ])
  })

  test('when the limit is reached', async () => {
    const { student, api } = await newCaller()
    await withDatabase(
      project,
      (sql) => sql`
        insert into private.rate_limit_uses (subject, scope, used_at)
        select ${student.id}, scope, array_fill(now(), array[requests])
        from private.rate_limit_rules where scope = 'textmodel'`,
    )
    const { error } = await api.POST('/api/textmodel/analyze-text', { body: { transcript: 'I walked.' } })
    expect(error?.code).toBe('rate_limited')
  })
})

test('the answers of the workers are as described', async () => {
  const secret = await withDatabase(project, async (sql) => {
    const [row] =
      await sql`select decrypted_secret from vault.decrypted_secrets where name = 'pipeline_secret'`
    return String(row?.decrypted_secret)
  })
  const api = apiClient(project, secret)
  const body = {
    type: 'INSERT',
    schema: 'private',
    table: 'analysis_jobs',
    record: { id: STRANGER },
  } as const
  const answers = [
    await api.POST('/pipeline-audio', { body }),
    await api.POST('/pipeline-visual', { body }),
    await api.POST('/pipeline-text', { body }),
    await api.POST('/pipeline-crisis', { body }),
    await api.POST('/pipeline-transcription', { body }),
    await api.POST('/pipeline-fusion', { body }),
    await api.POST('/deliver-messages', { body: { type: 'UPDATE', schema: 'private', table: 'outbox' } }),
    await api.POST('/remove-objects', {
      body: { type: 'UPDATE', schema: 'private', table: 'object_removals' },
    }),
  ]
  expect(answers.map(({ response }) => response.status)).toEqual(Array(8).fill(202))
  const stranger = await apiClient(project, null).POST('/pipeline-text', { body })
  expect(stranger.error?.code).toBe('unauthorized')
})

describe('an answer that is not as described', () => {
  const start = { path: '/checkins/start', method: 'POST' }
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'api-version': '2.0',
    'x-request-id': 'an-invented-id',
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  }
  const error = { error: 'Sign in.', code: 'unauthorized', timestamp: '2026-11-21T09:00:00.000Z' }
  const problems = async (body: unknown, init: ResponseInit) =>
    problemsOf(await servedDocument(project), start, new Response(JSON.stringify(body), init))

  test('is found, and one that is, is not', async () => {
    expect(await problems(error, { status: 401, headers })).toEqual([])
    const { 'x-request-id': _, ...anonymous } = headers
    const wrong = [
      await problems({ ...error, stack: 'at …' }, { status: 401, headers }),
      await problems({ ...error, code: 'rate_limited' }, { status: 401, headers }),
      await problems({ code: 'unauthorized' }, { status: 401, headers }),
      await problems(error, { status: 418, headers }),
      await problems(error, { status: 401, headers: anonymous }),
      await problems(error, { status: 401, headers: { ...headers, 'content-type': 'text/plain' } }),
      await problems({ id: 'not-an-id' }, { status: 200, headers }),
      await problemsOf(await servedDocument(project), { path: '/nothing', method: 'GET' }, new Response()),
    ]
    expect(wrong.map((found) => found.length > 0)).toEqual(wrong.map(() => true))
  })
})
