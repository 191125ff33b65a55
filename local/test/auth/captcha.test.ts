import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startInbox } from '../../src/inbox/server.ts'
import { siteverify } from '../../src/inbox/siteverify.ts'
import { keys, startStack, type TestStack } from '../gateway/stack.ts'

const passes = '1x0000000000000000000000000000000AA'
const password = 'invented-password-1'

let stack: TestStack
beforeAll(async () => {
  stack = await startStack('', {
    config: {
      auth: {
        email: { enable_confirmations: true },
        captcha: { enabled: true, provider: 'turnstile', secret: passes },
      },
    },
  })
})
afterAll(() => stack?.stop())

const newEmail = () => `${crypto.randomUUID()}@example.edu`
const captchaToken = 'XXXX.DUMMY.TOKEN.XXXX'

describe('with a captcha', () => {
  it('nobody signs up, signs in or has a mail sent without one', async () => {
    const { auth } = stack.client()
    const email = newEmail()
    const answers = await Promise.all([
      auth.signUp({ email, password }),
      auth.signInWithPassword({ email, password }),
      auth.resetPasswordForEmail(email),
      auth.signInWithOtp({ email }),
      auth.resend({ type: 'signup', email }),
    ])
    for (const { error } of answers) {
      expect(error).toMatchObject({
        status: 400,
        code: 'captcha_failed',
        message: 'captcha protection: request disallowed (no captcha_token found)',
      })
    }
  })

  it('its token lets a person do so', async () => {
    const { auth } = stack.client()
    const email = newEmail()
    expect((await auth.signUp({ email, password, options: { captchaToken } })).error).toBeNull()
    await stack.sql`update auth.users set email_confirmed_at = now() where email = ${email}`
    const signedIn = await auth.signInWithPassword({ email, password, options: { captchaToken } })
    expect(signedIn.error).toBeNull()
    expect((await auth.resetPasswordForEmail(email, { captchaToken })).error).toBeNull()
    expect((await auth.refreshSession()).error).toBeNull()
  })

  it('the secret key needs none', async () => {
    const { error } = await stack.client(keys.secret).auth.signUp({ email: newEmail(), password })
    expect(error).toBeNull()
  })
})

describe('a secret for tests', () => {
  it.each<[string, string, string, string[]]>([
    ['of Turnstile that always passes', passes, 'any', []],
    [
      'of Turnstile that always fails',
      '2x0000000000000000000000000000000AA',
      'any',
      ['invalid-input-response'],
    ],
    ['of Turnstile that was used', '3x0000000000000000000000000000000AA', 'any', ['timeout-or-duplicate']],
    ['of hCaptcha', `0x${'0'.repeat(40)}`, '10000000-aaaa-bbbb-cccc-000000000001', []],
    ['of hCaptcha, with another token', `0x${'0'.repeat(40)}`, 'any', ['invalid-input-response']],
    ['with no token', passes, '', ['missing-input-response']],
    ['that is none', 'constructor', 'any', ['invalid-input-secret']],
  ])('%s responds as its provider says', (_, secret, token, faults) => {
    expect(siteverify(secret, token)).toEqual({ success: faults.length === 0, 'error-codes': faults })
  })

  it('is known to the inbox too, where functions ask', async () => {
    const inbox = await startInbox({ port: 0, inbox: stack.inbox })
    try {
      const response = await fetch(`http://127.0.0.1:${inbox.port}/turnstile/v0/siteverify`, {
        method: 'POST',
        body: new URLSearchParams({ secret: passes, response: captchaToken }),
      })
      expect(await response.json()).toEqual({ success: true, 'error-codes': [] })
    } finally {
      await inbox.stop()
    }
  })
})
