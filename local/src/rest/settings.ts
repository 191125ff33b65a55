import type postgres from 'postgres'
import { z } from 'zod'
import { transactionEnds } from './preferences.ts'

/** Names and values of settings, in the order in which they are applied. */
export type Settings = [name: string, value: string][]

const list = z.string().transform((names) => names.split(',').map((name) => name.trim()))
const whole = z.coerce.number().int().min(1)
const flag = z.enum(['true', 'false', 'on', 'off']).transform((value) => value === 'true' || value === 'on')

/** The settings of PostgREST that the role `authenticator` may carry and that are read here. */
const server = z.object({
  db_schemas: list.optional().catch(undefined),
  db_extra_search_path: list.optional().catch(undefined),
  db_max_rows: whole.optional().catch(undefined),
  db_aggregates_enabled: flag.default(false).catch(false),
  db_pre_request: z.string().optional(),
  db_tx_end: z.enum(transactionEnds).default('commit').catch('commit'),
})
export type ServerSettings = z.infer<typeof server>

const limits = new Set(['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])

const query = `
  select rolname as role, setting from pg_roles, unnest(rolconfig) as setting
  where rolname in ('authenticator', 'anon', 'authenticated', 'service_role')`

export interface RoleSettings {
  /** The limits that a request as a role runs under: those of `authenticator`, then the role's own. */
  limitsOf(role: string): Settings
  /** `alter role authenticator set pgrst.…`, which count more than config.toml. */
  server: ServerSettings
}

/** Reads what is set for the roles of requests, as PostgREST does at its start and for `notify pgrst`. */
export async function readRoleSettings(sql: postgres.Sql): Promise<RoleSettings> {
  const rows = await sql.unsafe<{ role: string; setting: string }[]>(query)
  const byRole = new Map<string, Settings>()
  for (const { role, setting } of rows) {
    const separator = setting.indexOf('=')
    const entry: Settings[number] = [setting.slice(0, separator), setting.slice(separator + 1)]
    byRole.set(role, [...(byRole.get(role) ?? []), entry])
  }
  const ofServer = byRole.get('authenticator') ?? []
  const limitsOf = (role: string) => (byRole.get(role) ?? []).filter(([name]) => limits.has(name))
  return {
    limitsOf: (role) => [...limitsOf('authenticator'), ...limitsOf(role)],
    server: server.parse(
      Object.fromEntries(
        ofServer.flatMap(([name, value]) => (name.startsWith('pgrst.') ? [[name.slice(6), value]] : [])),
      ),
    ),
  }
}
