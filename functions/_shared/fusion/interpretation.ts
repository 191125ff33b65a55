import type { Direction, Significance } from '../direction-of-change.ts'
import { higher, type RiskLevel } from '../risk-level.ts'
import type { Baseline } from './types.ts'

/** Check-ins that make a baseline worth comparing with. */
const MIN_CHECK_INS = 3

/** Points of score that full uncertainty stands for, as a standard deviation. */
export const UNCERTAINTY_POINTS = 25

type Change = { direction: Direction; significance: Significance; compared: number | null }

/**
 * Change against the student's usual score, as a reliable-change index (Jacobson and Truax 1991): the difference
 * over hypot(usual spread, 25·uncertainty). Below 1 it is `same`; from 1.96 on it is of high significance.
 */
export function changeFrom(baseline: Baseline | null, score: number, uncertainty: number): Change {
  if (baseline === null || baseline.score.count < MIN_CHECK_INS) {
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

/**
 * Risk from the score as low as its uncertainty allows (score - 10·uncertainty), from a clear worsening, from the
 * mood that the student reports, and from crisis language, whichever is highest. The score alone gives `high` only when
 * it is clear: below 18 with an uncertainty below 0.6.
 */
export function riskOf(score: number, uncertainty: number, change: Change, floor: RiskLevel): RiskLevel {
  const band = bandOf(score - 10 * uncertainty)
  const isClear = score < 18 && uncertainty < 0.6
  let level = higher(band === 'high' && !isClear ? 'moderate' : band, floor)
  if (change.direction === 'worse' && change.significance === 'high') {
    level = higher(level, score < 40 ? 'moderate' : 'mild')
  }
  return level
}

/** What must be acted on whatever the score: crisis language, or a very low mood that the student reports. */
export function riskFloor(crisis: RiskLevel, mood: number | null): RiskLevel {
  if (mood === null || mood > 3) return crisis
  return higher(crisis, mood <= 2 ? 'moderate' : 'mild')
}

function bandOf(score: number): RiskLevel {
  if (score < 15) return 'high'
  if (score < 27) return 'moderate'
  if (score < 38) return 'mild'
  return 'none'
}

/** From here on a score is too uncertain for anything reassuring. */
const UNCERTAIN = 0.6

type SummaryFacts = {
  score: number
  uncertainty: number
  direction: Direction
  risk: RiskLevel
  crisis: RiskLevel
}

/**
 * One or two sentences to the student. Signs of danger come first, then uncertainty, before any
 * interpretation of the score, and an uncertain score is never reassuring.
 */
export function summaryOf({ score, uncertainty, direction, risk, crisis }: SummaryFacts): string {
  if (crisis === 'high' || crisis === 'moderate') {
    return 'Thank you for saying something so hard; what you told us matters, and you do not have to carry it alone. Please reach out now to one of the people or lines shown below.'
  }
  if (risk === 'high' || risk === 'moderate') {
    return 'This check-in suggests that things may be very hard for you at the moment. You deserve support with that: please consider reaching out to someone you trust, or to one of the services shown below.'
  }
  if (uncertainty >= UNCERTAIN) {
    return 'We could read too little from this check-in to say how you are doing, so please take the score as a rough guess only. You know best how you feel, and if something weighs on you, support is there for you.'
  }
  if (risk === 'mild' || crisis === 'mild') {
    return direction === 'better'
      ? 'Things still seem heavy, though this check-in looks a little lighter than your usual ones. Be kind to yourself, and lean on someone you trust if it would help.'
      : 'This check-in suggests that things may be weighing on you. Be kind to yourself, and lean on someone you trust if it would help.'
  }
  if (direction === 'worse') {
    return 'This check-in looks lower than your usual ones, which can happen for many reasons. If it fits how you feel, it may help to talk to someone you trust.'
  }
  if (direction === 'better') {
    return 'This check-in looks brighter than your usual ones. If that fits how you feel, notice what has been helping you.'
  }
  return score >= 58
    ? 'This check-in has several signs of a good stretch. It is only an estimate, so trust your own sense of how you are first.'
    : 'This check-in looks fairly typical, with nothing that stands out strongly. It is only an estimate, so trust your own sense of how you are first.'
}
