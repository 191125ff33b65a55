import { json, type Received, textOf } from './respond.ts'
import type { Account, State } from './state.ts'

const LIFETIME_S = 3600

/** What Auth does of sign-in, sign-out, mail codes and passwords. */
export function auth(state: State, request: Received, account: Account | null): Response {
  const { method, path, query, json: body } = request
  switch (`${method} ${path}`) {
    case 'POST /token':
      return query.get('grant_type') === 'refresh_token'
        ? refresh(state, textOf(body, 'refresh_token'))
        : signIn(state, textOf(body, 'email'), textOf(body, 'password'))
    case 'POST /verify':
      return verify(state, textOf(body, 'email'), textOf(body, 'token'))
    case 'POST /recover':
    case 'POST /resend':
    case 'POST /otp':
      sendCode(state, textOf(body, 'email'))
      return json({})
    case 'POST /logout':
      return new Response(null, { status: 204 })
    case 'GET /user':
      return account ? json(userOf(account)) : authError(401, 'bad_jwt', 'invalid JWT')
    case 'PUT /user':
      if (!account) return authError(401, 'bad_jwt', 'invalid JWT')
      account.password = textOf(body, 'password') || account.password
      return json(userOf(account))
  }
  return authError(404, 'not_found', `The test service has no ${method} /auth/v1${path}.`)
}

/** A code in the person's mail, where the address has an account. */
export function sendCode(state: State, email: string): void {
  if (!accountOf(state, email)) return
  const code = String(100_000 + Math.floor(Math.random() * 900_000))
  state.mails.push({ to: email.toLowerCase(), code })
}

export function accountOf({ accounts }: State, email: string): Account | undefined {
  return accounts.find((account) => account.email === email.toLowerCase())
}

function signIn(state: State, email: string, password: string): Response {
  const account = accountOf(state, email)
  if (!account || account.password !== password) {
    return authError(400, 'invalid_credentials', 'Invalid login credentials')
  }
  if (!account.confirmed) return authError(400, 'email_not_confirmed', 'Email not confirmed')
  return json(sessionOf(state, account))
}

function refresh(state: State, token: string): Response {
  const account = state.refreshTokens.get(token)
  if (!account) return authError(400, 'refresh_token_not_found', 'Invalid Refresh Token')
  state.refreshTokens.delete(token)
  return json(sessionOf(state, account))
}

function verify(state: State, email: string, code: string): Response {
  const sent = [...state.mails].reverse().find(({ to }) => to === email.toLowerCase())
  const account = accountOf(state, email)
  if (!account || sent?.code !== code) {
    return authError(403, 'otp_expired', 'Token has expired or is invalid')
  }
  state.mails.splice(state.mails.indexOf(sent), 1)
  account.confirmed = true
  return json(sessionOf(state, account))
}

function sessionOf(state: State, account: Account) {
  const expires = Math.floor(Date.now() / 1000) + LIFETIME_S
  const claims = { sub: account.id, role: 'authenticated', aud: 'authenticated', exp: expires }
  const part = (value: object) => btoa(JSON.stringify(value)).replace(/=+$/, '')
  // A signature of the length that it would have: nobody checks it here.
  const access_token = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ ...claims, jti: crypto.randomUUID() })}.${'0'.repeat(43)}`
  const refresh_token = crypto.randomUUID()
  state.tokens.set(access_token, account)
  state.refreshTokens.set(refresh_token, account)
  return {
    ...{ access_token, refresh_token, token_type: 'bearer', expires_in: LIFETIME_S, expires_at: expires },
    user: userOf(account),
  }
}

function userOf({ id, email, profile }: Account) {
  return {
    ...{ id, email, aud: 'authenticated', role: 'authenticated', created_at: profile.created_at },
    ...{ app_metadata: { provider: 'email', providers: ['email'] }, user_metadata: {}, identities: [] },
  }
}

function authError(status: number, error_code: string, msg: string): Response {
  return json({ code: status, error_code, msg }, status)
}
