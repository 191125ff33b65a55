import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { bearerOf } from '../http/caller.ts'
import { Rate } from '../http/rate.ts'
import { authenticate } from './account.ts'
import { type AuthApp, type AuthContext, bodyOf, type Queries } from './context.ts'
import { errors } from './errors.ts'
import { type FactorRow, factorsOf, ownFactor } from './factors.ts'
import { reportCode } from './hooks.ts'
import { addressOf, lowerSessions, raiseSession, type SessionRow } from './sessions.ts'
import { createTotpKey, isTotpCode } from './totp.ts'
import { findUser, type UserRow } from './users.ts'

/** Seconds after which a challenge expires, and a factor that was never challenged is removed. */
const lifetimeSeconds = 300

/**
 * `/factors`: multi-factor sign-in with codes of an authenticator app.
 *
 * Source: internal/api/mfa.go and internal/models/factor.go of supabase/auth.
 *
 * @param requestsPerMinute challenges, and as many verifications, of one address; twice as many at once
 */
export function addFactorRoutes(app: AuthApp, context: AuthContext, requestsPerMinute = 15): void {
  const limitChallenges = limitByAddress(requestsPerMinute)
  const limitVerifications = limitByAddress(requestsPerMinute)

  async function holderOf(request: Request) {
    const { user, session } = await authenticate(context, bearerOf(request))
    if (!session) throw errors.sessionNotFound()
    return { user, session }
  }

  // Not served; without this they would be taken for ids of factors.
  app.all('/factors/recovery-codes/*', (c) => c.notFound())
  app.post('/factors', async (c) => {
    const { user, session } = await holderOf(c.req.raw)
    return c.json(await enroll(context, user, session, await bodyOf(c.req.raw, enrollBody)))
  })
  app.post('/factors/:id/challenge', async (c) => {
    const { user } = await holderOf(c.req.raw)
    const factor = await ownFactor(context.sql, user.id, c.req.param('id'))
    limitChallenges(c.req.raw)
    return c.json(await challenge(context, factor, c.req.raw))
  })
  app.post('/factors/:id/verify', async (c) => {
    const { user, session } = await holderOf(c.req.raw)
    const factor = await ownFactor(context.sql, user.id, c.req.param('id'))
    limitVerifications(c.req.raw)
    const body = await bodyOf(c.req.raw, verifyBody)
    return c.json(await verify(context, user, session, factor, body, c.req.raw))
  })
  app.delete('/factors/:id', async (c) => {
    const { user, session } = await holderOf(c.req.raw)
    const factor = await ownFactor(context.sql, user.id, c.req.param('id'))
    return c.json(await unenroll(context, user, session, factor))
  })
}

/** Counts requests by address. @throws AuthError 429 `over_request_rate_limit` */
function limitByAddress(perMinute: number): (request: Request) => void {
  const rates = new Map<string, Rate>()
  return (request) => {
    const address = addressOf(request) ?? ''
    // Only holders of the secret key can name many addresses.
    if (rates.size > 10_000) rates.clear()
    const rate = rates.get(address) ?? new Rate(perMinute / 60, 120)
    rates.set(address, rate)
    if (!rate.take()) throw errors.overRequestRate()
  }
}

/** Until the end of the transaction, no other enrols, verifies or removes a factor of this account. */
async function lockAccount(sql: Queries, id: string): Promise<void> {
  await sql`select from auth.users where id = ${id} for no key update`
}

const enrollBody = z.object({
  factor_type: z.string().nullish(),
  friendly_name: z.string().nullish(),
  issuer: z.string().nullish(),
})

async function enroll(
  context: AuthContext,
  user: UserRow,
  session: SessionRow,
  body: z.infer<typeof enrollBody>,
) {
  const { settings, siteUrl } = context
  const type = body.factor_type
  if (type === 'phone' || type === 'webauthn') throw errors.mfaEnrollDisabled(type)
  if (type !== 'totp') throw errors.validation('factor_type needs to be totp, phone, or webauthn')
  if (!settings.mfa.totp.enroll_enabled) throw errors.mfaEnrollDisabled(type)
  const name = body.friendly_name ?? ''
  const totp = createTotpKey(body.issuer || new URL(siteUrl).host, user.email ?? '')
  const id = randomUUID()
  await context.sql.begin(async (sql) => {
    await lockAccount(sql, user.id)
    await removeExpired(sql)
    const factors = await factorsOf(sql, user.id)
    if (factors.some((factor) => (factor.friendly_name ?? '') === name)) throw errors.factorNameTaken(name)
    if (factors.length >= settings.mfa.max_enrolled_factors) throw errors.tooManyFactors()
    if (factors.some(({ status }) => status === 'verified') && session.aal !== 'aal2') {
      throw errors.insufficientAal(403, 'AAL2 required to enroll a new factor')
    }
    await sql`
      insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
      values (${id}, ${user.id}, ${name}, 'totp', 'unverified', ${totp.secret}, now(), now())`
  })
  return { id, type, friendly_name: name, totp }
}

/** Challenges after a day (internal/models/cleanup.go), and then factors that nobody is about to verify. */
async function removeExpired(sql: Queries): Promise<void> {
  await sql`delete from auth.mfa_challenges where created_at < now() - interval '24 hours'`
  await sql`
    delete from auth.mfa_factors f
    where status <> 'verified' and created_at < now() - make_interval(secs => ${lifetimeSeconds})
      and not exists (select from auth.mfa_challenges c where c.factor_id = f.id)`
}

/** Only codes of apps are served: a factor of another type has no secret, or one that is none. */
function assertVerifiable({ settings }: AuthContext, { factor_type: type }: FactorRow): void {
  if (type !== 'totp' || !settings.mfa.totp.verify_enabled) throw errors.mfaVerifyDisabled(type)
}

async function challenge(context: AuthContext, factor: FactorRow, request: Request) {
  assertVerifiable(context, factor)
  const id = randomUUID()
  const [stored] = await context.sql<{ expires_at: number }[]>`
    with challenged as (
      update auth.mfa_factors set last_challenged_at = clock_timestamp() where id = ${factor.id} returning id
    )
    insert into auth.mfa_challenges (id, factor_id, created_at, ip_address)
    select ${id}, challenged.id, now(), ${addressOf(request)} from challenged
    returning floor(extract(epoch from created_at))::int + ${lifetimeSeconds}::int as expires_at`
  if (!stored) throw errors.factorNotFound()
  return { id, type: factor.factor_type, expires_at: stored.expires_at }
}

const verifyBody = z.object({ challenge_id: z.guid(), code: z.string().nullish() })

async function verify(
  context: AuthContext,
  user: UserRow,
  session: SessionRow,
  factor: FactorRow,
  body: z.infer<typeof verifyBody>,
  request: Request,
) {
  if (!body.code) throw errors.validation('Code needs to be non-empty')
  assertVerifiable(context, factor)
  await assertOpen(context.sql, factor, body.challenge_id, addressOf(request))
  const valid = isTotpCode(factor.secret ?? '', body.code)
  await reportCode(context, factor, valid, addressOf(request))
  if (!valid) throw errors.mfaVerificationFailed()
  const raised = await context.sql.begin(async (sql) => {
    await lockAccount(sql, user.id)
    const claimed = await sql`
      update auth.mfa_challenges set verified_at = now()
      where id = ${body.challenge_id} and verified_at is null returning id`
    if (claimed.length === 0) throw errors.mfaChallengeNotYours()
    await sql`
      update auth.mfa_factors set status = 'verified', updated_at = now()
      where id = ${factor.id} and status <> 'verified'`
    const current = (await findUser(sql, user.id)) ?? user
    const raised = await raiseSession(context, sql, current, session.id, factor.id)
    // After the hook, which still sees their challenges.
    await sql`
      delete from auth.mfa_factors
      where user_id = ${user.id} and status = 'unverified' and factor_type = ${factor.factor_type}`
    return raised
  })
  if (factor.status !== 'verified') await context.mailer.notify('mfa_factor_enrolled', noticeOf(user, factor))
  return raised
}

function noticeOf({ email, raw_user_meta_data: data }: UserRow, { factor_type: factorType }: FactorRow) {
  return { to: email ?? '', email: email ?? '', factorType, data }
}

/** @throws AuthError when a challenge is not of this factor and address, was verified already, or has expired */
async function assertOpen(sql: Queries, factor: FactorRow, id: string, address: string | null) {
  const [found] = await sql<{ is_open: boolean; has_expired: boolean }[]>`
    select
      verified_at is null and ip_address is not distinct from ${address}::inet as is_open,
      created_at < now() - make_interval(secs => ${lifetimeSeconds}) as has_expired
    from auth.mfa_challenges where id = ${id} and factor_id = ${factor.id}`
  if (!found) throw errors.mfaChallengeNotFound()
  if (!found.is_open) throw errors.mfaChallengeNotYours()
  if (!found.has_expired) return
  await sql`delete from auth.mfa_challenges where id = ${id}`
  throw errors.mfaChallengeExpired(id)
}

async function unenroll({ sql, mailer }: AuthContext, user: UserRow, session: SessionRow, factor: FactorRow) {
  if (factor.status === 'verified' && session.aal !== 'aal2') {
    throw errors.insufficientAal(422, 'AAL2 required to unenroll verified factor')
  }
  await sql.begin(async (transaction) => {
    await lockAccount(transaction, user.id)
    // Not when it has been verified meanwhile, which takes more than this session may have.
    const removed = await transaction`
      delete from auth.mfa_factors where id = ${factor.id} and status = ${factor.status} returning id`
    if (removed.length === 0) throw errors.factorNotFound()
    await lowerSessions(transaction, factor.id)
  })
  await mailer.notify('mfa_factor_unenrolled', noticeOf(user, factor))
  return { id: factor.id }
}
