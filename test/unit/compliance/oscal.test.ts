import { describe, expect, test } from 'vitest'
import type { Decision } from '../../../functions/_shared/compliance/controls.ts'
import { oscalOf } from '../../../functions/_shared/compliance/oscal.ts'
import {
  faultsOfOscal,
  inventedAssessment,
  inventedCheck,
  inventedControl,
  withOscalSchema,
} from '../../../harness/factories/compliance.ts'

const decision: Decision = {
  status: 'compliant',
  reason: ' A reason\n\nof *several* lines <b>with</b> everything ',
  evidence: [
    {
      description: 'A document\nof two lines',
      link: "https://evidence.example.edu:8443/a%20b/(c)?d=e&f='g'#h",
    },
    { description: 'Another one' },
  ],
  decided_at: '2026-11-19T10:00:00.000001Z',
}

const assessment = inventedAssessment(
  [
    inventedControl('ctl_gdpr_a'),
    inventedControl('ctl_gdpr_b', { checks: ['first', 'second'], automated_status: 'partial' }),
    inventedControl('ctl_gdpr_c', { automated_status: 'non_compliant', decision }),
    inventedControl('ctl_gdpr_d', { checks: [], automated_status: 'not_assessed' }),
    inventedControl('ctl_gdpr_e', { checks: [], automated_status: 'not_assessed', decision }),
    inventedControl('ctl_gdpr_f', {
      checks: ['third'],
      automated_status: 'not_assessed',
      decision: { ...decision, status: 'not_applicable' },
    }),
  ],
  [
    inventedCheck('first'),
    inventedCheck('second', { result: 'failed', found: ['public.a: "b" <c>', '  - d'], more: true }),
    inventedCheck('third', { result: 'not_assessed', problem: 'its source is not told' }),
  ],
)

const resultOf = (document: ReturnType<typeof oscalOf>) => {
  const [result] = document['assessment-results'].results
  if (!result) throw new Error('There is no result')
  return result
}

describe('an assessment as OSCAL', () => {
  test('is as the schema of assessment results says', withOscalSchema, () => {
    expect(faultsOfOscal(oscalOf(assessment))).toEqual([])
  })

  test('is so too when nothing was assessed', withOscalSchema, () => {
    const nothing = inventedAssessment(
      [inventedControl('ctl_gdpr_a', { automated_status: 'not_assessed' })],
      [inventedCheck('first', { result: 'not_assessed', problem: 'it failed with 42P01' })],
    )
    expect(faultsOfOscal(oscalOf(nothing))).toEqual([])
  })

  test('would be found wrong by the schema', withOscalSchema, () => {
    const { 'assessment-results': results } = oscalOf(assessment)
    expect(faultsOfOscal({ 'assessment-results': { ...results, uuid: 'none' } })).not.toEqual([])
  })

  test('is the same each time, and another one of another assessment', () => {
    const text = JSON.stringify(oscalOf(assessment))
    expect(JSON.stringify(oscalOf(structuredClone(assessment)))).toBe(text)
    const other = oscalOf({ ...assessment, id: `asm_${'d'.repeat(32)}` })
    expect(other['assessment-results'].uuid).not.toBe(oscalOf(assessment)['assessment-results'].uuid)
  })

  test('has a finding of each control that was assessed, and names the others with why', () => {
    const result = resultOf(oscalOf(assessment))
    const states = result.findings?.map(({ target }) => [
      target['target-id'],
      target.status.state,
      target.status.remarks,
    ])
    expect(states).toEqual([
      ['ctl_gdpr_a.objective', 'satisfied', 'The checks found: compliant.'],
      ['ctl_gdpr_b.objective', 'not-satisfied', 'The checks found: partial.'],
      ['ctl_gdpr_c.objective', 'satisfied', 'An assessor decided: compliant.'],
      ['ctl_gdpr_e.objective', 'satisfied', 'An assessor decided: compliant.'],
    ])
    const [selection] = result['reviewed-controls']['control-selections']
    expect(selection).toMatchObject({
      'include-controls': ['a', 'b', 'c', 'e'].map((name) => ({ 'control-id': `ctl_gdpr_${name}` })),
      remarks: 'ctl_gdpr_d: not assessed\nctl_gdpr_f: not applicable',
    })
  })

  test('keeps what the checks found beside what an assessor decided', () => {
    const finding = resultOf(oscalOf(assessment)).findings?.find(({ target }) =>
      target['target-id'].includes('_c.'),
    )
    expect(finding?.props.map(({ name, value }) => [name, value])).toEqual([
      ['automated-status', 'non_compliant'],
      ['assessor-decision', 'compliant'],
    ])
  })

  test('has every observation that a finding rests on, each with an id of its own', () => {
    const { observations, findings } = resultOf(oscalOf(assessment))
    const ids = observations.map(({ uuid }) => uuid)
    expect(new Set(ids).size).toBe(ids.length)
    const related = findings?.flatMap((finding) => finding['related-observations'] ?? [])
    expect(related?.length).toBe(6)
    for (const { 'observation-uuid': id } of related ?? []) expect(ids).toContain(id)
  })
})
