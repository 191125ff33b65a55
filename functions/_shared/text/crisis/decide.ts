import { lower } from '../../risk-level.ts'
import type { Crisis, DetectedCrisis } from './detect.ts'
import type { SentenceReading } from './encoder.ts'

/** The rule that is named where what the sentences mean, and no rule, decided. */
const SIMILAR = 'similar-to-crisis-language'

/** Rules of violence, by others or to them: the encoder has read little of it, so that a human looks whatever it says. */
const OF_VIOLENCE = /^harmed\./

/** Probabilities from which a counselor is called the same day, and from which one should look; docs/accuracy.md says what each finds and raises. */
const HIGH = 0.6
const MODERATE = 0.25

/**
 * What the rules and the reading of the sentences find together; without a reading, what the rules found.
 *
 * What is said outright stands whatever the encoder says. Anything else that rules find adds nothing to what it reads (docs/accuracy.md), so that it
 * alone decides: a rule that it does not bear out is at most `mild`, or `moderate` where it is of violence, and where not all words were read.
 */
export function decideCrisis(found: DetectedCrisis, reading: SentenceReading | null): Crisis {
  const { level, rule, explicit } = found
  if (reading === null || explicit) return { level, rule }
  if (reading.probability >= HIGH) return { level: 'high', rule: rule ?? SIMILAR }
  if (reading.probability >= MODERATE) return { level: 'moderate', rule: rule ?? SIMILAR }
  const isOpen = reading.share < 1 || (rule !== null && OF_VIOLENCE.test(rule))
  return { level: lower(level, isOpen ? 'moderate' : 'mild'), rule }
}
