import { describe, expect, test } from 'vitest'
import { classifyResponse } from '../../../functions/_shared/messaging/delivery.ts'

const now = Date.UTC(2026, 0, 5, 12, 0, 0)
const retryAfter = (header: string | null) => classifyResponse({ status: 429, retryAfter: header }, { now })

describe('Retry-After', () => {
  test.each([
    ['seconds', '120', 120],
    ['a date', 'Mon, 05 Jan 2026 12:01:30 GMT', 90],
    ['a date that has passed', 'Mon, 05 Jan 2026 11:00:00 GMT', 0],
    ['longer than a day', '9999999999', 86_400],
    ['nothing that can be read', 'soon', undefined],
    ['an empty header', '', undefined],
    ['no header', null, undefined],
  ])('given as %s is understood', (_, header, seconds) => {
    expect(retryAfter(header)).toEqual({
      outcome: 'not_sent',
      code: 'http_429',
      retryAfterS: seconds,
      providerIsBusy: true,
    })
  })
})

describe('a response', () => {
  test.each([200, 201, 202, 204])('of %i means that the message was taken', (status) => {
    expect(classifyResponse({ status }, { sentAs: 'message-1' })).toEqual({
      outcome: 'sent',
      sentAs: 'message-1',
    })
  })

  test.each([500, 501, 502, 503, 504, 520, 599])('of %i may hide a message that was sent', (status) => {
    expect(classifyResponse({ status })).toEqual({ outcome: 'unconfirmed', code: `http_${status}` })
  })

  test.each([400, 404, 405, 409, 410, 413, 415, 422, 451])(
    'of %i is an error that retrying cannot help',
    (status) => {
      expect(classifyResponse({ status })).toEqual({ outcome: 'rejected', code: `http_${status}` })
    },
  )

  test.each([
    'crisis-desk@northfield.example.edu',
    '+15005550006',
    'The number is wrong',
    '',
    { name: 'x' },
    1.5,
  ])('that is named %j is told by its status, because that may be a person’s', (code) => {
    expect(classifyResponse({ status: 400 }, { code })).toEqual({ outcome: 'rejected', code: 'http_400' })
  })

  test('with a name for the message that is none is still a success', () => {
    expect(classifyResponse({ status: 200 }, { sentAs: { id: 1 } })).toEqual({
      outcome: 'sent',
      sentAs: null,
    })
  })
})

describe('no response', () => {
  const caused = (cause: Error) => new TypeError('fetch failed', { cause })

  test.each([
    ['refused, in Node', caused(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))],
    ['unknown, in Node', caused(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }))],
    [
      'refused, in Deno',
      caused(new Error('error sending request for url: client error (Connect): tcp connect error')),
    ],
    ['refused, in older Deno', new TypeError('error sending request: client error (Connect): dns error')],
  ])('from an address that is %s means that nothing was sent', (_, failure) => {
    expect(classifyResponse({ failure })).toEqual({ outcome: 'not_sent', code: 'unreachable' })
  })

  test.each([
    [
      'lost, in Node',
      caused(Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })),
      'no_response',
    ],
    ['reset', caused(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })), 'no_response'],
    [
      'lost, in Deno',
      caused(new Error('client error (SendRequest): connection closed before message completed')),
      'no_response',
    ],
    ['silent for too long', new DOMException('The operation timed out', 'TimeoutError'), 'timeout'],
    ['broken in a way that nobody knows', 'a string', 'no_response'],
  ])('from a connection that is %s means that it may have been sent', (_, failure, code) => {
    expect(classifyResponse({ failure })).toEqual({ outcome: 'unconfirmed', code })
  })
})
