import { createLibav, type Libav } from '../../../_vendor/audio-aac.js'
import { ReusableInstance } from '../../reusable-instance.ts'
import type { PacketDecoder } from './packet-decoder.ts'

/** Reads a file of the bucket `analysis-assets` by its name. */
export type LoadAsset = (name: string) => Promise<Uint8Array<ArrayBuffer>>

const MEDIA_TYPE_AUDIO = 1
const SAMPLE_FORMAT_FLOAT_PLANAR = 8

/** What FFmpeg returns when it needs the next packet. */
const NEED_MORE = -6

/** One FFmpeg per loader, which means one per worker, loaded with its first AAC recording; a failed load is tried again. */
const decoders = new WeakMap<LoadAsset, ReusableInstance<Libav>>()

function decoderFor(loadAsset: LoadAsset): ReusableInstance<Libav> {
  const known = decoders.get(loadAsset)
  if (known) return known
  let compiled: WebAssembly.Module | undefined
  const made = new ReusableInstance(async () => {
    // Compiled once: an instance that a damaged file has used up is replaced without compiling anything again.
    const module = compiled ?? (await WebAssembly.compile(await loadAsset('aac.wasm')))
    compiled = module
    return await createLibav({
      instantiateWasm(imports, receive) {
        const instance = new WebAssembly.Instance(module, imports)
        receive(instance)
        return instance.exports
      },
      print: () => {},
      printErr: () => {},
    })
  })
  decoders.set(loadAsset, made)
  return made
}

/** Decodes AAC-LC and HE-AAC packets of a track whose AudioSpecificConfig is given (ISO/IEC 14496-3, 1.6.2.1). */
export async function openAacDecoder(
  loadAsset: LoadAsset,
  track: { description: Uint8Array; sampleRateHz: number; channels: number },
): Promise<PacketDecoder> {
  const instances = decoderFor(loadAsset)
  const libav = await instances.acquire()
  const parameters = parametersOf(libav, track)
  const [, context, packetPointer, frame] = libav.ff_init_decoder('aac', parameters)
  libav.avcodec_parameters_free_js(parameters)
  const surplus = libav.av_frame_alloc()
  let damaged = false

  /** Whether the packet gave a frame. */
  const decodeFrame = (packet: Uint8Array): boolean => {
    libav.ff_set_packet(packetPointer, packet)
    const sent = libav.avcodec_send_packet(context, packetPointer)
    libav.av_packet_unref(packetPointer)
    if (sent < 0) {
      damaged = true
      return false
    }
    let status = libav.avcodec_receive_frame(context, frame)
    const received = status === 0
    while (status === 0) status = libav.avcodec_receive_frame(context, surplus)
    // A damaged packet; FFmpeg goes on with the next one.
    if (status !== NEED_MORE) damaged = true
    return received
  }

  return {
    preRollS: 0.1,
    decode(packet) {
      if (!decodeFrame(packet) || libav.AVFrame_format(frame) !== SAMPLE_FORMAT_FLOAT_PLANAR) return []
      const samples = libav.AVFrame_nb_samples(frame)
      const channels = Array.from({ length: libav.AVFrame_channels(frame) }, (_, channel) => {
        const start = libav.AVFrame_data_a(frame, channel)
        return new Float32Array(libav.HEAPU8.buffer, start, samples)
      })
      return [{ channels, sampleRateHz: libav.AVFrame_sample_rate(frame) }]
    },
    close(decodedToEnd) {
      if (damaged || !decodedToEnd) return
      libav.av_frame_free_js(surplus)
      libav.ff_free_decoder(context, packetPointer, frame)
      instances.release(libav)
    },
  }
}

function parametersOf(
  libav: Libav,
  {
    description,
    sampleRateHz,
    channels,
  }: { description: Uint8Array; sampleRateHz: number; channels: number },
): number {
  const parameters = libav.avcodec_parameters_alloc()
  const config = libav.malloc(description.length + 64)
  libav.HEAPU8.fill(0, config, config + description.length + 64)
  libav.HEAPU8.set(description, config)
  libav.AVCodecParameters_codec_type_s(parameters, MEDIA_TYPE_AUDIO)
  libav.AVCodecParameters_extradata_s(parameters, config)
  libav.AVCodecParameters_extradata_size_s(parameters, description.length)
  libav.AVCodecParameters_sample_rate_s(parameters, sampleRateHz)
  libav.AVCodecParameters_channels_s(parameters, channels)
  return parameters
}
