import { describe, expect, test } from 'vitest'
import { FEATURE_NORMS } from '../../../functions/_shared/scoring/scheme.ts'

describe.each(Object.entries(FEATURE_NORMS))('the reference values of %s', (_, norms) => {
  test.each(Object.entries(norms))('%s is well formed', (_, norm) => {
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
