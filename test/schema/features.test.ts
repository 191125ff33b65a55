import { describe, expect, inject, test } from 'vitest'
import { FEATURES } from '../../functions/_shared/features/features.ts'
import { withDatabase } from '../../harness/stack/project.ts'

/** Numbers that say how good an analysis is, or what a student stated: no features. */
const OTHER_NUMBERS = {
  audio: ['quality', 'snr_db', 'clipping_fraction', 'speech_s', 'duration_s'],
  visual: ['quality'],
  text: ['quality', 'stated_mood'],
} as const

/** How many the specification asks for. */
const COUNTS = { audio: 23, visual: 18, text: 16 }

describe.each(['audio', 'visual', 'text'] as const)('the features of %s', (modality) => {
  test(`are ${COUNTS[modality]} columns of double precision in the order of their table, each with a comment`, async () => {
    const columns = await withDatabase(
      inject('project'),
      (sql) => sql<{ name: string; comment: string | null }[]>`
        select a.attname as name, col_description(a.attrelid, a.attnum) as comment
        from pg_catalog.pg_attribute a
        where a.attrelid = ${`checkin.${modality}_analysis`}::regclass
          and a.attnum > 0 and a.atttypid = 'double precision'::regtype
          and a.attname <> all(${[...OTHER_NUMBERS[modality]]})
        order by a.attnum`,
    )
    expect(columns.map(({ name }) => name)).toEqual(Object.keys(FEATURES[modality]))
    expect(columns).toHaveLength(COUNTS[modality])
    for (const { name, comment } of columns) expect(comment, name).toMatch(/\w/)
  })

  test.each(['NaN', 'Infinity', '-Infinity'])('are never %s', async (value) => {
    const [feature = ''] = Object.keys(FEATURES[modality]).slice(-1)
    await withDatabase(inject('project'), async (sql) => {
      await expect(
        sql`insert into ${sql(`checkin.${modality}_analysis`)} ${sql({
          check_in_id: crypto.randomUUID(),
          user_id: crypto.randomUUID(),
          quality: 1,
          [feature]: value,
        })}`,
      ).rejects.toMatchObject({ constraint_name: `${modality}_analysis_finite` })
    })
  })
})
