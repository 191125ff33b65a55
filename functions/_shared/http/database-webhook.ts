import type { z } from 'zod'
import type { Database } from '../database.ts'
import { ServiceError } from '../errors.ts'
import { readBody } from './body.ts'
import type { Environment } from './environment.ts'
import { checkCall } from './guard.ts'
import { checkOnlyRoute, handle } from './handle.ts'
import { jsonResponse } from './response.ts'
import { bearsSecret } from './secret.ts'
import { noteSecurityEvent } from './security-events.ts'

/** What a webhook started: the body of its response, and the work that goes on after it. */
type Started = { accepted: Record<string, string>; work: Promise<unknown> }

/**
 * A function that only the database calls, with a secret that both know.
 *
 * It responds with 202 at once, because the database sends webhooks in batches and waits for the slowest of each; the
 * platform keeps the process alive until `work` has ended.
 */
export function databaseWebhook<Schema extends z.ZodType>(
  name: string,
  { pipelineSecret, previousPipelineSecret }: Pick<Environment, 'pipelineSecret' | 'previousPipelineSecret'>,
  database: Database,
  schema: Schema,
  start: (event: z.infer<Schema>) => Started,
): (request: Request) => Promise<Response> {
  if (!pipelineSecret) throw new Error('PIPELINE_SECRET is not set; see docs/deployment.md')
  return handle(name, async (request, context) => {
    checkOnlyRoute(request, name, context)
    if (!bearsSecret(request, pipelineSecret, previousPipelineSecret)) {
      await noteSecurityEvent(database, request, { kind: 'worker_secret_refused', reason: 'unauthorized' })
      throw new ServiceError('unauthorized', 'Only the database calls this function.')
    }
    // Whoever has the secret is the database, wherever it calls from.
    await checkCall(database, request, name, { reachable: ['in_block'] })
    const { accepted, work } = start(await readBody(request, context.memory, schema))
    keepAlive(work)
    return jsonResponse(accepted, 202, context.requestId)
  })
}

declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined

/** Tells the platform that the process is still working after its response. */
function keepAlive(work: Promise<unknown>): void {
  if (typeof EdgeRuntime !== 'undefined') EdgeRuntime.waitUntil(work)
}
