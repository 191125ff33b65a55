import { type Project, withDatabase } from '../stack/project.ts'
import type { Procedure } from './direct-call.ts'

/** Lifts every limit far above what the attacks need, as an operator may. The rules stay in force. */
export async function liftRateLimits(project: Project): Promise<void> {
  await withDatabase(
    project,
    (sql) => sql`update private.rate_limit_rules set requests = 100000, period = interval '1 second'`,
  )
}

/** A secret that the database keeps. */
export async function readStackSecret(project: Project, name: string): Promise<string> {
  const [row] = await withDatabase(
    project,
    (sql) => sql<{ secret: string }[]>`
      select decrypted_secret as secret from vault.decrypted_secrets where name = ${name}`,
  )
  if (!row) throw new Error(`The database keeps no ${name}`)
  return row.secret
}

/** The functions that the Data API offers. */
export async function readProcedures(project: Project): Promise<Procedure[]> {
  return withDatabase(
    project,
    (sql) => sql<Procedure[]>`
      select p.proname as name, coalesce(p.proargnames[1:p.pronargs], '{}')::text[] as arguments
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ('public', 'checkin') and p.prorettype <> 'trigger'::regtype`,
  )
}

/** Whether the audit log's chain is whole. */
export async function auditChain(project: Project): Promise<{ intact: boolean; entries: number }> {
  const [row] = await withDatabase(
    project,
    (sql) => sql<{ intact: boolean; entries: number }[]>`
      select intact, entries::int from public.verify_audit_chain()`,
  )
  if (!row) throw new Error('The audit log said nothing')
  return row
}
