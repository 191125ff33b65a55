import { z } from 'zod'
import type { AuthSettings } from '../config.ts'
import { errors } from './errors.ts'

/** What a provider responds to a token (`siteverify`). */
export interface CaptchaVerdict {
  success: boolean
  'error-codes': string[]
}

/** Token that hCaptcha's key for tests gives, the only one that its secret for tests takes. */
const hcaptchaTestToken = '10000000-aaaa-bbbb-cccc-000000000001'

/**
 * What is wrong with a token, by the secrets that the providers give out for tests.
 *
 * Sources: https://developers.cloudflare.com/turnstile/troubleshooting/testing/,
 * https://docs.hcaptcha.com/#integration-testing-test-keys
 */
const testSecrets = new Map<string, (token: string) => string[]>([
  ['1x0000000000000000000000000000000AA', () => []],
  ['2x0000000000000000000000000000000AA', () => ['invalid-input-response']],
  ['3x0000000000000000000000000000000AA', () => ['timeout-or-duplicate']],
  [
    '0x0000000000000000000000000000000000000000',
    (token) => (token === hcaptchaTestToken ? [] : ['invalid-input-response']),
  ],
])

/** What the provider responds, which a machine without internet can know for secrets for tests only. */
export function siteverify(secret: string, token: string): CaptchaVerdict {
  if (token === '') return { success: false, 'error-codes': ['missing-input-response'] }
  const faults = testSecrets.get(secret)?.(token) ?? ['invalid-input-secret']
  return { success: faults.length === 0, 'error-codes': faults }
}

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
