import { createHmac, timingSafeEqual } from 'node:crypto'

/** The claims of a verified token. */
export type Claims = { role: string; exp: number; sub?: string } & Record<string, unknown>

export type JwtProblem =
  | { kind: 'malformed' }
  | { kind: 'signature' }
  | { kind: 'algorithm' }
  | { kind: 'expired'; secondsAgo: number }
  | { kind: 'missing_claims' }

export type Verified = { ok: true; claims: Claims } | { ok: false; problem: JwtProblem }

const digests: Record<string, string> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' }

/**
 * Verifies a token that was signed with a shared secret: signature, expiry, and that it has the claims `role`
 * and `exp`. `now` is in milliseconds since 1970.
 */
export function verifyJwt(token: string, secret: string, now: number = Date.now()): Verified {
  const [head, body, signature, ...rest] = token.trim().split('.')
  const header = head === undefined ? undefined : decodeObject(head)
  const claims = body === undefined ? undefined : decodeObject(body)
  if (!head || !body || !signature || rest.length > 0 || !header || !claims)
    return fail({ kind: 'malformed' })
  const digest = typeof header.alg === 'string' ? digests[header.alg] : undefined
  if (digest === undefined) return fail({ kind: 'algorithm' })
  const expected = createHmac(digest, secret).update(`${head}.${body}`).digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    return fail({ kind: 'signature' })
  const { role, exp } = claims
  if (typeof exp === 'number' && exp * 1000 <= now) {
    return fail({ kind: 'expired', secondsAgo: Math.floor(now / 1000) - Math.floor(exp) })
  }
  if (typeof role !== 'string' || role === '' || typeof exp !== 'number')
    return fail({ kind: 'missing_claims' })
  return {
    ok: true,
    claims: { ...claims, role, exp, sub: typeof claims.sub === 'string' ? claims.sub : undefined },
  }
}

const fail = (problem: JwtProblem): Verified => ({ ok: false, problem })

function decodeObject(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
