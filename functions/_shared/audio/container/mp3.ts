import { type MediaSource, readClipped } from '../recording.ts'
import { behindId3 } from './id3.ts'

/** What an mp3's first frame says of the whole file, where its encoder wrote a Xing or Info tag. */
interface Mp3Header {
  samplesPerFrame: number
  sampleRateHz: number
  /** Frames of sound, without the tag's own; null when the tag does not say. */
  frames: number | null
  /** Bytes from the tag's frame to the end of the last frame; null when the tag does not say. */
  bytes: number | null
  /** First byte of the tag's frame. */
  start: number
  /** Samples that the encoder put before and after the sound, the decoder's own 529 included. */
  leadSamples: number
  trailSamples: number
}

const DECODER_DELAY = 529
const RATES_HZ = [
  [11025, 12000, 8000],
  [0, 0, 0],
  [22050, 24000, 16000],
  [44100, 48000, 32000],
]

/** Reads the Xing/Info tag and its LAME extension (lame.sourceforge.io, "mp3 info tag rev 1"); null without one. */
export async function readMp3Header(source: MediaSource): Promise<Mp3Header | null> {
  const start = await behindId3(source)
  const frame = await readClipped(source, start, start + 256)
  if (frame.length < 192 || frame[0] !== 0xff || ((frame[1] ?? 0) & 0xe0) !== 0xe0) return null

  const version = ((frame[1] ?? 0) >> 3) & 3
  const sampleRateHz = RATES_HZ[version]?.[((frame[2] ?? 0) >> 2) & 3] ?? 0
  if (sampleRateHz === 0) return null
  const mpeg1 = version === 3
  const mono = (frame[3] ?? 0) >> 6 === 3
  const tag = 4 + (mpeg1 ? (mono ? 17 : 32) : mono ? 9 : 17)
  const name = String.fromCharCode(...frame.subarray(tag, tag + 4))
  if (name !== 'Xing' && name !== 'Info') return null

  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  const flags = view.getUint32(tag + 4)
  let at = tag + 8
  const next = (flag: number, length: number) => {
    if (!(flags & flag)) return null
    at += length
    return view.getUint32(at - length)
  }
  const frames = next(1, 4)
  const bytes = next(2, 4)
  next(4, 100)
  next(8, 4)
  const encoder = String.fromCharCode(...frame.subarray(at, at + 4))
  const delays = at + 24 <= frame.length ? (view.getUint8(at + 21) << 16) | view.getUint16(at + 22) : 0
  const known = encoder === 'LAME' || encoder === 'Lavf' || encoder === 'Lavc'
  return {
    samplesPerFrame: mpeg1 ? 1152 : 576,
    sampleRateHz,
    frames,
    bytes,
    start,
    leadSamples: known ? (delays >> 12) + DECODER_DELAY : 0,
    trailSamples: known ? Math.max(0, (delays & 0xfff) - DECODER_DELAY) : 0,
  }
}
