import { beforeAll, describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { apiClient } from '../../../harness/client/openapi-client.ts'
import { newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import { newUniversity } from '../../../harness/factories/universities.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

async function administered(): Promise<{ id: string; admin: Student }> {
  const id = await newUniversity(project)
  return { id, admin: await newStaff(project, 'university_admin', id) }
}

const read = (person: Student, universityId: string) =>
  apiClient(project, person.token).GET('/api/university/{universityId}', {
    params: { path: { universityId } },
  })

type Change = NonNullable<Parameters<typeof put>[2]>

function put(
  person: Student,
  universityId: string,
  body: {
    name?: string
    branding?: { logo_url?: string | null; primary_color?: string; secondary_color?: string }
    settings?: {
      features_enabled?: ('check_ins' | 'sessions')[]
      assessment_frequency?: 'daily' | 'weekly'
      privacy_settings?: Record<string, string | boolean>
    }
    contacts?: {
      support_email?: string | null
      crisis_phone?: string | null
      resources?: { name: string; phone?: string | null; website?: string | null }[]
    }
  },
) {
  return apiClient(project, person.token).PUT('/api/university/{universityId}', {
    params: { path: { universityId } },
    body,
  })
}

/** What the audit log says of a university. */
const audited = (id: string) =>
  withDatabase(
    project,
    (sql) => sql`
      select actor_id, actor_role, target_type, before, after, host(ip) as ip, user_agent, request_id
      from private.audit_log
      where action = 'university_changed' and target_id = ${id}
      order by id`,
  )

let student: Student

beforeAll(async () => {
  student = await newStudent(project)
})

describe('a university', () => {
  test('is read by its members, in the shape of the interface', async () => {
    const { id, admin } = await administered()
    const { data } = await read(admin, id)
    expect(data).toEqual({
      id,
      name: 'Invented University',
      short_name: 'Invented',
      domain: `${id}.example.edu`,
      branding: { primary_color: '#1f4e79', secondary_color: '#f2a900' },
      settings: {
        features_enabled: ['check_ins', 'sessions', 'support_circle', 'counselor_access'],
        assessment_frequency: 'daily',
        privacy_settings: {},
      },
      contacts: {
        support_email: 'support@invented.example.edu',
        crisis_phone: '+1-202-555-0130',
        resources: [{ name: 'Wellbeing Office', phone: '+1-202-555-0131', website: null }],
      },
    })
  })

  test('is read by its students and counselors, and by security administrators', async () => {
    const counselor = await newStaff(project, 'counselor')
    const security = await newStaff(project, 'security_admin', 'eastbrook')
    for (const person of [student, counselor, security]) {
      expect((await read(person, 'northfield')).data?.short_name).toBe('Northfield')
    }
  })

  test('of others is not there, nor one that does not exist', async () => {
    for (const id of ['eastbrook', 'nowhere', crypto.randomUUID()]) {
      const { response, error } = await read(student, id)
      expect([response.status, error?.code]).toEqual([404, 'university_not_found'])
      const listed = await apiClient(project, student.token).GET('/api/universities/{id}', {
        params: { path: { id } },
      })
      expect([listed.response.status, listed.error?.code]).toEqual([404, 'university_not_found'])
    }
  })

  test('is read from the list by its id', async () => {
    const { data } = await apiClient(project, student.token).GET('/api/universities/{id}', {
      params: { path: { id: 'northfield' } },
    })
    expect(data).toEqual((await read(student, 'northfield')).data)
  })

  test.each(['A', 'x', '-a', 'a'.repeat(64), 'a%20b', "a';--"])('has no id such as %s', async (id) => {
    const { status, body } = await call(project, student.token, 'GET', `api/university/${id}`)
    expect([status, body.code]).toEqual([400, 'invalid_parameters'])
  })

  test('is read by nobody without a token', async () => {
    const { status, body } = await call(project, null, 'GET', 'api/university/northfield')
    expect([status, body.code]).toEqual([401, 'unauthorized'])
  })
})

describe('an administrator', () => {
  const EVERYTHING: Change = {
    name: 'Ünïversity of Invention',
    branding: {
      logo_url: 'https://invented.example.edu/logo.png',
      primary_color: '#ABCDEF',
      secondary_color: '#012345',
    },
    settings: {
      features_enabled: ['sessions', 'check_ins'],
      assessment_frequency: 'weekly',
      privacy_settings: { share_statistics: false, note: "It's ünïcode 🦉" },
    },
    contacts: {
      support_email: 'help@invented.example.edu',
      crisis_phone: '+1 (202) 555-0132',
      resources: [{ name: 'Library', phone: null, website: 'https://invented.example.edu/library' }],
    },
  }

  test('changes everything, and returns it', async () => {
    const { id, admin } = await administered()
    const before = (await read(admin, id)).data
    const { data } = await put(admin, id, EVERYTHING)
    expect(data).toEqual({ ...before, ...EVERYTHING })
    expect((await read(admin, id)).data).toEqual(data)
  })

  test('changes one field, and nothing else', async () => {
    const { id, admin } = await administered()
    const before = (await put(admin, id, EVERYTHING)).data
    const { data } = await put(admin, id, { branding: { primary_color: '#000000' } })
    expect(data).toEqual({ ...before, branding: { ...before?.branding, primary_color: '#000000' } })
  })

  test('takes away what may be missing with null', async () => {
    const { id, admin } = await administered()
    await put(admin, id, EVERYTHING)
    const { data } = await put(admin, id, {
      branding: { logo_url: null },
      contacts: { support_email: null, crisis_phone: null, resources: [] },
    })
    expect(data?.branding).toEqual({ primary_color: '#ABCDEF', secondary_color: '#012345' })
    expect(data?.contacts).toEqual({ support_email: null, crisis_phone: null, resources: [] })
  })

  test('is in the audit log with what was, what is, and where from', async () => {
    const { id, admin } = await administered()
    const response = await fetch(`${project.apiUrl}/functions/v1/api/university/${id}`, {
      method: 'PUT',
      headers: {
        apikey: project.publishableKey,
        authorization: `Bearer ${admin.token}`,
        'content-type': 'application/json',
        'user-agent': 'Invented-Browser/1.0',
        // Not believed: a client may write them.
        'x-forwarded-for': '203.0.113.7',
        'x-client-address': '203.0.113.7 00',
        'x-request-id': 'change-of-a-colour',
      },
      body: JSON.stringify({ branding: { primary_color: '#222222' } }),
    })
    expect(response.status).toBe(200)
    expect(await audited(id)).toEqual([
      {
        actor_id: admin.id,
        actor_role: 'authenticated',
        target_type: 'universities',
        before: { primary_color: '#1f4e79' },
        after: { primary_color: '#222222' },
        ip: expect.not.stringContaining('203.0.113'),
        user_agent: 'Invented-Browser/1.0',
        request_id: 'change-of-a-colour',
      },
    ])
  })

  test('loses nothing when others change other fields at the same time', async () => {
    const { id, admin } = await administered()
    const colleague = await newStaff(project, 'university_admin', id)
    const changes: [Student, Change][] = [
      [admin, { name: 'Renamed' }],
      [colleague, { branding: { primary_color: '#111111' } }],
      [admin, { branding: { secondary_color: '#222222' } }],
      [colleague, { settings: { assessment_frequency: 'weekly' } }],
      [admin, { settings: { features_enabled: ['sessions'] } }],
      [colleague, { contacts: { support_email: 'new@invented.example.edu' } }],
      [admin, { contacts: { crisis_phone: '112' } }],
    ]
    const answers = await Promise.all(changes.map(([person, change]) => put(person, id, change)))
    expect(answers.map(({ response }) => response.status)).toEqual(changes.map(() => 200))
    const { data } = await read(admin, id)
    expect(data).toMatchObject(Object.assign({}, ...changes.slice(0, 1).map(([, change]) => change)))
    expect(data?.branding).toEqual({ primary_color: '#111111', secondary_color: '#222222' })
    expect(data?.settings).toMatchObject({ assessment_frequency: 'weekly', features_enabled: ['sessions'] })
    expect(data?.contacts).toMatchObject({ support_email: 'new@invented.example.edu', crisis_phone: '112' })
    expect(await audited(id)).toHaveLength(changes.length)
  })

  test.each<[string, unknown, string]>([
    ['nothing', {}, ''],
    ['empty groups', { branding: {}, settings: {}, contacts: {} }, ''],
    ['a list', [], ''],
    ['no name', { name: '' }, 'name'],
    ['a long name', { name: 'x'.repeat(201) }, 'name'],
    ['a name of two lines', { name: 'a\nb' }, 'name'],
    ['a name with NUL', { name: 'a\0' }, 'name'],
    ['half a letter', { name: '\ud800' }, 'name'],
    ['another id', { id: 'other', name: 'x' }, ''],
    ['another domain', { domain: 'other.example.edu' }, ''],
    ['a colour by name', { branding: { primary_color: 'red' } }, 'branding.primary_color'],
    ['a short colour', { branding: { secondary_color: '#fff' } }, 'branding.secondary_color'],
    ['no colour', { branding: { primary_color: null } }, 'branding.primary_color'],
    [
      'a logo without encryption',
      { branding: { logo_url: 'http://x.example.edu/a.png' } },
      'branding.logo_url',
    ],
    ['a logo that is a program', { branding: { logo_url: 'javascript:alert(1)' } }, 'branding.logo_url'],
    ['a logo that breaks out', { branding: { logo_url: 'https://x/"><script>' } }, 'branding.logo_url'],
    ['a logo with NUL', { branding: { logo_url: 'https://x/\0' } }, 'branding.logo_url'],
    [
      'an unknown feature',
      { settings: { features_enabled: ['mind_reading'] } },
      'settings.features_enabled.0',
    ],
    [
      'an unknown frequency',
      { settings: { assessment_frequency: 'hourly' } },
      'settings.assessment_frequency',
    ],
    ['privacy in a list', { settings: { privacy_settings: [] } }, 'settings.privacy_settings'],
    [
      'much privacy',
      { settings: { privacy_settings: { a: 'x'.repeat(9000) } } },
      'settings.privacy_settings',
    ],
    ['privacy with NUL', { settings: { privacy_settings: { a: ['\0'] } } }, 'settings.privacy_settings'],
    ['an address that is none', { contacts: { support_email: 'support' } }, 'contacts.support_email'],
    [
      'an address with a header',
      { contacts: { support_email: 'a@b.example.edu\r\nBcc: c' } },
      'contacts.support_email',
    ],
    ['a number that is none', { contacts: { crisis_phone: 'call us' } }, 'contacts.crisis_phone'],
    ['help without a name', { contacts: { resources: [{ phone: '112' }] } }, 'contacts.resources.0.name'],
    [
      'help at no address',
      { contacts: { resources: [{ name: 'x', website: 'ftp://x' }] } },
      'contacts.resources.0.website',
    ],
    ['help with more', { contacts: { resources: [{ name: 'x', email: 'y' }] } }, 'contacts.resources.0'],
    ['a field of another', { branding: { name: 'x' } }, 'branding'],
  ])('is refused %s', async (_, body, field) => {
    const { id, admin } = await administered()
    const answer = await call(project, admin.token, 'PUT', `api/university/${id}`, body)
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_parameters'])
    expect(answer.body.details).toMatchObject({
      issues: expect.arrayContaining([expect.objectContaining({ field })]),
    })
    expect(await audited(id)).toEqual([])
  })

  test('is refused what only the database knows to be too much', async () => {
    const { id, admin } = await administered()
    const resources = Array.from({ length: 50 }, (_, index) => ({
      name: `${index} ${'n'.repeat(190)}`,
      website: `https://invented.example.edu/${'w'.repeat(400)}`,
    }))
    const { response, error } = await put(admin, id, { contacts: { resources } })
    expect([response.status, error?.code]).toEqual([400, 'invalid_parameters'])
    expect(error?.details).toEqual({ issues: [{ field: 'resources', problem: 'is not allowed' }] })
  })

  test('of another university changes nothing, nor does anybody else', async () => {
    const { id, admin } = await administered()
    const before = (await read(admin, id)).data
    const people = [
      student,
      await newStaff(project, 'counselor', id),
      await newStaff(project, 'security_admin', id),
      (await administered()).admin,
    ]
    for (const person of people) {
      for (const target of [id, 'nowhere']) {
        const { response, error } = await put(person, target, { name: 'Taken' })
        expect([response.status, error?.code]).toEqual([403, 'forbidden'])
      }
    }
    expect((await read(admin, id)).data).toEqual(before)
    expect(await audited(id)).toEqual([])
  })

  test('whose role was revoked changes nothing any more', async () => {
    const { id, admin } = await administered()
    await withDatabase(project, (sql) => sql`delete from public.user_roles where user_id = ${admin.id}`)
    expect((await put(admin, id, { name: 'Taken' })).error?.code).toBe('forbidden')
  })
})

describe('the list of universities', () => {
  type Query = {
    search?: string
    sort?: 'name' | 'short_name' | 'id'
    order?: 'asc' | 'desc'
    limit?: number
    offset?: number
  }
  const list = (person: Student, query: Query = {}) =>
    apiClient(project, person.token).GET('/api/universities', { params: { query } })
  const ids = (answer: Awaited<ReturnType<typeof list>>) => answer.data?.universities.map(({ id }) => id)

  test('has those of the caller', async () => {
    const answer = await list(student)
    expect(ids(answer)).toEqual(['northfield'])
    expect(answer.data).toMatchObject({ total: 1, limit: 50, offset: 0 })
    const counselor = await newStaff(project, 'counselor', 'eastbrook')
    expect(ids(await list(counselor))).toEqual(['eastbrook'])
  })

  test('is searched, sorted and paged by a security administrator', async () => {
    const word = crypto.randomUUID().slice(0, 8)
    const made = [
      await newUniversity(project, `${word} b`),
      await newUniversity(project, `${word} a`),
      await newUniversity(project, `${word} c`),
    ]
    const [b, a, c] = made
    const security = await newStaff(project, 'security_admin')
    const search = word.toUpperCase()
    expect(ids(await list(security, { search }))).toEqual([a, b, c])
    expect(ids(await list(security, { search, order: 'desc' }))).toEqual([c, b, a])
    expect(ids(await list(security, { search, sort: 'id' }))).toEqual(made.toSorted())
    const page = await list(security, { search, limit: 1, offset: 1 })
    expect([ids(page), page.data?.total]).toEqual([[b], 3])
    const beyond = await list(security, { search, offset: 10 })
    expect([ids(beyond), beyond.data?.total]).toEqual([[], 3])
  })

  test('finds the characters of patterns as they are', async () => {
    const security = await newStaff(project, 'security_admin')
    const word = crypto.randomUUID().slice(0, 8)
    const found = await newUniversity(project, `${word} 100% of_it, (a.b) "c" \\d`)
    await newUniversity(project, `${word} 100 of it`)
    for (const part of ['100%', 'of_it', '(a.b)', '"c" \\d', 'it, (', `${word} 100% of_it, (a.b) "c" \\d`]) {
      expect([part, ids(await list(security, { search: `${part}` }))]).toEqual([
        part,
        expect.arrayContaining([found]),
      ])
    }
    expect(ids(await list(security, { search: `${word} 100%` }))).toEqual([found])
    expect(ids(await list(security, { search: `${word.slice(0, 3)}%100` }))).toEqual([])
    expect(ids(await list(security, { search: `${word}*of_it` }))).toEqual([])
    const starred = await newUniversity(project, `${word} a*b [x]{2} ^$|+?`)
    await newUniversity(project, `${word} axb`)
    for (const part of ['A*B', '[x]{2}', '^$|+?']) {
      expect(ids(await list(security, { search: `${part}` }))).toContain(starred)
    }
    expect(ids(await list(security, { search: `${word} a*b` }))).toEqual([starred])
  })

  test.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'offset=-1',
    'sort=domain',
    'order=up',
    'search=a%00b',
    'select=*',
    'id=eq.x',
  ])('is refused with %s', async (query) => {
    const { status, body } = await call(project, student.token, 'GET', `api/universities?${query}`)
    expect([status, body.code]).toEqual([400, 'invalid_parameters'])
  })
})
