import { describe, expect, it, test } from 'vitest'
import { everyList } from '../../../corpora/crisis/measured/lists.ts'
import { CHECK_INS, EXAMPLES, KEPT_APART, SENTENCES, TWINS } from '../../../corpora/crisis/texts.ts'

/** Letters and digits only: case, punctuation and spacing make no difference. */
const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

function repeated(texts: ReadonlyArray<{ text: string }>): string[] {
  const seen = new Set<string>()
  return texts.flatMap(({ text }) => {
    const key = plain(text)
    if (seen.has(key)) return [text]
    seen.add(key)
    return []
  })
}

const measured = [...everyList().values()].flat()
const learnt = [...SENTENCES, ...CHECK_INS, ...TWINS]
const lists = { SENTENCES, CHECK_INS, TWINS, KEPT_APART, measured }

describe.each(Object.entries(lists))('%s', (_, texts) => {
  it('repeats nothing', () => {
    expect(texts.length).toBeGreaterThan(400)
    expect(repeated(texts)).toEqual([])
  })

  it('quotes every disclosure from its text', () => {
    const wrong = texts.filter(
      (each) => 'disclosure' in each && each.disclosure && !each.text.includes(each.disclosure),
    )
    expect(wrong).toEqual([])
  })
})

test('whole check-ins of a crisis say where it is told', () => {
  const told = [...CHECK_INS, ...TWINS, ...KEPT_APART].filter(
    (each) => each.level === 'high' && (!('form' in each) || each.form === 'checkin'),
  )
  expect(told.filter(({ disclosure }) => !disclosure)).toEqual([])
})

describe('what measures, and what probabilities are set on', () => {
  /** Runs of so many words say the same thing in the same words. */
  const RUN = 8
  const runs = (text: string): string[] => {
    const words =
      text
        .toLowerCase()
        .replace(/['’]/g, '')
        .match(/[\p{L}\p{N}]+/gu) ?? []
    return words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(' '))
  }
  const known = new Set([...learnt, ...EXAMPLES].flatMap(({ text }) => runs(text)))
  const whole = new Set([...learnt, ...EXAMPLES].map(({ text }) => plain(text)))

  it.each([
    ['measured', measured],
    ['kept apart', KEPT_APART],
  ])('is no copy of what was learnt: %s', (_, texts) => {
    const near = texts.filter(({ text }) => {
      const own = runs(text)
      return (
        whole.has(plain(text)) ||
        (own.length > 0 && own.filter((run) => known.has(run)).length > own.length / 2)
      )
    })
    expect(near.map(({ text }) => text)).toEqual([])
  })
})
