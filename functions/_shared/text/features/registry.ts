import type { Reading } from '../reading.ts'
import {
  hesitationRate,
  lexicalDiversityMattr,
  meanSentenceLengthWords,
  readingGrade,
} from './cognitive-load.ts'
import { emotionAnger, emotionAnxiety, emotionJoy, emotionSadness } from './emotion.ts'
import { absolutistRate, copingRate, futureFocusRate, socialConnectionRate } from './resilience.ts'
import { sentimentCompound, sentimentNegative, sentimentPositive, sentimentVariability } from './sentiment.ts'

/** The text features, in the order in which they are stored. */
const TEXT_FEATURES = {
  sentiment_compound: sentimentCompound,
  sentiment_positive: sentimentPositive,
  sentiment_negative: sentimentNegative,
  sentiment_variability: sentimentVariability,
  emotion_joy: emotionJoy,
  emotion_sadness: emotionSadness,
  emotion_anger: emotionAnger,
  emotion_anxiety: emotionAnxiety,
  lexical_diversity_mattr: lexicalDiversityMattr,
  mean_sentence_length_words: meanSentenceLengthWords,
  hesitation_rate: hesitationRate,
  reading_grade: readingGrade,
  coping_rate: copingRate,
  social_connection_rate: socialConnectionRate,
  future_focus_rate: futureFocusRate,
  absolutist_rate: absolutistRate,
} as const satisfies Record<string, (reading: Reading) => number | null>

export type TextFeatureName = keyof typeof TEXT_FEATURES

export const TEXT_FEATURE_NAMES = Object.keys(TEXT_FEATURES) as TextFeatureName[]

/** Not means over words: their value for a whole does not follow from those of its windows. */
const OF_THE_WHOLE: readonly TextFeatureName[] = [
  'sentiment_variability',
  'lexical_diversity_mattr',
  'mean_sentence_length_words',
  'reading_grade',
]

export const PER_WORD_FEATURES = TEXT_FEATURE_NAMES.filter((name) => !OF_THE_WHOLE.includes(name))

/** The features that are means over words, of a window of a transcript. */
export function measurePerWord(reading: Reading): Partial<Record<TextFeatureName, number | null>> {
  return Object.fromEntries(PER_WORD_FEATURES.map((name) => [name, TEXT_FEATURES[name](reading)]))
}

/** Every feature of a reading; a value that is not finite is `null`. */
export function measure(reading: Reading): Record<TextFeatureName, number | null> {
  return everyFeature((name) => {
    const value = TEXT_FEATURES[name](reading)
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
