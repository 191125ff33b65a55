import { lexicon } from '../lexicon.ts'
import { JOY } from '../lexicons/joy.ts'
import { ratePer100 } from '../rate.ts'
import type { Reading } from '../reading.ts'

const ENTRIES = lexicon(JOY)

/** Words of joy per 100 words, 0 or more, by the project's lexicon; denied ones do not count. */
export function emotionJoy(reading: Reading): number | null {
  return ratePer100(reading, ENTRIES)
}
