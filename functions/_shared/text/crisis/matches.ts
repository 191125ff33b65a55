import { isHigher, lower, type RiskLevel } from '../../risk-level.ts'
import { type Context, contextOf, READINGS } from './context.ts'
import {
  HARMLESS_ABUSE,
  HARMLESS_HURT,
  HARMLESS_MEANS,
  HARMLESS_WISH,
  type Harmless,
  isHarmless,
} from './harmless.ts'
import { QUOTE } from './normalise.ts'
import { answerTo } from './questions.ts'
import type { Reading, Rule } from './rule.ts'
import { DISTRESS_RULES, HARMED_RULES, SELF_HARM_RULES } from './rules-harm.ts'
import { INTENT_RULES } from './rules-intent.ts'
import { MEANS_RULES } from './rules-means.ts'
import { PASSIVE_RULES } from './rules-wish.ts'

/** Every rule, the most dangerous domains first: where several give a level, the first is named. */
export const RULES: readonly Rule[] = [
  ...INTENT_RULES,
  ...MEANS_RULES,
  ...SELF_HARM_RULES,
  ...HARMED_RULES,
  ...PASSIVE_RULES,
  ...DISTRESS_RULES,
]

/** By the domain of a rule's id. */
const HARMLESS: Readonly<Record<string, Harmless | undefined>> = {
  intent: HARMLESS_WISH,
  passive: HARMLESS_WISH,
  means: HARMLESS_MEANS,
  self_harm: HARMLESS_HURT,
  harmed: HARMLESS_ABUSE,
}

/**
 * A rule found at a place in the normalised text, in characters, with the level that its context leaves it. `lowered`: that is below the
 * rule's own. `confirmed`: the speaker was asked about it and said yes, whatever the words around look like.
 */
export type RuleMatch = {
  rule: string
  level: RiskLevel
  lowered: boolean
  confirmed: boolean
  at: number
  end: number
}

/** Every place where a rule is found in a normalised text. */
export function* matchesIn(text: string, rules = RULES): Generator<RuleMatch> {
  for (const rule of rules) {
    const harmless = HARMLESS[domainOf(rule.id)]
    for (const match of text.matchAll(rule.regex)) {
      const context = contextOf(text, match.index, match[0].length)
      if (rule.unless?.test(context.near) || (harmless && isHarmless(harmless, context.near))) continue
      const answer = answerTo(context, READINGS.negated(context))
      const level = answer === 'yes' ? (rule.affirmed ?? rule.level) : levelIn(rule, context, answer === 'no')
      if (level !== 'none')
        yield {
          rule: rule.id,
          level,
          lowered: isHigher(rule.level, level),
          confirmed: answer === 'yes',
          at: match.index,
          end: match.index + match[0].length,
        }
    }
  }
}

/** `intent` of `intent.kill_self`. */
function domainOf(id: string): string {
  return id.slice(0, id.indexOf('.'))
}

/** The level of a rule, lowered by how its context reads, and by a no to the question that it was found in. */
function levelIn(rule: Rule, context: Context, isRefuted: boolean): RiskLevel {
  let level = isRefuted ? lower(rule.level, rule.readings.negated ?? 'mild') : rule.level
  for (const [reading, lowered] of Object.entries(rule.readings) as Array<[Reading, RiskLevel | undefined]>) {
    if (lowered !== undefined && READINGS[reading](context)) level = lower(level, lowered)
  }
  if (level === 'mild' && rule.level === 'high' && !isRefuted && isDeniedWithABut(context)) return 'moderate'
  return level
}

/** "I don't want to kill myself, but…" is more than a denial. */
function isDeniedWithABut(context: Context): boolean {
  return (
    READINGS.negated(context) &&
    /^ (?:but|though|although|yet)\b/.test(context.after) &&
    !context.near.includes(QUOTE)
  )
}
