import { beforeAll, describe, expect, inject, test } from 'vitest'
import { apiClient } from '../../../harness/client/openapi-client.ts'
import { newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import { newUniversity } from '../../../harness/factories/universities.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

let university: string
let admin: Student
let security: Student

beforeAll(async () => {
  university = await newUniversity(project)
  admin = await newStaff(project, 'university_admin', university)
  security = await newStaff(project, 'security_admin')
})

/** A file as a German spreadsheet saves it. */
const file = (rows: string[]) =>
  `\ufeffEmail;Student number;Faculty;Year;Residence\r\n${rows.map((row) => `${row}\r\n`).join('')}`

const enrolment = (place: number, faculty = 'Law') =>
  `Person-${place}@${university}.example.edu;N${place};"${faculty}";${1 + (place % 4)};`

const importFile = (csv: string, apply = false, by = admin, into = university) =>
  by.client.rpc('import_enrolments', { university_id: into, csv, apply })

const registered = () =>
  withDatabase(
    project,
    (sql) => sql<{ email: string; faculty: string }[]>`
      select email, faculty from private.enrolments where university_id = ${university} order by student_number`,
  )

/** Sends a body as it is. */
const send = (body: BodyInit) =>
  fetch(`${project.apiUrl}/rest/v1/rpc/import_enrolments`, {
    method: 'POST',
    headers: {
      apikey: project.publishableKey,
      authorization: `Bearer ${admin.token}`,
      'content-type': 'application/json',
    },
    body,
  })

describe('a register of 500 students', () => {
  test('is imported twice, the second time without a change or an entry, in the name of who did it', async () => {
    const student = await newStudent(project, [])
    await withDatabase(
      project,
      (sql) => sql`update public.profiles set university_id = ${university} where user_id = ${student.id}`,
    )
    await student.client
      .from('students')
      .update({ faculty: 'Typed', residence: 'home' })
      .eq('user_id', student.id)
    const csv = file([
      `${student.email};N0;Medicine;2;`,
      ...Array.from({ length: 499 }, (_, place) => enrolment(place + 1)),
    ])

    const preview = await importFile(csv)
    expect(preview.error).toBeNull()
    expect(preview.data).toMatchObject({ new: 500, invalid: 0, applied: false })
    expect(await registered()).toHaveLength(0)

    const none = { new: 0, changed: 0, missing: 0, invalid: 0, unchanged: 0 }
    expect((await importFile(csv, true)).data).toMatchObject({ ...none, new: 500, applied: true })
    expect((await importFile(csv, true)).data).toMatchObject({ ...none, unchanged: 500, applied: true })
    expect(await registered()).toHaveLength(500)

    const log = await security.client.rpc('read_audit_log', { actor_id: admin.id })
    expect(log.data?.filter(({ action }) => action !== 'signed_in')).toMatchObject([
      {
        action: 'enrolments_imported',
        university_id: university,
        details: { new: 500, changed: 0, unchanged: 0, missing: 0 },
      },
    ])

    const own = await apiClient(project, student.token).GET('/api/students/{id}', {
      params: { path: { id: student.id } },
    })
    expect(own.data).toMatchObject({
      faculty: 'Medicine',
      year_of_study: '2',
      residence: 'home',
      from_register: ['faculty', 'year_of_study'],
    })
    const typed = await student.client.from('students').update({ faculty: 'Law' }).eq('user_id', student.id)
    expect(typed.error).toMatchObject({ code: '42501', message: expect.stringContaining('register') })
  })

  test('is one file or the other when two are imported at the same moment', async () => {
    const files = ['Arts', 'Music'].map((faculty) =>
      file(
        Array.from({ length: 200 }, (_, place) => enrolment(place + (faculty === 'Arts' ? 0 : 100), faculty)),
      ),
    )
    const imports = await Promise.all(files.map((csv) => importFile(csv, true)))
    expect(imports.map(({ error }) => error)).toEqual([null, null])
    const rows = await registered()
    expect(rows).toHaveLength(200)
    expect(new Set(rows.map(({ faculty }) => faculty)).size).toBe(1)

    // Of the same file twice, one finds what the other stored.
    const again = file(Array.from({ length: 200 }, (_, place) => enrolment(place, 'Theology')))
    const twice = await Promise.all([importFile(again, true), importFile(again, true)])
    expect(twice.map(({ data }) => Object(data).unchanged).sort()).toEqual([0, 200])
  })
})

describe('an import', () => {
  test('says what is wrong by row, and repeats no value', async () => {
    const csv = file([
      '=cmd|calc;1;;;',
      `${enrolment(1)}`,
      'x@@münchen.example;2;;;',
      `${enrolment(1)}`,
      'a@x.example;"3',
    ])
    const { data } = await importFile(csv)
    const { rows } = Object(data)
    expect(data).toMatchObject({ invalid: 4 })
    expect(rows.invalid.map(({ row, code }: { row: number; code: string }) => [row, code])).toEqual([
      [2, 'formula'],
      [4, 'email_invalid'],
      [5, 'email_duplicate'],
      [6, 'quotes'],
    ])
    expect(JSON.stringify(rows.invalid)).not.toMatch(/cmd|chen\.example|person-1/i)
    const applied = await importFile(csv, true)
    expect({ status: applied.status, message: applied.error?.message }).toEqual({
      status: 400,
      message: 'Nothing was imported: 4 of the rows are invalid.',
    })
  })

  test('takes no file of another university, nor from others', async () => {
    const elsewhere = await newUniversity(project)
    const counselor = await newStaff(project, 'counselor', university)
    for (const refused of [
      await importFile(file([]), false, admin, elsewhere),
      await importFile(file([]), false, counselor),
      await importFile(file([]), false, admin, 'nowhere'),
    ]) {
      expect({ status: refused.status, code: refused.error?.code }).toEqual({ status: 403, code: '42501' })
    }
    expect((await importFile(file([]), false, security, 'nowhere')).status).toBe(404)
  })

  test('is bounded before it is read', async () => {
    const large = await importFile(`${file([])}${'x'.repeat(5 * 1024 * 1024)}`)
    expect({ status: large.status, details: large.error?.details }).toEqual({
      status: 413,
      details: 'file_too_large',
    })
    const long = await importFile(`${file([])}${'\n'.repeat(60_001)}`)
    expect({ status: long.status, details: long.error?.details }).toEqual({
      status: 413,
      details: 'too_many_rows',
    })
    const wide = await importFile(file([';'.repeat(400_001)]))
    expect({ status: wide.status, details: wide.error?.details }).toEqual({
      status: 413,
      details: 'too_many_cells',
    })
  })

  test('of what is no text is refused', async () => {
    const nul = await importFile(`${file([])}a\u0000b`)
    expect(nul.status).toBe(400)
    const bytes = new TextEncoder().encode(
      JSON.stringify({ university_id: university, csv: file(['?;1;;;']) }),
    )
    bytes[bytes.indexOf(63)] = 0xff
    expect((await send(bytes)).status).toBe(400)
    const replaced = await importFile(file(['\ufffdkonomie;1;;;']))
    expect(replaced.error).toMatchObject({ code: '22023', details: 'not_utf8' })
  })
})
