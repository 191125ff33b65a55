import { describe, expect, inject, test } from 'vitest'
import { requireDescribed, servedDocument } from '../../../harness/client/described-response.ts'
import { newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import {
  checkedIn,
  newBareUniversity,
  newCohort,
  rollUpDays,
} from '../../../harness/factories/universities.ts'
import { serviceClient, withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')
const PATH = '/api/analytics/dashboard.html'
const ADDRESS = `${project.apiUrl}/functions/v1${PATH}`
const PASSWORD = 'invented-password-1'

/** A university with twelve students who checked in yesterday. */
function newSmallUniversity(name: string): Promise<string> {
  return withDatabase(project, async (sql) => {
    const university = await newBareUniversity(sql, name)
    const students = await newCohort(sql, university, { faculty: 'Law', students: 12 })
    await rollUpDays(sql, (transaction) => checkedIn(transaction, students, 1, 60))
    return university
  })
}

/** Asks for the page, whose answer has to be as the served description says. */
async function asked(query: string, request: RequestInit): Promise<Response> {
  const response = await fetch(`${ADDRESS}${query}`, { ...request, redirect: 'manual' })
  const call = { path: PATH, method: request.method ?? 'GET' }
  await requireDescribed(await servedDocument(project), call, response)
  return response
}

function look(query = '', headers: Record<string, string> = {}): Promise<Response> {
  return asked(query, { headers })
}

function send(
  form: Record<string, string>,
  headers: Record<string, string> = {},
  query = '',
): Promise<Response> {
  return asked(query, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
    body: new URLSearchParams(form),
  })
}

function bearer({ token }: Student): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

/** The cookie as a browser sends it back. */
function cookieOf(response: Response): string {
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

describe('signing in to the page', () => {
  test('leads back to what was asked for, with a cookie that no script and no other site can use', async () => {
    const admin = await newStaff(project, 'university_admin')
    const answer = await send({ email: admin.email, password: PASSWORD }, {}, '?date_range=90d')
    expect([answer.status, answer.headers.get('location')]).toEqual([303, 'dashboard.html?date_range=90d'])
    expect(answer.headers.get('set-cookie')).toMatch(/^wellbeing_session=[\w.-]+; HttpOnly; SameSite=Strict$/)
    const page = await look('', { cookie: `other=1; ${cookieOf(answer)}` })
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('Sign out')
  })

  test('takes no form of another site', async () => {
    const admin = await newStaff(project, 'university_admin')
    for (const site of ['cross-site', 'same-site']) {
      const answer = await send({ email: admin.email, password: PASSWORD }, { 'sec-fetch-site': site })
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null])
    }
  })

  test('takes a form that names this host as its origin, and none that names another, from browsers that tell no more', async () => {
    const { email } = await newStaff(project, 'university_admin')
    const { origin } = new URL(ADDRESS)
    const sendFrom = async (from: string) => {
      const body = new URLSearchParams({ email, password: PASSWORD })
      const answer = await asked('', { method: 'POST', headers: { origin: from }, body })
      return [answer.status, answer.headers.get('set-cookie') !== null]
    }
    expect(await sendFrom(origin)).toEqual([303, true])
    for (const from of ['https://evil.example', `${origin}.evil.example`, 'null', 'no origin at all']) {
      expect(await sendFrom(from)).toEqual([403, false])
    }
  })

  test('at the address with a slash at the end leads to the page, where the form is taken', async () => {
    const { email } = await newStaff(project, 'university_admin')
    const body = new URLSearchParams({ email, password: PASSWORD })
    const answer = await asked('/?date_range=90d', { method: 'POST', body })
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([308, null])
    const page = new URL(answer.headers.get('location') ?? '', `${ADDRESS}/?date_range=90d`)
    expect(page.href).toBe(`${ADDRESS}?date_range=90d`)
    expect((await asked(page.search, { method: 'POST', body })).status).toBe(303)
    expect((await asked('/', {})).headers.get('location')).toBe('../dashboard.html')
  })

  test.each([
    ['a wrong password', (email: string) => ({ email, password: 'not-the-password' })],
    ['an unknown address', () => ({ email: `${crypto.randomUUID()}@example.edu`, password: PASSWORD })],
    ['no address', () => ({ email: '"><script>', password: PASSWORD })],
    ['an empty form', () => ({})],
  ])('answers %s with the form and the same words', async (_, form) => {
    const admin = await newStaff(project, 'university_admin')
    const answer = await send(form(admin.email))
    const text = await answer.text()
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null])
    expect(text).toContain('The address or the password is not right, or the address is not confirmed yet.')
    expect(text).not.toContain('<script>')
    expect(text).not.toContain('not-the-password')
  })

  test('is limited by address, and says so', async () => {
    const email = `${crypto.randomUUID()}@northfield.example.edu`
    for (let tries = 0; tries < 10; tries++)
      expect((await send({ email, password: 'wrong' })).status).toBe(401)
    const answer = await send({ email, password: 'wrong' })
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await answer.text()).toContain('Too many requests')
  })

  test('that fails is in the audit log', async () => {
    const id = crypto.randomUUID()
    await send({ email: `${id}@northfield.example.edu`, password: 'wrong' }, { 'x-request-id': id })
    const entries = await withDatabase(
      project,
      (sql) => sql`select action, details from public.audit_logs where request_id = ${id}`,
    )
    expect(entries).toEqual([{ action: 'sign_in_failed', details: { reason: 'invalid_credentials' } }])
  })

  test('ends with signing out, on the server too', async () => {
    const admin = await newStaff(project, 'university_admin')
    const cookie = cookieOf(await send({ email: admin.email, password: PASSWORD }))
    const answer = await send({ sign_out: '1' }, { cookie })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, 'dashboard.html'])
    expect(answer.headers.get('set-cookie')).toMatch(/^wellbeing_session=; Max-Age=0;/)
    const page = await look('', { cookie })
    expect([page.status, page.headers.get('set-cookie')]).toEqual([
      401,
      expect.stringMatching(/^wellbeing_session=; Max-Age=0;/),
    ])
    expect(await page.text()).toContain('Your session has ended. Sign in again.')
  })

  test('is needed again once the account is gone', async () => {
    const admin = await newStaff(project, 'university_admin')
    await serviceClient(project).auth.admin.deleteUser(admin.id)
    const page = await look('', bearer(admin))
    expect(page.status).toBe(401)
    expect(await page.text()).toContain('name="password"')
  })
})

describe('the page', () => {
  test('is a form for a visitor who is signed out', async () => {
    const page = await look()
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('name="password"')
  })

  test('may load nothing, run nothing and be framed by nobody', async () => {
    const { headers } = await look()
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
      'no-store',
      'nosniff',
    ])
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  test('shows the first university of several, and lets choose another', async () => {
    const [one, other] = await Promise.all([
      newSmallUniversity('Aldermoor'),
      newSmallUniversity('Brackwater'),
    ])
    const admin = await newStaff(project, 'university_admin', one)
    const given = await serviceClient(project)
      .from('user_roles')
      .insert({ user_id: admin.id, role: 'university_admin', university_id: other })
    expect(given.error).toBeNull()
    expect(await (await look('', bearer(admin))).text()).toContain('<h1>Aldermoor</h1>')
    const chosen = await (await look(`?university_id=${other}`, bearer(admin))).text()
    expect(chosen).toContain('<h1>Brackwater</h1>')
    expect(chosen).toContain('<select name="university_id">')
  })

  test('keeps what students and operators write as text', async () => {
    const university = await newSmallUniversity('<script>alert(1)</script>')
    const admin = await newStaff(project, 'university_admin', university)
    const query = `?faculty=${encodeURIComponent('"><img src=x onerror=alert(1)>')}`
    const text = await (await look(query, bearer(admin))).text()
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(text).not.toContain('<script')
    expect(text).not.toContain('<img')
  })

  test('shows the rest where a filter cannot be right', async () => {
    const university = await newSmallUniversity('Cressbrook')
    const admin = await newStaff(project, 'university_admin', university)
    const page = await look('?date_range=2d&faculty=%00&year=&university_id=NO', bearer(admin))
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('The last 30 days')
  })

  test('says when there are no figures yet', async () => {
    const university = await withDatabase(project, (sql) => newBareUniversity(sql, 'Dunmere'))
    const admin = await newStaff(project, 'university_admin', university)
    expect(await (await look('', bearer(admin))).text()).toContain(
      'There are no figures of ten students or more yet.',
    )
  })

  test('is for administrators of the university alone', async () => {
    const university = await newSmallUniversity('Eastleigh')
    const people = await Promise.all([
      newStudent(project, []),
      newStaff(project, 'counselor', university),
      newStaff(project, 'security_admin'),
    ])
    for (const person of people) {
      const page = await look('', bearer(person))
      expect(page.status).toBe(403)
      expect(await page.text()).toContain('your account is not one')
    }
    const elsewhere = await newStaff(project, 'university_admin')
    const page = await look(`?university_id=${university}`, bearer(elsewhere))
    expect(page.status).toBe(403)
    expect(await page.text()).not.toContain('Eastleigh')
  })
})
