import { normalForm } from '../unicode.ts'

/** Longest transcript that is read, in UTF-16 units. */
export const MAX_CHARACTERS = 100_000

// the joiner and the selectors are matched separately, so that the class holds no combined character
const INVISIBLE =
  /\u034f|[\ufe00-\ufe0f]|\u17b4|\u17b5|\u180b|\u180c|\u180d|[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g
const SINGLE_QUOTES = /[\u2018\u2019\u201a\u201b\u02bc\u2032\u00b4`]/g
const DOUBLE_QUOTES = /[\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u2033]/g

/**
 * The text in one form: well-formed Unicode in NFKC, straight quotes, no invisible characters, single spaces (line
 * breaks are kept), cut at 100,000 characters. Any string is accepted.
 */
export function clean(text: string): string {
  return normalForm(text.slice(0, MAX_CHARACTERS).toWellFormed(), 'NFKC')
    .slice(0, MAX_CHARACTERS)
    .toWellFormed()
    .replace(INVISIBLE, '')
    .replace(SINGLE_QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .replace(/[^\S\n]+/g, ' ')
}
