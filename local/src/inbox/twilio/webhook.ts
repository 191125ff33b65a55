import { createHmac } from 'node:crypto'

/**
 * The header `X-Twilio-Signature` of a form: HMAC-SHA1 of the address and, sorted by name, each field's name and value
 * (https://www.twilio.com/docs/usage/webhooks/webhooks-security).
 */
export function signatureOf(url: string, fields: Record<string, string>, authToken: string): string {
  const names = Object.keys(fields).sort()
  const signed = url + names.map((name) => name + fields[name]).join('')
  return createHmac('sha1', authToken).update(signed).digest('base64')
}

/** What a webhook responded, or why it did not. */
export type WebhookResponse = { ok: boolean; body: string; problem: string | undefined }

/** Twilio waits that long for a webhook. */
const TIMEOUT_MS = 15_000

/** Calls a webhook as Twilio does; never throws. */
export async function callWebhook(
  url: string,
  fields: Record<string, string>,
  { authToken, signal }: { authToken: string; signal: AbortSignal },
): Promise<WebhookResponse> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'user-agent': 'TwilioProxy/1.1',
        'x-twilio-signature': signatureOf(url, fields, authToken),
      },
      body: new URLSearchParams(fields),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const body = await response.text()
    const problem = response.ok
      ? undefined
      : `${url} responded with ${response.status}: ${body.slice(0, 200)}`
    return { ok: response.ok, body, problem }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { ok: false, body: '', problem: `${url} did not respond: ${cause}` }
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The texts of the `<Message>` verbs of a TwiML document; null when it is none. Media and nested verbs other than `<Body>` are left out. */
export function messagesOf(twiml: string): string[] | null {
  const document = twiml.replace(/^\s*(<\?xml[^>]*\?>)?\s*/, '').trim()
  if (document === '' || /^<Response\s*\/>$/.test(document)) return []
  const [, verbs] = /^<Response(?:\s[^>]*)?>([\s\S]*)<\/Response>$/.exec(document) ?? []
  if (verbs === undefined) return null
  return [...verbs.matchAll(/<Message(?:\s[^>]*)?>([\s\S]*?)<\/Message>/g)].map(([, content = '']) =>
    unescapeXml(/<Body>([\s\S]*?)<\/Body>/.exec(content)?.[1] ?? content).trim(),
  )
}

function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
}
