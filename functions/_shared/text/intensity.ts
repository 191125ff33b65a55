import type { Word } from './document.ts'
import { STRONGER, WEAKER } from './lexicons/intensifiers.ts'

const STRENGTHENS = new Set(STRONGER)
const SOFTENS = new Set(WEAKER)

/** Weight of a strengthened and of a softened word against 1 for a plain one. */
export const STRENGTHENED = 1.5
export const SOFTENED = 0.5

/** "Kind of" and "sort of" soften like one word. */
export function isSofteningPair(words: readonly Word[], at: number): boolean {
  return words[at]?.form === 'of' && /^(?:kind|sort)$/.test(words[at - 1]?.form ?? '')
}

export const isStrengthening = (word: Word) => STRENGTHENS.has(word.form)
export const isSoftening = (word: Word) => SOFTENS.has(word.form)

/** How much the word at a position counts: an intensifier or a softener among the two words before it changes it. */
export function intensityAt(words: readonly Word[], at: number): number {
  for (let i = at - 1; i >= Math.max(0, at - 2); i--) {
    const word = words[i]
    if (word === undefined || word.breakAfter) break
    if (isSoftening(word)) return SOFTENED
    if (isStrengthening(word)) return STRENGTHENED
    if (isSofteningPair(words, i)) return SOFTENED
  }
  return 1
}
