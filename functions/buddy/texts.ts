import { html } from 'hono/html'
import * as z from 'zod'
import { ServiceError } from '../_shared/errors.ts'
import { readText } from '../_shared/http/body.ts'
import { SERVICE_HEADERS } from '../_shared/http/response.ts'
import { type Call, endpoint } from '../_shared/http/serve.ts'
import { log } from '../_shared/log.ts'
import { signedFields } from '../_shared/messaging/twilio-signature.ts'
import { isTwilioKeyword, languageOf, meaningOf } from '../_shared/support/reply.ts'
import {
  answerTo,
  hearText,
  noTextInFlight,
  recordTextStatus,
  type TextStatus,
} from '../_shared/support/texts.ts'

/** Largest form of Twilio, bytes: a text has 1,600 characters, and some forty fields surround it. */
const MAX_BYTES = 64_000

const FORM = /^application\/x-www-form-urlencoded\s*(;\s*charset="?utf-8"?\s*)?$/i

const messageSid = z.string().regex(/^(SM|MM)[0-9a-f]{32}$/i)

const incomingText = z.object({
  MessageSid: messageSid,
  From: z.string(),
  Body: z.string(),
  OptOutType: z.string().optional(),
})

const textStatus = z.object({
  MessageSid: messageSid,
  MessageStatus: z.string(),
  ErrorCode: z
    .string()
    .regex(/^\d{1,6}$/)
    .optional()
    .catch(undefined),
})

/** Twilio's statuses (https://www.twilio.com/docs/messaging/guides/outbound-message-status-in-status-callbacks). */
const STATUSES = new Map<string, TextStatus>([
  ['accepted', 'sent'],
  ['scheduled', 'sent'],
  ['queued', 'sent'],
  ['sending', 'sent'],
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'delivered'],
  ['undelivered', 'undelivered'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
])

const common = {
  method: 'post',
  tag: 'Workers',
  security: 'none',
  // A STOP counts whatever else is switched off.
  reachable: 'always',
  consumes: 'application/x-www-form-urlencoded',
  maxBytes: MAX_BYTES,
  errors: ['forbidden', 'body_too_large', 'not_configured'],
} as const

/** A text that somebody sends to the service's number. */
const receiveText = endpoint(
  {
    ...common,
    id: 'receiveText',
    path: '/buddy/texts',
    summary: 'Takes a text that came in, and answers it where that helps',
    description: 'Called by Twilio alone, which signs its requests.',
    response: z.string().describe('TwiML'),
  },
  async (_, call) => {
    const fields = await fromTwilio(call, incomingText, '/buddy/texts')
    const { MessageSid: sid, From, Body, OptOutType } = fields
    // Another channel names itself before the number; what has no number cannot be texted.
    const number = /^(?:[a-z]+:)?(\+[1-9]\d{6,14})$/.exec(From)?.[1]
    if (number === undefined) {
      log('warn', 'text_ignored', { text: sid })
      return twiml(call, null)
    }
    const meaning = meaningOf(Body, OptOutType)
    const heard = await hearText(call.database, { sid, number, meaning })
    const settled = meaning !== 'stop' || (await noTextInFlight(call.database, number))
    log(settled ? 'info' : 'warn', 'text_heard', {
      text: sid,
      number: masked(number),
      meaning,
      repeated: heard.repeated,
      settled,
    })
    const byTwilio =
      call.environment.sms?.optOutReplies === 'twilio' && (OptOutType !== undefined || isTwilioKeyword(Body))
    return twiml(call, answerTo({ meaning, language: languageOf(Body) }, heard, byTwilio))
  },
)

/** What becomes of a text that the service sent. */
const receiveTextStatus = endpoint(
  {
    ...common,
    id: 'receiveTextStatus',
    path: '/buddy/text-status',
    summary: 'Takes what became of a text that was sent',
    description: 'Called by Twilio alone, which signs its requests. Responds with 204.',
    response: z.string(),
  },
  async (_, call) => {
    const [, message] =
      /^\?message=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(new URL(call.request.url).search) ?? []
    if (message === undefined) throw refused()
    const fields = await fromTwilio(call, textStatus, '/buddy/text-status', `?message=${message}`)
    const { MessageSid: sid, MessageStatus, ErrorCode } = fields
    const status = STATUSES.get(MessageStatus)
    if (status === undefined) log('warn', 'text_status_ignored', { message, text: sid })
    else {
      const isFailure = status === 'failed' || status === 'undelivered'
      const code = isFailure ? (ErrorCode ?? null) : null
      const known = await recordTextStatus(call.database, { message, sid, status, code })
      log(isFailure ? 'warn' : 'info', 'text_status', { message, text: sid, status, code, known })
    }
    return respond(call, 204, null)
  },
)

/** `POST /buddy/texts` and `POST /buddy/text-status`. */
export const TEXTS = [receiveText, receiveTextStatus] as const

/**
 * The fields of a request that Twilio signed for one of our addresses with exactly this query. Throws `not_configured` and
 * `forbidden`, before anything changes. The signature does not tell where a name ends and its value begins, so that fields which
 * lack one that Twilio always sends are refused too.
 */
async function fromTwilio<Schema extends z.ZodType>(
  { request, context, environment: { sms, functionsUrl } }: Call<'none'>,
  schema: Schema,
  path: string,
  query = '',
): Promise<z.infer<Schema>> {
  if (!sms) throw new ServiceError('not_configured', 'Twilio is not set up here.')
  const signature = request.headers.get('x-twilio-signature')
  if (signature === null || new URL(request.url).search !== query) throw refused()
  if (!FORM.test(request.headers.get('content-type') ?? '')) throw refused()
  const body = await readText(request, context.memory, MAX_BYTES)
  const fields = schema.safeParse(signedFields({ url: functionsUrl + path + query, signature, body }, sms))
  if (!fields.success) throw refused()
  return fields.data
}

function refused(): ServiceError {
  return new ServiceError('forbidden', 'Only Twilio calls this address, and signs what it sends.')
}

/** TwiML: what Twilio texts back. */
async function twiml(call: Call<'none'>, text: string | null): Promise<Response> {
  const message = text === null ? '' : html`<Message>${text}</Message>`
  return respond(
    call,
    200,
    `<?xml version="1.0" encoding="UTF-8"?>${await html`<Response>${message}</Response>`}`,
  )
}

function respond(call: Call<'none'>, status: number, body: string | null): Response {
  const headers = new Headers({
    ...SERVICE_HEADERS,
    'x-request-id': call.context.requestId,
    'cache-control': 'no-store',
  })
  if (body !== null) headers.set('content-type', 'text/xml; charset=utf-8')
  return new Response(body, { status, headers })
}

/** A number as a log line may hold it: its first and last two digits. */
function masked(number: string): string {
  return `${number.slice(0, 3)}…${number.slice(-2)}`
}
