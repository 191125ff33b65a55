import * as z from 'zod'
import type { RiskLevel } from '../risk-level.ts'

/**
 * What the second reading looks for: the categories of the Columbia-Suicide Severity Rating Scale (Posner et al. 2011, Am. J.
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

/** The strict schema of the second reading's output. */
export const crisisOutput = z.object({
  now: categories.describe('True of the student now or in the last three months; empty when none is.'),
  earlier: categories.describe('True of the student longer ago only; empty when none is.'),
})

const KNOWN: ReadonlySet<unknown> = new Set(CRISIS_CATEGORIES)

/** The level of what the model named, whatever it gave: `high` for what is, `moderate` for what was. Unknown categories count for nothing. */
export function crisisLevelOf({ now, earlier }: Record<string, unknown>): RiskLevel {
  if (namesAny(now)) return 'high'
  return namesAny(earlier) ? 'moderate' : 'none'
}

function namesAny(value: unknown): boolean {
  return Array.isArray(value) && value.some((category) => KNOWN.has(category))
}
