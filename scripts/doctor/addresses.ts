import * as z from 'zod'
import type { Stage } from '../stage/stage.ts'
import type { Check, Finding } from './finding.ts'
import { functionSecrets } from './secrets.ts'

/** How long a page or another service may take to answer, milliseconds: a cold start among them. */
const ANSWER_MS = 30_000

export const pages: Check = {
  name: 'pages',
  needsPlatform: false,
  async read({ settings, functionsUrl }) {
    const address = `${(settings.PUBLIC_PAGES_URL ?? functionsUrl).replace(/\/$/, '')}/api/docs`
    const finding = (problem: string) => [
      { id: 'pages_unreadable', about: address, problem, mend: 'docs/deployment.md#pages' },
    ]
    const response = await fetch(address, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => null)
    await response?.body?.cancel()
    if (!response) return finding(`Nobody can open the pages: ${address} cannot be reached`)
    const type = response.headers.get('content-type') ?? 'nothing'
    if (!response.ok) return finding(`The pages answer ${response.status}`)
    return type.startsWith('text/html')
      ? []
      : finding(`The pages come as ${type}: browsers show their source`)
  },
}

/** The providers of messages: that there is one, and that they know this stage. */
export const providers: Check = {
  name: 'providers of messages',
  needsPlatform: true,
  async read(stage) {
    if (!stage.management) return []
    const set = await functionSecrets(stage.management)
    const findings: Finding[] = []
    if (!set.has('RESEND_API_KEY') && !set.has('EMAIL_FROM'))
      findings.push({
        id: 'mail_sender_missing',
        about: 'RESEND_API_KEY, EMAIL_FROM',
        problem: 'No provider sends the service’s email: no crisis contact hears of a high risk',
        mend: 'Set both, then npm run deploy -- --stage NAME --only secrets (docs/messaging.md)',
      })
    return [...findings, ...(await senderDomain(stage)), ...(await twilioWebhook(stage))]
  },
}

/** https://resend.com/docs/api-reference/errors */
const restricted = z.object({ name: z.literal('restricted_api_key') })
const domains = z.object({ data: z.array(z.object({ name: z.string(), status: z.string() })) })

/** Whether Resend may send from the address that messages come from. */
async function senderDomain({ settings }: Stage): Promise<Finding[]> {
  const { RESEND_API_KEY, EMAIL_FROM, RESEND_BASE_URL = 'https://api.resend.com' } = settings
  if (!RESEND_API_KEY || !EMAIL_FROM) return []
  const domain = /@([^>\s]+)/.exec(EMAIL_FROM)?.[1] ?? ''
  const answer = await ask(`${RESEND_BASE_URL}/domains`, `Bearer ${RESEND_API_KEY}`)
  // A key that may only send, as the functions' should, may not read the domains.
  if (
    answer.status === 401 &&
    restricted.safeParse(
      await answer
        .clone()
        .json()
        .catch(() => null),
    ).success
  )
    return [
      {
        id: 'mail_sender_unknown',
        about: domain,
        problem: `Whether Resend sends from ${domain} cannot be told with a key that may only send`,
        mend: 'Look whether the domain is verified at Resend (Domains)',
        isWarning: true,
      },
    ]
  const { data } = await contentOf(answer, domains)
  if (data.some(({ name, status }) => status === 'verified' && domain === name)) return []
  return [
    {
      id: 'mail_sender_not_verified',
      about: domain,
      problem: `Resend does not send from ${domain}: the domain is not verified there`,
      mend: 'Verify the domain at Resend, or change EMAIL_FROM',
    },
  ]
}

const numbers = z.object({
  incoming_phone_numbers: z.array(z.object({ phone_number: z.string(), sms_url: z.string().nullish() })),
})
const service = z.object({
  sid: z.string(),
  inbound_request_url: z.string().nullish(),
  use_inbound_webhook_on_number: z.boolean().nullish(),
})

/** Whether Twilio passes on what people reply, STOP among it. */
async function twilioWebhook({ settings, functionsUrl }: Stage): Promise<Finding[]> {
  const { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM } = settings
  if (!TWILIO_ACCOUNT_SID || !TWILIO_AUTH_TOKEN || !TWILIO_FROM) return []
  const authorization = `Basic ${Buffer.from(`${TWILIO_ACCOUNT_SID}:${TWILIO_AUTH_TOKEN}`).toString('base64')}`
  const api = settings.TWILIO_BASE_URL ?? 'https://api.twilio.com'
  const expected = `${functionsUrl}/buddy/texts`
  let called: string | null | undefined
  if (TWILIO_FROM.startsWith('MG')) {
    const address = settings.TWILIO_BASE_URL ?? 'https://messaging.twilio.com'
    const found = await read(`${address}/v1/Services/${TWILIO_FROM}`, authorization, service)
    // A service that leaves it to its numbers has each of them called its own way.
    called = found.use_inbound_webhook_on_number ? expected : found.inbound_request_url
  } else {
    const list = `${api}/2010-04-01/Accounts/${TWILIO_ACCOUNT_SID}/IncomingPhoneNumbers.json`
    const found = await read(`${list}?PhoneNumber=${encodeURIComponent(TWILIO_FROM)}`, authorization, numbers)
    called = found.incoming_phone_numbers.find((number) => number.phone_number === TWILIO_FROM)?.sms_url
  }
  if (called === expected) return []
  return [
    {
      id: 'text_webhook_wrong',
      about: TWILIO_FROM,
      problem: `Twilio passes replies, STOP among them, to ${called || 'nobody'}, not to ${expected}`,
      mend: 'docs/support-circle.md#set-up-twilio',
    },
  ]
}

async function read<Shape>(address: string, authorization: string, shape: z.ZodType<Shape>): Promise<Shape> {
  return contentOf(await ask(address, authorization), shape)
}

function ask(address: string, authorization: string): Promise<Response> {
  return fetch(address, { headers: { authorization }, signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => {
    throw new Error(`${new URL(address).origin} cannot be reached`)
  })
}

async function contentOf<Shape>(response: Response, shape: z.ZodType<Shape>): Promise<Shape> {
  if (!response.ok) throw new Error(`${new URL(response.url).origin} answers ${response.status}`)
  return shape.parse(await response.json())
}
