import type { RuleMatch } from '../matches.ts'
import type { Token } from '../sentence-tokens.ts'
import { featuresOf } from './features.ts'
import { BIAS, SCALE, WEIGHTS } from './weights.ts'

const DECODED = Int8Array.from(atob(WEIGHTS), (unit) => unit.charCodeAt(0))

/**
 * How much a stretch of text is like grave sentences rather than ordinary ones, as the log-odds of a logistic
 * regression (see `test/fixtures/crisis/train.ts`); 0 is undecided.
 */
export function resemblance(tokens: readonly Token[], matches: readonly RuleMatch[]): number {
  const features = featuresOf(tokens, matches)
  let sum = 0
  for (const bucket of features) sum += DECODED[bucket] ?? 0
  return BIAS + (sum * SCALE) / Math.sqrt(features.size)
}
