import * as z from 'zod'
import { requireSecurityAdmin } from '../_shared/accounts/roles.ts'
import { FRAMEWORKS } from '../_shared/compliance/controls.ts'
import { serviceErrorOf } from '../_shared/data-api/postgrest-errors.ts'
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
import {
  incidentFilter,
  incidentId,
  incidentResponse,
  listIncidents,
  noticedIncident,
  recordIncident,
} from '../_shared/incidents/incidents.ts'
import type { Overview } from '../_shared/incidents/page/views.ts'
import { respond } from '../_shared/incidents/response.ts'
import { callerClient, type ProjectClient } from '../_shared/platform/clients.ts'
import { acceptance, testId, vulnerabilityId } from '../_shared/security-tests/test.ts'
import { respondToForm, SIGN_IN_FORMS } from './page-sign-in.ts'

const MAX_FORM_BYTES = 20_000

/** Most of each kind that the page shows. */
const SHOWN = 20

const text = z.string().max(2000)

/** What the page's forms ask for. */
const change = z.union([
  z.object({
    incident: incidentId,
    status: z.string().max(50).describe('What its status becomes; empty leaves it.'),
    note: text.optional().describe('What to keep in its timeline.'),
  }),
  z.object({
    incident: incidentId,
    action: z.string().max(50).describe('What to do.'),
    target: text.optional().describe('To what.'),
    undo: z.enum(['', '1']).default('').describe('1: undo it.'),
  }),
  z.object({
    vulnerability: vulnerabilityId,
    reason: acceptance.shape.reason,
    until: z.iso.date().describe('Until the end of this day (UTC).'),
  }),
  z.object({ test: testId }),
  z.object({
    change: text.describe('The change to the database that is confirmed, by its object.'),
    reason: z.string().min(1).max(1000).describe('Why.'),
  }),
  noticedIncident.pick({ type: true, severity: true, title: true, description: true }).extend({
    noticed: z
      .union([z.literal(''), z.iso.datetime({ local: true, precision: -1 })])
      .default('')
      .describe('When it was noticed, to the minute (UTC); empty: now.'),
  }),
])

const common = {
  path: '/api/security/dashboard.html',
  tag: 'Security',
  security: 'none',
  reachable: ['in_quarantine'],
  response: z.string().describe('HTML'),
  produces: 'text/html',
} as const

const showOverview = endpoint(
  {
    ...common,
    id: 'showSecurityOverview',
    method: 'get',
    summary:
      'Incidents, changes to the database, vulnerabilities, tests, policies, compliance and training as a page, or a form to sign in with if nobody is signed in',
    description:
      'For security administrators. Takes a bearer token, or the cookie that the form sets. Needs no JavaScript and loads nothing.',
    otherwise: {
      401: 'The form again: the session has ended.',
      403: 'A page that says that it is for security administrators, or asks for the second factor.',
      308: 'The path ended with a slash: redirects to the page without it.',
      429: 'A page that says how long to wait.',
    },
    example: {},
  },
  async (_, call) => {
    const elsewhere = withoutTrailingSlash(call)
    if (elsewhere) return elsewhere
    const kind = await pageKind()
    return showSignedIn(call, kind, async (signedIn) => {
      await requireSecurityAdmin(signedIn)
      const { overviewBody } = await import('../_shared/incidents/page/views.ts')
      const body = overviewBody(await readOverview(callerClient(signedIn)))
      return showPage(signedIn, kind, { title: 'Security', body, signedIn: true })
    })
  },
)

const actOnPage = endpoint(
  {
    ...common,
    id: 'actOnSecurityPage',
    method: 'post',
    summary:
      "The page's forms: signs in or out, records or deals with an incident, confirms a change to the database, accepts a vulnerability, or runs a security test",
    description:
      'Takes forms of the page itself only. The access token is kept in an HttpOnly cookie of the page.',
    body: z.union([...SIGN_IN_FORMS, change]),
    consumes: 'application/x-www-form-urlencoded',
    otherwise: {
      303: 'Done: redirects to the page.',
      308: 'The path ended with a slash: redirects to the page without it.',
      401: 'The form to sign in with again.',
      403: 'The form was sent by a page of another host, or by somebody who is no security administrator.',
      404: 'A page that says that there is no such incident, vulnerability or test.',
      409: 'A page that says that this cannot follow.',
      422: 'A page that says what is missing in the form.',
      429: 'A page that says how long to wait.',
    },
    example: { body: { email: 'security@northfield.example.edu', password: 'invented-password-1' } },
  },
  async (_, call: PageCall) => {
    const respond = async (signedIn: Call, form: URLSearchParams) => {
      await requireSecurityAdmin(signedIn)
      await act(signedIn, validated(change, Object.fromEntries(form)))
      return backToPage(signedIn)
    }
    const fields = ['incident', 'vulnerability', 'test', 'change', 'title']
    return respondToForm(call, await pageKind(), { maxBytes: MAX_FORM_BYTES, fields, respond })
  },
)

/** `/api/security/dashboard.html`. */
export const SECURITY_PAGE = [showOverview, actOnPage] as const

/** What draws the page is loaded when it is first requested. */
async function pageKind(): Promise<PageKind> {
  const { STYLE } = await import('../_shared/incidents/page/style.ts')
  return { style: STYLE, audience: 'For security administrators.' }
}

/** Reads what the page shows, with the rights of whoever looks at it. */
async function readOverview(client: ProjectClient): Promise<Overview> {
  const [incidents, schemaChanges, policies, controls, vulnerabilities, tests, runs, training] =
    await Promise.all([
      listIncidents(client, incidentFilter.parse({ limit: SHOWN })),
      client.rpc('list_schema_changes').limit(SHOWN),
      client
        .from('security_policies')
        .select('id, name, category, enabled, dry_run, trigger_count, last_triggered')
        .order('enabled', { ascending: false })
        .order('priority')
        .order('id'),
      client.from('compliance_controls').select('framework, automated_status, automated_at'),
      client
        .from('vulnerabilities')
        .select('id, title, severity, status, found_at, times_found, regression_of, accepted_until')
        .neq('status', 'fixed')
        .order('status')
        .order('severity', { ascending: false })
        .order('found_at')
        .limit(SHOWN),
      client.from('security_tests').select('id, name').order('name').order('id').limit(SHOWN),
      client
        .from('security_test_runs')
        .select('test_id, status, created_at, ended_at')
        .order('created_at', { ascending: false })
        .limit(10 * SHOWN),
      client.rpc('training_statistics'),
    ])
  const error =
    schemaChanges.error ??
    policies.error ??
    controls.error ??
    vulnerabilities.error ??
    tests.error ??
    runs.error ??
    training.error
  if (error) throw serviceErrorOf(error)
  return {
    incidents: incidents.data,
    active: incidents.count,
    schemaChanges: schemaChanges.data ?? [],
    policies: policies.data ?? [],
    posture: FRAMEWORKS.map((framework) => {
      const own = (controls.data ?? []).filter((control) => control.framework === framework)
      const count = (status: string) => own.filter((control) => control.automated_status === status).length
      const times = own.flatMap(({ automated_at }) => automated_at ?? [])
      return {
        framework,
        compliant: count('compliant'),
        partial: count('partial'),
        non_compliant: count('non_compliant'),
        not_assessed: count('not_assessed'),
        assessed_at: times.toSorted().at(-1) ?? null,
      }
    }),
    vulnerabilities: vulnerabilities.data ?? [],
    tests: (tests.data ?? []).map((test) => ({
      ...test,
      run: runs.data?.find(({ test_id }) => test_id === test.id) ?? null,
    })),
    training: training.data ?? [],
  }
}

/** Does what a form of the page asks for. */
async function act(call: Call, asked: z.output<typeof change>): Promise<void> {
  const client = callerClient(call)
  if ('test' in asked) {
    const { error } = await client.rpc('execute_security_test', { test: asked.test })
    if (error) throw serviceErrorOf(error)
  } else if ('vulnerability' in asked) {
    const { error } = await client.rpc('accept_vulnerability', {
      vulnerability: asked.vulnerability,
      reason: asked.reason,
      until: `${asked.until}T23:59:59Z`,
    })
    if (error) throw serviceErrorOf(error)
  } else if ('change' in asked) {
    const { reason, change: object } = asked
    const { error } = await client.rpc('accept_schema_change', { reason, object })
    if (error) throw serviceErrorOf(error)
  } else if ('title' in asked) {
    const { noticed, ...what } = asked
    const at = noticed && { noticed_at: `${noticed}:00Z` }
    await recordIncident(client, noticedIncident.parse({ ...what, ...at }))
  } else if ('action' in asked) {
    const { actions } = validated(incidentResponse, {
      actions: [
        { action: asked.action, ...(asked.target && { target: asked.target }), undo: asked.undo === '1' },
      ],
    })
    for (const action of actions) await respond({ ...call, client }, asked.incident, action)
  } else {
    const { status, note } = validated(incidentResponse, {
      ...(asked.status && { status: asked.status }),
      ...(asked.note && { note: asked.note }),
    })
    const { error } = await client.rpc('change_incident', {
      incident_id: asked.incident,
      ...(status && { status }),
      ...(note !== undefined && { note }),
    })
    if (error) throw serviceErrorOf(error)
  }
}
