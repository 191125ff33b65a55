import type { RecordingMeasures } from '../recording-measures.ts'
import { alphaRatio } from './alpha-ratio.ts'
import { articulationRate } from './articulation-rate.ts'
import { cpps } from './cpps.ts'
import { f0Mean } from './f0-mean.ts'
import { f0Range } from './f0-range.ts'
import { f0Sd } from './f0-sd.ts'
import { f0Slope } from './f0-slope.ts'
import { hammarbergIndex } from './hammarberg-index.ts'
import { hnr } from './hnr.ts'
import { intensityMean } from './intensity-mean.ts'
import { intensityRange } from './intensity-range.ts'
import { intensitySd } from './intensity-sd.ts'
import { jitterLocal } from './jitter-local.ts'
import { longPauseRate } from './long-pause-rate.ts'
import { pauseMean } from './pause-mean.ts'
import { pauseRate } from './pause-rate.ts'
import { pauseSd } from './pause-sd.ts'
import { phonationRatio } from './phonation-ratio.ts'
import { shimmerLocal } from './shimmer-local.ts'
import { speechRate } from './speech-rate.ts'
import { speechRunMean } from './speech-run-mean.ts'
import { voiceBreakFraction } from './voice-break-fraction.ts'
import { voicedFraction } from './voiced-fraction.ts'

interface FeatureDefinition {
  name: string
  unit: string
  group: 'prosody' | 'speech_dynamics' | 'voice_quality'
  /** The value, or null where the recording does not allow it to be measured. */
  extract(measures: RecordingMeasures): number | null
}

/** The features of a spoken recording, in the order in which they are stored. */
export const AUDIO_FEATURES = [
  { name: 'f0_mean_hz', unit: 'hertz', group: 'prosody', extract: f0Mean },
  { name: 'f0_sd_semitones', unit: 'semitones', group: 'prosody', extract: f0Sd },
  { name: 'f0_range_semitones', unit: 'semitones', group: 'prosody', extract: f0Range },
  { name: 'f0_slope_semitones_per_s', unit: 'semitones per second', group: 'prosody', extract: f0Slope },
  { name: 'intensity_mean_db', unit: 'dB re 2e-5 Pa', group: 'prosody', extract: intensityMean },
  { name: 'intensity_sd_db', unit: 'dB', group: 'prosody', extract: intensitySd },
  { name: 'intensity_range_db', unit: 'dB', group: 'prosody', extract: intensityRange },
  { name: 'voiced_fraction', unit: 'fraction', group: 'prosody', extract: voicedFraction },
  {
    name: 'speech_rate_syllables_per_s',
    unit: 'syllables per second',
    group: 'speech_dynamics',
    extract: speechRate,
  },
  {
    name: 'articulation_rate_syllables_per_s',
    unit: 'syllables per second',
    group: 'speech_dynamics',
    extract: articulationRate,
  },
  { name: 'phonation_ratio', unit: 'fraction', group: 'speech_dynamics', extract: phonationRatio },
  { name: 'pause_rate_per_min', unit: 'per minute', group: 'speech_dynamics', extract: pauseRate },
  { name: 'pause_mean_s', unit: 'seconds', group: 'speech_dynamics', extract: pauseMean },
  { name: 'pause_sd_s', unit: 'seconds', group: 'speech_dynamics', extract: pauseSd },
  { name: 'long_pause_rate_per_min', unit: 'per minute', group: 'speech_dynamics', extract: longPauseRate },
  { name: 'speech_run_mean_s', unit: 'seconds', group: 'speech_dynamics', extract: speechRunMean },
  { name: 'jitter_local', unit: 'fraction', group: 'voice_quality', extract: jitterLocal },
  { name: 'shimmer_local', unit: 'fraction', group: 'voice_quality', extract: shimmerLocal },
  { name: 'hnr_db', unit: 'dB', group: 'voice_quality', extract: hnr },
  { name: 'cpps_db', unit: 'dB', group: 'voice_quality', extract: cpps },
  { name: 'alpha_ratio_db', unit: 'dB', group: 'voice_quality', extract: alphaRatio },
  { name: 'hammarberg_index_db', unit: 'dB', group: 'voice_quality', extract: hammarbergIndex },
  { name: 'voice_break_fraction', unit: 'fraction', group: 'voice_quality', extract: voiceBreakFraction },
] as const satisfies readonly FeatureDefinition[]

export type AudioFeature = (typeof AUDIO_FEATURES)[number]
export type AudioFeatureName = AudioFeature['name']
