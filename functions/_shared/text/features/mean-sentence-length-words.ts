import type { Reading } from '../reading.ts'

/** Words per sentence, 1 or more. `null` when the transcript does not mark its sentences. */
export function meanSentenceLengthWords({ words, sentences, punctuated }: Reading): number | null {
  return punctuated ? words.length / sentences.length : null
}
