import { timingSafeEqual } from 'node:crypto'

/** Whether a request has a secret as its bearer token. How long the comparison takes says no more than the secret's length. */
export function bearsSecret(request: Request, secret: string): boolean {
  const encoder = new TextEncoder()
  const given = encoder.encode(request.headers.get('authorization') ?? '')
  const expected = encoder.encode(`Bearer ${secret}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
