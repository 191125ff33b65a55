import { expect, inject, test } from 'vitest'
import { requireDescribed, servedDocument } from '../../../harness/client/described-response.ts'
import { newIncident } from '../../../harness/factories/incidents.ts'
import { newStaff, type Student } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')
const PATH = '/api/security/dashboard.html'
const ADDRESS = `${project.apiUrl}/functions/v1${PATH}`

/** Asks for the page, whose answer has to be as the served description says. */
async function asked(person: Student, form?: Record<string, string>): Promise<Response> {
  const method = form ? 'POST' : 'GET'
  const response = await fetch(ADDRESS, {
    method,
    redirect: 'manual',
    headers: { authorization: `Bearer ${person.token}`, 'sec-fetch-site': 'same-origin' },
    ...(form && { body: new URLSearchParams(form) }),
  })
  await requireDescribed(await servedDocument(project), { path: PATH, method }, response)
  return response
}

const admin = () => newStaff(project, 'security_admin')

const incident = () => withDatabase(project, (sql) => newIncident(sql))

test('shows all parts to a security administrator', async () => {
  await incident()
  const page = await (await asked(await admin())).text()
  for (const heading of [
    'incidents',
    'schema',
    'vulnerabilities',
    'tests',
    'policies',
    'posture',
    'training',
  ]) {
    expect(page).toContain(`id="${heading}"`)
  }
  expect(page).toContain('All probes')
  expect(page).toContain('HIPAA Fundamentals')
})

test('is for nobody else', async () => {
  const counselor = await newStaff(project, 'counselor')
  expect((await asked(counselor)).status).toBe(403)
  const id = await incident()
  expect((await asked(counselor, { incident: id, status: 'resolved' })).status).toBe(403)
})

test('changes an incident and does something about it, with a note in its timeline', async () => {
  const id = await incident()
  const person = await admin()
  expect((await asked(person, { incident: id, status: 'contained', note: 'It was us.' })).status).toBe(303)
  expect((await asked(person, { incident: id, action: 'audit_trail', target: '', undo: '' })).status).toBe(
    303,
  )
  const [stored] = await withDatabase(
    project,
    (sql) =>
      sql`select status::text, timeline::text, response::text from public.security_incidents where id = ${id}`,
  )
  expect(stored?.status).toBe('contained')
  expect(stored?.timeline).toContain('It was us.')
  expect(stored?.response).toContain('audit_trail')
})

test('records an incident, and keeps a note beside the status', async () => {
  const person = await admin()
  const title = `Invented ${crypto.randomUUID()}`
  const noticed = {
    type: 'data_breach',
    severity: 'critical',
    title,
    description: 'It is invented.',
    noticed: '2026-11-27T22:15',
  }
  expect((await asked(person, { ...noticed, description: '' })).status).toBe(422)
  expect((await asked(person, { ...noticed, noticed: 'yesterday' })).status).toBe(422)
  expect((await asked(person, noticed)).status).toBe(303)
  const stored = () =>
    withDatabase(
      project,
      (sql) => sql<{ id: string; status: string; aware: string; timeline: object[] }[]>`
        select id, status::text, to_char(aware_at at time zone 'UTC', 'MM-DD HH24:MI') as aware, timeline from public.security_incidents where title = ${title}`,
    )
  const id = (await stored())[0]?.id ?? ''
  expect((await asked(person, { incident: id, status: '', note: 'It was us.' })).status).toBe(303)
  expect(await stored()).toMatchObject([
    {
      status: 'open',
      aware: '11-27 22:15',
      timeline: [
        { event: 'recorded', by: person.id },
        { event: 'note_added', by: person.id, note: 'It was us.' },
      ],
    },
  ])
})

test('confirms a change to the database with a reason', async () => {
  const person = await admin()
  const index = `invented_${crypto.randomUUID().replaceAll('-', '')}_idx`
  await withDatabase(project, (sql) => sql`create index ${sql(index)} on private.known_networks (note)`)
  expect(await (await asked(person)).text()).toContain(`index private.${index}`)
  expect((await asked(person, { change: `private.${index}`, reason: 'For a report.' })).status).toBe(303)
  expect(await (await asked(person)).text()).not.toContain(`index private.${index}`)
  const { data } = await person.client.rpc('read_audit_log', { target_id: `private.${index}` })
  expect(data).toMatchObject([
    { action: 'schema_change_accepted', actor_id: person.id, details: { reason: 'For a report.' } },
  ])
  await withDatabase(project, (sql) => sql`drop index private.${sql(index)}`)
})

test('accepts a vulnerability until the end of a day, with a reason', async () => {
  const [{ id }] = await withDatabase(
    project,
    (sql) => sql<[{ id: string }]>`
      insert into public.vulnerabilities (probe, fault, title, severity)
      values ('worker_doors', ${`invented:${crypto.randomUUID()}`}, 'Invented', 'low')
      returning id`,
  )
  const until = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10)
  const person = await admin()
  expect((await asked(person, { vulnerability: id, reason: 'short', until })).status).toBe(422)
  expect((await asked(person, { vulnerability: id, reason: 'Until the next release.', until })).status).toBe(
    303,
  )
  const [row] = await withDatabase(
    project,
    (sql) => sql`select status::text, accepted_until from public.vulnerabilities where id = ${id}`,
  )
  expect(row).toMatchObject({ status: 'accepted', accepted_until: new Date(`${until}T23:59:59Z`) })
})

test('says what does not exist, and what cannot be', async () => {
  const person = await admin()
  expect((await asked(person, { incident: 'inc_nothing', status: 'resolved' })).status).toBe(404)
  expect((await asked(person, { test: 'tst_nothing' })).status).toBe(404)
  expect((await asked(person, { vulnerability: 'no id', reason: 'x', until: 'y' })).status).toBe(422)
})
