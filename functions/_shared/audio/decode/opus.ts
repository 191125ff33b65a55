import { OpusDecoder } from 'opus-decoder'
import { ReusableInstance } from '../../reusable-instance.ts'
import { ANALYSIS_RATE_HZ } from '../signal.ts'
import type { PacketDecoder } from './packet-decoder.ts'

/** The C functions of opus-decoder 0.7.12. Its own methods copy each packet's sound twice into new arrays. */
interface LibOpus {
  readonly HEAP: ArrayBuffer
  malloc(bytes: number): number
  opus_frame_decoder_create(
    sampleRate: number,
    channels: number,
    streams: number,
    coupledStreams: number,
    mapping: number,
    preSkip: number,
    forceStereo: 0 | 1,
  ): number
  opus_frame_decoder_destroy(handle: number): void
  /** @returns samples per channel, or an error below 0 */
  opus_frame_decode_float_deinterleaved(handle: number, input: number, bytes: number, output: number): number
}

declare module 'opus-decoder' {
  interface OpusDecoder {
    readonly _common: { readonly wasm: LibOpus }
  }
}

const MAX_CHANNELS = 8
const LONGEST_PACKET_SAMPLES = 5760

/** 48 frames of 1275 bytes in each of the streams (RFC 6716, section 3.4; RFC 7845, section 6). */
const INPUT_BYTES = 61440 * MAX_CHANNELS

/** Its `destroy` leaves some 23 kB a channel behind in a memory of 28 MB that cannot grow. */
const MAX_USES = 50

const instances = new ReusableInstance(async () => {
  const decoder = new OpusDecoder()
  await decoder.ready
  const { wasm } = decoder._common
  return {
    wasm,
    input: wasm.malloc(INPUT_BYTES),
    output: wasm.malloc(4 * LONGEST_PACKET_SAMPLES * MAX_CHANNELS),
    mapping: wasm.malloc(MAX_CHANNELS),
  }
}, MAX_USES)

/** Decodes Opus packets straight at the rate of the analysis. Surround layouts are read from the OpusHead. */
export async function openOpusDecoder(track: {
  description: Uint8Array
  channels: number
}): Promise<PacketDecoder> {
  const { channels } = track
  const layout = channelLayout(track)
  const instance = await instances.acquire()
  const { wasm, input, output } = instance
  new Uint8Array(wasm.HEAP, instance.mapping, channels).set(layout.mapping)
  const handle = wasm.opus_frame_decoder_create(
    ANALYSIS_RATE_HZ,
    channels,
    layout.streams,
    layout.coupledStreams,
    instance.mapping,
    0,
    0,
  )
  let damaged = false

  return {
    // RFC 7845, section 4.6, asks for at least 80 ms.
    preRollS: 0.2,
    decode(packet) {
      const fits = packet.length <= INPUT_BYTES
      if (fits) new Uint8Array(wasm.HEAP, input, packet.length).set(packet)
      const samples = fits
        ? wasm.opus_frame_decode_float_deinterleaved(handle, input, packet.length, output)
        : -1
      if (samples < 0) damaged = true
      if (samples <= 0) return []
      const sound = Array.from(
        { length: channels },
        (_, channel) => new Float32Array(wasm.HEAP, output + 4 * channel * samples, samples),
      )
      return [{ channels: sound, sampleRateHz: ANALYSIS_RATE_HZ }]
    },
    close(decodedToEnd) {
      if (damaged || !decodedToEnd) return
      wasm.opus_frame_decoder_destroy(handle)
      instances.release(instance)
    },
  }
}

/** How an OpusHead lays its channels out (RFC 7845, section 5.1.1). */
function channelLayout({ description: head, channels }: { description: Uint8Array; channels: number }): {
  streams: number
  coupledStreams: number
  mapping: Uint8Array
} {
  const mapped = (head[18] ?? 0) > 0 && head.length >= 21 + channels
  const layout = mapped
    ? { streams: head[19] ?? 1, coupledStreams: head[20] ?? 0, mapping: head.subarray(21, 21 + channels) }
    : { streams: 1, coupledStreams: channels - 1, mapping: Uint8Array.of(0, 1).subarray(0, channels) }
  const { streams, coupledStreams, mapping } = layout
  const isPossible =
    channels >= 1 &&
    channels <= (mapped ? MAX_CHANNELS : 2) &&
    streams >= 1 &&
    coupledStreams <= streams &&
    mapping.every((stream) => stream === 255 || stream < streams + coupledStreams)
  // Libopus would not open it, and the package would decode all the same.
  if (!isPossible) throw new Error('The OpusHead lays out channels that cannot be')
  return layout
}
