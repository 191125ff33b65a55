import { lexicon } from '../lexicon.ts'
import { SOCIAL_CONNECTION } from '../lexicons/social-connection.ts'
import { ratePer100 } from '../rate.ts'
import type { Reading } from '../reading.ts'

const ENTRIES = lexicon(SOCIAL_CONNECTION)

/** Mentions of people who are close, and time with them, per 100 words, 0 or more; denied ones do not count. */
export function socialConnectionRate(reading: Reading): number | null {
  return ratePer100(reading, ENTRIES)
}
