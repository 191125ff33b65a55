import { type ErrorCode, isErrorCode, WellbeingError } from './errors.ts'

type Reported = {
  name: string
  message: string
  code: string
  hint: string
  details: unknown
  status: number | null
}

/** Errors of supabase-js where there was no answer. */
const UNREACHED = ['AuthRetryableFetchError', 'StorageUnknownError']

/** The longest wait that is believed, seconds: a week. */
const LONGEST_WAIT_S = 7 * 24 * 60 * 60

/** What `fetch` and `import()` say without a network, in the words of browsers, React Native and Node. */
const FETCH_FAILED = /fetch|network|load|import/i

/** Codes of Auth, of PostgREST and of Postgres that mean what another code says; of Postgres also by their class. */
const OTHER_CODES: Record<string, ErrorCode> = {
  unauthorized: 'session_ended',
  PGRST301: 'session_ended',
  PGRST302: 'session_ended',
  PGRST303: 'session_ended',
  bad_jwt: 'session_ended',
  session_expired: 'session_ended',
  session_not_found: 'session_ended',
  refresh_token_not_found: 'session_ended',
  refresh_token_already_used: 'session_ended',
  refresh_token_invalid: 'session_ended',
  email_not_confirmed: 'invalid_credentials',
  user_banned: 'invalid_credentials',
  otp_expired: 'mail_code_invalid',
  otp_disabled: 'mail_code_invalid',
  insufficient_aal: 'mfa_required',
  mfa_verification_failed: 'wrong_code',
  over_request_rate_limit: 'rate_limited',
  over_email_send_rate_limit: 'rate_limited',
  same_password: 'weak_password',
  '42501': 'forbidden',
  '42P01': 'table_not_found',
  PGRST116: 'not_found',
  '22': 'invalid_value',
  '23': 'constraint_violated',
  '54': 'query_too_complex',
  '57014': 'query_too_complex',
}

/**
 * What `supabase-js`, Storage or the platform reported, as an error of the client: the service's code where there is one, else what
 * its status means. An error that no answer of theirs is (a fault of a program) is `unknown`, with itself as the `cause`.
 */
export function errorOf(caught: unknown): WellbeingError {
  if (caught instanceof WellbeingError) return caught
  const { name, message, code, hint, details, status } = reportedBy(caught)
  const init = { message: message || 'The call failed.', status, cause: caught }
  if (name === 'AbortError' || /AbortError/.test(message)) return new WellbeingError('aborted', init)
  if (name === 'AuthSessionMissingError') return new WellbeingError('session_ended', init)
  // The access token hook can say no more than this to Auth.
  if (status === 403 && message.startsWith('A security policy'))
    return new WellbeingError('access_blocked', init)
  const known = [hint, code].find(isErrorCode)
  const meant = known === undefined || known === 'unauthorized' ? otherCode(known ?? code) : known
  if (meant) {
    return new WellbeingError(meant, {
      ...init,
      retryAfterS: meant === 'rate_limited' ? secondsToWait(String(details)) : null,
      details: known === undefined ? { code } : {},
    })
  }
  const ofFetch =
    // PostgREST's client has it in the message.
    (caught instanceof TypeError || message.startsWith('TypeError: ')) && FETCH_FAILED.test(message)
  if (status === 0 || ofFetch || UNREACHED.includes(name)) {
    return new WellbeingError(status ? 'service_unavailable' : 'offline', { ...init, status: status || null })
  }
  return new WellbeingError(ofStatus(status), { ...init, details: code ? { code } : {} })
}

/** Of a `Retry-After`, which is seconds or a date (RFC 9110, 10.2.3). Null: it is none. */
function secondsToWait(text: string): number | null {
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? null : Math.min(LONGEST_WAIT_S, Math.max(0, seconds))
}

/** What a function, or the platform in its place, responded. */
export async function errorOfResponse(response: Response): Promise<WellbeingError> {
  const body = await response.json().catch(() => null)
  const { code, error, message, details } = isRecord(body) ? body : {}
  const { status, headers } = response
  const meant = code === 'unauthorized' ? 'session_ended' : isErrorCode(code) ? code : ofStatus(status)
  return new WellbeingError(meant, {
    message: [error, message].find((text) => typeof text === 'string') ?? `The service responded ${status}.`,
    status,
    requestId: headers.get('x-request-id'),
    retryAfterS: secondsToWait(headers.get('retry-after') ?? ''),
    details: isRecord(details) ? details : typeof code === 'string' && meant === 'unknown' ? { code } : {},
  })
}

/** What `functions.invoke` reports: a response, or that there was none. */
export async function errorOfInvoke(error: unknown): Promise<WellbeingError> {
  if (!isRecord(error)) return errorOf(error)
  const { context, name } = error
  if (isResponse(context)) {
    const read = await errorOfResponse(context)
    return name === 'FunctionsRelayError' ? new WellbeingError('service_unavailable', read.toJSON()) : read
  }
  const message =
    isRecord(context) && typeof context.message === 'string' ? context.message : 'There was no response.'
  const timedOut = isRecord(context) && context.name === 'AbortError'
  return new WellbeingError(timedOut ? 'request_timeout' : 'offline', { message, cause: error })
}

/** Of whichever `fetch` the app gave its client. */
function isResponse(value: unknown): value is Response {
  return isRecord(value) && typeof value.status === 'number' && typeof value.json === 'function'
}

/** Whether a value is an object with members. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function reportedBy(caught: unknown): Reported {
  const error = isRecord(caught) ? caught : {}
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  // Storage has its status as a text, too.
  const status = [error.status, Number(error.statusCode)].find((value) => Number.isInteger(value))
  return {
    name: text(error.name),
    message: text(error.message),
    code: text(error.code),
    hint: text(error.hint),
    details: error.details,
    status: typeof status === 'number' ? status : null,
  }
}

function otherCode(code: string): ErrorCode | undefined {
  const known = (name: string) => (Object.hasOwn(OTHER_CODES, name) ? OTHER_CODES[name] : undefined)
  return known(code) ?? (/^\d{2}[0-9A-Z]{3}$/.test(code) ? known(code.slice(0, 2)) : undefined)
}

function ofStatus(status: number | null): ErrorCode {
  if (status === 401) return 'session_ended'
  if (status === 429) return 'rate_limited'
  return status !== null && status >= 500 ? 'service_unavailable' : 'unknown'
}
