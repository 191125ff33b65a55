import type { RecordingMeasures } from '../recording-measures.ts'

/** The fundamental frequency of the voiced frames, in hertz. */
export function voicedHertz({ pitch }: RecordingMeasures): Float64Array {
  return pitch.values.filter((hertz) => hertz > 0)
}

/** The fundamental frequency of the voiced frames, in semitones over 1 Hz. */
export function voicedSemitones(measures: RecordingMeasures): Float64Array {
  return voicedHertz(measures).map((hertz) => 12 * Math.log2(hertz))
}
