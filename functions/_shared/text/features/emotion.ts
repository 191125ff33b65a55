import { lexicon, matchAt } from '../lexicon.ts'
import { ANGER, ANXIETY, JOY, SADNESS } from '../lexicons/emotion.ts'
import { type Reading, ratePer100 } from '../reading.ts'

const JOY_ENTRIES = lexicon(JOY)
const SADNESS_ENTRIES = lexicon(SADNESS)
const ANGER_ENTRIES = lexicon(ANGER)
const ANXIETY_ENTRIES = lexicon(ANXIETY)

/** Words of joy per 100 words, 0 or more, by the project's lexicon; denied ones do not count. */
export function emotionJoy(reading: Reading): number | null {
  return ratePer100(reading, JOY_ENTRIES)
}

/** What a denied word of joy ("not happy") counts as sadness. */
const DENIED_JOY = 0.5

/** Words of sadness per 100 words, 0 or more, by the project's lexicon; denied ones do not count, denied joy counts half. */
export function emotionSadness(reading: Reading): number | null {
  const sadness = ratePer100(reading, SADNESS_ENTRIES)
  if (sadness === null) return null
  const { words, denied } = reading
  const deniedJoy = words.filter((_, at) => denied[at] && matchAt(JOY_ENTRIES, words, at) > 0).length
  return sadness + (100 * DENIED_JOY * deniedJoy) / words.length
}

/** Words of anger per 100 words, 0 or more, by the project's lexicon; denied ones do not count. */
export function emotionAnger(reading: Reading): number | null {
  return ratePer100(reading, ANGER_ENTRIES)
}

/** Words of anxiety per 100 words, 0 or more, by the project's lexicon; denied ones do not count. */
export function emotionAnxiety(reading: Reading): number | null {
  return ratePer100(reading, ANXIETY_ENTRIES)
}
