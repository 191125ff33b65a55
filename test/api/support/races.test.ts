import postgres from 'postgres'
import { expect, inject, test, vi } from 'vitest'
import { type Asked, askContact, newPair } from '../../../harness/factories/support-contacts.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

/** A statement on a connection of its own: begun, and known to wait for a lock. */
type Waiting = { done: Promise<string>; waits(): Promise<void>; end(): Promise<void> }

function begin(run: (sql: postgres.Sql) => Promise<unknown>): Waiting {
  const sql = postgres(project.databaseUrl, { max: 1, onnotice: () => {} })
  const pid = sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const done = pid
    .then(() => run(sql))
    .then(
      () => 'done',
      (error: unknown) => (error instanceof postgres.PostgresError ? error.code : String(error)),
    )
  return {
    done,
    async waits() {
      const [backend] = await pid
      await withDatabase(project, (watching) =>
        vi.waitFor(
          async () => {
            const [row] = await watching`
              select wait_event_type from pg_stat_activity where pid = ${backend?.pid ?? 0}`
            expect(row?.wait_event_type).toBe('Lock')
          },
          { timeout: 60_000, interval: 20 },
        ),
      )
    },
    end: () => sql.end(),
  }
}

/** Lets two statements meet at a text: both wait for its row, the first one longer. Returns how each ended. */
async function meetAtText(
  { message }: Asked,
  first: (sql: postgres.Sql) => Promise<unknown>,
  second: (sql: postgres.Sql) => Promise<unknown>,
): Promise<string[]> {
  const holder = postgres(project.databaseUrl, { max: 1, onnotice: () => {} })
  const begun: Waiting[] = []
  try {
    await holder.begin(async (sql) => {
      await sql`select from private.outbox where id = ${message} for update`
      for (const run of [first, second]) {
        const waiting = begin(run)
        begun.push(waiting)
        await waiting.waits()
      }
    })
    return await Promise.all(begun.map(({ done }) => done))
  } finally {
    await Promise.all([holder.end(), ...begun.map(({ end }) => end())])
  }
}

/** A contact whom an open alert asked, by a text that waits. */
async function newAlerted() {
  const pair = await newPair(project)
  const asked = await askContact(project, pair.contact, { type: 'system_initiated', due: 'later' })
  await withDatabase(
    project,
    (sql) => sql`
      with alert as (
        insert into public.support_alerts (user_id, worrying_days, step) values (${pair.student.id}, 3, 1) returning id
      )
      insert into private.support_alert_plan (alert_id, position, step, contact_id, request_id)
      select id, 1, 1, ${pair.contact}, ${asked.request} from alert`,
  )
  return { ...pair, asked }
}

const withdraw = (student: string) => (sql: postgres.Sql) =>
  sql`update public.consents set withdrawn_at = now() where user_id = ${student} and kind = 'support_circle'`

test('a student withdraws their consent while a contact answers, and neither is turned away', async () => {
  const { student, asked } = await newAlerted()
  const ended = await meetAtText(
    asked,
    withdraw(student.id),
    (sql) => sql`select private.answer_request(private.link_token_hash(${asked.token}), 'called', now())`,
  )
  expect(ended).toEqual(['done', 'done'])
  const { data } = await student.client.from('support_alerts').select('status')
  expect(data).toEqual([{ status: 'resolved' }])
})

test('a student withdraws their consent while a text is about to be sent, and it is not', async () => {
  const { student, contact, asked } = await newAlerted()
  await withDatabase(project, async (sql) => {
    // As of somebody who agreed on the page, which can be read again.
    await sql`
      update public.buddy_contacts
      set verification_token = private.link_token_hash(${asked.token}), verification_token_expires_at = now() + interval '1 day'
      where id = ${contact}`
    await sql`
      update private.outbox
      set status = 'sending', attempts = 1, lease_until = now() + interval '10 minutes'
      where id = ${asked.message}`
  })
  const ended = await meetAtText(
    asked,
    withdraw(student.id),
    (sql) => sql`select private.mark_provider_call(${asked.message}, 1::smallint)`,
  )
  expect(ended).toEqual(['done', 'done'])
  await withDatabase(project, async (sql) => {
    const [text] =
      await sql`select status, provider_called_at from private.outbox where id = ${asked.message}`
    expect(text).toEqual({ status: 'cancelled', provider_called_at: null })
  })
})
