import postgres from 'postgres'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { newStudent, type Student, serviceClient, withDatabase } from './project.ts'
import { newSession, storeAnalysis } from './session-channel.ts'
import { HOME, newStaff } from './staff.ts'

const project = inject('stack')

let cora: Student
let ada: Student
beforeAll(async () => {
  ;[cora, ada] = await Promise.all([
    newStaff(project, 'counselor'),
    newStudent(project, ['counselor_access']),
  ])
  const session = await newSession(ada.client)
  await withDatabase(project, (sql) => storeAnalysis(sql, ada, session, 'text', { risk: 'high' }))
  await ada.client
    .from('profiles')
    .update({ first_name: 'Adalind', last_name: 'Quill' })
    .eq('user_id', ada.id)
})

/** What the audit log holds of what somebody did, oldest first. */
function entriesOf({ id }: Student, ...actions: string[]) {
  return withDatabase(
    project,
    (sql) => sql`
      select action::text, university_id, target_type, target_id, before, after, details, host(ip) as ip, user_agent, request_id
      from public.audit_logs
      where actor_id = ${id} and action::text = any (${actions})
      order by id`,
  )
}

/** A request of somebody's to the Data API, as nobody's app makes it. */
async function request(
  person: Student,
  path: string,
  init: { headers?: object; method?: string; body?: object },
) {
  const response = await fetch(`${project.apiUrl}/rest/v1/${path}`, {
    method: init.method ?? 'GET',
    headers: {
      apikey: project.publishableKey,
      authorization: `Bearer ${person.token}`,
      'content-type': 'application/json',
      ...init.headers,
    },
    body: init.body && JSON.stringify(init.body),
  })
  return { status: response.status, text: await response.text() }
}

const READS = ['students_listed', 'student_read', 'reviews_listed']

describe('the audit log has', () => {
  test('a sign-in, with the address and program that Auth saw', async () => {
    const person = await newStudent(project, [])
    expect(await entriesOf(person, 'signed_in')).toMatchObject([
      { university_id: HOME, ip: expect.stringMatching(/^[0-9a-f.:]+$/), user_agent: expect.any(String) },
    ])
  })

  test('a change of a university over REST, with who, from where, and the columns before and after', async () => {
    const name = `audited-${crypto.randomUUID().slice(0, 8)}`
    const service = serviceClient(project)
    await service
      .from('universities')
      .insert({ id: name, name, short_name: 'Before', domain: `${name}.example.edu` })
    const admin = await newStaff(project, 'university_admin', name)
    const { status } = await request(admin, `universities?id=eq.${name}`, {
      method: 'PATCH',
      headers: { 'user-agent': 'a browser', 'x-forwarded-for': '192.0.2.44', 'x-request-id': 'r-77' },
      body: { short_name: 'After', name },
    })
    expect(status).toBe(204)
    expect(await entriesOf(admin, 'university_changed')).toMatchObject([
      {
        university_id: name,
        target_type: 'universities',
        target_id: name,
        before: { short_name: 'Before' },
        after: { short_name: 'After' },
        user_agent: 'a browser',
        request_id: 'r-77',
      },
    ])
  })

  test('roles that are given and taken with the secret key', async () => {
    const person = await newStaff(project, 'university_admin')
    await serviceClient(project)
      .from('user_roles')
      .delete()
      .eq('user_id', person.id)
      .eq('role', 'university_admin')
    const entries = await withDatabase(
      project,
      (sql) => sql`
        select action::text, actor_id, actor_role from public.audit_logs
        where target_type = 'user_roles' and target_id = ${person.id} order by id`,
    )
    expect(entries).toEqual([
      { action: 'role_granted', actor_id: null, actor_role: 'service_role' },
      { action: 'role_revoked', actor_id: null, actor_role: 'service_role' },
    ])
  })

  test('what a counselor reads, and not what they looked for', async () => {
    const counselor = await newStaff(project, 'counselor')
    await counselor.client.rpc('list_students', { university_id: HOME, search: 'Adalind' })
    await counselor.client.rpc('read_student', { student_id: ada.id })
    const entries = await entriesOf(counselor, ...READS)
    expect(entries).toMatchObject([
      { action: 'students_listed', university_id: HOME, details: { search: true, sort: 'name' } },
      { action: 'student_read', university_id: HOME, target_type: 'students', target_id: ada.id },
    ])
    expect(JSON.stringify(entries)).not.toContain('Adalind')
  })

  test('the export of a student, who may not read the entry', async () => {
    const person = await newStudent(project, [])
    expect((await person.client.rpc('export_my_data')).error).toBeNull()
    expect(await entriesOf(person, 'data_exported')).toMatchObject([{ target_id: person.id }])
    expect((await person.client.from('audit_logs').select('id')).data).toEqual([])
  })

  test('a security administrator for a reader, who can verify it', async () => {
    const sam = await newStaff(project, 'security_admin')
    expect((await sam.client.from('audit_logs').select('id').limit(1)).data).toHaveLength(1)
    expect((await sam.client.rpc('verify_audit_chain')).data).toEqual([
      { intact: true, entries: expect.any(Number), broken_at: null, problem: null },
    ])
  })
})

describe('a counselor who wants to read unseen', () => {
  const noise = { 'app.audited_read': 'true', 'x-app-audited-read': 'true' }
  test.each<[string, string, { headers?: object; method?: string; body?: object }]>([
    ['asks for the tables', 'students?select=*', {}],
    ['asks for names', 'profiles?select=first_name', {}],
    ['asks for the reviews with their students', 'open_clinical_reviews?select=first_name', {}],
    [
      'embeds the students in the reviews',
      'clinical_reviews?select=id,profiles!clinical_reviews_user_id_fkey(*)',
      {},
    ],
    ['embeds the students in the university', 'universities?select=id,profiles(first_name,last_name)', {}],
    ['sends the setting as a header', 'students?select=*', { headers: noise }],
    ['sends the setting as a parameter', 'students?select=*&app.audited_read=eq.true', {}],
    [
      'prefers to set it',
      'students?select=*',
      { headers: { prefer: 'params=app.audited_read,tx=rollback' } },
    ],
    [
      'calls set_config',
      'rpc/set_config',
      { method: 'POST', body: { setting_name: 'app.audited_read', new_value: '1', is_local: false } },
    ],
    [
      'calls the function that opens',
      'rpc/audit_read',
      { method: 'POST', headers: { 'content-profile': 'private' }, body: { action: 'students_listed' } },
    ],
    [
      'calls it in the open schema',
      'rpc/audit_read',
      { method: 'POST', body: { action: 'students_listed' } },
    ],
    [
      'calls what reads without it',
      'rpc/student_record',
      { method: 'POST', headers: { 'content-profile': 'private' }, body: { student: '', scores: 1 } },
    ],
  ])('%s and sees nobody', async (_, path, init) => {
    const { text } = await request(cora, path, init)
    expect(text).not.toContain('Adalind')
    expect(text).not.toContain('Quill')
  })

  test.each<[string, string, { headers?: object; method?: string; body?: object }]>([
    ['asks for the transaction to be undone', '', { headers: { prefer: 'tx=rollback' } }],
    [
      'asks for one row where there may be more',
      '',
      { headers: { accept: 'application/vnd.pgrst.object+json' } },
    ],
    ['asks for no answer', '', { headers: { prefer: 'return=minimal' } }],
    ['asks for few rows to be touched', '', { headers: { prefer: 'handling=strict,max-affected=0' } }],
    [
      'asks for a plan',
      '',
      { headers: { accept: 'application/vnd.pgrst.plan+json; options=analyze|verbose' } },
    ],
    ['asks with GET', 'GET', { method: 'GET' }],
  ])('%s: who sees a name is in the log', async (_, how, init) => {
    const counselor = await newStaff(project, 'counselor')
    const calls: [string, object][] = [
      ['rpc/list_students', { university_id: HOME, search: 'Adalind' }],
      ['rpc/read_student', { student_id: ada.id }],
      ['rpc/list_open_reviews', {}],
    ]
    for (const [path, args] of calls) {
      const before = (await entriesOf(counselor, ...READS)).length
      const { text } =
        how === 'GET'
          ? await request(counselor, `${path}?${new URLSearchParams({ ...args })}`, init)
          : await request(counselor, path, { method: 'POST', body: args, ...init })
      const noted = (await entriesOf(counselor, ...READS)).length - before
      if (text.includes('Adalind') || text.includes('Quill'))
        expect({ path, noted }).toEqual({ path, noted: 1 })
    }
  })

  test('fails on purpose after the read: no answer without its entry', async () => {
    const counselor = await newStaff(project, 'counselor')
    for (const path of [
      'rpc/list_open_reviews?select=first_name::int',
      'rpc/list_open_reviews?list_open_reviews=eq.1',
      'rpc/list_open_reviews?select=list_open_reviews::int',
    ]) {
      const before = (await entriesOf(counselor, ...READS)).length
      const { text } = await request(counselor, path, { method: 'POST', body: {} })
      const noted = (await entriesOf(counselor, ...READS)).length - before
      if (text.includes('Adalind') || text.includes('Quill'))
        expect({ path, noted }).toEqual({ path, noted: 1 })
    }
  })

  test('embeds in the list of reviews what it does not show', async () => {
    const paths = [
      'rpc/list_open_reviews?select=id,profiles(first_name,last_name)',
      'rpc/list_open_reviews?select=id,universities(id,profiles(first_name,last_name))',
      'rpc/list_open_reviews?select=id,university_id(id,profiles(first_name,students(faculty)))',
    ]
    for (const path of paths) {
      const { status, text } = await request(cora, path, { method: 'POST', body: {} })
      // The list is one value, not rows that a request could select from.
      if (status === 200) expect(text).not.toContain('"profiles"')
      else expect(text).not.toContain('Adalind')
    }
  })
})

describe('the gate that a noted read opens', () => {
  /** Runs statements on one connection, as one signed-in person. */
  async function asOne<Result>(
    person: Student,
    use: (sql: postgres.ReservedSql) => Promise<Result>,
    onnotice: (notice: postgres.Notice) => void = () => {},
  ): Promise<Result> {
    const pool = postgres(project.adminUrl, { max: 1, onnotice })
    const sql = await pool.reserve()
    try {
      const claims = JSON.stringify({ sub: person.id, role: 'authenticated' })
      await sql`select set_config('request.jwt.claims', ${claims}, false), set_config('role', 'authenticated', false)`
      return await use(sql)
    } finally {
      sql.release()
      await pool.end()
    }
  }
  const seen = async (sql: postgres.ReservedSql) =>
    (await sql`select user_id from public.students where user_id = ${ada.id}`).length
  const listed = async (sql: postgres.ReservedSql) => {
    const [row] = await sql`select public.list_students(${HOME}, 'Adalind') as page`
    return row?.page.students.length
  }

  test('is closed again when the function has answered', async () => {
    await asOne(cora, async (sql) => {
      await sql`begin`
      expect(await seen(sql)).toBe(0)
      expect(await listed(sql)).toBe(1)
      expect(await seen(sql)).toBe(0)
      await sql`commit`
    })
  })

  test('does not stay open for the next transaction of the connection', async () => {
    await asOne(cora, async (sql) => {
      expect(await listed(sql)).toBe(1)
      expect(await seen(sql)).toBe(0)
      // A value that an earlier transaction left opens nothing either.
      await sql`begin`
      const [row] = await sql`select pg_current_xact_id()::text as id`
      await sql`select set_config('app.audited_read', ${row?.id}, false)`
      await sql`commit`
      expect(await seen(sql)).toBe(0)
    })
  })

  test('is not left open by a call that fails', async () => {
    await asOne(cora, async (sql) => {
      await sql`begin`
      await sql`savepoint s`
      await expect(sql`select public.list_students(${HOME}, sort => 'salary')`).rejects.toThrow(
        'student_sort',
      )
      await sql`rollback to savepoint s`
      expect(await seen(sql)).toBe(0)
      await sql`rollback`
    })
  })

  test('leaves a line in the database’s log when the read is undone, and the entry with it', async () => {
    const counselor = await newStaff(project, 'counselor')
    const lines: string[] = []
    const note = ({ severity, message }: postgres.Notice) => lines.push(`${severity} ${message}`)
    await asOne(
      counselor,
      async (sql) => {
        // What the server logs, this client is sent too.
        await sql`set client_min_messages = log`
        await sql`begin`
        expect(await listed(sql)).toBe(1)
        await sql`rollback`
      },
      note,
    )
    expect(await entriesOf(counselor, ...READS)).toEqual([])
    expect(lines).toEqual([
      expect.stringContaining(
        `LOG A counselor reads students' data: students_listed, account ${counselor.id}, transaction `,
      ),
    ])
  })

  test('opens nothing to who is no counselor', async () => {
    for (const person of [await newStudent(project, []), await newStaff(project, 'university_admin')]) {
      await asOne(person, async (sql) => {
        await sql`begin`
        expect(await listed(sql)).toBe(0)
        await sql`select set_config('app.audited_read', 'true', true)`
        expect(await seen(sql)).toBe(0)
        await sql`rollback`
      })
    }
  })
})
