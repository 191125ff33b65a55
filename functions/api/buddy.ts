import * as z from 'zod'
import { id } from '../_shared/fields.ts'
import { endpoint } from '../_shared/http/serve.ts'
import { requestCheckIn } from '../_shared/support/requests.ts'

const CONTACT = '4b1f2f6e-0a53-4a37-8f0e-2d9b6c1a7e55'

const askContact = endpoint(
  {
    id: 'requestBuddyCheckIn',
    method: 'post',
    path: '/api/buddy/request-check-in',
    tag: 'Support circle',
    security: 'user',
    limit: 'data-api',
    summary: 'Asks a contact by text to check in on the student',
    description:
      "Once in 24 hours for a contact, and for a number; earlier it is `rate_limited`. At night at the contact's the text waits for the morning, unless they allowed texts at night.",
    body: z.strictObject({ buddyContactId: id.describe('The contact') }),
    response: z.strictObject({
      success: z.literal(true).describe('Always true; an error has no such body'),
      message: z.string().describe('What happens now, in a sentence to the student'),
      requestId: z.uuid().describe('The row of `buddy_check_in_requests`'),
      sending: z.enum(['now', 'in_the_morning']).describe('When the text is sent'),
      sendAt: z.iso.datetime().describe('From when on it is sent'),
    }),
    errors: ['consent_required', 'buddy_not_found', 'buddy_unavailable'],
    example: { body: { buddyContactId: CONTACT } },
    exampleResponse: {
      success: true,
      message: 'Your contact gets the text now.',
      requestId: 'a1d6f0b2-5c3e-4a7d-9b8f-0e2c4d6a8b1c',
      sending: 'now',
      sendAt: '2026-11-22T15:04:05.000Z',
    },
  },
  async ({ body }, { database, caller }) => {
    const { requestId, sendAt, waits } = await requestCheckIn(database, caller.userId, body.buddyContactId)
    return {
      success: true as const,
      message: waits
        ? "It is night at your contact's. They get the text when their day begins."
        : 'Your contact gets the text now.',
      requestId,
      sending: waits ? ('in_the_morning' as const) : ('now' as const),
      sendAt: sendAt.toISOString(),
    }
  },
)

/** `/api/buddy/…`, other than the page of a verification. */
export const BUDDY = [askContact] as const
