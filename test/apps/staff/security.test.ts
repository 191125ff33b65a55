import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { newIncident } from '../../../harness/factories/incidents.ts'
import { newStaff, newStudent } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'
import { runAxe } from '../../browser/accessibility.ts'
import { hasChromium, withoutChromium } from '../../browser/chromium.ts'
import { DESK, newDesk, PHONE, type Served, serveStaff } from './app.ts'

const project = inject('project')

let served: Served
beforeAll(async () => {
  served = await serveStaff(project)
})
afterAll(() => served?.close())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const question = (page: Page) => page.getByRole('alertdialog')
const dialog = (page: Page) => page.getByRole('dialog')
const select = (on: Page | Locator, name: string) => on.getByRole('combobox', { name, exact: true })
const told = (page: Page) => page.locator('.toasts')

/** A desk of a new security administrator, with what the browser's policy forbids and what nobody catches. */
async function administering(viewport = DESK) {
  const person = await newStaff(project, 'security_admin')
  const { open } = await newDesk(served, person, { viewport })
  const page = await open()
  const broken: string[] = []
  page.on('pageerror', ({ message }) => broken.push(message))
  page.on('console', (message) => {
    if (/Content Security Policy|Permissions policy|MISSING_TRANSLATION/i.test(message.text()))
      broken.push(message.text())
  })
  onTestFinished(() => expect(broken).toEqual([]))
  return { person, page, client: person.client }
}

/** What axe finds by any of its rules. */
async function expectNoFaults(page: Page): Promise<void> {
  const { violations } = await runAxe(page)
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([])
}

async function show(page: Page, path: string, title: string): Promise<void> {
  await page.goto(`${served.url}/#${path}`)
  await heading(page, title).waitFor()
  await expect.poll(() => page.getByText('Loading …').count()).toBe(0)
}

/** An address that no other test blocks. */
const newAddress = () => `2001:db8:${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}::1`

const detected = (indicators: object, affected: string[] = []) =>
  withDatabase(project, async (sql) => {
    const id = await newIncident(sql, { affected })
    await sql`update public.security_incidents set title = ${id}, indicators = ${sql.json({ rule: 'invented', ...indicators })}, timeline = timeline || private.incident_entry('seen_again') where id = ${id}`
    return id
  })

describe.skipIf(!hasChromium)(`a security administrator${withoutChromium}`, () => {
  describe.each([
    ['on a phone', PHONE],
    ['at a desk', DESK],
  ])('%s', (_, viewport) => {
    test('deals with an incident: takes it, blocks an address, undoes that, resolves and reopens it', async () => {
      const address = newAddress()
      const id = await detected({ addresses: [address] })
      const { page, client } = await administering(viewport)
      await show(page, '/incidents', 'Incidents')
      await expectNoFaults(page)
      await show(page, `/incidents/${id}`, 'Incident')
      await expectNoFaults(page)

      await button(page, 'Take').click()
      await button(page, 'Take').waitFor({ state: 'detached' })
      await button(page, 'Add a note').click()
      await dialog(page).getByLabel('Note').fill('The caller was asked.')
      await dialog(page).getByRole('button', { name: 'Add a note' }).click()
      await page.getByText('The caller was asked.').waitFor()

      await page.getByRole('row', { name: address }).getByRole('button').click()
      await question(page).getByText('/64').waitFor()
      await question(page).getByText('You can undo it.').waitFor()
      await expectNoFaults(page)
      await question(page).getByRole('button', { name: 'Block an address' }).click()
      await told(page).getByText('Done: Block an address').waitFor()
      const blocks = async () =>
        (await client.rpc('list_blocks')).data?.filter((one) => one.incident_id === id)
      expect(await blocks()).toMatchObject([{ is_active: true }])
      await told(page).getByRole('button', { name: 'Undo' }).click()
      await expect.poll(blocks).toMatchObject([{ is_active: false }])

      await button(page, 'Change').click()
      await select(dialog(page), 'Status').selectOption('resolved')
      await dialog(page).getByRole('button', { name: 'Change' }).click()
      await page.locator('.status', { hasText: 'Resolved' }).waitFor()
      await button(page, 'Reopen').click()
      await dialog(page).getByLabel('Reason').fill('It happened again.')
      await dialog(page).getByRole('button', { name: 'Reopen' }).click()
      await page.locator('.status', { hasText: 'Under investigation' }).waitFor()
      expect(page.url()).not.toMatch(/@|asked|again/)
    })

    test('records what was noticed, and finds it among those of a university', async () => {
      const { page, client } = await administering(viewport)
      const invited = `new-${crypto.randomUUID()}@elsewhere.example.edu`
      await client.rpc('invite_staff', { email: invited, role: 'counselor', university_id: 'northfield' })
      const title = `A notebook was lost ${crypto.randomUUID()}`
      await show(page, '/incidents', 'Incidents')
      await page.getByRole('link', { name: 'Record an incident' }).click()
      await heading(page, 'Record an incident').waitFor()
      await expectNoFaults(page)
      await page.getByLabel('What happened, in a line').fill(title)
      await page.getByLabel('What happened, and what to look at').fill('Left in a train.')
      await select(page, 'University').selectOption('northfield')
      // Whoever taps twice records it once.
      await button(page, 'Record an incident').dblclick()
      await page.getByText('The supervisory authority has to be told by').waitFor()
      await show(page, '/incidents', 'Incidents')
      await page.getByText('More filters').click()
      await select(page, 'University').selectOption('northfield')
      await select(page, 'Type').selectOption('data_breach')
      await page.getByRole('row', { name: title }).getByText('Nobody').waitFor()
      await page.getByRole('link', { name: title }).click()
      await page.getByText('Left in a train.').waitFor()
    })

    test('writes a policy in a form with its JSON beside, sees whom it would have stopped, and switches it on and back', async () => {
      const { page, client } = await administering(viewport)
      const name = `At night ${crypto.randomUUID()}`
      await show(page, '/policies', 'Policies')
      await expectNoFaults(page)
      await page.getByRole('link', { name: 'New policy' }).click()
      await page.getByLabel('Name').fill(name)
      await select(page, 'What').selectOption('hour')
      await select(page, 'How').selectOption('gte')
      await page.getByRole('spinbutton', { name: 'Value' }).fill('0')
      await button(page, 'Add a condition').click()
      await select(page, 'What').last().selectOption('role')
      await select(page, 'Value').last().selectOption('counselor')
      const json = page.getByLabel('As JSON')
      expect(JSON.parse(await json.inputValue())).toEqual({
        all: [
          { field: 'hour', op: 'gte', value: 0 },
          { field: 'role', op: 'eq', value: 'counselor' },
        ],
      })
      await json.fill('{"all": [')
      await page.getByText('This is no valid JSON.').waitFor()
      await json.fill(
        '{"all": [{"field": "hour", "op": "in", "value": [99]}, {"field": "network", "op": "eq", "value": "moon"}]}',
      )
      await button(page, 'Save the policy').click()
      await page.getByText('Check conditions.all[1].value').waitFor()
      await json.fill('{"field": "path", "op": "starts_with", "value": "/api/invented"}')
      await page.getByLabel('Block access').check({ force: true })
      await button(page, 'Look').click()
      await page.getByText('Of ', { exact: false }).first().waitFor()
      await page.getByText('Not kept, so that comparisons with it count as not holding: Path').waitFor()
      await expectNoFaults(page)
      await button(page, 'Save the policy').click()
      await heading(page, 'Security policy').waitFor()
      await page.getByText('Path begins with /api/invented').waitFor()
      await expectNoFaults(page)

      const stored = async () =>
        (await client.from('security_policies').select('enabled, dry_run').eq('name', name).single()).data
      expect(await stored()).toEqual({ enabled: true, dry_run: true })
      await button(page, 'Switch on').click()
      await question(page).getByText(name).waitFor()
      await question(page).getByRole('button', { name: 'Switch on' }).click()
      await expect.poll(stored).toEqual({ enabled: true, dry_run: false })
      await told(page).getByRole('button', { name: 'Undo' }).click()
      await expect.poll(stored).toEqual({ enabled: true, dry_run: true })
      await button(page, 'Switch off').click()
      await question(page).getByRole('button', { name: 'Switch off' }).click()
      await expect.poll(stored).toMatchObject({ enabled: false })
    })

    test('is told by the database where a policy would lock them out', async () => {
      const { page } = await administering(viewport)
      await show(page, '/policies/new', 'New policy')
      await page.getByLabel('Name').fill('Nobody')
      await page.getByLabel('As JSON').fill('{"field": "role", "op": "eq", "value": "security_admin"}')
      await page.getByLabel('Block access').check({ force: true })
      await button(page, 'Save the policy').click()
      await heading(page, 'Security policy').waitFor()
      await button(page, 'Switch on').click()
      await question(page).getByRole('button', { name: 'Switch on' }).click()
      await question(page).getByText('This policy would lock you out').waitFor()
    })

    test('looks an account up, disables it because of an incident, and enables it again where blocks are listed', async () => {
      const student = await newStudent(project, [])
      const { page, client } = await administering(viewport)
      await show(page, '/accounts', 'Accounts')
      await page.getByLabel('Email address or ID').fill('nobody@northfield.example.edu')
      await button(page, 'Look up').click()
      await page.getByText('There is no account').waitFor()
      await expectNoFaults(page)
      await page.getByLabel('Email address or ID').fill(student.email)
      await button(page, 'Look up').click()
      await heading(page, 'Account').waitFor()
      await page.getByText(student.email).first().waitFor()
      expect(page.url()).toContain(`/accounts/${student.id}`)
      await expectNoFaults(page)

      await button(page, 'Disable an account').click()
      await question(page).getByText(student.email).waitFor()
      await question(page).getByLabel('What happened, in a line').fill('An account was taken over')
      await question(page).getByLabel('What happened, and what to look at').fill('Its owner called.')
      await question(page).getByRole('button', { name: 'Disable an account' }).click()
      await page.locator('.status', { hasText: 'Disabled' }).waitFor()
      expect(
        (
          await student.client.auth.signInWithPassword({
            email: student.email,
            password: 'invented-password-1',
          })
        ).error,
      ).not.toBeNull()

      await show(page, '/blocks', 'Blocks')
      await expectNoFaults(page)
      const row = page.getByRole('row', { name: student.id.slice(0, 8) })
      await row.getByRole('button', { name: 'Lift' }).click()
      await question(page).getByText(student.email).waitFor()
      await question(page).getByLabel('Reason').fill('Its owner has a new password.')
      await question(page).getByRole('button', { name: 'Lift' }).click()
      await row.waitFor({ state: 'detached' })
      const { data } = await client.rpc('read_audit_log', { action: 'account_read', target_id: student.id })
      expect(data?.length).toBeGreaterThan(0)
    })

    test('sees before a block what it would reach', async () => {
      const { page } = await administering(viewport)
      await show(page, '/blocks', 'Blocks')
      await page.getByLabel('IP address').fill('10.0.0.1')
      await button(page, 'Look up').click()
      await page.getByText('This address is never blocked').waitFor()
    })

    test('invites somebody, gives a role and takes it away, with the way back', async () => {
      const colleague = await newStaff(project, 'counselor')
      const { page, client } = await administering(viewport)
      await show(page, '/roles', 'Staff and roles')
      await expectNoFaults(page)
      const email = `new-${crypto.randomUUID()}@elsewhere.example.edu`
      await button(page, 'Invite somebody').click()
      await dialog(page).getByLabel('Email address').fill(email)
      await select(dialog(page), 'University').selectOption('northfield')
      await dialog(page).getByRole('button', { name: 'Invite somebody' }).click()
      await told(page).getByText(`${email} is invited.`).waitFor()
      await page.getByLabel('Name or email address').fill(email)
      await page.getByText('Invited until').last().waitFor()
      await told(page).getByRole('button', { name: 'Close' }).click()

      await page.getByLabel('Name or email address').fill(colleague.email)
      const row = page.getByRole('row', { name: colleague.email })
      await row.getByRole('button', { name: 'Take away' }).click()
      await question(page).getByText(colleague.email).first().waitFor()
      await question(page).getByRole('button', { name: 'Take away' }).click()
      await row.waitFor({ state: 'detached' })
      await told(page).getByRole('button', { name: 'Undo' }).click()
      await row.waitFor()
      const { data } = await client.rpc('list_staff', { university_id: 'northfield' })
      expect(data?.filter(({ email: one }) => one === colleague.email)).toMatchObject([{ role: 'counselor' }])
    })

    test('reads the audit log page by page, by what was done and by whom, and has it verified', async () => {
      const { page, client, person } = await administering(viewport)
      await client.rpc('record_incident', {
        type: 'suspicious_activity',
        severity: 'low',
        title: 'For the log',
        description: 'Invented.',
      })
      await show(page, '/audit', 'Audit log')
      await button(page, 'Verify').click()
      await page.getByText('Intact', { exact: true }).waitFor()
      await select(page, 'By').selectOption(person.id)
      await select(page, 'What was done').selectOption('incident_changed')
      await expect.poll(() => page.getByRole('button', { name: /^Entry/ }).count()).toBe(1)
      await page.getByRole('button', { name: /^Entry/ }).click()
      await dialog(page).getByText('suspicious_activity').waitFor()
      await expectNoFaults(page)
      await button(page, 'Close').click()
      await page.getByLabel('Until').fill('2020-01-01')
      await page.getByText('Nothing fits this selection.').waitFor()
    })

    test('confirms what was made in the database without a migration', async () => {
      const table = `notices_${crypto.randomUUID().slice(0, 8)}`
      await withDatabase(project, (sql) => sql`create table public.${sql(table)} (id integer)`)
      onTestFinished(async () => {
        await withDatabase(project, (sql) => sql`drop table public.${sql(table)}`)
      })
      const { page } = await administering(viewport)
      await show(page, '/schema', 'Changes to the database')
      const row = page.getByRole('row', { name: table })
      await row.first().waitFor()
      await expectNoFaults(page)
      await row.first().getByRole('button', { name: 'Confirm' }).click()
      await question(page).getByText(table).waitFor()
      await question(page).getByLabel('Reason').fill('The notice board.')
      await question(page).getByRole('button', { name: 'Confirm' }).click()
      await row.first().waitFor({ state: 'detached' })
    })
  })

  test('deals with an incident by the keyboard alone', async () => {
    const id = await detected({})
    const { page } = await administering()
    await show(page, `/incidents/${id}`, 'Incident')
    const reach = async (name: string) => {
      for (let presses = 0; presses < 60; presses++) {
        const here = await page.evaluate(() => document.activeElement?.textContent)
        if (here === name) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`${name} was not reached.`)
    }
    await reach('Take')
    await page.keyboard.press('Enter')
    await button(page, 'Take').waitFor({ state: 'detached' })
    await reach('Add a note')
    await page.keyboard.press('Enter')
    await dialog(page).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type('By hand.')
    await reach('Add a note')
    await page.keyboard.press('Enter')
    await page.getByText('By hand.').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog(page).count()).toBe(0)
  })

  test.each(['counselor', 'university_admin'] as const)(
    'nobody else has these screens: a %s',
    async (role) => {
      const { open } = await newDesk(served, await newStaff(project, role))
      const page = await open('incidents')
      await heading(page, 'There is nothing at this address').waitFor()
    },
  )

  test('500 rows and names of 60 characters stay within the screen', async () => {
    const { page, person } = await administering(PHONE)
    await withDatabase(project, async (sql) => {
      await sql`update public.profiles set first_name = ${'Alexandria-Wilhelmina'}, last_name = ${'Konstantinopolitanskaja-Hohenlohe-Langen'} where user_id = ${person.id}`
      await sql`
        insert into private.blocked_addresses (network, reason, until)
        select set_masklen(('198.18.' || n / 250 || '.' || n % 250)::inet, 32)::cidr, repeat('An invented reason ', 20), now() + interval '1 minute'
        from generate_series(1, 500) n
        on conflict do nothing`
    })
    onTestFinished(async () => {
      await withDatabase(
        project,
        (sql) => sql`update private.blocked_addresses set until = now() where network <<= '198.18.0.0/16'`,
      )
    })
    for (const [path, title] of [
      ['/blocks', 'Blocks'],
      ['/roles', 'Staff and roles'],
      ['/incidents', 'Incidents'],
      ['/audit', 'Audit log'],
    ] as const) {
      await show(page, path, title)
      const { scroll, client } = await page.evaluate(() => ({
        scroll: document.documentElement.scrollWidth,
        client: document.documentElement.clientWidth,
      }))
      expect(scroll, path).toBeLessThanOrEqual(client)
    }
  })
})
