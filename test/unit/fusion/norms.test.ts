import { describe, expect, test } from 'vitest'
import { FEATURE_NORMS } from '../../../functions/_shared/fusion/scheme.ts'
import { TEXT_FEATURE_NAMES } from '../../../functions/_shared/text/features/registry.ts'

const COUNTS = { audio: 23, visual: 18, text: 16, self_report: 1 } as const

describe.each(Object.entries(COUNTS))('the reference values of %s', (component, count) => {
  const norms = Object.entries(FEATURE_NORMS[component as keyof typeof COUNTS])

  test(`name all ${count} features`, () => {
    expect(norms).toHaveLength(count)
  })

  test.each(norms)('%s is well formed', (_, norm) => {
    expect(norm.sd).toBeGreaterThan(0)
    expect(Number.isFinite(norm.mean)).toBe(true)
    expect(norm.personal).toBeGreaterThanOrEqual(0)
    expect(norm.personal).toBeLessThanOrEqual(0.6)
    if (norm.direction === 0) {
      expect(norm).toMatchObject({ weight: 0, raised: '', lowered: '' })
    } else {
      expect(norm.weight).toBeGreaterThan(0)
      expect(norm.cap).toBeGreaterThan(0)
      expect(norm.raised).toMatch(/^[a-z][a-z ,-]+$/)
      expect(norm.lowered).toMatch(/^[a-z][a-z ,-]+$/)
    }
  })
})

test('the text features are those that the text analysis gives', () => {
  expect(Object.keys(FEATURE_NORMS.text)).toEqual(TEXT_FEATURE_NAMES)
})
