import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parse } from 'smol-toml'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import {
  newAccount,
  newAddress,
  newcomer,
  PASSWORD,
  signInCall,
} from '../../../harness/factories/accounts.ts'
import { newStaff } from '../../../harness/factories/students.ts'
import { type ConfiguredStack, startConfiguredStack } from '../../../harness/stack/own-stack.ts'
import { serviceClient, withDatabase } from '../../../harness/stack/project.ts'
import { ROOT } from '../../../scripts/root.ts'

/** A provider of captchas that takes each token that begins with "solved" once, and keeps what it was asked. */
const asked: Record<string, string>[] = []
let provider: Server
let stack: ConfiguredStack

beforeAll(async () => {
  const spent = new Set<string>()
  provider = createServer(async (request, response) => {
    const given = Object.fromEntries(new URLSearchParams(await text(request)))
    asked.push({ path: request.url ?? '', ...given })
    const token = given.response ?? ''
    const success = token.startsWith('solved') && !spent.has(token)
    spent.add(token)
    response.end(JSON.stringify({ success, 'error-codes': success ? [] : ['timeout-or-duplicate'] }))
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const bound = provider.address()
  const port = typeof bound === 'object' ? bound?.port : undefined
  stack = await startConfiguredStack({
    CAPTCHA_SECRET: 'an-invented-captcha-secret',
    CAPTCHA_BASE_URL: `http://127.0.0.1:${port}`,
  })
})
afterAll(async () => {
  await stack?.stop()
  provider?.close()
})

describe('where sign-up wants a captcha', () => {
  const signUp = (captcha_token?: string, email = newAddress()) =>
    signInCall(stack, 'signup', { ...newcomer(email), ...(captcha_token && { captcha_token }) })

  const accounts = (email: string) =>
    withDatabase(stack, (sql) => sql`select from auth.users where email = ${email}`)

  test('nobody signs up without one, and no mail is sent', async () => {
    const email = newAddress()
    for (const token of [undefined, 'made-up']) {
      const { status, body } = await signUp(token, email)
      expect([status, body.code]).toEqual([400, 'captcha_failed'])
    }
    expect(await accounts(email)).toHaveLength(0)
  })

  test('who has solved it signs up, and its token is good for once', async () => {
    const [token, email, another] = [`solved-${crypto.randomUUID()}`, newAddress(), newAddress()]
    expect((await signUp(token, email)).status).toBe(200)
    expect((await signUp(token, another)).body.code).toBe('captcha_failed')
    expect([(await accounts(email)).length, (await accounts(another)).length]).toEqual([1, 0])
    expect(asked.find(({ response }) => response === token)).toMatchObject({
      path: '/turnstile/v0/siteverify',
      secret: 'an-invented-captcha-secret',
    })
  })

  test('who has solved none uses up nobody’s tries', async () => {
    const email = newAddress()
    for (let tries = 0; tries < 8; tries++) {
      expect((await signUp('made-up', email)).body.code).toBe('captcha_failed')
    }
    expect((await signUp(`solved-${crypto.randomUUID()}`, email)).status).toBe(200)
  })

  test('people who have an account sign in without one', async () => {
    const { email } = await newAccount(stack)
    expect((await signInCall(stack, 'signin', { email, password: PASSWORD })).status).toBe(200)
  })
})

test('the alert comes at half of what config.toml lets Auth send', async () => {
  const config = z
    .object({ auth: z.object({ rate_limit: z.object({ email_sent: z.number() }) }) })
    .parse(parse(readFileSync(join(ROOT, 'supabase', 'config.toml'), 'utf8')))
  const rules = await withDatabase(
    stack,
    (sql) => sql`select threshold, period::text from private.detection_rules where rule = 'auth_mails'`,
  )
  expect([...rules]).toEqual([{ threshold: config.auth.rate_limit.email_sent / 2, period: '01:00:00' }])
})

describe('when half of the mails that Auth may send in an hour are sent', () => {
  test('the security administrators are told, and people sign in as before', async () => {
    const administrator = await newStaff(stack, 'security_admin')
    const { email } = await newAccount(stack)
    const people = await Promise.all(Array.from({ length: 50 }, () => newAccount(stack)))
    const { auth } = serviceClient(stack)
    const found = () =>
      withDatabase(stack, async (sql) => {
        await sql`select from private.detect_incidents()`
        return sql`select severity, indicators -> 'mails' as mails from public.security_incidents where key = 'auth:mails'`
      })
    const sent = await withDatabase(
      stack,
      (sql) =>
        sql`select coalesce(sum(occurrences), 0)::integer as mails from private.security_events where kind = 'auth_mail_sent'`,
    )
    const before = Number(sent[0]?.mails)
    for (const person of people.slice(0, 49 - before)) await auth.resetPasswordForEmail(person.email)
    expect(await found()).toHaveLength(0)

    for (const person of people.slice(49 - before)) await auth.resetPasswordForEmail(person.email)
    expect([...(await found())]).toEqual([{ severity: 'medium', mails: 50 + before }])
    const alerts = await withDatabase(
      stack,
      (sql) => sql`
        select from private.outbox where user_id = ${administrator.id} and purpose = 'security_alert' and subject like '%mails%'`,
    )
    expect(alerts).toHaveLength(1)
    expect((await signInCall(stack, 'signin', { email, password: PASSWORD })).status).toBe(200)
  })
})
