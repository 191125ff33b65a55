import { FOR_LETTERS } from '../lookalikes.ts'

/** Words that give a glued or spelled-out run away. */
const TELLING = new Set(
  'wrists arms pills rope bridge jump hope gone forever goodbye scared hits beats bleed blade razor cutter kill killing die dying dead death suicide suicidal myself live living alive harm hurt cut cutting end ending overdose unalive rape raped hang kms exist disappear jump bleed goodbye hate pills help'.split(
    ' ',
  ),
)

/** Small words that stand beside them. */
const SMALL = new Set(
  'i im ill ive a want to wanna going gonna my self me it all life no more not dont cant wont will be is am are was of in on the this anymore any so just feel feeling think thinking about and or need please wish were gone over again tonight now never wake up really had enough out here with pain stop by have had do did day every off bridge he she hits beats they should could would like'.split(
    ' ',
  ),
)

const LONGEST_WORD = 9
const LONGEST_RUN = 60

/**
 * The words of a run without spaces ("idontwanttolive"), when all of it is known words and one of them is telling;
 * a run that only ends or begins in such words gives those.
 */
export function split(run: string): readonly string[] | null {
  if (run.length < 3 || run.length > LONGEST_RUN) return null
  const letters = Array.from(run, (letter) => FOR_LETTERS[letter] ?? letter).join('')
  for (let cut = 0; cut + 3 <= letters.length && cut <= 3; cut++) {
    for (let end = letters.length; end >= letters.length - 3 && end - cut >= 3; end--) {
      const words = wordsOf(letters.slice(cut, end))
      if (words === null) continue
      return [...letters.slice(0, cut), ...words, ...letters.slice(end)]
    }
  }
  return null
}

/** A glued word in its parts, any other word as it is. */
export function splitGlued(word: string): readonly string[] {
  if (word.includes(' ')) return word.split(' ')
  if (!/^[a-z0-9_]+$/.test(word)) return [word]
  if (word.includes('_')) return word.split('_').filter((part) => part !== '')
  if (word.length < 7 || word.length > LONGEST_RUN || TELLING.has(word)) return [word]
  const words = wordsOf(word.replace(/2/g, 'to'))
  return words !== null && words.length > 1 ? words : [word]
}

/** The fewest known words that make up a run, when one of them is telling. */
function wordsOf(run: string): readonly string[] | null {
  const best: Array<readonly string[] | null> = [[]]
  for (let end = 1; end <= run.length; end++) {
    let shortest: readonly string[] | null = null
    for (let start = Math.max(0, end - LONGEST_WORD); start < end; start++) {
      const before = best[start]
      if (before === null || before === undefined) continue
      const word = run.slice(start, end)
      if (!TELLING.has(word) && !SMALL.has(word)) continue
      if (shortest === null || before.length + 1 < shortest.length) shortest = [...before, word]
    }
    best[end] = shortest
  }
  const words = best[run.length] ?? null
  return words?.some((word) => TELLING.has(word)) ? words : null
}

/** What broken words may make up together. */
const JOINED = new Set(
  'suicide suicidal myself kill killing die dying dead death overdose overdosed unalive'.split(' '),
)

/** "su icide", "my self", "ki ll": neighbours that are one word. */
export function joinFragments(words: readonly string[]): readonly string[] {
  const joined: string[] = []
  for (let i = 0; i < words.length; i++) {
    let word = words[i] ?? ''
    if (word.length <= 6) {
      let whole = word
      for (let length = 1; length < 5 && whole.length < 10; length++) {
        whole += words[i + length] ?? ''
        if (!JOINED.has(whole)) continue
        word = whole
        i += length
        break
      }
    }
    joined.push(word)
  }
  return joined
}
