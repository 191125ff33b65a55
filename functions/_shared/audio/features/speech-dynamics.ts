import type { AudioFeatureName } from '../../features/audio.ts'
import type { Extractors } from '../../features/definition.ts'
import type { RecordingMeasures } from '../recording-measures.ts'
import { mean, standardDeviation } from '../statistics.ts'

const LONG_S = 1

/** Pace, pauses and runs of speech; what each measures, and how: `AUDIO_DEFINITIONS`. */
export const SPEECH_DYNAMICS = {
  speech_rate_syllables_per_s(measures) {
    const spanS = speechSpanSeconds(measures)
    return spanS > 0 ? measures.syllables.length / spanS : null
  },

  articulation_rate_syllables_per_s(measures) {
    const phonationS = phonationSeconds(measures)
    return phonationS > 0 ? measures.syllables.length / phonationS : null
  },

  phonation_ratio(measures) {
    const spanS = speechSpanSeconds(measures)
    return spanS > 0 ? phonationSeconds(measures) / spanS : null
  },

  pause_rate_per_min(measures) {
    const spanS = speechSpanSeconds(measures)
    return spanS > 0 ? (60 * measures.speech.pauses.length) / spanS : null
  },

  pause_mean_s(measures) {
    const { runs, pauses } = measures.speech
    return runs.length === 0 ? null : (mean(pauses.map(({ startS, endS }) => endS - startS)) ?? 0)
  },

  pause_sd_s(measures) {
    return standardDeviation(measures.speech.pauses.map(({ startS, endS }) => endS - startS))
  },

  long_pause_rate_per_min(measures) {
    const spanS = speechSpanSeconds(measures)
    const long = measures.speech.pauses.filter(({ startS, endS }) => endS - startS >= LONG_S)
    return spanS > 0 ? (60 * long.length) / spanS : null
  },

  speech_run_mean_s(measures) {
    return mean(measures.speech.runs.map(({ startS, endS }) => endS - startS))
  },
} satisfies Partial<Extractors<AudioFeatureName, RecordingMeasures>>

/** Seconds of speech. */
function phonationSeconds({ speech }: RecordingMeasures): number {
  return speech.runs.reduce((sum, { startS, endS }) => sum + endS - startS, 0)
}

/** Seconds of speech and of the pauses between: neither the silence around it nor slices that are missing. */
function speechSpanSeconds(measures: RecordingMeasures): number {
  return measures.speech.pauses.reduce(
    (sum, { startS, endS }) => sum + endS - startS,
    phonationSeconds(measures),
  )
}
