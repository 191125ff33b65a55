import * as z from 'zod'
import { serviceErrorOf } from '../_shared/data-api/postgrest-errors.ts'
import { selectRows } from '../_shared/data-api/rows.ts'
import { limit, offset } from '../_shared/fields.ts'
import { endpoint } from '../_shared/http/serve.ts'
import { callerClient } from '../_shared/platform/clients.ts'
import {
  changePolicy,
  createPolicy,
  evaluated,
  evaluation,
  newPolicy,
  policyChanges,
  policyId,
  policyStatistics,
  storedPolicy,
} from '../_shared/security-policies/policies.ts'

const common = {
  tag: 'Security',
  security: 'user',
  staff: ['security_admin'],
  limit: 'data-api',
  reachable: ['in_quarantine'],
} as const

const EXAMPLE = {
  name: 'Staff outside the campus give a second factor',
  category: 'authentication',
  type: 'preventive',
  conditions: {
    all: [
      { field: 'role', op: 'in', value: ['counselor', 'university_admin'] },
      { not: { field: 'address', op: 'in', value: ['192.0.2.0/24'] } },
    ],
  },
  actions: [{ action: 'require_mfa' }],
  priority: 200,
  // Counted at first, not in force.
  dry_run: true,
}

const createSecurityPolicy = endpoint(
  {
    ...common,
    id: 'createSecurityPolicy',
    method: 'post',
    path: '/api/security/policies',
    summary: 'Stores a policy; for security administrators',
    description:
      'Conditions are in the closed grammar of docs/security-policies.md, and are checked when the policy is stored. Each change is in the audit log.',
    body: newPolicy,
    response: storedPolicy,
    errors: ['forbidden', 'policy_invalid', 'policy_blocks_caller', 'policy_limit'],
    example: { body: EXAMPLE },
  },
  async ({ body }, call) => {
    return createPolicy(callerClient(call), body)
  },
)

const changeSecurityPolicy = endpoint(
  {
    ...common,
    id: 'changeSecurityPolicy',
    method: 'put',
    path: '/api/security/policies/{id}',
    summary: 'Changes a policy, or switches it on or off; for security administrators',
    description: 'What is left out stays. Policies are never deleted: disable them.',
    params: z.object({ id: policyId }),
    body: policyChanges,
    response: storedPolicy,
    errors: ['forbidden', 'policy_not_found', 'policy_invalid', 'policy_blocks_caller', 'policy_limit'],
    example: { params: { id: 'pol_exports_at_night' }, body: { dry_run: true } },
  },
  async ({ params, body }, call) => {
    return changePolicy(callerClient(call), params.id, body)
  },
)

const listSecurityPolicies = endpoint(
  {
    ...common,
    id: 'listSecurityPolicies',
    method: 'get',
    path: '/api/security/policies',
    summary: 'Lists the policies in their order; for security administrators',
    query: z.strictObject({ limit, offset }),
    response: z.strictObject({
      policies: z.array(storedPolicy).describe('Policies of this page.'),
      total: z.int().describe('Number of policies on all pages.'),
      limit: z.int().describe('Most policies that a page has.'),
      offset: z.int().describe('Number of policies before this page.'),
    }),
    errors: ['forbidden'],
    example: { query: { limit: 20 } },
  },
  async ({ query: { limit, offset } }, call) => {
    const { data, count } = await selectRows(callerClient(call), {
      table: 'security_policies',
      columns: '*',
      filters: {},
      orderBy: [
        { column: 'priority', ascending: true },
        { column: 'id', ascending: true },
      ],
      limit,
      offset,
    })
    return { policies: z.array(storedPolicy).parse(data), total: count, limit, offset }
  },
)

const evaluatePolicies = endpoint(
  {
    ...common,
    id: 'evaluateSecurityPolicies',
    method: 'post',
    path: '/api/security/policies/evaluate',
    summary: 'Says what the enabled policies make of a request, and why; for security administrators',
    description:
      'Each policy whose conditions hold is counted. With `enforce` it alerts, logs and disables as well, as it would for such a request.',
    body: evaluation,
    response: evaluated,
    errors: ['forbidden'],
    example: {
      body: {
        context: {
          role: ['counselor'],
          signed_in: true,
          aal: 'aal1',
          address: '198.51.100.7',
          path: '/api/students',
        },
      },
    },
  },
  async ({ body: { context, enforcement_point, enforce } }, call) => {
    const { data, error } = await callerClient(call).rpc('evaluate_policies', {
      context,
      enforcement_point,
      enforce,
    })
    if (error) throw serviceErrorOf(error)
    return evaluated.parse(data)
  },
)

const readStatistics = endpoint(
  {
    ...common,
    id: 'readPolicyStatistics',
    method: 'get',
    path: '/api/security/policies/statistics',
    summary: 'How many policies there are, and how often they applied; for security administrators',
    response: policyStatistics,
    errors: ['forbidden'],
  },
  async (_, call) => {
    const { data, error } = await callerClient(call).rpc('policy_statistics')
    if (error) throw serviceErrorOf(error)
    return policyStatistics.parse(data)
  },
)

/** `/api/security/policies`. */
export const SECURITY_POLICIES = [
  readStatistics,
  evaluatePolicies,
  listSecurityPolicies,
  createSecurityPolicy,
  changeSecurityPolicy,
] as const
