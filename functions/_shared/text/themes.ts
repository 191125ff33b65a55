import type { Word } from './document.ts'
import { lexicon, matchAt } from './lexicon.ts'
import { SENSITIVE_THEMES, THEMES } from './lexicons/themes.ts'

const MAX_THEMES = 6
const MAX_KEYWORDS = 8

const INDEX = Object.entries(THEMES).map(([theme, entries]) => ({ theme, entries: lexicon(entries) }))

/** Mentions, in different sentences, from which a sensitive theme is a topic, one of them in the first person. */
const TOPIC_MENTIONS = 2

const FIRST_PERSON = new Set("i i'm i've i'd i'll im ive me my mine myself we we're we've our us".split(' '))

/** Themes by how often they are mentioned, then in the lexicon's order; a sensitive one only where it is a topic. */
export function themesOf(words: readonly Word[]): string[] {
  const personal = new Set(words.filter(({ form }) => FIRST_PERSON.has(form)).map(({ sentence }) => sentence))
  return INDEX.map(({ theme, entries }) => ({
    theme,
    sentences: words.flatMap(({ sentence }, at) => (matchAt(entries, words, at) > 0 ? [sentence] : [])),
  }))
    .filter(({ theme, sentences }) =>
      SENSITIVE_THEMES.has(theme)
        ? new Set(sentences).size >= TOPIC_MENTIONS && sentences.some((sentence) => personal.has(sentence))
        : sentences.length > 0,
    )
    .sort((a, b) => b.sentences.length - a.sentences.length)
    .slice(0, MAX_THEMES)
    .map(({ theme }) => theme)
}

/** The words behind these themes, most used first, then in the order of the transcript; names are never among them. */
export function keywordsOf(words: readonly Word[], themes: readonly string[]): string[] {
  const named = INDEX.filter(({ theme }) => themes.includes(theme))
  const counts = new Map<string, number>()
  words.forEach((_, at) => {
    for (const { entries } of named) {
      const length = matchAt(entries, words, at)
      if (length === 0) continue
      const phrase = words
        .slice(at, at + length)
        .map(({ form }) => form)
        .join(' ')
      counts.set(phrase, (counts.get(phrase) ?? 0) + 1)
      break
    }
  })
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_KEYWORDS)
    .map(([phrase]) => phrase)
}
