import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { connect } from '../../../functions/_shared/database.ts'
import { providersFor } from '../../../functions/_shared/messaging/providers.ts'
import { messageSender } from '../../../functions/_shared/messaging/sender.ts'
import {
  inState,
  makeDue,
  pipelineSecret,
  requestDelivery,
  stored,
  tick,
  write,
  writeOne,
} from '../../../harness/factories/outbox.ts'
import { type ConfiguredStack, startConfiguredStack } from '../../../harness/stack/own-stack.ts'
import { localOnly, withDatabase } from '../../../harness/stack/project.ts'
import { type Behaviour, type ProviderServer, startProvider } from '../../../harness/stack/provider.ts'

const settings = {
  email: { apiKey: 're_invented', from: 'Student Wellbeing <wellbeing@example.edu>' },
  sms: { accountSid: `AC${'0'.repeat(32)}`, authToken: 'invented', from: '+15005550001' },
}

let provider: ProviderServer
let project: ConfiguredStack

/** What the provider does with the tries of one recipient, in turn; after that, and for all others, it accepts. */
const script = new Map<string, (Behaviour | 'accept' | 'accept in silence')[]>()
/** What the provider took on to deliver: an email once for each idempotency key, a text message each time. */
const accepted: { recipient: string; key: string | undefined }[] = []
/** Every request, by recipient. */
const tried: string[] = []

beforeAll(async () => {
  provider = await startProvider(({ path, headers, body }) => {
    const email = path === '/emails'
    const recipient = String(email ? JSON.parse(body).to : new URLSearchParams(body).get('To'))
    const key = email ? String(headers['idempotency-key']) : undefined
    tried.push(recipient)
    const behaviour = script.get(recipient)?.shift() ?? 'accept'
    if (behaviour !== 'accept' && behaviour !== 'accept in silence') return behaviour
    if (!email || !accepted.some((entry) => entry.key === key)) accepted.push({ recipient, key })
    if (behaviour === 'accept in silence') return 'silent'
    return email
      ? { status: 200, body: { id: `re-${key}` } }
      : { status: 201, body: { sid: 'SM0123', status: 'queued' } }
  })
  project = await startConfiguredStack({
    RESEND_API_KEY: settings.email.apiKey,
    RESEND_BASE_URL: provider.url,
    EMAIL_FROM: settings.email.from,
    TWILIO_ACCOUNT_SID: settings.sms.accountSid,
    TWILIO_AUTH_TOKEN: settings.sms.authToken,
    TWILIO_FROM: settings.sms.from,
    TWILIO_BASE_URL: provider.url,
  })
  await withDatabase(
    project,
    (sql) => sql`
      update private.messaging_settings
      set retry_backoff = '50 milliseconds', max_attempts = 3, emails_per_minute = null, texts_per_minute = null`,
  )
})

afterAll(async () => {
  await project.stop()
  await provider.stop()
})

const address = () => `desk-${crypto.randomUUID()}@northfield.example.edu`
const number = () => `+1${BigInt(`0x${crypto.randomUUID().slice(0, 8)}`)}`

/** Writes a message whose tries meet what is given, in turn. */
async function meeting(
  channel: 'email' | 'sms',
  ...behaviours: (Behaviour | 'accept' | 'accept in silence')[]
) {
  const recipient = channel === 'email' ? address() : number()
  script.set(recipient, behaviours)
  return { recipient, id: await writeOne(project, { channel, recipient }) }
}

const triesTo = (recipient: string) => tried.filter((one) => one === recipient).length
const acceptedFor = (recipient: string) => accepted.filter((one) => one.recipient === recipient).length

/** Passes once the sender has had every opportunity to repeat what it should not. */
async function afterAnotherRound(): Promise<void> {
  const { id } = await meeting('sms')
  await inState(project, id, 'sent')
}

/** How long a sender may keep a message; it gives a provider most of that to respond. */
function leaseOf(seconds: number): Promise<unknown> {
  return withDatabase(
    project,
    (sql) => sql`update private.messaging_settings set lease = ${seconds} * interval '1 second'`,
  )
}

/** Lets the lease of a sender that is gone expire. */
function endLease(id: string): Promise<unknown> {
  return withDatabase(
    project,
    (sql) => sql`update private.outbox set lease_until = now() where id = ${id} and status = 'sending'`,
  )
}

function killSender(): void {
  if (!project.kill('deliver-messages')) throw new Error('The sender does not run')
}

describe('with providers', localOnly('starts a stack with providers'), () => {
  test('an email and a text message go out once and keep the provider’s name for them', async () => {
    const [email, sms] = [await meeting('email'), await meeting('sms')]
    expect(await inState(project, email.id, 'sent')).toMatchObject({
      provider: 'resend',
      provider_message_id: `re-${email.id}`,
      attempts: 1,
    })
    expect(await inState(project, sms.id, 'sent')).toMatchObject({
      provider: 'twilio',
      provider_message_id: 'SM0123',
      attempts: 1,
    })
    expect([triesTo(email.recipient), triesTo(sms.recipient)]).toEqual([1, 1])
  })

  test('many senders at once send each message once', async () => {
    const recipients = Array.from({ length: 40 }, number)
    const databases = ['one', 'two', 'three'].map((name) =>
      connect({ url: project.databaseUrl, certificateAuthority: undefined }, name),
    )
    const providers = providersFor({
      email: undefined,
      sms: { ...settings.sms, baseUrl: provider.url },
      inboxUrl: undefined,
    })
    const senders = databases.map((database) =>
      messageSender({ database, providers, platform: new EventTarget() }),
    )
    const secret = await pipelineSecret(project)
    const ids = await write(
      project,
      recipients.map((recipient) => ({ channel: 'sms', recipient })),
    )
    await Promise.all([
      ...senders.map((send) => send()),
      ...Array.from({ length: 8 }, () => requestDelivery(project, secret)),
    ])
    for (const id of ids) expect(await inState(project, id, 'sent')).toMatchObject({ attempts: 1 })
    expect(recipients.map(triesTo)).toEqual(Array(40).fill(1))
    await Promise.all(databases.map((database) => database.end()))
  })

  test('a sender whose isolate is about to end leaves what is due to others', async () => {
    const database = connect({ url: project.databaseUrl, certificateAuthority: undefined }, 'ending')
    const platform = new EventTarget()
    const send = vi.fn(async () => ({ outcome: 'sent', sentAs: null }) as const)
    const ending = messageSender({ database, providers: { sms: { name: 'ending', send } }, platform })
    platform.dispatchEvent(new Event('beforeunload'))
    const recipients = Array.from({ length: 40 }, number)
    const ids = await write(
      project,
      recipients.map((recipient) => ({ channel: 'sms', recipient })),
    )
    await ending()
    for (const id of ids) await inState(project, id, 'sent')
    expect(send).not.toHaveBeenCalled()
    await database.end()
  })
})

describe('a provider that certainly did not send', localOnly('starts a stack with providers'), () => {
  test.each([
    ['email', 429],
    ['sms', 429],
    ['email', 503],
    ['sms', 503],
  ] as const)(
    'is given its %s again, after a %i not before the time it asked for',
    async (channel, status) => {
      const busy = { status, headers: { 'retry-after': '3600' }, body: {} }
      const { id, recipient } = await meeting(channel, busy)
      const waiting = await vi.waitFor(
        async () => {
          const message = await stored(project, id)
          expect(message).toMatchObject({ status: 'queued', attempts: 1, error_code: `http_${status}` })
          return message
        },
        { timeout: 30_000 },
      )
      expect(waiting.due_in).toBeGreaterThan(3500)
      await afterAnotherRound()
      expect(triesTo(recipient)).toBe(1)
      await makeDue(project, id)
      expect(await inState(project, id, 'sent')).toMatchObject({ attempts: 2, error_code: null })
      expect(acceptedFor(recipient)).toBe(1)
    },
  )

  test('is left alone by the messages behind the one it turned away', async () => {
    const recipients = Array.from({ length: 20 }, number)
    for (const recipient of recipients)
      script.set(recipient, [{ status: 429, headers: { 'retry-after': '3600' } }])
    const ids = await write(
      project,
      recipients.map((recipient) => ({ channel: 'sms', recipient })),
    )
    await vi.waitFor(() => expect(recipients.some((recipient) => triesTo(recipient) > 0)).toBe(true), {
      timeout: 30_000,
    })
    const spared = await vi.waitFor(
      async () => {
        const messages = await Promise.all(ids.map((id) => stored(project, id)))
        expect(messages.every(({ status }) => status === 'queued')).toBe(true)
        return messages.filter(({ attempts }) => attempts === 0).length
      },
      { timeout: 30_000 },
    )
    expect(spared).toBeGreaterThan(0)
    for (const recipient of recipients) script.set(recipient, [])
    for (const id of ids) await makeDue(project, id)
    for (const id of ids) await inState(project, id, 'sent')
  })
})

describe('a provider that may have sent', localOnly('starts a stack with providers'), () => {
  beforeAll(() => leaseOf(8))
  afterAll(() => leaseOf(60))

  test.each<[string, Behaviour | 'accept in silence', string | RegExp]>([
    ['responds with its own failure', { status: 500, body: { code: 20500 } }, '20500'],
    ['is unavailable without saying until when', { status: 503, body: {} }, 'http_503'],
    ['closes the connection', 'hang up', 'no_response'],
    ['does not respond', 'accept in silence', /^(timeout|sender_lost)$/],
  ])('and %s is not given the text message again', async (_, behaviour, code) => {
    const { id, recipient } = await meeting('sms', behaviour)
    expect(await inState(project, id, 'unconfirmed')).toMatchObject({
      attempts: 1,
      error_code: expect.stringMatching(code),
    })
    await afterAnotherRound()
    expect(triesTo(recipient)).toBe(1)
    expect(await stored(project, id)).toMatchObject({ status: 'unconfirmed', attempts: 1 })
  })

  test.each<[string, Behaviour | 'accept in silence']>([
    ['responds with its own failure', { status: 500, body: {} }],
    ['took it and does not respond', 'accept in silence'],
  ])('and %s is given the email again under the same key', async (_, behaviour) => {
    const { id, recipient } = await meeting('email', behaviour)
    expect(await inState(project, id, 'sent')).toMatchObject({ attempts: 2 })
    expect(triesTo(recipient)).toBe(2)
    expect(accepted.filter((one) => one.recipient === recipient)).toEqual([{ recipient, key: id }])
  })
})

describe('a sender that is killed', localOnly('starts a stack with providers'), () => {
  test('once the provider has the text message leaves it unrepeated', async () => {
    const { id, recipient } = await meeting('sms', 'accept in silence')
    await vi.waitFor(() => expect(triesTo(recipient)).toBe(1), { timeout: 30_000 })
    killSender()
    await endLease(id)
    expect(await inState(project, id, 'unconfirmed')).toMatchObject({
      attempts: 1,
      error_code: 'sender_lost',
    })
    await afterAnotherRound()
    expect(acceptedFor(recipient)).toBe(1)
  })

  test('once the provider has the email leaves it sent exactly once', async () => {
    const { id, recipient } = await meeting('email', 'accept in silence')
    await vi.waitFor(() => expect(triesTo(recipient)).toBe(1), { timeout: 30_000 })
    killSender()
    await endLease(id)
    expect(await inState(project, id, 'sent')).toMatchObject({ attempts: 2 })
    expect(acceptedFor(recipient)).toBe(1)
  })

  test.each(['email', 'sms'] as const)(
    'before it hands over the %s leaves it to be sent once',
    async (channel) => {
      const recipient = channel === 'email' ? address() : number()
      await withDatabase(project, async (sql) => {
        await holdHandOvers(sql, recipient)
        const id = await writeOne(project, { channel, recipient })
        const [held] = await vi.waitFor(
          async () => {
            const waiting = await sql<{ pid: number }[]>`
          select pid from pg_stat_activity where application_name = 'deliver-messages' and wait_event = 'advisory'`
            expect(waiting).toHaveLength(1)
            return waiting
          },
          { timeout: 30_000 },
        )
        killSender()
        await sql`select pg_terminate_backend(${held?.pid ?? 0}, 5000)`
        await sql`drop trigger hold_hand_over on private.outbox`
        await sql`select pg_advisory_unlock(4711)`
        expect(triesTo(recipient)).toBe(0)
        await endLease(id)
        expect(await inState(project, id, 'sent')).toMatchObject({ attempts: 2 })
      })
      expect(triesTo(recipient)).toBe(1)
    },
  )
})

/** Makes a sender wait between taking the recipient's message and recording that it hands it over. */
async function holdHandOvers(
  sql: Parameters<Parameters<typeof withDatabase>[1]>[0],
  recipient: string,
): Promise<void> {
  await sql`select pg_advisory_lock(4711)`
  await sql.unsafe(`
    create or replace function private.hold_hand_over() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(4711); return new; end $$;
    create trigger hold_hand_over before update on private.outbox for each row
    when (new.provider_called_at is not null and new.recipient = '${recipient}')
    execute function private.hold_hand_over();
    grant execute on function private.hold_hand_over() to postgres`)
}

describe('a message that cannot be sent', localOnly('starts a stack with providers'), () => {
  test.each<[string, 'email' | 'sms', Behaviour, string]>([
    [
      'rejected by Resend',
      'email',
      { status: 422, body: { name: 'validation_error', message: 'x' } },
      'validation_error',
    ],
    ['to a number that takes no texts', 'sms', { status: 400, body: { code: 21614, message: 'x' } }, '21614'],
  ])(
    '%s is a dead letter at once, visible and in the log without its recipient',
    async (_, channel, behaviour, code) => {
      const { id, recipient } = await meeting(channel, behaviour)
      expect(await inState(project, id, 'dead')).toMatchObject({ attempts: 1, error_code: code })
      await withDatabase(project, async (sql) => {
        const letters = await sql`select * from private.undelivered_messages where id = ${id}`
        expect(letters).toMatchObject([
          { id, channel, purpose: 'training_reminder', status: 'dead', error_code: code },
        ])
        expect(JSON.stringify(letters)).not.toContain(recipient)
      })
      const line = await vi.waitFor(
        async () => {
          await tick(project)
          const found = project.logged.find((one) => one.includes(id) && one.includes('"message_dead"'))
          if (!found) throw new Error('The log does not tell of it')
          return found
        },
        { timeout: 30_000 },
      )
      expect(JSON.parse(line.slice(line.indexOf('{')))).toMatchObject({
        level: 'error',
        message: id,
        purpose: 'training_reminder',
        code,
      })
      expect(project.logged.join('\n')).not.toContain(recipient)
    },
  )

  test('is dead after the last attempt, and sent when an operator asks for it', async () => {
    const busy: Behaviour = { status: 429, body: {} }
    const { id, recipient } = await meeting('email', busy, busy, busy)
    expect(await inState(project, id, 'dead')).toMatchObject({ attempts: 3, error_code: 'http_429' })
    await withDatabase(project, async (sql) => {
      expect(await sql`select private.requeue_message(${id}) as again`).toEqual([{ again: true }])
      expect(await sql`select id from private.undelivered_messages where id = ${id}`).toEqual([])
    })
    expect(await inState(project, id, 'sent')).toMatchObject({ attempts: 1, error_code: null })
    expect(acceptedFor(recipient)).toBe(1)
  })
})
