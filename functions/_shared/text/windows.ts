import { MIN_PARTS, partsOf, type Replicates, replicatesFrom } from '../replicates.ts'
import { measurePerWord, PER_WORD_FEATURES } from './features/registry.ts'
import type { Reading } from './reading.ts'

/**
 * The features without one window of the transcript each, for up to eight windows of neighbouring sentences. Each is a mean over words,
 * so the windows are measured once and put together again: reading a transcript costs twice its features, not nine times.
 */
export function withoutWindows(reading: Reading): Replicates {
  const part = partsOf(reading.sentences.map(({ words }) => words))
  const count = Math.max(-1, ...part) + 1
  if (count < MIN_PARTS) return {}
  const windows = Array.from({ length: count }, (_, index) => windowOf(reading, part, index)).map(
    (window) => ({
      words: window.words.length,
      features: measurePerWord(window),
    }),
  )
  return replicatesFrom(
    windows.map((left) => {
      const kept = windows.filter((window) => window !== left)
      return Object.fromEntries(
        PER_WORD_FEATURES.map((feature) => {
          const words = kept.reduce((sum, window) => sum + window.words, 0)
          const sum = kept.reduce((sum, window) => sum + window.words * (window.features[feature] ?? 0), 0)
          return [feature, words > 0 ? sum / words : null]
        }),
      )
    }),
  )
}

/** The sentences of one part as a reading of their own. */
function windowOf(reading: Reading, part: readonly number[], index: number): Reading {
  const isIn = (sentence: number) => part[sentence] === index
  const denied = reading.denied.filter((_, at) => isIn(reading.words[at]?.sentence ?? -1))
  return {
    words: reading.words.filter(({ sentence }) => isIn(sentence)),
    denied,
    sentences: reading.sentences.filter((_, sentence) => isIn(sentence)),
    polarities: reading.polarities.filter((_, sentence) => isIn(sentence)),
    punctuated: reading.punctuated,
  }
}
