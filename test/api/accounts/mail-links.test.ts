import { describe, expect, inject, test } from 'vitest'
import {
  newAccount,
  newAddress,
  newcomer,
  PASSWORD,
  signInCall,
} from '../../../harness/factories/accounts.ts'
import { linkTo, mailsTo, pressButton } from '../../../harness/factories/mails.ts'
import { localOnly, serviceClient } from '../../../harness/stack/project.ts'

const project = inject('project')

const NEW_PASSWORD = 'another-password-2'

const signIn = (email: string, password = PASSWORD) => signInCall(project, 'signin', { email, password })

/** Opens a page as mail scanners do: by its headers, by itself, and more than once. */
async function scan(link: string): Promise<number[]> {
  const statuses: number[] = []
  for (const method of ['HEAD', 'GET', 'GET']) {
    const { status, body } = await fetch(link, { method })
    await body?.cancel()
    statuses.push(status)
  }
  return statuses
}

const appIn = (html: string) =>
  html.match(/class="button" href="([^"]*)"/)?.[1]?.replaceAll('&amp;', '&') ?? null

describe('the page that a mail leads to', { concurrent: true }, () => {
  test(
    'confirms an account by its button and by nothing else, once',
    localOnly('reads the inbox'),
    async () => {
      const person = newcomer()
      await signInCall(project, 'signup', { ...person, redirect_to: 'http://localhost:5173/welcome?a=1' })
      const link = await linkTo(person.email)
      expect(await scan(link)).toEqual([200, 200, 200])
      expect((await signIn(person.email)).status).toBe(401)

      const pressed = await pressButton(link)
      expect(pressed.status).toBe(200)
      // The app gets its session as from Auth's own link.
      const app = new URL(appIn(pressed.html) ?? '')
      expect(app.origin + app.pathname + app.search).toBe('http://localhost:5173/welcome?a=1')
      expect(new URLSearchParams(app.hash.slice(1)).get('type')).toBe('signup')
      expect((await signIn(person.email)).status).toBe(200)

      const again = await pressButton(link)
      expect(again.status).toBe(404)
      expect(again.html).toContain('ask there for a new mail')
      // Whoever does not know the password chooses one with the session of the page.
      const session = pressed.html.match(/name="session" value="([^"]*)"/)?.[1] ?? ''
      const chosen = await pressButton(link, { session, password: NEW_PASSWORD })
      expect(chosen.status).toBe(200)
      expect((await signIn(person.email, NEW_PASSWORD)).status).toBe(200)
    },
  )

  test.for([
    { method: 'DELETE', path: '?token_hash=x&type=signup', status: 405 },
    { method: 'GET', path: '/x', status: 404 },
    { method: 'GET', path: '?token_hash=%00&type=signup', status: 404 },
    { method: 'POST', path: '?token_hash=x&type=signup', body: 'a'.repeat(20_000), status: 400 },
  ])('is a page in the language of the browser where $method $path is wrong', async (asked) => {
    const { method, path, status, body } = asked
    const response = await fetch(`${project.apiUrl}/functions/v1/api/auth/confirm${path}`, {
      method,
      headers: { accept: 'text/html', 'accept-language': 'de' },
      ...(body && { body }),
    })
    expect(response.status).toBe(status)
    expect(await response.text()).toContain('<html lang="de">')
  })

  test('does nothing that a form of another site asks for', localOnly('reads the inbox'), async () => {
    const person = newcomer()
    await signInCall(project, 'signup', person)
    const link = await linkTo(person.email)
    const pressed = await pressButton(link, { confirm: 'yes' }, { 'sec-fetch-site': 'cross-site' })
    expect(pressed.html).toContain('Confirm your email address')
    expect((await signIn(person.email)).status).toBe(401)
    expect((await pressButton(link, { confirm: 'yes' }, { 'sec-fetch-site': 'same-origin' })).status).toBe(
      200,
    )
    expect((await signIn(person.email)).status).toBe(200)
  })

  test(
    'chooses a new password; neither a scanner nor a weak one uses up the mail',
    localOnly('reads the inbox'),
    async () => {
      const { email } = await newAccount(project)
      expect((await signInCall(project, 'reset', { email })).body).toEqual({ success: true })
      const link = await linkTo(email)
      expect(await scan(link)).toEqual([200, 200, 200])
      expect((await pressButton(link, { password: 'x'.repeat(73) })).status).toBe(422)
      const weak = await pressButton(link, { password: 'short1' }, { 'accept-language': 'de-AT,en;q=0.5' })
      expect(weak.status).toBe(422)
      expect(weak.html).toContain('Dieses Passwort ist zu kurz')
      const session = weak.html.match(/name="session" value="([^"]*)"/)?.[1] ?? ''
      const saved = await pressButton(link, { password: NEW_PASSWORD, session })
      expect(saved.html).toContain('Your password is saved')
      expect(appIn(saved.html)).toBeNull()
      expect((await signIn(email)).status).toBe(401)
      expect((await signIn(email, NEW_PASSWORD)).status).toBe(200)
      // The owner is told.
      const [newest] = await mailsTo(email)
      expect(newest?.subject).toBe('Your password was changed')
    },
  )

  test('lets who is invited choose a password', localOnly('reads the inbox'), async () => {
    const email = newAddress()
    const { error } = await serviceClient(project).auth.admin.inviteUserByEmail(email)
    expect(error).toBeNull()
    const accepted = await pressButton(await linkTo(email), { password: NEW_PASSWORD })
    expect(accepted.html).toContain('Welcome')
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200)
  })

  test(
    'goes on to no address that Auth does not allow, and is in the colour of the university',
    localOnly('reads the inbox'),
    async () => {
      const person = newcomer()
      await signInCall(project, 'signup', person)
      const link = `${(await linkTo(person.email)).replace(/&redirect_to=.*/, '')}&redirect_to=https%3A%2F%2Fevil.example%2F`
      const opened = await (await fetch(link)).text()
      expect(opened).toContain('Northfield · Student wellbeing')
      expect(opened).toMatch(/--brand: #[0-9a-f]{6}; --brand-ink: #/)
      const pressed = await pressButton(link)
      expect(pressed.html).toContain('Your address is confirmed')
      expect(pressed.html).not.toContain('evil.example')
    },
  )

  test('says what to do where a link is nobody’s, and where nobody named an address', async () => {
    const page = (path: string) => fetch(`${project.apiUrl}/functions/v1/api${path}`)
    for (const path of [
      '/auth/confirm',
      '/auth/confirm?type=signup&token_hash=0',
      '/auth/confirm?type=x&token_hash=1',
    ]) {
      const response = await page(path)
      expect(response.status).toBe(404)
      expect(await response.text()).toContain('ask there for a new mail')
    }
    const site = await page('')
    expect(site.status).toBe(200)
    expect(await site.text()).toContain('Go on in the app')
  })
})

describe('a mail that is asked for', { concurrent: true }, () => {
  test('leads to no address that is not on the list, which the error names', async () => {
    for (const [action, body] of [
      ['signup', newcomer()],
      ['reset', { email: newAddress() }],
      ['resend', { email: newAddress() }],
    ] as const) {
      const { status, body: said } = await signInCall(project, action, {
        ...body,
        redirect_to: 'http://localhost:9999/',
      })
      expect(status).toBe(400)
      expect(said).toMatchObject({ success: false, code: 'redirect_not_allowed' })
      expect(Object(said.details).allowed).toContain('http://localhost:5173/**')
      expect(said.error).toContain('additional_redirect_urls')
    }
  })

  test(
    'tells nobody who has an account, and comes to who has one',
    localOnly('reads the inbox'),
    async () => {
      const { email } = await newAccount(project)
      const nobody = newAddress()
      const unconfirmed = newcomer()
      await signInCall(project, 'signup', unconfirmed)
      const answers = await Promise.all(
        [email, nobody, unconfirmed.email].flatMap((address) => [
          signInCall(project, 'reset', { email: address }),
          signInCall(project, 'resend', { email: address }),
        ]),
      )
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
        new Set(['200 {"success":true}']),
      )
      expect(await mailsTo(nobody)).toEqual([])
      expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual(['Choose a new password'])
    },
  )

  test('comes five times an hour to a mailbox, however it is written', async () => {
    const email = newAddress()
    const answers = await Promise.all(
      Array.from({ length: 7 }, (_, index) =>
        signInCall(project, index % 2 ? 'reset' : 'resend', { email: email.replace('@', `+${index}@`) }),
      ),
    )
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
  })
})
