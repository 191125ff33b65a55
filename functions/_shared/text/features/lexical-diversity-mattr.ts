import type { Reading } from '../reading.ts'

/** Window in words. */
const WINDOW = 50

/**
 * Lexical diversity, 0 to 1: the moving-average type-token ratio over windows of 50 words (Covington and McFall 2010).
 * `null` below 50 words, where the ratio is not comparable.
 */
export function lexicalDiversityMattr({ words }: Reading): number | null {
  if (words.length < WINDOW) return null
  const counts = new Map<string, number>()
  let sum = 0
  words.forEach(({ form }, at) => {
    counts.set(form, (counts.get(form) ?? 0) + 1)
    if (at >= WINDOW) {
      const leaving = words[at - WINDOW]?.form ?? ''
      const left = (counts.get(leaving) ?? 0) - 1
      if (left === 0) counts.delete(leaving)
      else counts.set(leaving, left)
    }
    if (at >= WINDOW - 1) sum += counts.size / WINDOW
  })
  return sum / (words.length - WINDOW + 1)
}
