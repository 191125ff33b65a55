import type { TransactionSql } from 'postgres'
import { quoted, shortened } from './quoted.ts'
import type { ReadExport } from './read.ts'
import { BROUGHT, isLeftOut } from './tables.ts'

const TABLE = 'public.buddy_contacts'

/** What a listing says of a contact. */
type Contact = { name: string | null; phone: string | null; email: string | null }

/** The contacts that an import stores, and those of the files that it leaves out: people whom somebody has named, for the terminal alone. */
export async function describeContacts(
  tx: TransactionSql,
  { userId, tables }: Pick<ReadExport, 'userId' | 'tables'>,
): Promise<string[]> {
  const stored = await tx<(Contact & { isActive: boolean })[]>`
    select name, phone, email, is_active as "isActive" from public.buddy_contacts
    where user_id = ${userId}
    order by priority_rank, name, id`
  const left: string[] = []
  const { leftOut = {} } = BROUGHT[TABLE] ?? {}
  const why = Object.entries(leftOut).map(([reason, holds]) => `when ${holds} then '${reason}'`)
  for (const { text } of tables.get(TABLE) ?? []) {
    const rows = await tx.unsafe<(Contact & { why: string })[]>(
      `select left(t.name, 255) as name, left(t.phone, 255) as phone, left(t.email, 255) as email, case ${why.join(' ')} end as why
      from jsonb_populate_recordset(null::${TABLE}, $1::text::jsonb) t
      where ${isLeftOut(leftOut)}`,
      [text],
    )
    left.push(...rows.map((row) => `    ${nameOf(row)}: left out, ${row.why}`))
  }
  return [
    `  contacts: ${stored.length}, none of whom has agreed to anything here; ${left.length} left out`,
    ...shortened(
      stored.map((contact) => `    ${nameOf(contact)}: ${contact.isActive ? 'active' : 'inactive'}`),
    ),
    ...shortened(left),
  ]
}

function nameOf({ name, phone, email }: Contact): string {
  return [name, phone, email].map(quoted).join(', ')
}
