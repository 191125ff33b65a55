import { type Project, withDatabase } from '../../../harness/stack/project.ts'

/** A function of the Data API with the names of its arguments. */
export type Procedure = { name: string; arguments: readonly string[] }

/** Lets everybody call as often as if they had not called yet. The limits stay in force, for other tests too. */
export async function renewAllowances(project: Project, subjects: readonly string[]): Promise<void> {
  await withDatabase(
    project,
    (sql) => sql`delete from private.rate_limit_uses where subject = any(${[...subjects]})`,
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
