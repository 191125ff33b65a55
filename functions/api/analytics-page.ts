import { signInWithPassword } from '../_shared/accounts/password-sign-in.ts'
import { wrongCredentials } from '../_shared/accounts/refusals.ts'
import { signInRequest } from '../_shared/accounts/requests.ts'
import type { PageQuery } from '../_shared/analytics/page/requests.ts'
import { readDashboard, readWellbeing } from '../_shared/analytics/read-figures.ts'
import { recommended } from '../_shared/analytics/recommendations.ts'
import { showDashboard, signInToDashboard } from '../_shared/analytics/routes.ts'
import { ServiceError } from '../_shared/errors.ts'
import type { App } from '../_shared/http/app.ts'
import type { Caller } from '../_shared/http/authenticate.ts'
import { readText } from '../_shared/http/body.ts'
import { type Html, type PageCall, type PageOptions, page } from '../_shared/http/page.ts'
import {
  endedSessionCookie,
  isOwnForm,
  pageCaller,
  pageToken,
  sessionCookie,
} from '../_shared/http/page-session.ts'
import { callerClient } from '../_shared/http/project-client.ts'
import { consumeRateLimit } from '../_shared/http/rate-limit.ts'
import { SERVICE_HEADERS } from '../_shared/http/response.ts'
import { serve } from '../_shared/http/serve.ts'
import { universitiesAdministered } from '../_shared/http/staff-roles.ts'
import type { Services } from './services.ts'

const MAX_FORM_BYTES = 10_000

/** `/api/analytics/dashboard.html`. What draws it is loaded when it is first looked at. */
export function analyticsPageRoutes(api: App, services: Services): void {
  const { environment, database, supabase } = services

  serve(api, services, showDashboard, async ({ query }, call) => {
    if (hasTrailingSlash(call)) return withoutTrailingSlash(call)
    const { noticeBody, signInBody } = await import('../_shared/analytics/page/index.ts')
    const token = pageToken(call.request)
    if (token === null) return show(call, 'Sign in', signInBody())
    const caller = await pageCaller(token, supabase)
    if (caller === null) {
      return show(call, 'Sign in', signInBody('Your session has ended. Sign in again.'), {
        status: 401,
        cookies: [endedSessionCookie(environment)],
      })
    }
    try {
      await consumeRateLimit(database, call.context, caller.userId, 'data-api')
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return show(call, 'Too many requests', noticeBody('Too many requests', error.message, true), error)
    }
    return dashboardFor({ ...call, caller }, query)
  })

  serve(api, services, signInToDashboard, async (_, call) => {
    const { noticeBody, signInBody } = await import('../_shared/analytics/page/index.ts')
    if (hasTrailingSlash(call)) return withoutTrailingSlash(call)
    if (!isOwnForm(call.request, environment)) {
      return show(call, 'Refused', noticeBody('Refused', 'This form was not sent by the page.', false), {
        status: 403,
      })
    }
    const form = Object.fromEntries(new URLSearchParams(await readText(call.request, MAX_FORM_BYTES)))
    if (form.sign_out !== undefined) {
      await signOut(call)
      return backToPage(call, endedSessionCookie(environment))
    }
    try {
      const { session } = await signInWithPassword(services, call, credentialsIn(form))
      return backToPage(call, sessionCookie(session.access_token, environment))
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return show(call, 'Sign in', signInBody(error.message, form.email), error)
    }
  })

  async function dashboardFor(call: PageCall & { caller: Caller }, query: PageQuery): Promise<Response> {
    const { dashboardBody, noticeBody } = await import('../_shared/analytics/page/index.ts')
    const client = callerClient(environment, call)
    const ids = await universitiesAdministered(client)
    const { data: universities, error } = await client
      .from('universities')
      .select('id, name')
      .in('id', ids)
      .order('name')
    if (error) throw error
    const university = query.university_id
      ? universities.find(({ id }) => id === query.university_id)
      : universities[0]
    if (!university) {
      const sentence =
        universities.length === 0
          ? 'This page is for university administrators, and your account is not one. Ask your operator for the role.'
          : 'You administer no university of this id.'
      return show(call, 'Not for this account', noticeBody('Not for this account', sentence, true), {
        status: 403,
      })
    }
    const { date_range, faculty, year, residence } = query
    const range = { university_id: university.id, date_range }
    const [whole, figures] = await Promise.all([
      readWellbeing(client, range),
      readDashboard(client, { ...range, cohort: { faculty, year, residence } }),
    ])
    const view = { query, university, universities, whole, figures: figures && recommended(figures) }
    return show(call, `${university.name}: wellbeing`, dashboardBody(view))
  }

  async function signOut(call: PageCall): Promise<void> {
    const token = pageToken(call.request)
    const caller = token === null ? null : await pageCaller(token, supabase)
    if (caller) await supabase.auth.admin.signOut(caller.token, 'local')
  }
}

async function show(call: PageCall, title: string, body: Html, options: PageOptions = {}): Promise<Response> {
  const { STYLE } = await import('../_shared/analytics/page/index.ts')
  const { status, cookies } = options
  return page({ title: `${title} · Student wellbeing`, style: STYLE, body }, call, { status, cookies })
}

/** Leads back to the page as it was asked for, in `GET`. */
function backToPage(call: PageCall, cookie: string): Response {
  return led(call, 303, '', { 'set-cookie': cookie })
}

function hasTrailingSlash({ request }: PageCall): boolean {
  return new URL(request.url).pathname.endsWith('/')
}

/** The page's one address, with the same method and form: a cookie that is set elsewhere would belong to another folder. */
function withoutTrailingSlash(call: PageCall): Response {
  return led(call, 308, '../')
}

/** Leads to the page, relative to where the call went, since only the browser knows under which path that is seen. */
function led(
  { request, context }: PageCall,
  status: number,
  folder: string,
  headers: Record<string, string> = {},
): Response {
  const { pathname, search } = new URL(request.url)
  return new Response(null, {
    status,
    headers: {
      ...SERVICE_HEADERS,
      'x-request-id': context.requestId,
      'cache-control': 'no-store',
      location: `${folder}${pathname.replace(/\/$/, '').split('/').at(-1)}${search}`,
      ...headers,
    },
  })
}

/** Throws `invalid_credentials` for what cannot be an address and a password. */
function credentialsIn(form: Record<string, string>): { email: string; password: string } {
  const { data } = signInRequest.safeParse(form)
  if (!data) throw wrongCredentials()
  return data
}
