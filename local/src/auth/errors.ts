/** An error response of the auth API, with GoTrue's status, `error_code` and message. */
export class AuthError extends Error {
  readonly status: number
  readonly code: string
  readonly extra: Record<string, unknown>
  constructor(status: number, code: string, message: string, extra: Record<string, unknown> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.extra = extra
  }
}

const factorNames = { totp: 'TOTP', phone: 'Phone', webauthn: 'WebAuthn' }

export const errors = {
  anonymousDisabled: () =>
    new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'),
  badJson: () => new AuthError(400, 'bad_json', 'Could not parse request body as JSON'),
  badJwt: (reason: string) =>
    new AuthError(403, 'bad_jwt', `invalid JWT: unable to parse or verify signature, ${reason}`),
  badCodeVerifier: () =>
    new AuthError(400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier'),
  captchaFailed: (reason: string) =>
    new AuthError(400, 'captcha_failed', `captcha protection: request disallowed (${reason})`),
  emailDisabled: () => new AuthError(400, 'email_provider_disabled', 'Email signups are disabled'),
  emailExists: () =>
    new AuthError(422, 'email_exists', 'A user with this email address has already been registered'),
  emailNotConfirmed: () => new AuthError(400, 'email_not_confirmed', 'Email not confirmed'),
  factorNotFound: () => new AuthError(404, 'mfa_factor_not_found', 'Factor not found'),
  factorNameTaken: (name: string) =>
    new AuthError(
      422,
      'mfa_factor_name_conflict',
      `A factor with the friendly name ${JSON.stringify(name)} for this user already exists`,
    ),
  flowStateNotFound: () =>
    new AuthError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found'),
  insufficientAal: (status: number, message: string) => new AuthError(status, 'insufficient_aal', message),
  invalidCredentials: () => new AuthError(400, 'invalid_credentials', 'Invalid login credentials'),
  invalidEmail: () =>
    new AuthError(400, 'validation_failed', 'Unable to validate email address: invalid format'),
  mfaChallengeExpired: (id: string) =>
    new AuthError(
      422,
      'mfa_challenge_expired',
      `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`,
    ),
  mfaChallengeNotFound: () =>
    new AuthError(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found'),
  /** GoTrue's error for another address, and for a challenge that was verified already. */
  mfaChallengeNotYours: () =>
    new AuthError(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.'),
  mfaEnrollDisabled: (type: 'totp' | 'phone' | 'webauthn') =>
    new AuthError(422, `mfa_${type}_enroll_not_enabled`, `MFA enroll is disabled for ${factorNames[type]}`),
  mfaVerificationFailed: () => new AuthError(422, 'mfa_verification_failed', 'Invalid TOTP code entered'),
  mfaVerificationRejected: (message: string) => new AuthError(403, 'mfa_verification_rejected', message),
  mfaVerifyDisabled: (type: 'totp' | 'phone' | 'webauthn') =>
    new AuthError(
      422,
      `mfa_${type}_verify_not_enabled`,
      `MFA verification is disabled for ${factorNames[type]}`,
    ),
  noAuthorization: () =>
    new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token'),
  noRoute: () => new AuthError(404, 'not_found', '404 page not found'),
  notServed: (what: string) =>
    new AuthError(
      501,
      'not_implemented',
      `The local stack does not serve ${what}: it knows accounts with an email address`,
    ),
  secureEmailChangeNeeded: () =>
    new AuthError(400, 'validation_failed', 'Enable secure email change to generate link for current email'),
  notAdmin: () => new AuthError(403, 'not_admin', 'User not allowed'),
  otpDisabled: () => new AuthError(422, 'otp_disabled', 'Signups not allowed for otp'),
  otpExpired: (status = 403) => new AuthError(status, 'otp_expired', 'Email link is invalid or has expired'),
  phoneDisabled: () => new AuthError(400, 'phone_provider_disabled', 'Unsupported phone provider'),
  overRequestRate: () => new AuthError(429, 'over_request_rate_limit', 'Request rate limit reached'),
  refreshTokenNotFound: () =>
    new AuthError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found'),
  refreshTokenUsed: () =>
    new AuthError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used'),
  refreshUserBanned: () => new AuthError(400, 'user_banned', 'Invalid Refresh Token: User Banned'),
  reauthenticationNeeded: () =>
    new AuthError(400, 'reauthentication_needed', 'Password update requires reauthentication'),
  reauthenticationInvalid: () =>
    new AuthError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid'),
  samePassword: () =>
    new AuthError(422, 'same_password', 'New password should be different from the old password.'),
  sessionExpired: () => new AuthError(400, 'session_expired', 'Invalid Refresh Token: Session Expired'),
  sessionNotFound: () =>
    new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist'),
  signupDisabled: () => new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance'),
  tooManyFactors: () =>
    new AuthError(
      422,
      'too_many_enrolled_mfa_factors',
      'Maximum number of verified factors reached, unenroll to continue',
    ),
  tooSoon: (seconds: number) =>
    new AuthError(
      429,
      'over_email_send_rate_limit',
      `For security purposes, you can only request this after ${Math.max(1, Math.ceil(seconds))} seconds.`,
    ),
  unexpected: (message: string) => new AuthError(500, 'unexpected_failure', message),
  userBanned: (status = 400) => new AuthError(status, 'user_banned', 'User is banned'),
  userExists: () => new AuthError(422, 'user_already_exists', 'User already registered'),
  userGone: () => new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist'),
  userNotFound: () => new AuthError(404, 'user_not_found', 'User not found'),
  validation: (message: string, status = 400) => new AuthError(status, 'validation_failed', message),
  weakPassword: (message: string, reasons: string[]) =>
    new AuthError(422, 'weak_password', message, { weak_password: { reasons } }),
}

/** The error as the API version that the client asked for spells it. */
export function authErrorResponse(error: AuthError, request: Request): Response {
  const headers: Record<string, string> = { 'x-sb-error-code': error.code }
  const version = request.headers.get('x-supabase-api-version') ?? ''
  if (version >= '2024-01-01') {
    headers['x-supabase-api-version'] = '2024-01-01'
    return Response.json(
      { code: error.code, message: error.message, ...error.extra },
      { status: error.status, headers },
    )
  }
  return Response.json(
    { code: error.status, error_code: error.code, msg: error.message, ...error.extra },
    { status: error.status, headers },
  )
}
