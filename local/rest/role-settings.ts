/** Names and values of settings, in the order in which they are applied. */
export type Settings = [name: string, value: string][]

const applied = new Set(['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])

export const roleSettingsQuery = `
  select rolname as role, setting from pg_roles, unnest(rolconfig) as setting
  where rolname in ('authenticator', 'anon', 'authenticated', 'service_role')`

/** The limits that a request as each role runs under: those of `authenticator`, then the role's own. */
export function readRoleSettings(rows: unknown[]): (role: string) => Settings {
  const byRole = new Map<string, Settings>()
  for (const row of rows) {
    if (typeof row !== 'object' || row === null || !('role' in row) || !('setting' in row)) continue
    const setting = String(row.setting)
    const separator = setting.indexOf('=')
    const name = setting.slice(0, separator)
    if (!applied.has(name)) continue
    const role = String(row.role)
    byRole.set(role, [...(byRole.get(role) ?? []), [name, setting.slice(separator + 1)]])
  }
  return (role) => [...(byRole.get('authenticator') ?? []), ...(byRole.get(role) ?? [])]
}
