import type { Modality } from './types.ts'

/** What is known of the error of one modality's score; `npm run accuracy:uncertainty` fits and checks it. */
type MeasurementError = {
  /** Standard error of evidence of one unit (a second of speech, an image, a word); falls with the root of the amount. Points. */
  pointsAtOne: number
  /** Less than this counts as this much, and so does an unknown amount. */
  leastAmount: number
  /** How many parts the usual error weighs as much as. */
  usualParts: number
  /**
   * What the jackknife is multiplied by: greater than 1 where neighbouring parts are more alike than a repetition would be, less where
   * a score that is not smooth (a few long pauses decide it) makes the jackknife exaggerate (Efron and Stein 1981).
   */
  inflation: number
  /** Root mean square of what conditions of a quality moved the score by, by rising quality. Points. */
  byQuality: readonly (readonly [quality: number, points: number])[]
  /** The same by the reason of a lower quality, where it says more than the quality does. */
  byReason: Readonly<Record<string, number>>
}

export const MEASUREMENT_ERROR: Readonly<Record<Modality, MeasurementError>> = {
  audio: {
    pointsAtOne: 18,
    leastAmount: 5,
    usualParts: 2,
    inflation: 0.5,
    byQuality: [
      [0.24, 12],
      [0.35, 6],
      [0.5, 3],
      [0.7, 2.4],
      [1, 1],
    ],
    byReason: { second_speaker: 17, gain_controlled: 5 },
  },
  visual: {
    pointsAtOne: 15.5,
    leastAmount: 1,
    usualParts: 6,
    inflation: 1,
    byQuality: [
      [0.2, 6],
      [0.5, 2],
      [1, 0.5],
    ],
    byReason: {},
  },
  text: {
    pointsAtOne: 60,
    leastAmount: 5,
    usualParts: 6,
    inflation: 1,
    byQuality: [[1, 0]],
    byReason: {},
  },
}

/** Standard error of a mood that is named on a scale of 1 to 10, in its own unit: an engineering prior. */
export const MOOD_ERROR = 0.7
