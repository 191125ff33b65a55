import type { AuthError } from '@supabase/supabase-js'
import { isAuthWeakPasswordError } from '../../_vendor/supabase.js'
import { ServiceError } from '../errors.ts'

/** What is wrong with a password, by Auth's reason. */
const WEAKNESSES: Record<string, string> = {
  length: 'is too short',
  characters: 'needs letters and digits',
  pwned: 'is known from leaks of other services',
}

/** How long to wait when Auth itself reports too many requests, seconds; it does not say. */
const AUTH_PAUSE_S = 60

/**
 * Codes of Auth that would reveal who has an account, or is banned; here they mean no more than a wrong password. An
 * unconfirmed address is one of them: after a sign-up with a password of one's own choice it would reveal that the address
 * was free.
 */
const WRONG_CREDENTIALS = [
  'invalid_credentials',
  'email_not_confirmed',
  'user_banned',
  'user_not_found',
  'validation_failed',
]

/** The one error of a failed sign-in, whatever is wrong. */
export function wrongCredentials(): ServiceError {
  return new ServiceError(
    'invalid_credentials',
    'The address or the password is not right, or the address is not confirmed yet.',
  )
}

/** Why a sign-in failed. */
export function signInError(error: AuthError): Error {
  const { code = '' } = error
  if (WRONG_CREDENTIALS.includes(code)) return wrongCredentials()
  return refusedByHook(error) ?? tooMany(error) ?? error
}

/**
 * Why a sign-up failed; null where the caller must not learn that it did: the address has an account already, or was sent
 * a mail a moment ago.
 */
export function signUpError(error: AuthError): Error | null {
  const { code = '' } = error
  if (['user_already_exists', 'email_exists', 'over_email_send_rate_limit'].includes(code)) return null
  if (isAuthWeakPasswordError(error)) return weakPassword(error.reasons)
  if (code === 'email_address_invalid' || code === 'validation_failed') {
    return new ServiceError(
      'invalid_parameters',
      'Check the field email: an address that takes mail is needed.',
      {
        issues: [{ field: 'email', problem: 'not an address that takes mail' }],
      },
    )
  }
  if (code === 'signup_disabled' || code === 'email_provider_disabled') {
    return new ServiceError('forbidden', 'New accounts cannot be made at the moment.')
  }
  return tooMany(error) ?? error
}

/**
 * Whether another sign-up with the address may be behind the error of a sign-up: for two at the same moment Auth has a
 * conflict or an error of its database, and after an error of a connection nobody knows.
 */
export function mayCollide(error: AuthError): boolean {
  const { status = 0 } = error
  return signUpError(error) === null || status === 0 || status === 409 || status >= 500
}

/** Why a refresh failed. */
export function refreshError(error: AuthError): Error {
  const refused = refusedByHook(error)
  if (refused) return refused
  // Whatever is wrong with the token, its session or its account, signing in again is what helps.
  const { status = 0 } = error
  const tokenIsBad = [400, 401, 403, 404, 422].includes(status)
  return tokenIsBad
    ? new ServiceError('refresh_token_invalid', 'The refresh token is not valid any more. Sign in again.')
    : (tooMany(error) ?? error)
}

/** Why a call about the second factor, or a sign-out, failed. */
export function factorError(error: AuthError): Error {
  const { code = '', status = 0 } = error
  if (code === 'mfa_factor_not_found')
    return new ServiceError('factor_not_found', 'There is no such app of yours.')
  if (/^mfa_(verification|challenge)|^mfa_ip_address_mismatch$/.test(code)) {
    return new ServiceError(
      'wrong_code',
      'This code is not right, or has ended. Give the one that the app shows now.',
    )
  }
  if (code === 'mfa_factor_name_conflict') {
    return new ServiceError('factor_conflict', 'Another app has this name. Choose another one.')
  }
  if (code === 'too_many_enrolled_mfa_factors') {
    return new ServiceError('factor_conflict', 'There are too many apps. Remove one first.')
  }
  if (code === 'insufficient_aal') {
    return new ServiceError(
      'mfa_required',
      'This needs a second factor. Give the code of your authenticator app, then repeat the call with the new token.',
    )
  }
  if (status === 401 || status === 403) {
    return new ServiceError('unauthorized', 'The access token is not valid any more. Sign in again.')
  }
  return tooMany(error) ?? error
}

/** What `private.custom_access_token` says to Auth, which passes on only its status and message. */
function refusedByHook({ status, message }: AuthError): ServiceError | null {
  if (status !== 403 || !message.startsWith('A security policy')) return null
  return new ServiceError(
    'access_blocked',
    'A security policy refuses this sign-in. In danger, call the emergency services (112, 911, 999 or 000). Somebody to talk to: https://findahelpline.com',
  )
}

function weakPassword(reasons: string[]): ServiceError {
  const lacks = reasons.flatMap((reason) => WEAKNESSES[reason] ?? [])
  return new ServiceError(
    'weak_password',
    `Choose another password: this one ${lacks.join(' and ') || 'is too weak'}.`,
    { reasons },
  )
}

function tooMany({ status }: AuthError): ServiceError | null {
  if (status !== 429) return null
  return new ServiceError('rate_limited', `Too many requests. Try again in ${AUTH_PAUSE_S} s.`, {
    retry_after_s: AUTH_PAUSE_S,
  })
}
