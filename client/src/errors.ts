/** What a person reads of an error or a reason, in their language. */
export type Words = { title: string; advice: string }

/** A documented code of the service (docs/errors.md), or one of the client's own. */
export type ErrorCode = string

/** Why a call failed. */
export class WellbeingError extends Error {
  override readonly name = 'WellbeingError'
  declare readonly code: ErrorCode
  /** Whether the same call may succeed later. */
  declare readonly retryable: boolean
  /** Seconds that the service asks to wait; null: it does not say. */
  declare readonly retryAfterS: number | null
  declare readonly status: number | null
  declare readonly details: Record<string, unknown>
  /** For support: `X-Request-Id`. */
  declare readonly requestId: string | null
  /** For the person, in their language. */
  declare readonly words: Words
}

export function isWellbeingError(error: unknown): error is WellbeingError {
  return error instanceof WellbeingError
}
