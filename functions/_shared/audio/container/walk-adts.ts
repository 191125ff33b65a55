import { AudioError, MAX_RECORDING_S, type MediaSource, tooLong, truncated } from '../recording.ts'
import { ByteWindow } from './byte-window.ts'
import { behindId3, TAG_HEADER_BYTES, tagBytes } from './id3.ts'
import { severalRecordings } from './limits.ts'

const HEADER_BYTES = 7
const SAMPLES_PER_FRAME = 1024
const RATES_HZ = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350]

/** Checks the frames of raw AAC (ADTS: ISO/IEC 13818-7, 6.2). Throws `audio_too_long` when they last longer than 20 minutes. */
export async function walkAdts(source: MediaSource): Promise<void> {
  const window = new ByteWindow(source)
  const { size } = window
  let kind: number | null = null
  let durationS = 0
  let isBehindTag = false
  for (let at = await behindId3(source); at < size; ) {
    const beginning = window.held(at, TAG_HEADER_BYTES) ?? (await window.load(at, TAG_HEADER_BYTES))
    const tag = beginning[0] === 0xff ? 0 : tagBytes(beginning)
    if (tag > 0) {
      isBehindTag = true
      at += tag
      continue
    }
    if (isBehindTag) throw severalRecordings()
    const header = beginning.subarray(0, HEADER_BYTES)
    if (header.length < HEADER_BYTES) throw truncated({ container: 'adts' })
    const frame = readFrame(header)
    kind ??= frame.kind
    if (frame.kind !== kind) throw severalRecordings()
    durationS += SAMPLES_PER_FRAME / frame.rateHz
    if (durationS > MAX_RECORDING_S + 1) throw tooLong(durationS)
    at += frame.bytes
    if (at > size) throw truncated({ container: 'adts' })
  }
}

/** A frame's length, and what it has in common with all others: syntax, profile, rate and channels. */
function readFrame(header: Uint8Array): { kind: number; bytes: number; rateHz: number } {
  const [sync = 0, syntax = 0, profile = 0, high = 0, middle = 0, low = 0, last = 0] = header
  const rateHz = RATES_HZ[(profile >> 2) & 15]
  const channels = ((profile & 1) << 2) | (high >> 6)
  const bytes = ((high & 3) << 11) | (middle << 3) | (low >> 5)
  const isFrame = sync === 0xff && (syntax & 0xf6) === 0xf0
  if (!isFrame || rateHz === undefined || bytes <= HEADER_BYTES) throw damaged()
  if (channels === 0 || (last & 3) !== 0) {
    throw new AudioError(
      'audio_unsupported',
      'Raw AAC holds one block a frame and states its channels. Send m4a (AAC).',
      { format: 'raw AAC (ADTS)' },
    )
  }
  return { kind: (syntax << 16) | ((profile & 0xfd) << 8) | (high & 0xc0) | (profile & 1), bytes, rateHz }
}

function damaged(): AudioError {
  return new AudioError('audio_unreadable', 'The recording is damaged. Record and send it again.')
}
