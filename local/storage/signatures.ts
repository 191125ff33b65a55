import { type Claims, JwtError, type TokenSigner } from '../auth/jwt.ts'
import { errors } from './errors.ts'
import type { ObjectRef } from './objects.ts'

/** How long a signed upload URL lasts on the hosted platform: two hours. */
export const uploadUrlSeconds = 2 * 60 * 60

const purposes = { read: 'storage:read', upload: 'storage:upload' } as const

/** Signs that whoever holds the token may read, or write, one object for a time. */
export function signObject(
  tokens: TokenSigner,
  purpose: keyof typeof purposes,
  { bucket, key }: ObjectRef,
  seconds: number,
  claims: Claims = {},
): string {
  const now = Math.floor(Date.now() / 1000)
  return tokens.sign({
    ...claims,
    scope: purposes[purpose],
    url: `${bucket}/${key}`,
    iat: now,
    exp: now + seconds,
  })
}

/** The claims of a token for exactly this object and purpose. @throws StorageError */
export function verifyObject(
  tokens: TokenSigner,
  purpose: keyof typeof purposes,
  { bucket, key }: ObjectRef,
  token: string | null,
): Claims {
  if (!token) throw errors.invalidJwt("querystring must have required property 'token'")
  let claims: Claims
  try {
    claims = tokens.verify(token)
  } catch (error) {
    if (!(error instanceof JwtError)) throw error
    throw errors.invalidJwt(error.fault === 'expired' ? '"exp" claim timestamp check failed' : error.message)
  }
  if (claims.url !== `${bucket}/${key}` || claims.scope !== purposes[purpose])
    throw errors.signatureMismatch()
  return claims
}
