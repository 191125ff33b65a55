import * as z from 'zod'

const address = z.union([z.ipv4(), z.ipv6()])

/**
 * The address that a request comes from; null where the gateway does not say.
 *
 * The gateway sets `CF-Connecting-IP` whatever the client sent. It keeps what the client wrote into `X-Forwarded-For`
 * and appends to that (https://github.com/cloudflare/cloudflared/issues/1426), so that header says nothing here.
 */
export function clientAddress({ headers }: Request): string | null {
  return address.safeParse(headers.get('cf-connecting-ip')).data ?? null
}
