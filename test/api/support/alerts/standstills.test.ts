import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localOnly } from '../../../../harness/stack/project.ts'
import { buildHistoryDatabase, type HistoryDatabase, type Timeline } from './history-database.ts'

const MINUTE_MS = 60_000
const OPENED = Date.UTC(2030, 4, 6, 12)

/** What is done to an alert that waits for its first contacts; which of the kinds of standstill it must be found as. */
type Injection = { name: string; break: (sql: Sql, alert: string) => Promise<unknown>; kinds: string[] }

const INJECTIONS: Injection[] = [
  {
    name: 'its text lies in the outbox, due, and nobody takes it',
    break: (sql) => sql`update private.outbox set send_at = now() where channel = 'sms'`,
    kinds: ['text_stuck'],
  },
  {
    name: 'its text is with a sender that is gone, and nobody notices',
    break: (sql) => sql`
      update private.outbox set status = 'sending', lease_until = now() + interval '1 minute' where channel = 'sms'`,
    kinds: ['text_stuck'],
  },
  {
    name: 'its text is put off for a week',
    break: (sql) => sql`update private.outbox set send_at = now() + interval '7 days' where channel = 'sms'`,
    kinds: ['text_stuck'],
  },
  {
    name: 'its text is gone',
    break: (sql) => sql`delete from private.outbox where channel = 'sms'`,
    kinds: ['text_lost'],
  },
  {
    name: 'its plan is gone',
    break: (sql) => sql`delete from private.support_alert_plan`,
    kinds: ['plan_wrong'],
  },
  {
    name: 'its plan has forgotten whom it asked',
    break: (sql) => sql`update private.support_alert_plan set request_id = null`,
    kinds: ['plan_wrong'],
  },
  {
    name: 'its step is one that the plan does not have',
    break: (sql, alert) => sql`update public.support_alerts set step = 5 where id = ${alert}`,
    kinds: ['plan_wrong'],
  },
  {
    name: 'its step began in a year',
    break: (sql, alert) => sql`
      update public.support_alerts set step_began_at = now() + interval '1 year' where id = ${alert}`,
    kinds: ['clock_wrong'],
  },
  {
    name: 'its step began before it was opened',
    break: (sql, alert) => sql`
      update public.support_alerts set step_began_at = opened_at - interval '1 day' where id = ${alert}`,
    kinds: ['clock_wrong'],
  },
  {
    name: 'it opens tomorrow',
    break: (sql, alert) => sql`
      update public.support_alerts set opened_at = now() + interval '1 day' where id = ${alert}`,
    kinds: ['clock_wrong'],
  },
  {
    name: 'it is older than alerts get',
    break: (sql, alert) => sql`
      update public.support_alerts set opened_at = opened_at - interval '3 days' where id = ${alert}`,
    kinds: ['past_its_end'],
  },
  {
    name: 'an answer had no effect',
    break: (sql) => sql`
      update public.buddy_check_in_requests set response_type = 'called', response_received_at = now()
      where created_at = ${new Date(OPENED)}`,
    kinds: ['answer_without_effect'],
  },
  {
    name: 'all are unavailable and nobody else is asked',
    break: (sql) => sql`
      update public.buddy_check_in_requests set response_type = 'unavailable', response_received_at = now()
      where created_at = ${new Date(OPENED)}`,
    kinds: ['nobody_awaited'],
  },
  {
    name: 'nobody responded in six hours and nobody else is asked',
    break: (sql) => sql`
      update public.buddy_check_in_requests set sent_at = now() - interval '6 hours', delivery_status = 'delivered'`,
    kinds: ['next_not_asked'],
  },
  {
    name: 'every text waits for six hours and the crisis contact does not know',
    break: (sql) => sql`
      with moved as (
        update public.support_alerts
        set opened_at = opened_at - interval '6 hours', step_began_at = step_began_at - interval '6 hours'
      )
      update public.buddy_check_in_requests set created_at = created_at - interval '6 hours'`,
    kinds: ['crisis_contact_not_told'],
  },
  ...['answered', 'escalated', 'resolved', 'expired'].map((status) => ({
    name: `it is ${status} without a reason`,
    break: (sql: Sql, alert: string) => sql`
      update public.support_alerts set status = ${status}, ended_at = now() where id = ${alert}`,
    kinds: ['status_wrong'],
  })),
  {
    name: 'it says that the crisis contact knows, who got nothing',
    break: (sql, alert) => sql`
      update public.support_alerts set status = 'escalated', ended_at = now(), crisis_contact_told_at = now()
      where id = ${alert}`,
    kinds: ['crisis_contact_not_told'],
  },
  {
    name: 'the mail to the crisis contact is not taken by anybody',
    break: (sql, alert) => sql`select private.tell_crisis_contact(${alert}, 'it is tried', now())`,
    kinds: ['crisis_mail_stuck'],
  },
  {
    name: 'it was removed although the pattern lasts',
    break: (sql, alert) => sql`delete from public.support_alerts where id = ${alert}`,
    kinds: ['pattern_without_alert'],
  },
]

/** What is done to the job, instead of an alert. */
const BROKEN_JOBS: { name: string; ran: (sql: Sql) => Promise<unknown> }[] = [
  { name: 'is not scheduled any more', ran: (sql) => sql`select cron.unschedule('tick-support-alerts')` },
  {
    name: 'is switched off',
    ran: (sql) => sql`
      select cron.alter_job((select jobid from cron.job where jobname = 'tick-support-alerts'), active := false)`,
  },
  { name: 'does not run', ran: async () => {} },
  { name: 'fails each time', ran: (sql) => jobRuns(sql, 'tick-support-alerts', 'failed') },
]

/** Cron's record of the last half hour, a run a minute. */
function jobRuns(sql: Sql, job: string, status: string) {
  return sql`
    insert into cron.job_run_details (jobid, runid, status, start_time, end_time)
    select j.jobid, nextval('cron.runid_seq'), ${status}, now() - make_interval(mins => n), now() - make_interval(mins => n)
    from cron.job j cross join generate_series(-30, 30) n
    where j.jobname = ${job}`
}

describe('an alert that stands still', localOnly('builds a database whose clock it sets'), () => {
  let database: HistoryDatabase
  let timeline: Timeline
  beforeAll(async () => {
    database = await buildHistoryDatabase('support_standstills')
    timeline = await database.connect()
    await timeline.clock(new Date(OPENED))
    await timeline.sql`select tests.make_students(1)`
  })
  afterAll(async () => {
    await timeline?.end()
    await database?.drop()
  })

  /** Opens an alert about one student, breaks something, and looks every five minutes, as cron does. */
  async function minutesUntilFound(injection: Pick<Injection, 'break' | 'kinds'>): Promise<number | null> {
    const { sql, clock } = timeline
    await clock(new Date(OPENED))
    await sql`select tests.begin_histories()`
    await sql`truncate cron.job_run_details`
    await sql`truncate public.consents, public.buddy_contacts, private.worrying_days cascade`
    await sql`insert into public.consents (user_id, kind, version) select id, 'support_circle', '2026-11' from tests.students`
    await sql`
      insert into public.buddy_contacts (
        user_id, name, phone, email, priority_rank, verified, verified_at, phone_confirmed_at, phone_confirmed_by
      )
      select id, 'Robin', '+1202555010' || rank, 'robin@example.com', rank, true, now(), now(), 'reply'
      from tests.students cross join generate_series(1, 3) rank`
    await sql`insert into private.worrying_days (user_id, day) select id, now()::date - ago from tests.students cross join generate_series(0, 2) ago`
    await sql`select private.tick_support_alerts(now())`
    // Nothing of this is taken by a sender here, so its texts wait for tomorrow unless they are what is broken.
    await sql`update private.outbox set send_at = now() + interval '12 hours'`
    const [alert] = await sql<{ id: string }[]>`select id from public.support_alerts`
    if (!alert) throw new Error('No alert was opened')
    await clock(new Date(OPENED + MINUTE_MS))
    expect(await sql`select kind from private.standstills_at(now())`).toEqual([])

    await injection.break(sql, alert.id)
    for (let minutes = 4; minutes <= 30; minutes += 5) {
      await clock(new Date(OPENED + (1 + minutes) * MINUTE_MS))
      await sql`select private.find_standstills(now())`
      const found = await sql<
        { kind: string }[]
      >`select kind from private.support_standstills where ended_at is null`
      if (found.some(({ kind }) => injection.kinds.includes(kind))) return minutes
    }
    return null
  }

  test.each(INJECTIONS)('because $name is found within 15 minutes', async (injection) => {
    const minutes = await minutesUntilFound(injection)
    expect(minutes).not.toBeNull()
    expect(minutes).toBeLessThanOrEqual(15)
  })

  test.each(BROKEN_JOBS)('because the job $name is found within 15 minutes', async ({ ran }) => {
    const minutes = await minutesUntilFound({
      async break(sql) {
        await sql.unsafe('begin')
        await jobRuns(sql, 'dispatch-due-messages', 'succeeded')
        await ran(sql)
        await sql.unsafe('commit')
      },
      kinds: ['tick_not_running'],
    })
    await timeline.sql`select cron.schedule('tick-support-alerts', '* * * * *', 'select private.tick_support_alerts(now())')`
    await timeline.sql`
      select cron.alter_job((select jobid from cron.job where jobname = 'tick-support-alerts'), active := true)`
    expect(minutes).not.toBeNull()
    expect(minutes).toBeLessThanOrEqual(15)
  })

  test('is no finding while the job runs', async () => {
    const found = await minutesUntilFound({
      break: async (sql) => {
        await jobRuns(sql, 'dispatch-due-messages', 'succeeded')
        await jobRuns(sql, 'tick-support-alerts', 'succeeded')
      },
      kinds: ['tick_not_running'],
    })
    expect(found).toBeNull()
    expect(await timeline.sql`select kind from private.support_standstills`).toEqual([])
  })

  test('is raised once, by mail to the operators and to the log, and ends when it is put right', async () => {
    const { sql, clock } = timeline
    await sql`update private.support_settings set operator_email = 'operators@example.edu'`
    const broken = INJECTIONS.find(({ kinds }) => kinds.includes('status_wrong'))
    if (!broken) throw new Error('There is no such injection')
    await minutesUntilFound(broken)
    await sql`select private.find_standstills(now())`
    const mails = await sql`
      select recipient, subject, body like '%status_wrong: alert %' as names_it
      from private.outbox where purpose = 'support_standstill'`
    expect(mails).toEqual([
      { recipient: 'operators@example.edu', subject: 'Support alerts stand still', names_it: true },
    ])
    expect(await sql`select kind from private.report_standstills()`).toEqual([{ kind: 'status_wrong' }])
    expect(await sql`select kind from private.report_standstills()`).toEqual([])

    await sql`update public.support_alerts set status = 'open', ended_at = null`
    await clock(new Date(OPENED + 40 * MINUTE_MS))
    await sql`select private.find_standstills(now())`
    expect(await sql`select kind, ended_at is not null as ended from private.support_standstills`).toEqual([
      { kind: 'status_wrong', ended: true },
    ])
  })
})
