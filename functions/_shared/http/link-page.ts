import type { Database } from '../database.ts'
import { ServiceError } from '../errors.ts'
import { clientAddress } from '../platform/client-address.ts'
import { readText } from './body.ts'
import type { Environment } from './environment.ts'
import type { RequestContext } from './handle.ts'
import { type PageContent, page } from './page.ts'
import { consumeOpenRateLimit } from './rate-limit.ts'
import { noteSecurityEvent } from './security-events.ts'

const MAX_FORM_BYTES = 10_000

/** The address holds a secret: no link on the page tells it to another host, and no search engine lists it. */
const HEADERS = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }

/** A request for a page that a link in a message leads to. */
export type LinkCall = {
  request: Request
  context: RequestContext
  environment: Environment
  database: Database
}

/** Sends a page whose address is the secret of the person whom it was sent to. */
export function linkPage(content: PageContent & { status: number }, call: LinkCall): Promise<Response> {
  return page(content, call, { status: content.status, headers: HEADERS })
}

/**
 * Counts a link that leads nowhere against the address that it was opened from; links that work are never limited, because a whole
 * residence may share an address. Throws `rate_limited` when there were too many.
 */
export async function noteUnknownLink({
  request,
  context,
  database,
}: Omit<LinkCall, 'environment'>): Promise<void> {
  await noteSecurityEvent(database, request, { kind: 'link_refused', reason: 'not_found' })
  await consumeOpenRateLimit(database, context, clientAddress(request) ?? 'unknown', 'unknown-link')
}

/** The same for a page: the seconds to wait when there were too many, else null. */
export async function countUnknownLink(call: LinkCall): Promise<number | null> {
  try {
    await noteUnknownLink(call)
    return null
  } catch (error) {
    const wait = error instanceof ServiceError ? error.details?.retry_after_s : undefined
    if (typeof wait !== 'number') throw error
    return wait
  }
}

/**
 * The fields of a form. It may come from anywhere: whoever knows the address needs no page of ours to send one.
 *
 * Throws `body_too_large`, `request_timeout` and `busy`.
 */
export async function readLinkForm({ request, context }: LinkCall): Promise<Record<string, string>> {
  const text = await readText(request, context.memory, MAX_FORM_BYTES)
  return Object.fromEntries(new URLSearchParams(text))
}
