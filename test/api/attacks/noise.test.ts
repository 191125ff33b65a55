import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Stage, startStage, times } from '../../attacks/stage.ts'
import { newStaff } from '../../factories/students.ts'

const WRONG = 'not-the-password-1'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
}, 60_000)

afterAll(() => stage?.stop())

/** Fills the rows of failed sign-ins of this minute, as a flood from changing addresses does. */
async function flood(accounts: readonly string[] = []): Promise<void> {
  await stage.sql`
    select private.note_security_event(
      'sign_in_failed', (${accounts}::uuid[])[1 + n % greatest(1, cardinality(${accounts}::uuid[]))],
      ('2001:db8:' || to_hex(n / 60000 + 1) || ':' || to_hex(n % 60000) || '::1')::inet, '{}', 'functions'
    )
    from generate_series(1, 620) as n`
}

async function incidentsOf(account: string): Promise<string[]> {
  await stage.sql`select * from private.detect_incidents()`
  const rows = await stage.sql<{ rule: string }[]>`
    select indicators ->> 'rule' as rule from public.security_incidents
    where ended_at is null and ${account} = any (affected_users) order by rule`
  return rows.map(({ rule }) => rule)
}

test.each([
  ['invented addresses', 0],
  ['many accounts', 40],
])('guesses at a counselor are seen in a flood of failed sign-ins of %s', async (_, number) => {
  await stage.sql`delete from private.security_events`
  const { id, email } = await newStaff(stage.project, 'counselor')
  const others = (await stage.accounts(number)).map(({ id }) => id)
  let minute: number
  // Again where the next minute, which the flood has not filled, began meanwhile.
  do {
    minute = Math.floor(Date.now() / 60_000)
    await flood(others)
    await times(10, () => stage.signIn(stage.newAddress(), email, WRONG), 5)
  } while (Math.floor(Date.now() / 60_000) !== minute)
  expect(await incidentsOf(id)).toContain('brute_force_account')
  const [rows] = await stage.sql`
    select max(n) <= 500 + ${number} + 1 as few
    from (select count(*) filter (where address is not null) as n from private.security_events group by minute, account is null) m`
  expect(rows).toEqual({ few: true })
})
