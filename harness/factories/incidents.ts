import type postgres from 'postgres'

/** Opens an incident as detection does; returns its id. */
export async function newIncident(
  sql: postgres.Sql,
  { type = 'suspicious_activity', affected = [] }: { type?: string; affected?: string[] } = {},
): Promise<string> {
  const [row] = await sql<[{ id: string }]>`
    select private.open_incident(
      ${type}::public.incident_type, 'medium', 'An invented incident', 'Nothing has happened.',
      '{"rule": "invented"}', ${affected}::uuid[], ${`test:${crypto.randomUUID()}`}
    ) as id`
  return row.id
}
