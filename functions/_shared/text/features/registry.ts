import { type Extractors, namesOf } from '../../features/definition.ts'
import { TEXT_DEFINITIONS, type TextFeatureName } from '../../features/text.ts'
import type { Reading } from '../reading.ts'
import { COGNITIVE_LOAD } from './cognitive-load.ts'
import { EMOTION } from './emotion.ts'
import { RESILIENCE } from './resilience.ts'
import { SENTIMENT } from './sentiment.ts'

/** What measures each of them. */
export const TEXT_EXTRACTORS: Extractors<TextFeatureName, Reading> = {
  ...SENTIMENT,
  ...EMOTION,
  ...COGNITIVE_LOAD,
  ...RESILIENCE,
}

const TEXT_FEATURE_NAMES = namesOf(TEXT_DEFINITIONS)

export const PER_WORD_FEATURES = TEXT_FEATURE_NAMES.filter((name) => TEXT_DEFINITIONS[name].perWord)

/** The features that are means over words, of a window of a transcript. */
export function measurePerWord(reading: Reading): Partial<Record<TextFeatureName, number | null>> {
  return Object.fromEntries(PER_WORD_FEATURES.map((name) => [name, TEXT_EXTRACTORS[name](reading)]))
}

/** Every feature of a reading; a value that is not finite is `null`. */
export function measure(reading: Reading): Record<TextFeatureName, number | null> {
  return everyFeature((name) => {
    const value = TEXT_EXTRACTORS[name](reading)
    return value !== null && Number.isFinite(value) ? value : null
  })
}

/** All features missing. */
export function unmeasured(): Record<TextFeatureName, number | null> {
  return everyFeature(() => null)
}

function everyFeature(
  value: (name: TextFeatureName) => number | null,
): Record<TextFeatureName, number | null> {
  const features = {} as Record<TextFeatureName, number | null>
  for (const name of TEXT_FEATURE_NAMES) features[name] = value(name)
  return features
}
