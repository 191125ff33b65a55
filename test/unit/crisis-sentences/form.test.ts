import { describe, expect, it } from 'vitest'
import { HELD_OUT } from '../../fixtures/crisis/held-out.ts'
import type { CrisisSentence } from '../../fixtures/crisis/sentence.ts'
import { TUNING } from '../../fixtures/crisis/tuning.ts'

type Level = CrisisSentence['level']

/** Every form, with the levels that its sentences may have. */
const FORMS: Record<string, readonly Level[]> = {
  direct: ['high'],
  euphemistic: ['high'],
  slang: ['high'],
  misspelt: ['high'],
  spaced_out: ['high'],
  plan: ['high'],
  means: ['high'],
  intent: ['high'],
  passive_wish: ['high'],
  self_harm: ['high'],
  being_harmed: ['high'],
  goodbye: ['high'],
  burden: ['moderate', 'high'],
  past: ['mild', 'moderate'],
  negated: ['none', 'mild'],
  quotation: ['none'],
  third_person: ['moderate'],
  fiction: ['none'],
  hyperbole: ['none'],
  ordinary: ['none'],
  stress: ['mild'],
  low_mood: ['moderate'],
}

/** Forms that only sound alarming, or not even that. */
const HARMLESS = new Set(['ordinary', 'hyperbole', 'fiction'])

const LISTS = [
  { name: 'held-out', list: HELD_OUT, total: 260, high: 90, harmless: 110, perForm: 10 },
  { name: 'tuning', list: TUNING, total: 220, high: 60, harmless: 60, perForm: 5 },
]

/** Letters and digits only: case, punctuation and spacing make no difference. */
const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const words = (text: string): Set<string> =>
  new Set(
    text
      .toLowerCase()
      .replace(/['’]/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  )

/** Shared words as part of all words of the two. */
function overlap(a: Set<string>, b: Set<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length
  return shared / (a.size + b.size - shared)
}

function repeated(sentences: readonly CrisisSentence[]): string[] {
  const seen = new Set<string>()
  return sentences.flatMap(({ text }) => {
    const key = plain(text)
    if (seen.has(key)) return [text]
    seen.add(key)
    return []
  })
}

describe.each(LISTS)('the $name list of crisis sentences', ({ list, total, high, harmless, perForm }) => {
  it('has enough sentences', () => {
    expect(list.length).toBeGreaterThanOrEqual(total)
    expect(list.filter(({ level }) => level === 'high').length).toBeGreaterThanOrEqual(high)
    const quiet = list.filter(
      ({ form, level }) => HARMLESS.has(form) && (level === 'none' || level === 'mild'),
    )
    expect(quiet.length).toBeGreaterThanOrEqual(harmless)
  })

  it.each(Object.keys(FORMS))('has enough sentences of the form %s', (form) => {
    expect(list.filter((sentence) => sentence.form === form).length).toBeGreaterThanOrEqual(perForm)
  })

  it('has only known forms, each with a level that fits it', () => {
    expect(list.filter(({ form, level }) => !FORMS[form]?.includes(level))).toEqual([])
  })

  it('has every level', () => {
    expect(new Set(list.map(({ level }) => level))).toEqual(new Set(['none', 'mild', 'moderate', 'high']))
  })

  it('has trimmed texts of a spoken length', () => {
    expect(list.filter(({ text }) => text !== text.trim() || /\s{2}/.test(text))).toEqual([])
    expect(list.filter(({ text }) => plain(text).length < 7 || text.length > 160)).toEqual([])
  })

  it('repeats nothing', () => {
    expect(repeated(list)).toEqual([])
  })
})

describe('the two lists of crisis sentences', () => {
  it('share no sentence', () => {
    expect(repeated([...HELD_OUT, ...TUNING])).toEqual([])
  })

  it('share no near-copy', () => {
    const tuning = TUNING.map(({ text }) => ({ text, set: words(text) }))
    const near = HELD_OUT.flatMap(({ text }) => {
      const set = words(text)
      return tuning.filter((other) => overlap(set, other.set) >= 0.5).map((other) => [text, other.text])
    })
    expect(near).toEqual([])
  })
})
