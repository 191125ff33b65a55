import type { AuthError } from '@supabase/supabase-js'
import * as z from 'zod'
import { signUpError } from '../_shared/accounts/auth-errors.ts'
import { requireCaptcha } from '../_shared/accounts/captcha.ts'
import { isAllowed, type Redirects, requireAllowedRedirect } from '../_shared/accounts/redirects.ts'
import { ServiceError } from '../_shared/errors.ts'
import { ofPlainJson } from '../_shared/fields.ts'
import { noteUnknownLink } from '../_shared/http/link-page.ts'
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

/** What a link in a mail of Auth is for, by the names of Auth. */
const linkType = z.enum(['signup', 'invite', 'recovery', 'magiclink', 'email_change'])

const readMailLink = endpoint(
  {
    id: 'readMailLink',
    jsonOnly: true,
    method: 'post',
    path: '/api/auth/link',
    tag: 'Sign-in',
    summary: 'Whose link a mail of Auth has, before its button is pressed',
    description:
      'For the page that mails lead to (`SITE/#/auth/confirm`). Asking, however often and by whatever machine, changes nothing; `auth.verifyOtp({ token_hash, type })` takes the link. It is asked by `POST`, as logs keep addresses. 60 unknown links an address within 5 minutes; those that work are never limited.',
    security: 'none',
    // Whose link it is has to reach it wherever they are.
    reachable: ['in_block', 'in_quarantine'],
    body: ofPlainJson(
      z.object({
        // Of what a token is made of: no database takes each character that JSON can name.
        token_hash: z
          .string()
          .regex(/^[\w-]{1,200}$/)
          .describe('from the mail'),
        type: linkType.describe('what the mail is for'),
        redirect_to: z.string().max(2000).optional().describe('from the mail: where the person came from'),
      }),
    ),
    response: z.object({
      university: z
        .object({
          name: z.string().describe('its short name'),
          color: z.string().describe('its primary colour, `#rrggbb`'),
        })
        .nullable()
        .describe('the university of the account; null for one without'),
      redirect_to: z
        .string()
        .nullable()
        .describe(
          'the address that was asked for, where mails may lead there; null where they may not, none was named, or it is that of the page itself',
        ),
    }),
    errors: ['link_not_found', 'rate_limited'],
    example: {
      body: { token_hash: '5f1c0c8e7a2b4d6f9e3a1b5c7d9f0e2a4c6b8d0f1e3a5c7b9d1f3e5a', type: 'signup' },
    },
    exampleResponse: { university: { name: 'Northfield', color: '#1c5d99' }, redirect_to: null },
  },
  async ({ body: { token_hash, type, redirect_to } }, call) => {
    const [link] = await call.database<[{ name: string | null; color: string | null }?]>`
      select name, color from private.mail_link(${token_hash}, ${type})`
    if (!link) {
      await noteUnknownLink(call)
      throw new ServiceError('link_not_found', 'This link was used, replaced by a newer one, or never was.')
    }
    const { name, color } = link
    return {
      university: name === null || color === null ? null : { name, color },
      redirect_to: wayBack(call.environment.redirects, redirect_to),
    }
  },
)

/** The calls about mails of Auth: two that have one sent, and one for the page that they lead to. */
export const AUTH_MAILS = [resend, reset, readMailLink] as const

/** Where a page may send the person on; Auth itself names the site to who named nothing, which is no way back. */
function wayBack(redirects: Redirects, address: string | undefined): string | null {
  if (address === undefined || !isAllowed(address, redirects)) return null
  const bare = (text: string) => text.replace(/[?#].*$/s, '').replace(/\/$/, '')
  return bare(address) === bare(redirects.site) ? null : address
}

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
