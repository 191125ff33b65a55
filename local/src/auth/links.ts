import { createHash, randomInt } from 'node:crypto'
import type { AuthContext } from './context.ts'
import { errors } from './errors.ts'
import type { MailKind } from './mail.ts'
import { storeChallenge } from './pkce.ts'
import { allowedRedirect } from './redirects.ts'
import { type UserRow, updateUser } from './users.ts'

const columns = {
  confirmation: {
    token: 'confirmation_token',
    sentAt: 'confirmation_sent_at',
    type: 'signup',
    method: 'email/signup',
  },
  invite: { token: 'confirmation_token', sentAt: 'confirmation_sent_at', type: 'invite', method: 'invite' },
  recovery: { token: 'recovery_token', sentAt: 'recovery_sent_at', type: 'recovery', method: 'recovery' },
  magic_link: { token: 'recovery_token', sentAt: 'recovery_sent_at', type: 'magiclink', method: 'magiclink' },
} as const

export type LinkKind = keyof typeof columns

/** The stored form of a code: SHA-224 of address and code, as GoTrue keeps it. */
export const hashOtp = (email: string, otp: string) =>
  createHash('sha224')
    .update(email.toLowerCase() + otp)
    .digest('hex')

export function createOtp(length: number): string {
  return Array.from({ length }, () => randomInt(10)).join('')
}

/** Whether a token that was sent at `sentAt` is past its time. */
export function hasExpired(sentAt: string | null, otpExpiry: number): boolean {
  return sentAt === null || Date.now() - Date.parse(sentAt) > otpExpiry * 1000
}

/** @throws AuthError `over_email_send_rate_limit` when the last mail of this kind is too recent */
export function assertNotTooSoon(context: AuthContext, sentAt: string | null): void {
  if (sentAt === null) return
  const wait = context.settings.email.max_frequency - (Date.now() - Date.parse(sentAt)) / 1000
  if (wait > 0) throw errors.tooSoon(wait)
}

export interface LinkRequest {
  redirectTo?: string | null
  codeChallenge?: string
  codeChallengeMethod?: string
}

export function verifyUrl(context: AuthContext, tokenHash: string, type: string, redirectTo: string): string {
  const url = new URL(`${context.apiUrl}/auth/v1/verify`)
  url.search = new URLSearchParams({ token: tokenHash, type, redirect_to: redirectTo }).toString()
  return url.toString()
}

/** Makes a code and its link, without sending anything. Replaces an earlier one of the same kind. */
export async function createLink(context: AuthContext, kind: LinkKind, user: UserRow, link: LinkRequest) {
  const { token, sentAt, type, method } = columns[kind]
  const email = user.email ?? ''
  const otp = createOtp(context.settings.email.otp_length)
  const prefix = link.codeChallenge ? 'pkce_' : ''
  if (link.codeChallenge) {
    await storeChallenge(context.sql, user.id, link.codeChallenge, link.codeChallengeMethod ?? 's256', method)
  }
  const tokenHash = `${prefix}${hashOtp(email, otp)}`
  await updateUser(context.sql, user.id, { [token]: tokenHash, [sentAt]: new Date().toISOString() })
  const redirectTo = allowedRedirect(
    link.redirectTo,
    context.siteUrl,
    context.settings.additional_redirect_urls,
  )
  return { otp, tokenHash, redirectTo, type, url: verifyUrl(context, tokenHash, type, redirectTo) }
}

/** Sends a code and its link. @throws AuthError `over_email_send_rate_limit` */
export async function sendLink(
  context: AuthContext,
  kind: LinkKind,
  user: UserRow,
  link: LinkRequest,
): Promise<void> {
  assertNotTooSoon(context, user[columns[kind].sentAt])
  const { otp, tokenHash, redirectTo, url } = await createLink(context, kind, user, link)
  const mailKind: MailKind = kind
  await context.mailer.send(mailKind, {
    to: user.email ?? '',
    ...{ otp, tokenHash, redirectTo, url },
    data: user.raw_user_meta_data,
  })
}
