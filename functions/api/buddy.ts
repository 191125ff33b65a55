import * as z from 'zod'
import { ServiceError } from '../_shared/errors.ts'
import { id } from '../_shared/fields.ts'
import { endpoint } from '../_shared/http/serve.ts'
import { callerClient, clientAddress } from '../_shared/supabase/clients.ts'
import { phoneOfContact } from '../_shared/support/contact.ts'
import { sendVerification } from '../_shared/support/verification.ts'

const common = { method: 'post', tag: 'Support circle', security: 'user', limit: 'data-api' } as const

const sendBuddyVerification = endpoint(
  {
    ...common,
    id: 'sendBuddyVerification',
    path: '/api/buddy/send-verification',
    summary: 'Asks a contact by email whether they agree to be in the support circle',
    description:
      'The link in the email is valid for 7 days and replaces earlier ones. One email an hour and three in all for an address, also when the contact was deleted and added again.',
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
      'buddy_unavailable',
      'buddy_verified',
      'verification_attempts_exhausted',
    ],
    example: {
      body: {
        buddyContactId: '0d5b8f6e-5a0c-4a6b-8b1e-2f6d3c9a7e41',
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

/** `/api/buddy/*`: the support circle, as the student uses it. */
export const BUDDY = [sendBuddyVerification] as const
