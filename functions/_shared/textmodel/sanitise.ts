import { DIRECTIONS } from '../change.ts'
import { RISK_LEVELS } from '../risk-level.ts'
import { plainText } from './plain-text.ts'
import { MOST_THEMES, oneOf, type TranscriptResult } from './result.ts'
import { acceptableSummary } from './summary.ts'

const MOST_KEYWORDS = 20
const MOST_DRIVERS = 10
const LONGEST_ENTRY = 100

/**
 * Repairs what the model gave, by the rules of the interface: a score that is no number from 0 to 100 is 50; a mood that
 * is no number from 1 to 10 is left out; an uncertainty that is no number from 0 to 1 is 0.5; an unknown risk level is
 * `none`; a list that is no list is empty. Beyond them, lists keep their texts only, and a summary that is not fit for
 * the student is empty.
 */
export function sanitise(output: Record<string, unknown>): TranscriptResult {
  const mood = within(output.mood_score, 1, 10)
  return {
    text_score: within(output.text_score, 0, 100) ?? 50,
    ...(mood !== null && { mood_score: mood }),
    uncertainty: within(output.uncertainty, 0, 1) ?? 0.5,
    themes: texts(output.themes, MOST_THEMES),
    keywords: texts(output.keywords, MOST_KEYWORDS),
    risk_level: oneOf(RISK_LEVELS, output.risk_level) ?? 'none',
    direction_of_change: oneOf(DIRECTIONS, output.direction_of_change) ?? 'same',
    conversation_summary: acceptableSummary(output.conversation_summary),
    drivers_positive: texts(output.drivers_positive, MOST_DRIVERS),
    drivers_negative: texts(output.drivers_negative, MOST_DRIVERS),
  }
}

function within(value: unknown, low: number, high: number): number | null {
  // Adding zero makes of -0, which JSON does not know, 0.
  return typeof value === 'number' && value >= low && value <= high ? value + 0 : null
}

function texts(value: unknown, most: number): string[] {
  if (!Array.isArray(value)) return []
  const plain = value
    .filter((entry) => typeof entry === 'string')
    .map((entry) => plainText(entry, LONGEST_ENTRY))
  return [...new Set(plain)].filter((entry) => entry !== '').slice(0, most)
}
