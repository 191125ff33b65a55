import * as z from 'zod'

const address = z.union([z.ipv4(), z.ipv6()])

/**
 * Where a request says it comes from; null where it says nothing that is an address.
 *
 * `CF-Connecting-IP` is set by the hosted platform's own gateway, whatever the client sent. Elsewhere the first entry of
 * `X-Forwarded-For` is as good as the proxy in front.
 */
export function clientAddress({ headers }: Request): string | null {
  const told = headers.get('cf-connecting-ip') ?? headers.get('x-forwarded-for')?.split(',')[0]
  return address.safeParse(told?.trim()).data ?? null
}
