import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expositionOf, type Sample } from '../../../functions/_shared/monitoring/exposition.ts'
import { FAMILIES } from '../../../functions/_shared/monitoring/families.ts'
import { ROOT } from '../../../scripts/root.ts'

describe('the text format', () => {
  test('has the help and the type of each family before its samples', () => {
    const samples: Sample[] = [
      { name: 'wellbeing_messages', labels: { channel: 'email', state: 'due' }, value: 2 },
      { name: 'wellbeing_check_ins_processing', labels: {}, value: 0 },
      { name: 'wellbeing_messages', labels: { channel: 'sms', state: 'due' }, value: 0.5 },
    ]
    expect(expositionOf(samples)).toBe(
      `# HELP wellbeing_messages ${FAMILIES.wellbeing_messages?.help}
# TYPE wellbeing_messages gauge
wellbeing_messages{channel="email",state="due"} 2
wellbeing_messages{channel="sms",state="due"} 0.5
# HELP wellbeing_check_ins_processing ${FAMILIES.wellbeing_check_ins_processing?.help}
# TYPE wellbeing_check_ins_processing gauge
wellbeing_check_ins_processing 0
`,
    )
  })

  test('keeps the parts of a histogram together', () => {
    const part = (suffix: string, labels: Record<string, string> = {}) => ({
      name: `wellbeing_check_in_duration_seconds_${suffix}`,
      labels,
      value: 1,
    })
    expect(
      expositionOf([part('bucket', { le: '1' }), part('bucket', { le: '+Inf' }), part('count'), part('sum')])
        .split('\n')
        .slice(1),
    ).toEqual([
      '# TYPE wellbeing_check_in_duration_seconds histogram',
      'wellbeing_check_in_duration_seconds_bucket{le="1"} 1',
      'wellbeing_check_in_duration_seconds_bucket{le="+Inf"} 1',
      'wellbeing_check_in_duration_seconds_count 1',
      'wellbeing_check_in_duration_seconds_sum 1',
      '',
    ])
  })

  test('escapes labels, and shows what is not described', () => {
    expect(expositionOf([{ name: 'invented', labels: { job: 'a"b\\c\nd' }, value: 1 }])).toBe(
      'invented{job="a\\"b\\\\c\\nd"} 1\n',
    )
  })

  test.each([
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
    [Number.NaN, 'NaN'],
    [1e21, '1e+21'],
  ])('writes %s as Prometheus reads it', (value, written) => {
    expect(expositionOf([{ name: 'invented', labels: {}, value }])).toBe(`invented ${written}\n`)
  })
})

test('docs/monitoring.md explains every family', () => {
  const page = readFileSync(join(ROOT, 'docs', 'monitoring.md'), 'utf8')
  expect(Object.keys(FAMILIES).filter((name) => !page.includes(`\`${name}`))).toEqual([])
})
