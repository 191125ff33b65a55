import { expect, test } from 'vitest'
import { isErrorCode, WellbeingError } from '../../../client/src/errors.ts'
import { errorOf, errorOfResponse } from '../../../client/src/explain.ts'

const answer = (status: number, body: object | string, headers: Record<string, string> = {}) =>
  errorOfResponse(new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers }))

test('an error of a function has its code, details, wait and request id', async () => {
  const error = await answer(
    429,
    {
      error: 'Wait.',
      code: 'rate_limited',
      details: { retry_after_s: 7 },
      timestamp: '2026-11-28T09:00:00Z',
    },
    { 'retry-after': '7', 'x-request-id': 'r-1' },
  )
  expect(error).toMatchObject({
    code: 'rate_limited',
    retryable: true,
    retryAfterS: 7,
    status: 429,
    details: { retry_after_s: 7 },
    requestId: 'r-1',
    message: 'Wait.',
  })
})

test.each([
  [503, { code: 'BOOT_ERROR', message: 'Function failed to start' }, 'service_unavailable'],
  [546, { code: 'WORKER_RESOURCE_LIMIT', message: 'Function exceeded' }, 'service_unavailable'],
  [504, '<html>', 'service_unavailable'],
  [401, { code: 'unauthorized', error: 'Sign in.' }, 'session_ended'],
  [401, { message: 'Invalid JWT' }, 'session_ended'],
  [418, { code: 'of_a_later_version', error: 'Tea.' }, 'unknown'],
])('a response %i %j is %s', async (status, body, code) => {
  expect((await answer(status, body)).code).toBe(code)
})

test.each([
  ['120', 120],
  ['99999999999999999999', 7 * 24 * 60 * 60],
  ['-5', 0],
  [new Date(Date.now() - 60_000).toUTCString(), 0],
  [new Date(Date.now() + 10 ** 12).toUTCString(), 7 * 24 * 60 * 60],
  ['soon', null],
])('a wait of %s is %s seconds', async (wait, seconds) => {
  const { retryAfterS } = await answer(429, { code: 'rate_limited' }, { 'retry-after': wait })
  expect(retryAfterS).toBe(seconds)
})

test.each(['constructor', '__proto__', 'toString'])('a code %s is one that is not known', async (code) => {
  expect((await answer(400, { code })).code).toBe('unknown')
  expect(errorOf({ code, hint: code, message: 'x', status: 400 }).code).toBe('unknown')
})

test('a code that this version does not know is kept', async () => {
  expect((await answer(409, { code: 'of_a_later_version', error: 'x' })).details).toEqual({
    code: 'of_a_later_version',
  })
})

test.each([
  [{ code: 'PT409', hint: 'buddy_limit', message: 'Five.', details: null, status: 409 }, 'buddy_limit'],
  [{ code: 'PT429', hint: 'rate_limited', message: 'Wait.', details: '30', status: 429 }, 'rate_limited'],
  [
    { code: '23505', hint: 'buddy_duplicate', message: 'Twice.', details: null, status: 409 },
    'buddy_duplicate',
  ],
  [{ code: '23514', hint: null, message: 'x', details: null, status: 400 }, 'constraint_violated'],
  [{ code: '22P02', hint: null, message: 'x', details: null, status: 400 }, 'invalid_value'],
  [{ code: 'PGRST303', hint: null, message: 'JWT expired', details: null, status: 401 }, 'session_ended'],
  [{ code: '42501', hint: null, message: 'x', details: null, status: 403 }, 'forbidden'],
  [{ code: '', hint: '', message: 'TypeError: fetch failed', details: '', status: 0 }, 'offline'],
  [{ code: '', hint: '', message: 'TypeError: Failed to fetch', details: '' }, 'offline'],
  [{ code: 'XX000', hint: null, message: 'x', details: null, status: 500 }, 'service_unavailable'],
])('an error of the Data API %j is %s', (reported, code) => {
  expect(errorOf(reported).code).toBe(code)
})

test.each([
  [{ name: 'AuthApiError', status: 400, code: 'invalid_credentials', message: 'x' }, 'invalid_credentials'],
  [{ name: 'AuthApiError', status: 400, code: 'email_not_confirmed', message: 'x' }, 'invalid_credentials'],
  [{ name: 'AuthApiError', status: 403, code: 'otp_expired', message: 'x' }, 'mail_code_invalid'],
  [{ name: 'AuthApiError', status: 400, code: 'refresh_token_not_found', message: 'x' }, 'session_ended'],
  [{ name: 'AuthApiError', status: 429, code: 'over_request_rate_limit', message: 'x' }, 'rate_limited'],
  [{ name: 'AuthRetryableFetchError', status: 0, message: 'x' }, 'offline'],
  [{ name: 'AuthRetryableFetchError', status: 503, message: 'x' }, 'service_unavailable'],
  [{ name: 'AuthSessionMissingError', status: 400, message: 'x' }, 'session_ended'],
  [{ name: 'AuthWeakPasswordError', status: 422, code: 'weak_password', message: 'x' }, 'weak_password'],
  [{ name: 'StorageApiError', status: 400, statusCode: '413', message: 'x' }, 'unknown'],
  [new TypeError('Failed to fetch'), 'offline'],
  [new TypeError('Load failed'), 'offline'],
  [new TypeError('Importing a module script failed.'), 'offline'],
  [new TypeError('x is not a function'), 'unknown'],
  [new DOMException('x', 'AbortError'), 'aborted'],
  ['a text', 'unknown'],
])('an error of Auth, Storage or fetch %j is %s', (reported, code) => {
  expect(errorOf(reported).code).toBe(code)
})

test('an error that was stored is made again as it was', () => {
  const error = new WellbeingError('busy', {
    message: 'Busy.',
    retryAfterS: 3,
    status: 503,
    details: { retry_after_s: 3 },
    requestId: 'r-2',
    words: { title: 'A title.', advice: 'Advice.' },
  })
  const stored: ReturnType<WellbeingError['toJSON']> = JSON.parse(JSON.stringify(error))
  expect(new WellbeingError(stored.code, stored)).toEqual(error)
})

test('codes are those of the service and of the client', () => {
  expect(
    ['consent_required', 'offline', 'unknown', 'nothing_like_it', 'toString', 7].map(isErrorCode),
  ).toEqual([true, true, true, false, false, false])
})
