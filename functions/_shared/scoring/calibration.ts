import type { Calibration } from './types.ts'

/** Labels of as many students are needed for one set of components: with fewer the interval's coverage is chance. */
export const LABELS_NEEDED = 100

/** Share of labels that the interval leaves out on each side. */
const TAIL = 0.05

/** A score, what it was made of, and the label that the same student gave at the same time, both 0 to 100. */
export type LabelledScore = { components: readonly string[]; score: number; label: number }

/** An interval, from how many labels it comes, and what it held of labels that it was not fitted to, 0 to 1. */
export type FittedCalibration = Omit<Calibration, 'algorithm_version'> & {
  labels: number
  heldOutCoverage: number
}

/**
 * Fits an interval to the labels of one set of components by split conformal prediction (Vovk, Gammerman and Shafer 2005; Lei et al.
 * 2018, JASA 113): the score was made without these labels, so of new ones at least 90% lie between the score plus `low` and
 * the score plus `high`, whatever their distribution, if those students are like these.
 *
 * Which labels lie in the half for the coverage follows from their order alone; give one of each student.
 * @returns `null` with fewer than `LABELS_NEEDED`
 */
export function fitCalibration(labelled: readonly LabelledScore[]): FittedCalibration | null {
  const [first] = labelled
  if (first === undefined || labelled.length < LABELS_NEEDED) return null
  const residuals = labelled.map(({ score, label }) => label - score)
  const [low, high] = conformalBounds(residuals)
  const [fromLow, toHigh] = conformalBounds(residuals.filter((_, index) => index % 2 === 0))
  const heldOut = residuals.filter((_, index) => index % 2 === 1)
  return {
    components: first.components,
    low,
    high,
    labels: labelled.length,
    heldOutCoverage:
      heldOut.filter((residual) => residual >= fromLow && residual <= toHigh).length / heldOut.length,
  }
}

/** The residuals at ranks ⌊(n + 1)·0.05⌋ and ⌈(n + 1)·0.95⌉ from the lowest. */
function conformalBounds(residuals: readonly number[]): [number, number] {
  const sorted = [...residuals].sort((a, b) => a - b)
  const below = Math.floor((sorted.length + 1) * TAIL)
  return [
    sorted[below - 1] ?? Number.NEGATIVE_INFINITY,
    sorted[sorted.length - below] ?? Number.POSITIVE_INFINITY,
  ]
}

/** A mood of 1 to 10 on the scale of the score. */
export function moodLabel(mood: number): number {
  return ((mood - 1) / 9) * 100
}
