import type { RiskLevel } from '../../risk-level.ts'
import { normalForm } from '../../unicode.ts'
import { clean } from '../clean.ts'
import { CLAUSE_STARTS, DENIAL, DENIAL_OF, HARMLESS, PHRASES } from './foreign-phrases.ts'

/** Codes of ISO 639-1 of the languages that have phrases. They catch the plainest words and understand nothing else. */
export const FOREIGN_LANGUAGES: readonly string[] = Object.keys(PHRASES)

/** Gaps from so many words on end with the clause, so that a verb is not taken for that of another. */
const LONG_GAP = 5

/** Letters that no decomposition makes plain, and those of Arabic script that are typed for one another. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ...{ ł: 'l', ß: 'ss', ı: 'i', đ: 'd', ø: 'o', æ: 'ae', œ: 'oe' },
  ...{ ى: 'ي', ی: 'ي', ې: 'ي', ک: 'ك', ة: 'ه', ۃ: 'ه', ـ: '' },
}

/** Phrases that hold their own negation ("je ne veux plus vivre") are not denied by one. */
const OWN_NEGATION = new RegExp(
  plainLetters(
    `(?<!\\p{L})(?:${DENIAL.words}|plus|sin|ayoko|ayaw|لا|مش|ما|नहीं|nahi|nahin|نہیں|না)(?!\\p{L})|[不没]|ない|않`,
  ),
  'u',
)

/** A denial that its clause closes, before another one that begins with the speaker: "je ne sais pas, je veux mourir". */
const CLOSED =
  /(?<!\p{L})(pas|niet|inte|nicht|se|хочу|chce),?(?= (?:je|j|ich|ik|jag|me quiero|quiero|хочу|chce)(?!\p{L}))/gu

interface Phrase {
  /** What is said between the gaps, each in one of its alternatives, as `fold` leaves it. */
  said: ReadonlyArray<readonly string[]>
  /** Most words in each gap. */
  gaps: readonly number[]
  /** What does not follow. */
  unlike: string | undefined
}

/** The phrases of a language that a denial can deny, or those that hold one. */
interface Phrases {
  language: string
  isDeniable: boolean
  phrases: readonly Phrase[]
}

let read: readonly Phrases[] | undefined

/** Made for the first text: a function that only may meet one need not wait for it when it starts. */
const foreignPhrases = (): readonly Phrases[] => (read ??= Object.entries(PHRASES).flatMap(phrasesOf))

function phrasesOf([language, listed]: readonly [string, string]): Phrases[] {
  const phrases = listed.split(';').map((phrase) => {
    const [said = '', unlike] = phrase.replace(/\s+/g, ' ').split('--')
    const form = fold(said.replace(/\.\.(\d)/g, 'GAP$1')).trim()
    const parts = form.split(/ ?gap(\d) ?/)
    return {
      isDeniable: !OWN_NEGATION.test(form),
      said: parts.filter((_, at) => at % 2 === 0).map(formsOf),
      gaps: parts.filter((_, at) => at % 2 === 1).map(Number),
      unlike,
    }
  })
  return [true, false].map((isDeniable) => ({
    language,
    isDeniable,
    phrases: phrases.filter((phrase) => phrase.isDeniable === isDeniable),
  }))
}

/** The alternatives of a part, folded. */
const formsOf = (part: string): string[] => part.split(/ ?\| ?/)

/** Whether every part of a phrase is said somewhere: seldom, and only then is an expression made and looked for. */
function mayBeIn(folded: string, { said }: Phrase): boolean {
  return said.every((part) => part.some((form) => NUMBER.test(form) || folded.includes(form)))
}

/** Scripts that put spaces between words match whole words only. */
function expressionOf({ said, gaps, unlike }: Phrase): string {
  const forms = said.flat().join(' ')
  const isSpaced = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\s\d]+$/u.test(forms)
  const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(forms)
  const expression = said
    .map((part, at) => `${at === 0 ? '' : gap(gaps[at - 1] ?? 0, isUnspaced)}${alternatives(part)}`)
    .join('')
  const not =
    unlike === undefined
      ? ''
      : `(?!${isUnspaced ? '' : ' '}${alternatives(formsOf(fold(unlike).trim()))}${isSpaced ? ' ' : ''})`
  return isSpaced ? `(?<= )${expression}(?= )${not}` : `${expression}${not}`
}

function gap(most: number, isUnspaced: boolean): string {
  if (isUnspaced) return `[^ .]{0,${most}}`
  const word = most < LONG_GAP ? '[^ .]+' : `(?!(?:${CLAUSE_STARTS}) )[^ .]+`
  return `(?: ${word}){0,${most}} `
}

/** `MANY` and `DIGIT` of a phrase, folded. */
const NUMBER = /many|digit/

function alternatives(forms: readonly string[]): string {
  return `(?:${forms.join('|').replaceAll('many', '\\d{2,3}').replaceAll('digit', '\\d')})`
}

/**
 * Lower case without accents, and without the marks that are left out in hasty Arabic; an apostrophe and every other sign is a
 * space, the end of a sentence a full stop, and so is the comma after a "no" that answers something.
 */
function fold(text: string): string {
  const plain = normalForm(
    // without its tones "slowly" would be suicide in Vietnamese
    clean(text).toLowerCase().replaceAll('từ từ', 'dần dần'),
    'NFD',
  ).replace(/\p{Script=Latin}\p{M}+|[\u0370-\u04ff]\p{M}+|[\u0621-\u06ff]\p{M}+/gu, (letter) =>
    letter.charAt(0),
  )
  return ` ${plainLetters(normalForm(plain, 'NFC'))
    .replace(/(?<!\p{L})(no|nein|non|nao|nee|nej|nie|нет|لا|不|いいえ),/gu, '$1.')
    .replace(CLOSED, '$1.')
    .replace(/[.!?\n。！？؟۔।]+/g, ' . ')
    .replace(/[^\p{L}\p{M}\p{N}.|]+/gu, ' ')
    .trim()} `
}

function plainLetters(text: string): string {
  return text.replace(/[łßıđøæœىیېکةۃـ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
}

/** Characters around a phrase that are looked at for what denies it or makes it harmless. */
const NEAR = 60

const DENIED_BEFORE = new RegExp(`(?<= )(?:${DENIAL.words})(?: (?:${DENIAL.between})){0,4} $`, 'u')
/** "Ich will nicht sterben", "nicht mehr sterben": the denial stands in a gap, near the end. */
const DENIED_WITHIN = new RegExp(
  `(?:^| )(?:${DENIAL.words}) (?:(?:mehr|meer|mas|piu|mais) [^ ]+|(?!(?:${DENIAL.only}) )(?:[^ ]+ ){0,3}[^ ]+)$`,
  'u',
)

/** Of every language, as scripts share words: 自殺 is Chinese and Japanese, خودکشی is Persian and Urdu. */
const denialsOf = (place: 'before' | 'after'): string =>
  Object.values(DENIAL_OF)
    .flatMap((denial) => denial[place] ?? [])
    .map(plainLetters)
    .join('|')
const DENIED_BEFORE_OTHER = new RegExp(`(?:${denialsOf('before')})`, 'u')
const DENIED_AFTER = new RegExp(`^(?:${denialsOf('after')})`, 'u')

const HARMLESS_AFTER = new RegExp(`^(?: [^ .]+){0,2} (?:${HARMLESS.after}) `, 'u')
const HARMLESS_GAME = new RegExp(` (?:${HARMLESS.game}) `, 'u')
const HARMLESS_UNSPACED = new RegExp(`^(?:${HARMLESS.unspaced})`, 'u')

/** The emergency phrases in a text: `high`, or `mild` where each that a language has is denied. */
export function* foreignMatches(text: string): Generator<{ rule: string; level: RiskLevel }> {
  const folded = fold(text)
  for (const { language, isDeniable, phrases } of foreignPhrases()) {
    const possible = phrases.filter((phrase) => mayBeIn(folded, phrase))
    if (possible.length === 0) continue
    const regex = new RegExp(possible.map(expressionOf).join('|'), 'gu')
    const level = levelOf(folded, regex, isDeniable)
    if (level !== null) yield { rule: `foreign.${language}`, level }
  }
}

function levelOf(folded: string, regex: RegExp, isDeniable: boolean): RiskLevel | null {
  let level: RiskLevel | null = null
  for (let match = regex.exec(folded); match !== null; match = regex.exec(folded)) {
    const { index, 0: said } = match
    const before = folded.slice(Math.max(0, index - NEAR), index)
    const [after = ''] = folded.slice(index + said.length, index + said.length + NEAR).split('.')
    if (!isHarmless(said, after)) {
      if (!isDeniable || !isDenied(before, said, after)) return 'high'
      level = 'mild'
    }
    // the same phrase may begin again within what was denied: "ich will nicht reden ich will sterben"
    regex.lastIndex = index + 1
  }
  return level
}

function isHarmless(said: string, after: string): boolean {
  return (
    HARMLESS_AFTER.test(`${after} `) ||
    HARMLESS_GAME.test(` ${said}${after} `.split(' ').slice(0, 24).join(' ')) ||
    HARMLESS_UNSPACED.test(after)
  )
}

function isDenied(before: string, said: string, after: string): boolean {
  return (
    DENIED_BEFORE.test(before) ||
    DENIED_BEFORE_OTHER.test(before) ||
    DENIED_WITHIN.test(said) ||
    DENIED_AFTER.test(after)
  )
}
