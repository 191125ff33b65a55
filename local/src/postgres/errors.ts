/** The part of a Postgres error that a response may show. */
export interface DatabaseError {
  code: string
  message: string
  detail?: string
  hint?: string
}

export function isDatabaseError(error: unknown): error is Error & DatabaseError {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^[0-9A-Z]{5}$/.test(error.code)
  )
}

/** Whether the database was away, such as while it restarts. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return /^(CONNECT|ECONN|EPIPE|57P0)/.test(String(error.code)) || isAway(error.cause)
}
