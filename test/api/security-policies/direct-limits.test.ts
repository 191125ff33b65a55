import { describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { newPersonAt, newUniversity } from '../../../harness/factories/security-policies.ts'
import { newStudent, type Student } from '../../../harness/factories/students.ts'
import { serviceClient, withDatabase } from '../../../harness/stack/project.ts'

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

/** A request to REST without what a client adds or takes away. */
const send = ({ token }: Student, method: string, path: string, body?: object) =>
  fetch(`${project.apiUrl}/rest/v1/${path}`, {
    method,
    headers: {
      apikey: project.publishableKey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })

async function expectLimited(response: Response): Promise<void> {
  const { code, details, hint } = await response.json()
  expect([response.status, code, hint]).toEqual([429, 'PT429', 'rate_limited'])
  const wait = Number(response.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(60)
  expect(details).toBe(String(wait))
}

describe('requests straight to REST', () => {
  test('that can write count with those to functions, and beyond the limit are refused', async () => {
    const student = await newStudent(project, [])
    expect((await rename(student)).status).toBe(204)
    expect(await used(student, 'data-api')).toBe(1)
    await call(project, student.token, 'GET', 'api/universities')
    expect(await used(student, 'data-api')).toBe(2)

    await use(student, 'data-api', 99)
    expect((await rename(student)).status).toBe(204)
    await expectLimited(await send(student, 'PATCH', 'profiles', { first_name: 'Ada' }))
    expect((await call(project, student.token, 'GET', 'api/universities')).status).toBe(429)
    // Others have a limit of their own.
    expect((await rename(await newStudent(project, []))).status).toBe(204)
  })

  test('that read are refused beyond the limit too, calls of functions that only read among them', async () => {
    const student = await newStudent(project, [])
    expect((await student.client.from('profiles').select('user_id')).status).toBe(200)
    await use(student, 'data-api', 100)
    await expectLimited(await send(student, 'GET', 'profiles'))
    await expectLimited(await send(student, 'POST', 'rpc/review_queue', {}))
    expect(await used(student, 'data-api')).toBe(100)
  })

  test('that add several rows count as bulk, and so do those that change or delete several', async () => {
    const student = await newStudent(project, [])
    const row = { assessment_type: 'daily' } as const
    const sessions = () => student.client.from('assessment_sessions')
    expect((await sessions().insert(row)).status).toBe(201)
    expect(await used(student, 'bulk')).toBe(0)
    expect((await sessions().insert([row, row])).status).toBe(201)
    expect((await sessions().update({ status: 'completed' }).eq('status', 'processing')).status).toBe(204)
    expect(await used(student, 'bulk')).toBe(2)
    await use(student, 'bulk', 5)
    await expectLimited(await send(student, 'POST', 'assessment_sessions', [row, row]))
    await expectLimited(await send(student, 'DELETE', 'assessment_sessions?status=eq.completed'))
    expect((await sessions().insert(row)).status).toBe(201)
    const { status, headers, body } = await call(project, student.token, 'POST', 'api/database/delete', {
      table: 'assessment_sessions',
      filters: { status: 'completed' },
    })
    expect([status, body.code]).toEqual([429, 'rate_limited'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('with the secret key are not limited', async () => {
    const rows = Array.from({ length: 7 }, () => serviceClient(project).from('universities').select('id'))
    for (const { status } of await Promise.all(rows)) expect(status).toBe(200)
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
