import { describe, expect, test } from 'vitest'
import { readText } from '../../../functions/_shared/text/crisis/reading.ts'
import {
  BUCKETS,
  bucketOf,
  featureNames,
} from '../../../functions/_shared/text/crisis/resemblance/features.ts'
import { resemblance } from '../../../functions/_shared/text/crisis/resemblance/score.ts'
import { WEIGHTS } from '../../../functions/_shared/text/crisis/resemblance/weights.ts'
import { regress, score } from '../../fixtures/crisis/regression.ts'

const scoreOf = (text: string) =>
  Math.max(...readText(text).stretches.map(({ tokens, matches }) => resemblance(tokens, matches)))

describe('how much a text is like grave ones', () => {
  test('is the same whoever the words are about', () => {
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

  test('has a weight for every bucket', () => {
    expect(atob(WEIGHTS).length).toBe(BUCKETS)
  })

  test('counts words, pairs, runs of letters and rules by name', () => {
    const [stretch] = readText('i want to die').stretches
    const names = [...featureNames(stretch?.tokens ?? [], stretch?.matches ?? [])]
    expect(names).toEqual(
      expect.arrayContaining(['want', 'to die', 'want _ die', '~<die', '!intent.want_to_die:high']),
    )
    for (const name of names) expect(bucketOf(name)).toBeLessThan(BUCKETS)
  })
})

describe('the stretches of a text', () => {
  const lengths = (text: string) => readText(text).stretches.map(({ tokens }) => tokens.length)

  test('are its sentences, and neighbours together', () => {
    expect(lengths('I am fine. It rained a lot.')).toEqual([3, 4, 8])
  })

  test('are overlapping parts of speech without full stops', () => {
    expect(lengths('word '.repeat(50))).toEqual([20, 20, 20, 20])
  })
})

test('a regression learns which buckets are grave', () => {
  const model = regress(
    [
      { buckets: [1, 2], grave: true, weight: 1 },
      { buckets: [1, 3], grave: false, weight: 1 },
    ],
    8,
    0.1,
  )
  expect(score(model, [1, 2])).toBeGreaterThan(0)
  expect(score(model, [1, 3])).toBeLessThan(0)
})
