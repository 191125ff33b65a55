import { beforeAll, describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { newStudent, type Student } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

let student: Student

beforeAll(async () => {
  student = await newStudent(project, ['audio'])
})

const ask = (operation: string, body: unknown, token: string | null = student.token) =>
  call(project, token, 'POST', `api/database/${operation}`, body)

describe('an error', () => {
  test.each<[string, string, Record<string, unknown>, number, string, Record<string, unknown>?]>([
    ['an unknown table', 'select', { table: 'nope' }, 404, 'table_not_found'],
    [
      'an unknown table, of which only rows are counted',
      'select',
      { table: 'nope', limit: 0 },
      404,
      'table_not_found',
    ],
    ['an unknown table to change', 'delete', { table: 'nope', filters: { id: 1 } }, 404, 'table_not_found'],
    ['a table that is not exposed', 'select', { table: 'private.outbox' }, 404, 'table_not_found'],
    ['a table of Auth', 'select', { table: 'auth.users' }, 404, 'table_not_found'],
    ['a table of the catalog', 'select', { table: 'pg_catalog.pg_class' }, 404, 'table_not_found'],
    ['a table of the catalog without its schema', 'select', { table: 'pg_class' }, 404, 'table_not_found'],
    ['a function', 'select', { table: 'list_students' }, 404, 'table_not_found'],
    ['the path of functions', 'select', { table: 'rpc' }, 404, 'table_not_found'],
    [
      'an unknown column to read',
      'select',
      { table: 'consents', columns: 'id,nope' },
      400,
      'unknown_column',
      { column: 'nope' },
    ],
    [
      'an unknown column to filter by',
      'select',
      { table: 'consents', filters: { nope: 1 } },
      400,
      'unknown_column',
      { column: 'nope' },
    ],
    [
      'an unknown column to order by',
      'select',
      { table: 'consents', orderBy: [{ column: 'nope' }] },
      400,
      'unknown_column',
      { column: 'nope' },
    ],
    [
      'an unknown column to write',
      'insert',
      { table: 'consents', data: { nope: 1 } },
      400,
      'unknown_column',
      { column: 'nope' },
    ],
    [
      'constructor as a column',
      'insert',
      { table: 'consents', data: { constructor: 1 } },
      400,
      'unknown_column',
      { column: 'constructor' },
    ],
    [
      'another table as a column',
      'select',
      { table: 'profiles', columns: 'consents' },
      400,
      'unknown_column',
    ],
    [
      'a value of another type',
      'select',
      { table: 'consents', filters: { id: 'x' } },
      400,
      'invalid_value',
      { type: 'uuid' },
    ],
    [
      'a value that is not of the enum',
      'insert',
      { table: 'consents', data: { kind: 'secrets', version: '1' } },
      400,
      'invalid_value',
    ],
    [
      'an operator that the type lacks',
      'select',
      { table: 'consents', filters: { id: { ilike: 'a%' } } },
      400,
      'invalid_value',
    ],
    [
      'a consent that is in force already',
      'insert',
      { table: 'consents', data: { kind: 'audio', version: '2026-11' } },
      409,
      'consent_given',
    ],
    [
      'a consent to a text that does not exist',
      'insert',
      { table: 'consents', data: { kind: 'text', version: 'banana' } },
      400,
      'consent_version_unknown',
    ],
    [
      'a row that breaks a check',
      'insert',
      { table: 'assessment_sessions', data: { assessment_type: 'daily', session_data: [] } },
      400,
      'constraint_violated',
      { kind: 'check', constraint: 'assessment_sessions_session_data_object' },
    ],
    [
      'a row without a needed column',
      'insert',
      { table: 'consents', data: { kind: 'text' } },
      400,
      'constraint_violated',
      { kind: 'not-null', column: 'version' },
    ],
    ['a table that nobody writes', 'insert', { table: 'universities', data: { id: 'a' } }, 403, 'forbidden'],
    [
      'a role for oneself',
      'insert',
      { table: 'user_roles', data: { role: 'security_admin' } },
      403,
      'forbidden',
    ],
    [
      'a column that one may not change',
      'update',
      { table: 'profiles', data: { university_id: null }, filters: { university_id: 'northfield' } },
      403,
      'forbidden',
    ],
    [
      'results of one’s own',
      'delete',
      { table: 'checkin.fusion_results', filters: { score: { gte: 0 } } },
      403,
      'forbidden',
    ],
    ['the audit log', 'delete', { table: 'audit_logs', filters: { id: { gt: 0 } } }, 403, 'forbidden'],
    [
      'filters of more than an address holds',
      'select',
      { table: 'consents', filters: { version: Array(700).fill('12345678') } },
      400,
      'query_too_long',
    ],
    [
      'columns of more than an address holds',
      'insert',
      {
        table: 'consents',
        data: [
          Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`c${'o'.repeat(50)}${i}`, 1])),
          { kind: 'text' },
        ],
      },
      400,
      'query_too_long',
    ],
    ['a body without a table', 'select', {}, 400, 'invalid_parameters'],
  ])('of %s', async (_, operation, body, status, code, details) => {
    const answer = await ask(operation, body)
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code })
    expect(answer.body).toEqual({
      data: null,
      count: null,
      error: expect.stringMatching(/^[A-Z]/),
      code,
      ...(details ? { details } : answer.body.details !== undefined && { details: expect.any(Object) }),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
  })

  test('of a change that a rule of the schema forbids says that rule', async () => {
    const person = await newStudent(project, ['camera'])
    const withdraw = (filters: Record<string, unknown>) =>
      ask('update', { table: 'consents', data: { withdrawn_at: '2001-01-01' }, filters }, person.token)
    expect((await withdraw({ kind: 'camera' })).body.count).toBe(1)
    const [consent] = await withDatabase(
      project,
      (sql) =>
        sql`select withdrawn_at > now() - interval '1 hour' as now from public.consents where user_id = ${person.id}`,
    )
    expect(consent).toEqual({ now: true })
  })

  test('never repeats a value', async () => {
    const secret = 'Robin-Field-4711'
    const answers = await Promise.all([
      ask('select', { table: 'consents', filters: { id: secret } }),
      ask('select', { table: 'consents', filters: { kind: [secret] } }),
      ask('insert', { table: 'consents', data: { kind: secret, version: '1' } }),
      ask('insert', { table: 'consents', data: { kind: 'text', version: `${secret} ` } }),
      ask('update', {
        table: 'profiles',
        data: { first_name: secret.repeat(10) },
        filters: { user_id: student.id },
      }),
    ])
    for (const { status, body } of answers) {
      expect(status).toBe(400)
      expect(JSON.stringify(body)).not.toContain(secret)
    }
  })

  test('to a caller who is not or no longer signed in has the same shape', async () => {
    const gone = await newStudent(project, [])
    await withDatabase(project, (sql) => sql`delete from auth.users where id = ${gone.id}`)
    for (const token of [null, 'nonsense', project.publishableKey, `${student.token}x`, gone.token]) {
      const { status, body } = await ask('select', { table: 'consents' }, token)
      expect(status).toBe(401)
      expect(body).toMatchObject({ data: null, count: null, code: 'unauthorized' })
    }
  })

  test('of a body that is none, or too large, or too deep, has the same shape', async () => {
    const bodies: [unknown, string][] = [
      ['{', 'invalid_json'],
      ['[]', 'invalid_parameters'],
      ['null', 'invalid_parameters'],
      ['"consents"', 'invalid_parameters'],
      [{ table: 'consents', columns: 'x'.repeat(1_000_001) }, 'body_too_large'],
      [`{"table":${'['.repeat(70)}${']'.repeat(70)}}`, 'invalid_json'],
      ['{"table":"consents","filters":{"kind":"audio","__proto__":{"x":1}}}', 'invalid_parameters'],
      [{ table: 'consents', filters: { version: 'a\0' } }, 'invalid_parameters'],
      ['{"table":"consents","filters":{"version":"\\ud800"}}', 'invalid_parameters'],
    ]
    for (const [body, code] of bodies) {
      const answer = await ask('select', body)
      expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code })
      expect(answer.body).toMatchObject({ data: null, count: null })
    }
  })

  test('of another method names it', async () => {
    for (const path of ['select', 'insert', 'update', 'delete', 'setup-tables']) {
      const { status, body } = await call(project, student.token, 'GET', `api/database/${path}`)
      expect({ path, status, code: body.code }).toEqual({ path, status: 405, code: 'method_not_allowed' })
    }
  })
})
