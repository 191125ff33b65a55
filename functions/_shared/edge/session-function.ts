import type * as z from 'zod'
import { type ConsentKind, consentRequired } from '../consent.ts'
import type { Output } from '../contract/operation.ts'
import type { Database } from '../database.ts'
import { ServiceError } from '../errors.ts'
import { announceError, findSession, type Session } from '../sessions/session.ts'
import { answer } from './answer.ts'
import { authenticate } from './authenticate.ts'
import { readBody } from './body.ts'
import type { Environment } from './environment.ts'
import { handle } from './handle.ts'
import { describeError, log } from './log.ts'
import { checkOnlyCall } from './only-call.ts'
import { projectClient } from './project-client.ts'
import { type RateLimitScope, takeRateLimit } from './rate-limit.ts'
import type { ServedOperation } from './serve.ts'

/** A call of assessment sessions. */
export type SessionOperation = ServedOperation & {
  body: z.ZodType<{ sessionId: string }>
  limit: RateLimitScope
}

/** What one function of assessment sessions does, beside what all do. */
export type SessionCall<Call extends SessionOperation> = {
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
export function sessionFunction<Call extends SessionOperation>(
  operation: Call,
  { environment, database }: { environment: Environment; database: Database },
  call: SessionCall<Call>,
): (request: Request) => Promise<Response> {
  const name = operation.path.slice(1)
  const supabase = projectClient(environment)

  return handle(name, async (request, exchange) => {
    const started = performance.now()
    checkOnlyCall(request, name, exchange)
    const { userId } = await authenticate(request, supabase)
    await takeRateLimit(database, exchange, userId, operation.limit)
    const body = await readBody<Call['body']>(request, operation.body, operation.maxBytes)
    const session = { id: body.sessionId, student: userId }
    const { agreed } = await findSession(database, session, call.consent)
    try {
      if (!agreed && call.consent) throw consentRequired(call.consent)
      const elapsedMs = () => Math.round((performance.now() - started) * 10) / 10
      const result = await call.run(session, body, elapsedMs)
      return answer({ sessionId: session.id, ...result }, 200, exchange.requestId)
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
