import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { addAuthenticator, codeOf } from '../../../harness/factories/authenticator.ts'
import { linkTo } from '../../../harness/factories/mails.ts'
import { newStaff, newStudent } from '../../../harness/factories/students.ts'
import { serviceClient } from '../../../harness/stack/project.ts'
import { runAxe } from '../../browser/accessibility.ts'
import { hasChromium, withoutChromium } from '../../browser/chromium.ts'
import { picture } from '../student/app.ts'
import { DESK, newDesk, PHONE, type Served, serveStaff } from './app.ts'

const project = inject('project')
const PASSWORD = 'invented-password-1'
const LATER_MS = 16 * 60_000

let served: Served
beforeAll(async () => {
  served = await serveStaff(project)
})
afterAll(() => served?.close())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

/** What the browser's policy forbids, and what nobody catches. */
function brokenOn(page: Page): string[] {
  const broken: string[] = []
  page.on('pageerror', ({ message }) => broken.push(message))
  page.on('console', (message) => {
    if (/Content Security Policy|Permissions policy|MISSING_TRANSLATION/i.test(message.text()))
      broken.push(message.text())
  })
  return broken
}

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.locator('[name=email]').fill(email)
  await page.locator('[name=current-password]').fill(password)
  await page.locator('[type=submit]').click()
}

async function giveCode(page: Page, secret: string): Promise<void> {
  await page.locator('[name=code]').fill(codeOf(secret))
  await page.locator('[type=submit]').click()
}

/** Opens the newest mail's link, at the app of these tests; what the link says. */
async function openMail(page: Page, address: string): Promise<string> {
  const { hash } = new URL(await linkTo(address))
  await page.goto(`${served.url}/${hash}`)
  return hash
}

const kept = (page: Page): Promise<string> =>
  page.evaluate(
    'JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }) + document.cookie',
  )

describe.skipIf(!hasChromium)(`the staff's app${withoutChromium}`, () => {
  test.each([
    ['counselor', '#/reviews', 'Reviews'],
    ['university_admin', '#/overview', 'Overview'],
    ['security_admin', '#/incidents', 'Incidents'],
  ] as const)('a %s comes to %s, after at most 250 kB', async (role, screen, title) => {
    const desk = await newDesk(served, await newStaff(project, role))
    const page = await desk.context.newPage()
    const sizes = new Map<string, number>()
    page.on('response', async (response) => {
      const { url, body } = { url: response.url(), body: await response.body().catch(() => Buffer.alloc(0)) }
      if (url.startsWith(served.url)) sizes.set(url, gzipSync(body).length)
    })
    await page.goto(served.url)
    await heading(page, title).waitFor()
    expect(new URL(page.url()).hash).toBe(screen)
    await page.waitForLoadState('networkidle')
    const size = [...sizes.values()].reduce((sum, each) => sum + each, 0)
    expect(sizes.size).toBeGreaterThan(5)
    expect(size).toBeLessThan(250_000)
  })

  test('one sign-in with a second factor leads to where somebody wanted to go; nothing of it is in an address', async () => {
    const person = await newStaff(project, 'counselor')
    const { secret } = await addAuthenticator(person.client)
    const desk = await newDesk(served, null, { viewport: PHONE })
    const page = await desk.open('account')
    const broken = brokenOn(page)
    await signIn(page, person.email, 'not-the-password-1')
    await page.getByRole('alert').getByText('The email address or the password is not right').waitFor()
    expect(await page.locator('[name=email]').inputValue()).toBe(person.email)
    await signIn(page, person.email)
    await heading(page, 'Second factor').waitFor()
    await page.locator('[name=code]').fill('000000')
    await page.locator('[type=submit]').click()
    await page.getByText('This code is not right').waitFor()
    await giveCode(page, secret)
    await heading(page, 'Account').waitFor()
    await page.getByText('This device').waitFor()
    expect(new URL(page.url()).hash).toBe('#/account')
    expect(broken).toEqual([])
  })

  test('who has no second factor adds one with the picture of its key, where it is asked for', async () => {
    const person = await newStaff(project, 'counselor')
    const desk = await newDesk(served, person)
    const page = await desk.open('account')
    const broken = brokenOn(page)
    await button(page, 'Add an authenticator app').click()
    const picture = page.getByRole('img', { name: /Picture of the key/ })
    await picture.waitFor()
    expect(
      await picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth),
    ).toBeGreaterThan(20)
    const secret = (await page.locator('.key').textContent()) ?? ''
    await page.getByRole('dialog').locator('[name=code]').fill('000000')
    await button(page, 'Confirm the app').click()
    await page.getByText('This code is not right').waitFor()
    expect(await page.locator('.key').textContent()).toBe(secret)
    await page.getByRole('dialog').locator('[name=code]').fill(codeOf(secret))
    await button(page, 'Confirm the app').click()
    await button(page, 'Remove').click()
    const question = page.getByRole('alertdialog')
    await question.locator('.target').getByText('Authenticator app').waitFor()
    await question.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No authenticator app yet.').waitFor()
    expect(broken).toEqual([])
  })

  test('locks when nobody is there: nothing is left in the page, in any tab, or after loading it again', async () => {
    const person = await newStaff(project, 'counselor')
    const { secret } = await addAuthenticator(person.client)
    const desk = await newDesk(served, person)
    await desk.context.clock.install()
    const [page, other] = [await desk.open('account'), await desk.open('reviews')]
    await page.getByText('This device').waitFor()
    await heading(other, 'Reviews').waitFor()
    await desk.context.clock.fastForward(LATER_MS)
    await heading(page, 'Locked').waitFor()
    await heading(other, 'Locked').waitFor()
    expect(await page.locator('body').textContent()).not.toMatch(/This device|Devices and sessions/)
    expect(await page.locator('nav').count()).toBe(0)
    await page.mouse.move(200, 200)
    await page.keyboard.press('Tab')
    await page.reload()
    await heading(page, 'Locked').waitFor()
    await page.goto(`${served.url}/#/reviews`)
    await heading(page, 'Locked').waitFor()

    await page.locator('[name=code]').fill('000000')
    await button(page, 'Unlock').click()
    await page.getByText('This code is not right').waitFor()
    await desk.context.clock.setSystemTime(Date.now())
    await giveCode(page, secret)
    await heading(page, 'Reviews').waitFor()
    await heading(other, 'Reviews').waitFor()
    await button(page, 'Lock').click()
    await heading(other, 'Locked').waitFor()
    expect(await page.locator('nav').count()).toBe(0)
  })

  test('who signs out everywhere, or whose session is ended elsewhere, is signed out in every tab', async () => {
    const person = await newStaff(project, 'counselor')
    const [desk, elsewhere] = [await newDesk(served, person), await newDesk(served, null)]
    const page = await elsewhere.open()
    await signIn(page, person.email)
    await heading(page, 'Reviews').waitFor()
    const mine = await desk.open('account')
    await button(mine, 'End').click()
    await mine.getByRole('alertdialog').getByRole('button', { name: 'End' }).click()
    await expect.poll(() => button(mine, 'End').count()).toBe(0)
    await page.goto(`${served.url}/#/account`)
    await heading(page, 'Sign in').waitFor()
    expect(await kept(page)).not.toContain(person.email)

    const tab = await desk.open('reviews')
    await heading(tab, 'Reviews').waitFor()
    await button(mine, 'Sign out everywhere').click()
    await mine.getByRole('alertdialog').getByText(person.email).waitFor()
    await mine.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await heading(mine, 'Sign in').waitFor()
    await heading(tab, 'Sign in').waitFor()
  })

  test('whoever a link signs in sees nothing of who was here, in any tab', async () => {
    const [ann, ben] = [await newStaff(project, 'counselor'), await newStaff(project, 'counselor')]
    await addAuthenticator(ann.client)
    const desk = await newDesk(served, ann)
    const page = await desk.open('account')
    await button(page, 'Remove').waitFor()
    const { data } = await serviceClient(project).auth.admin.generateLink({
      type: 'magiclink',
      email: ben.email,
    })
    const token = data.properties?.hashed_token
    const link = await desk.open(`auth/confirm?token_hash=${token}&type=magiclink`)
    await button(link, 'Sign in').click()
    await page.getByText('No authenticator app yet.').waitFor()
    expect(await page.locator('header .who').textContent()).toBe(ben.email)
  })

  test('a student is told that this app is not theirs, and finds nothing in it', async () => {
    const student = await newStudent(project, [])
    const page = await (await newDesk(served, student)).open('incidents')
    await heading(page, 'This app is for staff').waitFor()
    expect(await page.getByRole('link').count()).toBe(0)
    await button(page, 'Sign out').click()
    await heading(page, 'Sign in').waitFor()
  })

  test('a reset: the token is gone from the address at once, nothing is taken before the button, and the old password is no more', async () => {
    const person = await newStaff(project, 'counselor')
    const desk = await newDesk(served, null, { locale: 'de-DE' })
    const page = await desk.open()
    const broken = brokenOn(page)
    await page.getByRole('link', { name: 'Passwort vergessen?' }).click()
    await page.locator('[name=email]').fill(person.email)
    await button(page, 'E-Mail senden').click()
    await page.getByText('ist die E-Mail unterwegs').waitFor()
    const requests: string[] = []
    page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`))
    const hash = await openMail(page, person.email)
    await heading(page, 'Neues Passwort wählen').waitFor()
    expect(await page.evaluate('location.hash')).toBe('#/auth/confirm')
    expect(await kept(page)).not.toMatch(/token_hash|recovery/)
    expect(requests.filter((request) => request.includes('/auth/v1/'))).toEqual([])
    await page.getByLabel('Neues Passwort').fill('kurz')
    await button(page, 'Passwort speichern').click()
    await page.getByText('leicht zu erraten').waitFor()
    await page.getByLabel('Neues Passwort').fill('another-password-2')
    await button(page, 'Passwort speichern').click()
    await heading(page, 'Das Passwort ist gespeichert').waitFor()
    expect(await kept(page)).not.toContain('access_token')
    await page.getByRole('link', { name: 'Anmelden' }).click()
    await signIn(page, person.email, PASSWORD)
    await page.getByRole('alert').waitFor()
    await signIn(page, person.email, 'another-password-2')
    await page.locator('nav').first().waitFor({ state: 'attached' })
    await page.goto(`${served.url}/${hash}`)
    await heading(page, 'Dieser Link gilt nicht mehr').waitFor()
    expect(broken).toEqual([])
  })

  test('a reset of an account with an authenticator app asks for its code, and leaves who is signed in here as they are', async () => {
    const [person, colleague] = [await newStaff(project, 'counselor'), await newStaff(project, 'counselor')]
    const { secret } = await addAuthenticator(person.client)
    await serviceClient(project).auth.resetPasswordForEmail(person.email)
    const page = await (await newDesk(served, colleague)).open()
    await heading(page, 'Reviews').waitFor()
    await openMail(page, person.email)
    await page.getByLabel('New password').fill('another-password-2')
    await button(page, 'Save the password').click()
    await page.getByText('Its code is needed as well').waitFor()
    await giveCode(page, secret)
    await heading(page, 'The password is saved').waitFor()
    await page.goto(`${served.url}/#/account`)
    await page.getByText(`Signed in as ${colleague.email}`).waitFor()
  })

  test('a student who signs up confirms in the colour of the university, and is led back to the app that asked', async () => {
    const email = `kim-${crypto.randomUUID()}@northfield.example.edu`
    const back = 'http://127.0.0.1:54325/'
    const { error } = await serviceClient(project).auth.signUp({
      email,
      password: PASSWORD,
      options: { emailRedirectTo: back },
    })
    expect(error).toBeNull()
    const page = await (await newDesk(served, null, { viewport: PHONE, locale: 'fr-FR' })).open()
    await openMail(page, email)
    await heading(page, 'Confirmez votre adresse e-mail').waitFor()
    await page.getByText('Northfield').waitFor()
    expect(await page.evaluate("document.documentElement.style.getPropertyValue('--brand')")).toMatch(/^#/)
    await button(page, 'Confirmer l’adresse').click()
    await heading(page, 'Votre adresse est confirmée').waitFor()
    const way = page.getByRole('link', { name: 'Ouvrir l’application' })
    expect(await way.getAttribute('href')).toBe(back)
    expect(await kept(page)).not.toContain('access_token')
    await page.getByText('Un autre mot de passe ?').click()
    await page.getByLabel('Nouveau mot de passe').fill('another-password-2')
    await button(page, 'Enregistrer le mot de passe').click()
    await page.getByText('Le mot de passe est enregistré').waitFor()
  })

  test('an invitation of Auth leads to a first password; a link that never was leads nowhere', async () => {
    const email = `robin-${crypto.randomUUID()}@northfield.example.edu`
    const invited = await serviceClient(project).auth.admin.inviteUserByEmail(email)
    expect(invited.error).toBeNull()
    const page = await (await newDesk(served, null)).open()
    await openMail(page, email)
    await heading(page, 'Accept the invitation').waitFor()
    await page.getByLabel('New password').fill(PASSWORD)
    await button(page, 'Accept and save').click()
    await heading(page, 'Welcome').waitFor()
    await page.goto(`${served.url}/#/auth/confirm?token_hash=never&type=recovery`)
    await heading(page, 'This link does not work any more').waitFor()
  })

  test('runs in no frame, hears no message of another page, and asks nobody but its service', async () => {
    const person = await newStaff(project, 'counselor')
    const desk = await newDesk(served, person)
    const page = await desk.open('reviews')
    await heading(page, 'Reviews').waitFor()
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    const before = await kept(page)
    const session = { access_token: 'forged', refresh_token: 'forged', user: { id: 'forged' } }
    await page.evaluate((forged) => {
      for (const event of ['SIGNED_IN', 'SIGNED_OUT', 'TOKEN_REFRESHED', 'PASSWORD_RECOVERY'])
        window.postMessage({ event, session: forged, type: event }, '*')
    }, session)
    const stranger = await desk.context.newPage()
    await stranger.route('http://other.example/**', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe src="${served.url}"></iframe><button>Open</button><script>
          document.querySelector('button').onclick = () => { globalThis.opened = open('${served.url}') }</script>`,
      }),
    )
    await stranger.goto('http://other.example/')
    await expect.poll(() => stranger.frames()[1]?.url()).toContain('chrome-error')
    const [opened] = await Promise.all([
      desk.context.waitForEvent('page'),
      stranger.getByRole('button', { name: 'Open' }).click(),
    ])
    await heading(opened, 'Reviews').waitFor()
    // The page that opened it has no way to it.
    expect(await opened.evaluate('opener')).toBeNull()
    await page.reload()
    await heading(page, 'Reviews').waitFor()
    expect(before).toContain(person.id)
    expect(await kept(page)).toContain(person.id)
    expect([...hosts].sort()).toEqual([new URL(served.url).host, new URL(project.apiUrl).host].sort())
  })

  test('is used by the keyboard alone', async () => {
    const person = await newStaff(project, 'counselor')
    const page = await (await newDesk(served, null)).open()
    await heading(page, 'Sign in').waitFor()
    const tabTo = async (name: string) => {
      for (let steps = 0; steps < 40; steps++) {
        await page.keyboard.press('Tab')
        const here: string = await page.evaluate(
          "document.activeElement?.getAttribute('name') ?? document.activeElement?.textContent ?? ''",
        )
        if (here === name) return
      }
      throw new Error(`No way by keyboard to ${name}`)
    }
    await tabTo('email')
    await page.keyboard.type(person.email)
    await tabTo('current-password')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await heading(page, 'Reviews').waitFor()
    await tabTo('Account')
    await page.keyboard.press('Enter')
    await heading(page, 'Account').waitFor()
    await tabTo('Sign out everywhere')
    await page.keyboard.press('Enter')
    await page.getByRole('alertdialog').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0)
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Sign out everywhere')
  })

  test.each([
    ['a phone, light, German', { viewport: PHONE, colorScheme: 'light', locale: 'de-DE' }],
    ['a phone, dark, Arabic', { viewport: PHONE, colorScheme: 'dark', locale: 'ar' }],
    ['a desk, light, Arabic', { viewport: DESK, colorScheme: 'light', locale: 'ar' }],
    ['a desk, dark, English', { viewport: DESK, colorScheme: 'dark', locale: 'en-GB' }],
  ] as const)('has no accessibility fault and fits: %s', async (name, options) => {
    const person = await newStaff(project, 'security_admin')
    await serviceClient(project)
      .from('user_roles')
      .insert({ user_id: person.id, role: 'counselor', university_id: 'northfield' })
    const strangers = await newDesk(served, null, options)
    const page = await strangers.open()
    const broken = brokenOn(page)
    const look = async (what: string, shown: Page = page) => {
      await shown.locator('h1, .dialog h2').first().waitFor()
      await expect.poll(() => shown.getByText(/Wird geladen|جارٍ التحميل|Loading/).count()).toBe(0)
      await picture(shown, `${name.replaceAll(/\W+/g, '-')}-${what}`)
      const { violations } = await runAxe(shown)
      expect(
        violations.map(({ id, nodes }) => [id, nodes[0]?.html]),
        what,
      ).toEqual([])
      const wide: number = await shown.evaluate('document.documentElement.scrollWidth')
      expect(wide, what).toBeLessThanOrEqual(options.viewport.width)
    }
    await look('sign-in')
    await page.goto(`${served.url}/#/forgotten`)
    await look('forgotten')
    await serviceClient(project).auth.resetPasswordForEmail(person.email)
    await openMail(page, person.email)
    await page.locator('[name=new-password]').waitFor()
    await look('confirm')

    const desk = await newDesk(served, person, options)
    const mine = await desk.open('account')
    await mine.locator('.rows').first().waitFor()
    await look('account', mine)
    await mine.goto(`${served.url}/#/account/password`)
    await mine.locator('[name=new-password]').waitFor()
    await look('password', mine)
    await mine.goto(`${served.url}/#/nowhere`)
    await look('missing', mine)
    if (options.viewport === PHONE) {
      await mine.locator('.menu').click()
      await mine.locator('.dialog').waitFor()
      await look('menu', mine)
      await mine.keyboard.press('Escape')
    }
    await mine.locator('header button').click()
    await mine.locator('[name=current-password]').waitFor()
    await look('locked', mine)
    expect(broken).toEqual([])
  })
})
