import { isHigher, lower, type RiskLevel } from '../../risk-level.ts'
import { clean } from '../clean.ts'
import { unreadOf } from '../unread.ts'
import { type Crisis, detectCrisis } from './detect.ts'
import type { SentenceReading } from './encoder.ts'
import { SIMILAR } from './rule.ts'

/** Rules of violence, by others or to them: the encoder has read little of it, so that a human looks whatever it says. */
const OF_VIOLENCE = /^harmed\./

/**
 * Probabilities from which a human should look, and from which somebody has to be there the same day. In a short English text there is little that
 * could speak against a similarity, so that more is asked of it; set on authors that the encoder was not fitted to (docs/accuracy.md).
 */
const FROM = { short: { moderate: 0.7, high: 0.9 }, other: { moderate: 0.4, high: 0.6 } } as const

/** Windows of a short text at most: some fifty words. */
const SHORT_WINDOWS = 2
/** Share of unread letters up to which a text counts as English. */
const ENGLISH_UNREAD = 0.5

/**
 * What the rules and the reading of the sentences find in a text together; without a reading, what the rules found.
 *
 * What is said outright stands whatever the encoder says. Anything else that rules find adds nothing to what it reads (docs/accuracy.md), so that it
 * alone decides: a rule that it does not bear out is at most `mild`, or `moderate` where it is of violence, or where some of the words were
 * not read, since they may be the rule's.
 */
export function decideCrisis(text: string, reading: SentenceReading | null): Crisis {
  const { level, rule, explicit } = detectCrisis(text)
  if (reading === null || explicit) return { level, rule }
  // Where a rule finds the same, a short text says enough.
  const isShort =
    reading.windows <= SHORT_WINDOWS && level !== 'high' && unreadOf(clean(text)).share <= ENGLISH_UNREAD
  const from = isShort ? FROM.short : FROM.other
  const isForAHuman = reading.share < 1 || (rule !== null && OF_VIOLENCE.test(rule))
  const found = { level: lower(level, isForAHuman ? 'moderate' : 'mild'), rule }
  const similar = levelFrom(reading.probability, from)
  if (!isHigher(similar, found.level)) return found
  return { level: similar, rule: isHigher(similar, level) ? SIMILAR : rule }
}

function levelFrom(probability: number, from: { moderate: number; high: number }): RiskLevel {
  return probability >= from.high ? 'high' : probability >= from.moderate ? 'moderate' : 'none'
}
