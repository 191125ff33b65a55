import * as z from 'zod'
import { requireSecurityAdmin } from '../_shared/accounts/roles.ts'
import { assess, assessmentId, lastAssessment, readAssessment } from '../_shared/compliance/assessments.ts'
import { FRAMEWORKS, framework } from '../_shared/compliance/controls.ts'
import { ServiceError } from '../_shared/errors.ts'
import { validated } from '../_shared/http/body.ts'
import { type Call, endpoint } from '../_shared/http/serve.ts'
import {
  backToPage,
  type PageCall,
  type PageKind,
  showPage,
  showSignedIn,
  withoutTrailingSlash,
} from '../_shared/http/signed-in-page.ts'
import { callerClient } from '../_shared/platform/clients.ts'
import { respondToForm, SIGN_IN_FORMS } from './page-sign-in.ts'

const MAX_FORM_BYTES = 5_000

const assessForm = z.object({ assess: framework.describe('The framework to assess.') })

const common = {
  path: '/api/compliance/report.html',
  tag: 'Compliance',
  security: 'none',
  query: z.object({
    assessment: z
      .string()
      .max(60)
      .optional()
      .catch(undefined)
      .describe('An assessment to report; the frameworks by default.'),
  }),
  response: z.string().describe('HTML'),
  produces: 'text/html',
} as const

const showReport = endpoint(
  {
    ...common,
    id: 'showComplianceReport',
    method: 'get',
    summary:
      'The report of an assessment as a page to print, or a form to sign in with if nobody is signed in',
    description:
      'For security administrators. Takes a bearer token, or the cookie that the form sets. Needs no JavaScript and loads nothing.',
    otherwise: {
      401: 'The form again: the session has ended.',
      403: 'A page that says that it is for security administrators.',
      404: 'A page that says that there is no such assessment.',
      308: 'The path ended with a slash: redirects to the page without it.',
      429: 'A page that says how long to wait.',
    },
    example: { query: {} },
  },
  async ({ query }, call) => {
    const elsewhere = withoutTrailingSlash(call)
    if (elsewhere) return elsewhere
    const kind = await pageKind()
    return showSignedIn(call, kind, async (signedIn) => {
      await requireSecurityAdmin(signedIn)
      const { frameworksBody, reportBody, reportTitle } = await import('../_shared/compliance/page/views.ts')
      const client = callerClient(signedIn)
      if (query.assessment === undefined) {
        const last = await Promise.all(
          FRAMEWORKS.map(async (framework) => {
            const assessment = await lastAssessment(client, framework)
            return { framework, id: assessment?.id ?? null, ended_at: assessment?.ended_at ?? null }
          }),
        )
        return showPage(call, kind, { title: 'Compliance', body: frameworksBody(last), signedIn: true })
      }
      const { data: id } = assessmentId.safeParse(query.assessment)
      if (id === undefined) throw new ServiceError('assessment_not_found', 'There is no such assessment.')
      const assessment = await readAssessment(client, id)
      const body = reportBody(assessment)
      return showPage(call, kind, { title: reportTitle(assessment), body, signedIn: true })
    })
  },
)

const assessOnPage = endpoint(
  {
    ...common,
    id: 'assessOnCompliancePage',
    method: 'post',
    summary: "The page's forms: signs in or out, or assesses a framework",
    description:
      'Takes forms of the page itself only. The access token is kept in an HttpOnly cookie of the page.',
    body: z.union([...SIGN_IN_FORMS, assessForm]),
    consumes: 'application/x-www-form-urlencoded',
    otherwise: {
      303: 'Done: redirects to the page, or to the report of the assessment.',
      308: 'The path ended with a slash: redirects to the page without it.',
      401: 'The form to sign in with again.',
      403: 'The form was sent by a page of another host, or by somebody who is no security administrator.',
      422: 'A page that says that there is no such framework.',
      429: 'A page that says how long to wait.',
    },
    example: { body: { email: 'security@northfield.example.edu', password: 'invented-password-1' } },
  },
  async (_, call: PageCall) => {
    const respond = async (signedIn: Call, form: URLSearchParams) => {
      await requireSecurityAdmin(signedIn)
      const { assess: chosen } = validated(assessForm, Object.fromEntries(form))
      const { id } = await assess(callerClient(signedIn), chosen)
      return backToPage(call, { query: `?assessment=${id}` })
    }
    return respondToForm(call, await pageKind(), { maxBytes: MAX_FORM_BYTES, fields: ['assess'], respond })
  },
)

/** `/api/compliance/report.html`. */
export const COMPLIANCE_PAGE = [showReport, assessOnPage] as const

/** What draws the page is loaded when it is first requested. */
async function pageKind(): Promise<PageKind> {
  const { STYLE } = await import('../_shared/compliance/page/style.ts')
  return { style: STYLE, audience: 'For security administrators.' }
}
