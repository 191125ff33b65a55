import { lower, type RiskLevel } from '../../risk-level.ts'
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
import { QUOTE } from './normalise.ts'
import { addConcept, matchesOf, type Pattern, parsePattern } from './pattern.ts'
import type { LiteralRule, PatternRule, Reading } from './rule.ts'
import {
  ABUSE_PATTERN_RULES,
  DISTRESS_LITERAL_RULES,
  HARMED_LITERAL_RULES,
  HURTING_PATTERN_RULES,
  SELF_HARM_LITERAL_RULES,
} from './rules-harm.ts'
import { INTENT_LITERAL_RULES, PREPARING_PATTERN_RULES } from './rules-intent.ts'
import { MEANS_LITERAL_RULES, MEANS_PATTERN_RULES } from './rules-means.ts'
import { BURDEN_PATTERN_RULES, PASSIVE_LITERAL_RULES, WISH_PATTERN_RULES } from './rules-wish.ts'
import type { Tokens } from './tokens.ts'
import { CONCEPTS } from './vocabulary.ts'

/** Every literal rule, the most dangerous domains first: where several give a level, the first is named. */
export const LITERAL_RULES: readonly LiteralRule[] = [
  ...INTENT_LITERAL_RULES,
  ...MEANS_LITERAL_RULES,
  ...SELF_HARM_LITERAL_RULES,
  ...HARMED_LITERAL_RULES,
  ...PASSIVE_LITERAL_RULES,
  ...DISTRESS_LITERAL_RULES,
]

/** Every pattern rule. */
export const PATTERN_RULES: readonly PatternRule[] = [
  ...PREPARING_PATTERN_RULES,
  ...WISH_PATTERN_RULES,
  ...MEANS_PATTERN_RULES,
  ...HURTING_PATTERN_RULES,
  ...ABUSE_PATTERN_RULES,
  ...BURDEN_PATTERN_RULES,
]

/** By the domain of a literal rule's id. */
const HARMLESS: Readonly<Record<string, Harmless | undefined>> = {
  intent: HARMLESS_WISH,
  passive: HARMLESS_WISH,
  means: HARMLESS_MEANS,
  self_harm: HARMLESS_HURT,
  harmed: HARMLESS_ABUSE,
}

const PARSED_CONCEPTS: ReadonlyArray<readonly [string, readonly Pattern[]]> = CONCEPTS.map(
  ([name, patterns]) => [name, patterns.map(parsePattern)],
)

const PARSED_RULES: ReadonlyArray<readonly [PatternRule, readonly Pattern[]]> = PATTERN_RULES.map((rule) => [
  rule,
  rule.patterns.map(parsePattern),
])

/**
 * A rule found at a place in the normalised text, in characters, with the level that its context leaves it; `wording` is
 * the index of the pattern that matched, of a pattern rule.
 */
export type RuleMatch = { rule: string; level: RiskLevel; at: number; end: number; wording?: number }

/** Every place where a literal rule is found. */
export function* literalMatches(text: string, rules = LITERAL_RULES): Generator<RuleMatch> {
  for (const rule of rules) {
    const harmless = HARMLESS[rule.id.slice(0, rule.id.indexOf('.'))]
    for (const match of text.matchAll(rule.regex)) {
      const context = contextOf(text, match.index, match[0].length)
      if (rule.unless?.test(context.near) || (harmless && isHarmless(harmless, context.near))) continue
      const level = levelIn(rule, context)
      if (level !== 'none')
        yield { rule: rule.id, level, at: match.index, end: match.index + match[0].length }
    }
  }
}

/** The first place of every phrase of another language. */
export function* foreignMatches(text: string): Generator<RuleMatch> {
  for (const { rule, level, phrase } of FOREIGN_PHRASES) {
    const found = text.indexOf(phrase)
    if (found === -1) continue
    const at = phrase.startsWith(' ') ? found + 1 : found
    const denied = FOREIGN_NEGATION.test(text.slice(Math.max(0, at - 20), at))
    yield { rule, level: denied ? 'mild' : level, at, end: found + phrase.length }
  }
}

/** Every place where a pattern rule is found. Adds the concepts to the tokens. */
export function* patternMatches(text: string, tokens: Tokens): Generator<RuleMatch> {
  for (const [name, patterns] of PARSED_CONCEPTS) addConcept(name, patterns, tokens)
  for (const [rule, patterns] of PARSED_RULES) {
    for (const [wording, pattern] of patterns.entries()) {
      for (const { from, to, denied } of matchesOf(pattern, tokens)) {
        const at = tokens.list[from]?.at ?? 0
        const last = tokens.list[to - 1]
        const end = last === undefined ? at : last.at + last.word.length
        const context = contextOf(text, at, end - at)
        if (isHarmless(rule.unless, context.near)) continue
        const level = levelIn(rule, context, denied, pattern.denies)
        if (level !== 'none') yield { rule: rule.id, level, at, end, wording }
      }
    }
  }
}

/** The level of a rule, lowered by how its context reads. */
function levelIn(
  rule: LiteralRule | PatternRule,
  context: Context,
  denied = false,
  denies = false,
): RiskLevel {
  let level = rule.level
  if (denied && !denies && rule.readings.negated !== undefined) level = lower(level, rule.readings.negated)
  for (const [reading, lowered] of Object.entries(rule.readings) as Array<[Reading, RiskLevel | undefined]>) {
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
