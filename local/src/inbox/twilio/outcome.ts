import { z } from 'zod'

/** The API's errors that can be asked for, as status and message (https://www.twilio.com/docs/api/errors). */
export const API_ERRORS = {
  20003: [401, 'Authenticate'],
  20404: [404, 'The requested resource was not found'],
  20429: [429, 'Too Many Requests'],
  20500: [500, 'Internal Server Error'],
  21211: [400, "Invalid 'To' Phone Number"],
  21408: [400, 'Permission to send an SMS or MMS has not been enabled for the region'],
  21602: [400, 'Message body is required.'],
  21603: [400, "A 'From' phone number is required."],
  21604: [400, "A 'To' phone number is required."],
  21606: [400, "The 'From' phone number is not a message-capable Twilio phone number of your account"],
  21609: [400, "The 'StatusCallback' URL is not a valid URL"],
  21610: [400, 'Attempt to send to unsubscribed recipient'],
  21611: [400, "This 'From' number has exceeded the maximum number of queued messages"],
  21614: [400, "'To' number is not a valid mobile number"],
  21617: [400, 'The concatenated message body exceeds the 1600 character limit'],
  21701: [400, 'The Messaging Service does not exist'],
} as const

export type ApiErrorCode = keyof typeof API_ERRORS

/** Codes of a text that was sent and did not arrive. */
const DELIVERY_ERRORS = {
  30003: 'the phone is off or out of reach',
  30005: 'the number is unknown',
  30006: 'a landline',
  30007: 'filtered',
  30008: 'for no known reason',
} as const

function isApiErrorCode(code: number): code is ApiErrorCode {
  return code in API_ERRORS
}

/** What becomes of a text, as it is written in forms and JSON: `deliver`, `hold`, `lose`, `no-response`, `fail:30003`, `refuse:21611`. */
export const outcome = z.string().transform((text, context): Outcome => {
  if (text === 'deliver' || text === 'hold' || text === 'lose' || text === 'no-response')
    return { kind: text }
  const [, kind, digits] = /^(fail|refuse):(\d{5})$/.exec(text) ?? []
  const code = Number(digits)
  if (kind === 'fail') return { kind, code }
  if (kind === 'refuse' && isApiErrorCode(code)) return { kind, code }
  context.addIssue({
    code: 'custom',
    message: `"${text}" is none of deliver, hold, lose, no-response, fail:<code>, refuse:<code of the API>`,
  })
  return z.NEVER
})

export type Outcome =
  /** It arrives, and Twilio says so. */
  | { kind: 'deliver' }
  /** It is sent, and waits until somebody decides. */
  | { kind: 'hold' }
  /** It is sent, and nothing more is heard of it. */
  | { kind: 'lose' }
  /** It arrives, but the API hangs up on the sender without a response. */
  | { kind: 'no-response' }
  /** It is sent and does not arrive. */
  | { kind: 'fail'; code: number }
  /** The API refuses it. */
  | { kind: 'refuse'; code: ApiErrorCode }

export function writeOutcome(outcome: Outcome): string {
  return 'code' in outcome ? `${outcome.kind}:${outcome.code}` : outcome.kind
}

/** What may become of a text that is sent, as value and label. */
export const FINAL_OUTCOMES: readonly (readonly [string, string])[] = [
  ['deliver', 'It arrives'],
  ...Object.entries(DELIVERY_ERRORS).map(
    ([code, why]) => [`fail:${code}`, `It fails: ${why} (${code})`] as const,
  ),
]

/** What may be set for the texts to come, as value and label. */
export const COMING_OUTCOMES: readonly (readonly [string, string])[] = [
  ['deliver', 'They arrive'],
  ['hold', 'I decide for each'],
  ['lose', 'They get lost: sent, then nothing more is heard'],
  ['no-response', 'They arrive, but their sender gets no response'],
  ...Object.entries(DELIVERY_ERRORS).map(
    ([code, why]) => [`fail:${code}`, `They fail: ${why} (${code})`] as const,
  ),
  ['refuse:21211', 'Refused: the number is invalid (21211)'],
  ['refuse:21610', 'Refused: the number opted out (21610)'],
  ['refuse:21611', 'Refused: the queue is full (21611)'],
  ['refuse:20429', 'Refused: too many requests (429)'],
  ['refuse:20500', 'Refused: an error at Twilio (500)'],
]
