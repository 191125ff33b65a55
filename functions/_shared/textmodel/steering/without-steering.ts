import { clean } from '../../text/clean.ts'
import { fold, reversed, rot13 } from './fold.ts'
import { FOREIGN_PHRASES } from './foreign-phrases.ts'
import { withoutMarkup } from './markup.ts'
import { FIELD_NAMES, RUN_TOGETHER, STEERING_PHRASES } from './phrases.ts'
import { UNSPOKEN } from './unspoken.ts'

/** Characters that copy ASCII without being seen. */
const TAG_CHARACTERS = /[\u{e0000}-\u{e007f}]/gu
const SENTENCE = /(?<=[.!?…]["')\]]*)\s+|(?<=[。！？])|[-=*#_~]{3,}/u
/** Speech without punctuation is judged in stretches of so many characters, at the most, when it is longer than this. */
const LONGEST_SENTENCE = 300
const STRETCH = /.{1,120}(?= |$)|.{120}/gsu

/**
 * The transcript as the model gets it: without the sentences that speak to its reader in place of telling about the
 * student, however they are written, so that a request is the same with them and without them. Deterministic; any string
 * is accepted. What is cut is cut from the request alone.
 */
export function withoutSteering(transcript: string): string {
  const text = withoutMarkup(clean(transcript.replace(TAG_CHARACTERS, '')))
  return UNSPOKEN.reduce((spoken, encoded) => spoken.replace(encoded, ' '), text)
    .split('\n')
    .map((line) => line.split(SENTENCE).flatMap(tellingParts).join(' '))
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
}

/** The sentence, or of a long one the stretches that tell of the student, each read with its neighbours. */
function tellingParts(sentence: string): string[] {
  if (sentence.length <= LONGEST_SENTENCE) return tellsOfTheStudent(sentence) ? [sentence] : []
  const parts = sentence.match(STRETCH) ?? []
  const pairs = parts.slice(1).map((part, at) => tellsOfTheStudent(`${parts[at]} ${part}`))
  return parts.filter((_, at) => pairs[at - 1] !== false && pairs[at] !== false)
}

function tellsOfTheStudent(sentence: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(sentence)) return false
  const lower = sentence.toLowerCase()
  if (FIELD_NAMES.test(lower) || FOREIGN_PHRASES.some((pattern) => pattern.test(lower))) return false
  const folded = fold(sentence)
  if (RUN_TOGETHER.test(folded.replaceAll(' ', ''))) return false
  return ![folded, folded.replaceAll(' |', ''), rot13(folded), reversed(folded)].some((reading) =>
    STEERING_PHRASES.some((pattern) => pattern.test(reading)),
  )
}
