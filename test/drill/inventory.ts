import type { Sql } from 'postgres'
import { type Fingerprint, fingerprints, tablesOf } from '../../scripts/backup/tables.ts'

/** Schemas whose rows a restored project has of its own, and why. */
const OWN_TO_A_PROJECT = [
  'cron', // Schedules come with the migrations, runs tell of the project that they ran in.
  'net', // Webhooks under way: what they announce is in the queue.
  'realtime', // Messages of a few days, which whoever is connected has received.
  'storage', // Compared object by object.
  'supabase_migrations', // Compared before anything is restored.
  'vault', // Encrypted with the project's own key: compared in the clear.
]

/** Counts and hashes of the rows of every schema, and of Vault's secrets, by name: without asking the backup what there is. */
export async function inventoryOf(sql: Sql): Promise<Map<string, Fingerprint>> {
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    const schemas = await tx<{ name: string }[]>`
      select nspname as name from pg_namespace
      where nspname !~ '^pg_' and nspname <> 'information_schema' and nspname <> all (${OWN_TO_A_PROJECT})`
    const tables = await tablesOf(
      tx,
      schemas.map(({ name }) => name),
    )
    const found = await fingerprints(tx, tables)
    const secrets = await tx<{ name: string; hash: string }[]>`
      select name, encode(sha256(convert_to(decrypted_secret, 'UTF8')), 'hex') as hash
      from vault.decrypted_secrets where name not in ('functions_url', 'pipeline_secret')`
    for (const { name, hash } of secrets) found.set(`secret ${name}`, { rows: 1, hash })
    return found
  })
}
