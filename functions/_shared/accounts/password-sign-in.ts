import type { Session, User } from '@supabase/supabase-js'
import type { Database } from '../database.ts'
import { ServiceError } from '../errors.ts'
import { clientAddress } from '../http/client-address.ts'
import type { Environment } from '../http/environment.ts'
import type { PageCall } from '../http/page.ts'
import { pause } from '../http/pause.ts'
import { signInClient } from '../http/project-client.ts'
import { consumeOpenRateLimit } from '../http/rate-limit.ts'
import { signInRefusal } from './refusals.ts'

/** Auth answers sooner for an address without an account. Its usual time with one is below this, milliseconds. */
const SIGN_IN_MS = 400

type Services = { environment: Environment; database: Database }

/**
 * Signs a person in over Auth. Tries count against the limit of the address; one that fails is in the audit log.
 *
 * Throws `invalid_credentials` and `rate_limited`.
 */
export async function signInWithPassword(
  { environment, database }: Services,
  call: PageCall,
  credentials: { email: string; password: string },
): Promise<{ user: User; session: Session }> {
  await consumeOpenRateLimit(database, call.context, credentials.email, 'sign-in')
  const evenly = pause(SIGN_IN_MS)
  const { data, error } = await signInClient(environment, call).auth.signInWithPassword(credentials)
  if (!error) return data
  await evenly
  const refusal = signInRefusal(error)
  if (refusal instanceof ServiceError && refusal.status === 401) {
    await noteFailedSignIn(database, call, refusal.code)
  }
  throw toldWhenToRetry(refusal, call)
}

/** `Retry-After` goes with a refusal that names the seconds. */
export function toldWhenToRetry(refusal: Error, { context }: PageCall): Error {
  const seconds = refusal instanceof ServiceError ? refusal.details?.retry_after_s : undefined
  if (seconds !== undefined) context.headers.set('retry-after', String(seconds))
  return refusal
}

/** Who tried is not noted: the address may be a slip of somebody who has nothing to do with the service. */
async function noteFailedSignIn(
  database: Database,
  { request, context: { requestId } }: PageCall,
  reason: string,
): Promise<void> {
  await database`
    select private.audit(
      'sign_in_failed',
      actor => null,
      details => jsonb_build_object('reason', ${reason}::text),
      ip => ${clientAddress(request)}::inet,
      user_agent => ${request.headers.get('user-agent')},
      request_id => ${requestId}
    )`
}
