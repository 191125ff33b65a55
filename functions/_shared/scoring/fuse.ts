import { reportsLowMood } from '../low-mood.ts'
import { clamp, finite, round } from '../numbers.ts'
import { higher, type RiskLevel } from '../risk-level.ts'
import { comparable, featureKey, readBaseline, updateBaseline } from './baseline.ts'
import { type Evaluation, evaluate } from './component.ts'
import { driversOf } from './drivers.ts'
import {
  changeFrom,
  isWellMeasured,
  riskFloor,
  riskOf,
  whyUncompared,
  withoutEachUnproven,
} from './interpretation.ts'
import { CHECK_IN_SCHEME, type Scheme, STATED_MOOD_QUALITY, textCeiling } from './scheme.ts'
import { Z_90 } from './standard-error.ts'
import { restsOnWordsAlone, summaryOf } from './summary.ts'
import type { Calibration, Component, FusionInput, FusionResult, ModalityInput } from './types.ts'
import { uncertaintyOf } from './uncertainty.ts'

const MODALITIES = ['audio', 'visual', 'text'] as const
const MAX_THEMES = 6

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
  const stored = readBaseline(input.baseline)
  const baseline = comparable(stored)
  const found = input.textDetails?.crisis ?? { level: 'none', rule: null }
  const crisis = found.level
  const mood = moodOf(input.moodScore)
  const stated = moodOf(input.textDetails?.stated_mood)

  const observed = MODALITIES.map((name) => {
    const component = evaluate(name, input[name], baseline, input.missing?.[name] ?? 'not_provided', scheme)
    return name === 'text' ? belowCeiling(component, textCeiling(found)) : component
  })
  const evaluations = [
    ...observed,
    evaluate('self_report', selfReport(mood, stated), baseline, 'not_provided', scheme),
  ]
  const weights = weightsOf(evaluations)
  const components = evaluations.map(
    ({ name, score, error, quality, reason }): Component => ({
      modality: name,
      score: score === null ? null : round(score, 2),
      standard_error: score === null ? null : round(error, 2),
      weight: round(weights.get(name) ?? 0, 4),
      quality: quality === null ? null : round(quality, 3),
      reason,
    }),
  )
  const lowest = lowestOf(mood, stated)
  const floor = higher(riskFloor(crisis, lowest), input.knownRisk ?? 'none')
  if (!observed.some(({ evidence }) => evidence > 0)) throw new NothingToScore(components, floor)

  const score = round(
    evaluations.reduce((sum, { name, score }) => sum + (weights.get(name) ?? 0) * (score ?? 0), 0),
    2,
  )
  const uncertainty = round(uncertaintyOf(evaluations), 3)
  const standardError = Math.sqrt(
    evaluations.reduce((sum, { name, error }) => sum + ((weights.get(name) ?? 0) * error) ** 2, 0),
  )
  const calibration = calibrationFor(components, scheme, input.calibrations ?? [])
  const change = changeFrom(baseline, score, standardError)
  const risk = riskOf({
    score,
    change,
    without: withoutEachUnproven(components),
    baseline,
    uncertainty,
    wellMeasured: isWellMeasured(evaluations),
    floor,
  })
  const { positive, negative, drivers } = driversOf(evaluations, weights)
  const themes = input.textDetails?.themes ?? []

  return {
    score,
    uncertainty,
    standard_error: round(standardError, 2),
    score_interval: intervalOf(score, standardError, calibration),
    calibrated: calibration !== null,
    direction_of_change: change.direction,
    significance: change.significance,
    risk_level: risk,
    summary: summaryOf({
      ...{ score, uncertainty, direction: change.direction, risk, crisis },
      mood: lowest,
      saysLowMood: reportsLowMood(themes),
      text: observed.find(({ name }) => name === 'text') ?? null,
      wordsAlone: restsOnWordsAlone(components),
    }),
    themes: themes.slice(0, MAX_THEMES),
    drivers_positive: positive,
    drivers_negative: negative,
    drivers,
    components,
    baseline: {
      score_mean: baseline === null ? null : round(baseline.score.mean, 2),
      score_sd: baseline === null ? null : round(baseline.score.spread, 2),
      check_ins: baseline?.score.count ?? 0,
      compared: change.compared === null ? null : round(change.compared, 2),
      reason: change.compared === null ? whyUncompared(stored) : null,
    },
    algorithm_version: scheme.version,
    next_baseline: updateBaseline(stored, { score, features: measuredFeatures(evaluations) }),
  }
}

/** The interval that was fitted for exactly these components and this version, else `null`. */
function calibrationFor(
  components: readonly Component[],
  { version }: Scheme,
  calibrations: readonly Calibration[],
): Calibration | null {
  const used = components.filter(({ weight }) => weight > 0).map(({ modality }) => modality)
  return (
    calibrations.find(
      (calibration) =>
        calibration.algorithm_version === version && calibration.components.join() === used.join(),
    ) ?? null
  )
}

/** Calibrated, it need not hold the score: where labels lie mostly above the scores, so does it. Cut to the scale, on which every label lies. */
function intervalOf(score: number, standardError: number, calibration: Calibration | null): [number, number] {
  const low = calibration ? calibration.low : -Z_90 * standardError
  const high = calibration ? calibration.high : Z_90 * standardError
  return [round(clamp(score + low, 0, 100), 2), round(clamp(score + high, 0, 100), 2)]
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

/** A low mood counts wherever it was said: many enter a higher one than they put into words. */
function lowestOf(mood: number | null, stated: number | null): number | null {
  return mood === null || stated === null ? (mood ?? stated) : Math.min(mood, stated)
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
