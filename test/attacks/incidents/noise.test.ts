import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedStack, startAttackedStack, times } from '../../../harness/factories/attacked-stack.ts'
import { newStaff } from '../../../harness/factories/students.ts'

const WRONG = 'not-the-password-1'

let stack: AttackedStack

beforeAll(async () => {
  stack = await startAttackedStack()
})

afterAll(() => stack?.stop())

/** Fills the rows of failed sign-ins of this minute, as a flood from changing addresses does. */
async function flood(accounts: readonly string[] = []): Promise<void> {
  await stack.sql`
    select private.note_security_event(
      'sign_in_failed', (${accounts}::uuid[])[1 + n % greatest(1, cardinality(${accounts}::uuid[]))],
      ('2001:db8:' || to_hex(n / 60000 + 1) || ':' || to_hex(n % 60000) || '::1')::inet, '{}', 'functions'
    )
    from generate_series(1, 620) as n`
}

/** The minute by the database's clock, which rows are kept by. */
async function currentMinute(): Promise<number> {
  const [now] = await stack.sql<[{ minute: number }]>`
    select (extract(epoch from date_trunc('minute', now())) / 60)::integer as minute`
  return now.minute
}

async function incidentsOf(account: string): Promise<string[]> {
  await stack.sql`select * from private.detect_incidents()`
  const rows = await stack.sql<{ rule: string }[]>`
    select indicators ->> 'rule' as rule from public.security_incidents
    where ended_at is null and ${account} = any (affected_users) order by rule`
  return rows.map(({ rule }) => rule)
}

test.each([
  ['invented addresses', 0],
  ['many accounts', 40],
])('guesses at a counselor are seen in a flood of failed sign-ins of %s', async (_, number) => {
  const others = (await stack.accounts(number)).map(({ id }) => id)
  let [minute, id] = [0, '']
  // From scratch where the next minute began meanwhile: it has room for guesses which the flood has not filled.
  do {
    minute = await currentMinute()
    await stack.sql`delete from private.security_events`
    await flood(others)
    // Another counselor each time, as an account has ten tries.
    const counselor = await newStaff(stack.project, 'counselor')
    id = counselor.id
    await times(10, () => stack.signIn(stack.newAddress(), counselor.email, WRONG), 5)
  } while ((await currentMinute()) !== minute)
  expect(await incidentsOf(id)).toContain('brute_force_account')
  const [rows] = await stack.sql`
    select max(n) <= 500 + ${number} + 1 as few
    from (select count(*) filter (where address is not null) as n from private.security_events group by minute, account is null) m`
  expect(rows).toEqual({ few: true })
})
