import * as z from 'zod'
import { ServiceError } from '../_shared/errors.ts'
import { consumeAccountRateLimit } from '../_shared/http/rate-limit.ts'
import { type Call, endpoint } from '../_shared/http/serve.ts'
import { signInWithPassword } from './auth.ts'

const erasure = z
  .object({
    id: z.guid().describe('Number of the erasure, and of the receipt that is mailed when it is done.'),
    status: z
      .enum(['scheduled', 'held', 'final'])
      .describe(
        'scheduled: it can be cancelled. held: a legal hold keeps the account, whatever the time. final: the account is about to be deleted.',
      ),
    requested_at: z.iso.datetime({ offset: true }).describe('When it was asked for.'),
    final_at: z.iso
      .datetime({ offset: true })
      .describe('Until when it can be cancelled; then the account is deleted.'),
    hold: z
      .object({
        reason: z.string().describe('Why the account must be kept.'),
        since: z.iso.datetime({ offset: true }).describe('Since when.'),
      })
      .nullable()
      .describe('The legal hold on the account; null when there is none, or the law forbids to tell.'),
  })
  .describe('The erasure that was asked for.')

const common = { tag: 'Privacy', path: '/api/privacy/erasure', security: 'user' } as const

const exampleResponse = {
  id: '2f9e1b1c-8a55-4a0e-9c55-6a1f7a2d9f10',
  status: 'scheduled',
  requested_at: '2026-11-22T09:00:00+00:00',
  final_at: '2026-11-25T09:00:00+00:00',
  hold: null,
} as const

const requestErasure = endpoint(
  {
    ...common,
    id: 'requestErasure',
    method: 'post',
    summary: 'Asks to delete the account with everything that is stored of the caller',
    description:
      'It can be cancelled for 72 hours. Then every session ends, and within 24 hours everything is deleted and searched for; a receipt is mailed. Asking again changes nothing. A wrong password counts as a failed sign-in: 10 tries an address within 5 minutes.',
    body: z.strictObject({
      password: z.string().min(1).max(1000).describe('Password of the account, asked for again.'),
    }),
    response: erasure,
    errors: [
      'wrong_password',
      'last_security_administrator',
      'last_university_administrator',
      'rate_limited',
    ],
    example: { body: { password: 'an-invented-password-1' } },
    exampleResponse,
  },
  async ({ body: { password } }, call) => {
    const { database, context, caller } = call
    await consumeAccountRateLimit(database, context, caller.userId)
    await checkPassword(call, password)
    const [last] = await database<[{ ofSecurity: boolean; ofUniversity: boolean }]>`
      select
        private.is_last_security_administrator(${caller.userId}) as "ofSecurity",
        exists (select from private.administered_alone(${caller.userId})) as "ofUniversity"`
    if (last.ofSecurity) {
      throw new ServiceError(
        'last_security_administrator',
        'Nobody else administers security here: make another security administrator first.',
      )
    }
    if (last.ofUniversity) {
      throw new ServiceError(
        'last_university_administrator',
        'Nobody else administers your university here: make another administrator first.',
      )
    }
    await database`select private.request_erasure(${caller.userId})`
    return erasureOf(call)
  },
)

const readErasure = endpoint(
  {
    ...common,
    id: 'readErasure',
    method: 'get',
    summary: 'Reads the state of the erasure that the caller asked for',
    response: erasure,
    errors: ['erasure_not_found', 'rate_limited'],
    exampleResponse,
  },
  async (_, call) => {
    await consumeAccountRateLimit(call.database, call.context, call.caller.userId)
    return erasureOf(call)
  },
)

const cancelErasure = endpoint(
  {
    ...common,
    id: 'cancelErasure',
    method: 'delete',
    summary: 'Cancels the erasure that the caller asked for',
    response: z.object({ cancelled: z.literal(true).describe('Always; an error says otherwise.') }),
    errors: ['erasure_not_found', 'erasure_final', 'rate_limited'],
    exampleResponse: { cancelled: true },
  },
  async (_, call) => {
    const { database, context, caller } = call
    await consumeAccountRateLimit(database, context, caller.userId)
    const [{ cancelled }] = await database<[{ cancelled: boolean }]>`
      select private.cancel_erasure(${caller.userId}) as cancelled`
    if (!cancelled) {
      await erasureOf(call)
      throw new ServiceError('erasure_final', 'It is too late to cancel: the account is about to be deleted.')
    }
    return { cancelled: true as const }
  },
)

/** `/api/privacy/erasure`: a person's own account, deleted with everything that is stored of them. */
export const ERASURE = [requestErasure, readErasure, cancelErasure] as const

/** The erasure that the caller asked for. Throws `erasure_not_found`. */
async function erasureOf({ database, caller }: Call): Promise<z.output<typeof erasure>> {
  const [{ found }] = await database<[{ found: unknown }]>`
    select private.erasure_view(${caller.userId}) as found`
  if (found === null) throw new ServiceError('erasure_not_found', 'You have not asked to be deleted.')
  return erasure.parse(found)
}

/** Asks Auth whether it is the caller who holds the token. Throws `wrong_password` and `rate_limited`. */
async function checkPassword(call: Call, password: string): Promise<void> {
  const [account] = await call.database<[{ email: string | null }?]>`
    select email from auth.users where id = ${call.caller.userId}`
  const wrongPassword = new ServiceError('wrong_password', 'The password is not right.')
  if (!account?.email) throw wrongPassword
  const credentials = { email: account.email, password }
  const { session } = await signInWithPassword({ ...call, caller: null }, credentials).catch((error) => {
    throw error instanceof ServiceError && error.code === 'invalid_credentials' ? wrongPassword : error
  })
  // Nobody goes on with the session that Auth opened for it.
  await call.supabase.auth.admin.signOut(session.access_token, 'local')
}
