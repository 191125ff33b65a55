import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../../functions/_shared/database.ts'
import { providersFor } from '../../../functions/_shared/messaging/providers.ts'
import { messageSender } from '../../../functions/_shared/messaging/sender.ts'
import { tick, write } from '../../../harness/factories/outbox.ts'
import type { Student } from '../../../harness/factories/students.ts'
import {
  askContact,
  newContact,
  newNumber,
  newStudentWithCircle,
} from '../../../harness/factories/support-contacts.ts'
import { arrive, callback, newSid, statusOf, text } from '../../../harness/factories/twilio-requests.ts'
import { type ConfiguredStack, startConfiguredStack } from '../../../harness/stack/own-stack.ts'
import { localOnly, withDatabase } from '../../../harness/stack/project.ts'
import { type Behaviour, type ProviderServer, startProvider } from '../../../harness/stack/provider.ts'
import { sendingSettings, twilioSettings } from '../../../harness/stack/twilio.ts'
import { ROOT } from '../../../scripts/root.ts'
import { amount, dose } from '../../depth.ts'

let provider: ProviderServer
let project: ConfiguredStack
/** What the provider does with a request for a text; what it accepted is a text that somebody gets. */
let behave: (form: URLSearchParams) => Promise<Behaviour>

const taken = (): Behaviour => ({ status: 201, body: { sid: newSid(), status: 'queued' } })
const error = (status: number, code: number): Behaviour => ({ status, body: { code, status, message: 'x' } })

beforeAll(async () => {
  provider = await startProvider(({ body }) => behave(new URLSearchParams(body)))
  project = await startConfiguredStack(twilioSettings(provider.url))
  await withDatabase(
    project,
    (sql) =>
      sql`
        update private.messaging_settings
        set retry_backoff = '50 milliseconds', max_attempts = 1000, texts_per_minute = null`,
  )
})
afterAll(async () => {
  await project.stop()
  await provider.stop()
})

/** In full, thousands of processes and texts take their time. */
const LONG = { timeout: dose(300_000, 3_600_000) }

/** Runs a task for each number below `count`, a few at once. */
async function several(count: number, atOnce: number, task: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const turns = Array.from({ length: atOnce }, async () => {
    while (next < count) await task(next++)
  })
  await Promise.all(turns)
}

/** Senders in this process, which deliver until `work` has ended. */
async function whileSending(work: () => Promise<void>): Promise<void> {
  const databases = [1, 2].map((number) =>
    connect({ url: project.databaseUrl, certificateAuthority: undefined }, `sender-${number}`, 4),
  )
  const providers = providersFor(sendingSettings(provider.url))
  let done = false
  const sending = databases.map(async (database) => {
    const deliver = messageSender({ database, providers, platform: new EventTarget() })
    while (!done) {
      await deliver()
      await pause(5)
    }
  })
  try {
    await work()
  } finally {
    done = true
    await Promise.all(sending)
    await Promise.all(databases.map((database) => database.end()))
  }
}

describe('a stop while texts are sent', localOnly('starts a stack with Twilio'), () => {
  test('is followed by no text to the number, and confirmed once', LONG, async () => {
    const races = dose(40, 1000)
    const arrivals = new Map<string, number[]>()
    const known = new Set<string>()
    behave = async (form) => {
      const to = form.get('To') ?? ''
      arrivals.set(to, [...(arrivals.get(to) ?? []), performance.now()])
      await pause(Math.random() * 120)
      const kind = Math.random()
      if (kind < 0.1) return error(429, 20429)
      if (kind < 0.2) return error(500, 20500)
      if (kind > 0.95) {
        known.add(to)
        return error(400, 21610)
      }
      return taken()
    }
    const stopped = new Map<string, { at: number; answer: string | null }>()
    const students: Promise<Student>[] = []
    await whileSending(async () => {
      await several(races, dose(6, 12), async (index) => {
        const place = Math.floor(index / 5)
        students[place] ??= newStudentWithCircle(project)
        const phone = newNumber()
        const contact = await newContact(project, await students[place], {
          phone,
          priority_rank: (index % 5) + 1,
        })
        await askContact(project, contact)
        await pause(Math.random() * 60)
        const again = askContact(project, contact).catch(() => null)
        const answer = await text(project, phone, 'please stop texting me')
        stopped.set(phone, { at: performance.now(), answer })
        await again
      })
      await pause(500)
      await tick(project)
      await pause(1000)
    })
    const late = [...stopped].filter(([phone, { at }]) => arrivals.get(phone)?.some((time) => time > at))
    expect(late).toEqual([])
    expect(stopped.size).toBe(races)
    const unconfirmed = [...stopped].filter(([phone, { answer }]) => answer === null && !known.has(phone))
    expect(unconfirmed).toEqual([])
    const rows = await withDatabase(
      project,
      (sql) => sql<{ status: string; count: number }[]>`
        select status, count(*)::integer from private.outbox where recipient in ${sql([...stopped.keys()])} group by status`,
    )
    const counts = Object.fromEntries(rows.map(({ status, count }) => [status, count]))
    console.log(`${races} races: ${JSON.stringify(counts)}, ${known.size} numbers on Twilio's own list`)
    expect(counts.queued ?? 0).toBe(0)
    expect(counts.sending ?? 0).toBe(0)
    // Both sides won some of the races.
    expect(counts.cancelled).toBeGreaterThan(0)
    expect(counts.sent).toBeGreaterThan(0)
  })
})

describe('senders that are killed', localOnly('starts a stack with Twilio'), () => {
  test('double no text, and each is settled whose status arrives', LONG, async () => {
    const kills = amount('TEST_KILLS', 8, 1000)
    // Only the senders of this test send.
    await withDatabase(project, async (sql) => {
      await sql`drop trigger dispatch_messages on private.outbox`
      await sql`select cron.unschedule('dispatch-due-messages')`
    })
    const accepted = new Map<string, number>()
    behave = async (form) => {
      const message = new URL(form.get('StatusCallback') ?? '').searchParams.get('message') ?? ''
      if (Math.random() < 0.1) return error(429, 20429)
      accepted.set(message, (accepted.get(message) ?? 0) + 1)
      // The first is never answered, so that there is one whose sender cannot know.
      const kind = accepted.size === 1 ? 0 : Math.random()
      if (kind < 0.2) return 'silent'
      if (kind < 0.3) return error(500, 20500)
      await pause(Math.random() * 40)
      return taken()
    }
    const messages: string[] = []
    await several(kills, dose(3, 8), async () => {
      const sender = await startSender()
      const ids = await write(
        project,
        Array.from({ length: 3 }, () => ({ channel: 'sms', recipient: newNumber() })),
      )
      messages.push(...ids)
      sender.send('send')
      // Before it claims, between its steps, and while the provider has the text.
      const reached = async () => {
        const ends = performance.now() + 3000
        while (!ids.some((id) => accepted.has(id)) && performance.now() < ends) await pause(2)
      }
      if (Math.random() < 0.7) await reached()
      await pause(Math.random() * 50)
      await killed(sender)
    })
    await withDatabase(project, async (sql) => {
      await sql`update private.outbox set lease_until = now() where status = 'sending'`
      await sql`select private.dispatch_due_messages()`
    })
    behave = async (form) => {
      const message = new URL(form.get('StatusCallback') ?? '').searchParams.get('message') ?? ''
      accepted.set(message, (accepted.get(message) ?? 0) + 1)
      return taken()
    }
    await whileSending(() =>
      expect
        .poll(
          () =>
            statesOf(messages).then((states) =>
              [...states.values()].filter((state) => state === 'queued' || state === 'sending'),
            ),
          {
            timeout: 120_000,
          },
        )
        .toEqual([]),
    )
    expect([...accepted].filter(([, times]) => times > 1)).toEqual([])

    const before = await statesOf(messages)
    const reported = [...accepted.keys()].filter((_, index) => index === 0 || Math.random() < 0.8)
    for (const message of reported) {
      const sent = callback(message, statusOf(newNumber(), newSid(), 'delivered'))
      expect((await arrive(project, sent)).status).toBe(204)
    }
    const after = await statesOf(messages)
    expect(reported.filter((message) => after.get(message) !== 'sent')).toEqual([])
    for (const [message, state] of before)
      if (!reported.includes(message)) expect(after.get(message)).toBe(state)
    const settled = reported.filter((message) => before.get(message) === 'unconfirmed')
    console.log(
      `${kills} kills, ${messages.length} texts: ${accepted.size} reached the provider once, ${settled.length} unconfirmed ones settled`,
    )
    expect(settled.length).toBeGreaterThan(0)
  })
})

async function startSender(): Promise<ChildProcess> {
  const sender = fork(join(ROOT, 'harness/stack/text-sender.ts'), [project.databaseUrl, provider.url], {
    silent: true,
  })
  await new Promise<void>((resolve, reject) => {
    sender.once('message', () => resolve())
    sender.once('exit', (code) => reject(new Error(`The sender ended with ${code}`)))
  })
  return sender
}

function killed(sender: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => sender.once('exit', () => resolve()))
  sender.kill('SIGKILL')
  return ended
}

function statesOf(messages: string[]): Promise<Map<string, string>> {
  return withDatabase(project, async (sql) => {
    const rows = await sql<{ id: string; status: string }[]>`
      select id, status from private.outbox where id in ${sql(messages)}`
    return new Map(rows.map(({ id, status }) => [id, status]))
  })
}
