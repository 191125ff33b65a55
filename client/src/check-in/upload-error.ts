import { WellbeingError } from '../errors.ts'

/** An upload that does not move for so long, milliseconds, is interrupted. */
export const STALLED_AFTER_MS = 60_000

/** Storage's errors have no codes that would say more than their status. */
export function rejection(error: WellbeingError): WellbeingError {
  const { status } = error
  const isFinal =
    status !== null && status >= 400 && status < 500 && ![401, 408, 409, 423, 429].includes(status)
  return isFinal ? new WellbeingError('upload_rejected', error) : error
}

/** The network is there, and takes nothing. */
export function stalled(): WellbeingError {
  return new WellbeingError('offline', { message: 'The upload did not move for a minute.' })
}
