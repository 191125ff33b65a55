import { readFileSync } from 'node:fs'
import { createClient } from '@supabase/supabase-js'
import type { Sql } from 'postgres'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { carriesWords, ENDPOINTS, type Endpoint, WORKERS } from '../../../harness/client/endpoints.ts'
import { ended, startWith } from '../../../harness/factories/check-ins.ts'
import { newSession } from '../../../harness/factories/sessions.ts'
import { newStudent, type Student } from '../../../harness/factories/students.ts'
import { localOnly, localStack, withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')
const SOON = { timeout: 20_000 }
const CALLS = [...ENDPOINTS, ...WORKERS]
const TRACE = expect.stringMatching(/^[0-9a-f]{32}$/)

let student: Student
beforeAll(async () => {
  student = await newStudent(project)
})

type Line = Record<string, unknown>

/** The structured lines that have this in them, such as a request's id; those of an event, or all. */
function linesOf(part: string, event?: string): Line[] {
  return readFileSync(localStack().logFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes(part))
    .map((line) => JSON.parse(line.slice(line.indexOf('{'))))
    .filter((line) => event === undefined || line.event === event)
}

/** Makes a call with headers of its own. */
function request({ method, path, body }: Endpoint, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${project.apiUrl}/functions/v1/${path}`, {
    method,
    headers: {
      apikey: project.publishableKey,
      authorization: `Bearer ${student.token}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: body && JSON.stringify(body),
  })
}

/** One call of each function: what writes the log is the same for all calls of a function. */
function oneOfEach(calls: readonly Endpoint[]): [string, Endpoint][] {
  const byFunction = new Map(calls.map((row) => [row.path.split(/[/?]/)[0], row]))
  return [...byFunction.values()].map((row) => [`${row.method} ${row.path}`, row])
}

describe.each(oneOfEach(CALLS))('%s', localOnly('reads the log'), (_, endpoint) => {
  const line = {
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    event: 'request',
    function: endpoint.path.split(/[/?]/)[0],
    method: endpoint.method,
    ms: expect.any(Number),
    trace_id: TRACE,
  }

  test('logs one line, with the id that the caller gave, which the answer has too', async () => {
    const id = `caller-${crypto.randomUUID()}`
    const answer = await request(endpoint, { 'x-request-id': id })
    expect(answer.headers.get('x-request-id')).toBe(id)
    await expect
      .poll(() => linesOf(id, 'request'), SOON)
      .toEqual([{ ...line, level: 'info', request_id: id, status: answer.status }])
  })

  test('logs one line, with an id of its own, for a call that it refuses', async () => {
    for (const given of ['', 'short', 'with space and more', `${'long'.repeat(20)}`, '<b>not-plain</b>']) {
      const answer = await request(endpoint, { authorization: '', 'x-request-id': given })
      const id = answer.headers.get('x-request-id') ?? ''
      expect(answer.status).toBe(401)
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      await expect
        .poll(() => linesOf(id), SOON)
        .toEqual([{ ...line, level: 'info', request_id: id, status: 401 }])
    }
  })

  test('logs one line for a browser’s preflight', async () => {
    const id = crypto.randomUUID()
    const answer = await request({ method: 'OPTIONS', path: endpoint.path }, { 'x-request-id': id })
    expect(answer.headers.get('x-request-id')).toBe(id)
    await expect.poll(() => linesOf(id), SOON).toMatchObject([{ ...line, method: 'OPTIONS', status: 204 }])
  })
})

describe.each(oneOfEach(ENDPOINTS))('%s, when something fails', localOnly('reads the log'), (_, endpoint) => {
  test('answers 500 in the one form, and logs what failed and the request under one id', async () => {
    // An allowance that cannot be counted: a failure of this student's alone.
    const student = await newStudent(project, [])
    await withDatabase(
      project,
      (sql) => sql`
        insert into private.rate_limit_uses (subject, scope, used_at)
        select ${student.id}, scope, '{infinity}' from private.rate_limit_rules where scope <> 'refused-words'`,
    )
    const answer = await request(endpoint, { authorization: `Bearer ${student.token}` })
    const id = answer.headers.get('x-request-id') ?? ''
    expect(answer.status).toBe(500)
    expect(await answer.json()).toEqual({
      ...endpoint.errorMembers,
      error: 'Something went wrong on our side. Nothing was lost; try again.',
      code: 'internal_error',
      timestamp: expect.any(String),
      ...(carriesWords(endpoint) && { details: { crisis_resources: expect.any(Array) } }),
    })
    expect(answer.headers.get('api-version')).toBe('2.0')
    const name = endpoint.path.split('/')[0]
    await expect
      .poll(() => linesOf(id), SOON)
      .toEqual([
        {
          time: expect.any(String),
          level: 'error',
          event: 'unexpected_error',
          function: name,
          request_id: id,
          trace_id: TRACE,
          error: 'PostgresError',
          code: '0A000',
          at: expect.stringMatching(/^at /),
        },
        {
          time: expect.any(String),
          level: 'error',
          event: 'request',
          function: name,
          request_id: id,
          trace_id: TRACE,
          method: endpoint.method,
          status: 500,
          ms: expect.any(Number),
        },
      ])
  })
})

describe('a worker', localOnly('reads the log'), () => {
  test('names its function and the request that called it in what it logs after its response', async () => {
    const writer = await newStudent(project, ['text'])
    const { id } = await startWith(project, writer, {})
    const transcript = 'I cooked with my friends on Sunday, and I slept well on most nights of this week.'
    await call(project, writer.token, 'POST', `checkins/${id}/complete`, { transcript })
    await ended(project, writer, id)
    await expect.poll(() => linesOf('"kind":"text"', 'job_done').length, SOON).toBeGreaterThan(0)
    const done = linesOf('"job_done"', 'job_done')
    for (const line of done) {
      expect(line).toEqual({
        time: expect.any(String),
        level: 'info',
        event: 'job_done',
        function: expect.stringMatching(/^pipeline-/),
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        trace_id: TRACE,
        job: expect.stringMatching(/^[0-9a-f-]{36}$/),
        kind: expect.any(String),
        attempt: expect.any(Number),
        ms: expect.any(Number),
      })
    }
    for (const { function: name, request_id: id } of new Map(
      done.map((line) => [line.kind, line]),
    ).values()) {
      await expect
        .poll(() => linesOf(String(id), 'request'), SOON)
        .toMatchObject([{ function: name, status: 202 }])
    }
  })
})

describe('a check-in', localOnly('reads the log'), () => {
  test('is one trace from its start to its score, in what starts it, each step and the webhooks', async () => {
    const writer = await newStudent(project, ['text'])
    const trace = crypto.randomUUID().replaceAll('-', '')
    const withTrace = (id: string) => ({
      authorization: `Bearer ${writer.token}`,
      traceparent: `00-${id}-00f067aa0ba902b7-01`,
    })
    const body = { type: 'daily' }
    const started = await request({ method: 'POST', path: 'checkins/start', body }, withTrace(trace))
    const { id } = await started.json()
    const transcript = 'I cooked with my friends on Sunday, and I slept well on most nights of this week.'
    // An app that begins a trace with each request: what it submits belongs to the check-in's.
    const completed = await request(
      { method: 'POST', path: `checkins/${id}/complete`, body: { transcript } },
      withTrace(crypto.randomUUID().replaceAll('-', '')),
    )
    for (const { headers } of [started, completed])
      expect(headers.get('traceparent')).toMatch(
        new RegExp(`^00-${trace}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`),
      )
    await ended(project, writer, id)

    const told = () => linesOf(trace).map((line) => [line.event, line.kind ?? line.function].join(' '))
    await expect
      .poll(told, SOON)
      .toEqual(expect.arrayContaining(['request pipeline-text', 'job_done text', 'job_done fusion']))
    expect(told().filter((line) => line === 'request checkins')).toHaveLength(2)
    const { data } = await writer.client.schema('checkin').from('check_ins').select('trace_id').eq('id', id)
    expect(data).toEqual([{ trace_id: trace }])
  })
})

/** Gives a student the whole allowance of calls back. */
function forgetCalls(sql: Sql, { id }: Student): Promise<unknown> {
  return sql`delete from private.rate_limit_uses where subject = ${id}`
}

describe('nothing personal is in the log', localOnly('reads the log'), () => {
  const mark = crypto.randomUUID().slice(0, 8)
  // Short enough to be whole in the excerpt that a JSON parser's error quotes.
  const words = `q${mark}`
  const personal = {
    firstName: `Zebulina${mark}`,
    lastName: `Quickthorn${mark}`,
    email: `zebulina.${mark}@northfield.example.edu`,
    phone: `+1-202-555-01${mark}`,
    words,
    image: Buffer.from(`picture of ${mark} `.repeat(20)).toString('base64'),
    password: `invented-${mark}-1`,
  }
  const spoken = `My name is ${personal.firstName} ${personal.lastName}, call me on ${personal.phone} or write to
    ${personal.email}. I was with ${words} at the lake and it was a good day, the best one of this week.`

  /** Bodies that are right, and wrong in each way, all full of what must not be logged. */
  function bodiesOf({ body = {} }: Endpoint, sessionId: string): unknown[] {
    const filled = Object.fromEntries(
      Object.entries(body).map(([key, value]) => {
        if (key === 'sessionId') return [key, sessionId]
        if (key === 'imageData') return [key, personal.image]
        return [key, typeof value === 'string' && key !== 'type' ? spoken : value]
      }),
    )
    return [
      filled,
      { ...filled, [words]: spoken },
      Object.fromEntries(Object.keys(filled).map((key) => [key, spoken])),
      Object.fromEntries(Object.keys(filled).map((key) => [key, { [words]: [spoken] }])),
      `{"transcript": "${words}`,
      `${words} ${spoken}`,
      [spoken],
      { transcript: `${spoken} `.repeat(5_000) },
    ]
  }

  test('of a student who signs up, checks in and runs a session, rightly and wrongly', async () => {
    const client = createClient(project.apiUrl, project.publishableKey, { auth: { persistSession: false } })
    const { firstName, lastName, email, phone, password, image } = personal
    const signedUp = await client.auth.signUp({
      email,
      password,
      options: { data: { first_name: firstName, last_name: lastName, phone } },
    })
    expect(signedUp.error).toBeNull()
    await client.auth.signInWithPassword({ email, password: words })

    const named = await newStudent(project)
    await named.client
      .from('profiles')
      .update({ first_name: firstName, last_name: lastName })
      .eq('user_id', named.id)
    const session = await newSession(named.client)
    await named.client
      .from('assessment_sessions')
      .update({ session_data: { platform: spoken } })
      .eq('id', session.id)
    // The database refuses this with the value in its words.
    await named.client
      .from('profiles')
      .update({ first_name: words.repeat(20) })
      .eq('user_id', named.id)

    const statuses: number[] = []
    await withDatabase(project, async (sql) => {
      for (const endpoint of CALLS) {
        const path = endpoint.path.replace(/[0-9a-f-]{36}/, `${words}`)
        const mark = path.includes('?') ? '&' : '?'
        const paths = path === endpoint.path ? [path, `${path}${mark}name=${firstName}&x=${words}`] : [path]
        for (const body of endpoint.body ? bodiesOf(endpoint, session.id) : [undefined]) {
          for (const address of paths) {
            await forgetCalls(sql, named)
            const answer = await call(project, named.token, endpoint.method, address, body)
            statuses.push(answer.status)
          }
        }
      }
    })
    expect(statuses).toContain(200)
    expect(statuses).toContain(400)
    expect(statuses).not.toContain(429)

    const media = { bytes: new TextEncoder().encode(image), type: 'audio/mp4' }
    await withDatabase(project, (sql) => forgetCalls(sql, named))
    const { id } = await startWith(project, named, { audio: media })
    const refused = await call(project, named.token, 'POST', `checkins/${id}/complete`, {
      transcript: spoken,
    })
    expect(refused.status).toBe(400)
    await named.client
      .from('consents')
      .update({ withdrawn_at: new Date().toISOString() })
      .eq('kind', 'camera')
    const { id: second } = await startWith(project, named, {})
    expect(second).toBe(id)
    const crisis = `${spoken} I want to kill myself tonight, ${words}.`
    const completed = await call(project, named.token, 'POST', `checkins/${second}/complete`, {
      transcript: crisis,
      // The same check-in goes on, whose recording is none.
      media: [],
    })
    expect(completed.status).toBe(200)
    expect((await ended(project, named, second)).status).toBe('complete')
    await expect
      .poll(
        () =>
          withDatabase(project, async (sql) => {
            const rows = await sql`select purpose, status from private.outbox where user_id = ${named.id}`
            return rows.map(({ purpose, status }) => `${purpose} ${status}`).sort()
          }),
        SOON,
      )
      .toEqual(['clinical_review sent', 'export sent'])

    const log = readFileSync(localStack().logFile, 'utf8').toLowerCase()
    expect(log.length).toBeGreaterThan(1000)
    for (const [what, value] of Object.entries(personal)) {
      const lines = log.split('\n').filter((line) => line.includes(value.toLowerCase()))
      expect(lines, what).toEqual([])
    }
    expect(log.includes(named.email), 'the address of the account').toBe(false)
    expect(log.includes(Buffer.from(words).toString('base64').slice(0, 12).toLowerCase())).toBe(false)
  })
})
