import { MAX_RECORDING_S, type MediaSource, tooLong, truncated } from '../recording.ts'
import { ByteWindow } from './byte-window.ts'
import { behindId3, TAG_HEADER_BYTES, tagBytes } from './id3.ts'
import { bound, LIMITS, severalRecordings } from './limits.ts'
import { readMp3Header } from './mp3.ts'

/** In kbit/s, by the header's index: of MPEG-1 layer III, and of MPEG-2 and 2.5. */
const KBITS = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
]
const RATES_HZ = [
  [11025, 12000, 8000],
  [0, 0, 0],
  [22050, 24000, 16000],
  [44100, 48000, 32000],
]

/** Frames that a file may have beyond those that its first one declares: what an encoder adds. */
const SPARE_FRAMES = 8

/**
 * Checks the frames of an mp3 and what stands between them. Frames behind a tag, of another kind or beyond what the first one declares are a further
 * recording. Throws `audio_too_long` when the frames are.
 */
export async function walkMp3(source: MediaSource): Promise<void> {
  const window = new ByteWindow(source)
  const { size } = window
  let at = await behindId3(source)
  let strayBytes = 0
  let durationS = 0
  let kind: number | null = null
  let frames = 0
  let isBehindTag = false
  let isBehindFrame = false
  while (at + 4 <= size) {
    const header = window.held(at, TAG_HEADER_BYTES) ?? (await window.load(at, TAG_HEADER_BYTES))
    const frame = readFrame(header, kind)
    if (!frame) {
      const tag = kind === null ? 0 : tagBytes(header)
      if (tag > 0) {
        isBehindTag = true
        at += tag
        continue
      }
      if (isBehindFrame && readFrame(header, null)) throw severalRecordings()
      isBehindFrame = false
      bound(++strayBytes, LIMITS.strayBytes, 'more sound')
      at++
      continue
    }
    if (isBehindTag) throw severalRecordings()
    kind ??= frame.kind
    frames++
    isBehindFrame = true
    durationS += frame.durationS
    // One second more, for frames that hold nothing but what the encoder adds.
    if (durationS > MAX_RECORDING_S + 1) throw tooLong(durationS)
    at += frame.bytes
    if (at > size) throw truncated({ container: 'mp3' })
  }
  const declared = (await readMp3Header(source))?.frames
  if (declared && frames > declared + SPARE_FRAMES) throw severalRecordings()
}

/** A frame of layer III; null where none begins, or one that the first does not allow (`kind`). */
function readFrame(
  header: Uint8Array,
  kind: number | null,
): { kind: number; bytes: number; durationS: number } | null {
  const [sync = 0, version = 0, rates = 0] = header
  if (sync !== 0xff || (version & 0xe6) !== 0xe2) return null
  const own = (version & 0x1e) * 256 + (rates & 0x0c)
  if (kind !== null && kind !== own) return null
  const id = (version >> 3) & 3
  const rateHz = RATES_HZ[id]?.[(rates >> 2) & 3] ?? 0
  const kbits = KBITS[id === 3 ? 0 : 1]?.[rates >> 4] ?? 0
  if (rateHz === 0 || kbits === 0) return null
  const samples = id === 3 ? 1152 : 576
  const bytes = Math.floor((samples * kbits * 125) / rateHz) + ((rates >> 1) & 1)
  return { kind: own, bytes, durationS: samples / rateHz }
}
