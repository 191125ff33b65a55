import type { AuthError } from '@supabase/supabase-js'
import * as z from 'zod'
import { signUpError } from '../_shared/accounts/auth-errors.ts'
import { requireCaptcha } from '../_shared/accounts/captcha.ts'
import { requireAllowedRedirect } from '../_shared/accounts/redirects.ts'
import { ofPlainJson } from '../_shared/fields.ts'
import { consumeOpenRateLimit } from '../_shared/http/rate-limit.ts'
import { type Call, endpoint } from '../_shared/http/serve.ts'
import { log } from '../_shared/log.ts'
import { clientAddress } from '../_shared/platform/client-address.ts'
import { signInClient } from '../_shared/platform/clients.ts'
import {
  captchaToken,
  common,
  email,
  mailboxOf,
  pause,
  redirectTo,
  SIGN_UP_MS,
  success,
  withRetryAfter,
} from './auth.ts'

type Asked = { email: string; redirect_to?: string | undefined; captcha_token?: string | undefined }

const asked = { email, redirect_to: redirectTo, captcha_token: captchaToken }

const mailed = {
  ...common,
  response: z.object({ success }),
  errors: ['redirect_not_allowed', 'captcha_failed', 'rate_limited'],
  exampleResponse: { success: true },
} as const

const SAME =
  'The response is the same whether or not the address has an account, and whether or not there is something to send. 5 mails a mailbox within an hour, those of both calls together; Auth sends one a minute.'

const resend = endpoint(
  {
    ...mailed,
    id: 'resendMail',
    path: '/api/auth/resend',
    summary: 'Sends the mail of a sign-up, or of a change of address, once more',
    description: `${SAME} What was given at a sign-up is discarded, as somebody else may have given it: whoever confirms chooses a password.`,
    body: ofPlainJson(
      z.object({
        ...asked,
        type: z.enum(['signup', 'email_change']).default('signup').describe('which mail'),
      }),
    ),
    example: { body: { email: 'robin@northfield.example.edu' } },
  },
  ({ body }, call) =>
    sendMail(call, body, (options, to) =>
      signInClient(call).auth.resend({ type: body.type, email: to, options }),
    ),
)

const reset = endpoint(
  {
    ...mailed,
    id: 'resetPassword',
    path: '/api/auth/reset',
    summary: 'Sends a mail with which a new password is chosen',
    description: `${SAME} The page that the mail leads to asks for the password; with the code an app does (\`auth.verifyOtp({ type: 'recovery', … })\`).`,
    body: ofPlainJson(z.object(asked)),
    example: { body: { email: 'robin@northfield.example.edu' } },
  },
  ({ body }, call) =>
    sendMail(call, body, ({ emailRedirectTo }, to) =>
      signInClient(call).auth.resetPasswordForEmail(to, {
        ...(emailRedirectTo !== undefined && { redirectTo: emailRedirectTo }),
      }),
    ),
)

/** `/api/auth/resend` and `/api/auth/reset`. */
export const AUTH_MAILS = [resend, reset] as const

/** Has Auth send a mail, with one response whatever comes of it, and in the same time. */
async function sendMail(
  call: Call<'none'>,
  { email: given, redirect_to, captcha_token }: Asked,
  send: (options: { emailRedirectTo?: string }, to: string) => Promise<{ error: AuthError | null }>,
): Promise<{ success: true }> {
  requireAllowedRedirect(call.environment.redirects, redirect_to)
  await requireCaptcha(call.environment.captcha, captcha_token, clientAddress(call.request))
  const { mailbox, registered } = await mailboxOf(call.database, given)
  await consumeOpenRateLimit(call.database, call.context, mailbox, 'auth-mail')
  const constantTime = pause(SIGN_UP_MS)
  const { error } = await send(
    redirect_to === undefined ? {} : { emailRedirectTo: redirect_to },
    registered ?? given,
  )
  await constantTime
  const reported = error && signUpError(error)
  if (reported) throw withRetryAfter(reported, call)
  if (error) log('warn', 'mail_not_sent', { code: error.code })
  return { success: true }
}
