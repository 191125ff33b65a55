import * as z from 'zod'
import { serviceErrorOf } from '../data-api/postgrest-errors.ts'
import { titled } from '../enumerations.ts'
import { ServiceError } from '../errors.ts'
import { id, line, storable } from '../fields.ts'
import { json, jsonObject } from '../json.ts'
import type { ProjectClient } from '../platform/clients.ts'
import { universityId } from '../universities/university.ts'
import { RESPONSE_ACTIONS, responseEntry } from './response.ts'

export const INCIDENT_TYPES = [
  'unauthorized_access',
  'data_breach',
  'brute_force_attacks',
  'privilege_escalation',
  'data_exfiltration',
  'compliance_violations',
  'suspicious_activity',
  'system_compromise',
] as const

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const

const STATUSES = ['open', 'investigating', 'contained', 'resolved', 'closed'] as const

/** Statuses of incidents that go on. */
const ACTIVE = ['open', 'investigating', 'contained'] as const

const ENDED = ['resolved', 'closed'] as const

const HOUR_MS = 3_600_000

/** Terms of notification, from when a breach of personal data is known: GDPR article 33 (1), and HIPAA 45 CFR 164.404 (b). */
const AUTHORITY_MS = 72 * HOUR_MS
const PEOPLE_MS = 60 * 24 * HOUR_MS

export const incidentId = z
  .string()
  .regex(/^inc_[a-z0-9_]{1,60}$/, 'is the id of an incident')
  .describe('The incident.')

const time = z.iso.datetime({ offset: true })

/** An incident as it is answered. People are ids. */
export const incident = z.object({
  id: incidentId,
  type: z.enum(INCIDENT_TYPES).describe('What kind it is.'),
  severity: z.enum(SEVERITIES).describe('How bad it is.'),
  status: z.enum(STATUSES).describe('How far it is dealt with; active means neither resolved nor closed.'),
  title: z.string().describe('What happened, in a line.'),
  description: z.string().describe('What happened.'),
  university_id: z.string().nullable().describe('University that it concerns; null when that is none alone.'),
  detected_at: time.describe('When it was detected, or noticed.'),
  last_seen_at: time.describe('When it was last seen going on.'),
  ended_at: time.nullable().describe('When it was resolved.'),
  affected_systems: z.array(z.string()).describe('Parts of the service that it concerns.'),
  affected_users: z.array(z.string()).describe('Accounts that it concerns.'),
  indicators: jsonObject.describe(
    'What shows it: the rule with its threshold and period, and the evidence that it counted.',
  ),
  response: z.array(responseEntry).describe('What was done about it, the oldest first.'),
  timeline: z
    .array(
      z.object({ at: time.describe('When.'), event: z.string().describe('What happened.') }).catchall(json),
    )
    .describe('What happened to it, the oldest first; entries are only ever added.'),
  metadata: jsonObject.describe('Further details.'),
  owner: z.guid().nullable().describe('Security administrator who deals with it.'),
  aware_at: time
    .nullable()
    .describe('From when on a breach of personal data is known; null while it is none.'),
  notify_authority_by: time
    .nullable()
    .describe('Until when the supervisory authority has to be told: 72 hours.'),
  notify_people_by: time
    .nullable()
    .describe('Until when the people concerned have to be told at the latest: 60 days.'),
})

/** Which incidents to list. */
export const incidentFilter = z.strictObject({
  status: z
    .union([z.enum(['active', 'ended', 'all']), titled(STATUSES)])
    .default('active')
    .describe('active: neither resolved nor closed; ended: one of these; all: any.'),
  type: titled(INCIDENT_TYPES).optional().describe('What kind.'),
  severity: titled(SEVERITIES).optional().describe('How bad.'),
  university_id: universityId.optional().describe('Of which university.'),
  owner: z
    .union([z.guid(), z.literal('nobody')])
    .optional()
    .describe('Who deals with it: an account, or nobody.'),
  limit: z.coerce.number().int().min(1).max(200).default(50).describe('Most incidents to return.'),
  offset: z.coerce.number().int().min(0).max(100_000).default(0).describe('Incidents to skip.'),
})

/** An incident that a person has noticed. */
export const noticedIncident = z.strictObject({
  type: titled(INCIDENT_TYPES).describe('What kind it is.'),
  severity: titled(SEVERITIES).describe('How bad it is.'),
  title: line(500).min(1).describe('What happened, in a line.'),
  description: z
    .string()
    .min(1)
    .max(5000)
    .refine(storable, 'is text')
    .describe('What happened, and what to look at.'),
  university_id: universityId.optional().describe('University that it concerns, if it is one alone.'),
  noticed_at: time
    .optional()
    .describe(
      'When it was noticed, by default now; of a `data_breach` the terms of notification run from then.',
    ),
  affected_users: z.array(id).max(1000).default([]).describe('Accounts that it concerns.'),
  affected_systems: z
    .array(line(200))
    .max(100)
    .default([])
    .describe('Parts of the service that it concerns.'),
})

const note = z.string().max(2000).refine(storable, 'is text').describe('What to keep in the timeline.')

/** What is done about an incident in one call. */
export const incidentResponse = z
  .strictObject({
    actions: z
      .array(
        z.strictObject({
          action: titled(RESPONSE_ACTIONS, {
            block_ip_addresses: 'block_ip',
            disable_user_accounts: 'disable_user',
            send_security_alerts: 'send_alert',
            quarantine_systems: 'quarantine',
            create_emergency_backups: 'backup',
            generate_audit_trails: 'audit_trail',
          }).describe('What to do.'),
          target: z
            .string()
            .max(1000)
            .refine(storable, 'is text')
            .optional()
            .describe(
              'To what: an address for `block_ip`, an account for `disable_user`, a function or `*` for `quarantine`, further words for `send_alert`.',
            ),
          undo: z.boolean().default(false).describe('Whether to undo it.'),
        }),
      )
      .max(20)
      .default([])
      .describe('Actions, which are done in this order.'),
    status: titled(STATUSES).optional().describe('What its status becomes.'),
    owner: z.guid().optional().describe('Security administrator who deals with it from now on.'),
    aware_at: time.optional().describe('From when on a breach of personal data is known.'),
    note: note.optional(),
  })
  .refine((change) => change.actions.length > 0 || Object.keys(change).length > 1, 'names something to do')

type StoredIncident = Record<string, unknown> & { aware_at: string | null }

/** An incident with its terms of notification. */
export function incidentOf(stored: StoredIncident): z.output<typeof incident> {
  const known = stored.aware_at === null ? null : Date.parse(stored.aware_at)
  const term = (ms: number) => (known === null ? null : new Date(known + ms).toISOString())
  return incident.parse({
    ...stored,
    notify_authority_by: term(AUTHORITY_MS),
    notify_people_by: term(PEOPLE_MS),
  })
}

/** Incidents, the worst of those that were seen last first, and how many there are. */
export async function listIncidents(
  client: ProjectClient,
  { status, type, severity, university_id, owner, limit, offset }: z.output<typeof incidentFilter>,
): Promise<{ data: z.output<typeof incident>[]; count: number }> {
  let query = client.from('security_incidents').select('*', { count: 'exact' })
  if (status === 'active' || status === 'ended')
    query = query.in('status', status === 'active' ? ACTIVE : ENDED)
  else if (status !== 'all') query = query.eq('status', status)
  if (type !== undefined) query = query.eq('type', type)
  if (severity !== undefined) query = query.eq('severity', severity)
  if (university_id !== undefined) query = query.eq('university_id', university_id)
  if (owner !== undefined) query = owner === 'nobody' ? query.is('owner', null) : query.eq('owner', owner)
  const { data, count, error } = await query
    .order('severity', { ascending: false })
    .order('last_seen_at', { ascending: false })
    .order('id')
    .range(offset, offset + limit - 1)
  if (error) throw serviceErrorOf(error)
  return { data: data.map(incidentOf), count: count ?? 0 }
}

/** Records an incident under the caller's own name. Throws `university_not_found`, and `invalid_value` for a time that is to come. */
export async function recordIncident(
  client: ProjectClient,
  { university_id, noticed_at, ...rest }: z.output<typeof noticedIncident>,
): Promise<z.output<typeof incident>> {
  const { data, error } = await client.rpc('record_incident', {
    ...rest,
    ...(university_id !== undefined && { university_id }),
    ...(noticed_at !== undefined && { noticed_at }),
  })
  if (error) throw serviceErrorOf(error)
  return incidentOf(data)
}

/** Reads one incident. Throws `incident_not_found`. */
export async function readIncident(client: ProjectClient, id: string): Promise<z.output<typeof incident>> {
  const { data, error } = await client.from('security_incidents').select('*').eq('id', id).maybeSingle()
  if (error) throw serviceErrorOf(error)
  if (!data) throw new ServiceError('incident_not_found', 'There is no such incident.')
  return incidentOf(data)
}
