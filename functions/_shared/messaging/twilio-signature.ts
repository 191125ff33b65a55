import { validateRequest } from '../../_vendor/twilio.js'

/** What of a request is signed. */
export type SignedRequest = {
  /** The whole address as Twilio was given it, not as the request names it, which a proxy or a forger may change. */
  url: string
  /** The header `X-Twilio-Signature`. */
  signature: string | null
  /** A form, URL-encoded. */
  body: string
}

/**
 * The fields of a form that Twilio signed for an account; null when it is not exactly that. A name that comes twice is refused,
 * because the library checks such values as a set.
 *
 * Twilio signs neither time nor order: a request that is sent again is signed, and its effect must be idempotent.
 */
export function signedFields(
  { url, signature, body }: SignedRequest,
  {
    accountSid,
    authToken,
    previousAuthToken,
  }: { accountSid: string; authToken: string; previousAuthToken?: string | undefined },
): Record<string, string> | null {
  if (!signature) return null
  const entries = [...new URLSearchParams(body)]
  const fields = Object.fromEntries(entries)
  if (Object.keys(fields).length < entries.length) return null
  const tokens = [authToken, ...(previousAuthToken ? [previousAuthToken] : [])]
  if (!tokens.some((token) => validateRequest(token, signature, url, fields))) return null
  return fields.AccountSid === accountSid ? fields : null
}
