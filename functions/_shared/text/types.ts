import type { Crisis } from './crisis/level.ts'
import type { TextFeatureName } from './features/registry.ts'

export type TextQuality = {
  /** 0 (unusable) to 1 (200 words or more of English). */
  score: number
  words: number
  sentences: number
  language: 'en' | 'other' | 'unknown'
  reason: null | 'empty' | 'too_short' | 'not_english'
}

export type TextAnalysis = {
  /** All 16 features; `null` where the text does not hold enough to measure one. */
  features: Record<TextFeatureName, number | null>
  quality: TextQuality
  /** What was talked about, most mentioned first, six at most. */
  themes: string[]
  /** The student's own words that belong to a theme or an emotion, most used first; never a name. */
  keywords: string[]
  /** A mood on a scale of 1 to 10 that the student put into words, else `null`. */
  stated_mood: number | null
  crisis: Crisis
}
