import type { Direction, Significance } from '../change.ts'
import type { Baseline } from './types.ts'

/** Check-ins that make a baseline worth comparing with. */
const LEAST_CHECK_INS = 3

/** Points of score that full uncertainty stands for, as a standard deviation. */
const UNCERTAINTY_POINTS = 25

export type Change = { direction: Direction; significance: Significance; compared: number | null }

/**
 * Change against the student's usual score, as a reliable-change index (Jacobson and Truax 1991): the difference
 * over hypot(usual spread, 25·uncertainty). Below 1 it is `same`; from 1.96 on it is of high significance.
 */
export function changeFrom(baseline: Baseline | null, score: number, uncertainty: number): Change {
  if (baseline === null || baseline.score.count < LEAST_CHECK_INS) {
    return { direction: 'same', significance: 'low', compared: null }
  }
  const compared = score - baseline.score.mean
  const index = compared / Math.hypot(baseline.score.spread, UNCERTAINTY_POINTS * uncertainty)
  if (Math.abs(index) < 1) return { direction: 'same', significance: 'low', compared }
  return {
    direction: index > 0 ? 'better' : 'worse',
    significance: Math.abs(index) >= 1.96 ? 'high' : 'medium',
    compared,
  }
}
