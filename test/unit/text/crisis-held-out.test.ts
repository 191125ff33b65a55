import { describe, expect, test } from 'vitest'
import { HELD_OUT } from '../../fixtures/crisis/held-out.ts'
import { TUNING } from '../../fixtures/crisis/lists.ts'
import { measure } from '../../fixtures/crisis/measure.ts'

describe('on sentences that the detector was tuned on', () => {
  const { high, none } = measure(TUNING)

  test('no grave one is missed', () => {
    expect(high.missed).toBe(0)
  })

  test('fewer than one in twenty without danger is raised', () => {
    expect(none.raised / none.sentences).toBeLessThan(0.05)
  })
})

describe.skipIf(HELD_OUT.length === 0)('on sentences that the detector has never seen', () => {
  const { high, none } = measure(HELD_OUT)

  test('no grave one is missed', () => {
    expect(high.missed).toBe(0)
  })

  test('fewer than one in twenty without danger is raised', () => {
    expect(none.raised / none.sentences).toBeLessThan(0.05)
  })
})
