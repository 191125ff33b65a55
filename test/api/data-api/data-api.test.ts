import { describe, expect, inject, test } from 'vitest'
import { EXPECTED_MIGRATIONS, EXPECTED_TABLES } from '../../../functions/_shared/data-api/expected-schema.ts'
import { call } from '../../../harness/client/call.ts'
import { newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

const ask = (person: Student, operation: string, body: unknown = {}) =>
  call(project, person.token, 'POST', `api/database/${operation}`, body)

/** A student with so many sessions. */
async function withSessions(count: number): Promise<Student> {
  const student = await newStudent(project, [])
  const rows = Array.from({ length: count }, (_, index) => ({
    assessment_type: 'daily' as const,
    session_data: { index },
  }))
  const { error } = await student.client.from('assessment_sessions').insert(rows)
  if (error) throw error
  return student
}

describe('select', () => {
  test('answers with the named columns, in order, a page at a time, and counts all rows', async () => {
    const student = await newStudent(project, ['audio', 'camera', 'text'])
    const query = {
      table: 'consents',
      columns: 'kind, withdrawn_at',
      orderBy: [{ column: 'kind' }],
      limit: 2,
    }
    const first = await ask(student, 'select', query)
    expect(first.status).toBe(200)
    expect(first.body).toEqual({
      data: [
        { kind: 'audio', withdrawn_at: null },
        { kind: 'camera', withdrawn_at: null },
      ],
      count: 3,
      error: null,
    })
    const second = await ask(student, 'select', { ...query, offset: 2 })
    expect(second.body).toMatchObject({ data: [{ kind: 'text' }], count: 3 })
    const behind = await ask(student, 'select', { ...query, offset: 3 })
    expect(behind.body).toEqual({ data: [], count: 3, error: null })
    const farBehind = await ask(student, 'select', { ...query, offset: 1_000_000 })
    expect(farBehind.body).toEqual({ data: [], count: 3, error: null })
    const counted = await ask(student, 'select', { ...query, limit: 0 })
    expect(counted.body).toEqual({ data: [], count: 3, error: null })
  })

  test('orders by several columns, downwards where asked', async () => {
    const student = await withSessions(3)
    const { body } = await ask(student, 'select', {
      table: 'assessment_sessions',
      columns: 'session_data',
      orderBy: [{ column: 'status' }, { column: 'session_data', ascending: false }],
    })
    expect(body.data).toEqual([2, 1, 0].map((index) => ({ session_data: { index } })))
  })

  test('answers with all columns and a hundred rows where nothing else is said', async () => {
    const student = await withSessions(101)
    const { body } = await ask(student, 'select', { table: 'public.assessment_sessions' })
    expect(body).toMatchObject({ count: 101, error: null })
    expect(body.data).toHaveLength(100)
    const { data } = await student.client.from('assessment_sessions').select().limit(1)
    expect(Object.keys(Object(body.data)[0])).toEqual(Object.keys(data?.[0] ?? {}))
  })

  test('reads tables of the check-ins by their schema', async () => {
    const student = await newStudent(project)
    const started = await call(project, student.token, 'POST', 'checkins/start', { type: 'daily' })
    const { body } = await ask(student, 'select', { table: 'checkin.check_ins', columns: 'id,type' })
    expect(body.data).toEqual([{ id: started.body.id, type: 'daily' }])
  })

  test('shows no row of somebody else', async () => {
    const [student, other] = await Promise.all([newStudent(project), newStudent(project)])
    for (const table of ['profiles', 'consents', 'user_roles', 'students']) {
      const { status, body } = await ask(student, 'select', { table, filters: { user_id: other.id } })
      expect({ table, status, ...body }).toEqual({ table, status: 200, data: [], count: 0, error: null })
    }
  })
})

describe('insert', () => {
  test('adds a row, counts it, and answers with it only where that is asked', async () => {
    const student = await newStudent(project, [])
    const row = {
      assessment_type: 'baseline',
      session_data: { platform: 'ios', widget_type: 'conversation' },
    }
    const silent = await ask(student, 'insert', { table: 'assessment_sessions', data: row })
    expect(silent.status).toBe(200)
    expect(silent.body).toEqual({ data: null, count: 1, error: null })
    const told = await ask(student, 'insert', {
      table: 'assessment_sessions',
      data: row,
      returning: 'user_id, status, session_data',
    })
    expect(told.body).toEqual({
      data: [{ user_id: student.id, status: 'processing', session_data: row.session_data }],
      count: 1,
      error: null,
    })
  })

  test('gives every row of many the defaults of the columns that it leaves out', async () => {
    const student = await newStudent(project, [])
    const { body } = await ask(student, 'insert', {
      table: 'assessment_sessions',
      data: [{ assessment_type: 'daily' }, { session_data: { a: 1 }, assessment_type: 'weekly' }],
      returning: 'assessment_type, status, session_data, user_id',
    })
    const kept = { status: 'processing', user_id: student.id }
    expect(body).toMatchObject({
      count: 2,
      data: [
        { assessment_type: 'daily', session_data: {}, ...kept },
        { assessment_type: 'weekly', session_data: { a: 1 }, ...kept },
      ],
    })
  })

  test('adds all rows or none', async () => {
    const student = await newStudent(project, [])
    const { status, body } = await ask(student, 'insert', {
      table: 'assessment_sessions',
      data: [{ assessment_type: 'daily' }, { assessment_type: 'daily', status: 'unheard-of' }],
    })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_value' })
    const { body: left } = await ask(student, 'select', { table: 'assessment_sessions' })
    expect(left.count).toBe(0)
  })

  test('adds no row of somebody else', async () => {
    const [student, other] = await Promise.all([newStudent(project, []), newStudent(project, [])])
    const { status, body } = await ask(student, 'insert', {
      table: 'assessment_sessions',
      data: { user_id: other.id, assessment_type: 'daily' },
    })
    expect(status).toBe(403)
    expect(body).toMatchObject({ data: null, count: null, code: 'forbidden' })
    expect((await ask(other, 'select', { table: 'assessment_sessions' })).body.count).toBe(0)
  })
})

describe('update and delete', () => {
  test('reach the rows that fulfil the filters, and count them', async () => {
    const student = await withSessions(3)
    const table = 'assessment_sessions'
    const filters = { session_data: { contains: { index: 1 } } }
    const updated = await ask(student, 'update', {
      table,
      data: { status: 'failed' },
      filters,
      returning: 'status, session_data',
    })
    expect(updated.status).toBe(200)
    expect(updated.body).toEqual({
      data: [{ status: 'failed', session_data: { index: 1 } }],
      count: 1,
      error: null,
    })
    const silent = await ask(student, 'update', { table, data: { status: 'failed' }, filters })
    expect(silent.body).toEqual({ data: null, count: 1, error: null })
    const deleted = await ask(student, 'delete', {
      table,
      filters: { status: 'failed' },
      returning: 'status',
    })
    expect(deleted.body).toEqual({ data: [{ status: 'failed' }], count: 1, error: null })
    const none = await ask(student, 'delete', { table, filters: { status: 'failed' } })
    expect(none.body).toEqual({ data: null, count: 0, error: null })
    expect((await ask(student, 'select', { table })).body.count).toBe(2)
  })

  test('reach no row of somebody else', async () => {
    const [student, other] = await Promise.all([newStudent(project, []), withSessions(2)])
    const filters = { user_id: other.id }
    const updated = await ask(student, 'update', {
      table: 'assessment_sessions',
      data: { status: 'failed' },
      filters,
    })
    expect(updated.body).toEqual({ data: null, count: 0, error: null })
    const deleted = await ask(student, 'delete', { table: 'assessment_sessions', filters })
    expect(deleted.body).toEqual({ data: null, count: 0, error: null })
    const { body } = await ask(other, 'select', {
      table: 'assessment_sessions',
      filters: { status: 'processing' },
    })
    expect(body.count).toBe(2)
  })

  test('cannot hand a row over to somebody else', async () => {
    const [student, other] = await Promise.all([withSessions(1), newStudent(project, [])])
    const { status, body } = await ask(student, 'update', {
      table: 'assessment_sessions',
      data: { user_id: other.id },
      filters: { user_id: student.id },
    })
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'forbidden' })
  })

  test('do nothing without filters', async () => {
    const student = await withSessions(1)
    for (const filters of [undefined, {}, null, { status: {} }]) {
      const table = 'assessment_sessions'
      const updated = await ask(student, 'update', { table, data: { status: 'failed' }, filters })
      const deleted = await ask(student, 'delete', { table, filters })
      for (const { status, body } of [updated, deleted]) {
        expect(status).toBe(400)
        expect(body).toMatchObject({ data: null, count: null, code: 'invalid_parameters' })
      }
    }
    const { body } = await ask(student, 'select', {
      table: 'assessment_sessions',
      filters: { status: 'processing' },
    })
    expect(body.count).toBe(1)
  })
})

describe('health', () => {
  test('says that the database answers, directly and as the caller', async () => {
    const student = await newStudent(project, [])
    const { status, body, headers } = await call(project, student.token, 'GET', 'api/database/health')
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'ok',
      database: { status: 'ok', latency_ms: expect.any(Number) },
      data_api: { status: 'ok', latency_ms: expect.any(Number) },
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    expect(headers.get('api-version')).toBe('2.0')
  })

  test('is for people who are signed in', async () => {
    const { status, body } = await call(project, null, 'GET', 'api/database/health')
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'unauthorized' })
  })
})

describe('setup-tables', () => {
  test('tells a security administrator that nothing is missing', async () => {
    const person = await newStaff(project, 'security_admin')
    const { status, body } = await ask(person, 'setup-tables')
    expect(status).toBe(200)
    const { tables, migrations } = Object(body.data)
    expect(migrations).toEqual({ applied: EXPECTED_MIGRATIONS, pending: [] })
    expect(body).toMatchObject({ count: EXPECTED_TABLES.length, error: null })
    expect(tables.map(({ table }: { table: string }) => table)).toEqual(EXPECTED_TABLES)
    for (const table of tables) {
      expect(table).toMatchObject({ exists: true, row_level_security: true })
      expect(table.policies).toBeGreaterThan(0)
    }
  })

  test('is refused to everybody else', async () => {
    const people = await Promise.all([
      newStudent(project, []),
      newStaff(project, 'counselor'),
      newStaff(project, 'university_admin'),
    ])
    for (const person of people) {
      const { status, body } = await ask(person, 'setup-tables')
      expect(status).toBe(403)
      expect(body).toMatchObject({ data: null, count: null, code: 'forbidden' })
    }
  })
})

describe('the Data API', () => {
  test('follows the roles of a person at once', async () => {
    const person = await newStaff(project, 'security_admin')
    const universities = () => ask(person, 'select', { table: 'universities', columns: 'id', limit: 1 })
    expect((await universities()).body.count).toBeGreaterThan(1)
    await withDatabase(project, (sql) => sql`delete from public.user_roles where user_id = ${person.id}`)
    for (const response of [await universities(), await ask(person, 'setup-tables')]) {
      expect(response).toMatchObject({ status: 403, body: { data: null, code: 'forbidden' } })
    }
  })
})
