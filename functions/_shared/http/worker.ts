import type * as z from 'zod'
import type { Database } from '../database.ts'
import { ServiceError } from '../errors.ts'
import { readBody } from './body.ts'
import type { Environment } from './environment.ts'
import { checkCall } from './guard.ts'
import { jsonResponse } from './response.ts'
import type { Route } from './route.ts'
import { bearsSecret } from './secret.ts'
import { noteSecurityEvent } from './security-events.ts'
import type { Endpoint } from './serve.ts'

type Services = {
  environment: Pick<Environment, 'pipelineSecret' | 'previousPipelineSecret'>
  database: Database
}

/**
 * A route that only the database calls, by a webhook with a secret that both know. `begin` starts what it is for.
 *
 * It responds with 202 and `accepted` at once, because the database sends webhooks in batches and waits for the slowest of each;
 * the platform keeps the process alive until `work` has ended.
 */
export function worker<Event, Accepted>(
  route: Route & {
    security: 'database'
    body: z.ZodType<Event>
    response: z.ZodType<unknown, Accepted>
  },
  begin: (event: Event) => { accepted: Accepted; work: Promise<unknown> },
): Endpoint<Services> {
  return {
    ...route,
    start({ environment: { pipelineSecret, previousPipelineSecret }, database }) {
      if (!pipelineSecret) throw new Error('PIPELINE_SECRET is not set; see docs/deployment.md')
      return async (request, context) => {
        if (!bearsSecret(request, pipelineSecret, previousPipelineSecret)) {
          await noteSecurityEvent(database, request, {
            kind: 'worker_secret_refused',
            reason: 'unauthorized',
          })
          throw new ServiceError('unauthorized', 'Only the database calls this function.')
        }
        await checkCall(database, request, context.functionName, route)
        const { accepted, work } = begin(await readBody(request, context.memory, route.body))
        keepAlive(work)
        return jsonResponse(accepted, 202, context.requestId)
      }
    },
  }
}

declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined

/** Tells the platform that the process is still working after its response. */
function keepAlive(work: Promise<unknown>): void {
  if (typeof EdgeRuntime !== 'undefined') EdgeRuntime.waitUntil(work)
}
