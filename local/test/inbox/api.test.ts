import twilio from 'twilio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { segmentsOf } from '../../src/inbox/twilio/account.ts'
import { clientOf, newPhone, SENDER, startTwilioSetup, TOKEN, type TwilioSetup } from './twilio.ts'

let setup: TwilioSetup
beforeAll(async () => {
  setup = await startTwilioSetup()
})
afterAll(() => setup.stop())

type Texted = Partial<Parameters<TwilioSetup['client']['messages']['create']>[0]>
const send = (text: Texted = {}, client = setup.client) =>
  client.messages.create({ to: newPhone(), from: SENDER, body: 'Hello', ...text })

describe("Twilio's own client", () => {
  it('sends a text, which is then on the phone', async () => {
    const to = newPhone()
    const sent = await send({ to, body: 'Can you look after Sam?' })
    expect(sent).toMatchObject({
      to,
      from: SENDER,
      status: 'queued',
      direction: 'outbound-api',
      numSegments: '1',
    })
    expect(sent).toMatchObject({ body: 'Can you look after Sam?', errorCode: null, apiVersion: '2010-04-01' })
    expect(sent.sid).toMatch(/^SM[0-9a-f]{32}$/)
    expect(Math.abs(sent.dateCreated.getTime() - Date.now())).toBeLessThan(60_000)
    await expect.poll(() => setup.inbox.conversation(to)[0]?.twilio?.status).toBe('delivered')
    const listed = await (await fetch(`${setup.url}/api/messages?to=${encodeURIComponent(to)}`)).json()
    expect(listed.messages).toMatchObject([
      { channel: 'sms', text: 'Can you look after Sam?', twilio: { sid: sent.sid } },
    ])
  })

  it.each<[string, Texted, number, number]>([
    ['no number', { to: '' }, 400, 21604],
    ['an invalid number', { to: '555-0100' }, 400, 21211],
    ['no sender', { from: '' }, 400, 21603],
    ['a sender of somebody else', { from: '+12025550199' }, 400, 21606],
    ['a messaging service that there is not', { messagingServiceSid: `MG${'1'.repeat(32)}` }, 400, 21701],
    ['no body', { body: '' }, 400, 21602],
    ['a body that is too long', { body: 'x'.repeat(1601) }, 400, 21617],
    ['a callback that is no address', { statusCallback: '/texts' }, 400, 21609],
  ])('is refused a text with %s, under its code', async (_, text, status, code) => {
    const error = await send(text).then(
      () => undefined,
      (thrown) => thrown,
    )
    expect(error).toBeInstanceOf(twilio.RestException)
    expect(error).toMatchObject({ status, code, moreInfo: `https://www.twilio.com/docs/errors/${code}` })
  })

  it('is refused with a wrong token, or for another account', async () => {
    await expect(send({}, clientOf(setup.url, 'wrong'))).rejects.toMatchObject({ status: 401, code: 20003 })
    const other = clientOf(setup.url, TOKEN, `AC${'1'.repeat(32)}`)
    await expect(send({}, other)).rejects.toMatchObject({ status: 401, code: 20003 })
    const unsigned = await fetch(`${setup.url}/2010-04-01/Accounts/AC/Messages.json`, { method: 'POST' })
    expect(unsigned.status).toBe(401)
    expect(unsigned.headers.get('www-authenticate')).toMatch(/^Basic/)
  })

  it.each([
    ['a full queue', 21611, 400],
    ['too many requests', 20429, 429],
    ['an opt-out', 21610, 400],
    ['an invalid number', 21211, 400],
    ['an error of its own', 20500, 500],
  ])('meets %s where the phone is set so, and only there', async (_, code, status) => {
    const to = newPhone()
    const path = `/api/phones/${encodeURIComponent(to)}/outcome`
    expect((await setup.ask('PUT', path, { outcome: `refuse:${code}` })).status).toBe(204)
    await expect(send({ to })).rejects.toMatchObject({ code, status })
    expect(setup.inbox.conversation(to)).toEqual([])
    await expect(send()).resolves.toMatchObject({ status: 'queued' })
    await setup.ask('PUT', path, { outcome: null })
    await expect(send({ to })).resolves.toMatchObject({ status: 'queued' })
  })

  it('gets no response where that is set, though the text arrives', async () => {
    const to = newPhone()
    await setup.account.setOutcome({ kind: 'no-response' }, to)
    await expect(send({ to })).rejects.toMatchObject({ code: 'ECONNRESET' })
    await expect.poll(() => setup.inbox.conversation(to)[0]?.twilio?.status).toBe('delivered')
  })

  it('sends through a messaging service, which says so in its callbacks', async () => {
    const service = `MG${'2'.repeat(32)}`
    const other = await startTwilioSetup({ from: service })
    const to = newPhone()
    const statusCallback = `${other.webhooks}/status`
    const sent = await other.client.messages.create({
      to,
      body: 'x',
      messagingServiceSid: service,
      statusCallback,
    })
    expect(sent).toMatchObject({ status: 'accepted', from: null, messagingServiceSid: service })
    await expect.poll(() => other.heard.length).toBe(2)
    expect(other.heard[0]?.fields).toMatchObject({ MessagingServiceSid: service, From: SENDER })
    await other.stop()
  })
})

it.each<[number, string]>([
  [1, 'a'.repeat(160)],
  [2, 'a'.repeat(161)],
  [2, `${'a'.repeat(159)}€`],
  [1, 'ü'.repeat(160)],
  [1, '–'.repeat(70)],
  [2, '–'.repeat(71)],
  [2, '😀'.repeat(36)],
  [4, 'a'.repeat(460)],
])('counts %i segments of a text', (count, text) => {
  expect(segmentsOf(text)).toBe(count)
})
