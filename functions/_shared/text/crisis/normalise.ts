import { normalForm } from '../../unicode.ts'
import { clean } from '../clean.ts'

/** A mark between sentences and one for a double quote, as words of their own. */
export const STOP = '.'
export const QUOTE = '"'

/**
 * The text as the crisis rules read it: lower-case words without apostrophes, accents and commas, single spaces between; sentence ends and
 * double quotes are words of their own.
 */
export function normalise(text: string): string {
  const withoutAccents = normalForm(clean(text).toLowerCase(), 'NFD').replace(/[\u0300-\u036f]/g, '')
  const tokens = normalForm(withoutAccents, 'NFC')
    .replace(/'/g, '')
    .replace(/(?<=\p{L})[./](?=\p{L})/gu, ' ')
    .match(TOKEN)
  const words: string[] = []
  for (const token of tokens ?? []) {
    if (!SENTENCE_END.test(token)) words.push(token)
    // Three dots are a hesitation.
    else if (!/^(?:\.{2,}|…)$/.test(token) && words.at(-1) !== STOP) words.push(STOP)
  }
  return words
    .join(' ')
    .replace(YEAH_NO, '')
    .replace(/\bmy self\b(?! (?:esteem|confidence|image|worth|respect|doubt|care|help)\b)/g, 'myself')
}

/** "Yeah, no, not at all": a no. */
const YEAH_NO = /\byeah (?=no(?: (?:not|never|no|nothing|i|im|of|it|thanks|but|and|\.)(?= |$)|$))/g

const TOKEN = /[\p{L}\p{N}][\p{L}\p{M}\p{N}_]*|[.!?…。！？]+|\n|"|\p{Extended_Pictographic}/gu
const SENTENCE_END = /^[.!?…。！？\n]+$/
