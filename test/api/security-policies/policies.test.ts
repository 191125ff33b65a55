import { beforeAll, describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import {
  newPersonAt,
  newUniversity,
  ofUniversity,
  unusedPolicy,
} from '../../../harness/factories/security-policies.ts'
import { newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

let security: Student
beforeAll(async () => {
  security = await newStaff(project, 'security_admin')
})

const path = 'api/security/policies'
const create = (body: object, token = security.token) => call(project, token, 'POST', path, body)
const change = (id: string, body: object) => call(project, security.token, 'PUT', `${path}/${id}`, body)
const evaluate = (body: object) => call(project, security.token, 'POST', `${path}/evaluate`, body)
const statistics = () => call(project, security.token, 'GET', `${path}/statistics`)

type Listed = { id: string; [member: string]: unknown }
const found = (list: unknown, id: string) => (list as Listed[]).find((one) => one.id === id)

describe('a security administrator', () => {
  test('creates a policy with the specification’s titles, changes it, and is in the audit log', async () => {
    const { status, body } = await create({
      ...unusedPolicy,
      category: 'Access Control',
      type: 'Preventive',
      actions: ['Block Access', { action: 'Apply Rate Limits', requests: 5, period: 60 }],
    })
    expect([status, body]).toEqual([
      200,
      {
        ...unusedPolicy,
        id: expect.stringMatching(/^pol_[0-9a-f]{32}$/),
        category: 'access_control',
        type: 'preventive',
        actions: [{ action: 'block_access' }, { action: 'apply_rate_limits', requests: 5, period: 60 }],
        enforcement_points: ['request', 'sign_in'],
        dry_run: false,
        trigger_count: 0,
        last_triggered: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ])
    const id = String(body.id)
    const changed = await change(id, { priority: 7, dry_run: true })
    expect(changed.body).toMatchObject({
      ...body,
      priority: 7,
      dry_run: true,
      updated_at: expect.any(String),
    })
    const { data } = await security.client.rpc('read_audit_log', { target_id: id })
    expect(data?.toReversed()).toMatchObject([
      { action: 'settings_changed', actor_id: security.id, target_type: 'security_policies' },
      { before: { priority: 1, dry_run: false }, after: { priority: 7, dry_run: true } },
    ])
  })

  test('lists policies page by page, in their order', async () => {
    const first = await create({ ...unusedPolicy, name: 'First', priority: 998 })
    const second = await create({ ...unusedPolicy, name: 'Second', priority: 999 })
    const { body } = await call(project, security.token, 'GET', `${path}?limit=200`)
    const names = (body.policies as Listed[]).map(({ id }) => id)
    expect(names.indexOf(String(first.body.id))).toBeLessThan(names.indexOf(String(second.body.id)))
    const page = await call(project, security.token, 'GET', `${path}?limit=1&offset=1000000`)
    expect(page.body).toEqual({ policies: [], total: expect.any(Number), limit: 1, offset: 1_000_000 })
  })

  test.each([
    ['a policy that there is not', 'pol_nowhere', { enabled: false }, 404, 'policy_not_found'],
    ['an id that is none', 'inc_1', { enabled: false }, 400, 'invalid_parameters'],
    ['nothing', 'pol_staff_second_factor', {}, 400, 'invalid_parameters'],
    ['a count', 'pol_staff_second_factor', { trigger_count: 0 }, 400, 'invalid_parameters'],
    [
      'actions that there are not',
      'pol_staff_second_factor',
      { actions: ['Shout'] },
      400,
      'invalid_parameters',
    ],
    [
      'actions that lack a member',
      'pol_staff_second_factor',
      { actions: ['Apply Rate Limits'] },
      400,
      'policy_invalid',
    ],
  ])('cannot change %s', async (_, id, body, status, code) => {
    const response = await change(id, body)
    expect([response.status, response.body.code]).toEqual([status, code])
  })

  test.each([
    ['POST', path, unusedPolicy],
    ['GET', path, undefined],
    ['PUT', `${path}/pol_staff_second_factor`, { enabled: false }],
    ['POST', `${path}/evaluate`, { context: {} }],
    ['GET', `${path}/statistics`, undefined],
  ])('alone may %s %s', async (method, address, body) => {
    for (const person of [await newStudent(project, []), await newStaff(project, 'university_admin')]) {
      const response = await call(project, person.token, method, address, body)
      expect([response.status, response.body.code]).toEqual([403, 'forbidden'])
    }
  })
})

describe('evaluating a context', () => {
  test('tells what becomes of it, which policy decides, and which conditions hold', async () => {
    const university = await newUniversity(project)
    const counselor = await newPersonAt(project, university, 'counselor')
    const stored = await create({
      ...unusedPolicy,
      enabled: true,
      priority: 30,
      conditions: {
        all: [
          ofUniversity(university),
          {
            any: [
              { field: 'path', op: 'starts_with', value: '/api/students' },
              { not: { field: 'hour', op: 'lt', value: 6 } },
            ],
          },
        ],
      },
      actions: ['require_mfa', 'log_events'],
    })
    const dry = await create({
      ...unusedPolicy,
      enabled: true,
      dry_run: true,
      priority: 20,
      conditions: ofUniversity(university),
      actions: ['block_access'],
    })
    const id = String(stored.body.id)
    const context = { account: counselor.id, path: '/api/training', hour: 12 }
    const { body } = await evaluate({ context })
    expect(body).toMatchObject({ decision: 'require_mfa', decided_by: id })
    expect(found(body.policies, id)).toEqual({
      id,
      name: 'Invented',
      priority: 30,
      dry_run: false,
      holds: true,
      conditions: {
        holds: true,
        all: [
          { ...ofUniversity(university), holds: true },
          {
            holds: true,
            any: [
              { field: 'path', op: 'starts_with', value: '/api/students', holds: false },
              { holds: true, not: { field: 'hour', op: 'lt', value: 6, holds: false } },
            ],
          },
        ],
      },
      actions: [
        { action: 'require_mfa', outcome: 'in_force' },
        { action: 'log_events', outcome: 'would_act' },
      ],
    })
    expect(found(body.policies, String(dry.body.id))).toMatchObject({
      holds: true,
      actions: [{ action: 'block_access', outcome: 'dry_run' }],
    })
    expect((await evaluate({ context: { ...context, aal: 'aal2' } })).body).toMatchObject({
      decision: 'allow',
      decided_by: null,
    })
    const asleep = await evaluate({ context: { ...context, hour: 3 } })
    expect(found(asleep.body.policies, id)).toMatchObject({
      holds: false,
      actions: [
        { action: 'require_mfa', outcome: 'not_triggered' },
        { action: 'log_events', outcome: 'not_triggered' },
      ],
    })
    // Twice it held.
    expect(found((await statistics()).body.most_triggered, id)?.triggered ?? 2).toBe(2)
    for (const policy of [id, String(dry.body.id)]) await change(policy, { enabled: false })
  })

  test('acts only when it is told to', async () => {
    const university = await newUniversity(project)
    const person = await newPersonAt(project, university)
    const stored = await create({
      ...unusedPolicy,
      enabled: true,
      conditions: ofUniversity(university),
      actions: ['disable_users', 'send_alerts', 'create_audit_trails'],
    })
    const id = String(stored.body.id)
    const bannedUntil = () =>
      withDatabase(project, async (sql) => {
        const [row] = await sql`select banned_until from auth.users where id = ${person.id}`
        return row?.banned_until
      })
    const outcomes = async (enforce: boolean) => {
      const { body } = await evaluate({ context: { account: person.id, address: '203.0.113.80' }, enforce })
      const { actions } = Object(found(body.policies, id))
      return (actions as { outcome: string }[]).map(({ outcome }) => outcome)
    }
    expect(await outcomes(false)).toEqual(['would_act', 'would_act', 'would_act'])
    expect(await bannedUntil()).toBeNull()
    expect(await outcomes(true)).toEqual(['done', 'done', 'done'])
    expect(await bannedUntil()).not.toBeNull()
    const { data } = await security.client.rpc('read_audit_log', {
      action: 'policy_triggered',
      target_id: id,
    })
    expect(data).toHaveLength(1)
    await change(id, { enabled: false })
  })

  test('without a person to disable says so', async () => {
    const stored = await create({
      ...unusedPolicy,
      enabled: true,
      conditions: { field: 'user_agent', op: 'eq', value: 'nobody’s' },
      actions: ['disable_users'],
    })
    const { body } = await evaluate({ context: { user_agent: 'nobody’s' }, enforce: true })
    expect(found(body.policies, String(stored.body.id))?.actions).toEqual([
      { action: 'disable_users', outcome: 'failed', detail: 'Nobody is signed in.' },
    ])
    await change(String(stored.body.id), { enabled: false })
  })
})

test('statistics count policies by category and action, and how often they applied', async () => {
  const university = await newUniversity(project)
  const stored = await create({
    ...unusedPolicy,
    enabled: true,
    conditions: ofUniversity(university),
    actions: ['log_events'],
  })
  const id = String(stored.body.id)
  for (let times = 0; times < 3; times++) await evaluate({ context: { university: [university] } })
  const { body } = await statistics()
  expect(body).toMatchObject({
    policies: expect.any(Number),
    by_category: { monitoring: expect.any(Number), compliance: expect.any(Number) },
    by_action: { log_events: expect.any(Number) },
  })
  expect(Number(body.triggered)).toBeGreaterThanOrEqual(3)
  expect(Number(body.triggered_last_30_days)).toBeGreaterThanOrEqual(3)
  await change(id, { enabled: false })
})
