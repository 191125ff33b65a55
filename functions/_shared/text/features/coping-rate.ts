import { lexicon } from '../lexicon.ts'
import { COPING } from '../lexicons/coping.ts'
import { ratePer100 } from '../rate.ts'
import type { Reading } from '../reading.ts'

const ENTRIES = lexicon(COPING)

/** Mentions of ways of coping and of looking after oneself per 100 words, 0 or more; denied ones do not count. */
export function copingRate(reading: Reading): number | null {
  return ratePer100(reading, ENTRIES)
}
