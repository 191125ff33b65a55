import type { RecordingMeasures } from '../recording-measures.ts'
import { type Contour, frameFrom } from '../signal.ts'
import { energyMeanDb, mean, quantiles, standardDeviation } from '../statistics.ts'

/**
 * Mean fundamental frequency of the voiced frames, in hertz (75 to 500).
 * Praat: "To Pitch (ac): 0.01, 75, 15, no, 0.03, 0.45, 0.01, 0.35, 0.14, 500", "Get mean: 0, 0, Hertz" (Boersma 1993).
 */
export function f0Mean(measures: RecordingMeasures): number | null {
  return mean(voicedHertz(measures))
}

/**
 * Standard deviation of the fundamental frequency over the voiced frames, in semitones (0 and up).
 * Praat: "Get standard deviation: 0, 0, semitones" of the pitch of `f0_mean_hz`.
 */
export function f0Sd(measures: RecordingMeasures): number | null {
  return standardDeviation(voicedSemitones(measures))
}

/**
 * Distance between the 5th and the 95th percentile of the fundamental frequency, in semitones (0 and up).
 * Praat: "Get quantile: 0, 0, 0.95, Hertz" and 0.05 of the pitch of `f0_mean_hz`.
 */
export function f0Range(measures: RecordingMeasures): number | null {
  const ends = quantiles(voicedSemitones(measures), 0.05, 0.95)
  return ends && ends[1] - ends[0]
}

/**
 * Mean absolute slope of the fundamental frequency, in semitones per second (0 and up): the changes between one voiced
 * frame and the next, over unvoiced ones too, by the time from the first to the last voiced frame.
 * Praat: "Get mean absolute slope: Semitones" of the pitch of `f0_mean_hz`.
 */
export function f0Slope({ pitch: { values, grid } }: RecordingMeasures): number | null {
  let change = 0
  let seconds = 0
  let previous: number | null = null
  values.forEach((hertz, frame) => {
    if (Number.isNaN(hertz)) previous = null
    if (!(hertz > 0)) return
    if (previous !== null) {
      change += Math.abs(12 * Math.log2(hertz / (values[previous] ?? hertz)))
      seconds += (frame - previous) * grid.stepS
    }
    previous = frame
  })
  return seconds > 0 ? change / seconds : null
}

/**
 * Mean intensity of the recording in dB re 2e-5 Pa, a full-scale sample standing for 1 Pa (at most 94).
 * Praat: "To Intensity: 100, 0, yes", "Get mean: 0, 0, energy".
 */
export function intensityMean(measures: RecordingMeasures): number | null {
  return energyMeanDb(measures.intensity.values.filter((db) => !Number.isNaN(db)))
}

/**
 * Standard deviation of intensity during speech, in dB (0 and up): Praat's "To Intensity: 100, 0, yes", over the
 * frames within the runs of speech, so that pauses, which other features measure, do not enter.
 */
export function intensitySd(measures: RecordingMeasures): number | null {
  return standardDeviation(speechIntensities(measures))
}

/**
 * Distance between the 5th and the 95th percentile of intensity during speech, in dB (0 and up); frames as in
 * `intensity_sd_db`.
 */
export function intensityRange(measures: RecordingMeasures): number | null {
  const ends = quantiles(speechIntensities(measures), 0.05, 0.95)
  return ends && ends[1] - ends[0]
}

/**
 * Part of the pitch frames between the first and the last run of speech that is voiced (0 to 1); Praat's pitch with the
 * settings of `f0_mean_hz`.
 */
export function voicedFraction(measures: RecordingMeasures): number | null {
  const frames = framesOfSpeechSpan(measures, measures.pitch)
  return mean(frames.map((hertz) => (hertz > 0 ? 1 : 0)))
}

/** The fundamental frequency of the voiced frames, in hertz. */
function voicedHertz({ pitch }: RecordingMeasures): Float64Array {
  return pitch.values.filter((hertz) => hertz > 0)
}

/** The fundamental frequency of the voiced frames, in semitones over 1 Hz. */
function voicedSemitones(measures: RecordingMeasures): Float64Array {
  return voicedHertz(measures).map((hertz) => 12 * Math.log2(hertz))
}

/** The values of a contour from the start of the first to the end of the last run of speech, missing ones left out. */
function framesOfSpeechSpan({ speech }: RecordingMeasures, { grid, values }: Contour): Float64Array {
  const startS = speech.runs[0]?.startS ?? 0
  const endS = speech.runs.at(-1)?.endS ?? 0
  return values.filter((value, frame) => {
    const timeS = grid.firstS + frame * grid.stepS
    return !Number.isNaN(value) && timeS >= startS && timeS < endS
  })
}

/** The intensity, in dB, of the frames within runs of speech. */
function speechIntensities({ speech, intensity: { grid, values } }: RecordingMeasures): number[] {
  const kept: number[] = []
  for (const { startS, endS } of speech.runs) {
    values.subarray(frameFrom(grid, startS), frameFrom(grid, endS)).forEach((db) => {
      if (!Number.isNaN(db)) kept.push(db)
    })
  }
  return kept
}
