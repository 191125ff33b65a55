import { createReadStream, createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Sql, TransactionSql } from 'postgres'
import * as z from 'zod'
import type { Manifest, StoredObject } from './manifest.ts'
import {
  BACKED_UP_SCHEMAS,
  differences,
  type Fingerprint,
  fingerprints,
  type Table,
  tablesOf,
  useComparableText,
} from './tables.ts'

/** Secrets of Vault that belong to a stage, not to its data: a restored project has its own. */
const SECRETS_OF_STAGE = ['functions_url', 'pages_url', 'pipeline_secret', 'pipeline_secret_next']

const secrets = z.array(z.object({ name: z.string(), secret: z.string() }))

/** Part of a manifest that the database gives. */
export type Rows = Pick<Manifest, 'taken_at' | 'migrations' | 'tables' | 'sequences'> & {
  objects: StoredObject[]
}

/**
 * Writes the rows of all tables, one compressed file each in COPY's format, and the secrets of Vault that rows were made with. All of
 * one snapshot; nothing is locked, and the service runs on.
 */
export async function dumpRows(sql: Sql, folder: string): Promise<Rows> {
  mkdirSync(join(folder, 'tables'), { recursive: true, mode: 0o700 })
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    await useComparableText(tx)
    const [{ taken_at }] = await tx<[{ taken_at: string }]>`
      select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as taken_at`
    const tables = await tablesOf(tx, BACKED_UP_SCHEMAS)
    const prints = await fingerprints(tx, tables)
    const filled: Manifest['tables'] = []
    for (const { name, columns } of tables) {
      const print = prints.get(name)
      if (!print) continue
      filled.push({ name, columns, ...print })
      if (print.rows === 0) continue
      const rows = await tx.unsafe(`copy ${name} (${columns.join(', ')}) to stdout`).readable()
      await pipeline(rows, createGzip(), createWriteStream(fileOf(folder, name), { mode: 0o600 }))
      // `postgres` 3.4.9 leaves its socket paused where the last rows filled the stream's buffer: this resumes it.
      rows._read(0)
    }
    const kept = await tx<{ name: string; secret: string }[]>`
      select name, decrypted_secret as secret from vault.decrypted_secrets where name <> all (${SECRETS_OF_STAGE}) order by name`
    writeFileSync(join(folder, 'secrets.json'), JSON.stringify(kept), { mode: 0o600 })
    return {
      taken_at,
      migrations: await migrationsOf(tx),
      tables: filled,
      sequences: await tx<{ name: string; last_value: string | null }[]>`
        select format('%I.%I', schemaname, sequencename) as name, last_value::text
        from pg_sequences where schemaname = any (${BACKED_UP_SCHEMAS}) order by 1`,
      // What waits for its removal because its account is gone could not be stored again.
      objects: await tx<StoredObject[]>`
        select o.id, o.bucket_id as bucket, o.name, o.owner::text, o.owner_id, o.created_at::text, o.updated_at::text,
          o.last_accessed_at::text, o.user_metadata, o.metadata ->> 'mimetype' as type, o.metadata ->> 'cacheControl' as cache_control
        from storage.objects o
        left join auth.users u on u.id = private.account_of_object(o.bucket_id, o.name)
        where u.id is not null or private.account_of_object(o.bucket_id, o.name) is null
        order by o.bucket_id, o.name`,
    }
  })
}

/**
 * Stores the rows of a backup in a project that has its migrations and no accounts, in one transaction: whatever fails, or differs from
 * what was backed up, leaves the project as it was. What the migrations had stored gives way. Triggers and foreign keys rest meanwhile.
 *
 * @returns how many rows
 */
export async function restoreRows(sql: Sql, folder: string, manifest: Manifest): Promise<number> {
  return sql.begin(async (tx) => {
    await useComparableText(tx)
    await requireEmpty(tx, manifest)
    await tx`set local session_replication_role = replica`
    requireKnownTables(await tablesOf(tx, BACKED_UP_SCHEMAS), manifest)
    const isOfPlatform = (name: string) => name.startsWith('auth.')
    // Postgres may empty the platform's tables, and not truncate them.
    const own = (await tablesOf(tx, BACKED_UP_SCHEMAS)).filter(({ name }) => !isOfPlatform(name))
    await tx.unsafe(`truncate ${own.map(({ name }) => name).join(', ')}`)
    for (const { name, columns, rows } of manifest.tables) {
      if (rows === 0) continue
      if (isOfPlatform(name)) await tx.unsafe(`delete from ${name}`)
      const into = await tx.unsafe(`copy ${name} (${columns.join(', ')}) from stdin`).writable()
      await pipeline(createReadStream(fileOf(folder, name)), createGunzip(), into)
    }
    for (const { name, last_value } of manifest.sequences) {
      if (last_value !== null) await tx`select setval(${name}::regclass, ${last_value}::bigint)`
    }
    await restoreSecrets(tx, folder)
    const wrong = await differingTables(tx, manifest)
    if (wrong.length > 0) throw new Error(`Nothing was restored, because rows differ:\n${wrong.join('\n')}`)
    return manifest.tables.reduce((sum, { rows }) => sum + rows, 0)
  })
}

/** Tables whose rows are not those of the backup, one line each. */
export async function differingTables(tx: TransactionSql, { tables }: Manifest): Promise<string[]> {
  const expected = new Map<string, Fingerprint>(tables.map(({ name, rows, hash }) => [name, { rows, hash }]))
  return differences(expected, await fingerprints(tx, tables))
}

async function requireEmpty(tx: TransactionSql, manifest: Manifest): Promise<void> {
  const [account] = await tx`select from auth.users limit 1`
  if (account) throw new Error('The project has accounts: rows are restored into an empty one alone.')
  const migrations = await migrationsOf(tx)
  const missing = manifest.migrations.filter((version) => !migrations.includes(version))
  const further = migrations.filter((version) => !manifest.migrations.includes(version))
  if (missing.length + further.length > 0) {
    throw new Error(
      `The project's migrations are not the backup's. Missing: ${missing.join(', ') || 'none'}. Not in the backup: ${further.join(', ') || 'none'}.\nDeploy the release that made the backup, restore, then deploy the newest.`,
    )
  }
}

/** What becomes part of a statement is a name of this project's, whatever a file says. */
function requireKnownTables(known: readonly Table[], { tables }: Manifest): void {
  const columnsOf = new Map(known.map(({ name, columns }) => [name, columns]))
  const unknown = tables.filter(
    ({ name, columns }) => !columns.every((column) => columnsOf.get(name)?.includes(column)),
  )
  if (unknown.length > 0)
    throw new Error(
      `The project has no such tables or columns: ${unknown.map(({ name }) => name).join(', ')}`,
    )
}

/** The new project keeps its own addresses and shared secrets. */
async function restoreSecrets(tx: TransactionSql, folder: string): Promise<void> {
  for (const { name, secret } of secrets.parse(
    JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')),
  )) {
    await tx`
      select case
        when s.id is null then vault.create_secret(${secret}, ${name})::text
        else vault.update_secret(s.id, ${secret})::text
      end
      from (select) one
      left join vault.secrets s on s.name = ${name}`
  }
}

async function migrationsOf(tx: TransactionSql): Promise<string[]> {
  const rows = await tx<{ version: string }[]>`
    select version from supabase_migrations.schema_migrations order by 1`
  return rows.map(({ version }) => version)
}

function fileOf(folder: string, table: string): string {
  return join(folder, 'tables', `${table.replaceAll('"', '')}.copy.gz`)
}
