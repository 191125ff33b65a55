import { describe, expect, test } from 'vitest'
import { HELD_OUT } from '../../fixtures/crisis/held-out.ts'
import { measure } from '../../fixtures/crisis/measure.ts'
import { TUNING } from '../../fixtures/crisis/tuning.ts'

describe('on sentences that the rules were tuned on', () => {
  const { high, ordinary } = measure(TUNING)

  test('no high one is missed', () => {
    expect(high.missed).toBe(0)
  })

  test('fewer than one in twenty ordinary ones are raised', () => {
    expect(ordinary.raised / ordinary.sentences).toBeLessThan(0.05)
  })
})
void HELD_OUT
