import type { TransactionSql } from 'postgres'
import type { Enums } from '../../types/database.ts'

/** Lets what follows in a transaction come from an account's own request; from nobody's with null. */
export async function actAs(tx: TransactionSql, account: string | null): Promise<void> {
  const claims = account === null ? '' : JSON.stringify({ sub: account })
  await tx`select set_config('request.jwt.claims', ${claims}, true)`
}

/** Gives consents of students in a transaction, as themselves: nobody else can. For accounts that do not sign in. */
export async function giveConsents(
  tx: TransactionSql,
  students: readonly string[],
  kinds: readonly Enums<'consent_kind'>[],
  version = '2026-11',
): Promise<void> {
  for (const student of students) {
    await actAs(tx, student)
    await tx`
      insert into public.consents (user_id, kind, version)
      select ${student}, kind, ${version} from unnest(${[...kinds]}::public.consent_kind[]) kind`
  }
  await actAs(tx, null)
}
