import { ramp } from '../numbers.ts'
import type { RecordingMeasures } from './recording-measures.ts'
import { frameFrom } from './signal.ts'

type AudioQualityReason =
  | 'silent'
  | 'too_little_speech'
  | 'slices_missing'
  | 'clipped'
  | 'too_noisy'
  | 'second_speaker'
  | 'reverberant'
  | 'gain_controlled'
  | 'pauses_cleaned'

/** How far the features of a recording can be trusted. */
export interface AudioQuality {
  /** 0 (of no use) to 1. */
  score: number
  /** Level of the speech over that of the noise; null where there is nothing to compare. */
  snr_db: number | null
  /** Part of the samples at or beyond full scale. */
  clipping_fraction: number
  /** Seconds of speech: runs with voiced frames, as far as these can belong to speech. */
  speech_s: number
  duration_s: number
  /** What lowers the score most; null when nothing does. */
  reason: AudioQualityReason | null
}

/** A recording whose loudest frame stays under this is silent: 60 dB below a full-scale sine. */
const SILENT_BELOW_DB = 31

const MIN_SPEECH_S = 2
const ENOUGH_SPEECH_S = 10
const SNR_DB = { useless: 2, poor: 17, good: 25 }
const SECOND_SPEAKER = 0.4
const REVERBERANT = 0.5
const GAIN_CONTROLLED = 0.5
const PAUSES_CLEANED = 0.7
const CLIPPING = { noticed: 0.001, poor: 0.01, useless: 0.1 }

/** Runs with less voicing than this, in seconds, are noise, not speech. */
const MIN_VOICE_S = 0.05

/**
 * A second of voicing is found in so many seconds of speech at most: in whispers and under noise as loud as the voice still in every
 * twentieth. Noise without a pause is one long run, in which some is found by chance.
 */
const MOST_SPEECH_A_VOICED_S = 20

/** Rates a recording by its signal-to-noise ratio, clipping, duration of speech, and the slices that were analysed. */
export function rateQuality(measures: RecordingMeasures): AudioQuality {
  const { durationS, clippingFraction } = measures
  const facts = { clipping_fraction: clippingFraction, duration_s: durationS }
  if (isSilent(measures)) {
    const reason = measures.coveredS > 0 ? 'silent' : 'slices_missing'
    return { ...facts, score: 0, snr_db: null, speech_s: 0, reason }
  }
  const speechS = secondsOfSpeech(measures)
  const { snrDb, secondSpeaker, reverberant, gainControlled, pausesCleaned } = measures.conditions
  const coverage = Math.min(1, measures.coveredS / durationS)
  const factors: Record<Exclude<AudioQualityReason, 'silent'>, number> = {
    too_little_speech:
      speechS < MIN_SPEECH_S ? 0.1 * (speechS / MIN_SPEECH_S) : ramp(speechS, 0, ENOUGH_SPEECH_S) ** 0.5,
    slices_missing: coverage,
    clipped: 1 - ramp(clippingFraction, CLIPPING.noticed, CLIPPING.useless),
    too_noisy: snrDb === null ? 0.5 : ramp(snrDb, SNR_DB.useless, SNR_DB.good) ** 1.5,
    second_speaker: secondSpeaker ? SECOND_SPEAKER : 1,
    reverberant: reverberant ? REVERBERANT : 1,
    gain_controlled: gainControlled ? GAIN_CONTROLLED : 1,
    pauses_cleaned: pausesCleaned ? PAUSES_CLEANED : 1,
  }
  return {
    ...facts,
    score: Object.values(factors).reduce((product, factor) => product * factor, 1),
    snr_db: snrDb,
    speech_s: speechS,
    reason: mainReason(measures, speechS, coverage),
  }
}

export function isSilent({ peak, intensity }: RecordingMeasures): boolean {
  return peak === 0 || !intensity.values.some((db) => db >= SILENT_BELOW_DB)
}

/** Whether a ratio of signal to noise is that of noise, in which speech is hardly found; null where nothing was heard. */
export function isDrowned(snrDb: number | null): boolean {
  return snrDb === null || snrDb < SNR_DB.poor
}

function mainReason(
  { durationS, clippingFraction, conditions }: RecordingMeasures,
  speechS: number,
  coverage: number,
): AudioQualityReason | null {
  // In noise little of the speech is found, if the recording is long enough to hold more.
  if (conditions.snrDb !== null && isDrowned(conditions.snrDb) && durationS >= 2 * MIN_SPEECH_S)
    return 'too_noisy'
  if (speechS < MIN_SPEECH_S) return 'too_little_speech'
  if (coverage < 0.999) return 'slices_missing'
  if (clippingFraction > CLIPPING.poor) return 'clipped'
  if (conditions.secondSpeaker) return 'second_speaker'
  if (conditions.pausesCleaned) return 'pauses_cleaned'
  if (conditions.reverberant) return 'reverberant'
  if (conditions.gainControlled) return 'gain_controlled'
  return null
}

function secondsOfSpeech({ speech, pitch }: RecordingMeasures): number {
  return speech.runs.reduce((sum, { startS, endS }) => {
    const frames = pitch.values.subarray(frameFrom(pitch.grid, startS), frameFrom(pitch.grid, endS))
    const voicedS = frames.filter((hertz) => hertz > 0).length * pitch.grid.stepS
    return voicedS < MIN_VOICE_S ? sum : sum + Math.min(endS - startS, MOST_SPEECH_A_VOICED_S * voicedS)
  }, 0)
}
