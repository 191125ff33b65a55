import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { newStaff } from '../../harness/factories/students.ts'
import { newModule, RIGHT } from '../../harness/factories/training.ts'
import { withDatabase } from '../../harness/stack/project.ts'
import { faultsOf, SCREENS } from './accessibility.ts'
import { hasChromium, sharedChromium, visit, withoutChromium } from './chromium.ts'

const project = inject('project')
const ADDRESS = `${project.apiUrl}/functions/v1/api/training/learn.html`
const PASSWORD = 'invented-password-1'

describe.skipIf(!hasChromium)(`the page of training${withoutChromium}`, () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await sharedChromium()
  })

  async function signIn(page: Page): Promise<void> {
    const counselor = await newStaff(project, 'counselor')
    await page.goto(ADDRESS)
    await page.getByLabel('Email address').fill(counselor.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Your training' }).waitFor()
  }

  test('is read, answered and passed without JavaScript and without asking another host', async () => {
    const name = `Doors ${crypto.randomUUID()}`
    await withDatabase(project, (sql) => newModule(sql, name))
    const { page, hosts, close } = await visit(browser, { javaScriptEnabled: false })
    await signIn(page)
    await page.getByRole('link', { name }).click()
    await page.getByRole('link', { name: 'Begin to read' }).click()
    await page.getByRole('button', { name: 'I have read this: go on' }).click()
    await page.getByRole('heading', { level: 1, name: 'The second' }).waitFor()
    await page.getByRole('button', { name: 'I have read this: to the questions' }).click()
    await page.getByRole('button', { name: 'Answer the questions' }).click()
    for (const choice of await page.getByLabel(RIGHT).all()) await choice.check()
    await page.getByRole('button', { name: 'Submit my answers' }).click()
    await page.getByRole('heading', { name: 'You passed' }).waitFor()
    await page.getByRole('link', { name: 'Your training' }).click()
    const card = page.locator('section', { has: page.getByRole('link', { name }) })
    expect(await card.textContent()).toContain('Your certificate counts until')
    expect([...hosts]).toEqual([new URL(ADDRESS).host])
    await close()
  })

  test.each(SCREENS)('has no accessibility fault on %s, and fits it', async (_, options) => {
    const module = await withDatabase(project, (sql) => newModule(sql))
    const { page, close } = await visit(browser, options)
    const isRight = async () => {
      expect(await faultsOf(page)).toEqual([])
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width).toBeLessThanOrEqual(options.viewport?.width ?? 0)
    }
    await page.goto(ADDRESS)
    await isRight()
    await signIn(page)
    await isRight()
    await page.goto(`${ADDRESS}?module=trn_hipaa_fundamentals`)
    await isRight()
    await page.goto(`${ADDRESS}?module=trn_hipaa_fundamentals&section=s2`)
    await isRight()
    await page.goto(`${ADDRESS}?module=${module}&section=s1`)
    await page.getByRole('button', { name: 'I have read this' }).click()
    await page.getByRole('button', { name: 'I have read this' }).click()
    await page.getByRole('button', { name: 'Answer the questions' }).click()
    await isRight()
    await close()
  })
})
