import { beforeAll, describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { newSession, storeAnalysis } from '../../../harness/factories/sessions.ts'
import { HOME, logAccess, newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import { serviceClient, withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

/** Of nobody else, also in a project that earlier runs have filled. */
const FIRST_NAME = `Adalind-${crypto.randomUUID().slice(0, 8)}`

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
    .update({ first_name: FIRST_NAME, last_name: 'Quill' })
    .eq('user_id', ada.id)
})

/** What the audit log holds of what somebody did, oldest first. */
function entriesOf({ id }: Student, ...actions: string[]) {
  return withDatabase(
    project,
    (sql) => sql`
      select action::text, university_id, target_type, target_id, before, after, details, host(ip) as ip, user_agent, request_id
      from private.audit_log
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

/** Leaves an account so many entries of the hour. */
function useUpEntries({ id }: Student, left: number) {
  return withDatabase(
    project,
    (sql) => sql`
      insert into private.rate_limit_uses (subject, scope, used_at)
      select ${id}, scope, array_fill(now(), array[requests - ${left}::integer])
      from private.rate_limit_rules where scope = 'audit'`,
  )
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
        ip: expect.not.stringContaining('192.0.2.44'),
        user_agent: 'a browser',
        request_id: 'r-77',
      },
    ])
  })

  test('roles that are given and taken with the secret key', async () => {
    // The last one stays.
    const [person] = await Promise.all([
      newStaff(project, 'university_admin'),
      newStaff(project, 'university_admin'),
    ])
    await serviceClient(project)
      .from('user_roles')
      .delete()
      .eq('user_id', person.id)
      .eq('role', 'university_admin')
    const entries = await withDatabase(
      project,
      (sql) => sql`
        select action::text, actor_id, actor_role from private.audit_log
        where target_type = 'user_roles' and target_id = ${person.id} order by id`,
    )
    expect(entries).toEqual([
      { action: 'role_granted', actor_id: null, actor_role: 'service_role' },
      { action: 'role_revoked', actor_id: null, actor_role: 'service_role' },
    ])
  })

  test('what somebody changes with the secret key themselves, without what it says of a person', async () => {
    const person = await newStudent(project, [])
    await serviceClient(project).from('profiles').update({ first_name: 'Invented' }).eq('user_id', person.id)
    const entries = await withDatabase(
      project,
      (sql) => sql`
        select action::text, actor_role, target_type, after from private.audit_log
        where subject_id = ${person.id} and action = 'edited_by_hand'`,
    )
    expect(entries).toEqual([
      {
        action: 'edited_by_hand',
        actor_role: 'service_role',
        target_type: 'profiles',
        after: { first_name: '…' },
      },
    ])
  })

  test('what a counselor reads, and not what they looked for', async () => {
    const counselor = await newStaff(project, 'counselor')
    const page = {
      university_id: HOME,
      search: FIRST_NAME,
      sort: 'risk' as const,
      descending: true,
      page_limit: 20,
    }
    await logAccess(counselor, { action: 'students_listed', ...page })
    expect((await counselor.client.rpc('list_students', page)).data).toMatchObject({ total: 1 })
    await logAccess(counselor, { action: 'student_read', student_id: ada.id })
    await counselor.client.rpc('read_student', { student_id: ada.id })
    const entries = await entriesOf(counselor, ...READS)
    expect(entries).toMatchObject([
      {
        action: 'students_listed',
        university_id: HOME,
        details: { search: true, sort: 'risk', descending: true, limit: 20, offset: 0 },
      },
      { action: 'student_read', university_id: HOME, target_type: 'students', target_id: ada.id },
    ])
    expect(JSON.stringify(entries)).not.toContain('Adalind')
  })

  test('that a student asked for an export, and the student may not read the entry', async () => {
    const person = await newStudent(project, [])
    expect((await call(project, person.token, 'POST', 'api/privacy/exports', {})).status).toBe(202)
    expect(await entriesOf(person, 'data_exported')).toMatchObject([{ target_id: person.id }])
    expect((await person.client.rpc('read_audit_log')).data).toEqual([])
  })

  test('no more of one account than an hour may have', async () => {
    const counselor = await newStaff(project, 'counselor')
    await useUpEntries(counselor, 1)
    const read = { action: 'students_listed', university_id: HOME } as const
    await logAccess(counselor, read)
    expect((await counselor.client.rpc('log_access', read)).error?.code).toBe('PT429')
    expect(await entriesOf(counselor, ...READS)).toHaveLength(1)
    const { status, headers, body } = await call(project, counselor.token, 'GET', 'api/students')
    expect([status, body.code]).toEqual([429, 'rate_limited'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('and undoes a change that it takes no entry of', async () => {
    const admin = await newStaff(project, 'university_admin')
    await useUpEntries(admin, 0)
    const change = () =>
      admin.client
        .from('universities')
        .update({ short_name: `Changed by ${admin.id}` })
        .eq('id', HOME)
    expect((await change()).error?.code).toBe('PT429')
    const { status, body } = await call(project, admin.token, 'POST', 'api/database/update', {
      table: 'universities',
      data: { short_name: `Changed by ${admin.id}` },
      filters: { id: HOME },
    })
    expect([status, body.code]).toEqual([429, 'rate_limited'])
    const { data } = await admin.client.from('universities').select('short_name').eq('id', HOME)
    expect(JSON.stringify(data)).not.toContain(admin.id)
  })

  test('a security administrator for a reader, who can verify it', async () => {
    const sam = await newStaff(project, 'security_admin')
    expect((await sam.client.rpc('read_audit_log', { page_limit: 1 })).data).toHaveLength(1)
    const named = await sam.client.rpc('read_audit_log', { action: 'student_read', target_id: ada.id })
    expect(new Set(named.data?.map(({ action, target_id }) => `${action} ${target_id}`))).toEqual(
      new Set([`student_read ${ada.id}`]),
    )
    expect((await sam.client.rpc('verify_audit_chain')).data).toEqual([
      {
        intact: true,
        entries: expect.any(Number),
        verified_through: expect.any(Number),
        broken_at: null,
        problem: null,
      },
    ])
  })
})

describe('a counselor who wants to read unseen', () => {
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
    ['calls what writes the entries', 'rpc/audit', { method: 'POST', body: { action: 'students_listed' } }],
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

  const reads = (): [string, object][] => [
    ['rpc/list_students', { university_id: HOME, search: 'Adalind' }],
    ['rpc/read_student', { student_id: ada.id }],
    ['rpc/list_open_reviews', {}],
  ]

  test('is told to note the read first, whatever it looks like', async () => {
    const counselor = await newStaff(project, 'counselor')
    const looks = [
      '',
      '?select=*',
      '?select=pgrst_scalar:pgrst_scalar->>students::int',
      '?select=first_name::int',
    ]
    for (const [path, args] of reads()) {
      for (const look of looks) {
        const { status, text } = await request(counselor, path + look, { method: 'POST', body: args })
        expect(text).not.toContain('Adalind')
        expect(text).not.toContain('Quill')
        expect(status).toBeGreaterThanOrEqual(400)
      }
      const { status, text } = await request(counselor, path, { method: 'POST', body: args })
      expect([status, text]).toEqual([403, expect.stringContaining('Log this access first.')])
    }
    expect(await entriesOf(counselor, ...READS)).toEqual([])
  })

  test('keeps the entry, however a logged read ends', async () => {
    const counselor = await newStaff(project, 'counselor')
    await logAccess(counselor, { action: 'students_listed', university_id: HOME, search: 'Adalind' })
    await logAccess(counselor, { action: 'student_read', student_id: ada.id })
    await logAccess(counselor, { action: 'reviews_listed' })
    for (const [path, args] of reads()) {
      await request(counselor, `${path}?select=pgrst_scalar->>students::int`, { method: 'POST', body: args })
      await request(counselor, path, { method: 'POST', body: args, headers: { prefer: 'tx=rollback' } })
    }
    expect(await entriesOf(counselor, ...READS)).toHaveLength(3)
  })

  test('searches for nothing beside what was logged', async () => {
    const counselor = await newStaff(project, 'counselor')
    const page = { university_id: HOME, search: 'Quill' }
    await logAccess(counselor, { action: 'students_listed', ...page })
    for (const other of [
      {},
      { search: 'Adalind' },
      { page_offset: 50 },
      { sort: 'risk' as const },
      { descending: true },
    ]) {
      const { error } = await counselor.client.rpc('list_students', { ...page, ...other })
      expect(error?.message ?? 'listed').toBe(
        Object.keys(other).length > 0 ? 'Log this access first.' : 'listed',
      )
    }
  })

  test('reads nobody beside whom the entry names', async () => {
    const counselor = await newStaff(project, 'counselor')
    await logAccess(counselor, { action: 'student_read', student_id: crypto.randomUUID() })
    await logAccess(counselor, { action: 'students_listed', university_id: 'eastbrook' })
    for (const [path, args] of reads()) {
      const { status } = await request(counselor, path, { method: 'POST', body: args })
      expect(status).toBe(403)
    }
  })

  test('cannot undo the entry while noting it', async () => {
    const counselor = await newStaff(project, 'counselor')
    for (const look of ['?select=pgrst_scalar::uuid', '?select=x', '']) {
      await request(counselor, `rpc/log_access${look}`, {
        method: 'POST',
        body: { action: 'student_read', student_id: ada.id },
        headers: { prefer: 'tx=rollback' },
      })
      const logged = await entriesOf(counselor, ...READS)
      const { text } = await request(counselor, 'rpc/read_student', {
        method: 'POST',
        body: { student_id: ada.id },
      })
      expect(text.includes('Adalind')).toBe(logged.length > 0)
    }
  })
})
