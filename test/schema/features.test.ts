import { describe, expect, inject, test } from 'vitest'
import { FEATURES } from '../../functions/_shared/features/features.ts'
import { withDatabase } from '../../harness/stack/project.ts'

/** Numbers that say how good an analysis is, or what a student stated: no features. */
const OTHER_NUMBERS = {
  audio: ['quality', 'snr_db', 'clipping_fraction', 'speech_s', 'duration_s'],
  visual: ['quality'],
  text: ['quality', 'stated_mood'],
} as const

describe.each(['audio', 'visual', 'text'] as const)('the features of %s', (modality) => {
  test('are the columns of double precision that their table has for them, each with a comment', async () => {
    const columns = await withDatabase(
      inject('project'),
      (sql) => sql<{ name: string; comment: string | null }[]>`
        select a.attname as name, col_description(a.attrelid, a.attnum) as comment
        from pg_catalog.pg_attribute a
        where a.attrelid = ${`checkin.${modality}_analysis`}::regclass
          and a.attnum > 0 and a.atttypid = 'double precision'::regtype`,
    )
    const declared = [...Object.keys(FEATURES[modality]), ...OTHER_NUMBERS[modality]]
    expect(columns.map(({ name }) => name).sort()).toEqual(declared.sort())
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
