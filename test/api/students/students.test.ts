import { beforeAll, describe, expect, inject, test } from 'vitest'
import { grantConsents } from '../../../demo/mobile-client.ts'
import { call } from '../../../harness/client/call.ts'
import { apiClient } from '../../../harness/client/openapi-client.ts'
import { logAccess, newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import { newUniversity } from '../../../harness/factories/universities.ts'
import { serviceClient, withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

type Enrolled = {
  first?: string
  last?: string
  agreed?: boolean
  score?: number
  risk?: 'none' | 'mild' | 'moderate' | 'high'
}

/** A student of a university, who agreed to counselor_access where nothing else is said, with a scored check-in. */
async function enrolled(university: string, about: Enrolled = {}): Promise<Student> {
  const { first = 'Quillon', last = 'Abernathy', agreed = true, score, risk = 'none' } = about
  const student = await newStudent(project, [])
  await withDatabase(project, async (sql) => {
    await sql`
      update public.profiles
      set first_name = ${first}, last_name = ${last}, university_id = ${university}
      where user_id = ${student.id}`
    // Agreed to at that university: moving there would have withdrawn it.
    if (agreed) await grantConsents(student.client, ['counselor_access'])
    if (score === undefined) return
    const [checkIn] = await sql<[{ id: string }]>`
      insert into checkin.check_ins (user_id, type, status) values (${student.id}, 'daily', 'processing') returning id`
    await sql`
      insert into checkin.fusion_results (
        check_in_id, user_id, score, uncertainty, direction_of_change, significance, risk_level, summary, themes,
        drivers_positive, drivers_negative, drivers, components, baseline, algorithm_version
      )
      values (
        ${checkIn.id}, ${student.id}, ${score}, 0.2, 'same', 'low', ${risk}, 'Words of the student', '{exams}', '{}', '{}',
        '[]', '[]', '{}', '1'
      )`
    await sql`
      update checkin.check_ins
      set status = 'complete', completed_at = now(), risk_level = ${risk}
      where id = ${checkIn.id}`
  })
  return student
}

type Query = {
  university_id?: string
  search?: string
  sort?: 'name' | 'last_check_in' | 'score' | 'risk'
  order?: 'asc' | 'desc'
  limit?: number
  offset?: number
}

const list = (person: Student, query: Query = {}) =>
  apiClient(project, person.token).GET('/api/students', { params: { query } })

const read = (person: Student, id: string) =>
  apiClient(project, person.token).GET('/api/students/{id}', { params: { path: { id } } })

const names = (answer: Awaited<ReturnType<typeof list>>) =>
  answer.data?.students.map(({ first_name }) => first_name)

/** What the audit log says that somebody read. */
const reads = (person: Student) =>
  withDatabase(
    project,
    (sql) => sql`
      select action, university_id, target_id, details
      from private.audit_log
      where actor_id = ${person.id} and action in ('students_listed', 'student_read')
      order by id`,
  )

let university: string
let counselor: Student

beforeAll(async () => {
  university = await newUniversity(project)
  counselor = await newStaff(project, 'counselor', university)
  await enrolled(university, { first: 'Cora', last: 'Adler', score: 55, risk: 'high' })
  await enrolled(university, { first: 'Ann', last: 'Brook', score: 80 })
  await enrolled(university, { first: 'Bo', last: 'Crane' })
  await enrolled(university, { first: 'Hidden', last: 'Drake', agreed: false, score: 20, risk: 'high' })
})

describe('the list of students', () => {
  test('has those who agreed, with scores and risk and no words', async () => {
    const { data } = await list(counselor)
    expect(data).toMatchObject({ total: 3, limit: 50, offset: 0 })
    expect(data?.students[0]).toEqual({
      user_id: expect.any(String),
      first_name: 'Cora',
      last_name: 'Adler',
      university_id: university,
      faculty: null,
      year_of_study: null,
      residence: null,
      from_register: [],
      check_ins: 1,
      last_check_in_at: expect.any(String),
      last_score: 55,
      last_uncertainty: 0.2,
      last_direction_of_change: 'same',
      risk_level: 'high',
      latest_risk_level: 'high',
      latest_risk_source: 'check_in',
      signs_of_life: {
        last_check_in_at: expect.any(String),
        last_upload_at: null,
        last_contact_at: expect.any(String),
      },
    })
    expect(JSON.stringify(data)).not.toMatch(/Hidden|Words|exams/)
  })

  test.each<[Query, string[]]>([
    [{}, ['Cora', 'Ann', 'Bo']],
    [{ order: 'desc' }, ['Bo', 'Ann', 'Cora']],
    [{ sort: 'score' }, ['Bo', 'Cora', 'Ann']],
    [{ sort: 'score', order: 'desc' }, ['Ann', 'Cora', 'Bo']],
    [{ sort: 'last_check_in' }, ['Bo', 'Cora', 'Ann']],
    [{ sort: 'last_check_in', order: 'desc', limit: 2 }, ['Ann', 'Cora']],
    [{ sort: 'risk', order: 'desc', limit: 1 }, ['Cora']],
    [{ limit: 1, offset: 1 }, ['Ann']],
    [{ offset: 10 }, []],
  ])('asked for with %j is %j', async (query, expected) => {
    const answer = await list(counselor, query)
    expect(names(answer)).toEqual(expected)
    expect(answer.data?.total).toBe(3)
  })

  test.each<[string, string[]]>([
    ['ann', ['Ann']],
    ['BROOK', ['Ann']],
    ['cora adl', ['Cora']],
    ['  bo ', ['Bo']],
    ['%', []],
    ['_', []],
    ['\\', []],
    ["' or true --", []],
    ['Hidden', []],
    ['   ', ['Cora', 'Ann', 'Bo']],
  ])('searched for %j is %j', async (search, expected) => {
    const answer = await list(counselor, { search })
    expect(answer.data?.total).toBe(expected.length)
    expect(names(answer)?.toSorted()).toEqual(expected.toSorted())
  })

  test('is in the audit log each time, without the words that were searched for', async () => {
    const reader = await newStaff(project, 'counselor', university)
    await list(reader, { search: 'ann', sort: 'risk', limit: 5 })
    await list(reader, { offset: 2 })
    const entry = { action: 'students_listed', university_id: university, target_id: null }
    expect(await reads(reader)).toEqual([
      { ...entry, details: { search: true, sort: 'risk', descending: false, limit: 5, offset: 0 } },
      { ...entry, details: { search: false, sort: 'name', descending: false, limit: 50, offset: 2 } },
    ])
  })

  test('forgets a student who withdraws the consent', async () => {
    const home = await newUniversity(project)
    const reader = await newStaff(project, 'counselor', home)
    const student = await enrolled(home)
    expect((await list(reader)).data?.total).toBe(1)
    const withdrawn = await student.client
      .from('consents')
      .update({ withdrawn_at: new Date().toISOString() })
      .eq('kind', 'counselor_access')
    expect(withdrawn.error).toBeNull()
    expect((await list(reader)).data).toMatchObject({ students: [], total: 0 })
    expect((await read(reader, student.id)).error?.code).toBe('student_not_found')
  })

  test('needs the university where the counselor has two', async () => {
    const [home, other] = [await newUniversity(project), await newUniversity(project)]
    const reader = await newStaff(project, 'counselor', home)
    await serviceClient(project)
      .from('user_roles')
      .insert({ user_id: reader.id, role: 'counselor', university_id: other })
    const { response, error } = await list(reader)
    expect([response.status, error?.code]).toEqual([400, 'invalid_parameters'])
    for (const university_id of [home, other]) {
      expect((await list(reader, { university_id })).data?.total).toBe(0)
    }
  })

  test('is for the counselors of the university alone', async () => {
    const people = [
      await newStudent(project),
      await newStaff(project, 'university_admin', university),
      await newStaff(project, 'security_admin', university),
      await newStaff(project, 'counselor', 'eastbrook'),
    ]
    for (const person of people) {
      const { response, error } = await list(person, { university_id: university })
      expect([response.status, error?.code]).toEqual([403, 'forbidden'])
      expect(await reads(person)).toEqual([])
    }
    expect((await list(people[0] ?? counselor)).error?.code).toBe('forbidden')
    expect((await list(counselor, { university_id: 'nowhere' })).error?.code).toBe('forbidden')
  })

  test('is closed to a counselor whose role was revoked', async () => {
    const reader = await newStaff(project, 'counselor', university)
    await withDatabase(project, (sql) => sql`delete from public.user_roles where user_id = ${reader.id}`)
    expect((await list(reader, { university_id: university })).error?.code).toBe('forbidden')
  })

  test.each([
    'limit=0',
    'limit=201',
    'offset=-1',
    'sort=user_id',
    'order=',
    'search=%00',
    'university_id=A',
    'x=1',
  ])('is refused with %s', async (query) => {
    const { status, body } = await call(project, counselor.token, 'GET', `api/students?${query}`)
    expect([status, body.code]).toEqual([400, 'invalid_parameters'])
  })
})

describe('a student', () => {
  test('is read by a counselor with the last scores, and it is in the audit log', async () => {
    const home = await newUniversity(project)
    const reader = await newStaff(project, 'counselor', home)
    const student = await enrolled(home, { score: 61.5, risk: 'mild' })
    const { data } = await read(reader, student.id.toUpperCase())
    expect(data).toMatchObject({
      user_id: student.id,
      first_name: 'Quillon',
      counselor_access: true,
      check_ins: 1,
      last_score: 61.5,
      risk_level: 'mild',
      scores: [{ score: 61.5, uncertainty: 0.2, direction_of_change: 'same', risk_level: 'mild' }],
    })
    expect(JSON.stringify(data)).not.toMatch(/Words|exams/)
    expect(await reads(reader)).toEqual([
      { action: 'student_read', university_id: home, target_id: student.id, details: {} },
    ])
  })

  test('who did not agree is a name to a counselor while a review is open, and nobody after', async () => {
    const home = await newUniversity(project)
    const reader = await newStaff(project, 'counselor', home)
    const student = await enrolled(home, { agreed: false, score: 20, risk: 'high' })
    const reviews = await withDatabase(
      project,
      (sql) => sql`select id from public.clinical_reviews where user_id = ${student.id}`,
    )
    expect(reviews).toHaveLength(1)
    expect((await read(reader, student.id)).data).toEqual({
      user_id: student.id,
      first_name: 'Quillon',
      last_name: 'Abernathy',
      university_id: home,
      counselor_access: false,
    })
    const review_id = reviews[0]?.id
    for (const change of ['claim_review', 'close_review'] as const) {
      const changed = await reader.client.rpc(change, { review_id })
      expect(changed.data).toMatchObject({ id: review_id })
    }
    expect((await read(reader, student.id)).error?.code).toBe('student_not_found')
  })

  test('reads themself, whether they agreed or not, and that is no read of staff', async () => {
    const student = await enrolled(await newUniversity(project), { agreed: false, score: 70 })
    await student.client
      .from('students')
      .update({ faculty: 'Arts', year_of_study: '2' })
      .eq('user_id', student.id)
    const { data } = await read(student, student.id)
    expect(data).toMatchObject({
      user_id: student.id,
      counselor_access: false,
      faculty: 'Arts',
      year_of_study: '2',
      residence: null,
      last_score: 70,
      scores: [{ score: 70 }],
    })
    expect(await reads(student)).toEqual([])
  })

  test('is not there for anybody else', async () => {
    const student = await enrolled(await newUniversity(project), { score: 40 })
    const people = [
      await newStudent(project),
      counselor,
      await newStaff(project, 'university_admin', university),
      await newStaff(project, 'security_admin'),
    ]
    for (const person of people) {
      for (const id of [student.id, crypto.randomUUID(), person === people[0] ? student.id : person.id]) {
        const { response, error } = await read(person, id)
        expect([response.status, error?.code]).toEqual([404, 'student_not_found'])
      }
    }
  })

  test.each(['me', '1', `${crypto.randomUUID()}x`])('has no id such as %s', async (id) => {
    const { status, body } = await call(project, counselor.token, 'GET', `api/students/${id}`)
    expect([status, body.code]).toEqual([400, 'invalid_parameters'])
  })
})

describe('a counselor who asks the tables directly', () => {
  test('sees no student, and no name but their own', async () => {
    const students = await counselor.client.from('students').select('*')
    expect(students).toMatchObject({ error: null, data: [] })
    const profiles = await counselor.client.from('profiles').select('user_id')
    expect(profiles).toMatchObject({ error: null, data: [{ user_id: counselor.id }] })
    const results = await counselor.client.schema('checkin').from('fusion_results').select('*')
    expect(results).toMatchObject({ error: null, data: [] })
  })

  test('sees none after a list either, not even in the same call', async () => {
    await logAccess(counselor, { action: 'students_listed', university_id: university })
    const listed = await counselor.client.rpc('list_students', { university_id: university })
    expect(listed.error).toBeNull()
    const students = await counselor.client.from('students').select('*')
    expect(students.data).toEqual([])
  })
})
