import { AuthApiError, AuthRetryableFetchError, AuthWeakPasswordError } from '@supabase/supabase-js'
import { describe, expect, test } from 'vitest'
import {
  mayCollide,
  refreshError,
  signInError,
  signUpError,
} from '../../../functions/_shared/accounts/auth-errors.ts'

const authError = (status: number, code: string) => new AuthApiError('An invented message', status, code)

describe('Auth’s error of a sign-in', () => {
  test.each([
    'invalid_credentials',
    'email_not_confirmed',
    'user_banned',
    'user_not_found',
    'validation_failed',
  ])('%s has the same message as every other', (code) => {
    expect(signInError(authError(400, code))).toMatchObject({
      code: 'invalid_credentials',
      status: 401,
      message: 'The address or the password is not right, or the address is not confirmed yet.',
    })
  })
})

describe('Auth’s error of a sign-up', () => {
  test.each(['user_already_exists', 'email_exists', 'over_email_send_rate_limit'])(
    '%s is kept from the caller',
    (code) => expect(signUpError(authError(422, code))).toBeNull(),
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
    expect(signUpError(new AuthWeakPasswordError('An invented message', 422, reasons))).toMatchObject({
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
    expect(signUpError(authError(400, code))).toMatchObject({ code: expected })
  })
})

describe('another sign-up with the address', () => {
  test.each([
    [422, 'user_already_exists'],
    [422, 'email_exists'],
    [429, 'over_email_send_rate_limit'],
    [409, 'conflict'],
    [500, 'unexpected_failure'],
  ])('may be behind %i %s', (status, code) => expect(mayCollide(authError(status, code))).toBe(true))

  test.each([
    [422, 'weak_password'],
    [400, 'email_address_invalid'],
    [400, 'validation_failed'],
    [422, 'signup_disabled'],
    [422, 'email_provider_disabled'],
    [429, 'over_request_rate_limit'],
  ])('is not behind %i %s', (status, code) => expect(mayCollide(authError(status, code))).toBe(false))

  test('may be behind a response that did not come', () => {
    for (const status of [0, 503]) expect(mayCollide(new AuthRetryableFetchError('away', status))).toBe(true)
  })
})

describe('Auth’s error of a refresh', () => {
  test.each([
    [400, 'refresh_token_not_found'],
    [400, 'refresh_token_already_used'],
    [400, 'session_expired'],
    [403, 'session_not_found'],
    [400, 'user_banned'],
    [422, 'validation_failed'],
  ])('%i %s is a token that is not valid any more', (status, code) => {
    expect(refreshError(authError(status, code))).toMatchObject({
      code: 'refresh_token_invalid',
      status: 401,
    })
  })
})

describe.each([
  ['sign-in', signInError],
  ['sign-up', signUpError],
  ['refresh', refreshError],
])('of a %s', (_, errorOf) => {
  test('too many for Auth are too many', () => {
    expect(errorOf(authError(429, 'over_request_rate_limit'))).toMatchObject({
      code: 'rate_limited',
      details: { retry_after_s: 60 },
    })
  })

  test('what is wrong with Auth itself is left as it is', () => {
    for (const error of [authError(500, 'unexpected_failure'), new AuthRetryableFetchError('away', 503)]) {
      expect(errorOf(error)).toBe(error)
    }
  })
})
