import type { RecordingMeasures } from '../recording-measures.ts'

/** Seconds of speech. */
export function phonationSeconds({ speech }: RecordingMeasures): number {
  return speech.runs.reduce((sum, { startS, endS }) => sum + endS - startS, 0)
}

/** Seconds of speech and of the pauses between: neither the silence around it nor slices that are missing. */
export function speechSpanSeconds(measures: RecordingMeasures): number {
  return measures.speech.pauses.reduce(
    (sum, { startS, endS }) => sum + endS - startS,
    phonationSeconds(measures),
  )
}
