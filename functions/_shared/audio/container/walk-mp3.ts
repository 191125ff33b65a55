import { MAX_RECORDING_S, type MediaSource, tooLong } from '../recording.ts'
import { ByteWindow } from './byte-window.ts'
import { behindId3 } from './id3.ts'
import { bound, LIMITS } from './limits.ts'

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

/** Checks the frames of an mp3 and what stands between them. Throws `audio_too_long` when the frames are. */
export async function walkMp3(source: MediaSource): Promise<void> {
  const window = new ByteWindow(source)
  const { size } = window
  let at = await behindId3(source)
  let strayBytes = 0
  let durationS = 0
  let kind: number | null = null
  while (at + 4 <= size) {
    const header = window.held(at, 4) ?? (await window.load(at, 4))
    const frame = readFrame(header, kind)
    if (!frame) {
      bound(++strayBytes, LIMITS.strayBytes, 'more sound')
      at++
      continue
    }
    kind ??= frame.kind
    durationS += frame.durationS
    // One second more, for frames that hold nothing but what the encoder adds.
    if (durationS > MAX_RECORDING_S + 1) throw tooLong(durationS)
    at += frame.bytes
  }
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
