import { FOR_LETTERS, LIKE_LETTERS } from '../lookalikes.ts'
import { MISSPELLINGS } from './misspellings.ts'
import { FUZZY, INNOCENT, LIKE_SUICIDE, SENSITIVE, SENSITIVE_WORDS } from './sensitive-words.ts'

const LOOKALIKES: Readonly<Record<string, string>> = { ...FOR_LETTERS, ...LIKE_LETTERS, '€': 'e', '|': 'l' }

/** "k_i_l_l", "d*i*e": a sign between every two letters. */
const SEPARATED = /^[a-z0-9](?:[*_#|][a-z0-9]){2,}$/

const MASK = /^[a-z]*[*#_.x-]+[a-z]+[*#a-z]*$/

/** A lower-case word without its disguise: lookalike characters, masks, stretching and misspelling undone. */
export function undisguise(word: string): string {
  if (word.length > 40) return word
  const bare = SEPARATED.test(word) ? word.replace(/[*_#|]/g, '') : word
  if (bare !== word) return undisguise(bare)
  const plain = MISSPELLINGS.has(word) ? word : lookAlike(word)
  const known = MISSPELLINGS.get(plain)
  if (known !== undefined) return known
  if (SENSITIVE_WORDS.has(plain)) return plain
  if (word.includes('1')) {
    const tall = lookAlike(word.replaceAll('1', 'l'))
    if (SENSITIVE_WORDS.has(tall)) return tall
  }
  if (/[*#_]/.test(plain) && MASK.test(plain)) {
    const match = SENSITIVE.find((candidate) => fitsMask(plain, candidate))
    return match ?? plain
  }
  if (/([a-z])\1\1/.test(plain)) return unstretch(plain)
  if (plain.length >= 6 && !INNOCENT.has(plain) && LIKE_SUICIDE.test(plain)) {
    return /l(?:e|y)?$/.test(plain) ? 'suicidal' : 'suicide'
  }
  if (plain.length >= 5 && !INNOCENT.has(plain)) {
    const match = FUZZY.find((candidate) => candidate[0] === plain[0] && isOneEditAway(plain, candidate))
    if (match !== undefined) return match
  }
  return plain
}

/** Only words that mix letters with lookalikes are changed, so that numbers and other scripts stay as they are. */
function lookAlike(word: string): string {
  if (!/[a-z]/.test(word) || !/[^a-z]/.test(word)) return word
  return Array.from(word, (letter) => LOOKALIKES[letter] ?? letter).join('')
}

function fitsMask(masked: string, word: string): boolean {
  if (masked.length !== word.length || masked[0] !== word[0]) return false
  let shown = 0
  for (let i = 0; i < word.length; i++) {
    if (masked[i] === word[i]) shown++
    else if (!'*#_'.includes(masked[i] ?? '')) return false
  }
  return shown >= 2
}

function unstretch(word: string): string {
  const single = word.replace(/([a-z])\1{2,}/g, '$1')
  const double = word.replace(/([a-z])\1{2,}/g, '$1$1')
  const shortest = word.replace(/([a-z])\1+/g, '$1')
  for (const candidate of [double, single, shortest]) {
    if (SENSITIVE_WORDS.has(candidate)) return candidate
  }
  return MISSPELLINGS.get(single) ?? MISSPELLINGS.get(double) ?? single
}

/** One insertion, deletion, substitution or swap of neighbours. */
function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [restA, restB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  if (restA.length <= 1 && restB.length <= 1) return true
  return restA.length === 2 && restB.length === 2 && restA[0] === restB[1] && restA[1] === restB[0]
}
