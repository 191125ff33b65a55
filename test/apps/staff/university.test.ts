import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { mailsTo } from '../../../harness/factories/mails.ts'
import { newStaff, type Student } from '../../../harness/factories/students.ts'
import { dayAgo, newBareUniversity, newCohort } from '../../../harness/factories/universities.ts'
import { serviceClient, withDatabase } from '../../../harness/stack/project.ts'
import { runAxe } from '../../browser/accessibility.ts'
import { hasChromium, withoutChromium } from '../../browser/chromium.ts'
import { picture } from '../student/app.ts'
import { DESK, newDesk, PHONE, type Served, serveStaff } from './app.ts'
import { newTerm, QUIET_DAY } from './term.ts'

const project = inject('project')
const LONG_NAME = 'Alexandria-Wilhelmina Konstantinopolitanskaja-Hohenlohe-Lang' // 60 characters

let served: Served
/** A university with a term behind it. */
let lakeview: string
beforeAll(async () => {
  served = await serveStaff(project)
  lakeview = await withDatabase(project, (sql) => newTerm(sql))
})
afterAll(() => served?.close())

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const newUniversity = () => withDatabase(project, (sql) => newBareUniversity(sql, 'Hillside (invented)'))

/** What is in a file that somebody stores. */
async function fileOf(page: Page, name: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, name).click()])
  return readFileSync(await download.path(), 'utf8')
}

/** Opens a screen by the app's own navigation. */
async function go(page: Page, screen: string, title: string): Promise<void> {
  await page.evaluate((path) => {
    location.hash = path
  }, `#/${screen}`)
  await heading(page, title).waitFor()
  await settled(page)
}

const settled = (page: Page) =>
  expect.poll(() => page.getByText(/Loading …|Wird geladen|جارٍ التحميل/).count()).toBe(0)

/** The question whose button does it. */
async function confirm(page: Page, name: string): Promise<void> {
  await page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click()
  await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0)
}

/** What the browser's policy forbids, and what nobody catches. */
function brokenOn(page: Page): string[] {
  const broken: string[] = []
  page.on('pageerror', ({ message }) => broken.push(message))
  page.on('console', (message) => {
    if (/Content Security Policy|MISSING_TRANSLATION|same key/i.test(message.text()))
      broken.push(message.text())
  })
  return broken
}

describe.skipIf(!hasChromium)(`analytics in the staff's app${withoutChromium}`, () => {
  async function openAnalytics(person?: Student): Promise<Page> {
    const admin = person ?? (await newStaff(project, 'university_admin', lakeview))
    const page = await (await newDesk(served, admin)).open('analytics')
    await page.getByRole('img', { name: /^Average wellbeing score by day/ }).waitFor()
    return page
  }

  test('draw trend, engagement and risk, with a gap where a day is withheld, and have the figures as tables', async () => {
    const page = await openAnalytics()
    const trend = page.getByRole('img', { name: /^Average wellbeing score by day/ })
    expect(await trend.getAttribute('aria-label')).toMatch(
      /From .+ on .+ to .+; lowest .+, highest .+ Withheld days: 1 of 30\./,
    )
    expect((await trend.boundingBox())?.width).toBeGreaterThan(600)
    expect(await trend.locator('.withheld').count()).toBe(1)
    const line = (await trend.locator('.recharts-line-curve').first().getAttribute('d')) ?? ''
    expect(line.match(/M/g)).toHaveLength(2)
    await page.getByText('Average score and students by day, as a table').click()
    const days = page.getByRole('table', { name: 'Average score and students by day' }).locator('tbody tr')
    expect(await days.count()).toBe(29)
    const quiet = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
    expect((await days.allTextContents()).join()).not.toContain(quiet.format(new Date(dayAgo(QUIET_DAY))))
    for (const name of ['Students who completed', 'Share of check-ins', 'High risk: 14']) {
      expect(await page.getByRole('img', { name }).isVisible()).toBe(true)
    }
    expect(await page.getByText(/^14 of .+ active students .+ showed high risk/).isVisible()).toBe(true)
    expect(await page.getByText(/Every figure is about ten students or more\./).isVisible()).toBe(true)
    expect(await page.getByText('Withheld: the reviews of this range').isVisible()).toBe(true)
  })

  test('show cohorts by the name that students gave them, as text, and no cohort of fewer than ten', async () => {
    const page = await openAnalytics()
    const faculties = page.getByRole('table', { name: 'Average score by faculty' }).getByRole('rowheader')
    expect(await faculties.allTextContents()).toEqual([
      '<b>Arts</b>',
      'Engineering',
      'Law & Politics',
      'Medicine',
    ])
    expect(await page.getByText('Theology').count()).toBe(0)
    expect(
      await page.getByRole('table', { name: 'Figures of every cohort' }).locator('tbody tr').count(),
    ).toBe(11)
  })

  test('are filtered by range and cohort; one of fewer than ten is withheld, and says why', async () => {
    const page = await openAnalytics()
    await page.getByLabel('Faculty').selectOption('<b>Arts</b>')
    await page.getByLabel('Range').selectOption('7d')
    await page.getByText(/^The last 7 days · <b>Arts<\/b> · figures through/).waitFor()
    await expect
      .poll(() => page.locator('dt', { hasText: 'Students' }).locator('..').locator('strong').textContent())
      .toBe('30')
    await page.getByRole('combobox', { name: 'Year', exact: true }).selectOption('1')
    await page.getByText('This cohort has fewer than ten students').waitFor()
    expect(await page.getByRole('img').count()).toBe(0)
    expect(new URL(page.url()).hash).toBe('#/analytics')
  })

  test('are taken along as files, in which nothing that students typed is run', async () => {
    const page = await openAnalytics()
    const cohorts = await fileOf(page, 'Download as CSV: Figures of every cohort')
    expect(cohorts).toMatch(
      /^\uFEFFCohort,Kind,Students,Active,Check-ins,Completed,Average score,Change,High risk,Moderate risk\r\n/,
    )
    expect(cohorts).toMatch(/\r\nMedicine,Faculty,92,/)
    const tables = await button(page, /^Download as CSV/).allTextContents()
    expect(tables.length).toBe(5)
    await page.getByText('Completion rate by day, as a table').click()
    expect((await fileOf(page, 'Download as CSV: Completion rate by day')).split('\r\n')).toHaveLength(31)
  })

  test('of a university without check-ins say so', async () => {
    const admin = await newStaff(project, 'university_admin', await newUniversity())
    const page = await (await newDesk(served, admin)).open('analytics')
    await page.getByText('There are no figures of ten students or more yet.').waitFor()
  })

  test('of several universities are of the one that is chosen, which every screen then is about', async () => {
    const admin = await newStaff(project, 'university_admin', lakeview)
    const hillside = await newUniversity()
    await serviceClient(project)
      .from('user_roles')
      .insert({ user_id: admin.id, role: 'university_admin', university_id: hillside })
    const page = await (await newDesk(served, admin)).open('analytics')
    await page.getByLabel('University').selectOption(lakeview)
    await page.getByRole('img', { name: /^Average wellbeing/ }).waitFor()
    await go(page, 'university/appearance', 'Name and colours')
    expect(await page.getByLabel('Full name').inputValue()).toBe('Lakeview College (invented)')
  })

  test('print on paper', async () => {
    const page = await openAnalytics()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await page.locator('.button').filter({ visible: true }).count()).toBe(0)
    expect(await page.getByRole('img', { name: /^Average wellbeing score by day/ }).isVisible()).toBe(true)
    const pdf = await page.pdf({ format: 'A4' })
    const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
    expect(pages).toBeGreaterThanOrEqual(2)
    expect(pages).toBeLessThanOrEqual(6)
  })
})

describe.skipIf(!hasChromium)(`a university's administrator${withoutChromium}`, () => {
  test.each([
    ['a phone', PHONE],
    ['a desktop', DESK],
  ])(
    'looks after everything on %s',
    async (_, viewport) => {
      const university = await newUniversity()
      const admin = await newStaff(project, 'university_admin', university)
      const counselor = await newStaff(project, 'counselor', university)
      await serviceClient(project)
        .from('profiles')
        .update({ first_name: 'Cora', last_name: LONG_NAME.slice(0, 50) })
        .eq('user_id', counselor.id)
      const desk = await newDesk(served, admin, { viewport })
      const page = await desk.open('overview')
      const broken = brokenOn(page)
      await page.getByText('Somebody who is told of high risk').waitFor()

      // Staff: invited, withdrawn, taken back; a role given and taken.
      await page.getByRole('link', { name: 'Staff', exact: true }).filter({ visible: true }).first().click()
      await heading(page, 'Staff').waitFor()
      await button(page, 'Invite somebody').click()
      const invited = `noor-${crypto.randomUUID()}@${university}.example.edu`
      await page.getByLabel('Email address').fill(invited)
      await button(page, 'Send the invitation').click()
      await page.getByText(`${invited} is invited.`).waitFor()
      await page.getByText('Invited until').waitFor()
      await expect.poll(() => mailsTo(invited)).toHaveLength(1)
      await page.locator('.toast').getByRole('button', { name: 'Close' }).click()
      const row = page.locator('tbody tr', { hasText: invited })
      await row.getByRole('button', { name: 'Withdraw' }).click()
      await page.getByRole('alertdialog').getByText(invited).waitFor()
      await confirm(page, 'Withdraw')
      await expect.poll(() => row.count()).toBe(0)
      await button(page, 'Undo').click()
      await row.waitFor()
      const cora = page.locator('tbody tr', { hasText: 'Cora' })
      await expect.poll(() => page.locator('.toast').count()).toBe(0)
      await cora.getByRole('button', { name: 'Make administrator' }).click()
      await confirm(page, 'Make administrator')
      await expect.poll(() => cora.count()).toBe(2)
      await page.locator('.toast').getByRole('button', { name: 'Close' }).click()
      await cora
        .filter({ hasText: 'University administrator' })
        .getByRole('button', { name: 'Take this role away' })
        .click()
      await confirm(page, 'Take this role away')
      await expect.poll(() => cora.count()).toBe(1)
      await page.getByLabel('Name or address').fill('nobody at all')
      await page.getByText('Nobody.', { exact: true }).waitFor()

      // Contacts on call, with a test that arrives.
      await go(page, 'university/contacts', 'Contacts on call')
      await page.getByText('Nobody is named').waitFor()
      await button(page, 'Add a contact').click()
      const address = `crisis-${crypto.randomUUID()}@${university}.example.edu`
      await page.getByLabel('Name of the person or office').fill('Night line')
      await page.getByLabel('Email address').fill(address)
      await button(page, 'Save').click()
      await page.getByRole('heading', { name: '1. Night line' }).waitFor()
      await button(page, 'Send a test message').click()
      await page.getByText('Accepted by the provider').waitFor()
      expect((await mailsTo(address))[0]?.text).toContain('This is a test')
      await button(page, 'Remove').first().click()
      await confirm(page, 'Remove')
      await page.getByText('Nobody is named').waitFor()
      await button(page, 'Undo').click()
      await page.getByRole('heading', { name: '1. Night line' }).waitFor()

      // Cover.
      await go(page, 'university/cover', 'Cover and time to a person')
      await page.getByText('Nobody is on call.').waitFor()
      await button(page, 'Add a shift').click()
      await button(page, 'Save').click()
      const shift = page.getByRole('table', { name: 'Shifts' }).locator('tbody tr')
      await shift.getByText('Cora').waitFor()
      await shift.getByRole('button', { name: 'Remove' }).click()
      await confirm(page, 'Remove')
      await expect.poll(() => shift.count()).toBe(0)
      await button(page, 'Undo').click()
      await shift.getByText('Cora').waitFor()

      // Help, as students see it.
      await go(page, 'university/help', 'Help for students')
      await page.getByText('112').first().waitFor()
      await page.getByLabel('Country').fill('gb')
      await button(page, 'Save').last().click()
      await page.getByText('999').first().waitFor()
      await page.getByLabel('Crisis line').fill('+1-202-555-0110')
      await button(page, 'Add help').click()
      await page.getByLabel('Name', { exact: true }).fill(LONG_NAME)
      await page.getByLabel('Website').fill('https://help.example.edu/x')
      await button(page, 'Save').first().click()
      await expect.poll(() => page.getByText('Saved.').count()).toBe(2)
      expect(await page.getByRole('listitem').filter({ hasText: LONG_NAME }).count()).toBe(1)

      // Name and colours.
      await go(page, 'university/appearance', 'Name and colours')
      expect(await page.getByText('White letters: 8.6 to 1').isVisible()).toBe(true)
      await page.getByLabel('Main colour').fill('#ffee00')
      await page.getByText('Hard to read').first().waitFor()
      await button(page, 'Save').first().click()
      await page.getByText('Saved.').waitFor()
      await page.getByLabel('Short name').fill('Hilltop')
      await button(page, 'Save').last().click()
      await expect.poll(() => page.getByText('Saved.').count()).toBe(2)

      // Features and languages.
      await go(page, 'university/settings', 'Features and languages')
      await page.getByRole('listitem').filter({ hasText: 'Support circle' }).getByRole('button').click()
      await confirm(page, 'Switch off')
      const circle = page.getByRole('switch', { name: 'Support circle' })
      await circle.waitFor()
      await page.locator('label', { has: circle }).click()
      await expect.poll(() => circle.count()).toBe(0)
      await page.getByLabel('Language tag').fill('de')
      await button(page, 'Add the language').click()
      await button(page, 'Make German the default').click()
      await page.getByText('German de Default').waitFor()
      await page.getByLabel('Time zone').selectOption('Europe/Dublin')
      await button(page, 'Save').nth(1).click()
      await page.getByText('Saved.').waitFor()

      // Terms.
      await go(page, 'university/terms', 'Terms')
      await button(page, 'Change: High risk').click()
      await page.getByLabel('Minutes until the reminder').fill('90')
      await button(page, 'Save').click()
      await page.getByText('1 hr 30 min').or(page.getByText('1 hr, 30 min')).first().waitFor()
      await page.getByText('Your university').first().waitFor()
      expect(await page.getByText('Recordings and pictures').isVisible()).toBe(true)
      expect(await button(page, 'Change: Recordings').count()).toBe(0)

      // The register: what a file would change, and then the change.
      await go(page, 'university/register', 'Register of students')
      await page.getByText('No file has been imported yet.').waitFor()
      const file = (csv: string) => ({ name: 'students.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
      const head = 'email,student_number,faculty,year,residence\n'
      const ada = `ada@${university}.example.edu`
      await page.getByLabel('CSV file').setInputFiles(file(`${head}${ada},,Law,2,\n`))
      await page.getByText('There is no student number.').waitFor()
      await page.getByLabel('CSV file').setInputFiles(file(`${head}${ada},N-1,Law,2,\n`))
      await page.getByRole('heading', { name: 'New: 1' }).waitFor()
      await button(page, 'Import').click()
      await page.getByRole('alertdialog').getByText('students.csv').waitFor()
      await confirm(page, 'Import')
      await page.getByText('The register is that of the file. New: 1, changed: 0, gone: 0.').waitFor()
      await page.getByText('Students in the register').waitFor()
      await page.getByLabel('CSV file').setInputFiles(file(`${head}${ada},N-1,Medicine,2,\n`))
      await page.getByText('Medicine').waitFor()
      expect(await page.locator('del').textContent()).toBe('Law')

      // What became of messages.
      await withDatabase(
        project,
        (sql) =>
          sql`update private.outbox set created_at = now() - interval '1 day' where recipient = ${invited}`,
      )
      await go(page, 'university/delivery', 'Mails and texts')
      await page.getByText('All of them arrived at the provider.').waitFor()
      await page.getByText('Invitation of staff').waitFor()
      expect(await page.locator('main').textContent()).not.toContain(invited)

      expect(broken).toEqual([])
      const { data } = await serviceClient(project)
        .from('universities')
        .select('short_name, country, languages, time_zone, features_enabled')
        .eq('id', university)
        .single()
      expect(data).toMatchObject({
        short_name: 'Hilltop',
        country: 'GB',
        languages: ['de', 'en'],
        time_zone: 'Europe/Dublin',
      })
      expect([...(data?.features_enabled ?? [])].sort()).toEqual([
        'check_ins',
        'counselor_access',
        'sessions',
        'support_circle',
      ])
    },
    120_000,
  )

  test('invites a counselor by the keyboard alone', async () => {
    const university = await newUniversity()
    const page = await (await newDesk(served, await newStaff(project, 'university_admin', university))).open(
      'university/staff',
    )
    await heading(page, 'Staff').waitFor()
    await settled(page)
    const focused = page.locator(':focus')
    const tabTo = async (name: string) => {
      for (let step = 0; step < 40; step++) {
        await page.keyboard.press('Tab')
        if ((await focused.textContent()) === name || (await focused.getAttribute('name')) === name) return
      }
      throw new Error(`${name} is not reached`)
    }
    await tabTo('Invite somebody')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo('email')
    await page.keyboard.type(`noor@${university}.example.edu`)
    await page.keyboard.press('Enter')
    await page.getByText('is invited.').waitFor()
    await expect.poll(() => focused.textContent()).toBe('Invite somebody')
  })

  test('sees a staff of 500, a page at a time, and finds one of them', async () => {
    const university = await withDatabase(project, async (sql) => {
      const id = await newBareUniversity(sql, 'Hillside (invented)')
      const ids = await newCohort(sql, id, { students: 500 })
      await sql`
        insert into public.user_roles (user_id, role, university_id)
        select id, 'counselor', ${id} from unnest(${ids}::uuid[]) as id`
      await sql`
        update public.profiles set first_name = 'Person', last_name = ${LONG_NAME.slice(0, 50)} where university_id = ${id}`
      return id
    })
    const admin = await newStaff(project, 'university_admin', university)
    const page = await (await newDesk(served, admin, { viewport: PHONE })).open('university/staff')
    await page.getByText('501 rows').waitFor()
    expect(await page.locator('tbody tr').count()).toBe(30)
    await picture(page, 'university-staff-500')
    await page.getByLabel('Name or address').fill(admin.email)
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
  })

  test('is told in words what the service refuses, and loses nothing', async () => {
    const university = await newUniversity()
    const admin = await newStaff(project, 'university_admin', university)
    const page = await (await newDesk(served, admin)).open('university/appearance')
    await page.getByLabel('Address of the logo').fill('http://logo.example.edu/logo.png')
    await page.getByLabel('Full name').fill('Hilltop')
    await button(page, 'Save').first().click()
    await page
      .getByRole('alert')
      .getByText(/logo_url|https/)
      .waitFor()
    expect(await page.getByLabel('Full name').inputValue()).toBe('Hilltop')
    await withDatabase(project, (sql) => sql`delete from public.user_roles where user_id = ${admin.id}`)
    await page.getByLabel('Address of the logo').fill('')
    await button(page, 'Save').first().click()
    await heading(page, 'This app is for staff').waitFor()
    const { data } = await serviceClient(project)
      .from('universities')
      .select('name')
      .eq('id', university)
      .single()
    expect(data?.name).toBe('Hillside (invented)')
  })

  const SCREENS = [
    'analytics',
    'overview',
    'university/staff',
    'university/contacts',
    'university/cover',
    'university/delivery',
    'university/register',
    'university/help',
    'university/appearance',
    'university/settings',
    'university/terms',
  ]
  test.each([
    ['phone-light', PHONE, 'light', 'en-GB'],
    ['phone-dark', PHONE, 'dark', 'de-DE'],
    ['phone-arabic', PHONE, 'light', 'ar'],
    ['desk-light', DESK, 'light', 'en-GB'],
    ['desk-dark', DESK, 'dark', 'ar'],
  ] as const)(
    'has no accessibility fault on any screen, and each fits: %s',
    async (name, viewport, colorScheme, locale) => {
      const university = await withDatabase(project, (sql) => newTerm(sql, LONG_NAME))
      const admin = await newStaff(project, 'university_admin', university)
      const counselor = await newStaff(project, 'counselor', university)
      await admin.client.rpc('set_crisis_contact', {
        university_id: university,
        rank: 1,
        email: 'night-line-of-the-student-counseling-service@counseling.example.edu',
        name: LONG_NAME,
      })
      await admin.client.rpc('add_shift', {
        starts_at: new Date().toISOString(),
        ends_at: new Date(Date.now() + 3_600_000).toISOString(),
        counselor_id: counselor.id,
        university_id: university,
      })
      await withDatabase(
        project,
        (sql) => sql`
        insert into private.outbox (channel, purpose, user_id, recipient, body, status, created_at, ended_at, error_code)
        select 'email', purpose, user_id, 'x@example.edu', 'Hello', 'dead', now() - interval '1 day', now(), 'no_recipient'
        from public.profiles, unnest('{clinical_review, export, training_reminder}'::text[]) as purpose
        where university_id = ${university} limit 400`,
      )
      const page = await (await newDesk(served, admin, { viewport, colorScheme, locale })).open()
      for (const screen of SCREENS) {
        await page.goto(`${served.url}/#/${screen}`)
        await page.locator('h1').waitFor()
        await settled(page)
        if (screen === 'analytics') await page.locator('.recharts-surface').nth(2).waitFor()
        await picture(page, `university-${name}-${screen.replace('/', '-')}`)
        const { violations } = await runAxe(page)
        expect(
          violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${screen} ${id}: ${html}`)),
        ).toEqual([])
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        expect([screen, width]).toEqual([screen, viewport.width])
      }
    },
    120_000,
  )
})
