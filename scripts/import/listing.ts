import type { TransactionSql } from 'postgres'
import { quoted, shortened } from './quoted.ts'
import { type ReadExport, rowsOf } from './read.ts'
import { BROUGHT } from './tables.ts'

/** The account that an import makes. */
export type Person = {
  email: string
  isConfirmed: boolean
  /** University that the file's profile names. */
  named: string | null
  /** University that the address belongs to in this project. */
  university: string | null
}

/** Who the account is, and what it brings that somebody has to agree with. */
export async function describeAccount(
  tx: TransactionSql,
  userId: string,
  { email, isConfirmed, named, university }: Person,
): Promise<string[]> {
  const [own] = await tx<
    [
      {
        first: string
        last: string
        consents: string | null
        risk: string | null
        score: string | null
      },
    ]
  >`
    select p.first_name as first, p.last_name as last, s.risk_level::text as risk, s.last_score::text as score,
      (
        select string_agg(c.kind || ' ' || c.version, ', ' order by c.kind)
        from public.consents c where c.user_id = p.user_id and c.withdrawn_at is null
      ) as consents
    from public.profiles p
    left join public.students s on s.user_id = p.user_id
    where p.user_id = ${userId}`
  return [
    `Account ${userId}`,
    `  address: ${quoted(email)}, which only the files say; whoever reads its mail can sign in`,
    `  address confirmed: ${isConfirmed ? 'yes' : 'no'}, which only the files say; nothing here has asked the mailbox`,
    `  name: ${quoted(`${own.first} ${own.last}`)}`,
    `  university: ${university ?? 'none'}${named === university ? '' : ` (the files say ${named === null ? 'none' : quoted(named)})`}`,
    `  role: student`,
    `  consents in force: ${own.consents ?? 'none'}`,
    `  last score and risk: ${own.score ?? 'none'}, ${own.risk ?? 'none'}`,
  ]
}

/** How many rows of each table are stored, and how many are left out. */
export function describeTables(
  { userId, tables }: ReadExport,
  stored: readonly [string, number][],
): string[] {
  const left = [...tables]
    .filter(([table]) => table !== 'auth.users' && !(table in BROUGHT))
    .map(([table]) => ({ table, rows: rowsOf(tables, table).length }))
    .filter(({ rows }) => rows > 0)
  const reviews = rowsOf(tables, 'public.clinical_reviews')
  const isOpen = reviews.some(({ user_id, status }) => user_id === userId && status !== 'closed')
  return [
    ...stored.map(([table, rows]) => `${table}: ${rows}`),
    ...left.map(({ table, rows }) => `${table}: ${rows}, not imported`),
    ...(isOpen
      ? ['A clinical review was not closed: one is opened here, and the crisis contact is told']
      : []),
  ]
}

/** How many files there are in each bucket, and which are left out. */
export function describeOriginals({ originals, leftOut }: ReadExport): string[] {
  const buckets = [...new Set(originals.map(({ bucket }) => bucket))].sort()
  return [
    ...buckets.map((bucket) => {
      const own = originals.filter((original) => original.bucket === bucket)
      return `${bucket}: ${own.length} files, ${own.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)} bytes`
    }),
    ...(leftOut.length > 0 ? [`files left out, as no object may have such a name: ${leftOut.length}`] : []),
    ...shortened(leftOut.map(({ bucket, name }) => `    ${quoted(`${bucket}/${name}`)}`)),
  ]
}
