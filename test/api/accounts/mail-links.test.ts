import { describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import {
  newAccount,
  newAddress,
  newcomer,
  PASSWORD,
  signInCall,
} from '../../../harness/factories/accounts.ts'
import { type AuthLink, authLinkTo, mailsTo, takeLink } from '../../../harness/factories/mails.ts'
import { localOnly, serviceClient } from '../../../harness/stack/project.ts'

const project = inject('project')

const NEW_PASSWORD = 'another-password-2'

const signIn = (email: string, password = PASSWORD) => signInCall(project, 'signin', { email, password })

/** Asks whose link it is, as the page that it leads to does. */
const ask = (link: Partial<AuthLink>) => call(project, null, 'POST', 'api/auth/link', link)

describe('the link in a mail', { concurrent: true }, () => {
  test(
    'says whose it is, however often, and confirms the account once',
    localOnly('reads the inbox'),
    async () => {
      const person = newcomer()
      await signInCall(project, 'signup', { ...person, redirect_to: 'http://localhost:5173/welcome?a=1' })
      const link = await authLinkTo(person.email)
      expect(link).toMatchObject({ type: 'signup', redirect_to: 'http://localhost:5173/welcome?a=1' })
      for (let asked = 0; asked < 3; asked++) {
        expect(await ask(link)).toMatchObject({
          status: 200,
          body: {
            university: { name: 'Northfield', color: expect.stringMatching(/^#[0-9a-f]{6}$/) },
            redirect_to: 'http://localhost:5173/welcome?a=1',
          },
        })
      }
      expect((await signIn(person.email)).status).toBe(401)
      expect((await takeLink(project, link)).error).toBeNull()
      expect((await signIn(person.email)).status).toBe(200)
      expect(await ask(link)).toMatchObject({ status: 404, body: { code: 'link_not_found' } })
      expect((await takeLink(project, link)).error).toMatchObject({ code: 'otp_expired' })
    },
  )

  test('is asked for in no address, which logs would keep', localOnly('reads the inbox'), async () => {
    const person = newcomer()
    await signInCall(project, 'signup', person)
    const link = await authLinkTo(person.email)
    const asked = await call(project, null, 'GET', `api/auth/link?${new URLSearchParams(link)}`)
    expect(asked.status).toBe(405)
  })

  test('is of its kind alone, and of no other shape', localOnly('reads the inbox'), async () => {
    const person = newcomer()
    await signInCall(project, 'signup', person)
    const link = await authLinkTo(person.email)
    expect(await ask({ ...link, type: 'recovery' })).toMatchObject({ status: 404 })
    for (const wrong of [{ token_hash: '' }, { token_hash: '\0' }, { token_hash: 'a b' }]) {
      expect(await ask({ ...link, ...wrong })).toMatchObject({
        status: 400,
        body: { code: 'invalid_parameters' },
      })
    }
    const { type, ...without } = link
    expect(await ask(without)).toMatchObject({ status: 400, body: { code: 'invalid_parameters' } })
    expect(type).toBe('signup')
  })

  test(
    'goes on to no address that Auth does not allow, nor back to the page itself',
    localOnly('reads the inbox'),
    async () => {
      const person = newcomer()
      await signInCall(project, 'signup', person)
      const link = await authLinkTo(person.email)
      expect(link.redirect_to).toMatch(/^http:\/\/127\.0\.0\.1:/)
      for (const redirect_to of [
        link.redirect_to,
        `${link.redirect_to}/#/x`,
        'https://evil.example/',
        'nothing',
      ]) {
        expect(await ask({ ...link, redirect_to }), redirect_to).toMatchObject({
          status: 200,
          body: { redirect_to: null },
        })
      }
      expect(await ask({ ...link, redirect_to: 'student-wellbeing://signed-in' })).toMatchObject({
        body: { redirect_to: 'student-wellbeing://signed-in' },
      })
    },
  )

  test(
    'lets who is invited, or has forgotten it, choose a password, and the owner is told',
    localOnly('reads the inbox'),
    async () => {
      const { email } = await newAccount(project)
      expect((await signInCall(project, 'reset', { email })).body).toEqual({ success: true })
      const invited = newAddress()
      const { error } = await serviceClient(project).auth.admin.inviteUserByEmail(invited)
      expect(error).toBeNull()
      for (const address of [email, invited]) {
        const link = await authLinkTo(address)
        expect(await ask(link)).toMatchObject({ status: 200 })
        const { client } = await takeLink(project, link)
        expect((await client.auth.updateUser({ password: 'short1' })).error).toMatchObject({
          code: 'weak_password',
        })
        expect((await client.auth.updateUser({ password: NEW_PASSWORD })).error).toBeNull()
        expect((await signIn(address, NEW_PASSWORD)).status).toBe(200)
      }
      expect((await signIn(email)).status).toBe(401)
      expect((await mailsTo(email))[0]?.subject).toBe('Your password was changed')
    },
  )
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
