import { AudioError, type MediaSource, readClipped, requireUsualSound } from '../recording.ts'
import { implausible, severalRecordings } from './limits.ts'

type SampleFormat = 'u8' | 's16' | 's24' | 's32' | 'f32' | 'f64'

/** Where the samples of a wav file lie and how they are coded. */
interface WavLayout {
  format: SampleFormat
  sampleRateHz: number
  channels: number
  /** First byte of the samples. */
  dataStart: number
  /** Sample frames that the file declares, and that it holds. */
  declaredFrames: number
  frames: number
  frameBytes: number
}

const MAX_CHUNKS = 64
/** Bytes behind the sound that are no chunk and are left alone. */
const STRAY_BYTES = 4096

const UNKNOWN_LENGTHS = [0, 0xffffffff, 0x7fffffff, 0xfffffffe]

/** Reads the chunk headers of a RIFF/WAVE file (ITU-R BS.2088 for RF64, whose 64-bit lengths are taken as "to the end"). */
export async function readWavLayout(source: MediaSource): Promise<WavLayout> {
  let format: { kind: SampleFormat; channels: number; rate: number; frameBytes: number } | null = null
  let offset = 12
  for (let chunk = 0; chunk < MAX_CHUNKS && offset + 8 <= source.size; chunk++) {
    const header = await readClipped(source, offset, offset + 8 + 40)
    const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
    const id = String.fromCharCode(...header.subarray(0, 4))
    const length = view.getUint32(4, true)
    if (id === 'fmt ') format = readFormat(view)
    if (id === 'data') {
      if (!format) break
      const dataStart = offset + 8
      const available = source.size - dataStart
      if (!UNKNOWN_LENGTHS.includes(length))
        await requireNoFurtherSound(source, dataStart + length + (length % 2))
      const declared = UNKNOWN_LENGTHS.includes(length) ? available : length
      return {
        format: format.kind,
        sampleRateHz: format.rate,
        channels: format.channels,
        dataStart,
        frameBytes: format.frameBytes,
        declaredFrames: Math.floor(declared / format.frameBytes),
        frames: Math.floor(Math.min(declared, available) / format.frameBytes),
      }
    }
    offset += 8 + length + (length % 2)
  }
  throw new AudioError('audio_truncated', 'The wav file ends before its samples. Record and send it again.')
}

/** Throws where sound follows that of the first chunk `data`, or what is no chunk: a writer that was ended leaves a length that is too small. */
async function requireNoFurtherSound(source: MediaSource, from: number): Promise<void> {
  let offset = from
  for (let chunk = 0; chunk < MAX_CHUNKS && offset + 8 <= source.size; chunk++) {
    const header = await readClipped(source, offset, offset + 8)
    const id = String.fromCharCode(...header.subarray(0, 4))
    if (id === 'data' || id === 'RIFF' || id === 'RF64') throw severalRecordings()
    if (header.every((byte) => byte === 0)) return
    if (!/^[\x20-\x7e]{4}$/.test(id)) {
      if (source.size - offset > STRAY_BYTES) throw implausible('less')
      return
    }
    const length = new DataView(header.buffer, header.byteOffset).getUint32(4, true)
    offset += 8 + length + (length % 2)
  }
}

function readFormat(view: DataView) {
  if (view.byteLength < 24)
    throw new AudioError('audio_truncated', 'The wav file ends in its header. Send it again.')
  const declaredTag = view.getUint16(8, true)
  const tag = declaredTag === 0xfffe && view.byteLength >= 34 ? view.getUint16(32, true) : declaredTag
  const channels = view.getUint16(10, true)
  const rate = view.getUint32(12, true)
  const bits = view.getUint16(22, true)
  const kind = sampleFormat(tag, bits)
  if (!kind) {
    throw new AudioError(
      'audio_unsupported',
      'Only uncompressed wav (PCM or float) is accepted. Send PCM wav or m4a.',
      { format: 'compressed wav' },
    )
  }
  requireUsualSound({ sampleRateHz: rate, channels })
  return { kind, channels, rate, frameBytes: channels * (bits / 8) }
}

function sampleFormat(tag: number, bits: number): SampleFormat | null {
  if (tag === 1)
    return bits === 8 ? 'u8' : bits === 16 ? 's16' : bits === 24 ? 's24' : bits === 32 ? 's32' : null
  if (tag === 3) return bits === 32 ? 'f32' : bits === 64 ? 'f64' : null
  return null
}

/** Reads sample frames `from` up to `to`: an array for each channel, full scale at ±1. */
export async function readWavChannels(
  source: MediaSource,
  wav: WavLayout,
  from: number,
  to: number,
): Promise<Float32Array[]> {
  const start = Math.max(0, Math.min(from, wav.frames))
  const end = Math.max(start, Math.min(to, wav.frames))
  const bytes = await readClipped(
    source,
    wav.dataStart + start * wav.frameBytes,
    wav.dataStart + end * wav.frameBytes,
  )
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const sampleBytes = wav.frameBytes / wav.channels
  return Array.from({ length: wav.channels }, (_, channel) => {
    const samples = new Float32Array(end - start)
    for (let frame = 0; frame < samples.length; frame++) {
      const sample = readSample(view, frame * wav.frameBytes + channel * sampleBytes, wav.format)
      samples[frame] = Number.isFinite(sample) ? sample : 0
    }
    return samples
  })
}

function readSample(view: DataView, offset: number, format: SampleFormat): number {
  switch (format) {
    case 'u8':
      return (view.getUint8(offset) - 128) / 128
    case 's16':
      return view.getInt16(offset, true) / 32768
    case 's24':
      return (view.getInt8(offset + 2) * 65536 + view.getUint16(offset, true)) / 8388608
    case 's32':
      return view.getInt32(offset, true) / 2147483648
    case 'f32':
      return view.getFloat32(offset, true)
    case 'f64':
      return view.getFloat64(offset, true)
  }
}
