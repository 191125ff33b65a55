import {
  ADTS,
  CustomSource,
  type EncodedPacket,
  EncodedPacketSink,
  FLAC,
  Input,
  type InputAudioTrack,
  type InputFormat,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  WEBM,
} from '../../../_vendor/audio-demux.js'
import { DecoderUnavailableError } from '../../reusable-instance.ts'
import { type AudioContainer, AudioError, type MediaSource, truncated } from '../recording.ts'
import { implausible } from './limits.ts'

const FORMATS: Record<Exclude<AudioContainer, 'wav'>, InputFormat[]> = {
  m4a: [MP4, QTFF],
  webm: [WEBM, MATROSKA],
  ogg: [OGG],
  mp3: [MP3],
  flac: [FLAC],
  adts: [ADTS],
}

const CACHE_BYTES = 1024 * 1024

/** What one use of a track may ask of the demuxer: several requests a packet, and the file's bytes some times over. */
const MAX_REQUESTS = 600_000
const SPARE_BYTES = 768 * 1024 * 1024

/** The demuxer's source, which ends a search that would go over a file again and again. */
class BoundedSource extends CustomSource {
  #requests = MAX_REQUESTS
  #bytes = SPARE_BYTES

  override _read(start: number, end: number, from: number, to: number): unknown {
    this.#requests--
    this.#bytes -= end - start
    if (this.#requests < 0 || this.#bytes < 0) throw implausible('more sound')
    return super._read(start, end, from, to)
  }
}

/** The audio track of a container: what it holds, and its compressed packets in order. */
export interface PacketTrack {
  codec: string | null
  internalCodec: string
  sampleRateHz: number
  channels: number
  /** The codec's private data (AudioSpecificConfig, OpusHead, …), empty when there is none. */
  description: Uint8Array
  sink: EncodedPacketSink
  track: InputAudioTrack
}

/**
 * Opens a container's audio track, lets `use` work with it, and closes it.
 *
 * @returns what `use` returns, or null when the container holds video but no sound
 * @throws AudioError `audio_truncated` when the container's index is missing or the demuxer or `use` fails; what failed outside
 *   the recording, its storage or the loading of a decoder, is thrown as it is
 */
export async function withPacketTrack<T>(
  source: MediaSource,
  container: Exclude<AudioContainer, 'wav'>,
  use: (track: PacketTrack) => Promise<T>,
): Promise<T | null> {
  let unread: { cause: unknown } | null = null
  const read = async (start: number, end: number) => {
    try {
      return await source.read(start, end)
    } catch (cause) {
      unread = { cause }
      throw cause
    }
  }
  try {
    return await openTrack({ size: source.size, read }, container, use)
  } catch (error) {
    if (unread) throw (unread as { cause: unknown }).cause
    if (error instanceof AudioError || error instanceof DecoderUnavailableError) throw error
    throw truncated({ container })
  }
}

async function openTrack<T>(
  source: MediaSource,
  container: Exclude<AudioContainer, 'wav'>,
  use: (track: PacketTrack) => Promise<T>,
): Promise<T | null> {
  const input = new Input({
    source: new BoundedSource({
      getSize: () => source.size,
      read: source.read,
      prefetchProfile: 'fileSystem',
      // Packets are read once, in order; the source keeps what it fetched as well.
      maxCacheSize: CACHE_BYTES,
      handleUnhandledError: () => {},
    }),
    formats: FORMATS[container],
  })
  try {
    const track = await input.getPrimaryAudioTrack()
    if (!track) {
      if ((await input.getTracks()).length > 0) return null
      throw new AudioError(
        'audio_truncated',
        'The recording is cut off: its index is missing. Record or send it again.',
      )
    }
    const config = await track.getDecoderConfig()
    return await use({
      codec: await track.getCodec(),
      internalCodec: String(await track.getInternalCodecId()),
      sampleRateHz: await track.getSampleRate(),
      channels: await track.getNumberOfChannels(),
      description: toBytes(config?.description),
      sink: new EncodedPacketSink(track),
      track,
    })
  } finally {
    input.dispose()
  }
}

/** The packets from the one that holds `startS` up to the first that begins at or after `endS`. */
export async function* packetsBetween(
  sink: EncodedPacketSink,
  startS: number,
  endS: number,
): AsyncGenerator<EncodedPacket, void, unknown> {
  const first = (await sink.getPacket(startS)) ?? (await sink.getFirstPacket())
  if (!first) return
  for await (const packet of sink.packets(first)) {
    if (packet.timestamp >= endS) return
    yield packet
  }
}

function toBytes(source: BufferSource | undefined): Uint8Array {
  if (!source) return new Uint8Array(0)
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)
}
