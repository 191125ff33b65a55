import { consentRequired } from '../consent.ts'
import type { Database } from '../database.ts'
import { ServiceError } from '../errors.ts'
import { contactNotFound } from './contact.ts'
import { isMobileNumber } from './phone.ts'

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
  | 'no_email'
  | 'exhausted'
  | 'too_soon'

/**
 * Emails a contact the link with which they agree or decline. The database counts what was sent, and says whether another
 * may be: one an hour and three in all for a student and a mailbox.
 *
 * Throws `buddy_phone_invalid`, `buddy_not_found`, `buddy_email_missing`, `buddy_unavailable`, `buddy_verified`,
 * `consent_required`, `verification_attempts_exhausted` and `rate_limited`, whose details have `retry_after_s`.
 */
export async function sendVerification(
  database: Database,
  { studentId, contactId, phone, address, userAgent }: VerificationRequest,
): Promise<'sent' | 'resent'> {
  if (!isMobileNumber(phone)) {
    throw new ServiceError(
      'buddy_phone_invalid',
      'The number of this person is not one of a mobile phone. Correct it first.',
    )
  }
  const [answer] = await database<[{ outcome: Reason | 'sent' | 'resent'; retry_after_s: number | null }]>`
    select * from private.send_verification(
      ${studentId}, ${contactId}, ${phone}, ${address}::inet, ${userAgent}, now()
    )`
  if (answer.outcome === 'sent' || answer.outcome === 'resent') return answer.outcome
  throw ERRORS[answer.outcome](answer.retry_after_s)
}

const ERRORS: Record<Reason, (retryAfterS: number | null) => ServiceError> = {
  not_found: contactNotFound,
  changed: () => new ServiceError('buddy_unavailable', 'The number was changed meanwhile. Try again.'),
  no_consent: () => consentRequired('support_circle'),
  verified: () => new ServiceError('buddy_verified', 'This person has agreed already.'),
  unavailable: () =>
    new ServiceError('buddy_unavailable', 'This person is inactive or declined, and cannot be asked.'),
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
