import type { Direction, Significance } from '../direction-of-change.ts'
import { higher, lower, type RiskLevel } from '../risk-level.ts'
import type { Baseline, Component, UncomparedReason } from './types.ts'

/** Check-ins that make a baseline worth comparing with. */
const MIN_CHECK_INS = 3

type Change = { direction: Direction; significance: Significance; compared: number | null }

/**
 * Change against the student's usual score, as a reliable-change index (Jacobson and Truax 1991): the difference
 * over hypot(usual spread, standard error). Below 1 it is `same`; from 1.96 on it is of high significance.
 */
export function changeFrom(baseline: Baseline | null, score: number, standardError: number): Change {
  if (baseline === null || baseline.score.count < MIN_CHECK_INS) {
    return { direction: 'same', significance: 'low', compared: null }
  }
  const compared = score - baseline.score.mean
  const index = compared / Math.hypot(baseline.score.spread, standardError)
  if (Math.abs(index) < 1) return { direction: 'same', significance: 'low', compared }
  return {
    direction: index > 0 ? 'better' : 'worse',
    significance: Math.abs(index) >= 1.96 ? 'high' : 'medium',
    compared,
  }
}

/** Why there was nothing to compare with, although the student may have a past. */
export function whyUncompared(stored: Baseline | null): UncomparedReason {
  return stored !== null && stored.count >= MIN_CHECK_INS ? 'other_version' : 'too_few_check_ins'
}

/**
 * Nobody has shown yet that what a machine reads in them tells how students are: one of them alone raises the risk to `mild` at most.
 * Crisis language is not of that kind: its level is a floor.
 */
const UNPROVEN = ['audio', 'visual', 'text']

/** The highest score that is left when voice, face or words are left out; 100 when nothing is left. */
export function scoreWithoutUnproven(components: readonly Component[]): number {
  const used = components.filter(({ weight }) => weight > 0)
  const without = used
    .filter(({ modality }) => UNPROVEN.includes(modality))
    .map((left) => {
      const rest = used.filter((component) => component !== left)
      const total = rest.reduce((sum, { weight }) => sum + weight, 0)
      return total > 0 ? rest.reduce((sum, { weight, score }) => sum + weight * (score ?? 0), 0) / total : 100
    })
  return Math.max(0, ...without)
}

type RiskFacts = {
  score: number
  /** As `scoreWithoutUnproven` returns it. */
  scoreWithoutUnproven: number
  uncertainty: number
  change: Pick<Change, 'direction' | 'significance'>
  /** As `riskFloor` returns it. */
  floor: RiskLevel
}

/**
 * Risk from the score as low as its uncertainty allows (score - 10·uncertainty), from a clear worsening, from the
 * mood that the student reports, and from crisis language, whichever is highest. The score alone gives `high` only when
 * it is clear: below 18 with an uncertainty below 0.6. It gives more than `mild` only as far as it would without the
 * voice, without the face, and without the words.
 */
export function riskOf({ score, scoreWithoutUnproven, uncertainty, change, floor }: RiskFacts): RiskLevel {
  const own = levelOf(score, uncertainty, change)
  const supported = higher('mild', levelOf(Math.max(score, scoreWithoutUnproven), uncertainty, change))
  return higher(lower(own, supported), floor)
}

function levelOf(score: number, uncertainty: number, change: RiskFacts['change']): RiskLevel {
  const band = bandOf(score - 10 * uncertainty)
  const isClear = score < 18 && uncertainty < 0.6
  const level = band === 'high' && !isClear ? 'moderate' : band
  if (change.direction !== 'worse' || change.significance !== 'high') return level
  return higher(level, score < 40 ? 'moderate' : 'mild')
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
