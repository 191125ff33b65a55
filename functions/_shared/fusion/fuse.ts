import { clamp, finite, round } from '../numbers.ts'
import type { RiskLevel } from '../risk-level.ts'
import { featureKey, readBaseline, updateBaseline } from './baseline.ts'
import { type Evaluation, evaluate } from './component.ts'
import { changeFrom, riskFloor, riskOf, summaryOf } from './interpretation.ts'
import {
  BASELINE_HALF_LIFE,
  CHECK_IN_SCHEME,
  CRISIS_TEXT_CEILING,
  SCORE_HALF_WIDTH,
  type Scheme,
  SQUASH_GAIN,
  STATED_MOOD_QUALITY,
} from './scheme.ts'
import type { Component, Driver, FusionInput, FusionResult, ModalityInput } from './types.ts'

const MODALITIES = ['audio', 'visual', 'text'] as const
const MAX_THEMES = 6

/** Never less than this: nothing here is validated well enough to be more certain. */
const MIN_UNCERTAINTY = 0.1

/** How much a full disagreement (10 against 90) takes from the certainty that the evidence gives. */
const DISAGREEMENT_WEIGHT = 0.6

/** Without a baseline the evidence counts this much; with a long one it counts in full. */
const EVIDENCE_WITHOUT_BASELINE = 0.85

/** Labels on each side, and the points that a label has to move the score to be named. */
const MAX_LABELS = 4
const MIN_POINTS = 0.5

/**
 * No modality was usable, so there is no score. `riskLevel` still holds what the crisis check or the student's own
 * mood gave: the caller must act on it although the check-in failed.
 */
export class NothingToScore extends Error {
  readonly components: Component[]
  readonly riskLevel: RiskLevel

  constructor(components: Component[], riskLevel: RiskLevel) {
    super('No modality was good enough to give a score.')
    this.name = 'NothingToScore'
    this.components = components
    this.riskLevel = riskLevel
  }
}

/**
 * Fuses one check-in's analyses into a score with its uncertainty, change, risk and reasons. Deterministic: the same
 * input gives the same result, and `next_baseline` counts the check-in exactly once.
 * @param scheme references and trust for evidence of another kind; only features of a check-in enter `next_baseline`
 * @throws {NothingToScore} when no modality is good enough; its `riskLevel` must still be acted on
 */
export function fuse(input: FusionInput, scheme: Scheme = CHECK_IN_SCHEME): FusionResult {
  const baseline = readBaseline(input.baseline)
  const crisis = input.textDetails?.crisis.level ?? 'none'
  const mood = moodOf(input.moodScore)
  const stated = moodOf(input.textDetails?.stated_mood)

  const observed = MODALITIES.map((name) => {
    const component = evaluate(name, input[name], baseline, input.missing?.[name] ?? 'not_provided', scheme)
    return name === 'text' ? belowCeiling(component, CRISIS_TEXT_CEILING[crisis]) : component
  })
  const evaluations = [
    ...observed,
    evaluate('self_report', selfReport(mood, stated), baseline, 'not_provided', scheme),
  ]
  const weights = weightsOf(evaluations)
  const components = evaluations.map(
    ({ name, score, quality, reason }): Component => ({
      modality: name,
      score: score === null ? null : round(score, 2),
      weight: round(weights.get(name) ?? 0, 4),
      quality: quality === null ? null : round(quality, 3),
      reason,
    }),
  )
  const floor = riskFloor(crisis, mood ?? stated)
  if (!observed.some(({ evidence }) => evidence > 0)) throw new NothingToScore(components, floor)

  const score = round(
    evaluations.reduce((sum, { name, score }) => sum + (weights.get(name) ?? 0) * (score ?? 0), 0),
    2,
  )
  const uncertainty = round(uncertaintyOf(evaluations, baseline?.count ?? 0), 3)
  const change = changeFrom(baseline, score, uncertainty)
  const risk = riskOf(score, uncertainty, change, floor)
  const { positive, negative, drivers } = driversOf(evaluations, weights)

  return {
    score,
    uncertainty,
    direction_of_change: change.direction,
    significance: change.significance,
    risk_level: risk,
    summary: summaryOf({ score, uncertainty, direction: change.direction, risk, crisis }),
    themes: (input.textDetails?.themes ?? []).slice(0, MAX_THEMES),
    drivers_positive: positive,
    drivers_negative: negative,
    drivers,
    components,
    baseline: {
      score_mean: baseline === null ? null : round(baseline.score.mean, 2),
      score_sd: baseline === null ? null : round(baseline.score.spread, 2),
      check_ins: baseline?.count ?? 0,
      compared: change.compared === null ? null : round(change.compared, 2),
    },
    algorithm_version: scheme.version,
    next_baseline: updateBaseline(baseline, { score, features: measuredFeatures(evaluations) }),
  }
}

/** Shares in the fused score by evidence; the self-report's is never greater than the modalities' together. */
function weightsOf(evaluations: readonly Evaluation[]): Map<string, number> {
  const observed = evaluations.reduce(
    (sum, { name, evidence }) => sum + (name === 'self_report' ? 0 : evidence),
    0,
  )
  const shares = evaluations.map(({ evidence }) => Math.min(evidence, observed))
  const total = shares.reduce((sum, share) => sum + share, 0)
  return new Map(evaluations.map(({ name }, index) => [name, total === 0 ? 0 : (shares[index] ?? 0) / total]))
}

/** The mood that was entered, or else the one that was put into words, which counts a little less. */
function selfReport(mood: number | null, stated: number | null): ModalityInput {
  if (mood !== null) return { features: { mood_score: mood }, quality: { score: 1, reason: null } }
  if (stated === null) return null
  return {
    features: { mood_score: stated },
    quality: { score: STATED_MOOD_QUALITY, reason: 'stated_in_words' },
  }
}

function moodOf(value: number | null | undefined): number | null {
  const mood = finite(value)
  return mood === null ? null : clamp(mood, 1, 10)
}

function belowCeiling(component: Evaluation, ceiling: number): Evaluation {
  if (component.score === null || component.score <= ceiling) return component
  return { ...component, score: ceiling, terms: component.terms.filter(({ pull }) => pull < 0) }
}

function measuredFeatures(evaluations: readonly Evaluation[]): Record<string, number> {
  return Object.fromEntries(
    evaluations.flatMap(({ name, measured }) =>
      Object.entries(measured).map(([feature, value]) => [featureKey(name, feature), value]),
    ),
  )
}

/**
 * Uncertainty of the fused score, 0.1 to 1.
 *
 * For a set of components: 1 - (1 - e)(1 - d), where e = 0.1 + 0.9·exp(-evidence) falls with evidence and
 * d = 0.6·(highest - lowest score)/80 grows with disagreement. The self-report's evidence counts at most as much as
 * that of the modalities together, so that one poor modality stays uncertain. The result is the least over all
 * subsets of the components: a component that disagrees takes certainty away, but never more than leaving it
 * out would, which is why a missing modality can never lower the uncertainty.
 */
function uncertaintyOf(components: readonly Evaluation[], checkIns: number): number {
  const used = components.filter((component) => component.evidence > 0)
  const maturity =
    EVIDENCE_WITHOUT_BASELINE + ((1 - EVIDENCE_WITHOUT_BASELINE) * checkIns) / (checkIns + BASELINE_HALF_LIFE)
  let least = 1
  for (let mask = 1; mask < 1 << used.length; mask++) {
    const subset = used.filter((_, index) => mask & (1 << index))
    least = Math.min(least, uncertaintyOfAll(subset, maturity))
  }
  return clamp(least, MIN_UNCERTAINTY, 1)
}

function uncertaintyOfAll(components: readonly Evaluation[], maturity: number): number {
  let observed = 0
  let reported = 0
  const scores: number[] = []
  for (const { name, evidence, score } of components) {
    if (name === 'self_report') reported += evidence
    else observed += evidence
    if (score !== null) scores.push(score)
  }
  const evidence = maturity * (observed + Math.min(reported, observed))
  const lack = MIN_UNCERTAINTY + (1 - MIN_UNCERTAINTY) * Math.exp(-evidence)
  const range = Math.max(...scores) - Math.min(...scores)
  const disagreement = (DISAGREEMENT_WEIGHT * range) / (2 * SCORE_HALF_WIDTH)
  return 1 - (1 - lack) * (1 - disagreement)
}

type Drivers = { positive: string[]; negative: string[]; drivers: Driver[] }

/**
 * What moved the score, strongest first. A feature's contribution is its share of the component's mean z, times the
 * component's weight, in points of the score before squashing. Features with one label are named once; `drivers` holds
 * the features behind every label that is named.
 */
function driversOf(components: readonly Evaluation[], weights: ReadonlyMap<string, number>): Drivers {
  const all = components.flatMap(({ name, terms }) =>
    terms.map(({ feature, pull, norm }): Driver => {
      const contribution = pull * SQUASH_GAIN * SCORE_HALF_WIDTH * (weights.get(name) ?? 0)
      return {
        label: contribution >= 0 ? norm.raised : norm.lowered,
        modality: name,
        feature,
        contribution: round(contribution, 2),
      }
    }),
  )
  const positive = strongest(all.filter(({ contribution }) => contribution > 0))
  const negative = strongest(all.filter(({ contribution }) => contribution < 0))
  const drivers = [...positive, ...negative]
    .flatMap((group) => group.drivers)
    .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
  return {
    positive: positive.map(({ label }) => label),
    negative: negative.map(({ label }) => label),
    drivers,
  }
}

function strongest(drivers: readonly Driver[]): Array<{ label: string; drivers: Driver[]; points: number }> {
  const groups = new Map<string, { label: string; drivers: Driver[]; points: number }>()
  for (const driver of drivers) {
    const group = groups.get(driver.label) ?? { label: driver.label, drivers: [], points: 0 }
    group.drivers.push(driver)
    group.points += Math.abs(driver.contribution)
    groups.set(driver.label, group)
  }
  return [...groups.values()]
    .filter(({ points }) => points >= MIN_POINTS)
    .sort((a, b) => b.points - a.points)
    .slice(0, MAX_LABELS)
}
