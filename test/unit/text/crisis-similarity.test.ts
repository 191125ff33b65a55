import { describe, expect, test } from 'vitest'
import { readText } from '../../../functions/_shared/text/crisis/detect.ts'
import {
  BUCKETS,
  bucketOf,
  featureNames,
  similarity,
} from '../../../functions/_shared/text/crisis/similarity.ts'
import { WEIGHTS } from '../../../functions/_shared/text/crisis/similarity-weights.ts'
import { regress, score } from '../../fixtures/crisis/regression.ts'

const scoreOf = (text: string) =>
  Math.max(...readText(text).windows.map(({ tokens, matches }) => similarity(tokens, matches)))

describe('the similarity of a text to those of a crisis', () => {
  test('is the same whoever is talked about', () => {
    const story = (who: string) => scoreOf(`I am a ${who} student and nobody in my corridor talks to me.`)
    for (const who of ['gay', 'muslim', 'jewish', 'black', 'white', 'trans', 'disabled', 'catholic']) {
      expect(story(who)).toBe(story('asian'))
    }
  })

  test('is higher for a farewell than for a holiday', () => {
    expect(scoreOf('I gave my cat away because I will not be alive next week.')).toBeGreaterThan(
      scoreOf('I gave my cat to my aunt for the week because we go skiing.'),
    )
  })

  test('has a weight for every bucket of features', () => {
    expect(atob(WEIGHTS).length).toBe(BUCKETS)
  })

  test('is made of words, pairs, runs of letters and rules by name', () => {
    const [window] = readText('i want to die').windows
    const names = [...featureNames(window?.tokens ?? [], window?.matches ?? [])]
    expect(names).toEqual(
      expect.arrayContaining(['want', 'to die', 'want _ die', '~<die', '!intent.want_to_die:high']),
    )
    for (const name of names) expect(bucketOf(name)).toBeLessThan(BUCKETS)
  })
})

describe('the windows of a text', () => {
  const lengths = (text: string) => readText(text).windows.map(({ tokens }) => tokens.length)

  test('are its sentences, and neighbouring sentences together', () => {
    expect(lengths('I am fine. It rained a lot.')).toEqual([3, 4, 8])
  })

  test('are overlapping parts of speech without full stops', () => {
    expect(lengths('word '.repeat(50))).toEqual([20, 20, 20, 20])
  })
})

test('the regression learns which buckets speak for a crisis', () => {
  const model = regress(
    [
      { buckets: [1, 2], crisis: true, weight: 1 },
      { buckets: [1, 3], crisis: false, weight: 1 },
    ],
    8,
    0.1,
  )
  expect(score(model, [1, 2])).toBeGreaterThan(0)
  expect(score(model, [1, 3])).toBeLessThan(0)
})
