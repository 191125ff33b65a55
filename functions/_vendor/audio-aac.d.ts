/** The part of libav.js (FFmpeg) that the AAC decoder calls; see vendor/audio.ts. Pointers are numbers. */

export interface Libav {
  /** Replaced when the memory grows. */
  HEAPU8: Uint8Array<ArrayBuffer>
  malloc(bytes: number): number
  avcodec_parameters_alloc(): number
  /** Frees the extradata too. */
  avcodec_parameters_free_js(parameters: number): void
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
  ff_set_packet(packet: number, data: Uint8Array): void
  avcodec_send_packet(context: number, packet: number): number
  av_packet_unref(packet: number): void
  /** Releases the frame's previous data. */
  avcodec_receive_frame(context: number, frame: number): number
  av_frame_alloc(): number
  av_frame_free_js(frame: number): void
  AVFrame_format(frame: number): number
  AVFrame_channels(frame: number): number
  AVFrame_nb_samples(frame: number): number
  AVFrame_sample_rate(frame: number): number
  AVFrame_data_a(frame: number, channel: number): number
  ff_free_decoder(context: number, packet: number, frame: number): void
}

export function createLibav(options: {
  /** Gives `receive` an instance of `aac.wasm` with these imports, and returns its exports. */
  instantiateWasm(
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance) => void,
  ): WebAssembly.Exports
  print?: (text: string) => void
  printErr?: (text: string) => void
}): Promise<Libav>
