import { describe, expect, test } from 'vitest'
import { type Example, fitNetwork } from '../../../corpora/crisis/fitting.ts'
import { Convolution, DIMENSIONS } from '../../../functions/_shared/text/crisis/convolution.ts'
import {
  CHANNELS,
  CRISIS_KINDS,
  HIDDEN,
  KINDS,
  type Layers,
  loadNetwork,
  logOddsOf,
  windowCount,
} from '../../../functions/_shared/text/crisis/network.ts'
import { STORED_NETWORK } from '../../../functions/_shared/text/crisis/network-weights.js'
import { readText, weigh } from '../../../functions/_shared/text/crisis/reading.ts'

const NETWORK = loadNetwork(STORED_NETWORK)

const logOdds = (text: string) => weigh(NETWORK, readText(text).words)
const windowsOf = (text: string) => logOddsOf(NETWORK, text.trim().split(' '), () => [])

describe('the log-odds of a text', () => {
  test('are the same whoever is talked about', () => {
    const story = (who: string) => logOdds(`I am a ${who} student and nobody in my corridor talks to me.`)
    for (const who of ['gay', 'muslim', 'jewish', 'black', 'white', 'trans', 'disabled', 'catholic']) {
      expect(story(who)).toBe(story('asian'))
    }
  })

  test('are higher for a farewell than for a holiday', () => {
    expect(logOdds('I gave my cat away because I will not be alive next week.')).toBeGreaterThan(
      logOdds('I gave my cat to my aunt for the week because we go skiing.'),
    )
  })

  test('do not depend on punctuation or capitals', () => {
    const text = 'Well. I had soup, then I slept! My mother, who rang twice, is fine.'
    expect(logOdds(text)).toBe(logOdds(text.toLowerCase().replace(/[.,!]/g, '')))
  })

  test('are given for windows of 20 words, one begun every 5', () => {
    const counts = [1, 20, 21, 25, 26, 50]
    expect(counts.map(windowCount)).toEqual([1, 1, 2, 2, 3, 7])
    for (const count of counts) expect(windowsOf('word '.repeat(count))).toHaveLength(windowCount(count))
  })

  test('of a window do not depend on what stands far from it', () => {
    const begin =
      'i want to see my sister again soon and so we bought train tickets for the first week of may'
    const [near] = windowsOf(`${begin} ${'and then soup '.repeat(8)}`)
    const [far] = windowsOf(`${begin} ${'and then soup '.repeat(80)}`)
    expect(far).toBe(near)
  })

  test('count a window with its context 0.7, and by itself 0.3', () => {
    // Linear: the log-odds are the sum of the greatest answers in the window, or in its context. In one word said over and over these
    // are the same.
    const answersIn = (where: 'window' | 'context'): Layers => {
      const [first] = NETWORK.members
      if (!first) throw new Error('a network without members')
      const hidden = new Float32Array(first.hidden.length)
      const channel = where === 'window' ? 0 : CHANNELS
      for (let at = channel; at < channel + CHANNELS; at++) hidden[at * HIDDEN] = 1
      const output = new Float32Array(HIDDEN * KINDS.length)
      output.fill(1, 0, CRISIS_KINDS.length)
      return {
        ...first,
        hidden,
        hiddenBias: new Float32Array(HIDDEN),
        output,
        outputBias: new Float32Array(KINDS.length),
      }
    }
    const answers = (where: 'window' | 'context') => {
      const network = { ...NETWORK, members: [answersIn(where)] }
      const base = Math.log(CRISIS_KINDS.length / (KINDS.length - CRISIS_KINDS.length))
      return (logOddsOf(network, Array(100).fill('pills'), () => [])[8] ?? 0) - base
    }
    expect(answers('window')).toBeGreaterThan(1)
    expect(answers('context') / answers('window')).toBeCloseTo(0.7, 4)
  })
})

test('the convolution adds the product of each filter and a vector, and nothing elsewhere', () => {
  const convolution = new Convolution(9 * DIMENSIONS + 8)
  const filters = convolution.numbers(6 * DIMENSIONS)
  const vectors = convolution.numbers(3 * DIMENSIONS)
  const answers = convolution.numbers(8)
  for (const numbers of [filters, vectors]) for (const at of numbers.keys()) numbers[at] = Math.sin(at * at)
  answers.fill(1)
  convolution.add(4, [answers, 2], [filters, 1], [vectors, 2])
  const products = [1, 2, 3, 4].map((filter) =>
    Array.from({ length: DIMENSIONS }, (_, at) => at).reduce(
      (sum, at) => sum + (filters[filter * DIMENSIONS + at] ?? 0) * (vectors[2 * DIMENSIONS + at] ?? 0),
      1,
    ),
  )
  const expected = [1, 1, ...products, 1, 1]
  for (const [at, answer] of answers.entries()) expect(answer).toBeCloseTo(expected[at] ?? 0, 4)
})

test('every word has a vector, and every weight is a number', () => {
  expect(NETWORK.vectors).toHaveLength(NETWORK.rows.size * DIMENSIONS)
  for (const layer of NETWORK.members.flatMap(Object.values<Float32Array>)) {
    expect(layer.length).toBeGreaterThan(0)
    expect(layer.every(Number.isFinite)).toBe(true)
  }
})

describe('fitting', () => {
  const words = ['<unknown>', 'sad', 'soup', 'and', 'then', 'day']
  const vectors = Float32Array.from({ length: words.length * DIMENSIONS }, (_, at) => Math.sin(at * at))
  const exampleOf = (rows: readonly number[], crisis: boolean, whole: boolean): Example => ({
    forms: [{ rows: Int32Array.from(rows), indications: rows.map(() => []), from: 0, to: rows.length }],
    crisis,
    kind: crisis ? 0 : CRISIS_KINDS.length,
    weight: 1,
    whole,
    surroundings: !crisis,
  })
  const examples = Array.from({ length: 16 }, (_, at) =>
    exampleOf([3, at % 2 === 0 ? 1 : 2, 4, 5], at % 2 === 0, at % 4 < 2),
  )
  const learnt = (seed: number, passes: number) =>
    fitNetwork(examples, { words, vectors }, 0, { passes, seed, log: () => {} })

  test('learns which words speak for a crisis', () => {
    const network = learnt(1, 50)
    const of = (text: string) => logOddsOf(network, text.split(' '), () => [])[0]
    expect(of('and sad then day')).toBeGreaterThan(1)
    expect(of('and soup then day')).toBeLessThan(-1)
  })

  test('gives the same network for the same seed', () => {
    expect(learnt(2, 1)).toEqual(learnt(2, 1))
  })
})
