/** Every error code of the service and its HTTP status. docs/errors.md says what each means. */
const ERROR_STATUS = {
  invalid_json: 400,
  content_type_not_supported: 400,
  invalid_parameters: 400,
  body_too_large: 400,
  analyses_incomplete: 400,
  nothing_uploaded: 400,
  image_count: 400,
  check_in_expired: 400,
  too_many_submissions: 400,
  audio_empty: 400,
  audio_unreadable: 400,
  audio_truncated: 400,
  audio_unsupported: 400,
  audio_too_long: 400,
  audio_too_short: 400,
  image_empty: 400,
  image_unreadable: 400,
  image_unsupported: 400,
  image_truncated: 400,
  image_too_small: 400,
  image_too_large: 400,
  invalid_form: 400,
  file_empty: 400,
  file_type_not_allowed: 400,
  file_type_mismatch: 400,
  unknown_column: 400,
  invalid_value: 400,
  query_too_long: 400,
  constraint_violated: 400,
  query_too_complex: 400,
  weak_password: 400,
  university_not_accepted: 400,
  captcha_failed: 400,
  redirect_not_allowed: 400,
  buddy_email_missing: 400,
  buddy_phone_invalid: 400,
  buddy_phone_landline: 400,
  buddy_name_invalid: 400,
  buddy_email_invalid: 400,
  buddy_self: 400,
  buddy_country_unsupported: 400,
  policy_invalid: 400,
  consent_version_unknown: 400,
  unauthorized: 401,
  invalid_credentials: 401,
  refresh_token_invalid: 401,
  consent_required: 403,
  feature_disabled: 403,
  wrong_password: 403,
  wrong_code: 403,
  forbidden: 403,
  storage_full: 403,
  cohort_withheld: 403,
  access_blocked: 403,
  mfa_required: 403,
  address_blocked: 403,
  account_disabled: 403,
  not_found: 404,
  shift_not_found: 404,
  crisis_contact_not_found: 404,
  check_in_not_found: 404,
  session_not_found: 404,
  table_not_found: 404,
  university_not_found: 404,
  student_not_found: 404,
  file_not_found: 404,
  buddy_not_found: 404,
  export_not_found: 404,
  erasure_not_found: 404,
  training_not_found: 404,
  staff_not_found: 404,
  security_test_not_found: 404,
  vulnerability_not_found: 404,
  policy_not_found: 404,
  control_not_found: 404,
  assessment_not_found: 404,
  incident_not_found: 404,
  factor_not_found: 404,
  link_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  consent_given: 409,
  consent_version_outdated: 409,
  buddy_unavailable: 409,
  buddy_verified: 409,
  buddy_limit: 409,
  buddy_duplicate: 409,
  export_running: 409,
  erasure_final: 409,
  last_security_administrator: 409,
  last_university_administrator: 409,
  training_unread: 409,
  attempt_closed: 409,
  vulnerability_fixed: 409,
  policy_blocks_caller: 409,
  policy_limit: 409,
  factor_conflict: 409,
  incident_transition: 409,
  shift_limit: 409,
  verification_attempts_exhausted: 429,
  export_limit: 429,
  nudge_limit: 429,
  rate_limited: 429,
  internal_error: 500,
  busy: 503,
  not_configured: 503,
  quarantined: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** Every code, in the order of docs/errors.md. */
export const ERROR_CODES = Object.keys(ERROR_STATUS) as ErrorCode[]

/** Whether a text is the code of a documented error. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_STATUS, text)
}

/** The HTTP status of a code. */
export function statusOf(code: ErrorCode): number {
  return ERROR_STATUS[code]
}

/** The one way to reject a request: a documented code, a message that says what to do, optional details. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: Record<string, unknown> | undefined

  constructor(code: ErrorCode, message: string, details?: Record<string, unknown>) {
    super(message)
    this.name = 'ServiceError'
    this.code = code
    this.status = ERROR_STATUS[code]
    this.details = details
  }
}

/** The error that `private.refuse` or `private.refuse_for` raised in a statement of a function; null for any other. */
export function refusedByDatabase(error: unknown): ServiceError | null {
  if (!(error instanceof Error) || !('code' in error) || !('hint' in error)) return null
  const { code, hint, message } = error
  const refused = typeof code === 'string' && /^PT\d{3}$/.test(code)
  if (!refused || typeof hint !== 'string' || !isErrorCode(hint)) return null
  const wait = hint === 'rate_limited' && 'detail' in error ? Number(error.detail) : Number.NaN
  return new ServiceError(hint, message, Number.isFinite(wait) ? { retry_after_s: wait } : undefined)
}

/** The error of a person whose account was deleted during the request. */
export function accountDeleted(): ServiceError {
  return new ServiceError('unauthorized', 'The account was deleted. Sign in with another one.')
}

/** The error of an account that has no role any more. */
export function withoutRole(): ServiceError {
  return new ServiceError('forbidden', 'This account has no role at a university. Ask yours.')
}

/** The error of a check-in that does not exist or is somebody else's. */
export function checkInNotFound(): ServiceError {
  return new ServiceError('check_in_not_found', 'There is no such check-in of yours.')
}
