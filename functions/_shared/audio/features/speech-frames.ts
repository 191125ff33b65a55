import type { Contour, RecordingMeasures } from '../recording-measures.ts'

/** The values of a contour from the start of the first to the end of the last run of speech, missing ones left out. */
export function framesOfSpeechSpan({ speech }: RecordingMeasures, { grid, values }: Contour): Float64Array {
  const startS = speech.runs[0]?.startS ?? 0
  const endS = speech.runs.at(-1)?.endS ?? 0
  return values.filter((value, frame) => {
    const timeS = grid.firstS + frame * grid.stepS
    return !Number.isNaN(value) && timeS >= startS && timeS < endS
  })
}

/** The intensity, in dB, of the frames within runs of speech. */
export function speechIntensities({ speech, intensity: { grid, values } }: RecordingMeasures): number[] {
  const kept: number[] = []
  const frameAt = (timeS: number) => Math.max(0, Math.ceil((timeS - grid.firstS) / grid.stepS))
  for (const { startS, endS } of speech.runs) {
    values.subarray(frameAt(startS), frameAt(endS)).forEach((db) => {
      if (!Number.isNaN(db)) kept.push(db)
    })
  }
  return kept
}
