import * as z from 'zod'
import { serviceErrorOf } from '../data-api/postgrest-errors.ts'
import type { Database } from '../database.ts'
import { asJson } from '../database.ts'
import type { ProjectClient } from '../platform/clients.ts'

/** What can be done about an incident; all but `backup` is done by the database. */
export const RESPONSE_ACTIONS = [
  'block_ip',
  'disable_user',
  'send_alert',
  'quarantine',
  'backup',
  'audit_trail',
] as const

type Action = { action: (typeof RESPONSE_ACTIONS)[number]; target?: string | undefined; undo: boolean }

const outcome = z.object({
  status: z
    .enum(['done', 'failed', 'not_configured'])
    .describe('not_configured: this project has no means to do it; docs/incidents.md says what is missing.'),
  detail: z.string().optional().describe('Further details.'),
  until: z.string().optional().describe('Until when an address is blocked.'),
  times: z.int().optional().describe('How often it was blocked.'),
  sha256: z.string().optional().describe('Hash of the evidence, which is in the audit log too.'),
  not_reached: z
    .array(z.string())
    .optional()
    .describe('Ways that the platform does not let this action guard; docs/incidents.md says more.'),
})

type Outcome = z.output<typeof outcome>

/** An action with what became of it. */
export const responseResult = outcome.extend({
  action: z.enum(RESPONSE_ACTIONS).describe('What was to be done.'),
  target: z.string().nullable().describe('To what.'),
  undone: z.boolean().describe('Whether it was to be undone.'),
})

/** An action in the record of an incident. */
export const responseEntry = responseResult.extend({ at: z.iso.datetime({ offset: true }).describe('When.') })

/** How long the Management API may take, milliseconds. */
const TIMEOUT_MS = 20_000

/** The platform's Management API. */
type Management = { token: string; url: string; project: string }

/** What actions need: the caller's own rights for the database, and the platform's Management API for backups. */
type Means = {
  client: ProjectClient
  database: Database
  environment: { management?: Management | undefined; email?: unknown; inboxUrl?: string | undefined }
  caller: { userId: string }
}

/** Does something about an incident, or undoes it, and records it there. Doing it again changes nothing. */
export async function respond(
  means: Means,
  incident: string,
  { action, target, undo }: Action,
): Promise<z.output<typeof responseResult>> {
  const done = { action, target: target ?? null, undone: undo }
  const { email, inboxUrl } = means.environment
  if (action === 'send_alert' && !undo && !email && !inboxUrl) {
    const missing = { status: 'not_configured', detail: 'No provider of email is set up.' } as const
    await record(means, incident, { action, target, undo }, missing)
    return { ...done, ...missing }
  }
  if (action === 'backup') {
    const result = await backUp(means.environment.management, incident, undo)
    await record(means, incident, { action, target, undo }, result)
    return { ...done, ...result }
  }
  const { data, error } = await means.client.rpc('respond_to_incident', {
    incident_id: incident,
    action,
    ...(target !== undefined && { target }),
    undo,
  })
  if (error) throw serviceErrorOf(error)
  return responseResult.parse(data)
}

/**
 * Asks the platform for a restore point, named after the incident, so that asking again makes no other.
 * Source: `POST /v1/projects/{ref}/database/backups/restore-point {name}` of the Management API's published description: up to 20
 * characters, and only for projects that the platform has given access to it.
 */
async function backUp(management: Management | undefined, incident: string, undo: boolean): Promise<Outcome> {
  if (undo) return { status: 'failed', detail: 'Backups are kept until their term ends.' }
  if (!management) return { status: 'not_configured', detail: 'MANAGEMENT_API_TOKEN is not set.' }
  const address = `${management.url}/v1/projects/${management.project}/database/backups/restore-point`
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { authorization: `Bearer ${management.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: incident.slice(0, 20) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.body?.cancel()
    // It has one of this name already.
    if (response.ok || response.status === 409) return { status: 'done', detail: incident.slice(0, 20) }
    return { status: 'failed', detail: `The Management API responded with ${response.status}.` }
  } catch {
    return { status: 'failed', detail: 'The Management API could not be reached.' }
  }
}

async function record(
  { database, caller }: Means,
  incident: string,
  { action, target, undo }: Action,
  result: Outcome,
): Promise<void> {
  await database`
    select private.record_response(
      ${incident}, ${action}, ${target ?? null}, ${undo}, ${asJson(database, result)}, ${caller.userId}
    )`
}
