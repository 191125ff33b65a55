import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto'

export type Claims = Record<string, unknown>

export type JwtFault = 'malformed' | 'signature' | 'expired' | 'future'

export class JwtError extends Error {
  readonly fault: JwtFault
  constructor(fault: JwtFault, message: string) {
    super(message)
    this.fault = fault
  }
}

export interface JwtKeys {
  /** Shared secret of HS256 tokens (the project's "legacy JWT secret"). */
  jwtSecret: string
  /** Private P-256 key as JWK with a `kid`. With it, sessions are signed ES256 and the JWKS lists its public part. */
  signingKey?: JsonWebKey
}

export interface TokenSigner {
  sign(claims: Claims): string
  /** Claims of a token whose signature and times hold. @throws JwtError */
  verify(token: string): Claims
  /** The public key set, as `/auth/v1/.well-known/jwks.json` returns it. */
  jwks(): { keys: JsonWebKey[] }
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function decode(part: string): Claims {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {}
  throw new JwtError('malformed', 'token is malformed')
}

const hmac = (secret: string, content: string) => createHmac('sha256', secret).update(content).digest()

interface SigningKey {
  kid: string
  key: KeyObject
  publicKey: KeyObject
}

function readSigningKey(jwk: JsonWebKey): SigningKey {
  const kid = jwk.kid
  if (typeof kid !== 'string') throw new Error('the signing key needs a "kid"')
  return {
    kid,
    key: createPrivateKey({ key: jwk, format: 'jwk' }),
    publicKey: createPublicKey({ key: jwk, format: 'jwk' }),
  }
}

/** Signs and verifies the project's tokens: ES256 with the signing key when there is one, else HS256. */
export function createTokenSigner({ jwtSecret, signingKey }: JwtKeys): TokenSigner {
  const asymmetric = signingKey ? readSigningKey(signingKey) : undefined

  function hasValidSignature(header: Claims, content: string, signature: Buffer): boolean {
    if (header.alg === 'HS256') {
      const expected = hmac(jwtSecret, content)
      return expected.length === signature.length && timingSafeEqual(expected, signature)
    }
    if (header.alg !== 'ES256' || !asymmetric || header.kid !== asymmetric.kid) return false
    return verify(
      'sha256',
      Buffer.from(content),
      { key: asymmetric.publicKey, dsaEncoding: 'ieee-p1363' },
      signature,
    )
  }

  return {
    sign(claims) {
      const header = asymmetric
        ? { alg: 'ES256', kid: asymmetric.kid, typ: 'JWT' }
        : { alg: 'HS256', typ: 'JWT' }
      const content = `${encode(header)}.${encode(claims)}`
      const signature = asymmetric
        ? sign('sha256', Buffer.from(content), { key: asymmetric.key, dsaEncoding: 'ieee-p1363' })
        : hmac(jwtSecret, content)
      return `${content}.${signature.toString('base64url')}`
    },
    verify(token) {
      const [header, payload, signature, ...rest] = token.split('.')
      if (!header || !payload || !signature || rest.length > 0)
        throw new JwtError('malformed', 'token is malformed')
      const claims = decode(payload)
      if (!hasValidSignature(decode(header), `${header}.${payload}`, Buffer.from(signature, 'base64url'))) {
        throw new JwtError('signature', 'signature is invalid')
      }
      const now = Date.now() / 1000
      if (typeof claims.exp === 'number' && claims.exp <= now)
        throw new JwtError('expired', 'token is expired')
      if (typeof claims.nbf === 'number' && claims.nbf > now + 30)
        throw new JwtError('future', 'token is not valid yet')
      return claims
    },
    jwks() {
      if (!asymmetric) return { keys: [] }
      const jwk = asymmetric.publicKey.export({ format: 'jwk' })
      return { keys: [{ ...jwk, alg: 'ES256', kid: asymmetric.kid, use: 'sig', key_ops: ['verify'] }] }
    },
  }
}
