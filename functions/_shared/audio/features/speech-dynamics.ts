import type { RecordingMeasures } from '../recording-measures.ts'
import { mean, standardDeviation } from '../statistics.ts'

/**
 * Syllables per second from the start of the first to the end of the last run of speech, pauses included (about 2 to
 * 6). Syllable nuclei after de Jong and Wempe (2009), Behavior Research Methods 41, 385-390: peaks of intensity (floor
 * 50 Hz) over the threshold of silence, at least 2 dB over the dip that follows, voiced by "To Pitch (ac): 0.02,
 * 30, 4, no, 0.03, 0.25, 0.01, 0.35, 0.25, 450".
 */
export function speechRate(measures: RecordingMeasures): number | null {
  const spanS = speechSpanSeconds(measures)
  return spanS > 0 ? measures.syllables.length / spanS : null
}

/**
 * Syllables per second of speech, pauses left out (about 3 to 7). Syllable nuclei as in `speech_rate_syllables_per_s`.
 */
export function articulationRate(measures: RecordingMeasures): number | null {
  const phonationS = phonationSeconds(measures)
  return phonationS > 0 ? measures.syllables.length / phonationS : null
}

/**
 * Part of the time between the start of the first and the end of the last run of speech that is speech (0 to 1), the
 * rest being pauses of 0.3 s or more (de Jong and Wempe 2009).
 */
export function phonationRatio(measures: RecordingMeasures): number | null {
  const spanS = speechSpanSeconds(measures)
  return spanS > 0 ? phonationSeconds(measures) / spanS : null
}

/**
 * Pauses of 0.3 s or more per minute between the first and the last run of speech (0 and up). A pause is silence 25 dB
 * under the 99th percentile of intensity (floor 50 Hz) or, in noise, within 4 dB of its 10th; sounds under 0.1 s do not end it (de Jong and Wempe 2009;
 * Praat's "To TextGrid (silences)").
 */
export function pauseRate(measures: RecordingMeasures): number | null {
  const spanS = speechSpanSeconds(measures)
  return spanS > 0 ? (60 * measures.speech.pauses.length) / spanS : null
}

/**
 * Mean duration of the pauses, in seconds (0.3 and up; 0 where there is none). Pauses as in `pause_rate_per_min`.
 */
export function pauseMean(measures: RecordingMeasures): number | null {
  const { runs, pauses } = measures.speech
  return runs.length === 0 ? null : (mean(pauses.map(({ startS, endS }) => endS - startS)) ?? 0)
}

/**
 * Standard deviation of the pauses' durations, in seconds (0 and up; null with fewer than two). Pauses as in
 * `pause_rate_per_min`.
 */
export function pauseSd(measures: RecordingMeasures): number | null {
  return standardDeviation(measures.speech.pauses.map(({ startS, endS }) => endS - startS))
}

const LONG_S = 1

/**
 * Pauses of 1 s or more per minute between the first and the last run of speech (0 and up). Pauses as in
 * `pause_rate_per_min`.
 */
export function longPauseRate(measures: RecordingMeasures): number | null {
  const spanS = speechSpanSeconds(measures)
  const long = measures.speech.pauses.filter(({ startS, endS }) => endS - startS >= LONG_S)
  return spanS > 0 ? (60 * long.length) / spanS : null
}

/**
 * Mean duration of the runs of speech between pauses, in seconds (0.1 and up). Runs are what `pause_rate_per_min` takes
 * as not silent.
 */
export function speechRunMean(measures: RecordingMeasures): number | null {
  return mean(measures.speech.runs.map(({ startS, endS }) => endS - startS))
}

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
