import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type AttackedStack, startAttackedStack, times } from '../../../harness/factories/attacked-stack.ts'
import { newSessionId, post } from '../../../harness/factories/sessions.ts'
import { newStudent } from '../../../harness/factories/students.ts'
import { acceptAfter, type MailProvider, startMailProvider } from '../../../harness/stack/mail-provider.ts'
import type { Behaviour } from '../../../harness/stack/provider.ts'

const CRISIS =
  'I want to kill myself tonight and I do not know who else to tell. I have thought about it all week.'
const ALERT = 'Security incident'
const REVIEW = 'High risk'
const soon = { timeout: 60_000, interval: 20 }

let provider: MailProvider
let stack: AttackedStack

beforeAll(async () => {
  provider = await startMailProvider()
  stack = await startAttackedStack(provider.env)
})

afterAll(async () => {
  await stack?.stop()
  await provider?.stop()
})

beforeEach(() => {
  provider.arrivals.length = 0
})

afterEach(async () => {
  provider.answer(() => acceptAfter(0))
  await stack.sql`delete from private.outbox where status = 'queued'`
  await vi.waitFor(async () => {
    expect(await stack.sql`select id from private.outbox where status = 'sending'`).toEqual([])
  }, soon)
})

const arrived = (subject: string) => provider.arrivals.filter((mail) => mail.subject.startsWith(subject))

/** Queues alerts, and waits until a sender is at work on them. */
async function queueAlerts(number: number): Promise<void> {
  await stack.sql`
    insert into private.outbox (channel, purpose, recipient, subject, body)
    select 'email', 'security_alert', n || '@example.edu', ${ALERT}, 'Invented' from generate_series(1, ${number}::integer) n`
  await vi.waitFor(() => expect(arrived(ALERT).length).toBeGreaterThan(1), soon)
}

/** A student says that they are in danger; how many alerts arrived at the provider from then until the crisis contact's mail did. */
async function alertsBeforeCrisisMail(): Promise<number> {
  const student = await newStudent(stack.project, ['text'])
  const sessionId = await newSessionId(student)
  const before = provider.arrivals.length
  const { status } = await post(stack.project, student, 'analyze-text', {
    sessionId,
    conversationText: CRISIS,
  })
  expect(status).toBe(200)
  await vi.waitFor(() => expect(arrived(REVIEW)).not.toEqual([]), soon)
  const place = provider.arrivals.findIndex(({ subject }) => subject.startsWith(REVIEW))
  return place - before
}

describe('the mail about a student in crisis', () => {
  test('goes before two thousand alerts of which each takes a second', async () => {
    provider.answer(() => acceptAfter(1000))
    await queueAlerts(2000)
    // What two slots send in the five seconds that are promised. It is 0 to 2 in practice; but each second that a busy machine takes
    // for the analysis adds two, so that only the promise makes a sound bound. bench/crisis-mail.ts measures the seconds.
    expect(await alertsBeforeCrisisMail()).toBeLessThanOrEqual(10)
  })

  test('waits for no alert whose provider does not respond', async () => {
    provider.answer((subject) => (subject.startsWith(ALERT) ? 'silent' : acceptAfter(0)))
    await stack.sql`update private.messaging_settings set lease = '10 seconds'`
    await queueAlerts(100)
    expect(await alertsBeforeCrisisMail()).toBeLessThan(10)
    await stack.sql`update private.messaging_settings set lease = default`
  })

  test('is tried again as soon as a provider asks that turns away everything else', async () => {
    const busy: Behaviour = {
      status: 429,
      headers: { 'retry-after': '1' },
      body: { name: 'rate_limit_exceeded' },
    }
    provider.answer((subject) =>
      subject.startsWith(REVIEW) && arrived(REVIEW).length > 1 ? acceptAfter(0) : busy,
    )
    await queueAlerts(100)
    await alertsBeforeCrisisMail()
    await vi.waitFor(() => expect(arrived(REVIEW)).toHaveLength(2), soon)
    const [first, second] = arrived(REVIEW)
    const between = arrived(ALERT).filter(
      ({ atMs }) => atMs > (first?.atMs ?? 0) && atMs < (second?.atMs ?? 0),
    )
    expect(between.length).toBeLessThan(20)
  })
})

describe('a stranger who tries the workers’ secret from many networks', () => {
  test('opens a few incidents, of which a few mails tell', async () => {
    await stack.sql`update private.detection_rules set respond = '{send_alert}' where rule = 'worker_secret'`
    const networks = Array.from({ length: 60 }, (_, index) => `2001:db8:${(index + 1).toString(16)}:7::1`)
    await times(networks.length * 5, async (index) => {
      const response = await stack.send(
        networks[index % networks.length] ?? '',
        '/functions/v1/pipeline-audio',
        {
          method: 'POST',
          token: 'a-guess',
          body: {},
        },
      )
      expect(response.status).toBe(401)
    })
    const [found] = await vi.waitFor(async () => {
      await stack.sql`select private.detect_incidents()`
      const rows = await stack.sql<{ incidents: number; grouped: number; mails: number }[]>`
        select count(*)::integer as incidents,
          coalesce(max((indicators ->> 'grouped_addresses')::integer), 0) as grouped,
          (select count(*)::integer from private.outbox where purpose = 'security_alert' and subject like '%secret%') as mails
        from public.security_incidents where indicators ->> 'rule' = 'worker_secret' and ended_at is null`
      expect(Math.max(rows[0]?.grouped ?? 0, rows[0]?.incidents ?? 0)).toBeGreaterThanOrEqual(networks.length)
      return rows
    }, soon)
    expect(found?.incidents).toBeLessThan(8)
    expect(found?.mails).toBeLessThan(4)
  })
})
