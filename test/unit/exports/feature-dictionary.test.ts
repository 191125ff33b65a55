import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AUDIO_FEATURES } from '../../../functions/_shared/audio/features/registry.ts'
import { FEATURE_DICTIONARY } from '../../../functions/_shared/exports/feature-dictionary.ts'
import { TEXT_FEATURE_NAMES } from '../../../functions/_shared/text/features/registry.ts'
import { VISUAL_FEATURES } from '../../../functions/_shared/visual/features/registry.ts'
import { ROOT } from '../../../scripts/root.ts'

/** What the docstrings of a modality's extractors say, in one line each, without references to other code. */
function docstringsOf(modality: string): string[] {
  const folder = join(ROOT, 'functions', '_shared', modality, 'features')
  const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  return sources.flatMap((source) =>
    [...source.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export (?:function|const)/g)].map(
      ([, said = '']) =>
        said
          .replaceAll(/\s*\n\s*\*\s?/g, ' ')
          .replaceAll(/ \(see `\w+`\)|; see polarity\.ts/g, '')
          .trim(),
    ),
  )
}

test('the dictionary has every feature, in the order in which they are stored', () => {
  const { audio, visual, text } = FEATURE_DICTIONARY
  expect(Object.keys(audio)).toEqual(AUDIO_FEATURES.map(({ name }) => name))
  expect(Object.keys(visual)).toEqual(VISUAL_FEATURES.map(({ name }) => name))
  expect(Object.keys(text)).toEqual(TEXT_FEATURE_NAMES)
})

test('its units and ranges are those of the registries', () => {
  for (const { name, unit } of AUDIO_FEATURES) expect(FEATURE_DICTIONARY.audio[name].unit, name).toBe(unit)
  for (const { name, unit, range } of VISUAL_FEATURES) {
    const { least, greatest, ...meaning } = FEATURE_DICTIONARY.visual[name]
    expect([meaning.unit, least, greatest], name).toEqual([unit, ...range])
  }
})

test.each(['audio', 'visual', 'text'] as const)(
  'methods of %s are those that the extractors document',
  (modality) => {
    const documented = docstringsOf(modality)
    for (const [feature, { method }] of Object.entries(FEATURE_DICTIONARY[modality])) {
      expect(documented, feature).toContain(method)
    }
  },
)
