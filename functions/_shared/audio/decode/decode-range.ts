import { type PacketTrack, packetsBetween, withPacketTrack } from '../container/demuxer.ts'
import { implausible } from '../container/limits.ts'
import { readMp3Header } from '../container/mp3.ts'
import { opusPacketSeconds, opusPreSkipSeconds } from '../container/ogg-opus.ts'
import { readWavChannels, readWavLayout } from '../container/wav.ts'
import { type MediaSource, type RecordingInfo, requireUsualSound } from '../recording.ts'
import { ANALYSIS_RATE_HZ, type Signal, silence } from '../signal.ts'
import type { LoadAsset } from './aac.ts'
import type { DecodedSound, PacketDecoder } from './packet-decoder.ts'
import { MARGIN_S, SignalWriter } from './resampling.ts'

/** Sample frames of wav that are read at once. */
const WAV_PIECE_FRAMES = 32768

/**
 * Decodes the part of a recording between two times to 16 kHz mono, reading and decoding little else.
 * Missing sound becomes silence.
 *
 * @param loadAsset loads the AAC decoder, when the recording needs it
 * @throws AudioError when the container is damaged
 */
export async function decodeRange(
  source: MediaSource,
  info: RecordingInfo,
  startS: number,
  endS: number,
  loadAsset: LoadAsset,
): Promise<Signal> {
  const signal = silence(Math.round(startS * ANALYSIS_RATE_HZ), Math.round(endS * ANALYSIS_RATE_HZ))
  const { container } = info
  if (container === 'wav') await readWav(source, signal)
  else {
    const leadS = container === 'mp3' ? await mp3LeadSeconds(source) : 0
    await withPacketTrack(source, container, (track) =>
      decodePackets(track, container, leadS, signal, loadAsset),
    )
  }
  return signal
}

async function readWav(source: MediaSource, signal: Signal): Promise<void> {
  const wav = await readWavLayout(source)
  const writer = new SignalWriter(signal, wav.sampleRateHz)
  for (let from = writer.start; from < writer.end; from += WAV_PIECE_FRAMES) {
    const to = Math.min(writer.end, from + WAV_PIECE_FRAMES)
    writer.write(await readWavChannels(source, wav, from, to), from)
  }
  writer.finish()
}

async function mp3LeadSeconds(source: MediaSource): Promise<number> {
  const header = await readMp3Header(source)
  return header ? header.leadSamples / header.sampleRateHz : 0
}

async function decodePackets(
  track: PacketTrack,
  container: RecordingInfo['container'],
  leadS: number,
  signal: Signal,
  loadAsset: LoadAsset,
): Promise<void> {
  const startS = signal.start / ANALYSIS_RATE_HZ - MARGIN_S
  const endS = (signal.start + signal.samples.length) / ANALYSIS_RATE_HZ + MARGIN_S
  const skipS = leadS + (container === 'webm' ? opusPreSkipSeconds(track.description) : 0)
  const preSkipS = container === 'ogg' ? opusPreSkipSeconds(track.description) : 0
  const decoder = await openDecoder(track, loadAsset)
  const budget = new DecodingBudget(endS - startS + decoder.preRollS)
  let placed: PlacedSound | null = null
  let decodedToEnd = false
  try {
    for await (const packet of packetsBetween(track.sink, startS + skipS - decoder.preRollS, endS + skipS)) {
      budget.spendPacket()
      const packetS = track.codec === 'opus' ? opusPacketSeconds(packet.data) : packet.duration
      // The demuxer shortens the first packet of an Ogg stream by the pre-skip, but it decodes in full.
      const isShortened = preSkipS > 0 && packet.timestamp === 0 && packet.duration < packetS
      const statedS = container === 'webm' ? snapToPackets(packet.timestamp, packetS) : packet.timestamp
      let timeS = isShortened ? -preSkipS : statedS - skipS
      for (const sound of decoder.decode(packet.data)) {
        budget.spendSound(sound)
        placed ??= new PlacedSound(signal, sound.sampleRateHz)
        placed.write(sound, timeS)
        timeS += (sound.channels[0]?.length ?? 0) / sound.sampleRateHz
      }
    }
    decodedToEnd = true
  } finally {
    decoder.close(decodedToEnd)
  }
  placed?.finish()
}

const ROUNDING_S = 0.0021

/** WebM rounds times to the millisecond; packets of one length really begin at multiples of it. */
function snapToPackets(timeS: number, packetS: number): number {
  const snapped = Math.round(timeS / packetS) * packetS
  return Math.abs(snapped - timeS) < ROUNDING_S ? snapped : timeS
}

/** Imports only the decoder that the recording needs, because a worker often ends before it meets another kind. */
async function openDecoder(track: PacketTrack, loadAsset: LoadAsset): Promise<PacketDecoder> {
  switch (track.codec) {
    case 'aac': {
      const { openAacDecoder } = await import('./aac.ts')
      return await openAacDecoder(loadAsset, track)
    }
    case 'opus': {
      const { openOpusDecoder } = await import('./opus.ts')
      return await openOpusDecoder(track)
    }
    case 'mp3': {
      const { openMp3Decoder } = await import('./mp3.ts')
      return await openMp3Decoder()
    }
    default: {
      const { openFlacDecoder } = await import('./flac.ts')
      return await openFlacDecoder()
    }
  }
}

/** Packets of 5 ms; recorders write 20 ms and more. */
const PACKETS_PER_S = 200

/** A packet may begin before the part and end after it, and times may overlap. */
const SPARE_S = 5

/**
 * Bounds what is decoded for a part of a recording by the part's length: the times of packets are only declared, and a million
 * of them may claim to begin in the same second.
 */
class DecodingBudget {
  #packets: number
  #soundS: number
  #first: { sampleRateHz: number; channels: number } | null = null

  constructor(partS: number) {
    this.#packets = Math.ceil((partS + SPARE_S) * PACKETS_PER_S)
    this.#soundS = 1.25 * (partS + SPARE_S)
  }

  spendPacket(): void {
    if (--this.#packets < 0) throw implausible('more packets')
  }

  spendSound({ channels, sampleRateHz }: DecodedSound): void {
    if (!this.#first) {
      this.#first = { sampleRateHz, channels: channels.length }
      requireUsualSound(this.#first)
    }
    // Later packets may be at another rate, or with more channels: what they cost counts, not what they claim.
    const more = Math.max(1, channels.length / Math.max(2, this.#first.channels))
    this.#soundS -= (more * (channels[0]?.length ?? 0)) / this.#first.sampleRateHz
    if (this.#soundS < 0) throw implausible('more sound')
  }
}

/** Containers round times to the millisecond; only a step larger than this is a gap in the sound. */
const GAP_S = 0.03

/** Places decoded packets one after another on the recording's time line. */
class PlacedSound {
  readonly #writer: SignalWriter
  readonly #rateHz: number
  #next: number | null = null

  constructor(signal: Signal, rateHz: number) {
    this.#writer = new SignalWriter(signal, rateHz)
    this.#rateHz = rateHz
  }

  write({ channels }: DecodedSound, timeS: number): void {
    const stated = Math.round(timeS * this.#rateHz)
    const isGap = this.#next === null || Math.abs(stated - this.#next) > GAP_S * this.#rateHz
    const position = isGap ? stated : (this.#next ?? stated)
    this.#writer.write(channels, position)
    this.#next = position + (channels[0]?.length ?? 0)
  }

  finish(): void {
    this.#writer.finish()
  }
}
