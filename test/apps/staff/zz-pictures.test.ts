import postgres from 'postgres'
import { afterAll, beforeAll, inject, test } from 'vitest'
import { newIncident } from '../../../harness/factories/incidents.ts'
import { newStaff, newStudent } from '../../../harness/factories/students.ts'
import { DESK, newDesk, PHONE, type Served, serveStaff } from './app.ts'

const project = inject('project')
let served: Served
beforeAll(async () => { served = await serveStaff(project) })
afterAll(() => served?.close())

const only = process.env.ONLY?.split(',')
test('pictures', { timeout: 600_000 }, async () => {
  const sql = postgres(project.databaseUrl, { max: 1, onnotice: () => {} })
  const sam = await newStaff(project, 'security_admin')
  const cora = await newStaff(project, 'counselor')
  await sql`update public.profiles set first_name = 'Maximiliane-Alexandrina', last_name = 'von der Hohenstaufen-Wolkensteinburg' where user_id = ${sam.id}`
  await sql`update public.profiles set first_name = 'Cora', last_name = 'Abernathy' where user_id = ${cora.id}`
  const ada = await newStudent(project, [])
  const id = await newIncident(sql, { type: 'data_breach', affected: [ada.id, cora.id] })
  await sql`update public.security_incidents set indicators = indicators || '{"addresses": ["203.0.113.7", "2001:db8:4::1"], "failures": 31, "threshold": 10, "period": "00:15:00"}' where id = ${id}`
  await sam.client.rpc('assign_incident', { incident_id: id })
  await sam.client.rpc('add_incident_note', { incident_id: id, note: 'The railway has been asked.' })
  await sam.client.rpc('respond_to_incident', { incident_id: id, action: 'block_ip', target: '198.51.100.20' })
  await sam.client.rpc('respond_to_incident', { incident_id: id, action: 'audit_trail' })
  await sam.client.rpc('change_incident', { incident_id: id, status: 'investigating' })
  const policy = await sam.client.from('security_policies').insert({ name: 'Staff outside the campus give a second factor', category: 'authentication', type: 'preventive', priority: 200, dry_run: true, actions: [{ action: 'require_mfa' }, { action: 'apply_rate_limits', requests: 20, period: 60 }], conditions: { all: [ { field: 'role', op: 'in', value: ['counselor', 'university_admin'] }, { not: { field: 'address', op: 'in', value: ['192.0.2.0/24'] } }, { any: [ { count: 10, of: 'sign_in_failed', by: 'address', within: 900 }, { field: 'path', op: 'starts_with', value: '/api' } ] } ] } }).select('id').single()
  const pol = policy.data?.id
  await sql`create table if not exists public.notices (id int)`
  await sql`select private.see_schema_changes()`
  const screens: Record<string, string> = {
    incidents: 'incidents', record: 'incidents/new', incident: `incidents/${id}`, policies: 'policies', newpolicy: 'policies/new',
    policy: `policies/${pol}`, change: `policies/${pol}/change`, blocks: 'blocks', accounts: 'accounts', account: `accounts/${cora.id}`,
    roles: 'roles', audit: 'audit', schema: 'schema',
  }
  const ways = [
    { name: 'desk', viewport: DESK, locale: 'en-GB', colorScheme: 'light' as const },
    { name: 'phone-de', viewport: PHONE, locale: 'de-DE', colorScheme: 'dark' as const },
    { name: 'phone-ar', viewport: PHONE, locale: 'ar', colorScheme: 'light' as const },
    { name: 'desk-ar', viewport: DESK, locale: 'ar', colorScheme: 'dark' as const },
  ].filter(({ name }) => !process.env.WAY || process.env.WAY.split(',').includes(name))
  for (const { name, ...way } of ways) {
    const desk = await newDesk(served, sam, way)
    const page = await desk.open()
    page.on('console', (m) => { if (m.type() === 'error') console.log(name, m.text()) })
    for (const [shot, path] of Object.entries(screens)) {
      if (only && !only.includes(shot)) continue
      await page.goto(`${served.url}/#/${path}`)
      await page.waitForTimeout(1500)
      if (shot === 'policy') { await page.locator('section', { has: page.locator('h2') }).last().locator('button').first().click(); await page.waitForTimeout(1500) }
      if (shot === 'audit') { await page.locator('section button').first().click(); await page.waitForTimeout(1500) }
      await page.screenshot({ path: `/tmp/incidents/${shot}-${name}.png`, fullPage: true })
      if (shot === 'incident' || shot === 'blocks') {
        const danger = page.locator(shot === 'incident' ? 'td .button' : 'td .button').first()
        await danger.click(); await page.waitForTimeout(1200)
        await page.screenshot({ path: `/tmp/incidents/${shot}dialog-${name}.png` })
        await page.keyboard.press('Escape')
      }
    }
  }
  await sql`drop table public.notices`
  await sql.end()
})
