import { clean } from './clean.ts'

const NUMBERS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
}

const NUMBER = '(\\d{1,2}(?:\\.\\d)?|one|two|three|four|five|six|seven|eight|nine|ten)'
const RANGE = `${NUMBER}(?: (?:or|to|and|-) ${NUMBER}|-${NUMBER})?`
const OF_TEN = '(?: ?(?:out of|/|of) ?(?:10|ten))'
const HEDGE =
  '(?: (?:a|an|at|about|around|roughly|maybe|like|probably|as|just|only|solid|is|was|be|between|the|scale|number|today|now|right|currently|i|would|say|think|id)){0,7}'
const NOT_OF_ANOTHER =
  '(?! ?(?:/|out of|of) ?(?!10\\b|ten\\b)\\w)(?! ?(?:am|pm|percent|%|hours?|days?|weeks?|months?|minutes?|times?|years?|people|friends|weeks|essays?|exams?)\\b)'

const PATTERNS = [
  `\\b(?:my |overall |current )?mood(?: today| right now| now| currently| overall| lately)?(?: is|'s| would be| at|:)?${HEDGE} ${RANGE}${OF_TEN}?${NOT_OF_ANOTHER}`,
  `\\b(?:rate|score|put|place|give)(?: my)? mood${HEDGE} ${RANGE}${OF_TEN}?${NOT_OF_ANOTHER}`,
  `\\b(?:rate|score|put) (?:myself|how i(?:'m| am)? (?:feel|feeling|doing))${HEDGE} ${RANGE}${OF_TEN}?${NOT_OF_ANOTHER}`,
  `\\b(?:i feel|i'm feeling|im feeling|i am feeling|feeling|i'm|im|i am|i'd say i'm)(?: like)?${HEDGE} ${RANGE}${OF_TEN}(?! (?:on|in|for|with) (?:my|the|that|this|a)\\b)`,
].map((source) => new RegExp(source, 'g'))

const CLAUSE = /[.,;!?\n]|\b(?:but|now)\b/
const NOT_NOW =
  /\b(?:was|yesterday|last (?:week|night|time|month|year)|used to|before|not|isn't|never|friend's|roommate's|her|his|their)\b/
const NOT_MOOD = /\b(?:pain|stress|anxiety|test|quiz|exam|grade|hunger|tired|movie|film|difficulty)\b/

/**
 * The mood on a scale of 1 to 10 that the student names ("my mood is a six", "I feel about 7 out of 10"), the last one
 * where there are several; `null` where there is none.
 */
export function statedMood(transcript: string): number | null {
  const text = clean(transcript).toLowerCase()
  let mood: number | null = null
  let last = -1
  for (const pattern of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      if (match.index < last) continue
      const words = match[0]
      const before =
        text
          .slice(Math.max(0, match.index - 25), match.index)
          .split(CLAUSE)
          .at(-1) ?? ''
      if (NOT_NOW.test(words) || NOT_NOW.test(before) || NOT_MOOD.test(words)) continue
      const value = middleOf(match.slice(1))
      if (value === null) continue
      mood = value
      last = match.index
    }
  }
  return mood
}

/** The number, or the middle of two; `null` when one is not between 1 and 10. */
function middleOf(groups: readonly (string | undefined)[]): number | null {
  const values = groups
    .filter((group) => group !== undefined)
    .slice(0, 2)
    .map((group) => NUMBERS[group] ?? Number(group))
  if (values.length === 0 || values.some((value) => !(value >= 1 && value <= 10))) return null
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
