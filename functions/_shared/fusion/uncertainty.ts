import { clamp } from '../numbers.ts'
import type { Evaluation } from './component.ts'
import { BASELINE_HALF_LIFE, SCORE_HALF_WIDTH } from './constants.ts'

/** Never less than this: nothing here is validated well enough to be surer. */
const LEAST_UNCERTAINTY = 0.1

/** How much a full disagreement (10 against 90) takes from the certainty that the evidence gives. */
const DISAGREEMENT_WEIGHT = 0.6

/** Without a baseline the evidence counts this much; with a long one it counts in full. */
const EVIDENCE_WITHOUT_BASELINE = 0.85

/**
 * Uncertainty of the fused score, 0.1 to 1.
 *
 * For a set of components: 1 - (1 - e)(1 - d), where e = 0.1 + 0.9·exp(-evidence) falls with evidence and
 * d = 0.6·(highest - lowest score)/80 grows with disagreement. The self-report's evidence counts at most as much as
 * that of the modalities together, so that one poor modality stays uncertain. The result is the least over all
 * subsets of the components: a component that disagrees takes certainty away, but never more than leaving it
 * out would, which is why a missing modality can never lower the uncertainty.
 */
export function uncertaintyOf(components: readonly Evaluation[], checkIns: number): number {
  const used = components.filter((component) => component.evidence > 0)
  const maturity =
    EVIDENCE_WITHOUT_BASELINE + ((1 - EVIDENCE_WITHOUT_BASELINE) * checkIns) / (checkIns + BASELINE_HALF_LIFE)
  let least = 1
  for (let mask = 1; mask < 1 << used.length; mask++) {
    const subset = used.filter((_, index) => mask & (1 << index))
    least = Math.min(least, uncertaintyOfAll(subset, maturity))
  }
  return clamp(least, LEAST_UNCERTAINTY, 1)
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
  const lack = LEAST_UNCERTAINTY + (1 - LEAST_UNCERTAINTY) * Math.exp(-evidence)
  const range = Math.max(...scores) - Math.min(...scores)
  const disagreement = (DISAGREEMENT_WEIGHT * range) / (2 * SCORE_HALF_WIDTH)
  return 1 - (1 - lack) * (1 - disagreement)
}
