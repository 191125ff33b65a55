import type { Conditions } from '../conditions.ts'
import type { RecordingMeasures } from '../recording-measures.ts'
import {
  f0Mean,
  f0Range,
  f0Sd,
  f0Slope,
  intensityMean,
  intensityRange,
  intensitySd,
  voicedFraction,
} from './prosody.ts'
import {
  articulationRate,
  longPauseRate,
  pauseMean,
  pauseRate,
  pauseSd,
  phonationRatio,
  speechRate,
  speechRunMean,
} from './speech-dynamics.ts'
import {
  alphaRatio,
  cpps,
  hammarbergIndex,
  hnr,
  jitterLocal,
  shimmerLocal,
  voiceBreakFraction,
} from './voice-quality.ts'

interface FeatureDefinition {
  name: string
  unit: string
  group: 'prosody' | 'speech_dynamics' | 'voice_quality'
  /** What it takes to know it; else it is missing, which is better than wrong. */
  needs: Needs
  /** The value, or null where the recording does not allow it to be measured. */
  extract(measures: RecordingMeasures): number | null
}

/** The least signal-to-noise ratio, in dB, and whether echoes must have died away. */
type Needs = { snrDb: number; noEcho: boolean }

/** Pitch and level stand out from noise; its pauses are found down to 8 dB; the fine structure of a voice drowns first. */
const ANY: Needs = { snrDb: 0, noEcho: false }
const PAUSES: Needs = { snrDb: 8, noEcho: false }
const FINE: Needs = { snrDb: 22, noEcho: true }

/** Whether a feature can be known under these conditions. */
export function isKnown({ needs }: { needs: Needs }, { snrDb, reverberant }: Conditions): boolean {
  return (snrDb ?? 0) >= needs.snrDb && !(needs.noEcho && reverberant)
}

/** The features of a spoken recording, in the order in which they are stored. */
export const AUDIO_FEATURES = [
  { name: 'f0_mean_hz', unit: 'hertz', group: 'prosody', needs: ANY, extract: f0Mean },
  { name: 'f0_sd_semitones', unit: 'semitones', group: 'prosody', needs: ANY, extract: f0Sd },
  { name: 'f0_range_semitones', unit: 'semitones', group: 'prosody', needs: ANY, extract: f0Range },
  {
    name: 'f0_slope_semitones_per_s',
    unit: 'semitones per second',
    group: 'prosody',
    needs: ANY,
    extract: f0Slope,
  },
  { name: 'intensity_mean_db', unit: 'dB re 2e-5 Pa', group: 'prosody', needs: ANY, extract: intensityMean },
  { name: 'intensity_sd_db', unit: 'dB', group: 'prosody', needs: FINE, extract: intensitySd },
  { name: 'intensity_range_db', unit: 'dB', group: 'prosody', needs: FINE, extract: intensityRange },
  { name: 'voiced_fraction', unit: 'fraction', group: 'prosody', needs: PAUSES, extract: voicedFraction },
  {
    name: 'speech_rate_syllables_per_s',
    unit: 'syllables per second',
    group: 'speech_dynamics',
    needs: PAUSES,
    extract: speechRate,
  },
  {
    name: 'articulation_rate_syllables_per_s',
    unit: 'syllables per second',
    group: 'speech_dynamics',
    needs: PAUSES,
    extract: articulationRate,
  },
  {
    name: 'phonation_ratio',
    unit: 'fraction',
    group: 'speech_dynamics',
    needs: PAUSES,
    extract: phonationRatio,
  },
  {
    name: 'pause_rate_per_min',
    unit: 'per minute',
    group: 'speech_dynamics',
    needs: PAUSES,
    extract: pauseRate,
  },
  { name: 'pause_mean_s', unit: 'seconds', group: 'speech_dynamics', needs: PAUSES, extract: pauseMean },
  { name: 'pause_sd_s', unit: 'seconds', group: 'speech_dynamics', needs: PAUSES, extract: pauseSd },
  {
    name: 'long_pause_rate_per_min',
    unit: 'per minute',
    group: 'speech_dynamics',
    needs: PAUSES,
    extract: longPauseRate,
  },
  {
    name: 'speech_run_mean_s',
    unit: 'seconds',
    group: 'speech_dynamics',
    needs: PAUSES,
    extract: speechRunMean,
  },
  { name: 'jitter_local', unit: 'fraction', group: 'voice_quality', needs: FINE, extract: jitterLocal },
  { name: 'shimmer_local', unit: 'fraction', group: 'voice_quality', needs: FINE, extract: shimmerLocal },
  { name: 'hnr_db', unit: 'dB', group: 'voice_quality', needs: FINE, extract: hnr },
  { name: 'cpps_db', unit: 'dB', group: 'voice_quality', needs: FINE, extract: cpps },
  { name: 'alpha_ratio_db', unit: 'dB', group: 'voice_quality', needs: FINE, extract: alphaRatio },
  { name: 'hammarberg_index_db', unit: 'dB', group: 'voice_quality', needs: FINE, extract: hammarbergIndex },
  {
    name: 'voice_break_fraction',
    unit: 'fraction',
    group: 'voice_quality',
    needs: FINE,
    extract: voiceBreakFraction,
  },
] as const satisfies readonly FeatureDefinition[]

type AudioFeature = (typeof AUDIO_FEATURES)[number]
export type AudioFeatureName = AudioFeature['name']
