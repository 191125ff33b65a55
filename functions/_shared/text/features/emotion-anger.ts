import { lexicon } from '../lexicon.ts'
import { ANGER } from '../lexicons/anger.ts'
import { ratePer100 } from '../rate.ts'
import type { Reading } from '../reading.ts'

const ENTRIES = lexicon(ANGER)

/** Words of anger per 100 words, 0 or more, by the project's lexicon; denied ones do not count. */
export function emotionAnger(reading: Reading): number | null {
  return ratePer100(reading, ENTRIES)
}
