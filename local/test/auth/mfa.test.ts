import type { SupabaseClient } from '@supabase/supabase-js'
import { Secret, TOTP } from 'otpauth'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startAuth } from '../../src/auth/server.ts'
import { readConfig } from '../../src/config.ts'
import { createTokenSigner } from '../../src/http/jwt.ts'
import { dataOf, keys, linkTo, startStack, type TestStack } from '../gateway/stack.ts'

let stack: TestStack
/** The database as its superuser. */
let sql: postgres.Sql

const maxFactors = 4

/** Shows in a claim what the hook was given, and rejects tokens of `aal2` for some accounts. */
const hook = `
  create function public.add_claims(event jsonb) returns jsonb language sql as $$
    select case
      when event #>> '{claims,user_metadata,nickname}' = 'rejected' and event #>> '{claims,aal}' = 'aal2'
        then '{"error": {"http_code": 403, "message": "Not today"}}'::jsonb
      else jsonb_set(event, '{claims,hook}', jsonb_build_object(
        'aal', event #> '{claims,aal}',
        'amr', event #> '{claims,amr}',
        'method', event -> 'authentication_method'))
    end
  $$;
  grant usage on schema public to supabase_auth_admin;
`

beforeAll(async () => {
  stack = await startStack(hook, {
    factorRequestsPerMinute: 1000,
    config: {
      auth: {
        site_url: 'http://127.0.0.1:3000',
        refresh_token_reuse_interval: 0,
        mfa: { max_enrolled_factors: maxFactors, totp: { enroll_enabled: true, verify_enabled: true } },
        hook: { custom_access_token: { enabled: true, uri: 'pg-functions://postgres/public/add_claims' } },
      },
    },
  })
  sql = postgres(stack.adminUrl, { max: 2, onnotice: () => {} })
})
afterAll(async () => {
  await sql?.end()
  await stack?.stop()
})

/** The code of an authenticator app, now or some half minutes later. */
const codeOf = (secret: string, halfMinutesLater = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + halfMinutesLater * 30_000,
  })

const wrongCodeOf = (secret: string) => codeOf(secret, 1000)

async function enroll(client: SupabaseClient, friendlyName: string = crypto.randomUUID()) {
  const { id, totp } = dataOf(await client.auth.mfa.enroll({ factorType: 'totp', friendlyName }))
  return { factorId: id, secret: totp.secret }
}

const challenge = async (client: SupabaseClient, factorId: string) =>
  dataOf(await client.auth.mfa.challenge({ factorId })).id

const raise = (client: SupabaseClient, { factorId, secret }: { factorId: string; secret: string }) =>
  client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) })

/** A new user with a verified factor, and a client whose session is at `aal2`. */
async function userWithFactor(name: string) {
  const user = await stack.user(name)
  const factor = await enroll(user.client)
  dataOf(await raise(user.client, factor))
  return { ...user, factor }
}

async function signIn({ email, password }: { email: string; password: string }) {
  const client = stack.client()
  const { session } = dataOf(await client.auth.signInWithPassword({ email, password }))
  return { client, refreshToken: session.refresh_token }
}

const claimsOf = async (client: SupabaseClient) => dataOf(await client.auth.getClaims()).claims

const levelsOf = async (client: SupabaseClient) => {
  const { currentLevel, nextLevel } = dataOf(await client.auth.mfa.getAuthenticatorAssuranceLevel())
  return [currentLevel, nextLevel]
}

const sessionOf = async (client: SupabaseClient) => {
  const { session_id } = await claimsOf(client)
  const [row] = await sql`select aal, factor_id from auth.sessions where id = ${String(session_id)}`
  return row
}

async function tokenOf(client: SupabaseClient): Promise<string> {
  return dataOf(await client.auth.getSession()).session?.access_token ?? ''
}

/** What the API answers to a request that supabase-js does not make. */
async function ask(
  token: string,
  path: string,
  body: unknown,
  { method = 'POST', ...headers }: Record<string, string> = {},
) {
  const response = await fetch(`${stack.url}/auth/v1/${path}`, {
    method,
    headers: { apikey: keys.publishable, authorization: `Bearer ${token}`, ...headers },
    body: method === 'POST' ? (typeof body === 'string' ? body : JSON.stringify(body)) : undefined,
  })
  return { status: response.status, body: await response.json() }
}

describe('a person who adds an authenticator app', () => {
  it('gets a secret, its URI and a QR code, which count once a code has been given', async () => {
    const { client, email } = await stack.user('new')
    expect(await levelsOf(client)).toEqual(['aal1', 'aal1'])

    const factor = dataOf(await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' }))
    expect(factor).toMatchObject({ type: 'totp', friendly_name: 'Phone' })
    expect(factor.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg /)
    expect(factor.totp.uri).toContain(`otpauth://totp/127.0.0.1%3A3000:${encodeURIComponent(email)}?`)
    expect(factor.totp.uri).toContain(`secret=${factor.totp.secret}`)
    const before = dataOf(await client.auth.mfa.listFactors())
    expect(before.all).toMatchObject([{ id: factor.id, status: 'unverified', factor_type: 'totp' }])
    expect(before.totp).toEqual([])
    expect(await levelsOf(client)).toEqual(['aal1', 'aal1'])

    dataOf(await raise(client, { factorId: factor.id, secret: factor.totp.secret }))
    const after = dataOf(await client.auth.mfa.listFactors())
    expect(after.totp).toMatchObject([{ id: factor.id, status: 'verified', friendly_name: 'Phone' }])
    expect(after.totp[0]?.last_challenged_at).toBeTruthy()
    expect(await levelsOf(client)).toEqual(['aal2', 'aal2'])
    expect(JSON.stringify(after)).not.toContain(factor.totp.secret)
  })

  it('can say for whom the code is', async () => {
    const { client } = await stack.user('issuer')
    const { totp } = dataOf(
      await client.auth.mfa.enroll({ factorType: 'totp', issuer: 'Northfield & Co', friendlyName: 'a' }),
    )
    expect(new URL(totp.uri).searchParams.get('issuer')).toBe('Northfield & Co')
  })

  it('gives each a name of its own, and gets by without a name once', async () => {
    const { client } = await stack.user('names')
    await enroll(client, 'Phone')
    const again = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
    expect(again.error).toMatchObject({
      status: 422,
      code: 'mfa_factor_name_conflict',
      message: 'A factor with the friendly name "Phone" for this user already exists',
    })
    dataOf(await client.auth.mfa.enroll({ factorType: 'totp' }))
    const nameless = await client.auth.mfa.enroll({ factorType: 'totp' })
    expect(nameless.error?.code).toBe('mfa_factor_name_conflict')
    const other = await stack.user('names')
    await enroll(other.client, 'Phone')
  })

  it('has as many as config.toml says, also when they are added at once', async () => {
    const { client, id } = await stack.user('many')
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        client.auth.mfa.enroll({ factorType: 'totp', friendlyName: `App ${index}` }),
      ),
    )
    const failures = results.flatMap(({ error }) => (error ? [error] : []))
    expect(failures).toHaveLength(10 - maxFactors)
    for (const error of failures) {
      expect(error).toMatchObject({ status: 422, code: 'too_many_enrolled_mfa_factors' })
    }
    expect(await sql`select from auth.mfa_factors where user_id = ${id}`).toHaveLength(maxFactors)
  })

  it('needs a session at aal2 to add another one', async () => {
    const user = await userWithFactor('second')
    const { client } = await signIn(user)
    const rejected = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Tablet' })
    expect(rejected.error).toMatchObject({ status: 403, code: 'insufficient_aal' })
    dataOf(await raise(client, user.factor))
    const tablet = await enroll(client, 'Tablet')
    dataOf(await raise(client, tablet))
    expect(dataOf(await client.auth.mfa.listFactors()).totp).toHaveLength(2)
  })

  it('loses what was not verified, when another one is', async () => {
    const { client } = await stack.user('leftover')
    await enroll(client, 'Abandoned')
    dataOf(await raise(client, await enroll(client, 'Phone')))
    expect(dataOf(await client.auth.mfa.listFactors()).all).toMatchObject([{ friendly_name: 'Phone' }])
  })

  it('loses after five minutes what was never challenged, with the next one that is added', async () => {
    const { client, id } = await stack.user('expired-factors')
    await enroll(client, 'Never challenged')
    await challenge(client, (await enroll(client, 'Challenged')).factorId)
    await sql`update auth.mfa_factors set created_at = now() - interval '301 seconds' where user_id = ${id}`
    await enroll(client, 'Phone')
    const names = dataOf(await client.auth.mfa.listFactors()).all.map((factor) => factor.friendly_name)
    expect(names).toEqual(['Challenged', 'Phone'])
  })

  it.each([
    ['phone', 422, 'mfa_phone_enroll_not_enabled'],
    ['webauthn', 422, 'mfa_webauthn_enroll_not_enabled'],
    ['recovery_code', 400, 'validation_failed'],
    [undefined, 400, 'validation_failed'],
  ])('is told that %s is not to be had', async (type, status, code) => {
    const { client } = await stack.user('types')
    const { body, ...answer } = await ask(await tokenOf(client), 'factors', { factor_type: type })
    expect({ ...answer, code: body.error_code }).toEqual({ status, code })
  })
})

describe('a code', () => {
  it('raises the session to aal2, which its tokens, its row and the hook are told', async () => {
    const { client, factorId, before } = await (async () => {
      const user = await stack.user('raised')
      const { factorId, secret } = await enroll(user.client)
      const before = await claimsOf(user.client)
      expect(before.hook).toMatchObject({ aal: 'aal1', method: 'password' })
      dataOf(await raise(user.client, { factorId, secret }))
      return { client: user.client, factorId, before }
    })()
    const claims = await claimsOf(client)
    expect(claims).toMatchObject({
      aal: 'aal2',
      session_id: before.session_id,
      amr: [{ method: 'totp' }, { method: 'password' }],
      hook: { aal: 'aal2', method: 'totp', amr: claims.amr },
    })
    const timestamps = (claims.amr ?? []).map((entry) => (typeof entry === 'string' ? 0 : entry.timestamp))
    expect(Math.abs((timestamps[0] ?? 0) - (claims.iat ?? 0))).toBeLessThanOrEqual(1)
    expect(await sessionOf(client)).toEqual({ aal: 'aal2', factor_id: factorId })
  })

  it('is asked for anew at every sign-in', async () => {
    const user = await userWithFactor('again')
    const { client } = await signIn(user)
    expect(await levelsOf(client)).toEqual(['aal1', 'aal2'])
    dataOf(await raise(client, user.factor))
    expect(await levelsOf(client)).toEqual(['aal2', 'aal2'])
  })

  it('stays in force when the session is refreshed', async () => {
    const { client } = await userWithFactor('refreshed')
    dataOf(await client.auth.refreshSession())
    expect(await claimsOf(client)).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'totp' }, { method: 'password' }],
      hook: { aal: 'aal2', method: 'token_refresh' },
    })
  })

  it('may come from an app whose clock is half a minute ahead, and no more', async () => {
    const { client } = await stack.user('skewed')
    const { factorId, secret } = await enroll(client)
    const late = await client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret, -3) })
    expect(late.error).toMatchObject({
      status: 422,
      code: 'mfa_verification_failed',
      message: 'Invalid TOTP code entered',
    })
    dataOf(await client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret, 1) }))
  })

  it('ends the sessions of the account that are below aal2, and only those', async () => {
    const user = await userWithFactor('devices')
    const raised = await signIn(user)
    dataOf(await raise(raised.client, user.factor))
    const low = await signIn(user)
    const stranger = await stack.user('stranger')
    const verifying = await signIn(user)
    dataOf(await raise(verifying.client, user.factor))
    for (const client of [user.client, raised.client, verifying.client, stranger.client]) {
      expect((await client.auth.getUser()).error).toBeNull()
    }
    expect((await low.client.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
  })

  it('leaves no refresh token of before that leads to aal2', async () => {
    const user = await userWithFactor('stolen')
    const { client, refreshToken } = await signIn(user)
    dataOf(await raise(client, user.factor))
    const thief = await stack.client().auth.refreshSession({ refresh_token: refreshToken })
    expect(thief.error?.code).toBe('refresh_token_already_used')
    expect((await client.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
  })

  it('leaves everything as it was when the hook rejects the token', async () => {
    const user = await userWithFactor('hooked')
    const admin = stack.admin.auth.admin
    dataOf(await admin.updateUserById(user.id, { user_metadata: { nickname: 'rejected' } }))
    const { client, refreshToken } = await signIn(user)
    const other = await signIn(user)
    const { error } = await raise(client, user.factor)
    expect(error).toMatchObject({ status: 403, message: 'Not today' })
    expect(await sessionOf(client)).toEqual({ aal: 'aal1', factor_id: null })
    expect((await other.client.auth.getUser()).error).toBeNull()
    dataOf(await client.auth.refreshSession({ refresh_token: refreshToken }))
    expect(await levelsOf(client)).toEqual(['aal1', 'aal2'])
  })
})

describe('a challenge', () => {
  it('says when it expires, and is gone after that', async () => {
    const { client } = await stack.user('slow')
    const { factorId, secret } = await enroll(client)
    const asked = dataOf(await client.auth.mfa.challenge({ factorId }))
    expect(asked.type).toBe('totp')
    expect(Math.abs(asked.expires_at - (Date.now() / 1000 + 300))).toBeLessThan(30)
    await sql`update auth.mfa_challenges set created_at = now() - interval '301 seconds' where id = ${asked.id}`
    const attempt = () => client.auth.mfa.verify({ factorId, challengeId: asked.id, code: codeOf(secret) })
    expect((await attempt()).error).toMatchObject({ status: 422, code: 'mfa_challenge_expired' })
    expect((await attempt()).error).toMatchObject({ status: 422, code: 'mfa_factor_not_found' })
    expect(await levelsOf(client)).toEqual(['aal1', 'aal1'])
  })

  it('is good for several attempts and one success', async () => {
    const { client } = await stack.user('replay')
    const { factorId, secret } = await enroll(client)
    const challengeId = await challenge(client, factorId)
    const attempt = (code: string) => client.auth.mfa.verify({ factorId, challengeId, code })
    expect((await attempt(wrongCodeOf(secret))).error?.code).toBe('mfa_verification_failed')
    const code = codeOf(secret)
    dataOf(await attempt(code))
    expect((await attempt(code)).error).toMatchObject({ status: 422, code: 'mfa_ip_address_mismatch' })
    // GoTrue remembers no codes (verifyTOTPFactor in internal/api/mfa.go), so that another challenge takes the same.
    dataOf(await client.auth.mfa.challengeAndVerify({ factorId, code }))
  })

  it('has one success when its code comes fifty times at once', async () => {
    const { client, id } = await stack.user('race')
    const { factorId, secret } = await enroll(client)
    const challengeId = await challenge(client, factorId)
    const token = await tokenOf(client)
    const code = codeOf(secret)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        ask(token, `factors/${factorId}/verify`, { challenge_id: challengeId, code }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const codes = new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.error_code))
    expect([...codes]).toEqual(['mfa_ip_address_mismatch'])
    const live = await sql`
      select t.id from auth.refresh_tokens t join auth.sessions s on s.id = t.session_id
      where s.user_id = ${id} and not t.revoked`
    expect(live).toHaveLength(1)
  })

  it('lets one of two sessions win that verify at once, or both one after the other', async () => {
    const user = await userWithFactor('two-sessions')
    for (let round = 0; round < 5; round++) {
      const clients = [(await signIn(user)).client, (await signIn(user)).client]
      const results = await Promise.all(clients.map((client) => raise(client, user.factor)))
      expect(results.some(({ error }) => error === null)).toBe(true)
      for (const { error } of results) if (error) expect(error.status).toBe(400)
      for (const [index, client] of clients.entries()) {
        if (results[index]?.error) continue
        expect((await claimsOf(client)).aal).toBe('aal2')
      }
    }
    expect(await sql`select from auth.sessions where user_id = ${user.id} and aal < 'aal2'`).toEqual([])
  })

  it('belongs to its factor', async () => {
    const { client } = await stack.user('own-factor')
    const first = await enroll(client, 'First')
    const second = await enroll(client, 'Second')
    const { error } = await client.auth.mfa.verify({
      factorId: second.factorId,
      challengeId: await challenge(client, first.factorId),
      code: codeOf(second.secret),
    })
    expect(error).toMatchObject({ status: 422, code: 'mfa_factor_not_found' })
  })

  it('belongs to the network address that asked for it', async () => {
    const { client } = await stack.user('traveller')
    const { factorId, secret } = await enroll(client)
    const body = { challenge_id: await challenge(client, factorId), code: codeOf(secret) }
    const token = await tokenOf(client)
    const from = { apikey: keys.secret, 'sb-forwarded-for': '203.0.113.9' }
    const elsewhere = await ask(token, `factors/${factorId}/verify`, body, from)
    expect(elsewhere).toMatchObject({ status: 422, body: { error_code: 'mfa_ip_address_mismatch' } })
    // Who has no secret key cannot say where they are.
    const claimed = { 'sb-forwarded-for': '203.0.113.9', 'cf-connecting-ip': '203.0.113.9' }
    expect((await ask(token, `factors/${factorId}/verify`, body, claimed)).status).toBe(200)
  })

  it('comes 30 times at once from an address and then as often as the limit says, as does its code', async () => {
    const limited = await startAuth({
      adminUrl: stack.adminUrl,
      settings: readConfig({ auth: { mfa: { totp: { verify_enabled: true } } } }).auth,
      sender: readConfig({}).local_smtp,
      tokens: createTokenSigner(keys),
      inbox: stack.inbox,
      apiUrl: stack.url,
      siteUrl: stack.url,
      projectDir: stack.dir,
      log: () => {},
    })
    const { client } = await stack.user('flood')
    const { factorId } = await enroll(client)
    const token = await tokenOf(client)
    const from = async (address: string, step: 'challenge' | 'verify') => {
      const request = new Request(`${stack.url}/auth/v1/factors/${factorId}/${step}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'cf-connecting-ip': address },
        body: JSON.stringify({ challenge_id: crypto.randomUUID(), code: '123456' }),
      })
      const response = await limited.fetch(request, { role: 'authenticated', claims: {}, token })
      return response.status === 429 ? (await response.json()).error_code : response.status
    }
    try {
      for (const [step, status] of [
        ['challenge', 200],
        ['verify', 422],
      ] as const) {
        const answers = await Promise.all(Array.from({ length: 40 }, () => from('203.0.113.1', step)))
        const rejected = answers.filter((answer) => answer !== status)
        // One more is allowed every four seconds.
        expect(rejected.length).toBeGreaterThan(0)
        expect(rejected.length).toBeLessThanOrEqual(10)
        expect(new Set(rejected)).toEqual(new Set(['over_request_rate_limit']))
        expect(await from('203.0.113.2', step)).toBe(status)
      }
    } finally {
      await limited.stop()
    }
  })
})

describe('removing a factor', () => {
  it('needs aal2 once it is verified, and takes the sessions that it raised back to aal1', async () => {
    const user = await userWithFactor('removing')
    const { factorId } = user.factor
    const low = await signIn(user)
    const rejected = await low.client.auth.mfa.unenroll({ factorId })
    expect(rejected.error).toMatchObject({ status: 422, code: 'insufficient_aal' })

    const other = await signIn(user)
    dataOf(await raise(other.client, user.factor))
    expect(dataOf(await user.client.auth.mfa.unenroll({ factorId }))).toEqual({ id: factorId })
    for (const client of [user.client, other.client]) {
      expect(await sessionOf(client)).toEqual({ aal: 'aal1', factor_id: null })
      // A token is what it was until it is refreshed.
      expect((await claimsOf(client)).aal).toBe('aal2')
      dataOf(await client.auth.refreshSession())
      expect(await claimsOf(client)).toMatchObject({ aal: 'aal1', amr: [{ method: 'password' }] })
      expect(await levelsOf(client)).toEqual(['aal1', 'aal1'])
    }
    expect(dataOf(await user.client.auth.mfa.listFactors()).all).toEqual([])
  })

  it('leaves sessions alone that another factor raised', async () => {
    const user = await userWithFactor('two-apps')
    const other = await signIn(user)
    dataOf(await raise(other.client, user.factor))
    const tablet = await enroll(user.client, 'Tablet')
    dataOf(await raise(user.client, tablet))
    dataOf(await user.client.auth.mfa.unenroll({ factorId: tablet.factorId }))
    expect(await sessionOf(other.client)).toEqual({ aal: 'aal2', factor_id: user.factor.factorId })
    expect((await sessionOf(user.client))?.aal).toBe('aal1')
  })

  it('needs no aal2 before it is verified', async () => {
    const { client } = await stack.user('changed-mind')
    const { factorId } = await enroll(client)
    expect(dataOf(await client.auth.mfa.unenroll({ factorId }))).toEqual({ id: factorId })
    const again = await client.auth.mfa.unenroll({ factorId })
    expect(again.error).toMatchObject({ status: 404, code: 'mfa_factor_not_found' })
  })

  it('of an account that is deleted softly takes all of them', async () => {
    const { id } = await userWithFactor('soft')
    dataOf(await stack.admin.auth.admin.deleteUser(id, true))
    expect(await sql`select from auth.mfa_factors where user_id = ${id}`).toEqual([])
  })
})

describe("somebody else's factor", () => {
  it('cannot be challenged, verified or removed, and is not told from one that does not exist', async () => {
    const owner = await userWithFactor('owner')
    const { factorId, secret } = owner.factor
    const challengeId = await challenge(owner.client, factorId)
    const thief = await userWithFactor('thief')
    const { mfa } = thief.client.auth
    const answersFor = async (id: string) => [
      (await mfa.challenge({ factorId: id })).error,
      (await mfa.verify({ factorId: id, challengeId, code: codeOf(secret) })).error,
      (await mfa.unenroll({ factorId: id })).error,
    ]
    const answers = await answersFor(factorId)
    for (const error of answers) {
      expect(error).toMatchObject({ status: 404, code: 'mfa_factor_not_found', message: 'Factor not found' })
    }
    expect(await answersFor(crypto.randomUUID())).toEqual(answers)
    const own = await mfa.verify({
      factorId: thief.factor.factorId,
      challengeId,
      code: codeOf(thief.factor.secret),
    })
    expect(own.error?.code).toBe('mfa_factor_not_found')
    dataOf(await owner.client.auth.mfa.verify({ factorId, challengeId, code: codeOf(secret) }))
  })
})

describe('an account with a factor', () => {
  it('changes its password and address at aal2 only, and its metadata at any level', async () => {
    const user = await userWithFactor('careful')
    const { client } = await signIn(user)
    for (const change of [{ password: 'another word 2' }, { email: `new-${user.email}` }]) {
      const { error } = await client.auth.updateUser(change)
      expect(error).toMatchObject({ status: 401, code: 'insufficient_aal' })
    }
    dataOf(await client.auth.updateUser({ data: { nickname: 'Sam' }, email: user.email }))
    dataOf(await raise(client, user.factor))
    dataOf(await client.auth.updateUser({ password: 'another word 2' }))
    await signIn({ email: user.email, password: 'another word 2' })
  })

  it('needs a code after a recovery mail too, before it has a new password', async () => {
    const user = await userWithFactor('forgetful')
    const client = stack.client()
    dataOf(await client.auth.resetPasswordForEmail(user.email))
    const { headers } = await fetch(linkTo(stack, user.email), { redirect: 'manual' })
    const fragment = new URLSearchParams(headers.get('location')?.split('#')[1])
    const access_token = fragment.get('access_token') ?? ''
    dataOf(await client.auth.setSession({ access_token, refresh_token: fragment.get('refresh_token') ?? '' }))
    expect(await claimsOf(client)).toMatchObject({ aal: 'aal1', amr: [{ method: 'otp' }] })
    const { error } = await client.auth.updateUser({ password: 'another word 2' })
    expect(error?.code).toBe('insufficient_aal')
    dataOf(await raise(client, user.factor))
    dataOf(await client.auth.updateUser({ password: 'another word 2' }))
  })

  it('shows its factors to the holder of the secret key, who can remove them', async () => {
    const user = await userWithFactor('administered')
    const { mfa } = stack.admin.auth.admin
    const { factors } = dataOf(await mfa.listFactors({ userId: user.id }))
    const { factorId, secret } = user.factor
    expect(factors).toMatchObject([{ id: factorId, status: 'verified', factor_type: 'totp' }])
    expect(JSON.stringify(factors)).not.toContain(secret)
    expect(dataOf(await stack.admin.auth.admin.getUserById(user.id)).user.factors).toHaveLength(1)

    const stranger = await stack.user('not-admin')
    for (const method of ['GET', 'DELETE']) {
      const path = `admin/users/${user.id}/factors${method === 'DELETE' ? `/${factorId}` : ''}`
      const { status } = await ask(await tokenOf(stranger.client), path, null, { method })
      expect(status).toBe(403)
    }
    const wrong = await mfa.deleteFactor({ userId: stranger.id, id: factorId })
    expect(wrong.error).toMatchObject({ status: 404, code: 'mfa_factor_not_found' })
    expect((await mfa.deleteFactor({ userId: user.id, id: factorId })).error).toBeNull()
    expect(dataOf(await mfa.listFactors({ userId: user.id })).factors).toEqual([])
    const { client } = await signIn(user)
    expect(await levelsOf(client)).toEqual(['aal1', 'aal1'])
  })
})

describe('a project without [auth.mfa.totp]', () => {
  it('rejects factors, as the platform does', async () => {
    const plain = await startAuth({
      adminUrl: stack.adminUrl,
      settings: readConfig({}).auth,
      sender: readConfig({}).local_smtp,
      tokens: createTokenSigner(keys),
      inbox: stack.inbox,
      apiUrl: stack.url,
      siteUrl: stack.url,
      projectDir: stack.dir,
      log: () => {},
    })
    const { client } = await stack.user('without')
    const { factorId } = await enroll(client)
    const token = await tokenOf(client)
    const codeAt = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${token}` }
      const request = new Request(`${stack.url}/auth/v1/${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      const response = await plain.fetch(request, { role: 'authenticated', claims: {}, token })
      return [response.status, (await response.json()).error_code]
    }
    try {
      expect(await codeAt('factors', { factor_type: 'totp' })).toEqual([422, 'mfa_totp_enroll_not_enabled'])
      const verifyNotEnabled = [422, 'mfa_totp_verify_not_enabled']
      expect(await codeAt(`factors/${factorId}/challenge`, {})).toEqual(verifyNotEnabled)
      const body = { challenge_id: crypto.randomUUID(), code: '123456' }
      expect(await codeAt(`factors/${factorId}/verify`, body)).toEqual(verifyNotEnabled)
    } finally {
      await plain.stop()
    }
  })
})

describe('hostile input', () => {
  const nul = 'a\0b'
  it.each<[string, unknown]>([
    ['that is no JSON', '{'],
    ['that is no object', []],
    ['with a name that is no text', { factor_type: 'totp', friendly_name: { a: 1 } }],
    ['with NUL in a name', { factor_type: 'totp', friendly_name: nul }],
    ['with an issuer that is no text', { factor_type: 'totp', issuer: 7 }],
    ['with an issuer of 100 kB', { factor_type: 'totp', issuer: 'x'.repeat(100_000) }],
    ['with a type that every object has', { factor_type: 'constructor' }],
  ])('%s adds no factor', async (_, body) => {
    const { client } = await stack.user('hostile-enroll')
    const answer = await ask(await tokenOf(client), 'factors', body)
    expect(answer.status).toBe(400)
    expect(dataOf(await client.auth.mfa.listFactors()).all).toEqual([])
  })

  it('in names and issuers is kept as text', async () => {
    const { client } = await stack.user('markup')
    const name = `<script>alert("1")</script>'; drop table auth.mfa_factors; -- \ud83d 🔐`
    const answer = await ask(await tokenOf(client), 'factors', {
      factor_type: 'totp',
      friendly_name: name,
      issuer: name,
    })
    expect(answer.status).toBe(200)
    expect(answer.body.totp.qr_code).not.toContain('script')
    const [factor] = dataOf(await client.auth.mfa.listFactors()).all
    expect(factor?.friendly_name).toBe(name.toWellFormed())
  })

  it.each<[string, object | string, string]>([
    ['no challenge', { code: '123456' }, 'validation_failed'],
    ['a challenge that is no UUID', { challenge_id: "1' or '1'='1", code: '123456' }, 'validation_failed'],
    ['no code', { challenge_id: crypto.randomUUID() }, 'validation_failed'],
    ['an empty code', { challenge_id: crypto.randomUUID(), code: '' }, 'validation_failed'],
    ['a number for a code', { challenge_id: crypto.randomUUID(), code: 123456 }, 'validation_failed'],
    ['a list of codes', { challenge_id: crypto.randomUUID(), code: ['123456'] }, 'validation_failed'],
    ['no JSON', 'challenge_id=1', 'bad_json'],
  ])('%s verifies nothing', async (_, body, code) => {
    const { client } = await stack.user('hostile-verify')
    const { factorId } = await enroll(client)
    const answer = await ask(await tokenOf(client), `factors/${factorId}/verify`, body)
    expect(answer).toMatchObject({ status: 400, body: { error_code: code } })
  })

  it.each([
    ['digits of several bytes', '１２３４５６'],
    ['NUL', '123456\0'],
    ['100,000 digits', '1'.repeat(100_000)],
    ['a sign', '-12345'],
    ['an exponent', '1234e5'],
    ['SQL', '000000; --'],
  ])('with %s for a code is a wrong code', async (_, code) => {
    const { client } = await stack.user('hostile-code')
    const { factorId } = await enroll(client)
    const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code })
    expect(error).toMatchObject({ status: 422, code: 'mfa_verification_failed' })
  })

  it.each([
    '1',
    'constructor',
    "1'--",
    '%00',
    '..%2f..',
    `${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(11)}`,
  ])('for the id of a factor finds none: %s', async (id) => {
    const { client } = await stack.user('hostile-id')
    for (const step of ['challenge', 'verify']) {
      const answer = await ask(await tokenOf(client), `factors/${id}/${step}`, {})
      expect(answer.status).toBe(404)
    }
  })

  it('cannot use a factor without a secret, such as a phone of a restored dump', async () => {
    const { client, id } = await stack.user('restored')
    const factorId = crypto.randomUUID()
    const challengeId = crypto.randomUUID()
    await sql`
      insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, phone, created_at, updated_at)
      values (${factorId}, ${id}, 'Phone', 'phone', 'verified', '12025550100', now(), now())`
    await sql`
      insert into auth.mfa_challenges (id, factor_id, created_at, ip_address)
      values (${challengeId}, ${factorId}, now(), '127.0.0.1')`
    const asked = await client.auth.mfa.challenge({ factorId })
    expect(asked.error).toMatchObject({ status: 422, code: 'mfa_phone_verify_not_enabled' })
    const code = new TOTP({ secret: new Secret({ buffer: new ArrayBuffer(0) }) }).generate()
    const verified = await client.auth.mfa.verify({ factorId, challengeId, code })
    expect(verified.error).toMatchObject({ status: 422, code: 'mfa_phone_verify_not_enabled' })
  })

  it('without a session reaches nothing', async () => {
    const { client } = await stack.user('anonymous')
    const { factorId } = await enroll(client)
    const token = await tokenOf(client)
    await client.auth.signOut()
    const paths = ['factors', `factors/${factorId}/challenge`, `factors/${factorId}/verify`]
    for (const path of paths) {
      expect((await ask(token, path, {})).body.error_code).toBe('session_not_found')
      expect((await ask(keys.publishable, path, {})).body.error_code).toBe('no_authorization')
    }
    const removal = await ask(token, `factors/${factorId}`, null, { method: 'DELETE' })
    expect(removal.body.error_code).toBe('session_not_found')
  })
})
