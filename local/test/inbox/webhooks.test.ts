import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messagesOf } from '../../src/inbox/twilio/webhook.ts'
import { newPhone, SENDER, startTwilioSetup, type TwilioSetup } from './twilio.ts'

let setup: TwilioSetup
beforeAll(async () => {
  setup = await startTwilioSetup()
})
afterAll(() => setup.stop())

const ACCOUNT_SID = `AC${'0'.repeat(32)}`

async function send(to: string, from: TwilioSetup = setup) {
  const statusCallback = `${from.webhooks}/status?message=${encodeURIComponent(to)}&to=a%20b`
  const sent = await from.client.messages.create({ to, from: SENDER, body: 'Hello', statusCallback })
  return { ...sent, statuses: () => statusesOf(from, sent.sid), text: () => textOf(from, to) }
}
const textOf = ({ inbox }: TwilioSetup, to: string) => inbox.conversation(to)[0]
const statusesOf = ({ heard }: TwilioSetup, sid: string) =>
  heard.filter(({ fields }) => fields.MessageSid === sid).map(({ fields }) => fields.MessageStatus)

async function replyFrom(phone: string, text: string, to: TwilioSetup = setup) {
  const response = await to.ask('POST', `/api/phones/${encodeURIComponent(phone)}/replies`, { text })
  expect(response.status).toBe(201)
  return response.json()
}
const textsOf = ({ answers }: { answers: { text: string }[] }) => answers.map(({ text }) => text)

describe('the status callback', () => {
  it('tells that a text was sent and delivered, signed as the real library checks it', async () => {
    const { sid, statuses } = await send(newPhone())
    await expect.poll(statuses).toEqual(['sent', 'delivered'])
    const told = setup.heard.filter(({ fields }) => fields.MessageSid === sid)
    expect(told.map(({ isSigned }) => isSigned)).toEqual([true, true])
    const fields = {
      SmsSid: sid,
      SmsStatus: 'sent',
      AccountSid: ACCOUNT_SID,
      From: SENDER,
      ApiVersion: '2010-04-01',
    }
    expect(told[0]?.fields).toMatchObject(fields)
    expect(told[0]?.fields).not.toHaveProperty('ErrorCode')
  })

  it('tells why a text failed', async () => {
    const to = newPhone()
    await setup.account.setOutcome({ kind: 'fail', code: 30006 }, to)
    const { sid, statuses } = await send(to)
    await expect.poll(statuses).toEqual(['sent', 'undelivered'])
    expect(setup.heard.find(({ fields }) => fields.MessageSid === sid && fields.ErrorCode)).toMatchObject({
      fields: { MessageStatus: 'undelivered', ErrorCode: '30006', To: to },
      isSigned: true,
    })
  })

  it('waits for who decides, which counts once', async () => {
    const to = newPhone()
    await setup.account.setOutcome({ kind: 'hold' }, to)
    const { statuses, text } = await send(to)
    await expect.poll(statuses).toEqual(['sent'])
    const path = `/api/messages/${text()?.id}/outcome`
    expect((await setup.ask('PUT', path, { outcome: 'lose' })).status).toBe(400)
    expect((await setup.ask('PUT', path, { outcome: 'fail:30003' })).status).toBe(204)
    expect((await setup.ask('PUT', path, { outcome: 'deliver' })).status).toBe(409)
    expect(statuses()).toEqual(['sent', 'undelivered'])
    expect(text()?.twilio).toMatchObject({ status: 'undelivered', errorCode: 30003 })
  })

  it('says nothing more of a lost text, while later ones arrive', async () => {
    const to = newPhone()
    await setup.account.setOutcome({ kind: 'lose' }, to)
    const lost = await send(to)
    await expect.poll(lost.statuses).toEqual(['sent'])
    await setup.account.setOutcome(null, to)
    const later = await send(to)
    await expect.poll(later.statuses).toEqual(['sent', 'delivered'])
    expect(lost.statuses()).toEqual(['sent'])
    expect(lost.text()?.twilio?.status).toBe('sent')
  })

  it('that is refused, or reaches nobody, shows at the text', async () => {
    const own = await startTwilioSetup()
    own.respond.status = 403
    const { text } = await send(newPhone(), own)
    await expect.poll(() => text()?.twilio).toMatchObject({ status: 'delivered', warning: /403/ })
    const to = newPhone()
    await own.client.messages.create({ to, from: SENDER, body: 'x', statusCallback: 'http://127.0.0.1:1/' })
    await expect.poll(() => textOf(own, to)?.twilio).toMatchObject({ warning: /did not respond/ })
    await own.stop()
  })
})

describe('a reply', () => {
  it('is told to the webhook as Twilio tells it, signed, whatever it says', async () => {
    const phone = newPhone()
    const words = 'Ça va? 1 + 1 = 2 & "so" <on> 😀\nsecond line'
    const { text } = await replyFrom(phone, words)
    const told = setup.heard.find(({ fields }) => fields.From === phone)
    expect(told).toEqual({
      path: '/texts',
      isSigned: true,
      fields: {
        ...{ MessageSid: text.twilio.sid, SmsSid: text.twilio.sid, SmsMessageSid: text.twilio.sid },
        ...{ AccountSid: ACCOUNT_SID, From: phone, To: SENDER, Body: words, SmsStatus: 'received' },
        ...{ NumMedia: '0', NumSegments: '1', ApiVersion: '2010-04-01' },
      },
    })
    expect(setup.inbox.conversation(phone)).toMatchObject([{ text: words, twilio: { direction: 'inbound' } }])
  })

  it('gets what the webhook responds as texts', async () => {
    const own = await startTwilioSetup()
    own.respond.body =
      '<?xml version="1.0"?><Response><Message>One &amp; &#39;two&#x27; &lt;3</Message><Message to="x"><Body>Three</Body></Message></Response>'
    const phone = newPhone()
    expect(textsOf(await replyFrom(phone, 'hi', own))).toEqual([`One & 'two' <3`, 'Three'])
    expect(own.inbox.conversation(phone).map(({ from }) => from)).toEqual([phone, SENDER, SENDER])
    await own.stop()
  })

  it.each([
    [500, 'broken', /500: broken/],
    [200, '{"ok":true}', /No TwiML/],
  ])(
    'to which the webhook responds with %i %s gets nothing, and shows why',
    async (status, body, warning) => {
      const own = await startTwilioSetup()
      Object.assign(own.respond, { status, body })
      const phone = newPhone()
      expect((await replyFrom(phone, 'hi', own)).answers).toEqual([])
      expect(textOf(own, phone)?.twilio?.warning).toMatch(warning)
      await own.stop()
    },
  )

  it('needs a number and words', async () => {
    expect((await setup.ask('POST', '/api/phones/nobody/replies', { text: 'x' })).status).toBe(400)
    expect((await setup.ask('POST', `/api/phones/${newPhone()}/replies`, { text: ' ' })).status).toBe(400)
  })
})

describe('STOP', () => {
  it.each(['STOP', ' stop ', 'Unsubscribe', 'QUIT'])(
    'as "%s" blocks the number until START, each confirmed once',
    async (word) => {
      const phone = newPhone()
      expect(textsOf(await replyFrom(phone, word))).toEqual([
        expect.stringMatching(/successfully been unsubscribed/),
      ])
      expect(textsOf(await replyFrom(phone, word))).toEqual([])
      expect(textsOf(await replyFrom(phone, 'HELP'))).toEqual([])
      await expect(send(phone)).rejects.toMatchObject({ code: 21610, status: 400 })
      expect(textsOf(await replyFrom(phone, 'start'))).toEqual([expect.stringMatching(/re-subscribed/)])
      await expect(send(phone)).resolves.toMatchObject({ status: 'queued' })
      expect(textsOf(await replyFrom(phone, 'help'))).toEqual([expect.stringMatching(/STOP to unsubscribe/)])
      // The webhook hears all of them, without OptOutType.
      const told = setup.heard.filter(({ fields }) => fields.From === phone).map(({ fields }) => fields)
      expect(told.map(({ Body }) => Body)).toEqual([word.trim(), word.trim(), 'HELP', 'start', 'help'])
      expect(told.filter((fields) => 'OptOutType' in fields)).toEqual([])
    },
  )

  it('in a sentence is for the webhook alone', async () => {
    const phone = newPhone()
    expect(textsOf(await replyFrom(phone, 'please stop'))).toEqual([])
    await expect(send(phone)).resolves.toMatchObject({ status: 'queued' })
  })

  it('keeps what the webhook answers from the phone', async () => {
    const own = await startTwilioSetup()
    own.respond.body = '<Response><Message>Bye</Message></Response>'
    const phone = newPhone()
    await replyFrom(phone, 'STOP', own)
    expect(own.inbox.conversation(phone).map(({ text, twilio }) => [text, twilio?.errorCode])).toEqual([
      ['STOP', undefined],
      [expect.stringContaining('unsubscribed'), undefined],
      ['Bye', 21610],
    ])
    await own.stop()
  })

  it('is named to the webhook with Advanced Opt-Out', async () => {
    const own = await startTwilioSetup({ optOut: 'advanced' })
    await replyFrom(newPhone(), 'END', own)
    await replyFrom(newPhone(), 'end of term', own)
    expect(own.heard.map(({ fields, isSigned }) => [fields.OptOutType, isSigned])).toEqual([
      ['STOP', true],
      [undefined, true],
    ])
    await own.stop()
  })

  it('is for the webhook alone where the network does not hear it', async () => {
    const own = await startTwilioSetup({ optOut: 'none' })
    const phone = newPhone()
    expect(textsOf(await replyFrom(phone, 'STOP', own))).toEqual([])
    await expect(send(phone, own)).resolves.toMatchObject({ status: 'queued' })
    await own.stop()
  })

  it('and what is set are kept between starts', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'phones-'))
    const path = join(dir, 'phones.json')
    const [stopped, failing] = [newPhone(), newPhone()]
    const first = await startTwilioSetup({}, path)
    await replyFrom(stopped, 'STOP', first)
    await first.account.setOutcome({ kind: 'fail', code: 30005 }, failing)
    await first.account.setOutcome({ kind: 'hold' })
    await first.stop()
    const { account, stop } = await startTwilioSetup({}, path)
    expect(account.isBlocked(stopped)).toBe(true)
    expect([account.outcome(failing), account.outcome()]).toEqual([
      { kind: 'fail', code: 30005 },
      { kind: 'hold' },
    ])
    await stop()
    await rm(dir, { recursive: true })
  })
})

it.each<[string, string[] | null]>([
  ['', []],
  ['<Response/>', []],
  ['<?xml version="1.0" encoding="UTF-8"?>\n<Response><Message>\n a\n</Message></Response>\n', ['a']],
  ['<Response><Message>&amp;lt; &unknown; &#x110000;</Message></Response>', ['&lt; &unknown; &#x110000;']],
  ['<html></html>', null],
])('reads the TwiML %j', (twiml, texts) => {
  expect(messagesOf(twiml)).toEqual(texts)
})
