import { gzipSync } from 'node:zlib'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { serveApp } from '../../../demo/apps.ts'
import { mailsTo } from '../../../harness/factories/mails.ts'
import { newStudent } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'
import { runAxe } from '../../browser/accessibility.ts'
import { hasChromium, sharedChromium, type Visit, visit, withoutChromium } from '../../browser/chromium.ts'

const project = inject('project')
const PASSWORD = 'invented-password-1'
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 900 }
const LONG_NAME = 'Alexandria-Wilhelmina Konstantinopolitanskaja-Hohenlohe-Lang' // 60 characters

let app: Awaited<ReturnType<typeof serveApp>>
let address = ''
beforeAll(async () => {
  app = await serveApp('student', project, { port: 0 })
  const listening = app.address()
  if (listening === null || typeof listening === 'string') throw new Error('The app has no port.')
  address = `http://127.0.0.1:${listening.port}/`
})
afterAll(() => {
  app.close()
  app.closeAllConnections()
})

type Opened = Visit & { broken: string[] }

/** Opens the app, and keeps what the browser's policy forbids and what nobody catches. */
async function openApp(options: BrowserContextOptions = {}): Promise<Opened> {
  const visited = await visit(await sharedChromium(), { viewport: PHONE, ...options })
  const broken: string[] = []
  visited.page.on('pageerror', ({ message }) => broken.push(message))
  visited.page.on('console', (message) => {
    if (/Content Security Policy|Permissions policy|MISSING_TRANSLATION/i.test(message.text()))
      broken.push(message.text())
  })
  await visited.page.goto(address)
  return { ...visited, broken }
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.locator('[name=email]').fill(email)
  await page.locator('[name=current-password]').fill(PASSWORD)
  await page.locator('[type=submit]').click()
  await page.locator('nav').waitFor()
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** Signs out; the app is then loaded anew, with nothing typed. */
async function signOut(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('load'), button(page, 'Sign out').click()])
}

/** Waits until a screen has all that it asks for. */
const settled = async (page: Page) => {
  await page.locator('h1').waitFor()
  await expect.poll(() => page.getByText(/Wird geladen|جارٍ التحميل|Loading/).count()).toBe(0)
}

describe.skipIf(!hasChromium)(`the students' app${withoutChromium}`, () => {
  test('shows its first screen, and the start of who is signed in, after at most 200 kB', async () => {
    const student = await newStudent(project, [])
    const { page, close } = await openApp({ serviceWorkers: 'block' })
    const sizes = new Map<string, number>()
    page.on('response', async (response) => {
      const { url, body } = { url: response.url(), body: await response.body().catch(() => Buffer.alloc(0)) }
      if (url.startsWith(address)) sizes.set(url, gzipSync(body).length)
    })
    await page.reload()
    await signIn(page, student.email)
    await page.getByText('No result yet').waitFor()
    await page.waitForLoadState('networkidle')
    expect(sizes.size).toBeGreaterThan(5)
    expect([...sizes.values()].reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000)
    await close()
  })

  test('takes somebody from the address of a university to their consents, with the code of the mail', async () => {
    const { page, broken, hosts, close } = await openApp({ locale: 'de-AT' })
    const email = `kim-${crypto.randomUUID()}@northfield.example.edu`
    await page.getByRole('link', { name: 'Konto anlegen' }).click()
    await page.getByLabel('E-Mail-Adresse').fill(email)
    await page.getByText('Du legst dein Konto bei Northfield University (invented) an.').waitFor()
    await page.getByLabel('Vorname').fill('Kim')
    await page.getByLabel('Nachname').fill('Field')
    await page.getByLabel('Neues Passwort').fill('kurz')
    await button(page, 'Konto anlegen').click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Neues Passwort').fill(PASSWORD)
    await button(page, 'Konto anlegen').click()
    await heading(page, 'Bestätige deine Adresse').waitFor()

    const mails = await expect
      .poll(() => mailsTo(email))
      .toHaveLength(1)
      .then(() => mailsTo(email))
    const code = mails[0]?.text.match(/^(\d{10})$/m)?.[1] ?? ''
    await page.getByLabel('Code aus der E-Mail').fill(code === '0000000000' ? '1111111111' : '0000000000')
    await button(page, 'Weiter').click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Code aus der E-Mail').fill(code)
    await button(page, 'Weiter').click()
    await page.getByRole('link', { name: 'Mein Passwort behalten' }).click()
    await heading(page, 'Hallo Kim').waitFor()
    expect(await page.locator('header').textContent()).toContain('Northfield')
    await page.getByRole('link', { name: 'Worin du einwilligst' }).first().click()
    await button(page, 'Ich willige ein').first().click()
    await page.getByText(/Du hast am .* eingewilligt/).waitFor()
    expect(await button(page, 'Ich willige ein').count()).toBe(5)
    await button(page, 'Einwilligung widerrufen').click()
    await button(page, 'Einwilligung widerrufen').click()
    await page.getByText('Widerrufen. Gelöscht: 0 Dateien, 0 Ergebnisse, 0 Exporte.').waitFor()
    expect(broken).toEqual([])
    expect([...hosts].sort()).toEqual([new URL(address).host, new URL(project.apiUrl).host].sort())
    await close()
  })

  test('says in their language why somebody is not let in, and keeps what they typed', async () => {
    const student = await newStudent(project, [])
    const { page, close } = await openApp({ locale: 'fr-FR' })
    await page.getByLabel('Adresse e-mail').fill(student.email)
    await page.getByLabel('Mot de passe').fill('not-the-password-1')
    await button(page, 'Se connecter').click()
    const said = (await page.getByRole('alert').textContent()) ?? ''
    const words = student.client
      .from('failure_reasons')
      .select('title')
      .eq('code', 'invalid_credentials')
      .eq('language', 'fr')
    expect(said).toContain((await words.single()).data?.title)
    expect(await page.getByLabel('Adresse e-mail').inputValue()).toBe(student.email)
    await close()
  })

  test('tells the service of another name and language, at once and by itself', async () => {
    const student = await newStudent(project, [])
    const { page, close } = await openApp()
    await signIn(page, student.email)
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByLabel('First name').fill('Robin')
    await page.getByLabel('Last name').fill('Field')
    await button(page, 'Save').click()
    await page.getByText('Saved.').waitFor()
    await page.getByLabel('Language').selectOption({ label: 'العربية' })
    await heading(page, 'الحساب').waitFor()
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
    const profile = () => student.client.from('profiles').select('first_name, language').single()
    await expect.poll(async () => (await profile()).data).toEqual({ first_name: 'Robin', language: 'ar' })
    await page.reload()
    await heading(page, 'الحساب').waitFor()
    await close()
  })

  test('prepares an export and offers its files; an account that is to be deleted can be kept', async () => {
    const student = await newStudent(project, [])
    const { page, close } = await openApp()
    await signIn(page, student.email)
    await page.goto(`${address}#/account/data`)
    await page.getByText('Nobody has looked at your data.').waitFor()
    await button(page, 'Prepare a copy').click()
    const file = page.getByRole('link', { name: /\.zip/ })
    await file.waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), file.click()])
    expect(await download.failure()).toBeNull()
    await button(page, 'Delete the copy').click()
    await button(page, 'Delete the copy').click()
    await page.getByText('Its files are deleted.').waitFor()

    await page.getByLabel('Password').fill('not-the-password-1')
    await button(page, 'Delete my account').click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password').fill(PASSWORD)
    await button(page, 'Delete my account').click()
    await button(page, 'Keep my account').click()
    await button(page, 'Delete my account').waitFor()
    await close()
  })

  test('opens without a network, signed in, with whom to turn to, and keeps no answer of the service', async () => {
    const student = await newStudent(project)
    const { page, close } = await openApp()
    await signIn(page, student.email)
    await page.getByText('No result yet').waitFor()
    await page.evaluate('navigator.serviceWorker.ready.then(({ active }) => active.state)')
    await page.context().setOffline(true)
    await page.reload()
    await page.getByText('You are offline.').waitFor()
    await page.getByRole('link', { name: 'Help now' }).click()
    await page.getByRole('link', { name: '+1-202-555-0110' }).waitFor()
    await page.goto(`${address}#/account`)
    await page.getByText(`Signed in as ${student.email}`).waitFor()
    const kept: string[] = await page.evaluate(`caches.keys()
      .then((names) => Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url))))
      .then((urls) => urls.flat())`)
    expect(kept.filter((url) => !url.startsWith(address) || url.includes('config.json'))).toEqual([])
    await button(page, 'Sign out').click()
    await heading(page, 'Sign in').waitFor()
    await page.reload()
    await heading(page, 'Sign in').waitFor()
    await close()
  })

  test('has help at hand while a session that has expired takes its time to be renewed', async () => {
    const student = await newStudent(project)
    const { page, close } = await openApp()
    await signIn(page, student.email)
    await page.getByText('No result yet').waitFor()
    await page.evaluate(`{
      const session = JSON.parse(localStorage.getItem('wellbeing.session'))
      localStorage.setItem('wellbeing.session', JSON.stringify({ ...session, expires_at: 1 }))
    }`)
    await page.route('**/auth/v1/token**', () => undefined)
    await page.reload()
    await page.getByRole('link', { name: 'Help now' }).click()
    await page.getByRole('link', { name: '+1-202-555-0110' }).waitFor()
    await close()
  })

  test('keeps what waits for whoever recorded it, when they sign out and somebody else signs in', async () => {
    const [first, second] = [await newStudent(project), await newStudent(project)]
    const { page, close } = await openApp()
    await signIn(page, first.email)
    await page.getByText('No result yet').waitFor()
    await page.goto(`${address}#/check-in`)
    await page
      .getByLabel('In your own words')
      .fill('I slept well, met a friend for lunch and finished my essay. '.repeat(8))
    // The service alone cannot be reached: the device takes itself for online.
    await page.route(`${project.apiUrl}/functions/v1/checkins/**`, (route) => route.abort())
    await button(page, 'Send').click()
    await page.getByRole('heading', { name: 'On this device' }).waitFor()
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByText('1 check-in on this device is not sent yet.').waitFor()
    await signOut(page)
    await page.unroute(`${project.apiUrl}/functions/v1/checkins/**`)

    await signIn(page, second.email)
    await page.goto(`${address}#/check-in`)
    await page.getByLabel('In your own words').waitFor()
    expect(await page.getByLabel('In your own words').inputValue()).toBe('')
    expect(await page.getByRole('heading', { name: 'On this device' }).count()).toBe(0)
    await page.goto(`${address}#/account`)
    await signOut(page)

    await page.goto(address)
    await signIn(page, first.email)
    await page.goto(`${address}#/check-in`)
    await page.getByRole('heading', { name: 'On this device' }).waitFor()
    const of = (student: typeof first) => student.client.schema('checkin').from('check_ins').select('status')
    await expect
      .poll(async () => (await of(first)).data, { timeout: 60_000 })
      .toEqual([{ status: 'complete' }])
    expect((await of(second)).data).toEqual([])
    await close()
  })

  test.each([
    ['a phone, light, German', { viewport: PHONE, colorScheme: 'light', locale: 'de-DE' }],
    ['a phone, dark, Arabic', { viewport: PHONE, colorScheme: 'dark', locale: 'ar' }],
    ['a desktop, light, Arabic', { viewport: DESKTOP, colorScheme: 'light', locale: 'ar' }],
    ['a desktop, dark, German', { viewport: DESKTOP, colorScheme: 'dark', locale: 'de-DE' }],
  ] satisfies [string, BrowserContextOptions][])(
    'has no accessibility fault and fits: %s',
    async (_, options) => {
      const student = await newStudent(project)
      await withDatabase(
        project,
        (sql) => sql`
      update public.profiles set first_name = ${LONG_NAME}, last_name = ${LONG_NAME} where user_id = ${student.id}`,
      )
      const { page, broken, close } = await openApp({ ...options, serviceWorkers: 'block' })
      const look = async (screen: string) => {
        await page.goto(`${address}#${screen}`)
        await settled(page)
        const { violations } = await runAxe(page)
        expect(
          violations.map(({ id, nodes }) => [id, nodes[0]?.html]),
          screen,
        ).toEqual([])
        const wide: number = await page.evaluate('document.documentElement.scrollWidth')
        expect(wide, screen).toBeLessThanOrEqual(options.viewport.width)
      }
      for (const screen of ['/', '/sign-up', '/code/signup', '/code/recovery', '/crisis']) await look(screen)
      await page.goto(address)
      await signIn(page, student.email)
      await page.getByRole('heading', { name: new RegExp(LONG_NAME.slice(0, 20)) }).waitFor()
      for (const screen of ['/', '/consents', '/account', '/account/data', '/account/password', '/nowhere'])
        await look(screen)
      expect(broken).toEqual([])
      await close()
    },
  )
})
