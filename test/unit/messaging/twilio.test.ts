import { afterEach, describe, expect, test } from 'vitest'
import type { Delivery } from '../../../functions/_shared/messaging/delivery.ts'
import { twilioProvider } from '../../../functions/_shared/messaging/twilio.ts'
import {
  type Behaviour,
  closedAddress,
  type ProviderServer,
  startProvider,
} from '../../../harness/stack/provider.ts'
import { sms } from './message.ts'

const accountSid = `AC${'0'.repeat(32)}`
let provider: ProviderServer | undefined

afterEach(async () => {
  await provider?.stop()
  provider = undefined
})

async function sendTo(
  behaviour: Behaviour,
  { timeoutMs = 5_000, from = '+15005550001', account = accountSid } = {},
): Promise<Delivery> {
  provider = await startProvider(() => behaviour)
  return twilioProvider({ accountSid: account, authToken: 'invented', baseUrl: provider.url, from }).send(
    sms(),
    timeoutMs,
  )
}

const error = (status: number, code: number, headers?: Record<string, string>): Behaviour => ({
  status,
  headers,
  body: { code, status, message: "The number '+15005550006' is wrong.", more_info: 'https://example.edu' },
})

describe('a text message that goes to Twilio', () => {
  test('is what the message says, sent as the account', async () => {
    expect(await sendTo({ status: 201, body: { sid: 'SM0123', status: 'queued' } })).toEqual({
      outcome: 'sent',
      sentAs: 'SM0123',
    })
    const [request] = provider?.received ?? []
    expect(request).toMatchObject({
      method: 'POST',
      path: `/2010-04-01/Accounts/${accountSid}/Messages.json`,
      headers: {
        authorization: `Basic ${btoa(`${accountSid}:invented`)}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      To: sms().recipient,
      From: '+15005550001',
      Body: sms().body,
    })
  })

  test('goes through a messaging service where the sender is one', async () => {
    await sendTo({ status: 201, body: { sid: 'SM0123' } }, { from: 'MG0123' })
    const form = new URLSearchParams(provider?.received[0]?.body)
    expect(form.get('MessagingServiceSid')).toBe('MG0123')
    expect(form.has('From')).toBe(false)
  })

  test('asks for its status under its id', async () => {
    provider = await startProvider(() => ({ status: 201, body: { sid: 'SM0123' } }))
    const statusUrl = 'https://wellbeing.example.edu/functions/v1/buddy/text-status'
    const settings = { accountSid, authToken: 'invented', baseUrl: provider.url, from: 'MG0123', statusUrl }
    await twilioProvider(settings).send(sms(), 5_000)
    const form = new URLSearchParams(provider.received[0]?.body)
    expect(form.get('StatusCallback')).toBe(`${statusUrl}?message=${sms().id}`)
  })

  test.each<[string, Behaviour, Delivery]>([
    [
      'too many requests',
      error(429, 20429, { 'retry-after': '3' }),
      { outcome: 'not_sent', code: '20429', retryAfterS: 3, providerIsBusy: true },
    ],
    [
      'too many requests, without more',
      { status: 429, body: '' },
      { outcome: 'not_sent', code: 'http_429', providerIsBusy: true },
    ],
    [
      'unavailability until a given time',
      { status: 503, headers: { 'retry-after': '30' } },
      { outcome: 'not_sent', code: 'http_503', retryAfterS: 30, providerIsBusy: true },
    ],
    [
      'a full queue of the sender',
      error(400, 21611),
      { outcome: 'not_sent', code: '21611', providerIsBusy: true },
    ],
    ['unavailability', { status: 503, body: '<html>' }, { outcome: 'unconfirmed', code: 'http_503' }],
    ['an internal error', error(500, 20500), { outcome: 'unconfirmed', code: '20500' }],
    ['a gateway’s timeout', { status: 504, body: '' }, { outcome: 'unconfirmed', code: 'http_504' }],
    ['a recipient who opted out', error(400, 21610), { outcome: 'rejected', code: '21610' }],
    ['an invalid number', error(400, 21211), { outcome: 'rejected', code: '21211' }],
    ['a number that takes no texts', error(400, 21614), { outcome: 'rejected', code: '21614' }],
    [
      'a rejected number that comes as its own failure',
      error(500, 21610),
      { outcome: 'rejected', code: '21610' },
    ],
    [
      'a message that fails at once',
      { status: 201, body: { sid: 'SM0123', status: 'failed', error_code: 30007 } },
      { outcome: 'rejected', code: '30007' },
    ],
    ['a wrong token', error(401, 20003), { outcome: 'not_sent', code: '20003' }],
    ['an account that does not exist', error(404, 20404), { outcome: 'rejected', code: '20404' }],
    [
      'an error of the newer form',
      {
        status: 400,
        body: {
          type: 'https://example.edu',
          title: 'Invalid',
          status: 400,
          code: 21211,
          detail: '+15005550006',
        },
      },
      { outcome: 'rejected', code: '21211' },
    ],
    [
      'another address',
      { status: 307, headers: { location: '/elsewhere' } },
      { outcome: 'rejected', code: 'http_307' },
    ],
    [
      'an error body that is null',
      { status: 500, body: 'null' },
      { outcome: 'unconfirmed', code: 'http_500' },
    ],
    ['success that cannot be read', { status: 201, body: '<html>' }, { outcome: 'sent', sentAs: null }],
    ['success that breaks off', 'break off', { outcome: 'sent', sentAs: null }],
    ['a connection that it closes', 'hang up', { outcome: 'unconfirmed', code: 'no_response' }],
  ])('meets %s', async (_, behaviour, delivery) => {
    expect(await sendTo(behaviour)).toEqual(delivery)
    expect(provider?.received).toHaveLength(1)
  })

  test('may have been sent when no response comes in time', async () => {
    expect(await sendTo('silent', { timeoutMs: 200 })).toEqual({ outcome: 'unconfirmed', code: 'timeout' })
  })

  test.each([
    ['nothing listens', closedAddress],
    ['the name does not exist', async () => 'http://twilio.invalid'],
  ])('was not sent where %s', async (_, address) => {
    const settings = { accountSid, authToken: 'invented', baseUrl: await address(), from: '+15005550001' }
    expect(await twilioProvider(settings).send(sms(), 5_000)).toEqual({
      outcome: 'not_sent',
      code: 'unreachable',
    })
  })

  test('does not leave with settings that the client does not take', async () => {
    await expect(sendTo({ status: 201 }, { account: 'invented' })).rejects.toThrow('accountSid')
    expect(provider?.received).toEqual([])
  })
})
