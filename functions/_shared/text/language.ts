import { ANGER, ANXIETY, JOY, SADNESS } from './lexicons/emotion.ts'
import { ENGLISH_WORDS, OTHER_WORDS } from './lexicons/function-words.ts'
import { ABSOLUTIST, COPING, FUTURE_FOCUS, SOCIAL_CONNECTION } from './lexicons/resilience.ts'
import { THEMES } from './lexicons/themes.ts'

export type Language = 'en' | 'other' | 'unknown'

/** Share of everyday English words from which a text is English; ordinary English speech has about a half. */
const MIN_ENGLISH = 0.22

/** The same with the lexicons' words counted too, for notes without any function word ("tired, stressed, exams"). */
const MIN_ENGLISH_WITH_CONTENT = 0.45

/** Fewer words than this do not show a language. */
const MIN_WORDS = 3

const CONTENT_WORDS = new Set(
  [
    ...[ABSOLUTIST, ANGER, ANXIETY, COPING, FUTURE_FOCUS, JOY, SADNESS, SOCIAL_CONNECTION],
    ...Object.values(THEMES),
  ].flat(),
)

/**
 * Whether a text is English, by its script and by the share of function words (after Grefenstette 1995, with word
 * lists of the most frequent languages on campuses). Text with English in the majority counts as English.
 */
export function languageOf(text: string, words: readonly string[]): Language {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0
  if (letters === 0) return 'unknown'
  if (latin / letters < 0.5) return 'other'
  if (words.length < MIN_WORDS) return 'unknown'
  let english = 0
  let other = 0
  let content = 0
  for (const word of words) {
    if (ENGLISH_WORDS.has(word)) english++
    else if (OTHER_WORDS.has(word)) other++
    else if (CONTENT_WORDS.has(word)) content++
  }
  const share = english / words.length
  if (share >= MIN_ENGLISH && english > other) return 'en'
  if (other === 0 && (english + content) / words.length >= MIN_ENGLISH_WITH_CONTENT) {
    return 'en'
  }
  if (other > english || other / words.length >= MIN_ENGLISH) return 'other'
  if (words.length >= 25) return share >= MIN_ENGLISH / 2 ? 'unknown' : 'other'
  return 'unknown'
}
