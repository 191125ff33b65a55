import * as z from 'zod'
import { assess, assessment, assessmentId, readAssessment } from '../_shared/compliance/assessments.ts'
import {
  controlId,
  currentControl,
  decide,
  framework,
  newDecision,
  readControls,
} from '../_shared/compliance/controls.ts'
import { ofPlainJson } from '../_shared/fields.ts'
import { endpoint } from '../_shared/http/serve.ts'
import { json } from '../_shared/json.ts'
import { callerClient } from '../_shared/platform/clients.ts'

const common = {
  tag: 'Compliance',
  security: 'user',
  staff: ['security_admin'],
  limit: 'data-api',
} as const

const assessFramework = endpoint(
  {
    ...common,
    id: 'assessCompliance',
    method: 'post',
    path: '/api/compliance/assess/{framework}',
    summary: 'Runs the automated checks of a framework; for security administrators',
    description:
      'Each check looks at the live database for what is wrong, and keeps its query, time and hash as evidence. A check without anything to check by, such as the time of a backup that nobody told, is `not_assessed`. What assessors decided stays as it is, beside what the checks find. Every night it is run by itself.',
    params: z.object({ framework }),
    response: assessment,
    errors: ['forbidden'],
    example: { params: { framework: 'gdpr' } },
  },
  async ({ params }, call) => {
    return assess(callerClient(call), params.framework)
  },
)

const format = z.enum(['json', 'oscal']).default('json').describe('How it is written.')

const makeReport = endpoint(
  {
    ...common,
    id: 'makeComplianceReport',
    method: 'post',
    path: '/api/compliance/reports',
    summary: 'Reports an assessment, or makes one; for security administrators',
    description:
      'An assessment that is stored does not change any more, decisions included: each report of it is the same. As JSON, or as OSCAL 1.2 assessment results.',
    body: ofPlainJson(
      z.union([
        z.strictObject({ framework: framework.describe('Assesses this framework anew.'), format }),
        z.strictObject({ assessment_id: assessmentId.describe('Reports this assessment.'), format }),
      ]),
    ),
    response: z.union([
      assessment,
      z.object({
        'assessment-results': z
          .object({ uuid: z.guid().describe('The document.') })
          .catchall(json)
          .describe('OSCAL assessment results, as NIST’s schema of them says.'),
      }),
    ]),
    errors: ['forbidden', 'assessment_not_found'],
    example: { body: { framework: 'soc2', format: 'oscal' } },
  },
  async ({ body }, call) => {
    const client = callerClient(call)
    const assessed = await ('framework' in body
      ? assess(client, body.framework)
      : readAssessment(client, body.assessment_id))
    if (body.format === 'json') return assessed
    const { oscalOf } = await import('../_shared/compliance/oscal.ts')
    return oscalOf(assessed)
  },
)

const decideControl = endpoint(
  {
    ...common,
    id: 'decideComplianceControl',
    method: 'put',
    path: '/api/compliance/controls/{id}',
    summary: 'Stores what an assessor decides of a control; for security administrators',
    description:
      'Stands beside what the checks find, and neither overwrites the other. Needs a reason and evidence, which the audit log keeps with who decided. Reports of assessments that were made before do not have it.',
    params: z.object({ id: controlId }),
    body: newDecision,
    response: currentControl,
    errors: ['forbidden', 'control_not_found', 'invalid_value'],
    example: {
      params: { id: 'ctl_gdpr_13' },
      body: {
        status: 'compliant',
        reason: 'The app shows the notice before the first check-in.',
        evidence: [{ description: 'The notice, with the results of reading it with ten students' }],
      },
    },
  },
  async ({ params, body }, call) => {
    return decide(callerClient(call), params.id, body)
  },
)

const listControls = endpoint(
  {
    ...common,
    id: 'listComplianceControls',
    method: 'get',
    path: '/api/compliance/controls',
    summary: 'Lists the controls as they stand at the moment; for security administrators',
    query: z.strictObject({ framework: framework.optional().describe('All of them by default.') }),
    response: z.object({ controls: z.array(currentControl).describe('The controls, by framework.') }),
    errors: ['forbidden'],
    example: { query: { framework: 'hipaa' } },
  },
  async ({ query }, call) => {
    return { controls: await readControls(callerClient(call), query.framework) }
  },
)

/** `/api/compliance/*` as JSON. */
export const COMPLIANCE = [assessFramework, makeReport, decideControl, listControls] as const
