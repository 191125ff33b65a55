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
import { type Crisis, type CrisisLevel, isHigher, lower } from './level.ts'
import { normalise, QUOTE, STOP } from './normalise.ts'
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
import { type Tokens, tokensOf } from './sentence-tokens.ts'

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
 * Crisis language in a text: the gravest level that any rule gives, with the rule's id. Deterministic, in time linear
 * in the text, for any string. It leans to alarm: a reading lowers a match only when it is recognised, and in doubt
 * words are taken to be about the speaker, now. The text is neither kept nor logged.
 */
export function detectCrisis(text: string): Crisis {
  const normalised = normalise(text)
  if (normalised === '') return { level: 'none', rule: null }
  const sentences = ` ${normalised} `
  const fixed = gravest(sentences)
  if (fixed.level === 'high') return fixed
  const found = composed(sentences, fixed)
  if (found.level === 'high') return found
  // "I want to. Die.": once more across sentence ends and quotation marks, for the words that matter most
  const joined = ` ${normalised
    .split(' ')
    .filter((word) => word !== STOP)
    .join(' ')} `
  for (const rule of ACROSS_SENTENCES) {
    const level = levelOf(rule, joined)
    if (isHigher(level, found.level)) {
      found.level = level
      found.rule = rule.id
    }
  }
  return found
}

const ACROSS_SENTENCES = INTENT_RULES.filter(
  ({ id }) => id === 'intent.kill_self' || id === 'intent.want_to_die',
)

function gravest(text: string): Crisis {
  const found: Crisis = { level: 'none', rule: null }
  for (const rule of CRISIS_RULES) {
    if (!isHigher(rule.level, found.level)) continue
    const level = levelOf(rule, text)
    if (!isHigher(level, found.level)) continue
    found.level = level
    found.rule = rule.id
    if (level === 'high') return found
  }
  for (const { rule, level, phrase } of FOREIGN_PHRASES) {
    const at = text.indexOf(phrase)
    if (at === -1) continue
    const start = phrase.startsWith(' ') ? at + 1 : at
    const read = FOREIGN_NEGATION.test(text.slice(Math.max(0, start - 20), start)) ? 'mild' : level
    if (isHigher(read, found.level)) {
      found.level = read
      found.rule = rule
    }
  }
  return found
}

/** What was found, or the gravest level of the rules that are put together when that is higher. */
function composed(text: string, fixed: Crisis): Crisis {
  const found = { ...fixed }
  const tokens = tokensOf(text)
  for (const [name, patterns] of PARSED_CONCEPTS) addConcept(name, patterns, tokens)
  for (const [rule, patterns] of PARSED) {
    if (!isHigher(rule.level, found.level)) continue
    for (const pattern of patterns) {
      for (const { from, to, denied } of matchesOf(pattern, tokens)) {
        const context = contextAt(text, tokens, from, to)
        if (isHarmless(rule.unless, context.near)) continue
        const level = readIn(rule, context, denied, pattern.denies)
        if (!isHigher(level, found.level)) continue
        found.level = level
        found.rule = rule.id
        if (level === 'high') return found
      }
    }
  }
  return found
}

function contextAt(text: string, { list }: Tokens, from: number, to: number): Context {
  const start = list[from]?.at ?? 0
  const last = list[to - 1]
  const end = last === undefined ? start : last.at + last.word.length
  return contextOf(text, start, end - start)
}

/** The gravest level that one rule gives anywhere in the text. */
function levelOf(rule: CrisisRule, text: string): CrisisLevel {
  let level: CrisisLevel = 'none'
  for (const match of text.matchAll(rule.pattern)) {
    const context = contextOf(text, match.index, match[0].length)
    const harmless = HARMLESS[rule.id.slice(0, rule.id.indexOf('.'))]
    if (rule.unless?.test(context.near) || (harmless && isHarmless(harmless, context.near))) continue
    const read = readIn(rule, context)
    if (isHigher(read, level)) level = read
    if (level === rule.level) break
  }
  return level
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
    !new RegExp(QUOTE).test(context.near)
  )
}
