import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { AUDIO_FEATURES } from '../../../functions/_shared/audio/features/registry.ts'
import { FEATURE_NORMS } from '../../../functions/_shared/fusion/scheme.ts'
import { TEXT_FEATURE_NAMES } from '../../../functions/_shared/text/features/registry.ts'
import { VISUAL_FEATURES } from '../../../functions/_shared/visual/features/registry.ts'
import type { Database } from '../../../types/database.ts'

const REGISTRIES = {
  audio: AUDIO_FEATURES.map(({ name }) => name),
  visual: VISUAL_FEATURES.map(({ name }) => name),
  text: [...TEXT_FEATURE_NAMES],
}
const COUNTS = { audio: 23, visual: 18, text: 16 }

type Tables = Database['checkin']['Tables']
type NumberColumn<Row> = { [Name in keyof Row]: Row[Name] extends number | null ? Name : never }[keyof Row]

/** Compiles only while every feature is a column of numbers in its table. */
const COLUMNS: {
  audio: readonly NumberColumn<Tables['audio_analysis']['Row']>[]
  visual: readonly NumberColumn<Tables['visual_analysis']['Row']>[]
  text: readonly NumberColumn<Tables['text_analysis']['Row']>[]
} = REGISTRIES

describe.each(['audio', 'visual', 'text'] as const)('the features of %s', (modality) => {
  let declared: { name: string; type: string; comment: boolean }[]
  beforeAll(async () => {
    const sql = await readFile(new URL('../../../sql/checkins/analyses.sql', import.meta.url), 'utf8')
    const table = sql.split(`create table checkin.${modality}_analysis (`)[1]?.split('\n);')[0] ?? ''
    declared = [...table.matchAll(/^ {2}([a-z0-9_]+) ([a-z ]+?)(?: not null.*)?,$/gm)].map(
      ([, name = '', type = '']) => ({
        name,
        type,
        comment: sql.includes(`comment on column checkin.${modality}_analysis.${name} is `),
      }),
    )
  })

  test(`are ${COUNTS[modality]}, each once`, () => {
    expect(REGISTRIES[modality]).toHaveLength(COUNTS[modality])
    expect(new Set(REGISTRIES[modality]).size).toBe(COUNTS[modality])
    expect(COLUMNS[modality]).toHaveLength(COUNTS[modality])
  })

  test('are stored in their order, in columns of double precision with a comment', () => {
    const first = declared.findIndex(({ name }) => name === REGISTRIES[modality][0])
    const columns = declared.slice(first, first + COUNTS[modality])
    expect(columns.map(({ name }) => name)).toEqual(REGISTRIES[modality])
    for (const { name, type, comment } of columns) {
      expect(type, name).toBe('double precision')
      expect(comment, name).toBe(true)
    }
    expect(declared[first - 1]?.name).toBe('user_id')
    expect(declared[first + COUNTS[modality]]?.name).toBe('quality')
  })

  test('have each a reference in the fusion, in the same order', () => {
    expect(Object.keys(FEATURE_NORMS[modality])).toEqual(REGISTRIES[modality])
  })
})

test('each feature has an extractor of its own', () => {
  for (const extractors of [
    AUDIO_FEATURES.map(({ extract }) => extract),
    VISUAL_FEATURES.map(({ extract }) => extract),
  ]) {
    expect(new Set<unknown>(extractors).size).toBe(extractors.length)
  }
})
