import * as z from 'zod'
import { universitiesWithRole } from '../_shared/accounts/roles.ts'
import {
  administeredId,
  cohort,
  DATE_RANGES,
  readDashboard,
  readWellbeing,
} from '../_shared/analytics/figures.ts'
import { recommended } from '../_shared/analytics/recommendations.ts'
import { type Call, endpoint } from '../_shared/http/serve.ts'
import {
  type PageCall,
  type PageKind,
  showNotice,
  showPage,
  signedInCall,
  withoutTrailingSlash,
} from '../_shared/http/signed-in-page.ts'
import { callerClient } from '../_shared/platform/clients.ts'
import { respondToForm, SIGN_IN_FORMS } from './page-sign-in.ts'

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
      403: 'A page that says that the account administers no such university, or the form for the second factor.',
      308: 'The path ended with a slash: redirects to the page without it.',
      429: 'A page that says how long to wait.',
    },
    example: { query: { university_id: 'northfield', date_range: '30d' } },
  },
  async ({ query }, call) => {
    const elsewhere = withoutTrailingSlash(call)
    if (elsewhere) return elsewhere
    const kind = await pageKind()
    const signedIn = await signedInCall(call, kind)
    return signedIn instanceof Response ? signedIn : dashboardFor(signedIn, kind, query)
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
    body: z.union([...SIGN_IN_FORMS]),
    consumes: 'application/x-www-form-urlencoded',
    otherwise: {
      303: 'Signed in or out: redirects to the page.',
      308: 'The path ended with a slash: redirects to the page without it.',
      401: 'The form again: the address or the password is not right, or the address is not confirmed.',
      403: 'The form was sent by a page of another host, or the form for the second factor again.',
      429: 'The form again: too many tries for the address.',
    },
    example: { body: { email: 'admin@northfield.example.edu', password: 'invented-password-1' } },
  },
  async (_, call: PageCall) => respondToForm(call, await pageKind(), { maxBytes: MAX_FORM_BYTES }),
)

/** `/api/analytics/dashboard.html`. */
export const ANALYTICS_PAGE = [showDashboard, signInToDashboard] as const

/** What draws the page is loaded when it is first requested. */
async function pageKind(): Promise<PageKind> {
  const { STYLE } = await import('../_shared/analytics/page/style.ts')
  return { style: STYLE, audience: 'For university administrators.' }
}

async function dashboardFor(
  call: Call,
  kind: PageKind,
  query: z.output<typeof pageQuery>,
): Promise<Response> {
  const { dashboardBody } = await import('../_shared/analytics/page/dashboard.ts')
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
    const notice = { heading: 'Not for this account', sentence, signedIn: true }
    return showNotice(call, kind, notice, { status: 403 })
  }
  const { date_range, faculty, year, residence } = query
  const range = { university_id: university.id, date_range }
  const [whole, figures] = await Promise.all([
    readWellbeing(client, range),
    readDashboard(client, { ...range, cohort: { faculty, year, residence } }),
  ])
  const view = { query, university, universities, whole, figures: figures && recommended(figures) }
  const title = `${university.name}: wellbeing`
  return showPage(call, kind, { title, body: dashboardBody(view), signedIn: true })
}
