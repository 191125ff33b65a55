import { createLibav, type Libav } from '../../../_engines/audio-aac.js'
import type { PacketDecoder } from './packet-decoder.ts'

export type AacRuntime = Libav

const MEDIA_TYPE_AUDIO = 1
const SAMPLE_FORMAT_FLOAT_PLANAR = 8

/** Instantiates FFmpeg's AAC decoder from the bytes of its WebAssembly module. */
export async function loadAacRuntime(wasmBinary: Uint8Array): Promise<AacRuntime> {
  return await createLibav({ wasmBinary, print: () => {}, printErr: () => {} })
}

/** Decodes AAC-LC and HE-AAC packets of a track whose AudioSpecificConfig is given (ISO/IEC 14496-3, 1.6.2.1). */
export function createAacDecoder(
  libav: AacRuntime,
  track: { description: Uint8Array; sampleRateHz: number; channels: number },
): PacketDecoder {
  const parameters = libav.avcodec_parameters_alloc()
  const config = libav.malloc(track.description.length + 64)
  libav.HEAPU8.fill(0, config, config + track.description.length + 64)
  libav.HEAPU8.set(track.description, config)
  libav.AVCodecParameters_codec_type_s(parameters, MEDIA_TYPE_AUDIO)
  libav.AVCodecParameters_extradata_s(parameters, config)
  libav.AVCodecParameters_extradata_size_s(parameters, track.description.length)
  libav.AVCodecParameters_sample_rate_s(parameters, track.sampleRateHz)
  libav.AVCodecParameters_channels_s(parameters, track.channels)
  const [, context, packetPointer, framePointer] = libav.ff_init_decoder('aac', parameters)

  const decodeOne = (data: Uint8Array) => {
    try {
      const packets = [{ data, pts: 0, ptshi: 0, dts: 0, dtshi: 0 }]
      return libav.ff_decode_multi(context, packetPointer, framePointer, packets, {})[0]
    } catch {
      // A damaged packet; FFmpeg goes on with the next one.
      return undefined
    }
  }

  return {
    preRollS: 0.1,
    decode(packet) {
      const frame = decodeOne(packet)
      if (!frame || frame.format !== SAMPLE_FORMAT_FLOAT_PLANAR) return null
      return { channels: frame.data, sampleRateHz: frame.sample_rate }
    },
    free: () => libav.ff_free_decoder(context, packetPointer, framePointer),
  }
}
