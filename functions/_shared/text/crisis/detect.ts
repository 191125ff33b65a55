import { isHigher, lower } from '../../risk-level.ts'
import type { Crisis, CrisisLevel } from './level.ts'
import type { RuleMatch } from './matches.ts'
import { readText } from './reading.ts'
import { resemblance } from './resemblance/score.ts'
import { FIRM_FLOOR, HIGH_STEP, MODERATE_FLOOR, MODERATE_STEP, THRESHOLD } from './resemblance/weights.ts'

/** Given when no rule speaks, but the words together are like grave ones. */
const RESEMBLES = 'resembles-grave-language'

/** How much more is asked, at most, of a stretch in which a rule speaks, log-odds. */
const STEP_WITH_RULE = 1

/**
 * Crisis language in a text, with the rule that decided. Deterministic, in time linear in the text, for any string.
 *
 * Rules of fixed wording stand unless everything around them is plainly harmless. A looser rule is weighed together with
 * all other words of its stretch, and counts as `mild` where those speak against it. Words that no rule knows are `high`,
 * or `moderate`, when they are enough like grave sentences: the longer the text, the more alike they must be, because
 * among many ordinary sentences some are so by chance (log-odds grow with the logarithm of the number of stretches, as
 * for a fixed chance per text). In doubt words are taken to be about the speaker, now. The text is neither kept nor
 * logged.
 */
export function detectCrisis(text: string): Crisis {
  const { firm, foreign, loose, stretches } = readText(text)
  // What words are like is known for English only.
  const elsewhere = foreign.find(isHigh)
  if (elsewhere) return { level: 'high', rule: elsewhere.rule }
  const plain = firm.find(isHigh)
  const chances = Math.log(Math.max(1, stretches.length))
  const found: Crisis = { level: 'none', rule: null }
  const take = (rule: string, level: CrisisLevel) => {
    if (!isHigher(level, found.level)) return
    found.level = level
    found.rule = rule
  }
  let top = Number.NEGATIVE_INFINITY
  for (const { tokens, matches } of stretches) {
    const likeness = resemblance(tokens, matches)
    top = Math.max(top, likeness)
    const named = matches.find(isHigh)
    const step = named ? Math.min(STEP_WITH_RULE, HIGH_STEP * chances) : HIGH_STEP * chances
    if (likeness > THRESHOLD + step) return { level: 'high', rule: (plain ?? named)?.rule ?? RESEMBLES }
    if (plain && top > FIRM_FLOOR) return { level: 'high', rule: plain.rule }
    if (likeness > THRESHOLD + MODERATE_STEP * chances) take(RESEMBLES, 'moderate')
  }
  for (const { rule, level } of foreign) take(rule, level)
  for (const { rule, level } of firm) {
    take(rule, level === 'moderate' && top > MODERATE_FLOOR ? level : lower(level, 'mild'))
  }
  for (const { rule, level } of loose) take(rule, lower(level, 'mild'))
  return found
}

const isHigh = ({ level }: RuleMatch) => level === 'high'
