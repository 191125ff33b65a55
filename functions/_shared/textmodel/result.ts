import type { CrisisLevel } from '../text/index.ts'

export const RISK_LEVELS = ['none', 'mild', 'moderate', 'high'] as const satisfies readonly CrisisLevel[]
export const DIRECTIONS = ['better', 'same', 'worse'] as const

export type RiskLevel = (typeof RISK_LEVELS)[number]
export type Direction = (typeof DIRECTIONS)[number]

/** What a transcript says of a student. */
export type TranscriptResult = {
  /** 0 to 100; higher is better wellbeing. */
  text_score: number
  /** 1 to 10; only where the student named a number. */
  mood_score?: number
  /** 0 certain to 1 uncertain. */
  uncertainty: number
  /** Main topics, six at most. */
  themes: string[]
  keywords: string[]
  risk_level: RiskLevel
  direction_of_change: Direction
  /** One or two sentences to the student. */
  conversation_summary: string
  drivers_positive: string[]
  drivers_negative: string[]
}

/** Who answered: the model, the built-in analysis because there is no model to ask, or neither because the model failed. */
export type Provider = 'language-model' | 'built-in' | 'fallback'

export const MOST_THEMES = 6

/** The higher of two levels. */
export function higherRisk(a: RiskLevel, b: RiskLevel): RiskLevel {
  return RISK_LEVELS.indexOf(a) >= RISK_LEVELS.indexOf(b) ? a : b
}

/** The value when it is one of the given, else `null`. */
export function oneOf<Value extends string>(values: readonly Value[], value: unknown): Value | null {
  return values.find((known) => known === value) ?? null
}
