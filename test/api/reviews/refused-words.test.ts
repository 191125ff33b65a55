import { describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { scored, startWith } from '../../../harness/factories/check-ins.ts'
import { whilePolicy } from '../../../harness/factories/security-policies.ts'
import { newSession } from '../../../harness/factories/sessions.ts'
import { newStudent, type Student } from '../../../harness/factories/students.ts'
import { serviceClient, withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')
const service = serviceClient(project)
const CRISIS = 'I will kill myself tonight.'
const CALM = 'I walked to the lake with a friend and slept well.'

/** A student with something under way in which they can say something. */
async function underWay(kind: 'check-in' | 'session' | 'transcript', consents = ['text' as const]) {
  const student = await newStudent(project, consents)
  const post = (path: string, body: object) => call(project, student.token, 'POST', path, body)
  switch (kind) {
    case 'check-in': {
      const { id } = await startWith(project, student, {})
      const says = (transcript: string) => post(`checkins/${id}/complete`, { transcript })
      return { student, id, source: 'check_in', says }
    }
    case 'session': {
      const { id } = await newSession(student.client)
      const says = (conversationText: string) => post('analyze-text', { sessionId: id, conversationText })
      return { student, id, source: 'session', says }
    }
    case 'transcript':
      return {
        student,
        id: student.id,
        source: 'transcript',
        says: (transcript: string) => post('api/textmodel/analyze-text', { transcript }),
      }
  }
}

const loseRole = ({ id }: Student) => service.from('user_roles').delete().eq('user_id', id)

const useUp = ({ id }: Student) =>
  withDatabase(
    project,
    (sql) => sql`
      insert into private.rate_limit_uses (subject, scope, used_at)
      select ${id}, scope, array_agg(now()) from private.rate_limit_rules, generate_series(1, requests)
      where scope in ('check-in-complete', 'analyze-text', 'textmodel')
      group by scope
      on conflict (subject, scope) do update set used_at = excluded.used_at`,
  )

const ban = ({ id }: Student) => service.auth.admin.updateUserById(id, { ban_duration: '1h' })

function reviewsOf({ id }: Student) {
  return withDatabase(
    project,
    (sql) => sql`
      select r.source, r.source_id, r.university_id, r.risk_level, m.recipient
      from public.clinical_reviews r left join private.outbox m on m.user_id = r.user_id and m.purpose = 'clinical_review'
      where r.user_id = ${id}`,
  )
}

const ENDS: [string, (student: Student) => PromiseLike<unknown>, { status: number; code: string }][] = [
  ['whose role went', loseRole, { status: 403, code: 'forbidden' }],
  ['who called too often', useUp, { status: 429, code: 'rate_limited' }],
  ['who is banned', ban, { status: 401, code: 'unauthorized' }],
]

describe.each(ENDS)('the words of a student %s', (_, end, { status, code }) => {
  test.each(['check-in', 'session', 'transcript'] as const)(
    'in a %s open a review, and help is named',
    async (kind) => {
      const { student, id, source, says } = await underWay(kind)
      await end(student)
      const { body, status: given } = await says(CRISIS)
      expect({ given, code: body.code }).toEqual({ given: status, code })
      expect(body.details).toMatchObject({
        crisis_resources: expect.arrayContaining([expect.objectContaining({ name: 'Emergency services' })]),
      })
      expect(await reviewsOf(student)).toEqual([
        {
          source,
          source_id: id,
          university_id: 'northfield',
          risk_level: 'high',
          recipient: 'support@northfield.example.edu',
        },
      ])
    },
  )
})

describe('words of crisis', () => {
  test('are acted on where a security policy refuses the call', async () => {
    const { student, id, says } = await underWay('check-in')
    const conditions = { field: 'path', op: 'eq', value: `/checkins/${id}/complete` }
    const answer = await whilePolicy(project, { conditions, actions: [{ action: 'require_mfa' }] }, () =>
      says(CRISIS),
    )
    expect(answer.body).toMatchObject({
      code: 'mfa_required',
      details: { crisis_resources: expect.any(Array) },
    })
    expect(await reviewsOf(student)).toMatchObject([{ source: 'check_in', risk_level: 'high' }])
  })

  test('count in a session that is refused as they do in one that is not', async () => {
    const { student, says } = await underWay('session')
    await useUp(student)
    await says('Student: I feel hopeless nearly every day.')
    expect(await reviewsOf(student)).toMatchObject([{ source: 'session', risk_level: 'moderate' }])
  })

  test('are acted on in a body that is not valid', async () => {
    const { student, id } = await underWay('check-in')
    const path = `checkins/${id}/complete`
    const answer = await call(project, student.token, 'POST', path, { transcript: CRISIS, mood_score: 11 })
    expect(answer.body).toMatchObject({
      code: 'invalid_parameters',
      details: { issues: expect.any(Array), crisis_resources: expect.any(Array) },
    })
    expect(await reviewsOf(student)).toMatchObject([{ source: 'check_in', risk_level: 'high' }])
  })

  test('are acted on where the check-in is somebody else’s', async () => {
    const [{ student }, { id }] = await Promise.all([underWay('transcript'), underWay('check-in')])
    const answer = await call(project, student.token, 'POST', `checkins/${id}/complete`, {
      transcript: CRISIS,
    })
    expect(answer.body).toMatchObject({
      code: 'check_in_not_found',
      details: { crisis_resources: expect.any(Array) },
    })
    expect(await reviewsOf(student)).toMatchObject([{ source: 'transcript', source_id: student.id }])
  })

  test('are acted on where the check-in has been submitted with others', async () => {
    const { student, id, says } = await underWay('check-in')
    await scored(project, student, id, { transcript: CALM })
    expect(await reviewsOf(student)).toEqual([])
    expect((await says(CRISIS)).status).toBe(200)
    expect(await reviewsOf(student)).toMatchObject([{ source: 'check_in', risk_level: 'high' }])
  })

  test('are acted on while the account waits to be erased', async () => {
    const { student, says } = await underWay('check-in')
    await withDatabase(project, (sql) => sql`select private.request_erasure(${student.id})`)
    expect((await says(CRISIS)).status).toBe(200)
    expect(await reviewsOf(student)).toMatchObject([{ source: 'check_in', risk_level: 'high' }])
  })

  test('of a student without consent to the analysis of text are not looked at, and help is named', async () => {
    const { student, says } = await underWay('check-in', [])
    expect((await says(CALM)).body).toMatchObject({
      code: 'consent_required',
      details: { kind: 'text', crisis_resources: expect.any(Array) },
    })
    expect(await reviewsOf(student)).toEqual([])
  })

  test('of somebody who signed out are not acted on', async () => {
    const { student, says } = await underWay('check-in')
    await student.client.auth.signOut()
    const { body } = await says(CRISIS)
    expect(body).toEqual({ error: expect.any(String), code: 'unauthorized', timestamp: expect.any(String) })
    expect(await reviewsOf(student)).toEqual([])
  })
})

test('calm words that are refused change nothing in the answer', async () => {
  const { student, says } = await underWay('check-in')
  await loseRole(student)
  const { body } = await says(CALM)
  expect(body).toEqual({ error: expect.any(String), code: 'forbidden', timestamp: expect.any(String) })
})
