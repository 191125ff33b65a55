import type { SupabaseClient } from '@supabase/supabase-js'
import { strFromU8, unzipSync } from 'fflate'
import type { Sql, TransactionSql } from 'postgres'
import * as z from 'zod'
import { objectPath } from '../functions/_shared/supabase/object-address.ts'

/** Version of the layout that is read; functions/_shared/exports/documents.ts writes it. */
const FORMAT = 1

const manifest = z.object({
  format: z.literal(FORMAT, {
    error: 'This export has another layout than this version of the project reads.',
  }),
  export: z.uuid(),
  volumes: z.int(),
  user_id: z.uuid(),
  tables: z.array(z.object({ schema: z.string(), table: z.string(), file: z.string(), rows: z.int() })),
  universities: z.array(z.looseObject({ id: z.string() })),
  large_files: z.array(
    z.object({ file_name: z.string(), bucket: z.string(), name: z.string(), type: z.string().nullable() }),
  ),
})

const mediaList = z.array(
  z.object({ path: z.string(), bucket: z.string(), name: z.string(), type: z.string().nullable() }),
)

const account = z.tuple([
  z.object({
    id: z.uuid(),
    email: z.string().nullable(),
    created_at: z.string(),
    email_confirmed_at: z.string().nullable(),
  }),
])

/** An original of an export. */
export type ImportedOriginal = { bucket: string; name: string; type: string | null; bytes: Uint8Array }

/** An export as it was read: rows by table as JSON text, with every digit, and the originals. */
export type ReadExport = {
  userId: string
  rows: Map<string, string[]>
  universities: readonly Record<string, unknown>[]
  originals: ImportedOriginal[]
}

/**
 * Reads the files of one export, in any order. Throws when they are of several exports, or when one is missing.
 *
 * @param files name and content of each file as it was downloaded
 */
export function readExportFiles(
  files: readonly { name: string; bytes: Uint8Array<ArrayBuffer> }[],
): ReadExport {
  const zips = files.filter(({ name }) => name.endsWith('.zip')).map(({ bytes }) => unzipSync(bytes))
  const unpacked = new Map(zips.flatMap((zip) => Object.entries(zip)))
  const text = (path: string) => {
    const bytes = unpacked.get(path)
    if (!bytes) throw new Error(`The export lacks ${path}`)
    return strFromU8(bytes)
  }
  const parts = [...unpacked.keys()]
    .filter((path) => path.endsWith('/manifest.json'))
    .sort()
    .map((path) => ({
      folder: path.slice(0, -'manifest.json'.length),
      ...manifest.parse(JSON.parse(text(path))),
    }))
  const [first] = parts
  if (!first) throw new Error('No file is the first volume of an export')
  if (parts.some((part) => part.export !== first.export))
    throw new Error('These files are of several exports')
  if (files.length !== first.volumes) {
    throw new Error(`The export has ${first.volumes} files, and ${files.length} were given`)
  }
  const rows = new Map<string, string[]>()
  for (const part of parts) {
    for (const { schema, table, file } of part.tables) {
      const name = `${schema}.${table}`
      rows.set(name, [...(rows.get(name) ?? []), text(`${part.folder}${file}`)])
    }
  }
  const listed = [...unpacked.keys()]
    .filter((path) => /\/media-\d+\.json$/.test(path))
    .flatMap((path) => mediaList.parse(JSON.parse(text(path))))
  const originals = listed.map(({ path, bucket, name, type }) => {
    const bytes = unpacked.get(`wellbeing-export/${path}`)
    if (!bytes) throw new Error(`The export lacks ${path}`)
    return { bucket, name, type, bytes }
  })
  for (const { file_name, bucket, name, type } of first.large_files) {
    const found = files.find((file) => file.name === file_name)
    if (!found) throw new Error(`The export lacks ${file_name}`)
    originals.push({ bucket, name, type, bytes: found.bytes })
  }
  return { userId: first.user_id, rows, universities: first.universities, originals }
}

/** What became of a table: how many rows were stored, or why none. */
export type ImportedTable = { table: string; rows: number; skipped: string | null }

/** A table of the project that rows can be imported into. */
type Target = { table: string; belongs_to: string; missing: string[] | null }

/**
 * Stores the rows of an export in a project that does not have the person yet, in one transaction: account, then tables, those that
 * others refer to first. Rows are stored as they were: triggers of the project, which would count and score them again, are off
 * meanwhile. Throws when the account is there already.
 */
export async function importRows(
  sql: Sql,
  { userId, rows, universities }: ReadExport,
): Promise<ImportedTable[]> {
  const [user] = account.parse(JSON.parse(rows.get('auth.users')?.[0] ?? '[]'))
  if (user.id !== userId) throw new Error('The account is not the one of the manifest')
  return sql.begin(async (tx) => {
    const [known] =
      await tx`select from auth.users where id = ${userId} or lower(email) = lower(${user.email})`
    if (known) throw new Error('The project has this account already')
    await tx`
      insert into public.universities
      select * from jsonb_populate_recordset(null::public.universities, ${JSON.stringify(universities)}::text::jsonb)
      on conflict do nothing`
    await tx`
      insert into auth.users (
        instance_id, id, aud, role, email, email_confirmed_at, confirmation_token, recovery_token, email_change_token_new, email_change,
        raw_app_meta_data, raw_user_meta_data, created_at, updated_at
      )
      values (
        '00000000-0000-0000-0000-000000000000', ${userId}, 'authenticated', 'authenticated', ${user.email},
        ${user.email_confirmed_at}, '', '', '', '', '{"provider": "email", "providers": ["email"]}', '{}', ${user.created_at}, now()
      )`
    await tx`
      insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
      values (
        ${userId}, ${userId}, ${JSON.stringify({ sub: userId, email: user.email, email_verified: true })}::text::jsonb, 'email',
        ${user.created_at}, now()
      )`
    const imported: ImportedTable[] = []
    const targets = (await targetsOf(tx)).filter(({ table }) => rows.has(table))
    for (const { table } of targets) await tx.unsafe(`alter table ${table} disable trigger user`)
    // What the project's triggers stored for the new account gives way to what was exported.
    for (const { table, belongs_to } of targets.toReversed()) {
      await tx.unsafe(`delete from ${table} t where ${belongs_to}`, [userId])
    }
    for (const target of targets)
      imported.push(await importTable(tx, target, rows.get(target.table) ?? [], userId))
    for (const { table } of targets) await tx.unsafe(`alter table ${table} enable trigger user`)
    return imported
  })
}

/**
 * Stores the originals of an export under their names, through Storage; the account must be there, as nothing is stored for one that
 * is not. Can be repeated. Throws what Storage throws, with the name.
 */
export async function importFiles(
  storage: SupabaseClient['storage'],
  originals: readonly ImportedOriginal[],
): Promise<void> {
  for (const { bucket, name, type, bytes } of originals) {
    const options = { upsert: true, ...(type !== null && { contentType: type }) }
    const { error } = await storage
      .from(objectPath(bucket))
      .upload(objectPath(name), new Uint8Array(bytes), options)
    if (error) throw new Error(`${bucket}/${name}: ${error.message}`)
  }
}

async function importTable(
  tx: TransactionSql,
  { table, belongs_to, missing }: Target,
  parts: readonly string[],
  userId: string,
): Promise<ImportedTable> {
  if (missing) {
    return {
      table,
      rows: 0,
      skipped: `an export leaves out ${missing.join(', ')}, without which there is no row`,
    }
  }
  let stored = 0
  for (const part of parts) {
    const [first] = z.array(z.record(z.string(), z.unknown())).parse(JSON.parse(part))
    if (!first) continue
    const columns = Object.keys(first)
      .map((column) => `"${column.replaceAll('"', '""')}"`)
      .join(', ')
    const result = await tx.unsafe(
      `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::text::jsonb)`,
      [part],
    )
    stored += result.count
  }
  const [own] = await tx.unsafe<[{ count: number }]>(
    `select count(*)::int as count from ${table} t where ${belongs_to}`,
    [userId],
  )
  if (own.count !== stored) throw new Error(`${table} has rows that are not the person's`)
  return { table, rows: stored, skipped: null }
}

/**
 * The project's tables that have rows of people, by its own inventory, whatever an export names: without queues, without the audit
 * log, which nobody else may write, and without what describes this project's own calls. Those that others refer to come first.
 */
async function targetsOf(tx: TransactionSql): Promise<Target[]> {
  return await tx<Target[]>`
    with recursive target as (
      select c.schema_name || '.' || c.relation_name as table,
        (c.schema_name || '.' || c.relation_name)::regclass as relation,
        string_agg(distinct '(' || replace(c.belongs_to, '$1', '$1::uuid') || ')', ' or ') as belongs_to
      from private.exported_columns() c
      where c.store = 'relation' and c.schema_name in ('public', 'checkin', 'private')
        and c.schema_name || '.' || c.relation_name <> all (array[
          'public.audit_logs', 'private.audit_identities', 'private.exports', 'private.logged_accesses',
          'private.rate_limit_uses', 'private.mailboxes', 'private.security_events', 'private.policy_firings'
        ])
      group by 1
    ),
    refers as (
      select k.conrelid as relation, k.confrelid as referred
      from pg_constraint k
      where k.contype = 'f' and k.conrelid <> k.confrelid
        and k.conrelid in (select relation from target) and k.confrelid in (select relation from target)
    ),
    depth as (
      select relation, 0 as level from target
      union
      select r.relation, d.level + 1 from refers r join depth d on d.relation = r.referred where d.level < 20
    )
    select t.table, t.belongs_to,
      (
        select array_agg(a.attname::text)
        from pg_attribute a
        join private.withheld_data() w on w.schema_name || '.' || w.relation_name = t.table and w.column_name = a.attname
        where a.attrelid = t.relation and a.attnotnull and not a.atthasdef
      ) as missing
    from target t
    order by (select max(d.level) from depth d where d.relation = t.relation), t.table`
}
