import { doubleMetaphone } from 'double-metaphone'
import { SENTENCES } from '../texts.ts'

const WITHOUT_SPACES = /[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]/

/** As speech recognition without punctuation writes a text. */
export function unpunctuated(text: string, language = 'en'): string {
  return text
    .toLowerCase()
    .replace(/[.,!?;:"“”…،؟。，！？；：、]/g, language === 'zh' || WITHOUT_SPACES.test(text) ? ' ' : '')
}

const EVERY_TENTH = 10
const FILLERS = ['um', 'uh', 'like', 'you know', 'i mean', 'er', 'well']

/** One word in ten is heard as another one of the same sound, by Double Metaphone (Philips 2000); English only. */
export function misheard(text: string, language: string): string {
  if (language !== 'en') return text
  const alike = soundingAlike()
  return chosen(text, (word, draw) => {
    const others = alike.get(word.toLowerCase().replace(/[^a-z']/g, ''))
    return others?.[draw % others.length] ?? word
  })
}

/** A filler before one word in ten; English only. */
export function withFillers(text: string, language: string): string {
  return language === 'en' ? chosen(text, (word, draw) => `${FILLERS[draw % FILLERS.length]} ${word}`) : text
}

/** The text with one word in ten changed; which ones the text itself decides. */
function chosen(text: string, change: (word: string, draw: number) => string): string {
  let draw = text.length
  return text
    .split(' ')
    .map((word) => {
      draw = (Math.imul(draw, 1664525) + 1013904223) >>> 0
      return (draw >>> 16) % EVERY_TENTH === 0 ? change(word, draw >>> 8) : word
    })
    .join(' ')
}

let bySound: ReadonlyMap<string, readonly string[]> | undefined

/** The other words of the corpus that sound like a word. */
function soundingAlike(): ReadonlyMap<string, readonly string[]> {
  if (bySound) return bySound
  const times = new Map<string, number>()
  for (const { text } of SENTENCES)
    for (const word of text.toLowerCase().match(/[a-z']+/g) ?? []) times.set(word, (times.get(word) ?? 0) + 1)
  const known = [...times].filter(([word, count]) => count >= 5 && word.length > 1).map(([word]) => word)
  const groups = Object.values(Object.groupBy(known, (word) => doubleMetaphone(word)[0]))
  bySound = new Map(
    groups.flatMap((words = []) =>
      words.length > 1 ? words.map((word) => [word, words.filter((other) => other !== word)] as const) : [],
    ),
  )
  return bySound
}

const TELLING =
  /\b(?:suicid\w*|kill\w*|die|died|dying|dead|death|end (?:it|my life|things)|overdos\w*|pills?|cut(?:ting)?|hang\w*|jump\w*|bridge|rope|knife|blade|goodbye|hurt\w* myself|self.harm\w*|not (?:be|wake)|alive|live any ?more)\b/i

/** Whether a text has a word by which a crisis is usually told. */
export const isTelling = (text: string): boolean => TELLING.test(text)
