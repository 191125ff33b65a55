/** Longest recording that is analysed, in seconds. */
export const MAX_RECORDING_S = 1200

/** Shortest recording that can hold a spoken sentence, in seconds. */
export const MIN_RECORDING_S = 1

export type AudioContainer = 'm4a' | 'webm' | 'ogg' | 'mp3' | 'wav' | 'flac'

/** What the analysis needs to know of a recording before it decodes any of it. */
export interface RecordingInfo {
  container: AudioContainer
  codec: 'aac' | 'opus' | 'mp3' | 'flac' | 'pcm'
  durationS: number
  sampleRateHz: number
  channels: number
}

/** A stored recording, read in ranges so that its size is never held in memory. */
export interface MediaSource {
  /** Bytes in all. */
  readonly size: number
  /** The bytes from `start` up to and without `end`; the caller stays within `0 <= start < end <= size`. */
  read(start: number, end: number): Promise<Uint8Array>
}

/** Reads a range clipped to what the source holds; empty when nothing of it exists. */
export async function readClipped(source: MediaSource, start: number, end: number): Promise<Uint8Array> {
  const from = Math.max(0, Math.min(start, source.size))
  const to = Math.max(from, Math.min(end, source.size))
  return to > from ? await source.read(from, to) : new Uint8Array(0)
}

/** Reasons why a recording cannot be analysed. */
export const AUDIO_ERROR_CODES = [
  'audio_empty',
  'audio_unreadable',
  'audio_truncated',
  'audio_unsupported',
  'audio_too_long',
  'audio_too_short',
] as const

type AudioErrorCode = (typeof AUDIO_ERROR_CODES)[number]

/** A recording that cannot be analysed; `message` says what to do and is fit to be shown. */
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

/** The error of a recording whose file ends before its sound does. */
export function truncated(details?: { container: string }): AudioError {
  const message = 'The recording is cut off: the file ends before its sound does. Record or send it again.'
  return new AudioError('audio_truncated', message, details)
}
