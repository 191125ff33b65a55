import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import { signIn } from '../accounts.ts'
import {
  type Answer,
  ask,
  jsonOf,
  type Probe,
  ProbeBlocked,
  Report,
  requireControl,
  rowsIn,
  served,
  type Target,
} from '../target.ts'

type Json = Record<string, unknown>

/** The secret and the issuer of every `supabase start`, which are public. */
const WELL_KNOWN_SECRET = 'super-secret-jwt-token-with-at-least-32-characters-long'

/** Where a token is shown, and the request that it is shown with. */
const DOORS: Record<string, (target: Target, token: string) => Promise<Answer>> = {
  rest: (target, token) =>
    ask(target, 'GET', `/rest/v1/profiles?select=user_id&user_id=eq.${target.attacker.id}`, { token }),
  functions: (target, token) => ask(target, 'GET', '/functions/v1/api/database/health', { token }),
  storage: (target, token) =>
    ask(target, 'POST', '/storage/v1/object/list/check-in-media', {
      token,
      body: { prefix: `${target.victim.id}/`, limit: 1 },
    }),
  auth: (target, token) => ask(target, 'GET', '/auth/v1/user', { token }),
}

/** Tokens that were changed, or signed with what everybody knows. */
export const forgedTokens: Probe = async (target) => {
  const { header, claims, signature } = partsOf(target.attacker.token)
  const other = { ...claims, sub: target.victim.id }
  const service = { ...claims, role: 'service_role' }
  const keys = publicKeys(await ask(target, 'GET', '/auth/v1/.well-known/jwks.json'))
  const hs256 = (secret: string, content: Json) => signed({ alg: 'HS256', typ: 'JWT' }, content, secret)
  const forged: Record<string, string> = {
    unsigned: `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded(other)}.`,
    signature_removed: `${encoded(header)}.${encoded(other)}.`,
    subject_changed: `${encoded(header)}.${encoded(other)}.${signature}`,
    role_changed: `${encoded(header)}.${encoded(service)}.${signature}`,
    empty_secret: hs256('', other),
    publishable_key_as_secret: hs256(target.publishableKey, service),
    well_known_secret: hs256(WELL_KNOWN_SECRET, service),
  }
  for (const [index, key] of keys.entries()) forged[`public_key_${index}_as_secret`] = hs256(key, service)
  return shown(target, forged, 'A forged token is let in')
}

/** Tokens of another project, whose keys an attacker has. */
export const foreignTokens: Probe = async (target) => {
  const { header, claims } = partsOf(target.attacker.token)
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const jwk = await crypto.subtle.exportKey('jwk', pair.publicKey)
  const elsewhere = { ...claims, sub: target.victim.id, iss: 'https://other.example.edu/auth/v1' }
  const es256 = async (extra: Json, content: Json) => {
    const unsigned = `${encoded({ alg: 'ES256', typ: 'JWT', ...extra })}.${encoded(content)}`
    const bytes = await crypto.subtle.sign(
      { name: 'ECDSA', hash: 'SHA-256' },
      pair.privateKey,
      new TextEncoder().encode(unsigned),
    )
    return `${unsigned}.${Buffer.from(bytes).toString('base64url')}`
  }
  const kid = typeof header.kid === 'string' ? header.kid : 'of-another-project'
  const foreign = {
    another_key: await es256({ kid: 'of-another-project' }, elsewhere),
    another_key_with_this_id: await es256({ kid }, { ...elsewhere, iss: claims.iss }),
    key_in_the_token: await es256({ kid, jwk }, { ...elsewhere, iss: claims.iss }),
    another_secret: signed(
      { alg: 'HS256', typ: 'JWT' },
      elsewhere,
      'another-secret-of-another-project-0123456789',
    ),
    secret_key_of_another_project: signed(
      { alg: 'HS256', typ: 'JWT' },
      { iss: 'supabase-demo', role: 'service_role', exp: claims.exp },
      'another-secret-of-another-project-0123456789',
    ),
  }
  return shown(target, foreign, 'A token of another project is let in')
}

/** Tokens that were good once: expired, or of a session that was signed out. */
export const endedTokens: Probe = async (target) => {
  const { attacker, database } = target
  const control = await DOORS.rest?.(target, attacker.token)
  requireControl(control !== undefined && rowsIn(control) === 1, 'own_row_unreadable')

  await database`select private.expire_tokens(${attacker.id}, true)`
  const expired = await signIn(target, attacker).finally(
    () => database`select private.expire_tokens(${attacker.id}, false)`,
  )
  const { claims } = partsOf(expired.access_token)
  requireControl(Number(claims.exp) * 1000 < Date.now(), 'token_not_expired')
  const report = await shown(target, { expired: expired.access_token }, 'An expired token is let in')

  const left = await signIn(target, attacker)
  const signOut = await ask(target, 'POST', '/auth/v1/logout?scope=local', { token: left.access_token })
  requireControl(served(signOut), 'sign_out_failed')
  // The Data API takes the token until it expires; what it may see is what counts.
  for (const [door, knock] of Object.entries(DOORS)) {
    const answer = await knock(target, left.access_token)
    report.attack(
      door === 'rest' || door === 'storage' ? rowsIn(answer) > 0 : served(answer),
      {
        fault: `signed_out:${door}`,
        severity: 'high',
        title: `The token of a session that was signed out is let in: ${door}`,
      },
      answer,
    )
  }
  const refreshed = await ask(target, 'POST', '/auth/v1/token?grant_type=refresh_token', {
    body: { refresh_token: left.refresh_token },
  })
  report.attack(
    served(refreshed),
    {
      fault: 'signed_out:refresh',
      severity: 'high',
      title: 'A session that was signed out can be refreshed',
    },
    refreshed,
  )
  return report
}

/** Shows each token at each door. */
async function shown(target: Target, bad: Record<string, string>, title: string): Promise<Report> {
  const report = new Report(target)
  for (const [door, knock] of Object.entries(DOORS)) {
    const answers = await Promise.all(
      Object.entries(bad).map(async ([name, token]) => [name, await knock(target, token)] as const),
    )
    for (const [name, answer] of answers) {
      report.attack(
        served(answer),
        { fault: `${name}:${door}`, severity: 'critical', title: `${title}: ${door}` },
        answer,
      )
    }
  }
  return report
}

function partsOf(token: string): { header: Json; claims: Json; signature: string } {
  const [header = '', claims = '', signature = ''] = token.split('.')
  return { header: decoded(header), claims: decoded(claims), signature }
}

function decoded(part: string): Json {
  const value = jsonOf({ text: Buffer.from(part, 'base64url').toString() })
  if (typeof value !== 'object' || value === null) throw new ProbeBlocked('token_unreadable')
  return { ...value }
}

function encoded(value: Json): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function signed(header: Json, claims: Json, secret: string): string {
  const unsigned = `${encoded(header)}.${encoded(claims)}`
  return `${unsigned}.${createHmac('sha256', secret).update(unsigned).digest('base64url')}`
}

/** The public keys of the project as texts, which a confused verifier takes for a shared secret. */
function publicKeys(answer: Answer): string[] {
  const body = jsonOf(answer)
  if (typeof body !== 'object' || body === null || !('keys' in body) || !Array.isArray(body.keys)) return []
  return body.keys.slice(0, 3).map((key) => JSON.stringify(key))
}
