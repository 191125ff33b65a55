import * as z from 'zod'
import type { RiskLevel } from '../risk-level.ts'
import { plainForm, saysHighRisk } from './risk-said.ts'

/**
 * What the third reading looks for: the categories of the Columbia-Suicide Severity Rating Scale (Posner et al. 2011, Am. J.
 * Psychiatry 168), with abuse and violence.
 */
const CRISIS_CATEGORIES = [
  'wish',
  'ideation',
  'method',
  'intent',
  'plan_or_preparation',
  'attempt_or_overdose',
  'self_harm',
  'abuse',
  'violence',
] as const

const categories = z.array(z.enum(CRISIS_CATEGORIES))

/** The strict schema of the third reading's output. */
export const crisisOutput = z.object({
  now: categories.describe('True of the student now or in the last three months; empty when none is.'),
  earlier: categories.describe('True of the student longer ago only; empty when none is.'),
})

/** A field with its list, object, quoted text or line; what was cut off counts. */
const FIELD =
  /\b(now|earlier)\b[^\w[{\n]{0,8}[:=](?:\s{0,20}(\[[^\]]{0,4000}|\{[^}]{0,4000}|"[^"]{0,400})|((?:(?!\bearlier\b|\bnow\b)[^\n]){0,400}))/g

/** A category, or a part of one, that is neither denied nor given as false. */
const CATEGORY = new RegExp(
  String.raw`(?<!\b(?:no|not|without|denies)\W{1,3})(?<![a-z])(?:${CRISIS_CATEGORIES.join('|')
    .replaceAll('_or_', '|')
    .replaceAll(
      '_',
      '[\\s_-]?',
    )})(?![a-z])(?!\w{0,20}["']{0,2}\s{0,3}[:=]\s{0,3}["']?(?:false|no|none|null|0)\b)`,
)

/**
 * The level of what a model answered: `high` for what is, `moderate` for what was, and `high` where it says so in its own words. Read as
 * text, so that it counts in any case, between any quotes, in a code fence, cut off, or in an object that is not quite the one
 * that was asked for. Unknown categories count for nothing.
 */
export function crisisLevelOf(answer: string): RiskLevel {
  const plain = plainForm(answer)
  const fields = Array.from(plain.matchAll(FIELD), ([, name, inside, line]) => ({
    name,
    value: inside ?? line ?? '',
  }))
  const list = plain.match(/\[[^\]]{0,4000}/)?.[0]
  // Without a field that says when, it is now.
  if (fields.length === 0 && list !== undefined) fields.push({ name: 'now', value: list })
  const names = (when: string) => fields.some(({ name, value }) => name === when && CATEGORY.test(value))
  if (names('now') || saysHighRisk(answer)) return 'high'
  return names('earlier') ? 'moderate' : 'none'
}
