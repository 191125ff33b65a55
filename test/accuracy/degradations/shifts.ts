import type { AudioAnalysis } from '../../../functions/_shared/audio/merge-slices.ts'
import { evaluate } from '../../../functions/_shared/scoring/component.ts'
import { CHECK_IN_SCHEME } from '../../../functions/_shared/scoring/scheme.ts'
import { Z_90 } from '../../../functions/_shared/scoring/standard-error.ts'
import { analyze, wav } from '../../unit/audio/recordings.ts'
import { DEGRADATIONS } from './degradations.ts'
import { scored } from './pairs.ts'
import { type CleanRecording, cleanRecordings } from './readers.ts'

/** How a degradation moved the score of one recording: a line of `shifts.jsonl`. */
export interface Shift {
  split: CleanRecording['split']
  reader: string
  recording: string
  degradation: string
  /** Score of the voice alone; null where the quality is too low for one. */
  clean_score: number | null
  score: number | null
  /** `score` less `clean_score`, in points. */
  shift: number | null
  /** How far the 90% interval of `score` reaches to either side, in points. */
  interval: number | null
  clean_quality: number
  quality: number
  clean_reason: string | null
  reason: string | null
  snr_db: number | null
  /** Features that were left out. */
  missing: number
}

/** Analyses every recording of both splits, clean and degraded; one after another, because it takes minutes. */
export async function* shifts(): AsyncGenerator<Shift> {
  for (const split of ['tuning', 'held out'] as const) {
    const recordings = cleanRecordings(split)
    for (const { name, reader, samples } of recordings) {
      const others = recordings.filter((other) => other.reader !== reader)
      const clean = await analyze(wav(samples))
      for (const degradation of DEGRADATIONS) {
        const degraded = await analyze(wav(degradation.apply(samples, others)))
        yield shiftOf({ split, reader, recording: name, degradation: degradation.name }, clean, degraded)
      }
    }
  }
}

export function shiftOf(
  what: Pick<Shift, 'split' | 'reader' | 'recording' | 'degradation'>,
  clean: AudioAnalysis,
  degraded: AudioAnalysis,
): Shift {
  const [before, after] = [scoreOf(clean), scoreOf(degraded)]
  return {
    ...what,
    clean_score: rounded(before, 2),
    score: rounded(after, 2),
    shift: before === null || after === null ? null : rounded(after - before, 2),
    interval: rounded(intervalOf(degraded), 2),
    clean_quality: rounded(clean.quality.score, 3) ?? 0,
    quality: rounded(degraded.quality.score, 3) ?? 0,
    clean_reason: clean.quality.reason,
    reason: degraded.quality.reason,
    snr_db: rounded(degraded.quality.snr_db, 1),
    missing: Object.values(degraded.features).filter((value) => value === null).length,
  }
}

/** The score of the voice alone, without a baseline. */
function scoreOf({ features, quality }: AudioAnalysis): number | null {
  return evaluate('audio', { features, quality }, null, 'not_provided', CHECK_IN_SCHEME).score
}

function intervalOf({ features, replicates, quality }: AudioAnalysis): number | null {
  const result = scored('audio', { features, replicates, quality, amount: quality.speech_s })
  return result && Z_90 * result.standardError
}

function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits))
}
