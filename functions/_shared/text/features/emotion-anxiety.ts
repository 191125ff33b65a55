import { lexicon } from '../lexicon.ts'
import { ANXIETY } from '../lexicons/anxiety.ts'
import { ratePer100 } from '../rate.ts'
import type { Reading } from '../reading.ts'

const ENTRIES = lexicon(ANXIETY)

/** Words of anxiety per 100 words, 0 or more, by the project's lexicon; denied ones do not count. */
export function emotionAnxiety(reading: Reading): number | null {
  return ratePer100(reading, ENTRIES)
}
