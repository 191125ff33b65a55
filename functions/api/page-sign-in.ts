import { wrongCredentials } from '../_shared/accounts/auth-errors.ts'
import { ServiceError } from '../_shared/errors.ts'
import { sessionCookie } from '../_shared/http/page.ts'
import { backToPage, type PageCall, type PageKind, showSignIn } from '../_shared/http/signed-in-page.ts'
import { signInRequest, signInWithPassword } from './auth.ts'

/** Signs in with the form of a page, and redirects to it; else the form again, with why. */
export async function signInToPage(call: PageCall, kind: PageKind, form: URLSearchParams): Promise<Response> {
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
