import { describe, expect, inject, test } from 'vitest'
import { requireDescribed, servedDocument } from '../../../harness/client/described-response.ts'
import { newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import { newModule, RIGHT } from '../../../harness/factories/training.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')
const PATH = '/api/training/learn.html'
const ADDRESS = `${project.apiUrl}/functions/v1${PATH}`
const PASSWORD = 'invented-password-1'

/** Asks for the page, whose answer has to be as the served description says. */
async function asked(query: string, request: RequestInit): Promise<Response> {
  const response = await fetch(`${ADDRESS}${query}`, { ...request, redirect: 'manual' })
  await requireDescribed(
    await servedDocument(project),
    { path: PATH, method: request.method ?? 'GET' },
    response,
  )
  return response
}

const bearer = ({ token }: Student) => ({ authorization: `Bearer ${token}` })

function look(person: Student, query = ''): Promise<Response> {
  return asked(query, { headers: bearer(person) })
}

function send(
  form: Record<string, string>,
  headers: Record<string, string> = {},
  query = '',
): Promise<Response> {
  const body = new URLSearchParams(form)
  return asked(query, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin', ...headers }, body })
}

const newCounselor = () => newStaff(project, 'counselor')
const module = (title?: string) => withDatabase(project, (sql) => newModule(sql, title))

/** Marks both sections as read, and returns the page with the questions. */
async function questionsFor(person: Student, id: string): Promise<string> {
  for (const read of ['s1', 's2']) await send({ module: id, next: '', read }, bearer(person))
  const page = await send({ start: id }, bearer(person))
  expect(page.status).toBe(200)
  return page.text()
}

/** The form of an attempt, filled in so that all answers are right. */
function filledIn(page: string): Record<string, string> {
  const attempt = /name="attempt" value="(\w+)"/.exec(page)?.[1] ?? ''
  const options = [...page.matchAll(/name="(\w+)" value="(\w+)" required>([^<]+)/g)]
  const right = options.filter(([, , , text]) => text?.startsWith(RIGHT))
  return { attempt, ...Object.fromEntries(right.map(([, name, value]) => [name, value])) }
}

describe('the page of training', () => {
  test('is signed in to with its form, and left again', async () => {
    const counselor = await newCounselor()
    const form = await asked('?module=trn_phishing_awareness', {})
    expect(await form.text()).toContain('For counselors and administrators.')
    const answer = await send(
      { email: counselor.email, password: PASSWORD },
      {},
      '?module=trn_phishing_awareness',
    )
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      'learn.html?module=trn_phishing_awareness',
    ])
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    const page = await asked('', { headers: { cookie } })
    expect(await page.text()).toContain('<h1>Your training</h1>')
    expect((await send({ sign_out: '1' }, { cookie })).headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await asked('', { headers: { cookie } })).status).toBe(401)
  })

  test('shows what is due, and what is overdue first', async () => {
    const [late, soon, counselor] = await Promise.all([
      module('The late one'),
      module('The early one'),
      newCounselor(),
    ])
    await withDatabase(
      project,
      (sql) => sql`
        insert into public.training_assignments (module_id, user_id, due_days, created_at, assigned_by)
        values (${late}, ${counselor.id}, 5, now() - interval '9 days', null), (${soon}, ${counselor.id}, 5, now(), null)`,
    )
    const text = await (await look(counselor)).text()
    expect(text.indexOf('The late one')).toBeLessThan(text.indexOf('The early one'))
    expect(text).toContain('<span class="overdue">Overdue</span> since')
    expect(text).toContain('HIPAA Fundamentals')
  })

  test('is read section by section, and goes on where one stopped', async () => {
    const [id, counselor] = await Promise.all([module(), newCounselor()])
    const section = await (await look(counselor, `?module=${id}&section=s2`)).text()
    expect(section).toContain('<h1>The second</h1>')
    expect(section).toContain('&#60;script&#62;alert(1)')
    expect(section).not.toContain('<script')
    const answer = await send({ module: id, next: 's2', read: 's1' }, bearer(counselor))
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `learn.html?module=${id}&section=s2`,
    ])
    const contents = await (await look(counselor, `?module=${id}`)).text()
    expect(contents).toContain('Go on reading')
    expect(contents).not.toContain('Answer the questions')
    const last = await send({ module: id, next: '', read: 's2' }, bearer(counselor))
    expect(last.headers.get('location')).toBe(`learn.html?module=${id}`)
    expect(await (await look(counselor, `?module=${id}`)).text()).toContain('Answer the questions')
  })

  test('asks, grades and shows until when the certificate counts', async () => {
    const [id, counselor] = await Promise.all([module(), newCounselor()])
    const page = await questionsFor(counselor, id)
    expect(page.match(/<fieldset>/g)).toHaveLength(5)
    expect(page).not.toContain('correct')
    const form = filledIn(page)
    const answer = await send(form, bearer(counselor))
    expect(answer.headers.get('location')).toBe(`learn.html?module=${id}&attempt=${form.attempt}`)
    const result = await (await look(counselor, `?module=${id}&attempt=${form.attempt}`)).text()
    expect(result).toContain('You passed')
    expect(result).toContain('Your certificate counts until')
    const again = await send(form, bearer(counselor))
    expect([again.status, await again.text()]).toEqual([409, expect.stringContaining('submitted already')])
  })

  test('shows nobody the attempt of a colleague', async () => {
    const [id, counselor, colleague] = await Promise.all([module(), newCounselor(), newCounselor()])
    const form = filledIn(await questionsFor(counselor, id))
    await send(form, bearer(counselor))
    expect(await (await look(colleague, `?module=${id}&attempt=${form.attempt}`)).text()).not.toContain(
      'answers were right',
    )
  })

  test('is for staff alone', async () => {
    const [id, student] = await Promise.all([module(), newStudent(project, [])])
    const list = await look(student)
    expect([list.status, await list.text()]).toEqual([
      403,
      expect.stringContaining('Training is for counselors'),
    ])
    expect((await look(student, `?module=${id}`)).status).toBe(404)
    expect((await send({ start: id }, bearer(student))).status).toBe(403)
  })

  test('takes no form of another site', async () => {
    const [id, counselor] = await Promise.all([module(), newCounselor()])
    const answer = await send(
      { module: id, next: '', read: 's1' },
      { ...bearer(counselor), 'sec-fetch-site': 'cross-site' },
    )
    expect(answer.status).toBe(403)
    expect(await (await look(counselor, `?module=${id}`)).text()).toContain('Begin to read')
  })

  test.each([
    [{ start: 'trn_nowhere' }, 404],
    [{ start: '"><script>' }, 422],
    [{ attempt: 'att_00000000000000000000000000000000' }, 404],
    [{ module: 'trn_hipaa_fundamentals', next: '', read: 's99' }, 422],
    [{ attempt: 'x', toString: 'y' }, 422],
  ])('says what is wrong with the form %j', async (form, status) => {
    const answer = await send(form, bearer(await newCounselor()))
    expect(answer.status).toBe(status)
    expect(await answer.text()).not.toContain('<script')
  })

  test('has no module or section that there is not', async () => {
    const counselor = await newCounselor()
    expect((await look(counselor, '?module=trn_nowhere')).status).toBe(404)
    expect((await look(counselor, '?module=trn_hipaa_fundamentals&section=s99')).status).toBe(404)
    expect((await look(counselor, '?module=%00&section=%22%3E')).status).toBe(200)
  })
})
