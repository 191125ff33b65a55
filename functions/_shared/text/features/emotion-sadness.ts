import { lexicon, matchAt } from '../lexicon.ts'
import { JOY } from '../lexicons/joy.ts'
import { SADNESS } from '../lexicons/sadness.ts'
import { ratePer100 } from '../rate.ts'
import type { Reading } from '../reading.ts'

const ENTRIES = lexicon(SADNESS)
const JOYFUL = lexicon(JOY)

/** What a denied word of joy ("not happy") counts as sadness. */
const DENIED_JOY = 0.5

/** Words of sadness per 100 words, 0 or more, by the project's lexicon; denied ones do not count, denied joy counts half. */
export function emotionSadness(reading: Reading): number | null {
  const sadness = ratePer100(reading, ENTRIES)
  if (sadness === null) return null
  const { words, denied } = reading
  const deniedJoy = words.filter((_, at) => denied[at] && matchAt(JOYFUL, words, at) > 0).length
  return sadness + (100 * DENIED_JOY * deniedJoy) / words.length
}
