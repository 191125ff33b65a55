import { existsSync } from 'node:fs'
import axe, { type AxeResults } from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPhone, SENDER, startTwilioSetup, type TwilioSetup } from './twilio.ts'

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** Folder to look at the pages in. */
const SCREENSHOTS = process.env.SCREENSHOTS
const hasChromium = existsSync(EXECUTABLE)

describe.skipIf(!hasChromium)(
  `a phone's page${hasChromium ? '' : ` (skipped: no Chromium at ${EXECUTABLE})`}`,
  () => {
    let setup: TwilioSetup
    let browser: Browser
    beforeAll(async () => {
      setup = await startTwilioSetup()
      browser = await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox', '--disable-gpu'] })
    })
    afterAll(async () => {
      await browser?.close()
      await setup.stop()
    })

    const texts = (page: Page) => page.getByRole('list', { name: 'Texts' }).getByRole('listitem')

    it('shows the conversation; a person opens a link, decides a delivery and replies, without JavaScript', async () => {
      const phone = newPhone()
      await setup.account.setOutcome({ kind: 'hold' })
      const statusCallback = `${setup.webhooks}/status`
      const body = `Sam asks you to check in: ${setup.webhooks}/link <b>soon</b>`
      await setup.client.messages.create({ to: phone, from: SENDER, body, statusCallback })
      await expect.poll(() => setup.heard.length).toBe(1)
      const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
      await page.goto(setup.url)
      await page.getByRole('link', { name: 'Phones' }).click()
      await page.getByRole('link', { name: phone }).click()
      await expect.poll(() => texts(page).allInnerTexts()).toEqual([expect.stringContaining('<b>soon</b>')])
      expect(await page.getByRole('link', { name: '/link' }).getAttribute('href')).toBe(
        `${setup.webhooks}/link`,
      )

      await page.getByLabel('What becomes of this text').selectOption({ label: 'It arrives' })
      await page.getByRole('button', { name: 'Decide' }).click()
      await page.getByText('delivered').waitFor()
      expect(setup.heard.at(-1)?.fields.MessageStatus).toBe('delivered')

      await page.getByLabel('Reply').fill('STOP')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('This phone has texted STOP.').waitFor()
      expect(await texts(page).count()).toBe(3)

      await page.getByLabel('The next texts to this phone').selectOption('refuse:20429')
      await page.getByRole('button', { name: 'Set' }).click()
      await page.getByRole('heading', { name: phone }).waitFor()
      expect(setup.account.ownOutcome(phone)).toEqual({ kind: 'refuse', code: 20429 })
      expect(await page.getByLabel('The next texts to this phone').inputValue()).toBe('refuse:20429')
      await page.context().close()
      await setup.account.setOutcome(null)
    })

    it.each(['light', 'dark'] as const)('is readable for everyone on a phone, %s', async (colorScheme) => {
      const phone = newPhone()
      await setup.account.setOutcome({ kind: 'fail', code: 30007 }, phone)
      const body = `Somebody asks you to look after a friend. https://wellbeing.example.edu/${'x'.repeat(60)}`
      await setup.client.messages.create({ to: phone, from: SENDER, body })
      await setup.account.setOutcome({ kind: 'hold' }, phone)
      await setup.client.messages.create({ to: phone, from: SENDER, body })
      await setup.account.reply(phone, 'I will call')
      await setup.account.reply(phone, 'STOP')
      const context = await browser.newContext({
        viewport: { width: 360, height: 740 },
        colorScheme,
        bypassCSP: true,
      })
      const page = await context.newPage()
      for (const path of [`/phones/${encodeURIComponent(phone)}`, '/phones', '/']) {
        await page.goto(setup.url + path)
        await page.addScriptTag({ content: axe.source })
        const { violations } = await page.evaluate<AxeResults>('axe.run()')
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
        const shown = path.split('/')[1] || 'inbox'
        if (SCREENSHOTS)
          await page.screenshot({
            path: `${SCREENSHOTS}/${shown}-${colorScheme}-${path.length}.png`,
            fullPage: true,
          })
      }
      await context.close()
    })
  },
)
