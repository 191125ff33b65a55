/** A part of a text, from one UTF-16 unit to another. */
export interface Span {
  from: number
  to: number
}

/** Thai, Lao, Burmese, Khmer, kana and Han: written without spaces. */
const SPACELESS = '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3040-\\u30ff\\u3400-\\u9fff'
const WORDS = new RegExp(`[${SPACELESS}]\\S?|[^\\s${SPACELESS}]{1,40}`, 'gu')

/**
 * The words of a text: what stands between spaces, cut where it is longer than 40 characters; of scripts without spaces, two
 * characters.
 */
export function wordsOf(text: string): Span[] {
  return Array.from(text.matchAll(WORDS), ({ 0: word, index }) => ({ from: index, to: index + word.length }))
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
