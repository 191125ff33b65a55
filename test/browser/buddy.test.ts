import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import {
  askContact,
  codeOfFirstText,
  newContact,
  newInvitedContact,
  newNumber,
  newStudentWithCircle,
} from '../../harness/factories/support-contacts.ts'
import { withDatabase } from '../../harness/stack/project.ts'
import { faultsOf } from './accessibility.ts'
import { hasChromium, sharedChromium, visit, withoutChromium } from './chromium.ts'

const project = inject('project')
const FUNCTIONS = `${project.apiUrl}/functions/v1`

/** How a person opens a page: a phone's browser, without JavaScript. */
const PERSON: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  javaScriptEnabled: false,
  userAgent:
    'Mozilla/5.0 (Linux; Android 9; SM-J530F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Mobile Safari/537.36',
}

const SCREENS: [string, BrowserContextOptions][] = [
  ['light', { viewport: { width: 360, height: 740 }, colorScheme: 'light' }],
  ['dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
]

/** A contact with a link of each kind. */
async function newLinks() {
  const student = await newStudentWithCircle(project)
  const phone = newNumber()
  const contact = await newContact(project, student)
  const checkIn = await askContact(project, contact)
  const alert = await askContact(project, contact, { type: 'system_initiated' })
  const invited = await newInvitedContact(project, student, { phone, name: 'Alex', priority_rank: 2 })
  return {
    phone,
    contacts: [contact, invited.contact],
    requests: [checkIn.request, alert.request],
    checkIn: `${FUNCTIONS}/buddy/checkin/${checkIn.token}`,
    alert: `${FUNCTIONS}/buddy/alert/${alert.token}`,
    verify: `${FUNCTIONS}/api/buddy/verify?token=${invited.token}`,
  }
}

type Links = Awaited<ReturnType<typeof newLinks>>

/** Every row that a page can change. */
function rowsOf({ contacts, requests }: Links) {
  return withDatabase(project, async (sql) => ({
    contacts: await sql`
      select id, verified, declined_at, is_active, phone_confirmed_at, verification_token, updated_at
      from public.buddy_contacts where id = any(${contacts}) order by id`,
    requests: await sql`
      select id, response_type, link_clicked_at from public.buddy_check_in_requests
      where id = any(${requests}) order by id`,
    audit: await sql`
      select event_type from public.buddy_verification_audit where buddy_contact_id = any(${contacts})`,
  }))
}

describe.skipIf(!hasChromium)(`the pages of the support circle${withoutChromium}`, () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await sharedChromium()
  })

  test('are opened by a scanner with JavaScript that follows every link and presses every button, and nothing changes', async () => {
    const links = await newLinks()
    const before = await rowsOf(links)
    const { page, close } = await visit(browser)
    // Links to other hosts are followed as far as this machine reaches.
    await page.context().route(/^https:/, (route) => route.fulfill({ body: '' }))
    for (const address of [links.verify, links.checkIn, links.alert]) {
      await page.goto(address)
      await page.reload()
      for (const link of await page.locator('a').all()) {
        const tab = await page.context().newPage()
        await tab.goto((await link.getAttribute('href')) ?? '').catch(() => undefined)
        await tab.close()
      }
      const buttons = await page.locator('button').count()
      expect(buttons).toBeGreaterThan(0)
      for (let place = 0; place < buttons; place++) {
        await press(page, address, place, 'as a person would')
        expect(await press(page, address, place, 'past the checks of the browser')).toBe(422)
      }
    }
    await close()
    expect(await rowsOf(links)).toEqual(before)
    expect(before.requests.map(({ link_clicked_at }) => link_clicked_at)).toEqual([null, null])
  })

  test('are where a person agrees, after a slip of the finger, and reads it again later', async () => {
    const links = await newLinks()
    const { page, hosts, close } = await visit(browser, PERSON)
    await page.goto(links.verify)
    await page.getByLabel('Texts may come at night too').check()
    await page.getByRole('button', { name: 'I agree' }).click()
    // The browser asks for a time zone first, and for the box.
    expect(await page.getByRole('heading', { name: 'Thank you, Alex' }).count()).toBe(0)
    await page.getByLabel('Your time zone').selectOption({ label: 'UK and Ireland' })
    await page.getByRole('button', { name: 'I agree' }).click()
    expect(await page.getByRole('heading', { name: 'Thank you, Alex' }).count()).toBe(0)
    await page.getByLabel('I agree to be a support contact').check()
    await page.getByRole('button', { name: 'I agree' }).click()
    await page.getByRole('heading', { name: 'Thank you, Alex' }).waitFor()
    await page.goto(links.verify)
    await page.getByRole('heading', { name: 'You have already agreed' }).waitFor()
    const code = await codeOfFirstText(project, links.phone)
    await page.getByLabel('Code from the text').fill(String((Number(code) + 1) % 1_000_000).padStart(6, '0'))
    await page.getByRole('button', { name: 'Confirm my number' }).click()
    await page.getByRole('alert').waitFor()
    expect((await page.getByRole('alert').boundingBox())?.y).toBeLessThan(740)
    await page.getByLabel('Code from the text').fill(code)
    await page.getByRole('button', { name: 'Confirm my number' }).click()
    await page.getByText('There is nothing to do now').waitFor()
    expect([...hosts]).toEqual([new URL(FUNCTIONS).host])
    await close()
    const { contacts } = await rowsOf(links)
    expect(contacts.find(({ id }) => id === links.contacts[1])).toMatchObject({
      verified: true,
      phone_confirmed_at: expect.any(Date),
    })
  })

  test('are where a person declines with a reason', async () => {
    const links = await newLinks()
    const { page, close } = await visit(browser, PERSON)
    await page.goto(links.verify)
    await page.getByRole('button', { name: 'Decline' }).click()
    // The browser asks for a choice first.
    expect(await page.getByRole('heading', { name: 'You are not a contact' }).count()).toBe(0)
    await page.getByLabel('Another reason').check()
    await page.getByLabel('In your own words').fill('I am abroad until summer.')
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByRole('heading', { name: 'You are not a contact' }).waitFor()
    await close()
    const { contacts, audit } = await rowsOf(links)
    expect(contacts.find(({ id }) => id === links.contacts[1])).toMatchObject({
      verified: false,
      is_active: false,
      declined_at: expect.any(Date),
    })
    expect(audit.map(({ event_type }) => event_type)).toEqual(['verification_declined'])
  })

  test.each(['checkIn', 'alert'] as const)('are where a person answers %s, and then stops', async (kind) => {
    const links = await newLinks()
    const { page, hosts, close } = await visit(browser, PERSON)
    await page.goto(links[kind])
    const asked = links.requests[kind === 'checkIn' ? 0 : 1]
    const row = async () => (await rowsOf(links)).requests.find(({ id }) => id === asked)
    expect(await row()).toMatchObject({ response_type: null, link_clicked_at: expect.any(Date) })
    await page.getByLabel('I sent a message').check()
    await page.getByRole('button', { name: 'Send my answer' }).click()
    await page.getByRole('heading', { name: 'Thank you, Sam' }).waitFor()
    expect(await row()).toMatchObject({ response_type: 'messaged' })
    await page.getByText('Stop being a contact', { exact: true }).click()
    await page.getByLabel('Yes, I no longer want').check()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('heading', { name: 'You are no longer a contact' }).waitFor()
    expect([...hosts]).toEqual([new URL(FUNCTIONS).host])
    await close()
    const { contacts } = await rowsOf(links)
    expect(contacts.find(({ id }) => id === links.contacts[0])).toMatchObject({ is_active: false })
  })

  test.each(SCREENS)('have no accessibility fault on a phone, %s, and fit it', async (scheme, options) => {
    const links = await newLinks()
    const { page, close } = await visit(browser, options)
    const look = async (name: string) => {
      expect(await faultsOf(page), name).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(360)
      await keepPicture(page, `${name}-${scheme}`)
    }
    await press(page, links.checkIn, 1, 'past the checks of the browser')
    await look('check-in-stop-without-a-choice')
    await press(page, links.alert, 0, 'past the checks of the browser')
    await look('alert-without-a-choice')
    await press(page, links.verify, 0, 'past the checks of the browser')
    await look('verify-without-a-zone')
    await page.goto(links.verify)
    await page.getByLabel('Your time zone').selectOption({ label: 'UK and Ireland' })
    await page.getByLabel('I agree to be a support contact').check()
    await page.getByRole('button', { name: 'I agree' }).click()
    await page.getByRole('heading', { name: 'Thank you, Alex' }).waitFor()
    await look('verify-agreed')
    await page.getByLabel('Code from the text').fill('000000')
    await page.getByRole('button', { name: 'Confirm my number' }).click()
    await page.getByRole('alert').waitFor()
    await look('verify-wrong-code')
    await page.goto(`${FUNCTIONS}/buddy/checkin/unknown`)
    await look('unknown')
    await page.goto(links.alert)
    await page.getByLabel("I can't at the moment").check()
    await page.getByRole('button', { name: 'Send my answer' }).click()
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    await look('answered')
    // From right to left, with the way to time zone and language.
    await page.getByRole('link', { name: 'العربية' }).click()
    await page.getByRole('heading', { name: 'شكرًا لك' }).waitFor()
    await look('answered-arabic')
    await page.getByRole('link', { name: 'تغيير المنطقة الزمنية أو اللغة' }).click()
    await page.getByRole('button', { name: 'حفظ' }).waitFor()
    await look('settings-arabic')
    await close()
  })
})

/**
 * Presses a button without filling in anything. Returns the status of the page that it leads to; null where the browser
 * asks for what is missing.
 */
async function press(
  page: Page,
  address: string,
  place: number,
  how: 'as a person would' | 'past the checks of the browser',
): Promise<number | null> {
  await page.goto(address)
  const button = page.locator('button').nth(place)
  if (how === 'as a person would') {
    await button.dispatchEvent('click')
    await page.waitForLoadState()
    return null
  }
  const [response] = await Promise.all([
    page.waitForNavigation(),
    button.evaluate((element) => {
      if (!(element instanceof HTMLButtonElement) || !element.form) throw new Error('No button of a form')
      element.form.noValidate = true
      element.form.requestSubmit(element)
    }),
  ])
  return response?.status() ?? null
}

/** Pictures to look at, where somebody asks for them. */
async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `buddy-${name}.png`), fullPage: true })
}
