import { describe, expect, it } from 'vitest'
import { HELD_OUT } from '../../fixtures/crisis/held-out.ts'
import { PRACTICE, TUNING } from '../../fixtures/crisis/lists.ts'
import type { CrisisSentence } from '../../fixtures/crisis/sentence.ts'

type Level = CrisisSentence['level']

/** Every form, with the levels that its sentences may have. */
const FORMS: Readonly<Record<string, readonly Level[]>> = {
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

const lists = [
  { name: 'tuning', list: TUNING, total: 1800, high: 650 },
  { name: 'held-out', list: HELD_OUT, total: 400, high: 150 },
]

describe.each(lists)('the $name list of crisis sentences', ({ list, total, high }) => {
  it('has enough sentences, of every form and level', () => {
    expect(list.length).toBeGreaterThanOrEqual(total)
    expect(list.filter(({ level }) => level === 'high').length).toBeGreaterThanOrEqual(high)
    expect(new Set(list.map(({ form }) => form))).toEqual(new Set(Object.keys(FORMS)))
    expect(new Set(list.map(({ level }) => level))).toEqual(new Set(['none', 'mild', 'moderate', 'high']))
  })

  it('has only known forms, each with a level that fits it', () => {
    expect(list.filter(({ form, level }) => !FORMS[form]?.includes(level))).toEqual([])
  })

  it('has trimmed texts of a spoken length', () => {
    expect(list.filter(({ text }) => text !== text.trim())).toEqual([])
    expect(list.filter(({ text, form }) => form !== 'spaced_out' && /\s{2}/.test(text))).toEqual([])
    expect(list.filter(({ text }) => plain(text).length < 5 || text.length > 200)).toEqual([])
  })

  it('repeats nothing', () => {
    expect(repeated(list)).toEqual([])
  })
})

describe('the practice sentences', () => {
  it('repeat nothing', () => {
    expect(repeated([...TUNING, ...PRACTICE.filter(({ form }) => form === 'practice')])).toEqual([])
  })
})

describe('what is held out', () => {
  it('is no near-copy of what was tuned on', () => {
    const known = [...TUNING, ...PRACTICE].map(({ text }) => ({ text, set: words(text) }))
    const near = HELD_OUT.flatMap(({ text }) => {
      const set = words(text)
      return known
        .filter((other) => set.size > 6 && overlap(set, other.set) >= 0.8)
        .map((other) => [text, other.text])
    })
    expect(near).toEqual([])
  })
})
