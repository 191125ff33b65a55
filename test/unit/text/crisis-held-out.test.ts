import { describe, expect, test } from 'vitest'
import { HELD_OUT } from '../../../corpora/crisis/measured/held-out.ts'
import { HELD_OUT_CHECK_INS } from '../../../corpora/crisis/measured/lists.ts'
import { isRaised, measure, outrightIn } from '../../../corpora/crisis/measured/measure.ts'
import { detectCrisis } from '../../../functions/_shared/text/crisis/detect.ts'

describe('on sentences that the detector was never fitted to', () => {
  const { high, none } = measure(HELD_OUT)

  // What is reached, not what is wanted, which is none: see docs/accuracy.md.
  test('no more crises are missed than are recorded', () => {
    expect(high.missed).toBeLessThanOrEqual(4)
  })

  // Wanted: 5%. More crises are found for it; whole check-ins are what reaches counselors.
  test('no more without danger are raised than are recorded', () => {
    expect(none.raised).toBeLessThanOrEqual(18)
  })
})

test('of ordinary check-ins that the detector was never fitted to, no more are raised than are recorded', () => {
  const levels = HELD_OUT_CHECK_INS.map((text) => detectCrisis(text).level)
  expect(levels).toHaveLength(100)
  expect(levels.filter((level) => level === 'moderate' || level === 'high').length).toBeLessThanOrEqual(5)
})

test('what is said outright is reached in the midst of talk that has nothing to do with it', () => {
  const texts = outrightIn(140)
  expect(texts.length).toBeGreaterThanOrEqual(300)
  expect(texts.filter(isRaised).length / texts.length).toBeGreaterThanOrEqual(0.84)
})
