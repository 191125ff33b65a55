import { SERVICE_ERROR_CODES } from './generated/error-codes.ts'

/** What a person reads of an error or a reason, in their language. */
export type Words = { title: string; advice: string }

/** A documented code of the service (docs/errors.md). */
export type ServiceErrorCode = (typeof SERVICE_ERROR_CODES)[number]

/** The client's own codes, and whether the same call may succeed later. */
const CLIENT_ERRORS = {
  /** The service can't be reached from the device. */
  offline: true,
  /** The platform responded in place of the service; whether the call took effect is not known. */
  service_unavailable: true,
  /** Nobody is signed in, or the session has ended: the person signs in again. */
  session_ended: false,
  /** The code of a mail is not right, or its time is over. */
  mail_code_invalid: false,
  /** The caller's `AbortSignal` ended the wait. */
  aborted: false,
  /** The device has no room left for what was recorded. */
  device_storage_full: false,
  /** The device keeps nothing, as in some private windows. */
  device_storage_unavailable: false,
  /** What was recorded is no longer on the device. */
  recording_lost: false,
  /** Storage refused a file: its type, its size, or its address. */
  upload_rejected: false,
  /** It waited longer than a check-in may. */
  check_in_too_old: false,
  /** An answer that this version does not know; `details.code` is its code, where it has one. */
  unknown: false,
} as const

/** A code of the client itself. */
export type ClientErrorCode = keyof typeof CLIENT_ERRORS

/** Why a check-in that was submitted has failed. */
const CHECK_IN_ERRORS = ['analysis_failed', 'nothing_to_score'] as const
export type CheckInErrorCode = (typeof CHECK_IN_ERRORS)[number]

/** Why a call or a check-in failed: a code of the service, or one of the client's own. */
export type ErrorCode = ServiceErrorCode | CheckInErrorCode | ClientErrorCode

const RETRYABLE: readonly ErrorCode[] = [
  'rate_limited',
  'export_limit',
  'address_blocked',
  'request_timeout',
  'internal_error',
  'busy',
  'quarantined',
  'analysis_failed',
]

/** Whether a text is a code of the client itself. */
export function isClientErrorCode(text: string): text is ClientErrorCode {
  return Object.hasOwn(CLIENT_ERRORS, text)
}

/** Whether a text is a code that this version knows. */
export function isErrorCode(text: unknown): text is ErrorCode {
  return (
    typeof text === 'string' &&
    (isClientErrorCode(text) || [...SERVICE_ERROR_CODES, ...CHECK_IN_ERRORS].some((code) => code === text))
  )
}

/** What an error says beside its code; what is left out is not known. */
export type WellbeingErrorInit = {
  /** For developers and logs, in English. */
  message: string
  retryAfterS?: number | null
  status?: number | null
  details?: Record<string, unknown>
  requestId?: string | null
  /** Default: the message. Every error of a call has the words of the person's language. */
  words?: Words
  cause?: unknown
}

/** Why a call failed. */
export class WellbeingError extends Error {
  override readonly name = 'WellbeingError'
  readonly code: ErrorCode
  /** Whether the same call may succeed later. */
  readonly retryable: boolean
  /** Seconds that the service asks to wait; null: it does not say. */
  readonly retryAfterS: number | null
  /** HTTP status; null: there was no answer. */
  readonly status: number | null
  readonly details: Record<string, unknown>
  /** For support: `X-Request-Id`. */
  readonly requestId: string | null
  /** For the person, in their language. */
  readonly words: Words

  constructor(code: ErrorCode, init: WellbeingErrorInit) {
    super(init.message, 'cause' in init ? { cause: init.cause } : undefined)
    this.code = code
    this.retryable = isClientErrorCode(code) ? CLIENT_ERRORS[code] : RETRYABLE.includes(code)
    this.retryAfterS = init.retryAfterS ?? null
    this.status = init.status ?? null
    this.details = init.details ?? {}
    this.requestId = init.requestId ?? null
    this.words = init.words ?? { title: init.message, advice: '' }
  }

  /** The same error in other words. */
  inWords(words: Words): WellbeingError {
    return new WellbeingError(this.code, { ...this.toJSON(), words, cause: this.cause })
  }

  /** As it can be stored: `new WellbeingError(code, stored)` makes it again. */
  toJSON(): Omit<Required<WellbeingErrorInit>, 'cause'> & { code: ErrorCode } {
    const { code, message, retryAfterS, status, details, requestId, words } = this
    return { code, message, retryAfterS, status, details, requestId, words }
  }
}

/** Whether an error is one of the client's; `code` says which. */
export function isWellbeingError(error: unknown): error is WellbeingError {
  return error instanceof WellbeingError
}
