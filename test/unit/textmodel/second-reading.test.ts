import { describe, expect, test } from 'vitest'
import type { RiskLevel } from '../../../functions/_shared/risk-level.ts'
import type { Crisis } from '../../../functions/_shared/text/crisis/detect.ts'
import type { AskModel } from '../../../functions/_shared/textmodel/language-model.ts'
import { ModelFailure } from '../../../functions/_shared/textmodel/model-output.ts'
import { SECOND_READING, secondReading } from '../../../functions/_shared/textmodel/second-reading.ts'

const TRANSCRIPT = 'some days i would like to disappear'

const finds =
  (risk_level: RiskLevel): AskModel =>
  async () => ({ risk_level })
const fails: AskModel = async () => {
  throw new ModelFailure('timeout')
}
const mustNotBeAsked: AskModel = async () => {
  throw new Error('The model was asked')
}

const found = (level: RiskLevel): Crisis => ({ level, rule: level === 'none' ? null : 'wish' })

describe('the second reading by a language model', () => {
  test('raises what the check found', async () => {
    for (const level of ['mild', 'moderate'] as const) {
      expect(await secondReading(finds('high'), TRANSCRIPT, found(level))).toEqual({
        level: 'high',
        rule: SECOND_READING,
      })
    }
  })

  test('never lowers it', async () => {
    for (const level of ['mild', 'moderate', 'high'] as const) {
      expect(await secondReading(finds('none'), TRANSCRIPT, found(level))).toEqual(found(level))
    }
  })

  test('is not asked where the check found nothing, and not where there is nothing to raise', async () => {
    expect(await secondReading(mustNotBeAsked, TRANSCRIPT, found('none'))).toEqual(found('none'))
    expect(await secondReading(mustNotBeAsked, TRANSCRIPT, found('high'))).toEqual(found('high'))
  })

  test('leaves what the check found when there is no model, or it fails, or says no level', async () => {
    expect(await secondReading(undefined, TRANSCRIPT, found('moderate'))).toEqual(found('moderate'))
    expect(await secondReading(fails, TRANSCRIPT, found('moderate'))).toEqual(found('moderate'))
    expect(await secondReading(async () => ({}), TRANSCRIPT, found('moderate'))).toEqual(found('moderate'))
  })
})
