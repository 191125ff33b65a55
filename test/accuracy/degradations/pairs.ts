import { fuse } from '../../../functions/_shared/scoring/fuse.ts'
import { Z_90 } from '../../../functions/_shared/scoring/standard-error.ts'
import type { Modality, ModalityInput } from '../../../functions/_shared/scoring/types.ts'

/** Evidence of one moment, measured twice. */
export interface Pair {
  first: ModalityInput
  second: ModalityInput
}

/** How far two measurements of the same lie apart, and how far by their own standard errors they should, points. */
interface Difference {
  seen: number
  stated: number
}

/** What pairs say of one modality. */
export interface Repeatability {
  modality: Modality
  pairs: number
  /** Standard deviation of one measurement by the differences, points: their root mean square over √2. */
  repeatError: number
  /** Root mean square of the stated standard errors, points. */
  standardError: number
  /** The former over the latter, with the 95% interval of resampling the pairs. */
  ratio: number
  ratioFrom: number
  ratioTo: number
  /** Share of the differences within the 90% interval that the two standard errors give. */
  coverage: number
}

/** Measures each pair by the service's own fusion; pairs of which one half cannot be scored are left out. */
export function repeatability(modality: Modality, pairs: readonly Pair[]): Repeatability {
  const differences = pairs.flatMap(({ first, second }): Difference[] => {
    const [one, other] = [scored(modality, first), scored(modality, second)]
    return one && other
      ? [{ seen: one.score - other.score, stated: Math.hypot(one.standardError, other.standardError) }]
      : []
  })
  const ratios = resampled(differences).sort((a, b) => a - b)
  return {
    modality,
    pairs: differences.length,
    repeatError: rootMeanSquare(differences.map(({ seen }) => seen)) / Math.SQRT2,
    standardError: rootMeanSquare(differences.map(({ stated }) => stated)) / Math.SQRT2,
    ratio: ratioOf(differences),
    ratioFrom: ratios[Math.floor(0.025 * ratios.length)] ?? Number.NaN,
    ratioTo: ratios[Math.floor(0.975 * ratios.length)] ?? Number.NaN,
    coverage:
      differences.filter(({ seen, stated }) => Math.abs(seen) <= Z_90 * stated).length / differences.length,
  }
}

/** The score of one modality alone and its standard error, points; `null` where it cannot be scored. */
export function scored(
  modality: Modality,
  input: ModalityInput,
): { score: number; standardError: number } | null {
  try {
    const nothing = { audio: null, visual: null, text: null, moodScore: null, baseline: null }
    const component = fuse({ ...nothing, [modality]: input }).components.find(
      (part) => part.modality === modality,
    )
    if (component?.score == null || component.standard_error === null) return null
    return { score: component.score, standardError: component.standard_error }
  } catch {
    return null
  }
}

function ratioOf(differences: readonly Difference[]): number {
  return (
    rootMeanSquare(differences.map(({ seen }) => seen)) /
    rootMeanSquare(differences.map(({ stated }) => stated))
  )
}

const RESAMPLES = 1000

function resampled(differences: readonly Difference[]): number[] {
  const random = seeded(1)
  return Array.from({ length: RESAMPLES }, () =>
    ratioOf(
      differences.map(() => differences[Math.floor(random() * differences.length)] ?? { seen: 0, stated: 0 }),
    ),
  )
}

export function rootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length)
}

/** Numbers from 0 to 1, the same each time (Lehmer's generator). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
}
