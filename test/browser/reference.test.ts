import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { runAxe, SCREENS } from './accessibility.ts'
import { hasChromium, sharedChromium, visit, withoutChromium } from './chromium.ts'

const project = inject('project')
const ADDRESS = `${project.apiUrl}/functions/v1/api/docs`

/** Each kind of page, the longest heading among them. */
const PAGES = [
  '',
  '?of=sign-in',
  '?of=schemas',
  '?of=channels',
  '?of=workers',
  '?q=session',
  '?q=nothing-has-this',
  '?of=none',
]

describe.skipIf(!hasChromium)(`the description of the calls${withoutChromium}`, () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await sharedChromium()
  })

  test('is searched and read by keyboard alone, without JavaScript and without asking another host', async () => {
    const { page, hosts, close } = await visit(browser, { javaScriptEnabled: false })
    await page.goto(ADDRESS)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('weak_password')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'found for “weak_password”' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'POST /api/auth/signup' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Sign-in' }).waitFor()
    expect(new URL(page.url()).hash).toBe('#signUp')
    expect([...hosts]).toEqual([new URL(ADDRESS).host])
    await close()
  })

  test.each(SCREENS)('has nothing that axe finds on %s, and fits it', async (_, options) => {
    const { page, close } = await visit(browser, options)
    for (const query of PAGES) {
      await page.goto(ADDRESS + query)
      expect(
        (await runAxe(page)).violations.map(({ id }) => id),
        query,
      ).toEqual([])
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width, query).toBeLessThanOrEqual(options.viewport?.width ?? 0)
    }
    await close()
  })
})
