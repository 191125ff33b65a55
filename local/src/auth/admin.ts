import { createHash } from 'node:crypto'
import { z } from 'zod'
import { parseDuration } from '../config.ts'
import { bearerOf, type Caller } from '../http/caller.ts'
import { type AuthApp, type AuthContext, bodyOf } from './context.ts'
import { errors } from './errors.ts'
import { factorResponse, factorsOf, ownFactor } from './factors.ts'
import { createLink, createOtp, hashOtp, type LinkKind, sendLink, verifyUrl } from './links.ts'
import { allowedRedirect, redirectOf } from './redirects.ts'
import { endSessions } from './sessions.ts'
import { metadata, normalizeEmail } from './sign-up.ts'
import {
  createUser,
  findUser,
  findUserByEmail,
  mergeMetadata,
  type UserChanges,
  type UserRow,
  updateEmailIdentity,
  updateUser,
  userResponse,
} from './users.ts'

/** `/admin/…` and `/invite`, for the secret key only. */
export function addAdminRoutes(app: AuthApp, context: AuthContext): void {
  app.use('/admin/*', async (c, next) => {
    assertAdmin(c.env.caller, c.req.raw)
    await next()
  })
  app.get('/admin/users', (c) => adminListUsers(context, new URL(c.req.url)))
  app.post('/admin/users', async (c) =>
    c.json(await adminCreateUser(context, await bodyOf(c.req.raw, adminUserBody))),
  )
  app.get('/admin/users/:id', async (c) => c.json(await adminGetUser(context, c.req.param('id'))))
  app.put('/admin/users/:id', async (c) =>
    c.json(await adminUpdateUser(context, c.req.param('id'), await bodyOf(c.req.raw, adminUserBody))),
  )
  app.delete('/admin/users/:id', async (c) => {
    const body: unknown = await c.req.json().catch(() => ({}))
    const soft =
      typeof body === 'object' &&
      body !== null &&
      'should_soft_delete' in body &&
      body.should_soft_delete === true
    await adminDeleteUser(context, c.req.param('id'), soft)
    return c.json({})
  })
  app.get('/admin/users/:id/factors', async (c) => {
    const user = await existing(context, c.req.param('id'))
    return c.json((await factorsOf(context.sql, user.id)).map(factorResponse))
  })
  app.delete('/admin/users/:id/factors/:factor', async (c) => {
    const user = await existing(context, c.req.param('id'))
    const factor = await ownFactor(context.sql, user.id, c.req.param('factor'))
    // Sessions that it has raised stay so, as with GoTrue (adminUserDeleteFactor in internal/api/admin.go).
    await context.sql`delete from auth.mfa_factors where id = ${factor.id}`
    return c.json(factorResponse(factor))
  })
  app.post('/admin/generate_link', async (c) =>
    c.json(
      await generateLink(context, await bodyOf(c.req.raw, generateLinkBody), redirectOf(c.req.raw, context)),
    ),
  )
  app.post('/invite', async (c) => {
    assertAdmin(c.env.caller, c.req.raw)
    return c.json(
      await inviteUser(context, await bodyOf(c.req.raw, inviteBody), redirectOf(c.req.raw, context)),
    )
  })
}

function assertAdmin(caller: Caller, request: Request): void {
  if (caller.role === 'service_role' || caller.role === 'supabase_admin') return
  if (bearerOf(request) === null && !caller.token) throw errors.noAuthorization()
  throw errors.notAdmin()
}

export const adminUserBody = z.object({
  id: z.uuid().nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
  password_hash: z.string().nullish(),
  email_confirm: z.boolean().nullish(),
  role: z.string().nullish(),
  user_metadata: metadata.nullish(),
  app_metadata: metadata.nullish(),
  ban_duration: z.string().nullish(),
})
type AdminUser = z.infer<typeof adminUserBody>

function bannedUntil(duration: string): string | null {
  if (duration === 'none') return null
  try {
    return new Date(Date.now() + parseDuration(duration) * 1000).toISOString()
  } catch {
    throw errors.validation(`invalid format for ban duration: time: invalid duration "${duration}"`)
  }
}

async function changesOf(context: AuthContext, body: AdminUser, user?: UserRow): Promise<UserChanges> {
  const changes: UserChanges = {}
  if (body.phone) throw errors.phoneDisabled()
  if (body.email) changes.email = normalizeEmail(body.email)
  if (body.role) changes.role = body.role
  if (body.email_confirm) changes.email_confirmed_at = new Date().toISOString()
  if (body.ban_duration) changes.banned_until = bannedUntil(body.ban_duration)
  if (body.password) {
    context.passwords.assertAcceptable(body.password)
    changes.encrypted_password = await context.passwords.hash(body.password)
  } else if (body.password_hash) changes.encrypted_password = body.password_hash
  if (body.user_metadata) {
    changes.raw_user_meta_data = mergeMetadata(user?.raw_user_meta_data ?? null, body.user_metadata)
  }
  if (body.app_metadata)
    changes.raw_app_meta_data = mergeMetadata(user?.raw_app_meta_data ?? null, body.app_metadata)
  return changes
}

async function existing(context: AuthContext, id: string): Promise<UserRow> {
  if (!z.uuid().safeParse(id).success) throw Object.assign(errors.validation('user_id must be an UUID', 404))
  const user = await findUser(context.sql, id)
  if (!user) throw errors.userNotFound()
  return user
}

export async function adminCreateUser(context: AuthContext, body: AdminUser) {
  if (!body.email) throw errors.validation('Cannot create a user without either an email or phone')
  const changes = await changesOf(context, body)
  const email = normalizeEmail(body.email)
  if (await findUserByEmail(context.sql, email)) throw errors.emailExists()
  const user = await createUser(context.sql, { ...changes, email, ...(body.id ? { id: body.id } : {}) })
  return userResponse(context.sql, user)
}

export async function adminGetUser(context: AuthContext, id: string) {
  return userResponse(context.sql, await existing(context, id))
}

export async function adminUpdateUser(context: AuthContext, id: string, body: AdminUser) {
  const user = await existing(context, id)
  const changes = await changesOf(context, body, user)
  if (changes.email && changes.email !== user.email) {
    const holder = await findUserByEmail(context.sql, changes.email)
    if (holder && holder.id !== id) throw errors.emailExists()
  }
  const updated = await updateUser(context.sql, id, changes)
  if (changes.email || changes.email_confirmed_at) {
    await updateEmailIdentity(context.sql, updated, updated.email_confirmed_at !== null)
  }
  if (changes.encrypted_password) await endSessions(context.sql, id, 'global')
  return userResponse(context.sql, updated)
}

const obfuscated = (id: string, value: string) =>
  createHash('sha256')
    .update(id + value)
    .digest('base64url')

/** Deletes an account; softly: keeps the row without anything that names the person. */
export async function adminDeleteUser(context: AuthContext, id: string, soft: boolean): Promise<void> {
  const user = await existing(context, id)
  const { sql } = context
  if (!soft) {
    await sql`delete from auth.users where id = ${id}`.catch((cause: unknown) => {
      throw Object.assign(errors.unexpected('Database error deleting user'), { cause })
    })
    return
  }
  await updateUser(sql, id, {
    email: user.email ? obfuscated(id, user.email) : null,
    encrypted_password: '',
    confirmation_token: '',
    recovery_token: '',
    email_change: '',
    email_change_token_current: '',
    email_change_token_new: '',
    reauthentication_token: '',
    raw_user_meta_data: {},
    raw_app_meta_data: {},
    deleted_at: new Date().toISOString(),
  })
  await sql`
    update auth.identities set identity_data = '{}', updated_at = now(),
      provider_id = ${obfuscated(id, 'identity')} || provider
    where user_id = ${id}`
  await sql`delete from auth.mfa_factors where user_id = ${id}`
  await endSessions(sql, id, 'global')
}

const positive = (text: string | null, fallback: number) => {
  const value = text === null || text === '' ? fallback : Number(text)
  if (!Number.isInteger(value) || value < 1) throw errors.validation('Bad Pagination Parameters')
  return value
}

export async function adminListUsers(context: AuthContext, url: URL): Promise<Response> {
  const page = positive(url.searchParams.get('page'), 1)
  const perPage = positive(url.searchParams.get('per_page'), 50)
  const [{ total = 0 } = {}] = await context.sql<
    { total: number }[]
  >`select count(*)::int as total from auth.users`
  const users = await context.sql<UserRow[]>`
    select * from auth.users order by created_at desc, id limit ${perPage} offset ${(page - 1) * perPage}`
  const lastPage = Math.max(1, Math.ceil(total / perPage))
  const linkTo = (number: number, rel: string) =>
    `<${url.pathname}?page=${number}&per_page=${perPage}>; rel="${rel}"`
  const links = [...(page < lastPage ? [linkTo(page + 1, 'next')] : []), linkTo(lastPage, 'last')]
  return Response.json(
    { users: await Promise.all(users.map((user) => userResponse(context.sql, user))), aud: 'authenticated' },
    { headers: { 'x-total-count': String(total), link: links.join(', ') } },
  )
}

export const inviteBody = z.object({ email: z.string(), data: metadata.nullish() })

export async function inviteUser(
  context: AuthContext,
  body: z.infer<typeof inviteBody>,
  redirectTo: string | null,
) {
  const email = normalizeEmail(body.email)
  const known = await findUserByEmail(context.sql, email)
  if (known?.email_confirmed_at) throw errors.emailExists()
  const user = known ?? (await createUser(context.sql, { email, raw_user_meta_data: body.data ?? {} }))
  await updateUser(context.sql, user.id, { invited_at: new Date().toISOString() })
  await sendLink(context, 'invite', user, { redirectTo })
  return adminGetUser(context, user.id)
}

export const generateLinkBody = z.object({
  type: z.enum(['signup', 'invite', 'recovery', 'magiclink', 'email_change_current', 'email_change_new']),
  email: z.string(),
  new_email: z.string().nullish(),
  password: z.string().nullish(),
  data: metadata.nullish(),
  redirect_to: z.string().nullish(),
})

type EmailChangeLink = 'email_change_current' | 'email_change_new'

const kindOfType: Record<Exclude<z.infer<typeof generateLinkBody>['type'], EmailChangeLink>, LinkKind> = {
  signup: 'confirmation',
  invite: 'invite',
  recovery: 'recovery',
  magiclink: 'magic_link',
}

/** `POST /admin/generate_link`: the link that a mail would hold, for the caller to send. */
export async function generateLink(
  context: AuthContext,
  body: z.infer<typeof generateLinkBody>,
  redirectTo: string | null,
) {
  const email = normalizeEmail(body.email)
  let user = await findUserByEmail(context.sql, email)
  if (body.type === 'email_change_current' || body.type === 'email_change_new') {
    if (!user) throw errors.userNotFound()
    return generateEmailChangeLink(context, user, body.type, body, redirectTo)
  }
  if (!user && body.type === 'recovery') throw errors.userNotFound()
  if (user?.email_confirmed_at && (body.type === 'signup' || body.type === 'invite'))
    throw errors.emailExists()
  if (!user) {
    if (body.password) context.passwords.assertAcceptable(body.password)
    const hash = body.password ? await context.passwords.hash(body.password) : null
    user = await createUser(context.sql, {
      email,
      encrypted_password: hash,
      raw_user_meta_data: body.data ?? {},
    })
  }
  const link = await createLink(context, kindOfType[body.type], user, {
    redirectTo: body.redirect_to ?? redirectTo,
  })
  return {
    ...(await adminGetUser(context, user.id)),
    action_link: link.url,
    email_otp: link.otp,
    hashed_token: link.tokenHash,
    redirect_to: link.redirectTo,
    verification_type: link.type,
  }
}

/** One of the two links of a change of address; `adminGenerateLink` in internal/api/mail.go of supabase/auth. */
async function generateEmailChangeLink(
  context: AuthContext,
  user: UserRow,
  type: EmailChangeLink,
  body: z.infer<typeof generateLinkBody>,
  redirectTo: string | null,
) {
  const { sql, settings } = context
  const isCurrent = type === 'email_change_current'
  if (isCurrent && !settings.email.double_confirm_changes) throw errors.secureEmailChangeNeeded()
  const newEmail = normalizeEmail(body.new_email ?? '')
  const holder = await findUserByEmail(sql, newEmail)
  if (holder && holder.id !== user.id) throw errors.emailExists()
  const otp = createOtp(settings.email.otp_length)
  const tokenHash = hashOtp(isCurrent ? (user.email ?? '') : newEmail, otp)
  await updateUser(sql, user.id, {
    email_change: newEmail,
    email_change_sent_at: new Date().toISOString(),
    email_change_confirm_status: 0,
    [isCurrent ? 'email_change_token_current' : 'email_change_token_new']: tokenHash,
  })
  const target = allowedRedirect(
    body.redirect_to ?? redirectTo,
    context.siteUrl,
    settings.additional_redirect_urls,
  )
  return {
    ...(await adminGetUser(context, user.id)),
    action_link: verifyUrl(context, tokenHash, 'email_change', target),
    email_otp: otp,
    hashed_token: tokenHash,
    redirect_to: target,
    verification_type: type,
  }
}
