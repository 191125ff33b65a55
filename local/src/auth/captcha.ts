import { z } from 'zod'
import type { AuthSettings } from '../config.ts'
import { siteverify } from '../inbox/siteverify.ts'
import { errors } from './errors.ts'

/** The part of a request's body that has the token, as supabase-js sends it. */
const protectedBody = z.object({
  gotrue_meta_security: z.object({ captcha_token: z.string().nullish() }).nullish(),
})

/** Grants that show more than a person could make up, and so need no captcha. */
const grantsWithout = ['pkce', 'refresh_token', 'id_token']

/** Whether a request needs a captcha: those that sign up, sign in with a password, or send a mail. */
export function needsCaptcha(request: Request): boolean {
  const { pathname, searchParams } = new URL(request.url)
  const path = pathname.replace(/^\/auth\/v1/, '')
  if (path === '/token') return !grantsWithout.includes(searchParams.get('grant_type') ?? '')
  return ['/signup', '/recover', '/resend', '/magiclink', '/otp'].includes(path)
}

/**
 * Checks the captcha of a request. The request can still be read afterwards.
 *
 * Source: verifyCaptcha in internal/api/middleware.go of supabase/auth.
 *
 * @param secretKey whether the request has the secret key, which needs no captcha
 * @throws AuthError `captcha_failed`
 */
export async function assertCaptcha(
  request: Request,
  { captcha }: AuthSettings,
  secretKey: boolean,
): Promise<void> {
  if (!captcha.enabled || secretKey || request.method !== 'POST' || !needsCaptcha(request)) return
  const body = protectedBody.safeParse(
    await request
      .clone()
      .json()
      .catch(() => null),
  )
  const token = body.data?.gotrue_meta_security?.captcha_token?.trim()
  if (!token) throw errors.captchaFailed('no captcha_token found')
  const verdict = siteverify(captcha.secret, token)
  if (!verdict.success) throw errors.captchaFailed(verdict['error-codes'].join(', '))
}
