import { AudioError } from '../recording.ts'

/**
 * What a recording's structure may hold. A file declares its counts and sizes freely, and a demuxer believes them; so each is
 * bounded by the bytes that the file has, and by what 20 minutes can need.
 */
export const LIMITS = {
  /** Compressed packets of a track: 20 minutes of 8 ms each. AAC, MP3, FLAC and Opus usually have 20 ms and more. */
  packets: 150_000,
  /** Pages of an Ogg file: 20 minutes of 16 ms each. Recorders write one for each packet of 20 ms at most, and usually one a second. */
  oggPages: 75_000,
  /** Of one packet; video in the same file counts as well. */
  packetBytes: 4 * 1024 * 1024,
  /** Boxes, clusters, metadata blocks: what lies beside one another in a container's top level. */
  parts: 20_000,
  tracks: 16,
  /** Of an index, of comments or of a picture, which are read whole. */
  metadataBytes: 16 * 1024 * 1024,
  /** That belong to nothing known, between or after packets. */
  strayBytes: 1024 * 1024,
}

/** The error of a recording whose structure no recorder writes. */
export function implausible(what: string): AudioError {
  return new AudioError(
    'audio_unreadable',
    `The recording is damaged: it declares ${what} than it can hold. Record and send it again.`,
  )
}

/** The error of a file of which a reader would read the first recording and take it for the whole. */
export function severalRecordings(): AudioError {
  return new AudioError(
    'audio_unsupported',
    'The file holds several recordings, one after the other. Send one recording, or join them anew.',
    { format: 'several recordings in one file' },
  )
}

export function encrypted(): AudioError {
  return new AudioError(
    'audio_unsupported',
    'Encrypted recordings are not accepted. Send one without protection.',
    { format: 'an encrypted recording' },
  )
}

/** Throws `implausible` when a count or a size is over its limit. */
export function bound(value: number, limit: number, what: string): void {
  if (!(value <= limit)) throw implausible(what)
}
