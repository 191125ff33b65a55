import { AuthApiError, AuthRetryableFetchError, AuthWeakPasswordError } from '@supabase/supabase-js'
import { describe, expect, test } from 'vitest'
import { refreshRefusal, signInRefusal, signUpRefusal } from '../../../functions/_shared/accounts/refusals.ts'

const refused = (status: number, code: string) => new AuthApiError('An invented message', status, code)

describe('Auth’s answer to a sign-in', () => {
  test.each([
    'invalid_credentials',
    'email_not_confirmed',
    'user_banned',
    'user_not_found',
    'validation_failed',
  ])('%s is told in the same words as every other', (code) => {
    expect(signInRefusal(refused(400, code))).toMatchObject({
      code: 'invalid_credentials',
      status: 401,
      message: 'The address or the password is not right, or the address is not confirmed yet.',
    })
  })
})

describe('Auth’s answer to a sign-up', () => {
  test.each(['user_already_exists', 'email_exists', 'over_email_send_rate_limit'])(
    '%s is kept from the caller',
    (code) => expect(signUpRefusal(refused(422, code))).toBeNull(),
  )

  test.each<[('length' | 'characters' | 'pwned')[], string]>([
    [['length'], 'Choose another password: this one is too short.'],
    [['pwned'], 'Choose another password: this one is known from leaks of other services.'],
    [
      ['length', 'characters'],
      'Choose another password: this one is too short and needs letters and digits.',
    ],
    [[], 'Choose another password: this one is too weak.'],
  ])('says that a password is weak because of %j', (reasons, message) => {
    expect(signUpRefusal(new AuthWeakPasswordError('An invented message', 422, reasons))).toMatchObject({
      code: 'weak_password',
      message,
      details: { reasons },
    })
  })

  test.each([
    ['email_address_invalid', 'invalid_parameters'],
    ['validation_failed', 'invalid_parameters'],
    ['signup_disabled', 'forbidden'],
    ['email_provider_disabled', 'forbidden'],
  ])('%s is %s', (code, expected) => {
    expect(signUpRefusal(refused(400, code))).toMatchObject({ code: expected })
  })
})

describe('Auth’s answer to a refresh', () => {
  test.each([
    [400, 'refresh_token_not_found'],
    [400, 'refresh_token_already_used'],
    [400, 'session_expired'],
    [403, 'session_not_found'],
    [400, 'user_banned'],
    [422, 'validation_failed'],
  ])('%i %s is a token that is not valid any more', (status, code) => {
    expect(refreshRefusal(refused(status, code))).toMatchObject({
      code: 'refresh_token_invalid',
      status: 401,
    })
  })
})

describe.each([
  ['sign-in', signInRefusal],
  ['sign-up', signUpRefusal],
  ['refresh', refreshRefusal],
])('of a %s', (_, refusal) => {
  test('too many for Auth are too many', () => {
    expect(refusal(refused(429, 'over_request_rate_limit'))).toMatchObject({
      code: 'rate_limited',
      details: { retry_after_s: 60 },
    })
  })

  test('what is wrong with Auth itself is left as it is', () => {
    for (const error of [refused(500, 'unexpected_failure'), new AuthRetryableFetchError('away', 503)]) {
      expect(refusal(error)).toBe(error)
    }
  })
})
