import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isHigher, RISK_LEVELS, type RiskLevel } from '../../../functions/_shared/risk-level.ts'
import { combineReadings, LANGUAGE_MODEL } from '../../../functions/_shared/text/crisis/combine-readings.ts'
import type { Crisis } from '../../../functions/_shared/text/crisis/detect.ts'

const level = fc.constantFrom(...RISK_LEVELS)
const of = (level: RiskLevel): Crisis => ({ level, rule: level === 'none' ? null : 'intent.want_to_die' })

test('what was found is never lowered, and raised at most to what the model says', () => {
  fc.assert(
    fc.property(level, level, (found, model) => {
      const combined = combineReadings(of(found), model).level
      expect(isHigher(found, combined)).toBe(false)
      expect(isHigher(model, combined)).toBe(false)
      expect([found, model]).toContain(combined)
    }),
  )
})

test('a higher reading of either never gives a lower level', () => {
  fc.assert(
    fc.property(level, level, level, (one, other, fixed) => {
      const [low, high] = isHigher(one, other) ? [other, one] : [one, other]
      const levelOf = (found: RiskLevel, model: RiskLevel) => combineReadings(of(found), model).level
      expect(isHigher(levelOf(low, fixed), levelOf(high, fixed))).toBe(false)
      expect(isHigher(levelOf(fixed, low), levelOf(fixed, high))).toBe(false)
    }),
  )
})

test('the rule that decided is named: the one that found it, unless the model found more', () => {
  expect(combineReadings(of('moderate'), 'moderate')).toEqual(of('moderate'))
  expect(combineReadings(of('high'), 'none')).toEqual(of('high'))
  expect(combineReadings(of('moderate'), 'high')).toEqual({ level: 'high', rule: LANGUAGE_MODEL })
  expect(combineReadings(of('none'), 'none')).toEqual(of('none'))
})
