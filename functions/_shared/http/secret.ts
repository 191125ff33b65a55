import { timingSafeEqual } from 'node:crypto'

/**
 * Whether a request has one of the secrets as its bearer token: that of now, or that of before while it is replaced. How long the
 * comparison takes says no more than their lengths.
 */
export function bearsSecret(request: Request, ...secrets: readonly (string | undefined)[]): boolean {
  const encoder = new TextEncoder()
  const given = encoder.encode(request.headers.get('authorization') ?? '')
  return secrets.some((secret) => {
    if (!secret) return false
    const expected = encoder.encode(`Bearer ${secret}`)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
