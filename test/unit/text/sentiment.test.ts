import * as fc from 'fast-check'
import vader from 'vader-sentiment'
import { describe, expect, test } from 'vitest'
import { analyzeText } from '../../../functions/_shared/text/analyze.ts'

const ours = (sentence: string) => {
  const { features } = analyzeText(sentence)
  return [features.sentiment_compound, features.sentiment_positive, features.sentiment_negative]
}

const theirs = (sentence: string) => {
  const { compound, pos, neg } = vader.SentimentIntensityAnalyzer.polarity_scores(sentence)
  return [compound, pos, neg]
}

function expectAlike(sentence: string): void {
  ours(sentence).forEach((value, index) => {
    expect(value, sentence).toBeCloseTo(theirs(sentence)[index] ?? Number.NaN, 2)
  })
}

describe('a sentence that denies nothing has the scores of the reference implementation', () => {
  test.each([
    'It was a terrible day and I felt awful about it.',
    'It was a wonderful day and I felt great about it.',
    'I took the bus to campus and sat in the library.',
    'I am very happy about the result.',
    'I am really extremely happy about the result.',
    'I was so worried about the exam in the morning!',
    'I was slightly worried about the exam in the morning!!',
    'The food was good, but the company was horrible.',
    'I was SCARED of the test that we had today.',
    'Why is it very hard and awful to be here today??',
    'My roommate helped me and we laughed a lot together.',
    'The lecture was boring and I felt lonely, tired and stressed.',
  ])('%s', (sentence) => {
    expectAlike(sentence)
  })

  test('for any combination of feelings and intensifiers', () => {
    const word = fc.constantFrom(
      ...'happy sad angry worried lonely great awful calm tired proud library bus morning very extremely slightly'.split(
        ' ',
      ),
    )
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 12 }), fc.boolean(), (words, isLoud) => {
        expectAlike(`Today it was for me ${words.join(' and then it was ')}${isLoud ? '!' : '.'}`)
      }),
    )
  })
})

test('the tone of a text is the mean of its sentences by their words', () => {
  const [good] = ours('It was a great day for me and for them.')
  const [flat] = ours('I took the bus there.')
  const [both] = ours('It was a great day for me and for them. I took the bus there.')
  expect(both).toBeCloseTo((10 * (good ?? Number.NaN) + 5 * (flat ?? Number.NaN)) / 15, 6)
})
