import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { newStaff } from '../../harness/factories/students.ts'
import { withDatabase } from '../../harness/stack/project.ts'
import { faultsOf, SCREENS } from './accessibility.ts'
import { hasChromium, sharedChromium, visit, withoutChromium } from './chromium.ts'

const project = inject('project')
const ADDRESS = `${project.apiUrl}/functions/v1/api/security/dashboard.html`
const PASSWORD = 'invented-password-1'

describe.skipIf(!hasChromium)(`the page of the security administrator${withoutChromium}`, () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await sharedChromium()
  })

  async function signIn(page: Page): Promise<void> {
    const admin = await newStaff(project, 'security_admin')
    await page.goto(ADDRESS)
    await page.getByLabel('Email address').fill(admin.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor()
  }

  test('accepts a vulnerability without JavaScript and without asking another host', async () => {
    const title = `A door is open ${crypto.randomUUID()}`
    await withDatabase(
      project,
      (sql) => sql`
        insert into public.vulnerabilities (probe, fault, title, severity, found_at)
        values ('worker_doors', ${`invented:${crypto.randomUUID()}`}, ${title}, 'critical', '2026-01-01')`,
    )
    const { page, hosts, close } = await visit(browser, { javaScriptEnabled: false })
    await signIn(page)
    const row = page.getByRole('row', { name: title })
    await row.getByText('Accept for a time').click()
    await row.getByLabel('Why').fill('It is closed with the next release.')
    await row.getByLabel('Until').fill(new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10))
    await row.getByRole('button', { name: 'Accept' }).click()
    await page
      .getByRole('row', { name: `${title} ` })
      .getByText('accepted until')
      .waitFor()
    expect([...hosts]).toEqual([new URL(ADDRESS).host])
    await close()
  })

  test.each(SCREENS)('has no accessibility fault on %s, and fits it', async (_, options) => {
    const { page, close } = await visit(browser, options)
    await page.goto(ADDRESS)
    expect(await faultsOf(page)).toEqual([])
    await signIn(page)
    expect(await faultsOf(page)).toEqual([])
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(options.viewport?.width ?? 0)
    await close()
  })
})
