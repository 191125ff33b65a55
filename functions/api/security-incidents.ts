import * as z from 'zod'
import { crisisResources } from '../_shared/crisis-resources.ts'
import { serviceErrorOf } from '../_shared/data-api/postgrest-errors.ts'
import { endpoint } from '../_shared/http/serve.ts'
import {
  incident,
  incidentFilter,
  incidentId,
  incidentOf,
  incidentResponse,
  listIncidents,
  noticedIncident,
  readIncident,
  recordIncident,
} from '../_shared/incidents/incidents.ts'
import { respond, responseResult } from '../_shared/incidents/response.ts'
import { callerClient } from '../_shared/platform/clients.ts'
import { universityId } from '../_shared/universities/university.ts'

// A quarantine is lifted here.
const common = {
  tag: 'Security',
  security: 'user',
  staff: ['security_admin'],
  limit: 'data-api',
  reachable: ['in_quarantine'],
} as const

const INCIDENT = 'inc_0f8fad5bd9cb469fa16570867728950e'

const detection = z.object({
  detected: z
    .array(
      z.object({
        id: incidentId,
        rule: z.string().describe('The rule that found it.'),
        opened: z.boolean().describe('Whether it is new; false for one that goes on.'),
      }),
    )
    .describe('Incidents that were seen.'),
})

const detectIncidents = endpoint(
  {
    ...common,
    id: 'detectIncidents',
    method: 'post',
    path: '/api/security/incidents/detect',
    summary: 'Looks for incidents now, as happens every minute; for security administrators',
    response: detection,
    errors: ['forbidden'],
  },
  async (_, call) => {
    const { data, error } = await callerClient(call).rpc('detect_incidents')
    if (error) throw serviceErrorOf(error)
    return detection.parse(data)
  },
)

const listSecurityIncidents = endpoint(
  {
    ...common,
    id: 'listIncidents',
    method: 'get',
    path: '/api/security/incidents',
    summary: 'Lists incidents, active ones by default; for security administrators',
    query: incidentFilter,
    response: z.object({
      data: z.array(incident).describe('The incidents, the most severe first.'),
      count: z.int().describe('How many there are.'),
      limit: z.int().describe('Most incidents that a page has.'),
      offset: z.int().describe('Number of incidents before this page.'),
    }),
    errors: ['forbidden'],
    example: { query: { status: 'active', limit: 20 } },
  },
  async ({ query }, call) => {
    const { limit, offset } = query
    return { ...(await listIncidents(callerClient(call), query)), limit, offset }
  },
)

const recordSecurityIncident = endpoint(
  {
    ...common,
    id: 'recordIncident',
    method: 'post',
    path: '/api/security/incidents',
    summary: 'Records an incident that somebody has noticed; for security administrators',
    description:
      'Its timeline begins with who recorded it. Of a data breach, the terms of notification run from when it was noticed. Each call records another incident.',
    body: noticedIncident,
    response: incident,
    errors: ['forbidden', 'university_not_found', 'invalid_value'],
    example: {
      body: {
        type: 'data_breach',
        severity: 'high',
        title: 'A notebook was lost',
        description: 'Left in a train; its disk is encrypted.',
        university_id: 'northfield',
        noticed_at: '2026-11-28T08:15:00Z',
      },
    },
  },
  async ({ body }, call) => {
    return recordIncident(callerClient(call), body)
  },
)

const readSecurityIncident = endpoint(
  {
    ...common,
    id: 'readIncident',
    method: 'get',
    path: '/api/security/incidents/{id}',
    summary: 'Reads an incident with its timeline; for security administrators',
    params: z.object({ id: incidentId }),
    response: incident,
    errors: ['forbidden', 'incident_not_found'],
    example: { params: { id: INCIDENT } },
  },
  async ({ params }, call) => {
    return readIncident(callerClient(call), params.id)
  },
)

const respondToIncident = endpoint(
  {
    ...common,
    id: 'respondToIncident',
    method: 'put',
    path: '/api/security/incidents/{id}/response',
    summary: 'Does something about an incident, and changes its status; for security administrators',
    description:
      'Each action answers whether it was done, has failed or is not configured, and what it does not reach. Doing one again changes nothing, and each can be undone, except for backups and evidence. Actions are done one after another, so that a failure keeps none of the others.',
    params: z.object({ id: incidentId }),
    body: incidentResponse,
    response: z.object({
      results: z.array(responseResult).describe('What became of each action.'),
      incident: incident.describe('The incident afterwards.'),
    }),
    errors: ['forbidden', 'incident_not_found', 'staff_not_found', 'invalid_value', 'incident_transition'],
    example: {
      params: { id: INCIDENT },
      body: { actions: [{ action: 'block_ip', target: '203.0.113.7' }], status: 'contained' },
    },
  },
  async ({ params, body }, call) => {
    const client = callerClient(call)
    await readIncident(client, params.id)
    const results: z.output<typeof responseResult>[] = []
    for (const action of body.actions) results.push(await respond({ ...call, client }, params.id, action))
    const { status, owner, note, aware_at } = body
    if (status === undefined && owner === undefined && note === undefined && aware_at === undefined) {
      return { results, incident: await readIncident(client, params.id) }
    }
    const { data, error } = await client.rpc('change_incident', {
      incident_id: params.id,
      ...(status && { status }),
      ...(owner !== undefined && { owner }),
      ...(note !== undefined && { note }),
      ...(aware_at !== undefined && { aware_at }),
    })
    if (error) throw serviceErrorOf(error)
    return { results, incident: incidentOf(data) }
  },
)

const readCrisisResources = endpoint(
  {
    id: 'readCrisisResources',
    method: 'get',
    path: '/api/crisis-resources',
    tag: 'Security',
    security: 'none',
    reachable: 'always',
    summary: 'Where help is: open to everybody, whatever else is blocked',
    query: z.strictObject({
      university_id: universityId.optional().describe('University whose own resources come first.'),
    }),
    response: z.object({ crisis_resources: crisisResources }),
    example: { query: { university_id: 'northfield' } },
  },
  async ({ query }, { database }) => {
    const [row] = await database<[{ resources: unknown }]>`
      select private.university_crisis_resources(${query.university_id ?? null}) as resources`
    return { crisis_resources: crisisResources.parse(row.resources) }
  },
)

/** `/api/security/incidents/*`, and what no block keeps from anybody. */
export const SECURITY_INCIDENTS = [
  detectIncidents,
  listSecurityIncidents,
  recordSecurityIncident,
  readSecurityIncident,
  respondToIncident,
  readCrisisResources,
] as const
