import * as z from 'zod'
import { wrongCredentials } from '../_shared/accounts/auth-errors.ts'
import { universitiesWithRole } from '../_shared/accounts/roles.ts'
import {
  administeredId,
  cohort,
  DATE_RANGES,
  readDashboard,
  readWellbeing,
} from '../_shared/analytics/figures.ts'
import { recommended } from '../_shared/analytics/recommendations.ts'
import { ServiceError } from '../_shared/errors.ts'
import { readText } from '../_shared/http/body.ts'
import {
  endedSessionCookie,
  type Html,
  isOwnForm,
  type PageOptions,
  page,
  pageCaller,
  pageToken,
  sessionCookie,
} from '../_shared/http/page.ts'
import { consumeRateLimit } from '../_shared/http/rate-limit.ts'
import { SERVICE_HEADERS } from '../_shared/http/response.ts'
import { type Call, endpoint } from '../_shared/http/serve.ts'
import { callerClient } from '../_shared/supabase/clients.ts'
import { signInRequest, signInWithPassword } from './auth.ts'

const MAX_FORM_BYTES = 10_000

/** A filter of the page's form: what is empty, or cannot be a name, filters nothing. */
const chosen = (name: 'faculty' | 'year' | 'residence') => cohort.shape[name].catch(undefined)

/** Query of the page. A mistyped part of it counts as absent. */
export const pageQuery = z.object({
  university_id: administeredId.optional().catch(undefined),
  date_range: z.enum(DATE_RANGES).default('30d').catch('30d').describe('How many days.'),
  faculty: chosen('faculty'),
  year: chosen('year'),
  residence: chosen('residence'),
})

const common = {
  path: '/api/analytics/dashboard.html',
  tag: 'Analytics',
  security: 'none',
  query: pageQuery,
  response: z.string().describe('HTML'),
  produces: 'text/html',
} as const

/** What draws the page is loaded when it is first requested. */
const showDashboard = endpoint(
  {
    ...common,
    id: 'showAnalyticsDashboard',
    method: 'get',
    summary: 'The dashboard as a page with charts, or a form to sign in with if nobody is signed in',
    description:
      'Takes a bearer token, or the cookie that the form sets. Needs no JavaScript and loads nothing.',
    otherwise: {
      401: 'The form again: the session has ended.',
      403: 'A page that says that the account administers no such university.',
      308: 'The path ended with a slash: redirects to the page without it.',
      429: 'A page that says how long to wait.',
    },
    example: { query: { university_id: 'northfield', date_range: '30d' } },
  },
  async ({ query }, call) => {
    if (hasTrailingSlash(call)) return withoutTrailingSlash(call)
    const { noticeBody, signInBody } = await import('../_shared/analytics/page/dashboard.ts')
    const token = pageToken(call.request)
    if (token === null) return show(call, 'Sign in', signInBody())
    const caller = await pageCaller(token, call.supabase)
    if (caller === null) {
      return show(call, 'Sign in', signInBody('Your session has ended. Sign in again.'), {
        status: 401,
        cookies: [endedSessionCookie(call.environment)],
      })
    }
    try {
      await consumeRateLimit(call.database, call.context, caller.userId, 'data-api')
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return show(call, 'Too many requests', noticeBody('Too many requests', error.message, true), error)
    }
    return dashboardFor({ ...call, caller }, query)
  },
)

const signInToDashboard = endpoint(
  {
    ...common,
    id: 'signInToAnalyticsDashboard',
    method: 'post',
    summary: "The page's forms: signs in and redirects to the page (303), or signs out",
    description:
      'Takes forms of the page itself only. The access token is kept in an HttpOnly cookie of the page.',
    body: z.union([signInRequest, z.object({ sign_out: z.literal('1').describe('Signs out.') })]),
    consumes: 'application/x-www-form-urlencoded',
    otherwise: {
      303: 'Signed in or out: redirects to the page.',
      308: 'The path ended with a slash: redirects to the page without it.',
      401: 'The form again: the address or the password is not right, or the address is not confirmed.',
      403: 'The form was sent by a page of another host.',
      429: 'The form again: too many tries for the address.',
    },
    example: { body: { email: 'admin@northfield.example.edu', password: 'invented-password-1' } },
  },
  async (_, call) => {
    const { environment } = call
    const { noticeBody, signInBody } = await import('../_shared/analytics/page/dashboard.ts')
    if (hasTrailingSlash(call)) return withoutTrailingSlash(call)
    if (!isOwnForm(call.request, environment)) {
      return show(call, 'Rejected', noticeBody('Rejected', 'This form was not sent by the page.', false), {
        status: 403,
      })
    }
    const form = Object.fromEntries(
      new URLSearchParams(await readText(call.request, call.context.memory, MAX_FORM_BYTES)),
    )
    if (form.sign_out !== undefined) {
      await signOut(call)
      return backToPage(call, endedSessionCookie(environment))
    }
    try {
      const { session } = await signInWithPassword(call, credentialsIn(form))
      return backToPage(call, sessionCookie(session.access_token, environment))
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return show(call, 'Sign in', signInBody(error.message, form.email), error)
    }
  },
)

/** `/api/analytics/dashboard.html`. */
export const ANALYTICS_PAGE = [showDashboard, signInToDashboard] as const

async function dashboardFor(call: Call, query: z.output<typeof pageQuery>): Promise<Response> {
  const { dashboardBody, noticeBody } = await import('../_shared/analytics/page/dashboard.ts')
  const client = callerClient(call)
  const ids = await universitiesWithRole(client, 'university_admin')
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

async function signOut({ request, supabase }: PageCall): Promise<void> {
  const token = pageToken(request)
  const caller = token === null ? null : await pageCaller(token, supabase)
  if (caller) await supabase.auth.admin.signOut(caller.token, 'local')
}

/** A call of the page, whether or not somebody is signed in. */
type PageCall = Omit<Call, 'caller'>

async function show(call: PageCall, title: string, body: Html, options: PageOptions = {}): Promise<Response> {
  const { STYLE } = await import('../_shared/analytics/page/style.ts')
  const { status, cookies } = options
  return page({ title: `${title} · Student wellbeing`, style: STYLE, body }, call, { status, cookies })
}

/** Redirects to the page as it was requested, with `GET`. */
function backToPage(call: PageCall, cookie: string): Response {
  return redirect(call, 303, '', { 'set-cookie': cookie })
}

function hasTrailingSlash({ request }: PageCall): boolean {
  return new URL(request.url).pathname.endsWith('/')
}

/** Redirects to the page's one address, with the same method and form: elsewhere its cookie would belong to another folder. */
function withoutTrailingSlash(call: PageCall): Response {
  return redirect(call, 308, '../')
}

/** Redirects to the page relative to the request, since only the browser knows under which path it sees the page. */
function redirect(
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

/** Throws `invalid_credentials` for anything that cannot be an address and a password. */
function credentialsIn(form: Record<string, string>): { email: string; password: string } {
  const { data } = signInRequest.safeParse(form)
  if (!data) throw wrongCredentials()
  return data
}
