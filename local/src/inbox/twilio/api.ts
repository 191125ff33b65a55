import { timingSafeEqual } from 'node:crypto'
import { type Context, Hono } from 'hono'
import type { Message } from '../inbox.ts'
import { segmentsOf, type TwilioAccount } from './account.ts'
import { API_ERRORS, type ApiErrorCode } from './outcome.ts'

/** What the server gives to routes besides the request. */
export type Connection = { Bindings: { hangUp(): void } }

/** A number in E.164. */
export const E164 = /^\+[1-9]\d{6,14}$/

/** Twilio's `POST /2010-04-01/Accounts/{sid}/Messages.json` (https://www.twilio.com/docs/messaging/api/message-resource). */
export function twilioApi(account: TwilioAccount) {
  const app = new Hono<Connection>()
  app.post('/2010-04-01/Accounts/:sid/Messages.json', async (c) => {
    const { accountSid, authToken } = account.settings
    if (!isAuthorized(c.req.header('authorization'), `${accountSid}:${authToken}`)) {
      c.header('www-authenticate', 'Basic realm="Twilio API"')
      return refuse(c, 20003)
    }
    if (c.req.param('sid') !== accountSid) return refuse(c, 20404)
    const form = new URLSearchParams(await c.req.text())
    const to = form.get('To') ?? ''
    const wrong = errorOf(form, account)
    if (wrong !== undefined) return refuse(c, wrong)
    const next = account.outcome(to)
    if (next.kind === 'refuse') return refuse(c, next.code)
    const statusCallback = form.get('StatusCallback') ?? undefined
    const text = await account.send({ to, body: form.get('Body') ?? '', statusCallback })
    if (next.kind === 'no-response') c.env.hangUp()
    return c.json(resourceOf(text, account), 201)
  })
  return app
}

function errorOf(form: URLSearchParams, account: TwilioAccount): ApiErrorCode | undefined {
  const [to, from, body, service, callback] = [
    'To',
    'From',
    'Body',
    'MessagingServiceSid',
    'StatusCallback',
  ].map((name) => form.get(name) ?? '')
  if (!to) return 21604
  if (!E164.test(to)) return 21211
  if (!from && !service) return 21603
  if (from && from !== account.number) return 21606
  if (service && service !== account.messagingServiceSid) return 21701
  if (!body) return 21602
  if (body.length > 1600) return 21617
  if (callback && !/^https?:\/\/[^/]/.test(callback)) return 21609
  return account.isBlocked(to) ? 21610 : undefined
}

function isAuthorized(header: string | undefined, credentials: string): boolean {
  const expected = Buffer.from(`Basic ${Buffer.from(credentials).toString('base64')}`)
  const given = Buffer.from(header ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function refuse(c: Context, code: ApiErrorCode) {
  const [status, message] = API_ERRORS[code]
  return c.json({ code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }, status)
}

/** A text as the API describes it. */
function resourceOf({ to, text, receivedAt, twilio }: Message, account: TwilioAccount) {
  const { accountSid } = account.settings
  const created = new Date(receivedAt).toUTCString().replace('GMT', '+0000')
  const uri = `/2010-04-01/Accounts/${accountSid}/Messages/${twilio?.sid}`
  return {
    account_sid: accountSid,
    api_version: '2010-04-01',
    body: text,
    date_created: created,
    date_sent: null,
    date_updated: created,
    direction: 'outbound-api',
    error_code: null,
    error_message: null,
    // A messaging service chooses the number later.
    from: account.messagingServiceSid ? null : account.number,
    messaging_service_sid: account.messagingServiceSid ?? null,
    num_media: '0',
    num_segments: account.messagingServiceSid ? '0' : String(segmentsOf(text)),
    price: null,
    price_unit: 'USD',
    sid: twilio?.sid,
    status: account.messagingServiceSid ? 'accepted' : 'queued',
    subresource_uris: { media: `${uri}/Media.json` },
    to,
    uri: `${uri}.json`,
  }
}
