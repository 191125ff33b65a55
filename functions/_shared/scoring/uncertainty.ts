import { clamp } from '../numbers.ts'
import type { Evaluation } from './component.ts'
import { SCORE_HALF_WIDTH } from './scheme.ts'

/** How much a full disagreement (10 against 90) takes from the certainty that the evidence gives. */
const DISAGREEMENT_WEIGHT = 0.6

/** Standard deviation of wellbeing among students in points of score: an engineering prior. */
const POPULATION_SD = 12

/**
 * Uncertainty of the fused score, 0 to 1: the share of what is unknown of a student before a check-in (variance 12²) that is
 * still unknown after it.
 *
 * A component of reliability r and standard error e measures wellbeing with the error variance 12²·(1/r - 1) + e²: by the first
 * term it would be off however long it were, by the second it is off because it was short or poor. Components add what they tell, the
 * self-report at most as much as the modalities together, so that one poor modality stays uncertain. With d =
 * 0.6·(highest - lowest score)/80 the result is 1 - (1 - unknown)(1 - d), the least over all subsets of the components: one
 * that disagrees takes certainty away, but never more than leaving it out would, which is why a missing modality can never
 * lower the uncertainty.
 */
export function uncertaintyOf(components: readonly Evaluation[]): number {
  const used = components.filter((component) => component.evidence > 0)
  let least = 1
  for (let mask = 1; mask < 1 << used.length; mask++) {
    const subset = used.filter((_, index) => mask & (1 << index))
    least = Math.min(least, uncertaintyOfAll(subset))
  }
  return clamp(least, 0, 1)
}

function uncertaintyOfAll(components: readonly Evaluation[]): number {
  let observed = 0
  let reported = 0
  const scores: number[] = []
  for (const component of components) {
    if (component.name === 'self_report') reported += toldBy(component)
    else observed += toldBy(component)
    if (component.score !== null) scores.push(component.score)
  }
  const unknown = 1 / (1 + observed + Math.min(reported, observed))
  const range = Math.max(...scores) - Math.min(...scores)
  const disagreement = (DISAGREEMENT_WEIGHT * range) / (2 * SCORE_HALF_WIDTH)
  return 1 - (1 - unknown) * (1 - disagreement)
}

/** The population's variance over the component's error variance. */
function toldBy({ evidence, error }: Evaluation): number {
  return 1 / (1 / evidence - 1 + (error / POPULATION_SD) ** 2)
}
