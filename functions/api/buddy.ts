import * as z from 'zod'
import { ServiceError } from '../_shared/errors.ts'
import { id } from '../_shared/fields.ts'
import { endpoint } from '../_shared/http/serve.ts'
import { clientAddress } from '../_shared/platform/client-address.ts'
import { callerClient } from '../_shared/platform/clients.ts'
import { requestCheckIn } from '../_shared/support/requests.ts'
import { phoneOfContact, sendVerification } from '../_shared/support/verification.ts'

const CONTACT = '0d5b8f6e-5a0c-4a6b-8b1e-2f6d3c9a7e41'

const common = { method: 'post', tag: 'Support circle', security: 'user', limit: 'data-api' } as const

const sendBuddyVerification = endpoint(
  {
    ...common,
    id: 'sendBuddyVerification',
    path: '/api/buddy/send-verification',
    summary: 'Asks a contact by email whether they agree to be in the support circle',
    description:
      'The link in the email is valid for 7 days and replaces earlier ones. One email an hour and three in all for an address, also when the contact was deleted and added again, and ten a day to an address from all students. A contact who agrees is verified. Their number then gets one text that asks whether it agrees too; `phone_confirmed_at` of the contact says when it did.',
    body: z.strictObject({
      buddyContactId: id.describe('The row of `buddy_contacts`.'),
      userId: id.describe('The caller’s own account.'),
    }),
    response: z.strictObject({
      success: z.literal(true).describe('Always true; an error has another status.'),
      message: z.string().describe('What was done, for the student to read.'),
    }),
    errors: [
      'forbidden',
      'consent_required',
      'buddy_not_found',
      'buddy_email_missing',
      'buddy_phone_invalid',
      'buddy_country_unsupported',
      'buddy_unavailable',
      'buddy_verified',
      'verification_attempts_exhausted',
    ],
    example: {
      body: {
        buddyContactId: CONTACT,
        userId: '5b0f2d0e-0d0c-4c0e-9d6e-0f6d1d7a1c11',
      },
    },
    exampleResponse: { success: true, message: 'The email is on its way.' },
  },
  async ({ body: { buddyContactId, userId } }, call) => {
    const { caller, context, database, request } = call
    if (userId !== caller.userId) {
      throw new ServiceError('forbidden', 'Ask for your own contacts: userId is your account.')
    }
    try {
      await sendVerification(database, {
        studentId: caller.userId,
        contactId: buddyContactId,
        phone: await phoneOfContact(callerClient(call), buddyContactId),
        address: clientAddress(request),
        userAgent: request.headers.get('user-agent'),
      })
    } catch (error) {
      if (error instanceof ServiceError && error.details?.retry_after_s !== undefined) {
        context.headers.set('retry-after', String(error.details.retry_after_s))
      }
      throw error
    }
    return { success: true as const, message: 'The email is on its way.' }
  },
)

const askContact = endpoint(
  {
    ...common,
    id: 'requestBuddyCheckIn',
    path: '/api/buddy/request-check-in',
    summary: 'Asks a contact by text to check in on the student',
    description:
      "Once in 24 hours for a contact, and for a number, and six times in all for a number that several students ask; earlier it is `rate_limited`. At night at the contact's the text waits for the morning, unless they allowed texts at night. While the contact's number has not agreed (`phone_confirmed_at` is null) it waits for that, 24 hours at most, and is `cancelled` then.",
    body: z.strictObject({ buddyContactId: id.describe('The contact') }),
    response: z.strictObject({
      success: z.literal(true).describe('Always true; an error has no such body'),
      message: z.string().describe('What happens now, in a sentence to the student'),
      request_id: z.uuid().describe('The row of `buddy_check_in_requests`'),
      sending: z.enum(['now', 'in_the_morning', 'when_they_agree']).describe('When the text is sent'),
      send_at: z.iso
        .datetime()
        .nullable()
        .describe('From when on it is sent; null while the number has not agreed'),
    }),
    errors: ['consent_required', 'buddy_not_found', 'buddy_unavailable'],
    example: { body: { buddyContactId: CONTACT } },
    exampleResponse: {
      success: true,
      message: 'Your contact gets the text now.',
      request_id: 'a1d6f0b2-5c3e-4a7d-9b8f-0e2c4d6a8b1c',
      sending: 'now',
      send_at: '2026-11-22T15:04:05.000Z',
    },
  },
  async ({ body }, { database, caller }) => {
    const { requestId, sendAt, waitsFor } = await requestCheckIn(database, caller.userId, body.buddyContactId)
    return {
      success: true as const,
      ...SENDING[waitsFor ?? 'nothing'],
      request_id: requestId,
      send_at: sendAt?.toISOString() ?? null,
    }
  },
)

/** When a text is sent, by what it waits for. */
const SENDING = {
  nothing: { message: 'Your contact gets the text now.', sending: 'now' },
  day: {
    message: "It is night at your contact's. They get the text when their day begins.",
    sending: 'in_the_morning',
  },
  agreement: {
    message:
      'Your contact has yet to confirm their number. They get the text as soon as they do, if that is within 24 hours.',
    sending: 'when_they_agree',
  },
} as const

/** `/api/buddy/*`, other than the page of a verification: the support circle, as the student uses it. */
export const BUDDY = [sendBuddyVerification, askContact] as const
