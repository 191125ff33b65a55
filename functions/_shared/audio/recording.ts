/** Longest recording that is analysed, in seconds. */
export const MAX_RECORDING_S = 1200

/** Shortest recording that can hold a spoken sentence, in seconds. */
export const MIN_RECORDING_S = 1

/** Sample rates that are analysed, in hertz. */
const MIN_RATE_HZ = 8_000
const MAX_RATE_HZ = 96_000

/** Usual rates are multiples of it, in hertz. Resampling any other takes a filter for each of up to 16,000 places between samples. */
const RATE_STEP_HZ = 25

/** Most channels, and most samples a second in all of them: stereo at 96 kHz. */
const MAX_CHANNELS = 8
const MAX_SAMPLES_PER_S = 192_000

export type AudioContainer = 'm4a' | 'webm' | 'ogg' | 'mp3' | 'wav' | 'flac' | 'adts'

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

/** Throws `audio_unsupported` for sound at a rate, or with so many channels, that one request could not analyse its slice. */
export function requireUsualSound({
  sampleRateHz,
  channels,
}: {
  sampleRateHz: number
  channels: number
}): void {
  const isUsual =
    sampleRateHz >= MIN_RATE_HZ &&
    sampleRateHz <= MAX_RATE_HZ &&
    sampleRateHz % RATE_STEP_HZ === 0 &&
    channels >= 1 &&
    channels <= MAX_CHANNELS &&
    sampleRateHz * channels <= MAX_SAMPLES_PER_S
  if (isUsual) return
  throw new AudioError(
    'audio_unsupported',
    'Sound has a usual sample rate of 8 to 96 kHz, and not more channels than stereo at 96 kHz has samples. Record at 16 kHz, mono.',
    { sample_rate_hz: sampleRateHz, channels },
  )
}

/** The error of a recording that lasts too long. */
export function tooLong(durationS: number): AudioError {
  const roundedS = Math.round(durationS)
  return new AudioError(
    'audio_too_long',
    `The recording lasts ${roundedS} s; at most ${MAX_RECORDING_S} s are analysed. Send a shorter one.`,
    { duration_s: roundedS, max_s: MAX_RECORDING_S },
  )
}

/** The error of a recording whose file ends before its sound does. */
export function truncated(details?: { container: string }): AudioError {
  const message = 'The recording is cut off: the file ends before its sound does. Record or send it again.'
  return new AudioError('audio_truncated', message, details)
}
