/** The entries of a word list that is written with commas between them. */
export function entries(list: string): readonly string[] {
  return list.trim().split(/,\s*/)
}

/** Phrases by their first word, longest first. */
export type Lexicon = ReadonlyMap<string, ReadonlyArray<readonly string[]>>

/** An index over entries of one to five lower-case words each. */
export function lexicon(entries: readonly string[]): Lexicon {
  const index = new Map<string, Array<readonly string[]>>()
  for (const entry of entries) {
    const words = entry.split(' ')
    const first = words[0] ?? ''
    const group = index.get(first) ?? []
    group.push(words)
    index.set(first, group)
  }
  for (const group of index.values()) group.sort((a, b) => b.length - a.length)
  return index
}

/** Number of words of the longest entry that starts at a position, 0 when none does. */
export function matchAt(entries: Lexicon, words: ReadonlyArray<{ form: string }>, at: number): number {
  const first = words[at]
  if (first === undefined) return 0
  for (const phrase of entries.get(first.form) ?? []) {
    if (phrase.every((form, offset) => words[at + offset]?.form === form)) return phrase.length
  }
  return 0
}
