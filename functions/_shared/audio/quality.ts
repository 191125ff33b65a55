import { ramp } from '../numbers.ts'
import type { RecordingMeasures } from './recording-measures.ts'
import { energyMeanDb, quantile } from './statistics.ts'

type AudioQualityReason = 'silent' | 'too_little_speech' | 'slices_missing' | 'clipped' | 'too_noisy'

/** How far the features of a recording can be trusted. */
export interface AudioQuality {
  /** 0 (of no use) to 1. */
  score: number
  /** Level of the speech over that of the pauses; null where there is nothing to compare. */
  snr_db: number | null
  /** Part of the samples at or beyond full scale. */
  clipping_fraction: number
  /** Seconds of speech: runs with voiced frames. */
  speech_s: number
  duration_s: number
  /** What lowers the score most; null when nothing does. */
  reason: AudioQualityReason | null
}

/** A recording whose loudest frame stays under this is silent: 60 dB below a full-scale sine. */
const SILENT_BELOW_DB = 31

const MIN_SPEECH_S = 2
const ENOUGH_SPEECH_S = 10
const SNR_DB = { useless: 3, poor: 10, good: 20 }
const CLIPPING = { noticed: 0.001, poor: 0.01, useless: 0.1 }
const MAX_SNR_DB = 80

/** Runs with less voicing than this, in seconds, are noise, not speech. */
const MIN_VOICE_S = 0.05

/** Rates a recording by its signal-to-noise ratio, clipping, duration of speech, and the slices that were analysed. */
export function rateQuality(measures: RecordingMeasures): AudioQuality {
  const { durationS, clippingFraction } = measures
  const facts = { clipping_fraction: clippingFraction, duration_s: durationS }
  if (isSilent(measures)) {
    const reason = measures.coveredS > 0 ? 'silent' : 'slices_missing'
    return { ...facts, score: 0, snr_db: null, speech_s: 0, reason }
  }
  const speechS = secondsOfSpeech(measures)
  const snrDb = signalToNoise(measures)
  const coverage = Math.min(1, measures.coveredS / durationS)
  const factors: Record<Exclude<AudioQualityReason, 'silent'>, number> = {
    too_little_speech:
      speechS < MIN_SPEECH_S ? 0.1 * (speechS / MIN_SPEECH_S) : ramp(speechS, 0, ENOUGH_SPEECH_S) ** 0.5,
    slices_missing: coverage,
    clipped: 1 - ramp(clippingFraction, CLIPPING.noticed, CLIPPING.useless),
    too_noisy: snrDb === null ? 0.5 : ramp(snrDb, SNR_DB.useless, SNR_DB.good),
  }
  return {
    ...facts,
    score: Object.values(factors).reduce((product, factor) => product * factor, 1),
    snr_db: snrDb,
    speech_s: speechS,
    reason: mainReason(speechS, coverage, clippingFraction, snrDb),
  }
}

export function isSilent({ peak, intensity }: RecordingMeasures): boolean {
  return peak === 0 || !intensity.values.some((db) => db >= SILENT_BELOW_DB)
}

function mainReason(
  speechS: number,
  coverage: number,
  clippingFraction: number,
  snrDb: number | null,
): AudioQualityReason | null {
  if (speechS < MIN_SPEECH_S) return 'too_little_speech'
  if (coverage < 0.999) return 'slices_missing'
  if (clippingFraction > CLIPPING.poor) return 'clipped'
  if (snrDb !== null && snrDb < SNR_DB.poor) return 'too_noisy'
  return null
}

function secondsOfSpeech({ speech, pitch }: RecordingMeasures): number {
  return speech.runs.reduce((sum, { startS, endS }) => {
    const from = Math.ceil((startS - pitch.grid.firstS) / pitch.grid.stepS)
    const to = Math.ceil((endS - pitch.grid.firstS) / pitch.grid.stepS)
    const voiced = pitch.values
      .subarray(Math.max(0, from), Math.max(0, to))
      .filter((hertz) => hertz > 0).length
    return voiced * pitch.grid.stepS >= MIN_VOICE_S ? sum + endS - startS : sum
  }, 0)
}

function signalToNoise({ speech, intensity: { grid, values } }: RecordingMeasures): number | null {
  const timeOf = (frame: number) => grid.firstS + frame * grid.stepS
  const sounding: number[] = []
  const quiet: number[] = []
  let run = 0
  values.forEach((db, frame) => {
    if (Number.isNaN(db)) return
    while (run < speech.runs.length - 1 && timeOf(frame) > (speech.runs[run]?.endS ?? 0)) run++
    const { startS = 0, endS = 0 } = speech.runs[run] ?? {}
    if (timeOf(frame) >= startS && timeOf(frame) <= endS) sounding.push(db)
    else quiet.push(db)
  })
  const signalDb = energyMeanDb(sounding)
  // The softest part of the pauses: their edges hold the ends of words.
  const noiseDb = quantile(
    quiet.length > 0.05 * sounding.length ? quiet : sounding,
    quiet.length > 0 ? 0.25 : 0.02,
  )
  if (signalDb === null || noiseDb === null) return null
  return Math.max(0, Math.min(MAX_SNR_DB, signalDb - noiseDb))
}
