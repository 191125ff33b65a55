import { z } from 'zod'
import { adminGetUser } from './admin.ts'
import type { AuthContext } from './context.ts'
import { errors } from './errors.ts'
import { createLink, type LinkKind, sendLink } from './one-time-tokens.ts'
import { metadata, normalizeEmail } from './sign-up.ts'
import { createUser, findUserByEmail, updateUser } from './users.ts'

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
  type: z.enum(['signup', 'invite', 'recovery', 'magiclink']),
  email: z.string(),
  password: z.string().nullish(),
  data: metadata.nullish(),
  redirect_to: z.string().nullish(),
})

const kindOfType: Record<z.infer<typeof generateLinkBody>['type'], LinkKind> = {
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
