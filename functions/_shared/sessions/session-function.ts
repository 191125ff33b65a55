import type * as z from 'zod'
import { type ConsentKind, consentRequired } from '../consent.ts'
import type { Database } from '../database.ts'
import { ServiceError } from '../errors.ts'
import { authenticate } from '../http/authenticate.ts'
import { readBody } from '../http/body.ts'
import type { Environment } from '../http/environment.ts'
import { checkOnlyRoute, handle } from '../http/handle.ts'
import { describeError, log } from '../http/log.ts'
import { consumeRateLimit, type RateLimitScope } from '../http/rate-limit.ts'
import { jsonResponse } from '../http/response.ts'
import type { Output, Route } from '../http/route.ts'
import { projectClient } from '../supabase/clients.ts'
import { announceError, findSession, type Session } from './session.ts'

/** A call of assessment sessions. */
export type SessionRoute = Route & {
  body: z.ZodType<{ sessionId: string }>
  limit: RateLimitScope
}

/** What one function of assessment sessions does, beside what all do. */
export type SessionCall<Call extends SessionRoute> = {
  /** What the student must have agreed to; `null` where the function looks itself. */
  consent: ConsentKind | null
  /** Named in the announcement of a failure. */
  analysisType?: 'audio' | 'visual' | 'text'
  /** Does the work and stores it; returns the answer without the session's id. `elapsedMs` counts from the request. */
  run(
    session: Session,
    request: z.output<Call['body']>,
    elapsedMs: () => number,
  ): Promise<Omit<Output<Call>, 'sessionId'>>
}

/**
 * A function of assessment sessions: the caller's own session, a limit per person. Once the session is known a failure is
 * announced on its channel, then answered.
 */
export function sessionFunction<Call extends SessionRoute>(
  route: Call,
  { environment, database }: { environment: Environment; database: Database },
  call: SessionCall<Call>,
): (request: Request) => Promise<Response> {
  const name = route.path.slice(1)
  const supabase = projectClient(environment)

  return handle(name, async (request, context) => {
    const started = performance.now()
    checkOnlyRoute(request, name, context)
    const { userId } = await authenticate(request, supabase)
    await consumeRateLimit(database, context, userId, route.limit)
    const body = await readBody<Call['body']>(request, route.body, route.maxBytes)
    const session = { id: body.sessionId, student: userId }
    const { agreed } = await findSession(database, session, call.consent)
    try {
      if (!agreed && call.consent) throw consentRequired(call.consent)
      const elapsedMs = () => Math.round((performance.now() - started) * 10) / 10
      const result = await call.run(session, body, elapsedMs)
      return jsonResponse({ sessionId: session.id, ...result }, 200, context.requestId)
    } catch (error) {
      await announce(database, session, error, call.analysisType)
      throw error
    }
  })
}

/** The answer carries the failure whether or not the channel could be told. */
async function announce(
  database: Database,
  session: Session,
  failure: unknown,
  analysisType: string | undefined,
): Promise<void> {
  const error =
    failure instanceof ServiceError ? failure.message : 'Something went wrong on our side. Try again.'
  try {
    await announceError(database, session, { error, ...(analysisType && { analysis_type: analysisType }) })
  } catch (lost) {
    log('warn', 'announcement_lost', describeError(lost))
  }
}
