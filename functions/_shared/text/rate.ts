import { intensityAt } from './intensity.ts'
import { type Lexicon, matchAt } from './lexicon.ts'
import type { Reading } from './reading.ts'

/**
 * Weighted mentions per 100 words. Denied mentions do not count; strengthened ones count 1.5, softened ones 0.5.
 * @returns `null` when there is no word
 */
export function ratePer100(reading: Reading, entries: Lexicon, deniedCount = 0): number | null {
  const { words, denied } = reading
  if (words.length === 0) return null
  let sum = 0
  for (let at = 0; at < words.length; ) {
    const length = matchAt(entries, words, at)
    if (length > 0) sum += denied[at] ? deniedCount : intensityAt(words, at)
    at += Math.max(1, length)
  }
  return (100 * sum) / words.length
}
