import { FOR_LETTERS, LIKE_LETTERS } from '../../text/lookalikes.ts'

const LIKE_LETTER = new RegExp(`[${Object.keys(LIKE_LETTERS).join('')}]`, 'g')

/** Letters one by one: "i g n o r e", "i.g.n.o.r.e". */
const SPELLED = /(?<![a-z])[a-z](?:[ .\-*_]{1,2}[a-z]){4,}(?![a-z])/g

/** Lower case without accents and lookalikes; words, colons, and `|` for a pause, single spaces between. */
export function fold(sentence: string): string {
  return sentence
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(LIKE_LETTER, (letter) => LIKE_LETTERS[letter] ?? letter)
    .replace(/[a-z0134579@$!]+/g, unleet)
    .replace(SPELLED, (run) => run.replace(/[^a-z]/g, ''))
    .replace(/'/g, '')
    .replace(/[,;()]+/g, ' | ')
    .replace(/[^\p{L}\p{N}:|]+/gu, ' ')
    .trim()
}

/** Only digits and signs between letters stand for letters. */
function unleet(word: string): string {
  if (!/[a-z]/.test(word) || !/[0134579@$!](?=[a-z])/.test(word)) return word
  return word.replace(/[0134579@$!]/g, (sign) => FOR_LETTERS[sign] ?? sign)
}

/** As a reader of ROT13 sees it. */
export function rot13(text: string): string {
  return text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97))
}

export function reversed(text: string): string {
  return Array.from(text).reverse().join('')
}
