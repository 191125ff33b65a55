import { entries } from '../lexicon.ts'
import { MISSPELLINGS } from './misspellings.ts'

/** Letters of other scripts that look like Latin ones. */
const LIKE_LETTERS: Readonly<Record<string, string>> = {
  ı: 'i',
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  у: 'y',
  х: 'x',
  і: 'i',
  ѕ: 's',
  ј: 'j',
  ԁ: 'd',
  ԛ: 'q',
  ո: 'n',
  к: 'k',
  м: 'm',
  т: 't',
  в: 'b',
  н: 'h',
  α: 'a',
  ε: 'e',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
}

/** Digits and signs that stand for letters. */
export const FOR_LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** Words that people mask (`s*icide`) or draw out (`dieee`). */
const SENSITIVE = entries(`
  suicide, suicidal, kill, killing, killed, myself, die, dying, dead, death, rape, raped, overdose,
  cutting, harm, unalive, hang, self, hurt, pills, wrists, blade, bleed, alive, abused
`)

const SENSITIVE_WORDS: ReadonlySet<string> = new Set(SENSITIVE)

/** Long enough that one wrong letter leaves no doubt. */
const FUZZY = entries(`
  suicide, suicidal, myself, overdose, overdosed, overdosing, killing, anymore, forever, goodbye, tonight,
  breathing, disappear, strangled, threatened, existence, everyone, boyfriend, girlfriend, threatens,
  tomorrow, without, thoughts, thinking, hurting, cutting, drowning, worthless, burden, bridge, tablets,
  wrists, death, alive, razor
`)

/** "suaside", "sooicide", "suisyd": what the word sounds like. */
const LIKE_SUICIDE =
  /^s(?:u[aeiouy]{1,2}|[oe]{1,2}[uw]?i|ooi?|ue?w?i?)[csz]{1,2}[aiey]{1,3}[dt]{1,2}(e?|a?l|le|el|ally)$/

/** Ordinary words one edit from a fuzzy one. */
const INNOCENT: ReadonlySet<string> = new Set(
  entries(`
    filling, billing, milling, killings, skilling, chilling, pilling, tilling, willing, kilning,
    overdoses, suicides, himself, itself, killing, goodbyes, existences, disappears, suited, sussed,
    sauced, suizid, alike, alice, olive, dearth, hunting, hurling, hurtling, bridges, bridget, bridged,
    burdens, tables, tablet, wrist, threaten, boyfriends, girlfriends, thought, razors, succeed, suceed,
    seized, suzette, susette, depth, bride, bridle, bridie, bridger, downing, droning,
    breaching, thanking, thinning, overdone, overdoing, overdoes, wrests, waists, straggled, strangle, strangler,
    husting, aleve, kipling, mined
  `),
)

const LOOKALIKES: Readonly<Record<string, string>> = { ...FOR_LETTERS, ...LIKE_LETTERS, '€': 'e', '|': 'l' }

/** "k_i_l_l", "d*i*e": a sign between every two letters. */
const SEPARATED = /^[a-z0-9](?:[*_#|][a-z0-9]){2,}$/

const MASK = /^(?=.{1,40}$)[a-z]*[*#_.x-]+[a-z]+[*#a-z]*$/

/** A lower-case word without its disguise: lookalike characters, masks, repeated letters and misspelling undone. */
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
  if (/([a-z])\1\1/.test(plain)) return withoutRepeats(plain)
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

function withoutRepeats(word: string): string {
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
