import * as z from 'zod'
import { wrongCredentials } from '../_shared/accounts/auth-errors.ts'
import { ServiceError } from '../_shared/errors.ts'
import { pageToken } from '../_shared/http/authenticate.ts'
import { endedSessionCookie, pageCaller, sessionCookie } from '../_shared/http/page.ts'
import { stepOf } from '../_shared/http/second-factor-page.ts'
import type { Call } from '../_shared/http/serve.ts'
import {
  backToPage,
  type PageCall,
  type PageKind,
  readOwnForm,
  showForeignForm,
  showSecondFactor,
  showSignedIn,
  showSignIn,
  signOutOfPage,
  withoutTrailingSlash,
} from '../_shared/http/signed-in-page.ts'
import { signInClient } from '../_shared/platform/clients.ts'
import { signInRequest, signInWithPassword } from './auth.ts'

/** The forms that every page has, for its description. */
export const SIGN_IN_FORMS = [
  signInRequest,
  z.object({ sign_out: z.literal('1').describe('Signs out.') }),
  z.object({
    code: z.string().describe('The code of an authenticator app.'),
    factor_id: z.string().optional().describe('The app, while it is being set up.'),
  }),
  z.object({ set_up: z.literal('1').describe('Sets up an authenticator app.') }),
] as const

/** A page's own forms: the largest, bytes, a field of each, and what one does for who is signed in. */
type OwnForms = {
  maxBytes: number
  fields?: readonly string[]
  respond?: (call: Call, form: URLSearchParams) => Promise<Response>
}

/** The response to a form of a page: one of its own, or to sign in or out. Forms of other sites are refused. */
export async function respondToForm(
  call: PageCall,
  kind: PageKind,
  { maxBytes, fields = [], respond }: OwnForms,
): Promise<Response> {
  const elsewhere = withoutTrailingSlash(call)
  if (elsewhere) return elsewhere
  const form = await readOwnForm(call, maxBytes)
  if (form === null) return showForeignForm(call, kind)
  if (form.has('sign_out')) return signOutOfPage(call)
  if (!respond || !fields.some((field) => form.has(field))) return signInToPage(call, kind, form)
  return showSignedIn(call, kind, (signedIn) => respond(signedIn, form))
}

/** Signs in with a form of a page, and redirects to it; else the form again, with why. */
async function signInToPage(call: PageCall, kind: PageKind, form: URLSearchParams): Promise<Response> {
  if (form.has('code') || form.has('set_up')) return giveSecondFactor(call, kind, form)
  const fields = Object.fromEntries(form)
  try {
    const { data } = signInRequest.safeParse(fields)
    if (!data) throw wrongCredentials()
    const { session } = await signInWithPassword({ ...call, caller: null }, data)
    return backToPage(call, { cookie: sessionCookie(session.access_token, call.environment) })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return showSignIn(call, kind, { problem: error.message, email: fields.email }, error)
  }
}

/** Sets up an authenticator app, or takes its code: redirects to the page once the session has a second factor. */
async function giveSecondFactor(call: PageCall, kind: PageKind, form: URLSearchParams): Promise<Response> {
  const token = pageToken(call.request)
  const caller = token === null ? null : await pageCaller(token, call.supabase)
  if (caller === null)
    return showSignIn(call, kind, { problem: 'Your session has ended. Sign in again.' }, { status: 401 })
  const account = caller.userId
  const { auth } = signInClient(call)
  // The session of the page's token, which is never refreshed.
  const { error: ended } = await auth.setSession({ access_token: caller.token, refresh_token: 'none' })
  if (ended) throw ended
  if (form.has('set_up')) {
    const { data, error } = await auth.mfa.enroll({
      factorType: 'totp',
      friendlyName: new Date().toISOString(),
    })
    if (error)
      return again('An app cannot be set up now. Try again later, or ask for help if you have one already.')
    const { qr_code: qrCode, secret } = data.totp
    return showSecondFactor(
      call,
      kind,
      { step: 'added', app: { factorId: data.id, qrCode, secret } },
      { status: 403 },
    )
  }
  const locked = await tooManyCodes()
  if (locked !== null) return signedOut(locked)
  const { data: factors } = await auth.mfa.listFactors()
  const factorId = factors?.totp[0]?.id ?? form.get('factor_id') ?? ''
  const { data, error } = await auth.mfa.challengeAndVerify({ factorId, code: form.get('code') ?? '' })
  if (error) {
    const problem = await tooManyCodes()
    if (problem !== null) return signedOut(problem)
    return again('This code is not right, or has ended. Give the one that your app shows now.')
  }
  return backToPage(call, { cookie: sessionCookie(data.access_token, call.environment) })

  /** What the project's hooks say to Auth, where no code is taken any more; the session has ended then. */
  async function tooManyCodes(): Promise<string | null> {
    const [{ problem }] = await call.database<[{ problem: string | null }]>`
      select private.second_factor_error(private.refuse_second_factor(${account})) #>> '{error,message}' as problem`
    return problem
  }

  function signedOut(problem: string): Promise<Response> {
    const cookies = [endedSessionCookie(call.environment)]
    return showSignIn(call, kind, { problem }, { status: 429, cookies })
  }

  async function again(problem: string): Promise<Response> {
    const added = form.get('factor_id')
    const asked = added ? { step: 'code' as const, factorId: added } : await stepOf(call.database, account)
    return showSecondFactor(call, kind, asked, { problem, status: 403 })
  }
}
