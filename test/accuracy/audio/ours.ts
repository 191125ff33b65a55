import { readFile } from 'node:fs/promises'
import {
  AUDIO_FEATURES,
  analyzeSlice,
  planSlices,
  probeRecording,
} from '../../../functions/_shared/audio/index.ts'
import { assembleMeasures } from '../../../functions/_shared/audio/recording-measures.ts'
import { engines, sourceOf } from '../../unit/audio/recordings.ts'

/** What the analysis makes of a wav file, sliced and merged as in the pipeline: features by their names, and counts. */
export async function measure(path: string): Promise<Map<string, number>> {
  const source = sourceOf(new Uint8Array(await readFile(path)))
  const info = await probeRecording(source)
  const outcomes = []
  for (const slice of planSlices(info.durationS)) {
    outcomes.push(await analyzeSlice(source, info, slice, engines))
  }
  const measures = assembleMeasures(outcomes, info.durationS)
  const { pauses } = measures.speech
  return new Map([
    ...AUDIO_FEATURES.map(({ name, extract }) => [name, extract(measures) ?? Number.NaN] as const),
    ['pause_count', pauses.length] as const,
    ['pause_time_s', pauses.reduce((sum, { startS, endS }) => sum + endS - startS, 0)] as const,
    ['syllable_count', measures.syllables.length] as const,
  ])
}
