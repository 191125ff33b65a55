import type { Extractors } from '../../features/definition.ts'
import type { TextFeatureName } from '../../features/text.ts'
import { lexicon, matchAt } from '../lexicon.ts'
import { ANGER, ANXIETY, JOY, SADNESS } from '../lexicons/emotion.ts'
import { type Reading, ratePer100 } from '../reading.ts'

const JOY_ENTRIES = lexicon(JOY)
const SADNESS_ENTRIES = lexicon(SADNESS)
const ANGER_ENTRIES = lexicon(ANGER)
const ANXIETY_ENTRIES = lexicon(ANXIETY)

/** What a denied word of joy ("not happy") counts as sadness. */
const DENIED_JOY = 0.5

/** Words of emotion; what each measures, and how: `TEXT_DEFINITIONS`. */
export const EMOTION = {
  emotion_joy(reading) {
    return ratePer100(reading, JOY_ENTRIES)
  },

  emotion_sadness(reading) {
    const sadness = ratePer100(reading, SADNESS_ENTRIES)
    if (sadness === null) return null
    const { words, denied } = reading
    const deniedJoy = words.filter((_, at) => denied[at] && matchAt(JOY_ENTRIES, words, at) > 0).length
    return sadness + (100 * DENIED_JOY * deniedJoy) / words.length
  },

  emotion_anger(reading) {
    return ratePer100(reading, ANGER_ENTRIES)
  },

  emotion_anxiety(reading) {
    return ratePer100(reading, ANXIETY_ENTRIES)
  },
} satisfies Partial<Extractors<TextFeatureName, Reading>>
