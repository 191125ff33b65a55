import { describe, expect, test } from 'vitest'
import { BY_LEVEL } from '../../../corpora/crisis/by-level.ts'
import { listOf, type Measured } from '../../../corpora/crisis/measured/lists.ts'
import { isRaised, levelOf, read } from '../../../corpora/crisis/measured/measure.ts'

/** Every so many of a list: the rest is measured by `npm run accuracy:crisis`. */
const EVERY = 3

const listed = (name: string) =>
  listOf(new URL(`../../../corpora/crisis/measured/${name}.jsonl`, import.meta.url))
const share = (texts: readonly Measured[]) =>
  read(texts.filter((_, at) => at % EVERY === 0)).reduce(
    (sum, { high }, _, all) => sum + Number(high) / all.length,
    0,
  )

// What is reached by every third text, not what is wanted: see docs/accuracy.md.
describe('of short texts by authors who had not seen the check', () => {
  const short = [...listed('short-1'), ...listed('short-2')]
  const of = (...kinds: string[]) => short.filter(({ kind }) => kinds.includes(kind))

  test('the happy and the ordinary are left alone', () => {
    expect(share(of('happy', 'neutral', 'ordinary'))).toBeLessThanOrEqual(0.03)
  })

  test('the sad are too', () => {
    expect(share(of('sad', 'grief', 'stress'))).toBeLessThanOrEqual(0.05)
  })

  test('those of a crisis are found', () => {
    expect(share(short.filter(({ level }) => level === 'high'))).toBeGreaterThanOrEqual(0.84)
  })
})

test('examples of a crisis by a cautious reader are found', () => {
  const found = BY_LEVEL.high.filter(isRaised)
  expect(found.length / BY_LEVEL.high.length).toBeGreaterThanOrEqual(0.9)
})

describe('a loop', () => {
  test.each([
    ['Thank you.', 5],
    ['Thank you for watching.', 8],
    ['Thanks for watching!', 5],
    ['you', 12],
    ['the', 20],
  ])('of a recogniser raises nothing: %s × %i', (said, times) => {
    expect(['none', 'mild']).toContain(levelOf(Array(times).fill(said).join(' ')))
  })
})

describe('a closing', () => {
  const CLOSINGS = [
    'Thank you for watching. Goodbye.',
    'Thanks for watching. Bye.',
    'Goodbye everybody, take care.',
    'I hope you enjoyed this video. Goodbye.',
    'Thank you so much for watching and I will see you in the next video. Bye bye.',
    'Thanks for listening, take care of yourselves, bye.',
    'Okay, thank you, have a nice day, goodbye.',
  ]

  // Wanted: none. "Take care" is what people leave with too.
  test('by itself is mostly no crisis', () => {
    const forms = CLOSINGS.flatMap((text) => [text, text.toLowerCase().replaceAll(/[.,]/g, '')])
    expect(forms.filter(isRaised).length).toBeLessThanOrEqual(4)
  })

  test.each([
    "Goodbye everyone, I can't do this any more, tell my mum I love her",
    'I took all the pills. Thanks for watching. Bye.',
    'I love you all. Bye.',
  ])('that says more is one: %s', (text) => {
    expect(isRaised(text)).toBe(true)
  })
})
