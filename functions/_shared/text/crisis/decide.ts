import { isHigher, type RiskLevel } from '../../risk-level.ts'
import type { detectCrisis } from './detect.ts'
import type { SentenceReading } from './encoder.ts'

/** The rule that is named where the sentences together, and no rule, decided. */
const SIMILAR = 'similar-to-crisis-language'

/** Probabilities from which a text is of a level. */
const HIGH = 0.5
const MODERATE = 0.15

/** What rules and the reading of sentences find together; without a reading, what the rules found. */
export function decideCrisis(
  found: ReturnType<typeof detectCrisis>,
  reading: SentenceReading | null,
): { level: RiskLevel; rule: string | null } {
  const { level, rule, explicit } = found
  if (reading === null || (explicit && level === 'high')) return { level, rule }
  if (reading.probability >= HIGH) return { level: 'high', rule: rule ?? SIMILAR }
  if (isHigher(level, 'mild')) return { level: 'moderate', rule }
  return reading.probability >= MODERATE ? { level: 'moderate', rule: rule ?? SIMILAR } : { level, rule }
}
