import * as z from 'zod'
import { crisisResources } from '../crisis-resources.ts'
import type { Database } from '../database.ts'
import { ServiceError } from '../errors.ts'
import { clientAddress } from '../platform/client-address.ts'
import { sessionOf } from './authenticate.ts'
import { isByOtherPage } from './fetch-metadata.ts'
import type { RequestContext } from './handle.ts'
import { applyLimit } from './rate-limit.ts'

/** Why `private.enforce_on_function` refuses a request. */
const rejection = z
  .discriminatedUnion('code', [
    z.object({ code: z.literal('access_blocked'), crisis_resources: crisisResources }),
    z.object({ code: z.literal('mfa_required') }),
    z.object({
      code: z.literal('rate_limited'),
      allowed: z.boolean(),
      max_requests: z.int(),
      remaining: z.int(),
      reset_s: z.int(),
      period_s: z.int(),
    }),
  ])
  .nullable()

/** A request, and whoever Auth says its token belongs to; null when nobody is signed in. */
type Enforced = {
  database: Database
  request: Request
  context: RequestContext
  caller: { userId: string; token: string } | null
}

/**
 * Enforces the security policies on a request, before anything else is done for it.
 *
 * Throws `access_blocked`, `mfa_required` and `rate_limited`.
 */
export async function enforceSecurityPolicies({
  database,
  request,
  context,
  caller,
}: Enforced): Promise<void> {
  const [row] = await database<[{ rejection: unknown }]>`
    select private.enforce_on_function(
      ${caller?.userId ?? null}, ${caller && sessionOf(caller.token)}::uuid, ${clientAddress(request)}::inet,
      ${request.method}, ${new URL(request.url).pathname}, ${request.headers.get('user-agent')}, ${isByOtherPage(request)}
    ) as rejection`
  const refused = rejection.parse(row.rejection)
  switch (refused?.code) {
    case 'access_blocked':
      throw new ServiceError(
        'access_blocked',
        'A security policy blocks this. Help is in details.crisis_resources.',
        { crisis_resources: refused.crisis_resources },
      )
    case 'mfa_required':
      throw new ServiceError(
        'mfa_required',
        'This needs a second factor. Give the code of your authenticator app, then repeat the call with the new token.',
      )
    case 'rate_limited':
      applyLimit(context, refused)
  }
}
