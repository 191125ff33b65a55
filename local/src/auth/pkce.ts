import { createHash, randomUUID } from 'node:crypto'
import type { AuthContext, Queries } from './context.ts'
import { errors } from './errors.ts'
import { type SessionResponse, startSession } from './sessions.ts'
import { findUser } from './users.ts'

interface FlowState {
  id: string
  user_id: string
  auth_code: string
  authentication_method: string
  code_challenge: string
  code_challenge_method: string
  created_at: string
}

const lifetimeSeconds = 300

/** Remembers the challenge that a link was requested with, until the link is followed and its code exchanged. */
export async function storeChallenge(
  sql: Queries,
  userId: string,
  challenge: string,
  method: string,
  flow: string,
) {
  if (challenge.length < 43 || challenge.length > 128) {
    throw errors.validation('code challenge has to be between 43 and 128 characters')
  }
  if (!['s256', 'plain'].includes(method.toLowerCase()))
    throw errors.validation('Invalid code_challenge_method')
  await sql`
    insert into auth.flow_state
      (id, user_id, auth_code, authentication_method, provider_type, code_challenge, code_challenge_method,
       created_at, updated_at)
    values (${randomUUID()}, ${userId}, ${randomUUID()}, ${flow}, 'email', ${challenge}, ${method.toLowerCase()},
      now(), now())`
}

/** The code that a followed link hands to the app, for the user's latest request. */
export async function authCodeOf(sql: Queries, userId: string): Promise<string> {
  const [flow] = await sql<FlowState[]>`
    update auth.flow_state set auth_code_issued_at = now(), updated_at = now()
    where id = (select id from auth.flow_state where user_id = ${userId} order by created_at desc limit 1)
    returning *`
  if (!flow) throw errors.flowStateNotFound()
  return flow.auth_code
}

/** Exchanges a link's code and the app's verifier for a session, once. */
export async function exchangeCode(
  context: AuthContext,
  code: string,
  verifier: string,
  request: Request,
): Promise<SessionResponse> {
  const [flow] = await context.sql<FlowState[]>`
    select * from auth.flow_state
    where auth_code = ${code} and auth_code_issued_at > now() - make_interval(secs => ${lifetimeSeconds})`
  if (!flow) throw errors.flowStateNotFound()
  const challenge =
    flow.code_challenge_method === 's256'
      ? createHash('sha256').update(verifier).digest('base64url')
      : verifier
  if (challenge !== flow.code_challenge) throw errors.badCodeVerifier()
  const removed = await context.sql`delete from auth.flow_state where id = ${flow.id} returning id`
  const user = await findUser(context.sql, flow.user_id)
  if (removed.length === 0 || !user) throw errors.flowStateNotFound()
  return startSession(context, user, flow.authentication_method, request)
}
