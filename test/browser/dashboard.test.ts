import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { newStaff } from '../../harness/factories/students.ts'
import { dayAgo } from '../../harness/factories/universities.ts'
import { withDatabase } from '../../harness/stack/project.ts'
import { faultsOf, SCREENS } from './accessibility.ts'
import { hasChromium, sharedChromium, visit, withoutChromium } from './chromium.ts'
import { newTerm, QUIET_DAY } from './world.ts'

const project = inject('project')
const ADDRESS = `${project.apiUrl}/functions/v1/api/analytics/dashboard.html`
const PASSWORD = 'invented-password-1'

describe.skipIf(!hasChromium)(`the page of the dashboard${withoutChromium}`, () => {
  let browser: Browser
  let university: string

  beforeAll(async () => {
    university = await withDatabase(project, (sql) => newTerm(sql))
    browser = await sharedChromium()
  })

  /** Each with an account of their own, since tries to sign in are limited by address. */
  async function signIn(page: Page, query = ''): Promise<void> {
    const admin = await newStaff(project, 'university_admin', university)
    await page.goto(`${ADDRESS}${query}`)
    await page.getByLabel('Email address').fill(admin.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Lakeview College (invented)' }).waitFor()
  }

  test('is reached through its form, and left again, without JavaScript and without asking another host', async () => {
    const { page, hosts, close } = await visit(browser, { javaScriptEnabled: false })
    await signIn(page, '?date_range=90d')
    expect(await page.getByLabel('Range').inputValue()).toBe('90d')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.reload()
    expect(await page.getByLabel('Password').isVisible()).toBe(true)
    expect([...hosts]).toEqual([new URL(ADDRESS).host])
    await close()
  })

  test('says what is wrong with a password, and keeps the address', async () => {
    const { email } = await newStaff(project, 'university_admin', university)
    const { page, close } = await visit(browser)
    await page.goto(ADDRESS)
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill('not the password')
    await page.getByLabel('Password').press('Enter')
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').textContent()).toBe(
      'The address or the password is not right, or the address is not confirmed yet.',
    )
    expect(await page.getByLabel('Email address').inputValue()).toBe(email)
    await close()
  })

  test('draws trend, engagement and risk, with a gap where a day is withheld and the figures as tables', async () => {
    const { page, close } = await visit(browser)
    await signIn(page)
    const trend = page.getByRole('img', { name: 'Average wellbeing score by day' })
    expect(await trend.isVisible()).toBe(true)
    const box = await trend.boundingBox()
    expect(box?.width).toBeGreaterThan(600)
    expect(await trend.locator('.withheld').count()).toBe(1)
    const line = (await trend.locator('.line').getAttribute('d')) ?? ''
    expect(line.match(/M/g)).toHaveLength(2)
    await page.getByText('Average score and students by day, as a table').click()
    const days = page
      .getByRole('table', { name: 'Average score and students by day' })
      .locator('time, th[scope=row]')
    expect(await days.count()).toBe(29)
    const quiet = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
    expect(await days.allTextContents()).not.toContain(quiet.format(new Date(dayAgo(QUIET_DAY))))
    for (const name of ['Students who completed', 'Share of check-ins', 'High risk: 14']) {
      expect(await page.getByRole('img', { name }).isVisible()).toBe(true)
    }
    await close()
  })

  test('shows cohorts by the name that students gave them, as text, and no cohort of fewer than ten', async () => {
    const { page, close } = await visit(browser)
    await signIn(page)
    const faculties = page.getByRole('table', { name: 'Average score by faculty' }).getByRole('rowheader')
    expect(await faculties.allTextContents()).toEqual([
      '<b>Arts</b>',
      'Engineering',
      'Law & Politics',
      'Medicine',
    ])
    expect(await page.getByText('Theology').count()).toBe(0)
    expect(await page.getByText('Every figure is about ten students or more.').isVisible()).toBe(true)
    await close()
  })

  test('is filtered with its form', async () => {
    const { page, close } = await visit(browser)
    await signIn(page)
    await page.getByLabel('Faculty').selectOption('<b>Arts</b>')
    await page.getByLabel('Range').selectOption('7d')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('The last 7 days · <b>Arts</b>').waitFor()
    expect(
      await page.locator('dt', { hasText: 'Students' }).locator('..').locator('strong').textContent(),
    ).toBe('30')
    expect(await page.getByLabel('Faculty').inputValue()).toBe('<b>Arts</b>')
    await close()
  })

  test('says that a cohort of fewer than ten students is withheld', async () => {
    const { page, close } = await visit(browser)
    await signIn(page, '?faculty=Theology')
    expect(await page.getByRole('heading', { name: 'Withheld' }).isVisible()).toBe(true)
    expect(await page.locator('svg.chart').count()).toBe(0)
    await close()
  })

  test('prints on paper', async () => {
    const { page, close } = await visit(browser, { colorScheme: 'dark' })
    await signIn(page)
    const pdf = await page.pdf({ format: 'A4' })
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
    expect(pages).toBeGreaterThanOrEqual(2)
    expect(pages).toBeLessThanOrEqual(4)
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await page.getByRole('img', { name: 'Average wellbeing score by day' }).isVisible()).toBe(true)
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    )
    await close()
  })

  test('is gone through with the keyboard, from a link that skips to the content', async () => {
    const { page, close } = await visit(browser)
    await signIn(page)
    await page.keyboard.press('Tab')
    const focused = page.locator(':focus')
    expect(await focused.textContent()).toBe('Skip to the content')
    const reached: string[] = []
    for (let step = 0; step < 9; step++) {
      await page.keyboard.press('Tab')
      reached.push(await focused.evaluate((element) => element.tagName.toLowerCase()))
    }
    // Sign out, the four filters and their button, two tables that open and one that scrolls.
    expect(reached.join(' ')).toBe('button select select select select button summary summary div')
    await close()
  })

  test.each(SCREENS)('has no accessibility fault on %s, and fits it', async (screen, options) => {
    const { page, close } = await visit(browser, options)
    await page.goto(ADDRESS)
    expect(await faultsOf(page)).toEqual([])
    await signIn(page)
    expect(await faultsOf(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      options.viewport?.width ?? 0,
    )
    await keepPicture(page, screen)
    await page.goto(`${ADDRESS}?faculty=Theology`)
    expect(await faultsOf(page)).toEqual([])
    await close()
  })
})

/** Pictures to look at, where somebody asks for them. */
async function keepPicture(page: Page, screen: string): Promise<void> {
  const folder = process.env.PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({
    path: join(folder, `dashboard-${screen.replaceAll(/\W+/g, '-')}.png`),
    fullPage: true,
  })
}
