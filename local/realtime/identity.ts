import { type Claims, JwtError, type TokenSigner } from '../auth/jwt.ts'

/** Whom a channel acts for. */
export type Identity = {
  role: string
  claims: Claims
  /** When the token expires, in milliseconds since 1970; API keys do not. */
  expiresAt?: number
}

/** Why a token was refused, with Realtime's own code and words. */
export class TokenRefused extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const missingClaims = (): TokenRefused =>
  new TokenRefused('InvalidJWTToken', 'Fields `role` and `exp` are required in JWT')

/**
 * Whom a token stands for. A missing token, and an API key in its place, stand for the key that the client
 * connected with.
 *
 * @throws TokenRefused
 */
export function identify(token: string | undefined, keyRole: string, tokens: TokenSigner): Identity {
  if (token === undefined || token.startsWith('sb_')) return { role: keyRole, claims: { role: keyRole } }
  const claims = verify(token, tokens)
  if (typeof claims.role !== 'string' || typeof claims.exp !== 'number') throw missingClaims()
  return { role: claims.role, claims, expiresAt: claims.exp * 1000 }
}

function verify(token: string, tokens: TokenSigner): Claims {
  try {
    return tokens.verify(token)
  } catch (error) {
    if (!(error instanceof JwtError)) throw error
    if (error.fault === 'expired') {
      throw new TokenRefused('InvalidJWTToken', `Token has expired ${secondsSinceExpiry(token)} seconds ago`)
    }
    if (error.fault === 'malformed') {
      throw new TokenRefused('MalformedJWT', 'The token provided is not a valid JWT')
    }
    throw new TokenRefused('JwtSignatureError', 'Failed to validate JWT signature')
  }
}

/** Of a token whose signature was found valid. */
function secondsSinceExpiry(token: string): number {
  const claims: { exp?: number } = JSON.parse(
    Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'),
  )
  return Math.floor(Date.now() / 1000) - Math.floor(claims.exp ?? 0)
}
