import { setTimeout as after } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subscribed } from '../../../harness/factories/session-channel.ts'
import {
  analyzed,
  newSessionId,
  post,
  requests,
  SESSION_FUNCTIONS,
} from '../../../harness/factories/sessions.ts'
import { newStudent, type Student } from '../../../harness/factories/students.ts'
import { type OwnStack, startOwnStack } from '../../../harness/stack/own-stack.ts'
import { localOnly, withDatabase } from '../../../harness/stack/project.ts'

const CRISIS = 'I want to kill myself and I do not know who else to tell. I have thought about it all week.'

let stack: OwnStack

// Its functions are killed by the tests alone, not at the platform's limits.
beforeAll(async () => {
  stack = await startOwnStack({ args: ['--limits', 'off'] })
})

afterAll(() => stack.stop())

/** How many of each thing that belongs to one result there are. */
async function counts(student: Student, session: string) {
  return withDatabase(stack, async (sql) => {
    const [row] = await sql`
      select (select count(*)::int from public.session_analyses where session_id = ${session}) as analyses,
        (select count(*)::int from public.clinical_reviews where source_id = ${session}) as reviews,
        (select count(*)::int from private.outbox where user_id = ${student.id}) as messages`
    return row
  })
}

test(
  'a function that is killed at any moment leaves all of its result or none, and a repeated call completes it',
  localOnly('kills functions'),
  async () => {
    const seen = new Set<number>()
    for (const afterMs of [0, 1, 2, 3, 4, 6, 9, 14]) {
      const student = await newStudent(stack, ['text'])
      const session = await newSessionId(student)
      const request = { sessionId: session, conversationText: CRISIS }
      // Starts the process, so that the next call is at work when it is killed. Of nothing that is acted on though it is refused.
      await post(stack, student, 'analyze-text', {
        sessionId: crypto.randomUUID(),
        conversationText: 'A quiet day: lectures, and dinner with friends.',
      })
      const { functions } = await stack.processes()
      const pid = functions.get('analyze-text')
      if (pid === undefined) throw new Error('The function does not run')

      const lost = post(stack, student, 'analyze-text', request).catch(() => null)
      await after(afterMs)
      process.kill(pid, 'SIGKILL')
      await lost
      // A statement that the database has begun still ends, with or without its caller.
      await expect.poll(() => statementsUnderWay()).toBe(0)
      const left = await counts(student, session)
      expect([0, 1]).toContain(left?.analyses)
      expect(left).toEqual({ analyses: left?.analyses, reviews: left?.analyses, messages: left?.analyses })
      seen.add(left?.analyses)

      const { status } = await post(stack, student, 'analyze-text', request)
      expect(status).toBe(200)
      expect(await counts(student, session)).toEqual({ analyses: 1, reviews: 1, messages: 1 })
    }
    expect([...seen], 'no moment was before the result was stored').toContain(0)
  },
)

function statementsUnderWay(): Promise<number> {
  return withDatabase(stack, async (sql) => {
    const [row] = await sql<[{ active: number }]>`
      select count(*)::int as active from pg_stat_activity
      where application_name = 'analyze-text' and state <> 'idle'`
    return row.active
  })
}

/** Does something while a function of the database is not to be found. */
async function without<Result>(signature: string, run: () => Promise<Result>): Promise<Result> {
  const [name, parameters] = signature.split('(')
  await withDatabase(stack, (sql) => sql.unsafe(`alter function private.${signature} rename to ${name}_gone`))
  try {
    return await run()
  } finally {
    await withDatabase(stack, (sql) =>
      sql.unsafe(`alter function private.${name}_gone(${parameters} rename to ${name}`),
    )
  }
}

test('a limiter that cannot be asked lets nothing through', localOnly('kills functions'), async () => {
  const student = await newStudent(stack)
  const session = await newSessionId(student)
  await without('consume_user_rate_limit(uuid, text)', async () => {
    for (const name of SESSION_FUNCTIONS) {
      const { status, body } = await post(stack, student, name, await requests[name](session))
      expect({ status, code: body.code }).toEqual({ status: 500, code: 'internal_error' })
    }
  })
  expect((await student.client.from('session_analyses').select('modality')).data).toEqual([])
})

test(
  'a failure on our side is announced on the session’s channel and returned without internals',
  localOnly('kills functions'),
  async () => {
    const student = await newStudent(stack, ['audio'])
    const session = await newSessionId(student)
    const heard: unknown[] = []
    const channel = student.client.channel(`assessment:${session}`, { config: { private: true } })
    channel.on('broadcast', { event: 'error' }, ({ payload }) => heard.push(payload))
    await subscribed(channel)
    const request = await requests['analyze-audio'](session)
    const { status, body } = await without('store_session_analysis(uuid, uuid, jsonb)', () =>
      post(stack, student, 'analyze-audio', request),
    )
    expect({ status, code: body.code }).toEqual({ status: 500, code: 'internal_error' })
    expect(JSON.stringify(body)).not.toMatch(/store_session_analysis|function|postgres/)
    await expect.poll(() => heard.length).toBe(1)
    expect(heard[0]).toMatchObject({
      session_id: session,
      analysis_type: 'audio',
      error: 'Something went wrong on our side. Try again.',
    })
    await student.client.removeAllChannels()
    await analyzed(stack, student, 'analyze-audio', session)
  },
)
