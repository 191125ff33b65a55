import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dataOf, keys, linkTo, startStack, type TestStack } from './stack.ts'

let stack: TestStack
const site = 'http://127.0.0.1:3000'

beforeAll(async () => {
  stack = await startStack(hook, {
    config: {
      auth: {
        site_url: site,
        additional_redirect_urls: ['https://app.example.edu/**'],
        password_requirements: 'letters_digits',
        refresh_token_reuse_interval: 0,
        email: {
          enable_confirmations: true,
          max_frequency: '1m',
          notification: {
            password_changed: {
              enabled: true,
              subject: 'Changed',
              content: '<p>{{ .Email }} is changed</p>',
            },
          },
        },
        hook: { custom_access_token: { enabled: true, uri: 'pg-functions://postgres/public/add_claims' } },
      },
      local_smtp: { admin_email: 'no-reply@example.edu', sender_name: 'Notebook' },
    },
  })
})
afterAll(() => stack?.stop())

/** Adds a claim, and rejects or breaks the token of some accounts. */
const hook = `
  create function public.add_claims(event jsonb) returns jsonb language sql as $$
    select case event #>> '{claims,user_metadata,nickname}'
      when 'rejected' then '{"error": {"http_code": 403, "message": "Not today"}}'::jsonb
      when 'broken' then event #- '{claims,role}'
      else jsonb_set(event, '{claims,asked_by}', to_jsonb(current_user))
    end
  $$;
  revoke execute on function public.add_claims(jsonb) from public;
  grant execute on function public.add_claims(jsonb) to supabase_auth_admin;`

const newEmail = () => `person-${crypto.randomUUID()}@example.edu`
const password = 'correct horse 1'

async function signUp(email: string) {
  return stack.client().auth.signUp({ email, password, options: { data: { nickname: 'Sam' } } })
}

const fragmentOf = (location: string | null) => new URLSearchParams(new URL(location ?? '').hash.slice(1))

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

describe('the custom access token hook', () => {
  it('changes the claims of a token, as supabase_auth_admin', async () => {
    const { token } = await stack.user('hooked')
    expect(claimsOf(token)).toMatchObject({ asked_by: 'supabase_auth_admin', role: 'authenticated' })
  })

  it.each([
    ['rejected', 403, 'Not today'],
    ['broken', 500, 'output claims do not conform to the expected schema: role'],
  ])('ends a sign-in that is %s', async (nickname, status, message) => {
    const email = newEmail()
    const { error: notMade } = await stack.admin.auth.admin.createUser({
      email,
      password,
      email_confirm: true,
      user_metadata: { nickname },
    })
    expect(notMade).toBeNull()
    const { error } = await stack.client().auth.signInWithPassword({ email, password })
    expect(error).toMatchObject({ status, message })
  })
})

describe('NUL, which Postgres does not store,', () => {
  const nul = 'a\0b'
  it.each<[string, string, object]>([
    ['in an address that signs up', 'signup', { email: `${nul}@example.edu`, password }],
    ['in a domain', 'signup', { email: 'a@example\0.edu', password }],
    ['in a password', 'signup', { email: 'nul@example.edu', password: `${password}\0` }],
    ['in metadata', 'signup', { email: 'nul@example.edu', password, data: { nickname: nul } }],
    ['in an address that signs in', 'token?grant_type=password', { email: `${nul}@example.edu`, password }],
    ['in a refresh token', 'token?grant_type=refresh_token', { refresh_token: nul }],
    ['in a code', 'verify', { type: 'signup', token_hash: nul }],
    ['in an address that forgot', 'recover', { email: `${nul}@example.edu` }],
  ])('%s, is the fault of the client', async (_, path, body) => {
    const response = await fetch(`${stack.url}/auth/v1/${path}`, {
      method: 'POST',
      headers: { apikey: keys.publishable, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect({ status: response.status, ...(await response.json()) }).toMatchObject({
      status: 400,
      error_code: 'validation_failed',
    })
  })
})

describe('signing up', () => {
  it('returns no session until the link in the mail was followed, then the link carries one', async () => {
    const email = newEmail()
    const { user, session } = dataOf(await signUp(email))
    expect(session).toBeNull()
    expect(user?.email_confirmed_at).toBeUndefined()
    expect(user?.user_metadata.nickname).toBe('Sam')

    const rejected = await stack.client().auth.signInWithPassword({ email, password })
    expect(rejected.error?.code).toBe('email_not_confirmed')

    const response = await fetch(linkTo(stack, email), { redirect: 'manual' })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toMatch(new RegExp(`^${site}/?#`))
    const fragment = fragmentOf(response.headers.get('location'))
    expect(fragment.get('type')).toBe('signup')
    const verified = await stack.client().auth.getUser(fragment.get('access_token') ?? '')
    expect(verified.data.user?.email_confirmed_at).toBeTruthy()

    const { session: signedIn } = dataOf(await stack.client().auth.signInWithPassword({ email, password }))
    expect(signedIn.user.email).toBe(email)
    expect(signedIn.expires_in).toBe(3600)
  })

  it("sends the mail in the name of config.toml's sender", async () => {
    const email = newEmail()
    await signUp(email)
    expect(stack.inbox.list(email)).toMatchObject([{ from: 'Notebook <no-reply@example.edu>' }])
  })

  it('tells the owner of a changed password, where config.toml has it on', async () => {
    const { email, client } = await stack.user('notified')
    dataOf(await client.auth.updateUser({ password: 'another horse 2' }))
    expect(stack.inbox.list(email)).toMatchObject([{ subject: 'Changed', text: `${email} is changed` }])
  })

  it('accepts the code of the mail as well as its link', async () => {
    const email = newEmail()
    await signUp(email)
    const token = /^(\d{6})$/m.exec(stack.inbox.list(email)[0]?.text ?? '')?.[1] ?? ''
    const { session } = dataOf(await stack.client().auth.verifyOtp({ email, token, type: 'signup' }))
    expect(session?.user.email).toBe(email)
  })

  it('accepts a link once', async () => {
    const email = newEmail()
    await signUp(email)
    const link = linkTo(stack, email)
    await fetch(link, { redirect: 'manual' })
    const second = await fetch(link, { redirect: 'manual' })
    expect(fragmentOf(second.headers.get('location')).get('error_code')).toBe('otp_expired')
  })

  it('leads only to addresses that are allowed', async () => {
    const locations = new Map<string, string>()
    for (const emailRedirectTo of ['https://evil.example.com/', 'https://app.example.edu/welcome']) {
      const email = newEmail()
      await stack.client().auth.signUp({ email, password, options: { emailRedirectTo } })
      const response = await fetch(linkTo(stack, email), { redirect: 'manual' })
      locations.set(emailRedirectTo, response.headers.get('location')?.split('#')[0] ?? '')
    }
    expect(locations.get('https://evil.example.com/')).toBe(`${site}/`)
    expect(locations.get('https://app.example.edu/welcome')).toBe('https://app.example.edu/welcome')
  })

  it('does not tell whether somebody already has an account', async () => {
    const { email } = await stack.user('known')
    const { user } = dataOf(await signUp(email))
    expect(user?.email).toBe(email)
    expect(user?.identities).toEqual([])
    expect(stack.inbox.list(email)).toEqual([])
  })

  it('a second time with an address not yet confirmed changes nothing of the first', async () => {
    const email = newEmail()
    await signUp(email)
    const again = await stack.client().auth.signUp({ email, password: 'an attacker 1' })
    expect(again.error?.code).toBe('over_email_send_rate_limit')
    await fetch(linkTo(stack, email), { redirect: 'manual' })
    const attacker = await stack.client().auth.signInWithPassword({ email, password: 'an attacker 1' })
    expect(attacker.error?.code).toBe('invalid_credentials')
    expect((await stack.client().auth.signInWithPassword({ email, password })).error).toBeNull()
  })

  it('hashes the password at the cost that the gateway was given', async () => {
    const { id } = await stack.user('hashed')
    const [account] = await stack.sql`select encrypted_password as hash from auth.users where id = ${id}`
    expect(account?.hash).toMatch(/^\$2a\$04\$/)
  })

  it('rejects a weak password with the reasons', async () => {
    const { error } = await stack.client().auth.signUp({ email: newEmail(), password: 'abc' })
    expect(error).toMatchObject({ code: 'weak_password', status: 422, reasons: ['length', 'characters'] })
  })

  it('sends the confirmation again, but not at once', async () => {
    const email = newEmail()
    await signUp(email)
    const { error } = await stack.client().auth.resend({ type: 'signup', email })
    expect(error).toMatchObject({ code: 'over_email_send_rate_limit', status: 429 })
  })
})

describe('a link asked for with PKCE', () => {
  it('carries a code that only the app that asked can exchange, once', async () => {
    const { email } = await stack.user('pkce')
    const app = stack.client(keys.publishable, { flowType: 'pkce' })
    dataOf(await app.auth.signInWithOtp({ email }))
    const response = await fetch(linkTo(stack, email), { redirect: 'manual' })
    const target = new URL(response.headers.get('location') ?? '')
    expect(target.hash).toBe('')
    const code = target.searchParams.get('code') ?? ''
    const thief = await fetch(`${stack.url}/auth/v1/token?grant_type=pkce`, {
      method: 'POST',
      headers: { apikey: keys.publishable },
      body: JSON.stringify({ auth_code: code, code_verifier: 'a'.repeat(43) }),
    })
    expect(await thief.json()).toMatchObject({ error_code: 'bad_code_verifier' })
    expect(dataOf(await app.auth.exchangeCodeForSession(code)).user.email).toBe(email)
    expect((await app.auth.exchangeCodeForSession(code)).error).not.toBeNull()
  })

  // supabase/auth, internal/api/user.go, UserUpdate: generateFlowState with the challenge; verify.go, prepRedirectURL.
  it('confirms a change of address with a code for the app that asked', async () => {
    const { email, password: word } = await stack.user('pkce-mover')
    const app = stack.client(keys.publishable, { flowType: 'pkce' })
    dataOf(await app.auth.signInWithPassword({ email, password: word }))
    const next = newEmail()
    dataOf(await app.auth.updateUser({ email: next }))
    const follow = async (address: string) =>
      new URL((await fetch(linkTo(stack, address), { redirect: 'manual' })).headers.get('location') ?? '')
    expect(new URL(linkTo(stack, next)).searchParams.get('token')).toMatch(/^pkce_/)
    expect((await follow(email)).searchParams.get('message')).toMatch(/^Confirmation link accepted/)
    const code = (await follow(next)).searchParams.get('code') ?? ''
    expect(dataOf(await app.auth.exchangeCodeForSession(code)).user.email).toBe(next)
  })
})

describe('a route', () => {
  const ask = async (path: string, method = 'GET') => {
    const response = await fetch(`${stack.url}/auth/v1/${path}`, {
      method,
      headers: { apikey: keys.publishable },
    })
    return [response.status, await response.json()]
  }

  // supabase/auth answers in JSON, as auth-js expects: a body that is none is an AuthUnknownError to it.
  it('that does not exist is answered in JSON', async () => {
    expect(await ask('nowhere')).toEqual([
      404,
      { code: 404, error_code: 'not_found', msg: '404 page not found' },
    ])
  })

  it.each([
    ['factors/recovery-codes', 'POST'],
    ['factors/recovery-codes/verify', 'POST'],
    ['authorize?provider=google', 'GET'],
    ['sso', 'POST'],
    ['user/identities/authorize', 'GET'],
  ])('for accounts that are not served here says so: %s', async (path, method) => {
    expect(await ask(path, method)).toMatchObject([501, { error_code: 'not_implemented' }])
  })
})

describe('a session', () => {
  it('is renewed by its refresh token, which then has done its work', async () => {
    const { client } = await stack.user('refresh')
    const first = dataOf(await client.auth.getSession()).session
    const second = dataOf(await client.auth.refreshSession()).session
    const third = dataOf(await client.auth.refreshSession()).session
    expect(new Set([first?.refresh_token, second?.refresh_token, third?.refresh_token]).size).toBe(3)

    const stolen = await stack.client().auth.refreshSession({ refresh_token: first?.refresh_token ?? '' })
    expect(stolen.error?.code).toBe('refresh_token_already_used')
    const afterTheft = await client.auth.refreshSession()
    expect(afterTheft.error).not.toBeNull()
  })

  // supabase/auth, refresh tokens by counter (internal/tokens): a reuse ends the session, and its access tokens with it.
  it('ends with a refresh token that is used again, for its access tokens too', async () => {
    const { client, token } = await stack.user('reused')
    const first = dataOf(await client.auth.getSession()).session
    dataOf(await client.auth.refreshSession())
    dataOf(await client.auth.refreshSession())
    expect((await stack.client().auth.getUser(token)).error).toBeNull()
    await stack.client().auth.refreshSession({ refresh_token: first?.refresh_token ?? '' })
    expect((await stack.client().auth.getUser(token)).error?.name).toBe('AuthSessionMissingError')
  })

  it('ends with signing out', async () => {
    const { client, token } = await stack.user('leaver')
    await client.auth.signOut()
    const { error } = await stack.client().auth.getUser(token)
    expect(error?.name).toBe('AuthSessionMissingError')
  })

  it('keeps other devices signed in when only this one leaves', async () => {
    const { client, email, password: word } = await stack.user('devices')
    const other = stack.client()
    await other.auth.signInWithPassword({ email, password: word })
    await client.auth.signOut({ scope: 'local' })
    expect((await other.auth.getUser()).error).toBeNull()
  })

  it('has claims that name the user, the role and the session', async () => {
    const { client, id, email } = await stack.user('claims')
    const { claims } = dataOf(await client.auth.getClaims())
    expect(claims).toMatchObject({ sub: id, email, role: 'authenticated', aud: 'authenticated', aal: 'aal1' })
    expect(claims.iss).toBe(`${stack.url}/auth/v1`)
    expect(claims.session_id).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('is rejected with a wrong password', async () => {
    const { email } = await stack.user('wrong')
    const { error } = await stack.client().auth.signInWithPassword({ email, password: 'something else 1' })
    expect(error).toMatchObject({
      code: 'invalid_credentials',
      status: 400,
      message: 'Invalid login credentials',
    })
  })
})

describe('an account', () => {
  it('gets a new password through the recovery mail', async () => {
    const { email } = await stack.user('forgetful')
    dataOf(await stack.client().auth.resetPasswordForEmail(email))
    const response = await fetch(linkTo(stack, email), { redirect: 'manual' })
    const fragment = fragmentOf(response.headers.get('location'))
    expect(fragment.get('type')).toBe('recovery')
    const client = stack.client()
    await client.auth.setSession({
      access_token: fragment.get('access_token') ?? '',
      refresh_token: fragment.get('refresh_token') ?? '',
    })
    dataOf(await client.auth.updateUser({ password: 'a new word 2' }))
    expect(
      (await stack.client().auth.signInWithPassword({ email, password: 'a new word 2' })).error,
    ).toBeNull()
    const old = await stack.client().auth.signInWithPassword({ email, password })
    expect(old.error?.code).toBe('invalid_credentials')
  })

  it('changes its address once both mailboxes agree', async () => {
    const { client, email } = await stack.user('mover')
    const next = newEmail()
    expect(dataOf(await client.auth.updateUser({ email: next })).user.new_email).toBe(next)
    await fetch(linkTo(stack, email), { redirect: 'manual' })
    expect(dataOf(await client.auth.getUser()).user.email).toBe(email)
    await fetch(linkTo(stack, next), { redirect: 'manual' })
    expect(dataOf(await client.auth.getUser()).user.email).toBe(next)
  })

  // supabase/auth, internal/api/resend.go: emailChangeVerification.
  it('gets the mails of its change of address once more, when some time has passed', async () => {
    const { client, id, email } = await stack.user('mover-again')
    const next = newEmail()
    const resend = () => stack.client().auth.resend({ type: 'email_change', email })
    expect((await resend()).error).toBeNull()
    expect(stack.inbox.list(email)).toEqual([])
    dataOf(await client.auth.updateUser({ email: next }))
    expect((await resend()).error?.code).toBe('over_email_send_rate_limit')
    const firstLink = linkTo(stack, next)
    const admin = postgres(stack.adminUrl, { max: 1 })
    await admin`update auth.users set email_change_sent_at = now() - interval '2 minutes' where id = ${id}`
    await admin.end()
    expect((await resend()).error).toBeNull()
    expect(linkTo(stack, next)).not.toBe(firstLink)
    for (const address of [email, next]) await fetch(linkTo(stack, address), { redirect: 'manual' })
    expect(dataOf(await client.auth.getUser()).user.email).toBe(next)
  })

  it('keeps metadata that a change does not mention', async () => {
    const { client } = await stack.user('metadata')
    await client.auth.updateUser({ data: { a: 1, b: 2 } })
    const { user } = dataOf(await client.auth.updateUser({ data: { b: null, c: 3 } }))
    expect(user.user_metadata).toMatchObject({ a: 1, c: 3 })
    expect(user.user_metadata).not.toHaveProperty('b')
  })
})

describe('administration', () => {
  it('creates, reads, lists, changes and deletes users with the secret key', async () => {
    const email = newEmail()
    const admin = stack.admin.auth.admin
    const created = dataOf(
      await admin.createUser({
        email,
        password,
        email_confirm: true,
        user_metadata: { a: 1 },
        app_metadata: { b: 2 },
      }),
    ).user
    expect(created.email_confirmed_at).toBeTruthy()
    expect(created.app_metadata).toMatchObject({ b: 2, provider: 'email' })
    expect(created.identities).toHaveLength(1)

    expect(dataOf(await admin.getUserById(created.id)).user.email).toBe(email)
    const listed = dataOf(await admin.listUsers({ page: 1, perPage: 1 }))
    expect(listed.users).toHaveLength(1)
    expect(listed.total).toBeGreaterThan(1)
    expect(listed.nextPage).toBe(2)

    const moved = newEmail()
    const changed = dataOf(
      await admin.updateUserById(created.id, { email: moved, user_metadata: { c: 3 } }),
    ).user
    expect(changed).toMatchObject({ email: moved, user_metadata: { a: 1, c: 3 } })
    expect(changed.identities?.[0]?.identity_data?.email).toBe(moved)

    dataOf(await admin.deleteUser(created.id))
    expect((await admin.getUserById(created.id)).error).toMatchObject({ status: 404, code: 'user_not_found' })
  })

  // supabase/auth, internal/api/mail.go, adminGenerateLink: email_change_current and email_change_new.
  it('makes the two links of a change of address, and sends neither', async () => {
    const { client, email } = await stack.user('moved')
    const next = newEmail()
    const make = (type: 'email_change_current' | 'email_change_new') =>
      stack.admin.auth.admin.generateLink({ type, email, newEmail: next })
    const current = dataOf(await make('email_change_current'))
    const later = dataOf(await make('email_change_new'))
    expect(current.properties).toMatchObject({ verification_type: 'email_change_current', redirect_to: site })
    expect(stack.inbox.list(next)).toEqual([])
    await fetch(current.properties.action_link, { redirect: 'manual' })
    expect(dataOf(await client.auth.getUser()).user.email).toBe(email)
    const verified = await stack.client().auth.verifyOtp({
      type: 'email_change',
      email: next,
      token: later.properties.email_otp,
    })
    expect(verified.error).toBeNull()
    expect(dataOf(await client.auth.getUser()).user.email).toBe(next)
    const { email: other } = await stack.user('other')
    const taken = await stack.admin.auth.admin.generateLink({
      type: 'email_change_new',
      email: next,
      newEmail: other,
    })
    expect(taken.error?.code).toBe('email_exists')
  })

  it('rejects an address that is taken', async () => {
    const { email } = await stack.user('taken')
    const { error } = await stack.admin.auth.admin.createUser({ email, password })
    expect(error).toMatchObject({ code: 'email_exists', status: 422 })
  })

  it('is rejected without the secret key', async () => {
    const { client, id } = await stack.user('nosy')
    expect((await client.auth.admin.getUserById(id)).error).toMatchObject({ status: 403, code: 'not_admin' })
    expect((await stack.client().auth.admin.listUsers()).error?.status).toBe(403)
  })

  it('bans: no sign-in, no refresh, no account, until the ban is lifted', async () => {
    const { client, id, email } = await stack.user('banned')
    const banned = dataOf(await stack.admin.auth.admin.updateUserById(id, { ban_duration: '24h' })).user
    expect(Date.parse(banned.banned_until ?? '')).toBeGreaterThan(Date.now())
    expect((await stack.client().auth.signInWithPassword({ email, password })).error).toMatchObject({
      code: 'user_banned',
      status: 400,
    })
    expect((await client.auth.getUser()).error).toMatchObject({ code: 'user_banned', status: 403 })
    expect((await client.auth.refreshSession()).error).toMatchObject({ code: 'user_banned', status: 400 })

    await stack.admin.auth.admin.updateUserById(id, { ban_duration: 'none' })
    expect((await stack.client().auth.signInWithPassword({ email, password })).error).toBeNull()
  })

  it('rejects the token of a deleted user', async () => {
    const { id, token } = await stack.user('deleted')
    await stack.admin.auth.admin.deleteUser(id)
    expect((await stack.client().auth.getUser(token)).error).toMatchObject({
      code: 'user_not_found',
      status: 403,
    })
  })

  it('deletes softly: the row stays without the person, who cannot sign in', async () => {
    const { id, email, token } = await stack.user('soft')
    dataOf(await stack.admin.auth.admin.deleteUser(id, true))
    const [row] = await stack.sql`select email, deleted_at from auth.users where id = ${id}`
    expect(row?.email).not.toBe(email)
    expect(row?.deleted_at).not.toBeNull()
    expect((await stack.client().auth.signInWithPassword({ email, password })).error?.code).toBe(
      'invalid_credentials',
    )
    expect((await stack.client().auth.getUser(token)).error).not.toBeNull()
  })

  it('makes a link for somebody else to send', async () => {
    const { email } = await stack.user('linked')
    const { properties } = dataOf(await stack.admin.auth.admin.generateLink({ type: 'magiclink', email }))
    const { session } = dataOf(
      await stack.client().auth.verifyOtp({ token_hash: properties?.hashed_token ?? '', type: 'magiclink' }),
    )
    expect(session?.user.email).toBe(email)
  })
})

describe('keys', () => {
  it('are needed, and must be known', async () => {
    const without = await fetch(`${stack.url}/auth/v1/settings`)
    expect(without.status).toBe(401)
    expect(await without.json()).toMatchObject({ message: 'No API key found in request' })
    const unknown = await fetch(`${stack.url}/auth/v1/settings`, {
      headers: { apikey: 'sb_publishable_other' },
    })
    expect(unknown.status).toBe(401)
    const known = await fetch(`${stack.url}/auth/v1/settings`, { headers: { apikey: keys.publishable } })
    expect(await known.json()).toMatchObject({ mailer_autoconfirm: false, external: { email: true } })
  })

  it('are not needed for the key set and the health', async () => {
    expect(await (await fetch(`${stack.url}/auth/v1/.well-known/jwks.json`)).json()).toEqual({ keys: [] })
    expect((await fetch(`${stack.url}/auth/v1/health`)).status).toBe(200)
  })
})
