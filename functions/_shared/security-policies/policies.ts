import type { SupabaseClient } from '@supabase/supabase-js'
import * as z from 'zod'
import { serviceErrorOf } from '../data-api/postgrest-errors.ts'
import { titled } from '../enumerations.ts'
import { ServiceError } from '../errors.ts'
import { line, ofPlainJson } from '../fields.ts'
import { json, jsonObject } from '../json.ts'

const CATEGORIES = [
  'access_control',
  'data_protection',
  'authentication',
  'compliance',
  'incident_response',
  'monitoring',
] as const

const TYPES = ['preventive', 'detective', 'corrective'] as const

const ACTIONS = [
  'block_access',
  'require_mfa',
  'log_events',
  'send_alerts',
  'disable_users',
  'apply_rate_limits',
  'create_audit_trails',
] as const

const POINTS = ['request', 'sign_in'] as const

export const policyId = z
  .string()
  .regex(/^pol_[a-z0-9_]{1,60}$/, 'is an id such as pol_staff_second_factor')
  .describe('The policy.')

const conditions = jsonObject.describe(
  'When it applies: `{field, op, value}`, `{all: […]}`, `{any: […]}`, `{not: …}` or `{count, of, by, within}`, as docs/security-policies.md says.',
)

/** Members of an action are checked by the database, with the conditions. */
const givenAction = z
  .union([
    titled(ACTIONS).transform((action) => ({ action })),
    z
      .object({
        action: titled(ACTIONS).describe('What is done.'),
        requests: z
          .int()
          .optional()
          .describe('Of `apply_rate_limits`: how many requests are allowed, 1 to 10000.'),
        period: z.int().optional().describe('Of `apply_rate_limits`: within how many seconds, 1 to 86400.'),
      })
      .catchall(json),
  ])
  .describe(`An action, or its name alone: ${ACTIONS.join(', ')}; a title such as Block Access too.`)

const points = z
  .array(z.enum(POINTS))
  .min(1)
  .max(2)
  .describe('Where it is enforced: on requests, and when Auth issues a token.')

const given = {
  name: line(200).min(1).describe('Name.'),
  category: titled(CATEGORIES).describe(
    `What it is about: ${CATEGORIES.join(', ')}; a title such as Access Control too.`,
  ),
  type: titled(TYPES).describe('Whether it prevents something, notices it, or mends it.'),
  conditions,
  actions: z.array(givenAction).min(1).max(7).describe('What is done when the conditions hold.'),
  priority: z.int().min(1).max(1000).describe('Order of evaluation, from 1.'),
}

/** A policy as an administrator sends it. */
export const newPolicy = ofPlainJson(
  z.strictObject({
    ...given,
    enforcement_points: points.default([...POINTS]),
    enabled: z.boolean().default(true).describe('Whether it is evaluated.'),
    dry_run: z.boolean().default(false).describe('Whether it only counts, and acts on nothing.'),
  }),
)

/** What is to be changed of a policy. */
export const policyChanges = ofPlainJson(
  z
    .strictObject({
      ...given,
      enforcement_points: points,
      enabled: z.boolean().describe('Whether it is evaluated.'),
      dry_run: z.boolean().describe('Whether it only counts, and acts on nothing.'),
    })
    .partial()
    .refine((changes) => Object.keys(changes).length > 0, 'names at least one change'),
)

const action = z.object({ action: z.enum(ACTIONS).describe('What is done.') }).catchall(json)

const when = z.iso.datetime({ offset: true })

export const storedPolicy = z.object({
  id: policyId,
  name: z.string().describe('Name.'),
  category: z.enum(CATEGORIES).describe('What it is about.'),
  type: z.enum(TYPES).describe('Whether it prevents something, notices it, or mends it.'),
  conditions,
  actions: z.array(action).describe('What is done when the conditions hold.'),
  enforcement_points: points,
  priority: z.int().describe('Order of evaluation, from 1.'),
  enabled: z.boolean().describe('Whether it is evaluated.'),
  dry_run: z.boolean().describe('Whether it only counts.'),
  trigger_count: z.int().describe('How often its conditions held, as of the last minute.'),
  last_triggered: when.nullable().describe('When they held last; null before the first time.'),
  created_at: when.describe('When it was created.'),
  updated_at: when.describe('When it was last changed.'),
})

type StoredPolicy = z.output<typeof storedPolicy>

const words = z.array(z.string().min(1).max(200)).max(20)
const word = z.string().min(1).max(200)

/** What is known of a request. */
export const evaluationContext = z
  .strictObject({
    account: z.guid().describe('An account, whose roles, universities and age count unless they are given.'),
    address: z.union([z.ipv4(), z.ipv6()]).describe('IP address.'),
    service: z.enum(['functions', 'rest', 'storage', 'realtime', 'auth']).describe('What is requested.'),
    function: word.describe('Name of the edge function.'),
    method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']).describe('HTTP method.'),
    path: z.string().min(1).max(1000).describe('Path, as that service sees it.'),
    user_agent: z.string().min(1).max(500).describe('User agent.'),
    network: z.enum(['campus', 'platform', 'other']).describe('Kind of network.'),
    signed_in: z.boolean().describe('Whether somebody is signed in.'),
    role: words.describe('Roles.'),
    university: words.describe('Universities where those roles are.'),
    aal: z.enum(['aal1', 'aal2']).describe('`aal2` after a second factor.'),
    sign_in_method: word.describe('How somebody signs in, as Auth calls it.'),
    account_age: z.number().min(0).max(1_000_000).describe('Age of the account, hours.'),
    hour: z.int().min(0).max(23).describe('Hour of the day, UTC.'),
    weekday: z.int().min(1).max(7).describe('Day of the week, 1 for Monday.'),
  })
  .partial()
  .describe(
    'What is known of the request; what is left out, and does not follow from the account, is not known.',
  )

/** What is to be evaluated. */
export const evaluation = ofPlainJson(
  z.strictObject({
    context: evaluationContext,
    enforcement_point: z.enum(POINTS).default('request').describe('Where it is to be enforced.'),
    enforce: z
      .boolean()
      .default(false)
      .describe(
        'Whether to act as well: alert, log, disable. Blocks, second factors and limits are only ever applied to requests.',
      ),
  }),
)

const explained = z
  .object({ holds: z.boolean().describe('Whether this part holds.') })
  .catchall(json)
  .describe('The conditions, each part with `holds`.')

export const evaluated = z.object({
  decision: z.enum(['allow', 'block_access', 'require_mfa']).describe('What becomes of the request.'),
  decided_by: policyId.nullable().describe('The policy that decides; null when none does.'),
  policies: z
    .array(
      z.object({
        id: policyId,
        name: z.string().describe('Name.'),
        priority: z.int().describe('Order of evaluation.'),
        dry_run: z.boolean().describe('Whether it only counts.'),
        holds: z.boolean().describe('Whether its conditions hold.'),
        conditions: explained,
        actions: z
          .array(
            action.extend({
              outcome: z
                .enum(['not_triggered', 'dry_run', 'in_force', 'would_act', 'done', 'failed'])
                .describe('What becomes of it; `in_force`: it is applied to requests themselves.'),
              detail: z.string().optional().describe('Why it failed, or to whom it went.'),
            }),
          )
          .describe('Its actions.'),
      }),
    )
    .describe('The enabled policies of this enforcement point, in their order.'),
})

const count = z.int()

export const policyStatistics = z.object({
  policies: count.describe('Policies.'),
  enabled: count.describe('Those that are enabled.'),
  dry_run: count.describe('Enabled ones that only count.'),
  triggered: count.describe('How often conditions held, in all.'),
  triggered_last_30_days: count.describe('The same within the last 30 days.'),
  by_category: z.partialRecord(z.enum(CATEGORIES), count).describe('Enabled policies by category.'),
  by_action: z.partialRecord(z.enum(ACTIONS), count).describe('Enabled policies by action.'),
  most_triggered: z
    .array(
      z.object({
        id: policyId,
        name: z.string().describe('Name.'),
        enabled: z.boolean().describe('Whether it is enabled.'),
        dry_run: z.boolean().describe('Whether it only counts.'),
        triggered: count.describe('How often its conditions held, up to now.'),
        triggered_last_30_days: count.describe('The same within the last 30 days.'),
        last_triggered: when.nullable().describe('When they held last.'),
      }),
    )
    .describe('The 20 whose conditions held most often.'),
})

/** A client of the project with the caller's token; what the database stores as JSON is checked there. */
type AnyClient = Pick<SupabaseClient, 'from'>

/** Stores a policy. Throws `policy_invalid`, `policy_blocks_caller` and `policy_limit`. */
export async function createPolicy(
  client: AnyClient,
  policy: z.output<typeof newPolicy>,
): Promise<StoredPolicy> {
  const { data, error } = await client.from('security_policies').insert(policy).select().single()
  if (error) throw serviceErrorOf(error)
  return storedPolicy.parse(data)
}

/** Changes a policy. Throws `policy_not_found` and what `createPolicy` throws. */
export async function changePolicy(
  client: AnyClient,
  id: string,
  changes: z.output<typeof policyChanges>,
): Promise<StoredPolicy> {
  const { data, error } = await client
    .from('security_policies')
    .update(changes)
    .eq('id', id)
    .select()
    .maybeSingle()
  if (error) throw serviceErrorOf(error)
  if (!data) throw new ServiceError('policy_not_found', 'There is no policy of this id.')
  return storedPolicy.parse(data)
}
