import { html } from 'hono/html'
import { MARK } from '../brand.ts'
import { ServiceError } from '../errors.ts'
import { pageToken } from './authenticate.ts'
import { readText } from './body.ts'
import { enforceSecurityPolicies } from './enforce-security-policies.ts'
import { endedSessionCookie, type Html, isOwnForm, type PageOptions, page, pageCaller } from './page.ts'
import { consumeRateLimit } from './rate-limit.ts'
import { SERVICE_HEADERS } from './response.ts'
import { type SecondFactorStep, secondFactorForm, stepOf } from './second-factor-page.ts'
import type { Call } from './serve.ts'

/** A call of a page, whether or not somebody is signed in. */
export type PageCall = Omit<Call, 'caller'>

/**
 * What pages of one folder have in common: their own style after that of all, for whom they are, in a sentence under "Sign in", and headings of
 * their own for errors, by status.
 */
export type PageKind = { style: string; audience: string; headings?: Readonly<Record<number, string>> }

const HEADINGS: PageKind['headings'] = {
  403: 'Not for this account',
  404: 'Not found',
  429: 'Too many requests',
}

/** Sends a page of somebody who is signed in, or is about to. */
export async function showPage(
  call: PageCall,
  { style }: PageKind,
  { title, body, signedIn }: { title: string; body: Html; signedIn: boolean },
  { status, cookies }: PageOptions = {},
): Promise<Response> {
  const options = { ...(status !== undefined && { status }), ...(cookies && { cookies }) }
  const { SIGNED_IN_STYLE } = await import('./signed-in-page-style.ts')
  const content = {
    title: `${title} · Student wellbeing`,
    style: SIGNED_IN_STYLE + style,
    body: frame(body, signedIn),
  }
  return page(content, call, options)
}

/** Sends a page that says one thing. */
export function showNotice(
  call: PageCall,
  kind: PageKind,
  { heading, sentence, signedIn }: { heading: string; sentence: string; signedIn: boolean },
  options: PageOptions = {},
): Promise<Response> {
  const body = html`<section class="card notice"><h1>${heading}</h1><p>${sentence}</p></section>`
  return showPage(call, kind, { title: heading, body, signedIn }, options)
}

/** Sends the form to sign in with, and why it is shown again. The address that was typed is kept. */
export function showSignIn(
  call: PageCall,
  kind: PageKind,
  { problem = null, email = '' }: { problem?: string | null; email?: string | undefined } = {},
  options: PageOptions = {},
): Promise<Response> {
  return showPage(
    call,
    kind,
    { title: 'Sign in', body: signInForm(kind.audience, problem, email), signedIn: false },
    options,
  )
}

/** Sends the form for the second factor, and why it is shown again. */
export function showSecondFactor(
  call: PageCall,
  kind: PageKind,
  asked: SecondFactorStep,
  { problem = null, status }: { problem?: string | null; status: number },
): Promise<Response> {
  const body = secondFactorForm(asked, problem)
  return showPage(call, kind, { title: 'Second factor', body, signedIn: true }, { status })
}

/** The form to sign in with. What was typed stays text. */
export function signInForm(audience: string, problem: string | null, email: string): Html {
  const describedBy = problem === null ? '' : html`aria-describedby="problem"`
  return html`<form class="card sign-in" method="post">
<h1>Sign in</h1>
<p class="note">${audience}</p>
${problem === null ? '' : html`<p class="problem" id="problem" role="alert">${problem}</p>`}
<label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="username" maxlength="254" required value="${email}" ${describedBy}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1000" required ${describedBy}>
<button type="submit">Sign in</button>
</form>`
}

/**
 * The call of whoever is signed in to the page, counted against `data-api`; else the page to send instead: the form to
 * sign in with or for the second factor, or how long to wait.
 */
export async function signedInCall(call: PageCall, kind: PageKind): Promise<Call | Response> {
  const token = pageToken(call.request)
  if (token === null) return showSignIn(call, kind)
  const caller = await pageCaller(token, call.supabase)
  if (caller === null) {
    return showSignIn(
      call,
      kind,
      { problem: 'Your session has ended. Sign in again.' },
      { status: 401, cookies: [endedSessionCookie(call.environment)] },
    )
  }
  try {
    await enforceSecurityPolicies({ ...call, caller })
    await consumeRateLimit(call.database, call.context, caller.userId, 'data-api')
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.code === 'mfa_required') {
      return showSecondFactor(call, kind, await stepOf(call.database, caller.userId), { status: 403 })
    }
    const heading = error.code === 'rate_limited' ? 'Too many requests' : 'Not for this account'
    return showNotice(call, kind, { heading, sentence: error.message, signedIn: true }, error)
  }
  return { ...call, caller }
}

/** What a page shows to whoever is signed in; errors that they can do something about become pages. */
export async function showSignedIn(
  call: PageCall,
  kind: PageKind,
  respond: (call: Call) => Promise<Response>,
): Promise<Response> {
  const signedIn = await signedInCall(call, kind)
  if (signedIn instanceof Response) return signedIn
  try {
    return await respond(signedIn)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error
    const heading = { ...HEADINGS, ...kind.headings }[error.status] ?? 'This did not work'
    // A body that cannot be read at all is a 400, which is no page.
    const status = error.status === 400 ? 422 : error.status
    return showNotice(call, kind, { heading, sentence: error.message, signedIn: true }, { status })
  }
}

/** The fields of a form of the page itself; null when another site sent it. Throws what `readText` throws. */
export async function readOwnForm(call: PageCall, maxBytes: number): Promise<URLSearchParams | null> {
  if (!isOwnForm(call.request, call.environment)) return null
  return new URLSearchParams(await readText(call.request, call.context.memory, maxBytes))
}

/** Sends the page for a form that another site sent. */
export function showForeignForm(call: PageCall, kind: PageKind): Promise<Response> {
  const sentence = 'This form was not sent by the page.'
  return showNotice(call, kind, { heading: 'Rejected', sentence, signedIn: false }, { status: 403 })
}

/** Ends the session of whoever is signed in to the page, and redirects to it. */
export async function signOutOfPage(call: PageCall): Promise<Response> {
  const token = pageToken(call.request)
  const caller = token === null ? null : await pageCaller(token, call.supabase)
  if (caller) await call.supabase.auth.admin.signOut(caller.token, 'local')
  return backToPage(call, { cookie: endedSessionCookie(call.environment) })
}

/** Redirects to the page with `GET`: as it was requested, or with another query (`?…`). */
export function backToPage(
  call: PageCall,
  { cookie, query }: { cookie?: string; query?: string } = {},
): Response {
  return redirect(call, 303, { query, headers: cookie === undefined ? {} : { 'set-cookie': cookie } })
}

/**
 * Where the path ends with a slash, a redirect to the page's one address, with the same method and form: elsewhere its cookie
 * would belong to another folder. Null at that address itself.
 */
export function withoutTrailingSlash(call: PageCall): Response | null {
  return new URL(call.request.url).pathname.endsWith('/') ? redirect(call, 308, { folder: '../' }) : null
}

/** The frame of a page, whatever it shows. */
function frame(content: Html, signedIn: boolean): Html {
  return html`<a class="skip" href="#content">Skip to the content</a>
<header><p class="brand">${MARK}Student wellbeing</p>
${signedIn ? html`<form method="post"><input type="hidden" name="sign_out" value="1"><button class="quiet" type="submit">Sign out</button></form>` : ''}</header>
<main id="content">${content}</main>`
}

/** Redirects relative to the request, since only the browser knows under which path it sees the page. */
function redirect(
  { request, context }: PageCall,
  status: number,
  {
    folder = '',
    query,
    headers = {},
  }: { folder?: string; query?: string | undefined; headers?: Record<string, string> },
): Response {
  const { pathname, search } = new URL(request.url)
  return new Response(null, {
    status,
    headers: {
      ...SERVICE_HEADERS,
      'x-request-id': context.requestId,
      'cache-control': 'no-store',
      location: `${folder}${pathname.replace(/\/$/, '').split('/').at(-1)}${query ?? search}`,
      ...headers,
    },
  })
}
