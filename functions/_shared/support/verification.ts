import { consentRequired } from '../consent.ts'
import type { Database } from '../database.ts'
import { ServiceError } from '../errors.ts'
import type { ProjectClient } from '../platform/clients.ts'
import { isListedZone } from './pages/time-zones.ts'

/** Who asks whom, and from where. */
export type VerificationRequest = {
  studentId: string
  contactId: string
  /** Number of the contact, E.164, as it was read. */
  phone: string
  /** Address of the request; null where it is unknown. */
  address: string | null
  userAgent: string | null
}

/** Why nothing was sent, as `private.send_verification` says it. */
type Reason =
  | 'not_found'
  | 'changed'
  | 'no_consent'
  | 'verified'
  | 'unavailable'
  | 'country'
  | 'no_email'
  | 'exhausted'
  | 'too_soon'

/**
 * Emails a contact the link with which they agree or decline. The database counts what was sent, and says whether another
 * may be: one an hour and three in all for a student and a mailbox, and few of all students to one.
 *
 * Throws `buddy_phone_invalid`, `buddy_country_unsupported`, `buddy_not_found`, `buddy_email_missing`, `buddy_unavailable`, `buddy_verified`,
 * `consent_required`, `verification_attempts_exhausted` and `rate_limited`, whose details have `retry_after_s`.
 */
export async function sendVerification(
  database: Database,
  { studentId, contactId, phone, address, userAgent }: VerificationRequest,
): Promise<'sent' | 'resent'> {
  const country = await countryOf(database, phone)
  if (country === null) {
    throw new ServiceError(
      'buddy_phone_invalid',
      'The number of this person is not one of a mobile phone. Correct it first.',
    )
  }
  const [answer] = await database<[{ outcome: Reason | 'sent' | 'resent'; retry_after_s: number | null }]>`
    select * from private.send_verification(
      ${studentId}, ${contactId}, ${phone}, ${address}::inet, ${userAgent}, now(), ${zonesOf(country)}
    )`
  if (answer.outcome === 'sent' || answer.outcome === 'resent') return answer.outcome
  throw ERRORS[answer.outcome](answer.retry_after_s)
}

/** The phone number, E.164, of a contact of the caller. Throws `buddy_not_found`. */
export async function phoneOfContact(supabase: ProjectClient, contactId: string): Promise<string> {
  const { data, error } = await supabase
    .from('buddy_contacts')
    .select('phone')
    .eq('id', contactId)
    .maybeSingle()
  if (error) throw error
  if (!data) throw contactNotFound()
  return data.phone
}

/** The country (ISO 3166) in which a text is the number, E.164, of a mobile phone; null when there is none. */
async function countryOf(database: Database, phone: string): Promise<string | null> {
  const [row] = await database<
    [{ country: string | null }]
  >`select private.country_of_number(${phone}) as country`
  return row.country
}

/** The time zones of a country (ISO 3166), IANA names, by the data of Unicode; null where none is known. */
export function zonesOf(country: string): string[] | null {
  const zones = new Intl.Locale('und', { region: country }).getTimeZones()?.filter(isListedZone) ?? []
  return zones.length > 0 ? zones : null
}

/** The error of a contact that does not exist, or is another student's. */
function contactNotFound(): ServiceError {
  return new ServiceError('buddy_not_found', 'There is no such person in your support circle.')
}

const ERRORS: Record<Reason, (retryAfterS: number | null) => ServiceError> = {
  not_found: contactNotFound,
  changed: () => new ServiceError('buddy_unavailable', 'The number was changed meanwhile. Try again.'),
  no_consent: () => consentRequired('support_circle'),
  verified: () => new ServiceError('buddy_verified', 'This person has agreed already.'),
  unavailable: () => new ServiceError('buddy_unavailable', 'This person cannot be asked at the moment.'),
  country: () =>
    new ServiceError(
      'buddy_country_unsupported',
      'Texts do not go to the country of this number. Add another number of this person.',
    ),
  no_email: () =>
    new ServiceError(
      'buddy_email_missing',
      'Add an email address of this person first: it is where we ask them.',
    ),
  exhausted: () =>
    new ServiceError(
      'verification_attempts_exhausted',
      'This person was asked as often as possible. Talk to them: the last email still counts for a week.',
    ),
  too_soon: (retryAfterS) => {
    const seconds = retryAfterS ?? 1
    return new ServiceError(
      'rate_limited',
      `This person was asked a short while ago. Try again in ${seconds} s.`,
      {
        retry_after_s: seconds,
      },
    )
  },
}
