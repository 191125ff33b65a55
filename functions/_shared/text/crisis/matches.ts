import { lower } from '../../risk-level.ts'
import { PARSED_CONCEPTS } from './concepts.ts'
import { type Context, contextOf, READINGS } from './context.ts'
import { FOREIGN_NEGATION, FOREIGN_PHRASES } from './foreign.ts'
import {
  HARMLESS_ABUSE,
  HARMLESS_HURT,
  HARMLESS_MEANS,
  HARMLESS_WISH,
  type Harmless,
  isHarmless,
} from './harmless.ts'
import type { CrisisLevel } from './level.ts'
import { QUOTE } from './normalise.ts'
import { addConcept, matchesOf, type Pattern, parsePattern } from './pattern.ts'
import type { ComposedRule, CrisisRule, Reading } from './rule.ts'
import { DISTRESS_RULES } from './rules-distress.ts'
import { HARMED_RULES } from './rules-harmed.ts'
import { ABUSE_RULES, HURTING_RULES } from './rules-hurting.ts'
import { INTENT_RULES } from './rules-intent.ts'
import { MEANS_RULES } from './rules-means.ts'
import { PASSIVE_RULES } from './rules-passive.ts'
import { PREPARING_RULES } from './rules-preparing.ts'
import { SELF_HARM_RULES } from './rules-self-harm.ts'
import { WISH_RULES } from './rules-wish.ts'
import { MEANS_RULES_COMPOSED } from './rules-with-what.ts'
import { BURDEN_RULES } from './rules-without-me.ts'
import type { Tokens } from './sentence-tokens.ts'

/** Every rule of fixed wording, the gravest domains first. */
export const CRISIS_RULES: readonly CrisisRule[] = [
  ...INTENT_RULES,
  ...MEANS_RULES,
  ...SELF_HARM_RULES,
  ...HARMED_RULES,
  ...PASSIVE_RULES,
  ...DISTRESS_RULES,
]

/** Every rule that is put together from classes of words. */
export const COMPOSED_RULES: readonly ComposedRule[] = [
  ...PREPARING_RULES,
  ...WISH_RULES,
  ...MEANS_RULES_COMPOSED,
  ...HURTING_RULES,
  ...ABUSE_RULES,
  ...BURDEN_RULES,
]

/** By the domain of a rule's id. */
const HARMLESS: Readonly<Record<string, Harmless | undefined>> = {
  intent: HARMLESS_WISH,
  passive: HARMLESS_WISH,
  means: HARMLESS_MEANS,
  self_harm: HARMLESS_HURT,
  harmed: HARMLESS_ABUSE,
}

const PARSED: ReadonlyArray<readonly [ComposedRule, readonly Pattern[]]> = COMPOSED_RULES.map((rule) => [
  rule,
  rule.patterns.map(parsePattern),
])

/**
 * A rule found at a place in the normalised text, in characters, with the level that its context leaves it; `wording` is
 * which of a loose rule's patterns it was.
 */
export type RuleMatch = { rule: string; level: CrisisLevel; at: number; end: number; wording?: number }

/** Every place where a rule of fixed wording, or a phrase of another language, is found. */
export function* fixedMatches(text: string, rules = CRISIS_RULES): Generator<RuleMatch> {
  for (const rule of rules) {
    const harmless = HARMLESS[rule.id.slice(0, rule.id.indexOf('.'))]
    for (const match of text.matchAll(rule.pattern)) {
      const context = contextOf(text, match.index, match[0].length)
      if (rule.unless?.test(context.near) || (harmless && isHarmless(harmless, context.near))) continue
      const level = readIn(rule, context)
      if (level !== 'none')
        yield { rule: rule.id, level, at: match.index, end: match.index + match[0].length }
    }
  }
}

export function* foreignMatches(text: string): Generator<RuleMatch> {
  for (const { rule, level, phrase } of FOREIGN_PHRASES) {
    const found = text.indexOf(phrase)
    if (found === -1) continue
    const at = phrase.startsWith(' ') ? found + 1 : found
    const denied = FOREIGN_NEGATION.test(text.slice(Math.max(0, at - 20), at))
    yield { rule, level: denied ? 'mild' : level, at, end: found + phrase.length }
  }
}

/** Every place where a rule that is put together from classes of words is found. */
export function* composedMatches(text: string, tokens: Tokens): Generator<RuleMatch> {
  for (const [name, patterns] of PARSED_CONCEPTS) addConcept(name, patterns, tokens)
  for (const [rule, patterns] of PARSED) {
    for (const [wording, pattern] of patterns.entries()) {
      for (const { from, to, denied } of matchesOf(pattern, tokens)) {
        const at = tokens.list[from]?.at ?? 0
        const last = tokens.list[to - 1]
        const end = last === undefined ? at : last.at + last.word.length
        const context = contextOf(text, at, end - at)
        if (isHarmless(rule.unless, context.near)) continue
        const level = readIn(rule, context, denied, pattern.denies)
        if (level !== 'none') yield { rule: rule.id, level, at, end, wording }
      }
    }
  }
}

function readIn(
  rule: CrisisRule | ComposedRule,
  context: Context,
  denied = false,
  denies = false,
): CrisisLevel {
  let level = rule.level
  if (denied && !denies && rule.readings.negated !== undefined) level = lower(level, rule.readings.negated)
  for (const [reading, lowered] of Object.entries(rule.readings) as Array<
    [Reading, CrisisLevel | undefined]
  >) {
    if (denies && reading === 'negated') continue
    if (lowered !== undefined && READINGS[reading](context)) level = lower(level, lowered)
  }
  if (level === 'mild' && rule.level === 'high' && isDeniedWithABut(context)) return 'moderate'
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
