import { analyze, wav } from '../../unit/audio/recordings.ts'
import type { Pair } from '../degradations/pairs.ts'
import { repeatedRecordings } from '../degradations/readers.ts'

/** Recordings of readers in twos, which say other phrases in the same manner. */
export async function repeatedSpeech(split: 'tuning' | 'held-out'): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (const [first, second] of repeatedRecordings(split === 'tuning' ? 'tuning' : 'held out')) {
    pairs.push({ first: await evidence(first), second: await evidence(second) })
  }
  return pairs
}

async function evidence(samples: Float32Array) {
  const { features, replicates, quality } = await analyze(wav(samples))
  return { features, replicates, quality, amount: quality.speech_s }
}
