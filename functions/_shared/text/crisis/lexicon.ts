import { DEATH_WORDS } from './words-death.ts'
import { HARM_WORDS } from './words-harm.ts'
import { MEANS_WORDS } from './words-means.ts'
import { MIND_WORDS } from './words-mind.ts'
import { PEOPLE_WORDS } from './words-people.ts'

/** Every class of words by name: entries between commas, `*` for any ending, more than one word for a phrase. */
export const LEXICON: Readonly<Record<string, string>> = {
  ...PEOPLE_WORDS,
  ...MIND_WORDS,
  ...DEATH_WORDS,
  ...MEANS_WORDS,
  ...HARM_WORDS,
}

type Phrase = { name: string; rest: readonly string[] }

export const CLASSES_OF_WORD = new Map<string, string[]>()
export const CLASSES_OF_PREFIX = new Map<string, string[]>()
/** Phrases by their first word. */
export const PHRASES = new Map<string, Phrase[]>()

for (const [name, entries] of Object.entries(LEXICON)) {
  for (const entry of entries.split(',').map((each) => each.trim().replace(/\s+/g, ' '))) {
    const [first = '', ...rest] = entry.split(' ')
    if (first === '') continue
    if (rest.length > 0) append(PHRASES, first, { name, rest })
    else if (first.endsWith('*')) append(CLASSES_OF_PREFIX, first.slice(0, -1), name)
    else append(CLASSES_OF_WORD, first, name)
  }
}

function append<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, [value])
  else values.push(value)
}
