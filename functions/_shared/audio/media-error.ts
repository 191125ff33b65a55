export type MediaErrorCode =
  | 'audio_empty'
  | 'audio_unreadable'
  | 'audio_truncated'
  | 'audio_unsupported'
  | 'audio_too_long'
  | 'audio_too_short'

/** A recording that cannot be analysed; the message tells the person who sent it what to do. */
export class MediaError extends Error {
  readonly code: MediaErrorCode
  readonly details: Record<string, string | number> | undefined

  constructor(code: MediaErrorCode, message: string, details?: Record<string, string | number>) {
    super(message)
    this.name = 'MediaError'
    this.code = code
    this.details = details
  }
}
