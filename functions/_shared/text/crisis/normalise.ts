import { clean } from '../clean.ts'
import { undisguise } from './disguise.ts'
import { joinFragments, split, splitGlued } from './glued.ts'

/** A mark between sentences and one for a double quote, as words of their own. */
export const STOP = '.'
export const QUOTE = '"'

/**
 * The text as the crisis rules read it: lower-case words without apostrophes, accents, commas or disguises, single
 * spaces between; sentence ends and double quotes are words of their own.
 */
export function normalise(text: string): string {
  const tokens = clean(text)
    // "d.i.e." and "kill.my.self" have no sentence ends, unless a capital follows
    .replace(
      /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}]\.){2,}(\s+(?=\p{Lu}))?/gu,
      (run, next: string | undefined) => run.replaceAll('.', ' ') + (next === undefined ? '' : '. '),
    )
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/'/g, '')
    .replace(/(?<=\p{L})[./](?=\p{L})/gu, ' ')
    .match(TOKEN)
  const words: string[] = []
  let letters: string[] = []
  let stops = 0
  const flush = () => {
    if (letters.length > 0) words.push(...(split(letters.join(''))?.map(undisguise) ?? letters))
    // "d.i.e." ends no sentence, "d i e." does
    if (stops > 0 && stops < letters.length) words.push(STOP)
    letters = []
    stops = 0
  }
  for (const token of tokens ?? []) {
    if (SENTENCE_END.test(token)) {
      // a stop inside a spelled-out run ("d. i. e.") is part of it; three dots are a hesitation
      if (letters.length > 0 && token === '.' && stops < letters.length) {
        stops++
        continue
      }
      flush()
      if (!/^(?:\.{2,}|…)$/.test(token) && words.at(-1) !== STOP) words.push(STOP)
    } else if (token === QUOTE) {
      flush()
      words.push(QUOTE)
    } else if (SINGLE.test(token)) {
      // "d i e. i mean it": after the stop of a run that had none, a new sentence begins
      if (stops === 1 && letters.length > 1) flush()
      letters.push(token)
    } else {
      flush()
      words.push(...splitGlued(undisguise(token)).map(undisguise))
    }
  }
  flush()
  return joinFragments(words)
    .join(' ')
    .replace(/\bwont to\b/g, 'want to')
    .replace(/\bto dye(?= |$)(?! (?:my|her|his|their|the|it|eggs|hair))/g, 'to die')
    .replace(/\bbeets me\b/g, 'beats me')
}

const TOKEN = /[\p{L}\p{N}][\p{L}\p{M}\p{N}*#@$!|€_]*(?<!!)|[.!?…。！？]+|\n|"|\p{Extended_Pictographic}/gu
const SENTENCE_END = /^[.!?…。！？\n]+$/
const SINGLE = /^[a-z013457@$]$/
