import type { LoadAsset } from './decode/aac.ts'
import { decodeRange } from './decode/decode-range.ts'
import { kernels } from './kernels.ts'
import { cepstrumGrid, measureCepstralPeak } from './measures/cepstral-peak.ts'
import { harmonicityDb, harmonicityGrid, measureHarmonicity } from './measures/harmonicity.ts'
import {
  INTENSITY_FLOOR_HZ,
  intensityGrid,
  measureIntensity,
  SYLLABLE_FLOOR_HZ,
} from './measures/intensity.ts'
import { COEFFICIENTS, MelCepstrum } from './measures/mel-cepstrum.ts'
import { findPitchCandidates, findPitchPath, PITCH, pitchGrid, SYLLABLE_PITCH } from './measures/pitch.ts'
import { findPulses, pulseAmplitudes } from './measures/pulses.ts'
import { FFT_SIZE, measureSpectralBalance } from './measures/spectral-balance.ts'
import type { MediaSource, RecordingInfo } from './recording.ts'
import { ANALYSIS_RATE_HZ, framesBetween, release, type Signal } from './signal.ts'
import { type AudioSlice, type AudioSliceOutcome, pack, packTimes, SCALES, SILENT_DB } from './slices.ts'
import { EVERY, summarizeVoice, type VoiceFrame } from './speakers.ts'

/** Sound before and after the slice that is analysed with it, so that voiced intervals across the border are seen whole. */
const CONTEXT_S = 0.6

const melCepstrum = new MelCepstrum(FFT_SIZE)

/** Further sound that the windows of the outermost frames reach into. */
const WINDOW_MARGIN_S = 0.1

/**
 * Measures one slice of a recording. What depends on the whole recording (thresholds relative to its loudest sample,
 * voicing, pauses) is left to `mergeSlices`.
 *
 * @param loadAsset loads the AAC decoder, when the recording needs it
 * @throws AudioError when the container is damaged
 */
export async function analyzeSlice(
  source: MediaSource,
  info: RecordingInfo,
  slice: AudioSlice,
  loadAsset: LoadAsset,
): Promise<AudioSliceOutcome> {
  const { durationS } = info
  const { startS, endS } = slice
  const marginS = CONTEXT_S + WINDOW_MARGIN_S
  const signal = await decodeRange(
    source,
    info,
    Math.max(0, startS - marginS),
    Math.min(durationS, endS + marginS),
    loadAsset,
  )
  try {
    removeOffset(signal)
    return measureSlice(signal, durationS, slice)
  } finally {
    release(signal)
  }
}

function measureSlice(signal: Signal, durationS: number, slice: AudioSlice): AudioSliceOutcome {
  const { startS, endS } = slice
  const contextStartS = Math.max(0, startS - CONTEXT_S)
  const contextEndS = Math.min(durationS, endS + CONTEXT_S)
  const peak = peakBetween(signal, startS, endS)
  const isLast = endS >= durationS
  const own = (grid: Parameters<typeof framesBetween>[0]) =>
    framesBetween(grid, startS, isLast ? Number.POSITIVE_INFINITY : endS)

  const grid = pitchGrid(durationS)
  const context = framesBetween(grid, contextStartS, contextEndS)
  const candidates = findPitchCandidates(signal, grid, context.from, context.to, peak, PITCH)
  const hertz = findPitchPath(candidates, peak, PITCH)
  const pulses = findPulses(signal, { grid, firstFrame: context.from, hertz }, peak)
  const amplitudes = pulseAmplitudes(signal, pulses)
  const ownPulses = pulses.flatMap((timeS, i) =>
    timeS >= startS && (isLast || timeS < endS) ? [{ timeS, amplitude: amplitudes[i] ?? 0 }] : [],
  )

  const frames = own(grid)
  const at = (frame: number) => frame - context.from
  const counts = candidates.counts.subarray(at(frames.from), at(frames.to))
  const candidatesOf = (counted: Uint8Array) => counted.reduce((sum, count) => sum + count, 0)
  const firstCandidate = candidatesOf(candidates.counts.subarray(0, at(frames.from)))
  const keep = (values: Float32Array) =>
    values.subarray(firstCandidate, firstCandidate + candidatesOf(counts))
  const hasCandidates = (_: number, i: number) => (counts[i] ?? 0) > 0
  const voice: VoiceFrame[] = []
  const balance = measureSpectralBalance(
    signal,
    grid,
    frames.from,
    frames.to,
    (frame) => (hertz[at(frame)] ?? 0) > 0,
    (frame, power) => {
      if (frame % EVERY !== 0) return
      const values = new Float64Array(COEFFICIENTS + 1)
      const levelDb = melCepstrum.measure(power, values)
      values[COEFFICIENTS] = 12 * Math.log2(hertz[at(frame)] ?? 1)
      voice.push({ frame, levelDb, values })
    },
  )

  const loudness = intensityGrid(durationS, INTENSITY_FLOOR_HZ)
  const loudnessFrames = own(loudness)
  const syllables = intensityGrid(durationS, SYLLABLE_FLOOR_HZ)
  const syllableFrames = own(syllables)
  const voicing = pitchGrid(durationS, SYLLABLE_PITCH)
  const voicingContext = framesBetween(voicing, contextStartS, contextEndS)
  const voicingFrames = own(voicing)
  const voiced = findPitchPath(
    findPitchCandidates(signal, voicing, voicingContext.from, voicingContext.to, peak, SYLLABLE_PITCH),
    peak,
    SYLLABLE_PITCH,
  ).map((hz) => (hz > 0 ? 1 : 0))
  const harmonics = harmonicityGrid(durationS)
  const harmonicFrames = own(harmonics)
  const harmonicity = measureHarmonicity(signal, harmonics, harmonicFrames.from, harmonicFrames.to, peak)
  const cepstrum = cepstrumGrid(durationS)
  const cepstrumFrames = own(cepstrum)

  return {
    version: 1,
    index: slice.index,
    startS,
    endS,
    peak,
    clippedSamples: signal.clippedSamples,
    nativeSamples: signal.nativeSamples,
    pitch: {
      first: frames.from,
      localPeakDb: pack(
        candidates.localPeak.subarray(at(frames.from), at(frames.to)).map(decibels),
        SCALES.localPeakDb,
      ),
      counts: pack(counts, SCALES.counts),
      frequencies: pack(Float64Array.from(keep(candidates.frequencies), Math.log2), SCALES.frequencies),
      strengths: pack(keep(candidates.strengths), SCALES.strengths),
    },
    balance: {
      alphaRatioDb: pack(balance.alphaRatioDb.filter(hasCandidates), SCALES.ratioDb),
      hammarbergDb: pack(balance.hammarbergDb.filter(hasCandidates), SCALES.ratioDb),
    },
    intensity: {
      first: loudnessFrames.from,
      db: pack(
        measureIntensity(signal, loudness, INTENSITY_FLOOR_HZ, loudnessFrames.from, loudnessFrames.to),
        SCALES.intensityDb,
      ),
    },
    syllables: {
      first: syllableFrames.from,
      db: pack(
        measureIntensity(signal, syllables, SYLLABLE_FLOOR_HZ, syllableFrames.from, syllableFrames.to),
        SCALES.syllableDb,
      ),
      voicedFirst: voicingFrames.from,
      voiced: pack(
        voiced.subarray(voicingFrames.from - voicingContext.from, voicingFrames.to - voicingContext.from),
        SCALES.voiced,
      ),
    },
    harmonicity: {
      first: harmonicFrames.from,
      strengthDb: pack(harmonicity.strengths.map(harmonicityDb), SCALES.strengthDb),
      localPeakDb: pack(harmonicity.localPeak.map(decibels), SCALES.localPeakDb),
    },
    cepstrum: {
      first: cepstrumFrames.from,
      prominenceDb: pack(
        measureCepstralPeak(signal, cepstrum, cepstrumFrames.from, cepstrumFrames.to),
        SCALES.prominenceDb,
      ),
    },
    voice: summarizeVoice(voice),
    pulses: {
      times: packTimes(ownPulses.map(({ timeS }) => timeS - startS)),
      amplitudesDb: pack(
        ownPulses.map(({ amplitude }) => decibels(amplitude)),
        SCALES.amplitudesDb,
      ),
    },
  }
}

/** A constant that is less of the sound's level changes no measure. Every sixteenth sample tells it well enough. */
const HEARD_OFFSET = 0.2
const SAMPLED = 16

/** Takes off the mean: the constant that some microphones add would count as amplitude. */
function removeOffset({ samples }: Signal): void {
  let [sum, squares, count] = [0, 0, 0]
  for (let i = 0; i < samples.length; i += SAMPLED) {
    const sample = samples[i] ?? 0
    sum += sample
    squares += sample * sample
    count++
  }
  const mean = sum / count
  if (!(Math.abs(mean) > HEARD_OFFSET * Math.sqrt(squares / count))) return
  for (let i = 0; i < samples.length; i++) samples[i] = (samples[i] ?? 0) - mean
}

function decibels(amplitude: number): number {
  return amplitude > 0 ? Math.max(SILENT_DB, 20 * Math.log10(amplitude)) : SILENT_DB
}

/** The loudest sample between two times, the mean of that part taken off. */
function peakBetween({ samples, start }: Signal, startS: number, endS: number): number {
  const part = samples.subarray(
    Math.max(0, Math.round(startS * ANALYSIS_RATE_HZ) - start),
    Math.max(0, Math.round(endS * ANALYSIS_RATE_HZ) - start),
  )
  if (part.length === 0) return 0
  const memory = kernels()
  return memory.run.peak(memory.place(part), part.length)
}
