import { afterEach, describe, expect, test } from 'vitest'
import type { Delivery } from '../../../functions/_shared/messaging/delivery.ts'
import { resendProvider } from '../../../functions/_shared/messaging/resend.ts'
import {
  type Behaviour,
  closedAddress,
  type ProviderServer,
  startProvider,
} from '../../../harness/stack/provider.ts'
import { email } from './message.ts'

const from = 'Student Wellbeing <wellbeing@example.edu>'
let provider: ProviderServer | undefined

afterEach(async () => {
  await provider?.stop()
  provider = undefined
})

async function sendTo(behaviour: Behaviour, timeoutMs = 5_000): Promise<Delivery> {
  provider = await startProvider(() => behaviour)
  return resendProvider({ apiKey: 're_invented', baseUrl: `${provider.url}/`, from }).send(email(), timeoutMs)
}

const error = (status: number, name: string, headers?: Record<string, string>): Behaviour => ({
  status,
  headers,
  body: { statusCode: status, name, message: 'Not to crisis-desk@northfield.example.edu.' },
})

describe('an email that goes to Resend', () => {
  test('is what the message says, under its id as the idempotency key', async () => {
    expect(await sendTo({ status: 200, body: { id: 're-message-1' } })).toEqual({
      outcome: 'sent',
      sentAs: 're-message-1',
    })
    const [request] = provider?.received ?? []
    expect(request).toMatchObject({
      method: 'POST',
      path: '/emails',
      headers: {
        authorization: 'Bearer re_invented',
        'idempotency-key': email().id,
        'content-type': 'application/json',
      },
    })
    expect(JSON.parse(request?.body ?? '')).toEqual({
      from,
      to: email().recipient,
      subject: email().subject,
      text: email().body,
    })
  })

  test.each<[string, Behaviour, Delivery]>([
    [
      'busy, saying until when',
      error(429, 'rate_limit_exceeded', { 'retry-after': '7' }),
      { outcome: 'not_sent', code: 'rate_limit_exceeded', retryAfterS: 7, providerIsBusy: true },
    ],
    [
      'busy, not saying until when',
      error(429, 'daily_quota_exceeded'),
      { outcome: 'not_sent', code: 'daily_quota_exceeded', providerIsBusy: true },
    ],
    [
      'unavailable until a given time',
      { status: 503, headers: { 'retry-after': '30' }, body: '<html>' },
      { outcome: 'not_sent', code: 'http_503', retryAfterS: 30, providerIsBusy: true },
    ],
    ['unavailable', { status: 503, body: '<html>' }, { outcome: 'unconfirmed', code: 'http_503' }],
    [
      'broken',
      error(500, 'internal_server_error'),
      { outcome: 'unconfirmed', code: 'internal_server_error' },
    ],
    [
      'a gateway in trouble',
      { status: 502, body: { oops: true } },
      { outcome: 'unconfirmed', code: 'http_502' },
    ],
    [
      'an error body that is null',
      { status: 500, body: 'null' },
      { outcome: 'unconfirmed', code: 'http_500' },
    ],
    ['a wrong key', error(401, 'missing_api_key'), { outcome: 'not_sent', code: 'missing_api_key' }],
    [
      'a sender that is not verified',
      error(403, 'invalid_from_address'),
      { outcome: 'not_sent', code: 'invalid_from_address' },
    ],
    ['an invalid address', error(422, 'validation_error'), { outcome: 'rejected', code: 'validation_error' }],
    [
      'a name that could be text',
      error(422, 'No crisis-desk@northfield.example.edu'),
      { outcome: 'rejected', code: 'http_422' },
    ],
    [
      'an earlier attempt still in progress',
      error(409, 'concurrent_idempotent_requests'),
      { outcome: 'unconfirmed', code: 'concurrent_idempotent_requests' },
    ],
    [
      'another email under the same key',
      error(409, 'invalid_idempotent_request'),
      { outcome: 'rejected', code: 'invalid_idempotent_request' },
    ],
    ['a request that it stopped reading', { status: 408 }, { outcome: 'not_sent', code: 'http_408' }],
    ['a request that came too early', { status: 425 }, { outcome: 'not_sent', code: 'http_425' }],
    [
      'another address',
      { status: 308, headers: { location: '/elsewhere' } },
      { outcome: 'rejected', code: 'http_308' },
    ],
    ['success that cannot be read', { status: 200, body: '<html>' }, { outcome: 'sent', sentAs: null }],
    ['success that breaks off', 'break off', { outcome: 'sent', sentAs: null }],
    ['a connection that it closes', 'hang up', { outcome: 'unconfirmed', code: 'no_response' }],
  ])('meets %s', async (_, behaviour, delivery) => {
    expect(await sendTo(behaviour)).toEqual(delivery)
    expect(provider?.received).toHaveLength(1)
  })

  test('may have been sent when no response comes in time', async () => {
    expect(await sendTo('silent', 200)).toEqual({ outcome: 'unconfirmed', code: 'timeout' })
  })

  test.each([
    ['nothing listens', closedAddress],
    ['the name does not exist', async () => 'http://resend.invalid'],
  ])('was not sent where %s', async (_, address) => {
    const resend = resendProvider({ apiKey: 're_invented', baseUrl: await address(), from })
    expect(await resend.send(email(), 5_000)).toEqual({ outcome: 'not_sent', code: 'unreachable' })
  })
})
