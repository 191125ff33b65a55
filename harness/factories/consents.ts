import type { TransactionSql } from 'postgres'
import type { Enums } from '../../types/database.ts'

/** Gives consents of students in a transaction, as themselves: nobody else can. For accounts that do not sign in. */
export async function giveConsents(
  tx: TransactionSql,
  students: readonly string[],
  kinds: readonly Enums<'consent_kind'>[],
  version = '2026-11',
): Promise<void> {
  for (const student of students) {
    await tx`select set_config('request.jwt.claims', ${JSON.stringify({ sub: student })}, true)`
    await tx`
      insert into public.consents (user_id, kind, version)
      select ${student}, kind, ${version} from unnest(${[...kinds]}::public.consent_kind[]) kind`
  }
  await tx`select set_config('request.jwt.claims', '', true)`
}
