import { Inbox, type InboxServer, startInbox } from 'local-supabase'
import { afterEach, describe, expect, test } from 'vitest'
import { inboxProvider, providersFor } from '../../../functions/_shared/messaging/providers.ts'
import { closedAddress, startProvider } from '../../../harness/stack/provider.ts'
import { email, sms } from './message.ts'

const resend = { apiKey: 're_invented', baseUrl: undefined, from: 'wellbeing@example.edu' }
const twilio = { accountSid: 'AC0', authToken: 'invented', baseUrl: undefined, from: '+15005550001' }
const inboxUrl = 'http://127.0.0.1:54324'

describe('a channel', () => {
  test.each([
    ['its provider where one is configured', { email: resend, sms: twilio, inboxUrl }, 'resend', 'twilio'],
    ['the inbox where it has no provider', { email: resend, sms: undefined, inboxUrl }, 'resend', 'inbox'],
    [
      'the inbox where there is nothing else',
      { email: undefined, sms: undefined, inboxUrl },
      'inbox',
      'inbox',
    ],
    [
      'nobody where there is no inbox either',
      { email: undefined, sms: twilio, inboxUrl: undefined },
      undefined,
      'twilio',
    ],
  ])('is sent by %s', (_, settings, forEmail, forSms) => {
    const providers = providersFor(settings)
    expect([providers.email?.name, providers.sms?.name]).toEqual([forEmail, forSms])
  })
})

describe('the local inbox', () => {
  let server: InboxServer | undefined
  afterEach(() => server?.stop())

  async function openInbox() {
    const inbox = await Inbox.open()
    server = await startInbox({ port: 0, inbox })
    return { inbox, provider: inboxProvider(`http://127.0.0.1:${server.port}`) }
  }

  test('keeps a message that is sent twice once', async () => {
    const { inbox, provider } = await openInbox()
    expect(await provider.send(email(), 5_000)).toEqual({ outcome: 'sent', sentAs: email().id })
    await provider.send(email({ attempts: 2 }), 5_000)
    expect(inbox.list()).toMatchObject([
      { channel: 'email', to: email().recipient, subject: email().subject, text: email().body },
    ])
  })

  test('keeps two messages that read alike apart', async () => {
    const { inbox, provider } = await openInbox()
    await provider.send(sms(), 5_000)
    await provider.send(sms({ id: crypto.randomUUID() }), 5_000)
    expect(inbox.list()).toHaveLength(2)
  })

  test('that is not there was sent nothing', async () => {
    const provider = inboxProvider(await closedAddress())
    expect(await provider.send(sms(), 5_000)).toEqual({ outcome: 'not_sent', code: 'unreachable' })
  })

  test('that does not respond may have the message', async () => {
    const server = await startProvider(() => 'silent')
    const provider = inboxProvider(server.url)
    expect(await provider.send(sms(), 200)).toEqual({ outcome: 'unconfirmed', code: 'timeout' })
    await server.stop()
  })
})
