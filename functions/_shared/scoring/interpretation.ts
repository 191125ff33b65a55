import type { Direction, Significance } from '../direction-of-change.ts'
import { VERY_LOW_MOOD } from '../low-mood.ts'
import { higher, lower, type RiskLevel } from '../risk-level.ts'
import type { Evaluation } from './component.ts'
import { UNCERTAIN } from './summary.ts'
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

/** What is left of a score without one modality. */
export type Rest = { score: number; standardError: number }

/** The score that is left without each of voice, face and words that took part; 100 where nothing is left. */
export function withoutEachUnproven(components: readonly Component[]): Rest[] {
  const used = components.filter(({ weight }) => weight > 0)
  return used
    .filter(({ modality }) => UNPROVEN.includes(modality))
    .map((left) => {
      const rest = used.filter((component) => component !== left)
      const total = rest.reduce((sum, { weight }) => sum + weight, 0)
      if (total === 0) return { score: 100, standardError: 0 }
      return {
        score: rest.reduce((sum, { weight, score }) => sum + weight * (score ?? 0), 0) / total,
        standardError: Math.hypot(
          ...rest.map(({ weight, standard_error }) => (weight * (standard_error ?? 0)) / total),
        ),
      }
    })
}

type RiskFacts = {
  score: number
  change: Pick<Change, 'direction' | 'significance'>
  /** As `withoutEachUnproven` returns it. */
  without: readonly Rest[]
  /** What `change` was measured against. */
  baseline: Baseline | null
  uncertainty: number
  /** As `isWellMeasured` returns it. */
  wellMeasured: boolean
  /** As `riskFloor` returns it. */
  floor: RiskLevel
}

/**
 * Risk from the score as low as its uncertainty allows (score - 10·uncertainty), from a clear worsening, from the
 * mood that the student reports, and from crisis language, whichever is highest. The score alone gives `high` only when
 * it is clear: below 18 where enough was measured. Score and worsening give more than `mild` only as far as they would without
 * the voice, without the face, and without the words.
 */
export function riskOf(facts: RiskFacts): RiskLevel {
  const { score, change, without, baseline, floor } = facts
  const own = levelOf(score, change, facts)
  const supported = without
    .map((rest) => levelOf(rest.score, changeFrom(baseline, rest.score, rest.standardError), facts))
    .reduce(lower, 'high')
  return higher(lower(own, higher('mild', supported)), floor)
}

function levelOf(
  score: number,
  change: RiskFacts['change'],
  { uncertainty, wellMeasured }: Pick<RiskFacts, 'uncertainty' | 'wellMeasured'>,
): RiskLevel {
  const band = bandOf(score - 10 * uncertainty)
  const isClear = score < 18 && wellMeasured
  const level = band === 'high' && !isClear ? 'moderate' : band
  if (change.direction !== 'worse' || change.significance !== 'high') return level
  return higher(level, score < 40 ? 'moderate' : 'mild')
}

/**
 * Whether what was sent could tell enough for `high`: the uncertainty that its parts would have without disagreement and without
 * errors of measurement is below 0.6. It depends on how much was sent and how well, never on what it says, so that a worse
 * check-in of the same quality is never of a lower level.
 */
export function isWellMeasured(evaluations: readonly Pick<Evaluation, 'name' | 'evidence'>[]): boolean {
  let observed = 0
  let reported = 0
  for (const { name, evidence } of evaluations) {
    if (name === 'self_report') reported += evidence / (1 - evidence)
    else observed += evidence / (1 - evidence)
  }
  return 1 / (1 + observed + Math.min(reported, observed)) < UNCERTAIN
}

/** What must be acted on whatever the score: crisis language, or a very low mood that the student reports. */
export function riskFloor(crisis: RiskLevel, mood: number | null): RiskLevel {
  if (mood === null || mood > VERY_LOW_MOOD) return crisis
  return higher(crisis, mood <= 2 ? 'moderate' : 'mild')
}

function bandOf(score: number): RiskLevel {
  if (score < 15) return 'high'
  if (score < 27) return 'moderate'
  if (score < 38) return 'mild'
  return 'none'
}
