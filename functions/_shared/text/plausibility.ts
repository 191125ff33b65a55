import { ramp } from '../numbers.ts'

/** Why a transcript by a machine is believed less. */
export type ImplausibleReason =
  | 'no_measured_speech'
  | 'speech_not_measured'
  | 'too_many_words'
  | 'repeated_phrase'

/** How far a transcript by a machine can be what was said. */
type Plausibility = {
  /** 0 (it cannot be) to 1 (nothing speaks against it). */
  share: number
  /** What speaks against it most; null when nothing does. */
  reason: ImplausibleReason | null
}

/**
 * Words a second of speech, pauses apart, that are believed in full, and that nobody keeps up. Conversations have about 3.5 (210 words a
 * minute: Tauroza and Allison 1990, Appl. Linguist. 11), which is five syllables a second; languages average five to eight (Pellegrino,
 * Coupé and Marsico 2011, Language 87), and 7 words of English are ten.
 */
const WORDS_PER_S = { usual: 5, impossible: 7 } as const

/** What the ends of runs of speech may lack, in all. */
const SPARE_S = 1

/** So many words in a row are a phrase; said more often than this it is one that a person would hardly repeat so. */
const PHRASE = { words: 3, times: 4 } as const

/** Share of the words that are in such phrases: below the first nothing is meant by it, from the second on they are the transcript. */
const REPEATED = { noticed: 0.3, useless: 0.6 } as const

/**
 * How far a transcript that a machine made can be what was said in a recording. Speech recognition makes sentences of noise and silence, and says one over and
 * over (Radford et al. 2022, arXiv:2212.04356, section 4.5; Koenecke et al. 2024, FAccT '24).
 *
 * @param speechS seconds of speech that were measured in the recording; null where it could not be measured
 */
export function plausibilityOf(transcript: string, speechS: number | null): Plausibility {
  if (speechS === null) return { share: 0, reason: 'speech_not_measured' }
  if (speechS === 0) return { share: 0, reason: 'no_measured_speech' }
  const heardS = speechS + SPARE_S
  const words = wordsOf(transcript, Math.ceil(WORDS_PER_S.impossible * heardS))
  const fitting = 1 - ramp(words.length / heardS, WORDS_PER_S.usual, WORDS_PER_S.impossible)
  const varied = 1 - ramp(repeatedShare(words), REPEATED.noticed, REPEATED.useless)
  const reason =
    fitting === 1 && varied === 1 ? null : fitting <= varied ? 'too_many_words' : 'repeated_phrase'
  return { share: fitting * varied, reason }
}

/** The first words in any script, `most` of them; where no spaces stand between words, as a dictionary divides them (Unicode UAX 29). */
function wordsOf(transcript: string, most: number): string[] {
  const words: string[] = []
  for (const { segment, isWordLike } of SEGMENTER.segment(transcript)) {
    if (words.length >= most) break
    if (isWordLike) words.push(segment.toLowerCase())
  }
  return words
}

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' })

/** The share of words that stand in a phrase which is said more than four times, whatever stands between. Linear. */
function repeatedShare(words: readonly string[]): number {
  const phraseAt = (at: number) => words.slice(at, at + PHRASE.words).join(' ')
  const times = new Map<string, number>()
  for (let at = 0; at + PHRASE.words <= words.length; at++) {
    const phrase = phraseAt(at)
    times.set(phrase, (times.get(phrase) ?? 0) + 1)
  }
  let covered = 0
  let until = 0
  for (let at = 0; at + PHRASE.words <= words.length; at++) {
    if ((times.get(phraseAt(at)) ?? 0) <= PHRASE.times) continue
    covered += at + PHRASE.words - Math.max(at, until)
    until = at + PHRASE.words
  }
  return words.length === 0 ? 0 : covered / words.length
}
