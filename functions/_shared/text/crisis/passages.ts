/** A part of a text, from one UTF-16 unit to another. */
export interface Span {
  from: number
  to: number
}

/** Characters of scripts that are written without spaces. Two count as a word. */
const SPACELESS =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const SPACELESS_RUN = new RegExp(
  `${SPACELESS.source.slice(1)}{1,2}|(?:(?!${SPACELESS.source.slice(1)}).){1,40}`,
  'gsu',
)

/**
 * The words of a text: what stands between spaces, cut where it is longer than 40 characters; where a script has no spaces, two
 * characters.
 */
export function wordsOf(text: string): Span[] {
  const words: Span[] = []
  for (const run of text.matchAll(/\S+/gu)) {
    for (const word of run[0].matchAll(SPACELESS_RUN)) {
      const from = run.index + word.index
      words.push({ from, to: from + word[0].length })
    }
  }
  return words
}

/**
 * Windows over so many words, as numbers of words: one begins `every` words after the other, and the last ends with the text. One for a
 * text that is no longer than a window, none for one without words.
 */
export function windowsOf(count: number, words: number, every: number): Span[] {
  if (count === 0) return []
  const last = Math.max(0, count - words)
  const begins = Array.from({ length: Math.ceil(last / every) }, (_, i) => i * every)
  return [...begins, last].map((from) => ({ from, to: Math.min(count, from + words) }))
}

/** What is known of a window before it is read: how suspicious it is, and what reading it takes, where 1 is usual. */
export interface Prospect {
  suspicion: number
  cost: number
}

/** Share of the budget that goes to the most suspicious windows. */
const SUSPICIOUS = 3 / 4

/**
 * Which windows are read: all where the budget allows; otherwise the most suspicious for three quarters of it, and an even sample of
 * the rest for what is left.
 *
 * @returns their numbers, in the order of the text
 */
export function chooseWindows(prospects: readonly Prospect[], budget: number): number[] {
  const numbers = prospects.map((_, number) => number)
  const costOf = (number: number) => prospects[number]?.cost ?? 0
  if (numbers.reduce((sum, number) => sum + costOf(number), 0) <= budget) return numbers
  const suspicionOf = (number: number) => prospects[number]?.suspicion ?? 0
  const ranked = numbers.toSorted((a, b) => suspicionOf(b) - suspicionOf(a) || a - b)
  const chosen = new Set<number>()
  let left = budget
  const take = (number: number, reserved: number) => {
    if (costOf(number) > left - reserved) return
    chosen.add(number)
    left -= costOf(number)
  }
  for (const number of ranked) take(number, budget * (1 - SUSPICIOUS))
  const rest = numbers.filter((number) => !chosen.has(number))
  const sample = Math.min(rest.length, Math.floor(left))
  for (let i = 0; i < sample; i++) take(rest[Math.floor(((i + 0.5) * rest.length) / sample)] ?? 0, 0)
  return numbers.filter((number) => chosen.has(number))
}
