import { type PacketTrack, withPacketTrack } from './container/demuxer.ts'
import { flacBeginsAnew, lastFlacSample } from './container/flac.ts'
import { behindId3 } from './container/id3.ts'
import { severalRecordings } from './container/limits.ts'
import { readMp3Header } from './container/mp3.ts'
import { endsInsideOggPage, opusPacketSeconds, opusPreSkipSeconds } from './container/ogg-opus.ts'
import { walkAdts } from './container/walk-adts.ts'
import { walkFlac } from './container/walk-flac.ts'
import { walkMp3 } from './container/walk-mp3.ts'
import { walkMp4 } from './container/walk-mp4.ts'
import { walkOgg } from './container/walk-ogg.ts'
import { walkWebm } from './container/walk-webm.ts'
import { readWavLayout } from './container/wav.ts'
import {
  type AudioContainer,
  AudioError,
  MAX_RECORDING_S,
  type MediaSource,
  MIN_RECORDING_S,
  type RecordingInfo,
  readClipped,
  requireUsualSound,
  tooLong,
  truncated,
} from './recording.ts'
import { ANALYSIS_RATE_HZ } from './signal.ts'

/**
 * Walks through a container's raw bytes, in one pass and with fixed limits, before a demuxer or a decoder sees them: those believe
 * what a file declares.
 *
 * @throws AudioError when the file declares more than it holds, or than a recording of 20 minutes needs
 */
const walkContainer: Record<Exclude<AudioContainer, 'wav'>, (source: MediaSource) => Promise<void>> = {
  m4a: walkMp4,
  webm: walkWebm,
  ogg: walkOgg,
  mp3: walkMp3,
  flac: walkFlac,
  adts: walkAdts,
}

const CODECS = { aac: 'aac', opus: 'opus', mp3: 'mp3', flac: 'flac' } as const

/** How far a file may fall short of the length that it declares before it counts as cut off, in seconds. */
const TRUNCATION_TOLERANCE_S = 0.25

/**
 * Finds out what a recording is and how long it lasts, without decoding it: walks through the container's bytes, then has the
 * demuxer read headers and index, and the packets' times where the index lacks them.
 *
 * @throws AudioError with the code that says why it cannot be analysed
 */
export async function probeRecording(source: MediaSource): Promise<RecordingInfo> {
  if (source.size === 0)
    throw new AudioError('audio_empty', 'The recording is empty. Record and send it again.')
  const container = await sniffContainer(source)
  const info = container === 'wav' ? await probeWav(source) : await probePackets(source, container)

  if (!Number.isFinite(info.durationS) || info.durationS <= 0) {
    throw new AudioError('audio_truncated', 'The recording holds no sound. Record and send it again.')
  }
  if (info.durationS > MAX_RECORDING_S) throw tooLong(info.durationS)
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
  await walkContainer[container](source)
  const info = await withPacketTrack(source, container, async (track): Promise<RecordingInfo> => {
    const codec = knownCodec(track)
    // Opus is decoded at the rate of the analysis, whatever the container says.
    requireUsualSound(codec === 'opus' ? { ...track, sampleRateHz: ANALYSIS_RATE_HZ } : track)
    const durationS = await DURATIONS[container](source, track)
    return { container, codec, durationS, sampleRateHz: track.sampleRateHz, channels: track.channels }
  })
  if (!info)
    throw new AudioError(
      'audio_unsupported',
      'The file holds no sound. Send a recording with an audio track.',
    )
  return info
}

function knownCodec(track: PacketTrack): RecordingInfo['codec'] {
  // First what the container says: of AAC that is protected, the demuxer still finds that it is AAC.
  const named = FORMAT_NAMES.get(track.internalCodec)
  if (named) throw unsupported(named)
  const codec = CODECS[track.codec as keyof typeof CODECS]
  if (codec) return codec
  throw unsupported(formatName(track.codec ?? track.internalCodec))
}

/** What people call the sound of a track, by the name that its container or the demuxer has for it. */
const FORMAT_NAMES = new Map([
  ['alac', 'Apple Lossless (ALAC)'],
  ['samr', 'AMR'],
  ['sawb', 'AMR-WB'],
  ['sevs', 'EVS'],
  ['drms', 'AAC protected by a shop'],
  ['ac3', 'Dolby Digital (AC-3)'],
  ['eac3', 'Dolby Digital Plus (E-AC-3)'],
  ['ac-4', 'Dolby AC-4'],
  ['vorbis', 'Vorbis'],
])

/** Of names that are not known only a short one in plain letters is passed on: a file may hold anything there. */
function formatName(name: string): string {
  const known = FORMAT_NAMES.get(name)
  if (known) return known
  if (name.startsWith('pcm-')) return 'PCM outside a wav'
  return /^[\w/. -]{2,24}$/.test(name) ? name.trim() : 'an unknown format'
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
    if (await flacBeginsAnew(source, { minBlockSize })) throw severalRecordings()
    const lastSample = await lastFlacSample(source, { minBlockSize })
    const heldS = (lastSample ?? 0) / sampleRateHz
    if (!declaredS) return heldS
    if (declaredS - heldS > TRUNCATION_TOLERANCE_S) throw truncated()
    if (heldS - declaredS > TRUNCATION_TOLERANCE_S) throw severalRecordings()
    return declaredS
  },

  // Its frames say nothing of the whole: the walk through all of them finds one that is cut off.
  adts: async (_source, { track }) => await track.computeDuration(),
}

const ACCEPTED = 'Send m4a or aac (AAC), webm or ogg (Opus), mp3, wav or flac.'

function unsupported(format: string): AudioError {
  return new AudioError('audio_unsupported', `A recording as ${format} is not accepted. ${ACCEPTED}`, {
    format,
  })
}

/** Bytes from the start of a recording that are enough to tell its container, and of an Ogg what it holds. */
const SNIFF_BYTES = 64

/** Of the first page of an Ogg, before the lengths of what it holds (RFC 3533, section 6). */
const OGG_HEADER_BYTES = 27

/**
 * Tells the container from the first bytes; a file's name and declared type are not to be trusted.
 *
 * @throws AudioError `audio_unsupported` for a known format that is not accepted, `audio_unreadable` for anything else
 */
async function sniffContainer(source: MediaSource): Promise<AudioContainer> {
  const head = await readClipped(source, 0, SNIFF_BYTES)
  const ascii = String.fromCharCode(...head)
  const at = (offset: number, text: string) => ascii.startsWith(text, offset)
  const byte = (offset: number) => head[offset] ?? 0

  if (at(4, 'ftyp') || ['moov', 'mdat', 'wide', 'free', 'skip', 'styp', 'moof'].some((box) => at(4, box)))
    return 'm4a'
  if (byte(0) === 0x1a && byte(1) === 0x45 && byte(2) === 0xdf && byte(3) === 0xa3) return 'webm'
  if (at(0, 'OggS')) {
    // The demuxer finds no track in one that it cannot read.
    const packetAt = OGG_HEADER_BYTES + byte(OGG_HEADER_BYTES - 1)
    if (at(packetAt, '\x7fFLAC')) throw unsupported('FLAC in Ogg')
    if (at(packetAt, 'Speex   ')) throw unsupported('Speex')
    return 'ogg'
  }
  if ((at(0, 'RIFF') || at(0, 'RF64')) && at(8, 'WAVE')) return 'wav'
  if (at(0, 'fLaC')) return 'flac'
  if (at(0, 'ID3')) return await sniffBehindId3(source)
  if (isAdts(head)) return 'adts'

  const rejected = REJECTED.find(([start]) => at(0, start))
  if (rejected) throw unsupported(rejected[1])

  if (isMpegLayer3(head)) return 'mp3'
  throw new AudioError('audio_unreadable', `The file is not an audio recording. ${ACCEPTED}`)
}

/** How files begin that are known but not accepted, the longer beginning first. */
const REJECTED: readonly (readonly [start: string, format: string])[] = [
  ['#!AMR-WB', 'AMR-WB'],
  ['#!AMR', 'AMR'],
  ['caff', 'CAF (Core Audio)'],
  ['FORM', 'AIFF'],
  ['.snd', 'AU'],
  ['ADIF', 'AAC in ADIF'],
  ['0&²u', 'WMA'],
  ['RIFF', 'RIFF without WAVE'],
]

/** What an ID3 tag is written before: nearly always an mp3, by some recorders raw AAC, by some taggers FLAC. */
async function sniffBehindId3(source: MediaSource): Promise<AudioContainer> {
  const start = await behindId3(source)
  const head = await readClipped(source, start, start + SNIFF_BYTES)
  if (String.fromCharCode(...head).startsWith('fLaC')) throw unsupported('FLAC behind an ID3 tag')
  return isAdts(head) ? 'adts' : 'mp3'
}

function isAdts(head: Uint8Array): boolean {
  return head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0
}

function isMpegLayer3(head: Uint8Array): boolean {
  const [sync = 0, version = 0, rates = 0] = head
  const validRates = rates >> 4 !== 15 && rates >> 4 !== 0 && ((rates >> 2) & 3) !== 3
  return sync === 0xff && (version & 0xe6) === 0xe2 && ((version >> 3) & 3) !== 1 && validRates
}
