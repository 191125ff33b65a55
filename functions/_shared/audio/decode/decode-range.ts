import { readMp3Header } from '../container/mp3-header.ts'
import { opusPacketSeconds, opusPreSkipSeconds } from '../container/opus-packet.ts'
import { type PacketTrack, packetsBetween, withPacketTrack } from '../container/packets.ts'
import { readWavLayout, readWavMono } from '../container/wav.ts'
import { type AudioEngines, aacRuntime } from '../engines.ts'
import { ANALYSIS_RATE_HZ } from '../limits.ts'
import type { MediaSource } from '../media-source.ts'
import { readingContainer } from '../probe.ts'
import type { AudioContainer, RecordingInfo } from '../recording-info.ts'
import { createAacDecoder } from './aac.ts'
import { createFlacDecoder } from './flac.ts'
import { createMp3Decoder } from './mp3.ts'
import { createOpusDecoder } from './opus.ts'
import type { DecodedSound, PacketDecoder } from './packet-decoder.ts'
import { resample } from './resample.ts'

/** A part of a recording at the rate of the analysis; `start` is the number of its first sample within the whole. */
export interface Signal {
  samples: Float32Array
  start: number
  /** Samples, at the recording's own rate, at or beyond full scale, and samples decoded. */
  clippedSamples: number
  nativeSamples: number
}

const CLIPPING_LEVEL = 0.9995

/** Decoders of lossy sound overshoot full scale a little; more than this is damage. */
const LOUDEST_SAMPLE = 2

/** Decoders may start a little later than asked; the filter of the resampler needs some samples on both sides. */
const RESAMPLER_MARGIN_S = 0.01

/** Wav is read in pieces of this length, since a minute of it at a high rate takes much memory. */
const WAV_PIECE_S = 20

/**
 * Decodes the part of a recording between two times to 16 kHz mono, reading and decoding little else.
 * What the file lacks is silence.
 */
export async function decodeRange(
  source: MediaSource,
  info: RecordingInfo,
  startS: number,
  endS: number,
  engines: AudioEngines,
): Promise<Signal> {
  const start = Math.round(startS * ANALYSIS_RATE_HZ)
  const end = Math.round(endS * ANALYSIS_RATE_HZ)
  const { container } = info
  const isWav = container === 'wav'
  const read = isWav ? await wavReader(source) : packetReader(source, container, engines)
  const signal: Signal = {
    samples: new Float32Array(Math.max(0, end - start)),
    start,
    clippedSamples: 0,
    nativeSamples: 0,
  }
  const pieceLength = isWav ? WAV_PIECE_S * ANALYSIS_RATE_HZ : end - start
  for (let from = start; from < end; from += pieceLength) {
    const to = Math.min(from + pieceLength, end)
    const native = await read(
      from / ANALYSIS_RATE_HZ - RESAMPLER_MARGIN_S,
      to / ANALYSIS_RATE_HZ + RESAMPLER_MARGIN_S,
    )
    signal.clippedSamples += tidy(native.samples)
    signal.nativeSamples += native.samples.length
    const piece = resample(native.samples, native.rateHz, native.start, ANALYSIS_RATE_HZ, from, to - from)
    signal.samples.set(piece, from - start)
  }
  return signal
}

/** Takes off what damaged or float-coded sound may hold that is no sound; returns how many samples are clipped. */
function tidy(samples: Float32Array): number {
  let clipped = 0
  for (let i = 0; i < samples.length; i++) {
    const sample = samples[i] ?? 0
    if (Math.abs(sample) < CLIPPING_LEVEL) continue
    clipped++
    samples[i] = Number.isFinite(sample) ? Math.max(-LOUDEST_SAMPLE, Math.min(LOUDEST_SAMPLE, sample)) : 0
  }
  return clipped
}

interface NativeSound {
  samples: Float32Array
  rateHz: number
  start: number
}

/** Reads the part of a recording between two times, in seconds, at the recording's own rate. */
type NativeReader = (startS: number, endS: number) => Promise<NativeSound>

async function wavReader(source: MediaSource): Promise<NativeReader> {
  const wav = await readWavLayout(source)
  return async (startS, endS) => {
    const start = Math.max(0, Math.floor(startS * wav.sampleRateHz))
    const end = Math.ceil(endS * wav.sampleRateHz)
    return { samples: await readWavMono(source, wav, start, end), rateHz: wav.sampleRateHz, start }
  }
}

function packetReader(
  source: MediaSource,
  container: Exclude<AudioContainer, 'wav'>,
  engines: AudioEngines,
): NativeReader {
  return async (startS, endS) => {
    const leadS = container === 'mp3' ? await mp3LeadSeconds(source) : 0
    const sound = await readingContainer(container, () =>
      withPacketTrack(source, container, (track) =>
        decodePackets(track, container, leadS, startS, endS, engines),
      ),
    )
    return sound ?? { samples: new Float32Array(0), rateHz: ANALYSIS_RATE_HZ, start: 0 }
  }
}

async function mp3LeadSeconds(source: MediaSource): Promise<number> {
  const header = await readMp3Header(source)
  return header ? header.leadSamples / header.sampleRateHz : 0
}

async function decodePackets(
  track: PacketTrack,
  container: RecordingInfo['container'],
  leadS: number,
  startS: number,
  endS: number,
  engines: AudioEngines,
): Promise<NativeSound | null> {
  const decoder = await createDecoder(track, engines)
  const skipS = leadS + (container === 'webm' ? opusPreSkipSeconds(track.description) : 0)
  const preSkipS = container === 'ogg' ? opusPreSkipSeconds(track.description) : 0
  let timeline: MonoTimeline | null = null
  try {
    for await (const packet of packetsBetween(track.sink, startS + skipS - decoder.preRollS, endS + skipS)) {
      const sound = await decoder.decode(packet.data)
      if (!sound) continue
      timeline ??= new MonoTimeline(sound.sampleRateHz, startS, endS)
      const packetS = track.codec === 'opus' ? opusPacketSeconds(packet.data) : packet.duration
      // The demuxer shortens the first packet of an Ogg stream by the pre-skip, but it decodes in full.
      const isShortened = preSkipS > 0 && packet.timestamp === 0 && packet.duration < packetS
      const statedS = container === 'webm' ? snapToPackets(packet.timestamp, packetS) : packet.timestamp
      timeline.write(sound, isShortened ? -preSkipS : statedS - skipS)
    }
  } finally {
    decoder.free()
  }
  return timeline && { samples: timeline.samples, rateHz: timeline.rateHz, start: timeline.start }
}

const ROUNDING_S = 0.0021

/** WebM rounds times to the millisecond; packets of one length really begin at multiples of it. */
function snapToPackets(timeS: number, packetS: number): number {
  const snapped = Math.round(timeS / packetS) * packetS
  return Math.abs(snapped - timeS) < ROUNDING_S ? snapped : timeS
}

async function createDecoder(track: PacketTrack, engines: AudioEngines): Promise<PacketDecoder> {
  switch (track.codec) {
    case 'aac':
      return createAacDecoder(await aacRuntime(engines), track)
    case 'opus':
      return await createOpusDecoder(track)
    case 'mp3':
      return await createMp3Decoder()
    default:
      return await createFlacDecoder()
  }
}

/** Containers round times to the millisecond; only a step larger than this is a gap in the sound. */
const GAP_S = 0.03

/** Places decoded packets one after another on the recording's time line, keeping the wanted part, in mono. */
class MonoTimeline {
  readonly samples: Float32Array
  readonly rateHz: number
  readonly start: number
  #next: number | null = null

  constructor(rateHz: number, startS: number, endS: number) {
    this.rateHz = rateHz
    this.start = Math.max(0, Math.floor(startS * rateHz))
    this.samples = new Float32Array(Math.max(0, Math.ceil(endS * rateHz) - this.start))
  }

  write({ channels }: DecodedSound, timeS: number): void {
    const stated = Math.round(timeS * this.rateHz)
    const position =
      this.#next === null || Math.abs(stated - this.#next) > GAP_S * this.rateHz ? stated : this.#next
    const length = channels[0]?.length ?? 0
    this.#next = position + length
    const from = Math.max(0, this.start - position)
    const to = Math.min(length, this.start + this.samples.length - position)
    for (let i = from; i < to; i++) {
      let sum = 0
      for (const channel of channels) sum += channel[i] ?? 0
      this.samples[position + i - this.start] = sum / channels.length
    }
  }
}
