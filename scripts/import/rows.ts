import { createHash } from 'node:crypto'
import postgres, { type Sql, type TransactionSql } from 'postgres'
import * as z from 'zod'
import { describeContacts } from './contacts.ts'
import { requireFewActive, requireWithinLimits } from './limits.ts'
import { describeAccount, describeOriginals, describeTables, type Person } from './listing.ts'
import { type ExportedPart, isOwnObject, type ReadExport, rowsOf } from './read.ts'
import { BROUGHT, isLeftOut, type Target, targetsOf } from './tables.ts'

const moment = z.iso.datetime({ offset: true })

const account = z.tuple([
  z.object({
    id: z.uuid(),
    email: z.email().max(254),
    created_at: moment,
    email_confirmed_at: moment.nullable(),
  }),
])

const mediaRow = z.object({ kind: z.enum(['audio', 'image']), path: z.string() })

const reviewRow = z.object({
  source: z.string(),
  source_id: z.uuid(),
  risk_level: z.string(),
  status: z.string(),
})

/** Who runs an import, and what they have confirmed. */
export type Confirmation = {
  /** What an import that was not confirmed said; null when it has not run yet. */
  confirmed: string | null
  /** Under which name or number the organisation knows who runs it, for the audit log. */
  operator: string | null
}

/** What an import is to do, for somebody to read; nothing has been done. */
export class NotConfirmed extends Error {
  /** SHA-256 of the listing, which confirms it. */
  readonly hash: string

  constructor(listing: readonly string[], hash: string) {
    super(listing.join('\n'))
    this.hash = hash
  }
}

/**
 * Stores the rows of an export in a project that does not have the person yet, in one transaction: account, then tables, those that
 * others refer to first. Rows are stored as they were: triggers of the project, which would count and score them again, are off
 * meanwhile.
 *
 * The file is what somebody says of themselves. It brings rows of the account alone, of tables and columns that a person may bring
 * (`BROUGHT`), overwrites nothing, and gives no role, no agreement of others and no university but the one of the address. A review
 * that was not closed is opened anew. An account gets no more than any may have here. The import is an entry of the audit log.
 *
 * Throws `NotConfirmed` unless the listing of exactly this import is confirmed, and an error that names the table when a row is refused,
 * or when there are too many. Either leaves the project as it was.
 *
 * @returns the listing
 */
export async function importRows(
  sql: Sql,
  read: ReadExport,
  { confirmed, operator }: Confirmation,
): Promise<string[]> {
  return sql.begin(async (tx) => {
    const { known, targets } = await targetsOf(tx)
    const unknown = [...read.tables.keys()].filter((table) => !known.has(table))
    if (unknown.length > 0) throw new Error(`The project knows no table ${unknown.join(', ')}`)
    requireFewActive(read)
    const person = await createAccount(tx, read)
    const stored = await storeTables(tx, targets, read, person)
    await applyCounselorAccess(tx, read.userId, person)
    await requireWithinLimits(tx, read)
    const listing = [
      ...(await describeAccount(tx, read.userId, person)),
      ...(await describeContacts(tx, read)),
      ...describeTables(read, stored),
      ...describeOriginals(read),
      `SHA-256 of the files: ${read.sha256}`,
    ]
    const hash = createHash('sha256').update(listing.join('\n')).digest('hex')
    if (confirmed !== hash) throw new NotConfirmed(listing, hash)
    await reopenReview(tx, read)
    const tables = Object.fromEntries(stored)
    const details = {
      files_sha256: read.sha256,
      files: read.originals.length,
      tables,
      confirmed: hash,
      operator,
    }
    await tx`
      select private.audit(
        'account_imported', private.university_of(${read.userId}), 'users', details => ${JSON.stringify(details)}::text::jsonb,
        actor => null, subject => ${read.userId}
      )`
    return listing
  })
}

/** Throws unless the rows of exactly these files were imported. */
export async function requireImported(sql: Sql, { userId, sha256 }: ReadExport): Promise<void> {
  const [entry] = await sql`
    select from private.audit_log
    where action = 'account_imported' and subject_id = ${userId} and details ->> 'files_sha256' = ${sha256}`
  if (!entry)
    throw new Error('The rows of these files were not imported: first import them without --only-files')
}

async function createAccount(tx: TransactionSql, { userId, tables }: ReadExport): Promise<Person> {
  const [user] = account.parse(rowsOf(tables, 'auth.users'))
  if (user.id !== userId) throw new Error('The account is not the one of the manifest')
  const email = user.email.toLowerCase()
  const [taken] = await tx`select from auth.users where id = ${userId} or lower(email) = ${email}`
  if (taken) throw new Error('The project has this account already')
  const named = z.string().nullish().parse(rowsOf(tables, 'public.profiles')[0]?.university_id) ?? null
  // As a sign-up does: the address decides on the university, and the student role is the only one.
  await tx`
    insert into auth.users (
      instance_id, id, aud, role, email, email_confirmed_at, confirmation_token, recovery_token, email_change_token_new, email_change,
      raw_app_meta_data, raw_user_meta_data, created_at, updated_at
    )
    values (
      '00000000-0000-0000-0000-000000000000', ${userId}, 'authenticated', 'authenticated', ${email},
      least(${user.email_confirmed_at}::timestamptz, now()), '', '', '', '', '{"provider": "email", "providers": ["email"]}',
      jsonb_build_object('university_id', ${named}::text), least(${user.created_at}::timestamptz, now()), now()
    )`
  await tx`update auth.users set raw_user_meta_data = '{}' where id = ${userId}`
  await tx`
    insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
    select id, id, jsonb_build_object('sub', id, 'email', email, 'email_verified', email_confirmed_at is not null), 'email', created_at, now()
    from auth.users
    where id = ${userId}`
  const [profile] = await tx<
    [{ university: string | null }]
  >`select private.university_of(${userId}) as university`
  return { email, isConfirmed: user.email_confirmed_at !== null, named, university: profile.university }
}

/** Stores every table; how many rows of each. */
async function storeTables(
  tx: TransactionSql,
  targets: readonly Target[],
  { userId, tables }: ReadExport,
  { university }: Person,
): Promise<[string, number][]> {
  for (const media of rowsOf(tables, 'private.check_in_media')) {
    const { kind, path: name } = mediaRow.parse(media)
    const bucket = kind === 'audio' ? 'check-in-media' : 'check-in-images'
    if (!isOwnObject(userId, { bucket, name }))
      throw new Error(
        'private.check_in_media names a file of somebody else, or by a name that no object may have',
      )
  }
  const filled = targets.filter(({ table }) => tables.has(table))
  for (const { table } of filled) await tx.unsafe(`alter table ${table} disable trigger user`)
  // What the project's triggers stored for the new account gives way to what was exported.
  for (const { table, belongsTo } of filled.toReversed()) {
    await tx.unsafe(`delete from ${table} t where ${belongsTo}`, [userId])
  }
  const stored: [string, number][] = []
  for (const target of filled) {
    const parts = tables.get(target.table) ?? []
    const rows = await storeTable(tx, target, parts, { userId, university })
    if (rows > 0) stored.push([target.table, rows])
  }
  for (const { table, belongsTo, isWrong } of filled) {
    const [row] = await tx.unsafe<[{ wrong: number }]>(
      `select count(*)::int as wrong from ${table} t where (${belongsTo}) and (${isWrong})`,
      [userId],
    )
    if (row.wrong > 0) throw new Error(`${table}: ${row.wrong} rows name rows of others, or a time to come`)
  }
  for (const { table } of filled) await tx.unsafe(`alter table ${table} enable trigger user`)
  return stored
}

async function storeTable(
  tx: TransactionSql,
  { table, columns, belongsTo }: Target,
  parts: readonly ExportedPart[],
  { userId, university }: { userId: string; university: string | null },
): Promise<number> {
  const { decided = {}, leftOut = {} } = BROUGHT[table] ?? {}
  let stored = 0
  for (const { text, rows } of parts) {
    const [first] = rows
    if (!first) continue
    const given = Object.keys(first)
    const foreign = rows.flatMap(Object.keys).find((column) => !columns.includes(column))
    if (foreign !== undefined)
      throw new Error(`${table}: nobody may bring a column ${JSON.stringify(foreign)}`)
    if (
      rows.some((row) => Object.keys(row).length !== given.length || !given.every((column) => column in row))
    )
      throw new Error(`${table}: not all rows have the same columns`)
    const own = columns.filter((column) => given.includes(column) || column in decided)
    const values = own.map((column) => decided[column] ?? `t.${column}`)
    const result = await tx
      .unsafe(
        `insert into ${table} (${own.join(', ')}) select ${values.join(', ')}
        from jsonb_populate_recordset(null::${table}, $3::text::jsonb) t
        where $1::uuid is not null and coalesce($2::text, '') is not null and not (${isLeftOut(leftOut)})`,
        [userId, university, text],
      )
      .catch((error: unknown) => {
        throw error instanceof postgres.PostgresError ? new Error(`${table}: ${whyRefused(error)}`) : error
      })
    stored += result.count
  }
  const [own] = await tx.unsafe<[{ count: number }]>(
    `select count(*)::int as count from ${table} t where ${belongsTo}`,
    [userId],
  )
  if (own.count !== stored) throw new Error(`${table} has rows that are not the person's`)
  return stored
}

/** A primary key names the row; any other key may hold a number or an address. */
function whyRefused({ message, constraint_name: constraint, detail }: postgres.PostgresError): string {
  return constraint?.endsWith('_pkey') ? `${message}: ${detail}` : message
}

/** As when a student moves: what was agreed to with the counselors of another university in view ends. */
async function applyCounselorAccess(
  tx: TransactionSql,
  userId: string,
  { named, university }: Person,
): Promise<void> {
  if (named !== university) {
    await tx`
      update public.consents set withdrawn_at = greatest(now(), granted_at)
      where user_id = ${userId} and kind = 'counselor_access' and withdrawn_at is null`
  }
  // With the triggers on again, which count whom counselors can list.
  await tx`
    update public.students set counselor_access = true
    where user_id = ${userId} and private.has_consent(user_id, 'counselor_access')`
}

/** Nobody here knows of it: a review that was not closed is opened anew, and the crisis contact told, as of any other. */
async function reopenReview(tx: TransactionSql, { userId, tables }: ReadExport): Promise<void> {
  for (const row of rowsOf(tables, 'public.clinical_reviews')) {
    if (row.user_id !== userId || row.status === 'closed') continue
    const { source, source_id, risk_level } = reviewRow.parse(row)
    await tx`select private.open_clinical_review(${userId}, ${source}, ${source_id}, ${risk_level})`
  }
}
