import { expect, test } from 'vitest'
import { AUDIO_FEATURES } from '../../../functions/_shared/audio/features/registry.ts'
import { TEXT_EXTRACTORS } from '../../../functions/_shared/text/features/registry.ts'
import { VISUAL_EXTRACTORS } from '../../../functions/_shared/visual/features/registry.ts'

test.each([
  ['audio', AUDIO_FEATURES.map(({ extract }) => extract)],
  ['visual', Object.values(VISUAL_EXTRACTORS)],
  ['text', Object.values(TEXT_EXTRACTORS)],
])('each feature of %s has an extractor of its own', (_, extractors: unknown[]) => {
  expect(new Set(extractors).size).toBe(extractors.length)
})
