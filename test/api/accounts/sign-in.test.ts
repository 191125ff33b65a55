import { describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import {
  newAccount,
  newAddress,
  PASSWORD,
  signInCall,
  tokensOf,
} from '../../../harness/factories/accounts.ts'
import { serviceClient, withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

const signIn = (body: unknown, headers?: Record<string, string>) =>
  signInCall(project, 'signin', body, headers)
const refresh = (refresh_token: unknown) => signInCall(project, 'refresh', { refresh_token })

async function signedIn() {
  const account = await newAccount(project)
  const answer = await signIn({ email: account.email, password: PASSWORD })
  expect(answer.status).toBe(200)
  return { ...account, tokens: tokensOf(answer) }
}

const works = async (token: string) =>
  (await call(project, token, 'GET', 'api/database/health')).status === 200

describe('signin', () => {
  test('answers with the person and tokens that work', async () => {
    const { id, email } = await newAccount(project)
    const named = await serviceClient(project)
      .from('profiles')
      .update({ first_name: 'Robin', last_name: 'Field' })
      .eq('user_id', id)
    expect(named.error).toBeNull()
    const answer = await signIn({ email, password: PASSWORD })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      user: { id, email, email_verified: true, first_name: 'Robin', last_name: 'Field' },
      tokens: { access_token: expect.any(String), refresh_token: expect.any(String), expires_in: 3600 },
    })
    expect(await works(tokensOf(answer).access_token)).toBe(true)
    const [, payload = ''] = tokensOf(answer).access_token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    expect(claims).toMatchObject({
      sub: id,
      email,
      email_verified: true,
      aud: 'authenticated',
      exp: claims.iat + 3600,
    })
  })

  test('leaves out names that the person did not give, and reads an address in any case', async () => {
    const { id, email } = await newAccount(project)
    const { body } = await signIn({ email: ` ${email.toUpperCase()} `, password: PASSWORD })
    expect(body.user).toEqual({ id, email, email_verified: true })
  })

  test('answers alike to a wrong password, an address without an account and an account that is shut out', async () => {
    const [known, banned] = await Promise.all([newAccount(project), newAccount(project)])
    await serviceClient(project).auth.admin.updateUserById(banned.id, { ban_duration: '1h' })
    const answers = await Promise.all([
      signIn({ email: known.email, password: 'wrong-password-1' }),
      signIn({ email: newAddress(), password: 'wrong-password-1' }),
      signIn({ email: newAddress(), password: PASSWORD }),
      signIn({ email: banned.email, password: PASSWORD }),
      signIn({ email: known.email, password: 'x'.repeat(1000) }),
      signIn({ email: newAddress(), password: 'x'.repeat(1000) }),
    ])
    const told = answers.map(({ status, text, headers }) => ({
      status,
      text: text.replace(/"timestamp":"[^"]+"/, ''),
      headers: [...headers].filter(
        ([name]) => !['date', 'x-request-id', 'sb-request-id', 'traceparent'].includes(name),
      ),
    }))
    // The one whose password was tried twice has a try less.
    for (const { status, text } of told)
      expect({ status, text }).toEqual({ status: 401, text: told[0]?.text })
    expect(told[1]).toEqual(told[2])
    expect(told[1]).toEqual(told[3])
    expect(answers[0]?.body).toEqual({
      success: false,
      error: 'The address or the password is not right, or the address is not confirmed yet.',
      code: 'invalid_credentials',
      timestamp: expect.any(String),
    })
  })

  test.each<[string, unknown]>([
    ['nothing', {}],
    ['no password', { email: 'a@example.edu' }],
    ['an empty password', { email: 'a@example.edu', password: '' }],
    ['no address', { password: PASSWORD }],
    ['a text that is no address', { email: 'robin', password: PASSWORD }],
    ['an address with a line break', { email: 'a@example.edu\nb@example.edu', password: PASSWORD }],
    ['numbers', { email: 1, password: 2 }],
    ['arrays', { email: ['a@example.edu'], password: [PASSWORD] }],
    ['objects', { email: { eq: 'a@example.edu' }, password: { neq: '' } }],
    ['a very long password', { email: 'a@example.edu', password: 'x'.repeat(1001) }],
    [
      'a very long address',
      { email: `${'a'.repeat(60)}@${'b.'.repeat(120)}example.edu`, password: PASSWORD },
    ],
    ['NUL in the password', { email: 'a@example.edu', password: 'a\0b' }],
    ['an array for a body', []],
    ['null for a body', 'null'],
  ])('refuses %s', async (_, body) => {
    const answer = await signIn(body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ success: false, code: 'invalid_parameters' })
  })

  test('refuses a body that is no JSON, or too large', async () => {
    expect((await signIn('{')).body).toMatchObject({ success: false, code: 'invalid_json' })
    const large = await signIn({ email: 'a@example.edu', password: 'x'.repeat(1_000_001) })
    expect(large.body).toMatchObject({ success: false, code: 'body_too_large' })
  })
})

describe('refresh', () => {
  test('exchanges a refresh token for new tokens', async () => {
    const { tokens } = await signedIn()
    const answer = await refresh(tokens.refresh_token)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      tokens: { access_token: expect.any(String), refresh_token: expect.any(String), expires_in: 3600 },
    })
    const renewed = tokensOf(answer)
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token)
    expect(await works(renewed.access_token)).toBe(true)
    expect((await refresh(renewed.refresh_token)).status).toBe(200)
  })

  test('of one token at the same time, as two tabs do, gives the same new one', async () => {
    const { tokens } = await signedIn()
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(tokens.refresh_token)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(new Set(answers.map((answer) => tokensOf(answer).refresh_token)).size).toBe(1)
  })

  test('ends the session when a token that was used up long ago comes back', async () => {
    const { id, tokens } = await signedIn()
    const second = tokensOf(await refresh(tokens.refresh_token))
    const third = tokensOf(await refresh(second.refresh_token))
    await withDatabase(
      project,
      (sql) =>
        sql`update auth.refresh_tokens set updated_at = now() - interval '1 hour' where user_id = ${id}`,
    )
    const replayed = await refresh(tokens.refresh_token)
    expect(replayed.status).toBe(401)
    expect(replayed.body).toEqual({
      success: false,
      error: 'The refresh token is not valid any more. Sign in again.',
      code: 'refresh_token_invalid',
      timestamp: expect.any(String),
    })
    expect((await refresh(third.refresh_token)).status).toBe(401)
  })

  test('refuses the token of a session or an account that is gone', async () => {
    const [out, banned, deleted] = await Promise.all([signedIn(), signedIn(), signedIn()])
    const { admin } = serviceClient(project).auth
    await admin.signOut(out.tokens.access_token)
    await admin.updateUserById(banned.id, { ban_duration: '1h' })
    await admin.deleteUser(deleted.id)
    for (const { tokens } of [out, banned, deleted]) {
      const { status, body } = await refresh(tokens.refresh_token)
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'refresh_token_invalid' })
    }
  })

  test('refuses what is no refresh token', async () => {
    const { tokens } = await signedIn()
    for (const token of ['nonsense', ' ', tokens.access_token, 'é', "' or true --", 'x'.repeat(4096)]) {
      const { status, body } = await refresh(token)
      expect({ status, ...body }).toMatchObject({
        status: 401,
        success: false,
        code: 'refresh_token_invalid',
      })
    }
    for (const token of [undefined, null, '', 1, ['a'], {}, 'x'.repeat(4097), 'a\0']) {
      const { status, body } = await refresh(token)
      expect({ status, ...body }).toMatchObject({ status: 400, success: false, code: 'invalid_parameters' })
    }
  })
})

describe('the audit log', () => {
  // What a client may write, and none of it is believed.
  const origin = {
    'x-forwarded-for': '203.0.113.7',
    'cf-connecting-ip': '203.0.113.8',
    'x-real-ip': '203.0.113.9',
    'x-client-address': '203.0.113.10 00',
    'user-agent': 'invented-phone/1.0',
  }

  test('has a sign-in, with where it came from', async () => {
    const { id, email } = await newAccount(project)
    await signIn({ email, password: PASSWORD }, origin)
    const entries = await withDatabase(
      project,
      (sql) => sql`select action, host(ip) as ip, user_agent from private.audit_log where actor_id = ${id}`,
    )
    expect(entries).toEqual([
      { action: 'signed_in', ip: expect.not.stringContaining('203.0.113'), user_agent: 'invented-phone/1.0' },
    ])
  })

  test('has a sign-in that failed, without who was meant', async () => {
    const { email } = await newAccount(project)
    const requestId = crypto.randomUUID()
    await signIn({ email, password: 'wrong-password-1' }, { ...origin, 'x-request-id': requestId })
    const [entry, ...more] = await withDatabase(
      project,
      (sql) => sql`select * from private.audit_log where request_id = ${requestId}`,
    )
    expect(more).toEqual([])
    expect(entry).toMatchObject({
      action: 'sign_in_failed',
      actor_id: null,
      target_id: null,
      details: { reason: 'invalid_credentials' },
      user_agent: 'invented-phone/1.0',
    })
    expect(entry?.ip).toMatch(/^[0-9a-f.:]+/)
    expect(entry?.ip).not.toContain('203.0.113')
    expect(JSON.stringify(entry)).not.toContain(email.split('@')[0])
  })

  test('does not believe an app that says it asks for another address', async () => {
    const { id, email } = await newAccount(project)
    const response = await fetch(`${project.apiUrl}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: {
        apikey: project.publishableKey,
        'content-type': 'application/json',
        'sb-forwarded-for': '203.0.113.99',
      },
      body: JSON.stringify({ email, password: PASSWORD }),
    })
    expect(response.status).toBe(200)
    const [entry] = await withDatabase(
      project,
      (sql) => sql`select host(ip) as ip from private.audit_log where actor_id = ${id}`,
    )
    expect(entry).toEqual({ ip: '127.0.0.1' })
  })
})
