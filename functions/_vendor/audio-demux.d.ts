/** The part of mediabunny that the audio analysis calls; see vendor/audio.ts. */

export interface InputFormat {
  readonly name: string
}

export const ADTS: InputFormat
export const FLAC: InputFormat
export const MATROSKA: InputFormat
export const MP3: InputFormat
export const MP4: InputFormat
export const OGG: InputFormat
export const QTFF: InputFormat
export const WEBM: InputFormat

export class CustomSource {
  constructor(options: {
    getSize: () => number
    read: (start: number, end: number) => Promise<Uint8Array>
    maxCacheSize?: number
    prefetchProfile?: 'none' | 'fileSystem' | 'network'
    handleUnhandledError?: (error: unknown) => unknown
  })
  /** Mediabunny's own: every request of a demuxer goes through it, whether the bytes are cached or not. */
  _read(start: number, end: number, minReadPosition: number, maxReadPosition: number): unknown
}

/** Times are in seconds. */
export interface EncodedPacket {
  readonly data: Uint8Array
  readonly timestamp: number
  readonly duration: number
  readonly byteLength: number
}

export interface InputAudioTrack {
  getCodec(): Promise<string | null>
  getInternalCodecId(): Promise<string | number | Uint8Array | null>
  getNumberOfChannels(): Promise<number>
  getSampleRate(): Promise<number>
  getDecoderConfig(): Promise<{ description?: BufferSource } | null>
  getDurationFromMetadata(): Promise<number | null>
  getFirstTimestamp(): Promise<number>
  computeDuration(): Promise<number>
}

export class Input {
  constructor(options: { source: CustomSource; formats: InputFormat[] })
  getFormat(): Promise<InputFormat>
  getTracks(): Promise<object[]>
  getPrimaryAudioTrack(): Promise<InputAudioTrack | null>
  dispose(): void
}

export interface PacketOptions {
  metadataOnly?: boolean
}

export class EncodedPacketSink {
  constructor(track: InputAudioTrack)
  getFirstPacket(options?: PacketOptions): Promise<EncodedPacket | null>
  getPacket(timestamp: number, options?: PacketOptions): Promise<EncodedPacket | null>
  packets(
    start?: EncodedPacket,
    end?: EncodedPacket,
    options?: PacketOptions,
  ): AsyncGenerator<EncodedPacket, void, unknown>
}
