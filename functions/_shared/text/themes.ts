import type { Word } from './document.ts'
import { lexicon, matchAt } from './lexicon.ts'
import { THEMES } from './lexicons/themes.ts'

const MAX_THEMES = 6
const MAX_KEYWORDS = 8

const INDEX = Object.entries(THEMES).map(([theme, entries]) => ({ theme, entries: lexicon(entries) }))

/** Themes by how often they are mentioned, then in the lexicon's order. */
export function themesOf(words: readonly Word[]): string[] {
  return INDEX.map(({ theme, entries }) => ({
    theme,
    mentions: words.reduce((sum, _, at) => sum + (matchAt(entries, words, at) > 0 ? 1 : 0), 0),
  }))
    .filter(({ mentions }) => mentions > 0)
    .sort((a, b) => b.mentions - a.mentions)
    .slice(0, MAX_THEMES)
    .map(({ theme }) => theme)
}

/** The words behind the themes, most used first, then in the order of the transcript; names are never among them. */
export function keywordsOf(words: readonly Word[]): string[] {
  const counts = new Map<string, number>()
  words.forEach((_, at) => {
    for (const { entries } of INDEX) {
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
