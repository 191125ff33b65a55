/** The part of libav.js (FFmpeg) that the AAC decoder calls; see engines/audio.ts. Pointers are numbers. */

export interface LibavFrame {
  data: Float32Array[]
  channels: number
  format: number
  nb_samples: number
  sample_rate: number
}

export interface Libav {
  HEAPU8: Uint8Array
  malloc(bytes: number): number
  avcodec_parameters_alloc(): number
  AVCodecParameters_codec_type_s(parameters: number, type: number): void
  AVCodecParameters_codec_id_s(parameters: number, id: number): void
  AVCodecParameters_extradata_s(parameters: number, pointer: number): void
  AVCodecParameters_extradata_size_s(parameters: number, bytes: number): void
  AVCodecParameters_sample_rate_s(parameters: number, hertz: number): void
  AVCodecParameters_channels_s(parameters: number, channels: number): void
  ff_init_decoder(
    name: string,
    parameters?: number,
  ): [codec: number, context: number, packet: number, frame: number]
  ff_decode_multi(
    context: number,
    packet: number,
    frame: number,
    packets: { data: Uint8Array; pts: number; ptshi: number; dts: number; dtshi: number }[],
    options: { fin?: boolean; ignoreErrors?: boolean },
  ): LibavFrame[]
  ff_free_decoder(context: number, packet: number, frame: number): void
}

export function createLibav(options: {
  wasmBinary: Uint8Array
  print?: (text: string) => void
  printErr?: (text: string) => void
}): Promise<Libav>
