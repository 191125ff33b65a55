export type AudioErrorCode =
  | 'audio_empty'
  | 'audio_unreadable'
  | 'audio_truncated'
  | 'audio_unsupported'
  | 'audio_too_long'
  | 'audio_too_short'

/** A recording that cannot be analysed; the message tells the person who sent it what to do. */
export class AudioError extends Error {
  readonly code: AudioErrorCode
  readonly details: Record<string, string | number> | undefined

  constructor(code: AudioErrorCode, message: string, details?: Record<string, string | number>) {
    super(message)
    this.name = 'AudioError'
    this.code = code
    this.details = details
  }
}
