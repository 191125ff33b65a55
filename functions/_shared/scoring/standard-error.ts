import { clamp, finite } from '../numbers.ts'
import { MEASUREMENT_ERROR, MOOD_ERROR } from './measurement-error.ts'
import type { ComponentName, ModalityInput } from './types.ts'

/** The 95th percentile of the normal distribution: 90% lie within as many standard errors on both sides. */
export const Z_90 = 1.645

/** Scores of a component, 10 to 90, from features; `null` where none can be scored. */
type ScoreFeatures = (features: Record<string, number | null>) => number | null

/**
 * Standard error of a component's score in points: how far the same moment, pictured and told once more, would have
 * scored elsewhere (repetition), and how far poor conditions move a score that looks sound (degradation).
 */
export function errorOf(
  name: ComponentName,
  input: NonNullable<ModalityInput>,
  score: ScoreFeatures,
): number {
  if (name === 'self_report') return errorOfMood(input, score)
  return Math.hypot(repetitionError(name, input, score), degradationError(name, input.quality))
}

type Modality = keyof typeof MEASUREMENT_ERROR

/**
 * The jackknife's standard error over the replicates (Tukey 1958), brought nearer to what evidence of this amount usually has
 * (moderated variance, Smyth 2004): eight parts alone estimate a spread to a quarter.
 */
function repetitionError(name: Modality, input: NonNullable<ModalityInput>, score: ScoreFeatures): number {
  const { pointsAtOne, leastAmount, usualParts, inflation } = MEASUREMENT_ERROR[name]
  const amount = Math.max(leastAmount, finite(input.amount) ?? 0)
  const usual = pointsAtOne / Math.sqrt(amount)
  const scores = replicateScores(input, score)
  const parts = scores.length
  if (parts < 2) return usual
  const mean = scores.reduce((sum, value) => sum + value, 0) / parts
  const jackknifed = ((parts - 1) / parts) * scores.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const freedom = parts - 1
  return Math.sqrt((freedom * inflation ** 2 * jackknifed + usualParts * usual ** 2) / (freedom + usualParts))
}

function replicateScores(
  { features, replicates = {} }: NonNullable<ModalityInput>,
  score: ScoreFeatures,
): number[] {
  const columns = Object.entries(replicates)
  const parts = columns[0]?.[1].length ?? 0
  return Array.from({ length: parts }, (_, part) =>
    score({
      ...features,
      ...Object.fromEntries(columns.map(([feature, values]) => [feature, values[part] ?? null])),
    }),
  ).filter((value) => value !== null)
}

/** What conditions of this quality have been seen to move a score by, the named reason's where that is more; points. */
function degradationError(name: Modality, { score, reason }: NonNullable<ModalityInput>['quality']): number {
  const { byQuality, byReason } = MEASUREMENT_ERROR[name]
  return Math.max(interpolated(byQuality, clamp(finite(score) ?? 0, 0, 1)), byReason[reason ?? ''] ?? 0)
}

/** Between points of rising quality linear, outside them constant. */
function interpolated(
  points: readonly (readonly [quality: number, points: number])[],
  quality: number,
): number {
  const above = points.findIndex(([at]) => at >= quality)
  if (above === -1) return points.at(-1)?.[1] ?? 0
  const [highAt, high] = points[above] ?? [1, 0]
  const [lowAt, low] = points[above - 1] ?? [highAt, high]
  return highAt === lowAt ? high : low + ((high - low) * (quality - lowAt)) / (highAt - lowAt)
}

/** Half of what the score changes by when the mood is one error more and one error less. */
function errorOfMood({ features }: NonNullable<ModalityInput>, score: ScoreFeatures): number {
  const mood = finite(features.mood_score)
  if (mood === null) return 0
  const at = (value: number) => score({ mood_score: clamp(value, 1, 10) }) ?? 0
  return (at(mood + MOOD_ERROR) - at(mood - MOOD_ERROR)) / 2
}
