import { describe, expect, it } from 'vitest'
import { HELD_OUT } from '../../../corpora/crisis/measured/held-out.ts'
import type { CrisisSentence } from '../../../corpora/crisis/sentence.ts'
import { CHECK_INS, EXAMPLES, SENTENCES } from '../../../corpora/crisis/texts.ts'
import { KINDS } from '../../../functions/_shared/text/crisis/network.ts'

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

/** Whether the words that two texts share are so great a part of all their words. */
function overlaps(a: Set<string>, b: Set<string>, part: number): boolean {
  if (Math.min(a.size, b.size) < part * Math.max(a.size, b.size)) return false
  const shared = [...a].filter((word) => b.has(word)).length
  return shared / (a.size + b.size - shared) >= part
}

function repeated(sentences: ReadonlyArray<{ text: string }>): string[] {
  const seen = new Set<string>()
  return sentences.flatMap(({ text }) => {
    const key = plain(text)
    if (seen.has(key)) return [text]
    seen.add(key)
    return []
  })
}

describe('the held-out list of crisis sentences', () => {
  it('has enough sentences, of every form and level', () => {
    expect(HELD_OUT.length).toBeGreaterThanOrEqual(400)
    expect(HELD_OUT.filter(({ level }) => level === 'high').length).toBeGreaterThanOrEqual(150)
    expect(new Set(HELD_OUT.map(({ form }) => form))).toEqual(new Set(Object.keys(FORMS)))
    expect(new Set(HELD_OUT.map(({ level }) => level))).toEqual(new Set(['none', 'mild', 'moderate', 'high']))
  })

  it('has only known forms, each with a level that fits it', () => {
    expect(HELD_OUT.filter(({ form, level }) => !FORMS[form]?.includes(level))).toEqual([])
  })

  it('has trimmed texts of a spoken length', () => {
    expect(HELD_OUT.filter(({ text }) => text !== text.trim())).toEqual([])
    expect(HELD_OUT.filter(({ text, form }) => form !== 'spaced_out' && /\s{2}/.test(text))).toEqual([])
    expect(HELD_OUT.filter(({ text }) => plain(text).length < 5 || text.length > 200)).toEqual([])
  })

  it('repeats nothing', () => {
    expect(repeated(HELD_OUT)).toEqual([])
  })
})

describe('the corpus that the network is fitted to', () => {
  it('repeats nothing', () => {
    expect(repeated(SENTENCES)).toEqual([])
    expect(repeated(CHECK_INS)).toEqual([])
  })

  it('has sentences of every kind that the network tells apart', () => {
    const kinds = new Set(SENTENCES.map(({ kind }) => kind))
    expect(KINDS.filter((kind) => !kinds.has(kind))).toEqual([])
  })

  it('quotes every disclosure from its check-in', () => {
    const told = CHECK_INS.filter(({ level }) => level === 'high')
    expect(told.length).toBeGreaterThan(150)
    expect(CHECK_INS.filter(({ level, disclosure }) => (level === 'high') !== (disclosure !== null))).toEqual(
      [],
    )
  })
})

describe('what is held out', () => {
  it('is no near-copy of what was tuned on', () => {
    const known = [...SENTENCES, ...EXAMPLES].map(({ text }) => ({ text, set: words(text) }))
    const near = HELD_OUT.flatMap(({ text }) => {
      const set = words(text)
      return known
        .filter((other) => set.size > 6 && overlaps(set, other.set, 0.8))
        .map((other) => [text, other.text])
    })
    expect(near).toEqual([])
  })
})
