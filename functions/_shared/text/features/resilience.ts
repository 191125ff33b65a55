import type { Extractors } from '../../features/definition.ts'
import type { TextFeatureName } from '../../features/text.ts'
import { lexicon, matchAt } from '../lexicon.ts'
import { ABSOLUTIST, COPING, FUTURE_FOCUS, SOCIAL_CONNECTION } from '../lexicons/resilience.ts'
import { type Reading, ratePer100 } from '../reading.ts'

const COPING_ENTRIES = lexicon(COPING)
const SOCIAL_CONNECTION_ENTRIES = lexicon(SOCIAL_CONNECTION)
const FUTURE_FOCUS_ENTRIES = lexicon(FUTURE_FOCUS)
const ABSOLUTIST_ENTRIES = lexicon(ABSOLUTIST)

const WILL = /^(?:will|gonna|.+'ll)$/

/** What helps, and all-or-nothing words; what each measures, and how: `TEXT_DEFINITIONS`. */
export const RESILIENCE = {
  coping_rate(reading) {
    return ratePer100(reading, COPING_ENTRIES)
  },

  social_connection_rate(reading) {
    return ratePer100(reading, SOCIAL_CONNECTION_ENTRIES)
  },

  future_focus_rate({ words, denied }) {
    if (words.length === 0) return null
    let count = 0
    words.forEach((word, at) => {
      if (denied[at]) return
      if (words[at + 1]?.form === 'not') return
      if (WILL.test(word.form) && word.pos !== 'NOUN') count++
      else if (word.form === 'going' && words[at + 1]?.form === 'to' && words[at + 2]?.pos === 'VERB') count++
      else if (matchAt(FUTURE_FOCUS_ENTRIES, words, at) > 0) count++
    })
    return (100 * count) / words.length
  },

  absolutist_rate({ words, denied }) {
    if (words.length === 0) return null
    const count = words.filter((_, at) => !denied[at] && matchAt(ABSOLUTIST_ENTRIES, words, at) > 0).length
    return (100 * count) / words.length
  },
} satisfies Partial<Extractors<TextFeatureName, Reading>>
