import type { Word } from './document.ts'

const STRONGER = new Set(
  'very really so extremely incredibly absolutely totally completely super deeply terribly truly utterly insanely constantly always especially proper hella too such'.split(
    ' ',
  ),
)
const WEAKER = new Set(
  'slightly somewhat fairly little bit kinda sorta mildly occasionally sometimes barely'.split(' '),
)

/** Weight of a strengthened and of a softened word against 1 for a plain one. */
export const STRENGTHENED = 1.5
export const SOFTENED = 0.5

/** How much the word at a position counts: an intensifier or a softener among the two words before it changes it. */
export function intensityAt(words: readonly Word[], at: number): number {
  for (let i = at - 1; i >= Math.max(0, at - 2); i--) {
    const word = words[i]
    if (word === undefined || word.breakAfter) break
    if (WEAKER.has(word.form)) return SOFTENED
    if (STRONGER.has(word.form)) return STRENGTHENED
    if (word.form === 'of' && (words[i - 1]?.form === 'kind' || words[i - 1]?.form === 'sort'))
      return SOFTENED
  }
  return 1
}
