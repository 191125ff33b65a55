import * as z from 'zod'
import { DIRECTIONS } from '../direction-of-change.ts'
import { RISK_LEVELS } from '../risk-level.ts'

export const MAX_THEMES = 6

const words = z.array(z.string())

/** The result of analysing a transcript. */
export const transcriptResult = z.strictObject({
  text_score: z.number().min(0).max(100).describe('Wellbeing, 0 to 100; higher is better'),
  mood_score: z.number().min(1).max(10).optional().describe('1 to 10; only where the student named a number'),
  uncertainty: z.number().min(0).max(1).describe('0 certain to 1 uncertain'),
  themes: words.max(MAX_THEMES).describe('Main topics'),
  keywords: words.describe('Key terms'),
  risk_level: z.enum(RISK_LEVELS).describe('`high`: signs of a crisis'),
  direction_of_change: z.enum(DIRECTIONS).describe('`same` where nothing earlier is known'),
  conversation_summary: z.string().describe('One or two sentences to the student'),
  drivers_positive: words.describe('What does the student good'),
  drivers_negative: words.describe('What weighs on the student'),
})

export type TranscriptResult = z.infer<typeof transcriptResult>

/** Where a result is from: the model, the built-in analysis when there is no model or nothing to read, or the fallback when the model failed. */
export type Provider = 'language-model' | 'built-in' | 'fallback'

/** The value when it is one of the given, else `null`. */
export function oneOf<Value extends string>(values: readonly Value[], value: unknown): Value | null {
  return values.find((known) => known === value) ?? null
}
