import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COMPOSED_RULES, CRISIS_RULES } from '../../../functions/_shared/text/crisis/detect.ts'
import { analyzeText, detectCrisis } from '../../../functions/_shared/text/index.ts'
import { CRISIS_SENTENCES } from './crisis-sentences.ts'
import { CRISIS_VARIATIONS } from './crisis-variations.ts'

describe.each(Object.entries(CRISIS_SENTENCES))('is %s:', (level, sentences) => {
  test.each(sentences)('%s', (sentence) => {
    expect(detectCrisis(sentence)).toMatchObject({ level })
  })
})

test.each(CRISIS_VARIATIONS.high)('is high: %s', (sentence) => {
  expect(detectCrisis(sentence).level).toBe('high')
})

test.each(CRISIS_VARIATIONS.none)('is not raised: %s', (sentence) => {
  expect(['none', 'mild']).toContain(detectCrisis(sentence).level)
})

describe('crisis language', () => {
  test('is found among ordinary sentences', () => {
    const ordinary = CRISIS_SENTENCES.none.map((sentence) => `${sentence.replace(/[.!?]*$/, '')}.`)
    const grave = CRISIS_SENTENCES.high.map((sentence) => `${sentence.replace(/[.!?]*$/, '')}.`)
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...ordinary), { maxLength: 6 }),
        fc.constantFrom(...grave),
        fc.array(fc.constantFrom(...ordinary), { maxLength: 6 }),
        (before, sentence, after) => {
          expect(detectCrisis([...before, sentence, ...after].join(' ')).level).toBe('high')
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('never throws, and names a rule exactly when there is a level', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const { level, rule } = detectCrisis(text)
        expect(rule === null).toBe(level === 'none')
      }),
    )
  })

  test('is looked for in text that is too short or not English', () => {
    expect(analyzeText('I want to die').crisis.level).toBe('high')
    const spanish = analyzeText('Hoy estoy muy cansada y ya no quiero vivir con esto, la verdad.')
    expect(spanish).toMatchObject({ quality: { language: 'other' }, crisis: { level: 'high' } })
  })

  test('ignores case, accents, width and how an apostrophe is written', () => {
    for (const text of ["I DON'T WANT TO LIVE", 'I don’t want to live', 'i dont want to lïve']) {
      expect(detectCrisis(text).level).toBe('high')
    }
  })
})

test('every rule has its own name', () => {
  const ids = [...CRISIS_RULES, ...COMPOSED_RULES].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('every rule of fixed wording matches anywhere in a text', () => {
  for (const { pattern } of CRISIS_RULES) expect(pattern.global).toBe(true)
})
