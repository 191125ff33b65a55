import * as z from 'zod'
import { crisisResources } from '../crisis-resources.ts'
import { asJson, type Database } from '../database.ts'
import { LANGUAGES, type Language } from '../languages.ts'
import { hashOf } from './requests.ts'

const verificationView = z.discriminatedUnion('state', [
  z.object({
    state: z.enum(['open', 'expired', 'decided']),
    contact_name: z.string(),
    student_name: z.string(),
    number_confirmed: z.boolean(),
    language: z.enum(LANGUAGES),
    number_time_zones: z.array(z.string()),
    student_time_zone: z.string().nullable(),
    decision: z.enum(['accepted', 'declined']).nullish(),
    resources: crisisResources,
  }),
  z.object({ state: z.literal('unknown'), resources: crisisResources }),
])

/** What the page of a verification shows, as `private.read_verification` returns it. */
export type VerificationView = z.output<typeof verificationView>

const OUTCOMES = ['accepted', 'declined', 'expired', 'decided', 'unknown'] as const

/** What became of a decision. */
export type DecisionOutcome = (typeof OUTCOMES)[number]

/** What a contact decides, with what their form says. */
export type Decision = {
  accepted: boolean
  reason: string | null
  /** Who declines does not know who asks. */
  isUnknownPerson: boolean
  /** IANA name; null without a form. */
  timeZone: string | null
  textsAtNight: boolean
  /** Language of further messages; null: as before. */
  language: Language | null
  method: 'form' | 'link'
}

/** Where a decision came from, kept as proof of it. */
export type Origin = { address: string | null; userAgent: string | null }

/** Reads the verification behind a token; changes nothing but that an expired one is logged in the audit once. */
export async function readVerification(database: Database, token: string): Promise<VerificationView> {
  const [row] = await database`select private.read_verification(${hashOf(token)}, now()) as view`
  return verificationView.parse(row?.view)
}

/** Stores a decision, the first one only, with the wording that was agreed to. */
export async function decide(
  database: Database,
  token: string,
  decision: Decision,
  wording: { version: string; language: Language; text: string },
  { address, userAgent }: Origin,
): Promise<DecisionOutcome> {
  const { accepted, reason, isUnknownPerson, timeZone, textsAtNight, language, method } = decision
  const [row] = await database`
    select private.decide_verification(
      ${hashOf(token)}, ${accepted}, ${reason}, ${isUnknownPerson}, ${timeZone}, ${textsAtNight},
      ${asJson(database, wording)}, ${address}::inet, ${userAgent?.slice(0, 500) ?? null}, ${method}, now(), ${language}
    ) as outcome`
  return z.enum(OUTCOMES).parse(row?.outcome)
}

const CONFIRMATIONS = ['confirmed', 'wrong_code', 'too_many_tries', 'decided', 'expired', 'unknown'] as const

/** What became of a code. */
export type ConfirmationOutcome = (typeof CONFIRMATIONS)[number]

/** Confirms a contact's number with the code of the text that it got; five tries a code. */
export async function confirmNumber(
  database: Database,
  token: string,
  code: string,
): Promise<ConfirmationOutcome> {
  const [row] = await database`select private.confirm_by_code(${hashOf(token)}, ${code}, now()) as outcome`
  return z.enum(CONFIRMATIONS).parse(row?.outcome)
}
