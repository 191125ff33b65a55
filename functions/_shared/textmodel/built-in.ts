import type { Direction } from '../change.ts'
import { type FusionResult, fuse, NothingToScore } from '../fusion/index.ts'
import type { TextAnalysis } from '../text/index.ts'
import { builtInSummary } from './built-in-summary.ts'
import type { Previous } from './previous.ts'
import { MOST_THEMES, type TranscriptResult } from './result.ts'

/** Points by which a text score varies from one conversation to the next, as a standard deviation. */
const USUAL_VARIATION = 8
/** Points that full uncertainty stands for, as in the fusion. */
const UNCERTAINTY_POINTS = 25
const LEAST_THEMES = 3

/** Topics that the measures show where the words name too few, by feature. */
const MEASURED_THEMES = [
  ['emotion_anxiety', 'worry'],
  ['emotion_sadness', 'low mood'],
  ['emotion_anger', 'frustration'],
  ['emotion_joy', 'enjoyment'],
  ['coping_rate', 'coping'],
  ['social_connection_rate', 'connection with others'],
  ['future_focus_rate', 'looking ahead'],
] as const

/** The built-in analysis of a transcript. */
export type BuiltIn = {
  result: TranscriptResult
  /** Whether the words could be scored; else the score is the middle and the uncertainty 1. */
  scored: boolean
}

/** The analysis of the words in the shape of the language model's, scored as the pipeline scores them. Deterministic. */
export function builtInAnalysis(text: TextAnalysis, previous: Previous): BuiltIn {
  const fused = fusedOf(text)
  const scored = !(fused instanceof NothingToScore)
  const score = scored ? fused.score : 50
  const uncertainty = scored ? fused.uncertainty : 1
  const risk_level = scored ? fused.risk_level : fused.riskLevel
  const direction_of_change = directionOf(score, uncertainty, previous)
  const themes = themesOf(text)
  return {
    scored,
    result: {
      text_score: score,
      ...(text.stated_mood !== null && { mood_score: text.stated_mood }),
      uncertainty,
      themes,
      keywords: text.keywords,
      risk_level,
      direction_of_change,
      conversation_summary: builtInSummary({
        themes: text.themes,
        score,
        uncertainty,
        risk: risk_level,
        crisis: text.crisis.level,
        direction: direction_of_change,
      }),
      drivers_positive: scored ? fused.drivers_positive : [],
      drivers_negative: scored ? fused.drivers_negative : [],
    },
  }
}

function fusedOf({ features, quality, ...textDetails }: TextAnalysis): FusionResult | NothingToScore {
  try {
    const text = { features, quality: { score: quality.score, reason: quality.reason } }
    return fuse({ audio: null, visual: null, text, textDetails, moodScore: null, baseline: null })
  } catch (error) {
    if (error instanceof NothingToScore) return error
    throw error
  }
}

/** A change stands out when it is over one standard deviation of variation and doubt together. */
function directionOf(score: number, uncertainty: number, previous: Previous): Direction {
  const before = previous?.wellbeing_score ?? null
  if (before === null) return 'same'
  const change = score - before
  if (Math.abs(change) <= Math.hypot(USUAL_VARIATION, UNCERTAINTY_POINTS * uncertainty)) return 'same'
  return change > 0 ? 'better' : 'worse'
}

function themesOf({ themes, features }: TextAnalysis): string[] {
  const measured = MEASURED_THEMES.map(([feature, theme]) => ({ theme, value: features[feature] ?? 0 }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .map(({ theme }) => theme)
  return [...themes, ...measured.slice(0, Math.max(0, LEAST_THEMES - themes.length))].slice(0, MOST_THEMES)
}
