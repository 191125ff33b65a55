import { clean } from '../clean.ts'
import { undisguise } from './disguise.ts'

/** A mark between sentences and one for a double quote, as words of their own. */
export const STOP = '.'
export const QUOTE = '"'

/** What a spelled-out run stands for, longest first. */
const SPELLED = new Map([
  ['killmyself', 'kill myself'],
  ['iwanttodie', 'i want to die'],
  ['wanttodie', 'want to die'],
  ['endmylife', 'end my life'],
  ['enditall', 'end it all'],
  ['endmyself', 'end myself'],
  ['hurtmyself', 'hurt myself'],
  ['cutmyself', 'cut myself'],
  ['hangmyself', 'hang myself'],
  ['suicidal', 'suicidal'],
  ['suicide', 'suicide'],
  ['overdose', 'overdose'],
  ['unalive', 'unalive'],
  ['myself', 'myself'],
  ['raped', 'raped'],
  ['kill', 'kill'],
  ['dead', 'dead'],
  ['kms', 'kms'],
  ['die', 'die'],
] as const)

/**
 * The text as the crisis rules read it: lower-case words without apostrophes, accents, commas or disguises, single
 * spaces between; sentence ends and double quotes are words of their own.
 */
export function normalise(text: string): string {
  const tokens = clean(text)
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/'/g, '')
    .match(TOKEN)
  const words: string[] = []
  let letters: string[] = []
  let stopped = false
  const flush = () => {
    if (letters.length > 0) words.push(...readSpelled(letters))
    if (stopped) words.push(STOP)
    letters = []
    stopped = false
  }
  for (const token of tokens ?? []) {
    if (SENTENCE_END.test(token)) {
      // a stop inside a spelled-out run ("d. i. e.") is part of it; three dots are a hesitation
      if (letters.length > 0 && token === '.' && !isSpelled(letters)) {
        stopped = true
        continue
      }
      flush()
      if (!/^(?:\.{2,}|…)$/.test(token) && words.at(-1) !== STOP) words.push(STOP)
    } else if (token === QUOTE) {
      flush()
      words.push(QUOTE)
    } else if (SINGLE.test(token)) {
      letters.push(token)
      stopped = false
    } else {
      flush()
      words.push(undisguise(token))
    }
  }
  flush()
  return words.join(' ').replace(/\bmy self\b/g, 'myself')
}

const TOKEN = /[\p{L}\p{N}][\p{L}\p{M}\p{N}*#@$!|_]*(?<!!)|[.!?…。！？]+|\n|"|\p{Extended_Pictographic}/gu
const SENTENCE_END = /^[.!?…。！？\n]+$/
const SINGLE = /^[a-z013457@$]$/

const LETTER_FOR: Readonly<Record<string, string>> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's' }

const LONGEST_SPELLED = 12

/** The letters so far end in a word, so a stop after them ends the sentence. */
function isSpelled(letters: readonly string[]): boolean {
  if (letters.length < 3) return false
  const joined = letters.slice(-LONGEST_SPELLED).join('')
  for (const spelled of SPELLED.keys()) if (joined.endsWith(spelled)) return true
  return false
}

/** A run of single letters: words when they spell something, else the letters as they were ("i", "a"). */
function readSpelled(letters: readonly string[]): string[] {
  if (letters.length < 3) return [...letters]
  const joined = letters.map((letter) => LETTER_FOR[letter] ?? letter).join('')
  for (const [spelled, meaning] of SPELLED) {
    const at = joined.indexOf(spelled)
    if (at !== -1) return [...letters.slice(0, at), meaning, ...letters.slice(at + spelled.length)]
  }
  return [...letters]
}
