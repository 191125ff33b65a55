import { describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { newPersonAt, newUniversity } from '../../../harness/factories/security-policies.ts'
import { newStudent, type Student } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

/** Lets an account have used so much of a limit within the last minute. */
const use = ({ id }: Student, scope: string, times: number) =>
  withDatabase(
    project,
    (sql) => sql`
      insert into private.rate_limit_uses (subject, scope, used_at)
      values (${id}, ${scope}, array(select clock_timestamp() from generate_series(1, ${times})))
      on conflict (subject, scope) do update set used_at = excluded.used_at`,
  )

const used = ({ id }: Student, scope: string) =>
  withDatabase(project, async (sql) => {
    const [row] = await sql<[{ times: number }?]>`
      select cardinality(used_at) as times from private.rate_limit_uses where subject = ${id} and scope = ${scope}`
    return row?.times ?? 0
  })

const rename = ({ id, client }: Student) =>
  client.from('profiles').update({ first_name: 'Ada' }).eq('user_id', id)

describe('requests straight to REST', () => {
  test('that can write count with those to functions, and beyond the limit are refused', async () => {
    const student = await newStudent(project, [])
    expect((await rename(student)).status).toBe(204)
    expect(await used(student, 'data-api')).toBe(1)
    await call(project, student.token, 'GET', 'api/universities')
    expect(await used(student, 'data-api')).toBe(2)

    await use(student, 'data-api', 99)
    expect((await rename(student)).status).toBe(204)
    const { status, error } = await rename(student)
    expect([status, error?.code]).toEqual([429, 'PT429'])
    expect(Number(error?.details)).toBeGreaterThan(0)
    expect((await call(project, student.token, 'GET', 'api/universities')).status).toBe(429)
    // Others have a limit of their own.
    expect((await rename(await newStudent(project, []))).status).toBe(204)
  })

  test('that read do not count, as nothing can be written then', async () => {
    const student = await newStudent(project, [])
    await use(student, 'data-api', 100)
    expect((await student.client.from('profiles').select('user_id')).status).toBe(200)
    expect(await used(student, 'data-api')).toBe(100)
  })

  test('that fail do not count, like those that are refused', async () => {
    const student = await newStudent(project, [])
    expect(
      (await student.client.from('user_roles').insert({ user_id: student.id, role: 'counselor' })).status,
    ).toBe(403)
    expect(await used(student, 'data-api')).toBe(0)
  })
})

describe('uploads straight to Storage', () => {
  test('count with those to functions, each once, and beyond the limit are refused before the file is taken', async () => {
    const university = await newUniversity(project)
    const person = await newPersonAt(project, university)
    const upload = (name: string, upsert = false) =>
      person.client.storage
        .from('university-files')
        .upload(`${university}/students/${person.id}/${name}`, 'text', { contentType: 'text/plain', upsert })
    expect((await upload('one.txt')).error).toBeNull()
    expect(await used(person, 'file-upload')).toBe(1)
    await use(person, 'file-upload', 9)
    expect((await upload('two.txt')).error).toBeNull()
    const refused = await upload('three.txt')
    expect(refused.error?.message).toMatch(/Too many uploads|row-level security/)
    expect(await used(person, 'file-upload')).toBe(10)
  })
})
