import { AudioError } from './audio-error.ts'
import { lastFlacSample } from './container/flac-tail.ts'
import { readMp3Header } from './container/mp3-header.ts'
import { endsInsideOggPage } from './container/ogg-tail.ts'
import { opusPacketSeconds, opusPreSkipSeconds } from './container/opus-packet.ts'
import { type PacketTrack, withPacketTrack } from './container/packets.ts'
import { SNIFF_BYTES, sniffContainer } from './container/sniff.ts'
import { readWavLayout } from './container/wav.ts'
import { MAX_RECORDING_S, MIN_RECORDING_S, TRUNCATION_TOLERANCE_S } from './limits.ts'
import { type MediaSource, readClipped } from './media-source.ts'
import type { AudioContainer, RecordingInfo } from './recording-info.ts'

const CODECS = { aac: 'aac', opus: 'opus', mp3: 'mp3', flac: 'flac' } as const

const CUT_OFF = 'The recording is cut off: the file ends before its sound does. Record or send it again.'

/**
 * Says what a recording is and how long it lasts, without decoding it: reads the container's headers and index, and
 * the packets' times where the index lacks them.
 *
 * @throws AudioError with the code that says why it cannot be analysed
 */
export async function probeRecording(source: MediaSource): Promise<RecordingInfo> {
  if (source.size === 0)
    throw new AudioError('audio_empty', 'The recording is empty. Record and send it again.')
  const container = sniffContainer(await readClipped(source, 0, SNIFF_BYTES))
  const info = container === 'wav' ? await probeWav(source) : await probePackets(source, container)

  if (!Number.isFinite(info.durationS) || info.durationS <= 0) {
    throw new AudioError('audio_truncated', 'The recording holds no sound. Record and send it again.')
  }
  if (info.durationS > MAX_RECORDING_S) {
    throw new AudioError(
      'audio_too_long',
      `The recording lasts ${Math.round(info.durationS)} s; at most ${MAX_RECORDING_S} s are analysed. Send a shorter one.`,
      { duration_s: Math.round(info.durationS), max_s: MAX_RECORDING_S },
    )
  }
  if (info.durationS < MIN_RECORDING_S) {
    throw new AudioError(
      'audio_too_short',
      `The recording lasts ${info.durationS.toFixed(2)} s; at least ${MIN_RECORDING_S} s are needed. Record a longer one.`,
      { duration_s: Number(info.durationS.toFixed(2)), min_s: MIN_RECORDING_S },
    )
  }
  return info
}

async function probeWav(source: MediaSource): Promise<RecordingInfo> {
  const wav = await readWavLayout(source)
  if ((wav.declaredFrames - wav.frames) / wav.sampleRateHz > TRUNCATION_TOLERANCE_S) throw truncated()
  return {
    container: 'wav',
    codec: 'pcm',
    durationS: wav.frames / wav.sampleRateHz,
    sampleRateHz: wav.sampleRateHz,
    channels: wav.channels,
  }
}

async function probePackets(
  source: MediaSource,
  container: Exclude<AudioContainer, 'wav'>,
): Promise<RecordingInfo> {
  const info = await readingContainer(container, () =>
    withPacketTrack(source, container, async (track): Promise<RecordingInfo> => {
      const codec = knownCodec(track, container)
      const durationS = await DURATIONS[container](source, track)
      return { container, codec, durationS, sampleRateHz: track.sampleRateHz, channels: track.channels }
    }),
  )
  if (!info)
    throw new AudioError(
      'audio_unsupported',
      'The file holds no sound. Send a recording with an audio track.',
    )
  return info
}

/** Runs `read`, turning the demuxer's complaints about damaged input into one about the recording. */
export async function readingContainer<T>(container: AudioContainer, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof AudioError) throw error
    throw new AudioError('audio_truncated', CUT_OFF, { container })
  }
}

function knownCodec(track: PacketTrack, container: AudioContainer): RecordingInfo['codec'] {
  const codec = CODECS[track.codec as keyof typeof CODECS]
  if (codec) return codec
  const name = track.codec ?? track.internalCodec
  throw new AudioError(
    'audio_unsupported',
    `Sound coded as ${name} in ${container} is not accepted. Send AAC or Opus, or mp3, flac or wav.`,
    { codec: name },
  )
}

type DurationReader = (source: MediaSource, track: PacketTrack) => Promise<number>

const DURATIONS: Record<Exclude<AudioContainer, 'wav'>, DurationReader> = {
  m4a: async (_source, { track, sink }) => {
    const durationS = await track.computeDuration()
    const last = await sink.getPacket(Number.POSITIVE_INFINITY)
    if (!last || last.data.length < last.byteLength) throw truncated()
    return durationS
  },

  webm: async (_source, { track, sink, description }) => {
    const last = await sink.getPacket(Number.POSITIVE_INFINITY)
    if (!last) throw truncated()
    const heldS = last.timestamp + opusPacketSeconds(last.data)
    const declaredS = await track.getDurationFromMetadata()
    if (declaredS !== null && declaredS - heldS > TRUNCATION_TOLERANCE_S) throw truncated()
    return heldS - opusPreSkipSeconds(description)
  },

  ogg: async (source, { track }) => {
    if (await endsInsideOggPage(source)) throw truncated()
    return await track.computeDuration()
  },

  mp3: async (source, { track }) => {
    const header = await readMp3Header(source)
    if (!header?.frames) return await track.computeDuration()
    const frameBytes = header.bytes === null ? 0 : header.bytes / header.frames
    const missing = header.bytes === null ? 0 : header.start + header.bytes - source.size
    const missingS =
      frameBytes > 0 ? ((missing / frameBytes) * header.samplesPerFrame) / header.sampleRateHz : 0
    if (missingS > TRUNCATION_TOLERANCE_S) throw truncated()
    const samples = header.frames * header.samplesPerFrame - header.leadSamples - header.trailSamples
    return samples / header.sampleRateHz
  },

  flac: async (source, { track, description, sampleRateHz }) => {
    const declaredS = await track.getDurationFromMetadata()
    const minBlockSize = ((description[8] ?? 0) << 8) + (description[9] ?? 0)
    const lastSample = await lastFlacSample(source, { minBlockSize })
    const heldS = (lastSample ?? 0) / sampleRateHz
    if (!declaredS) return heldS
    if (declaredS - heldS > TRUNCATION_TOLERANCE_S) throw truncated()
    return declaredS
  },
}

function truncated(): AudioError {
  return new AudioError('audio_truncated', CUT_OFF)
}
