import { readFile } from 'node:fs/promises'
import { analyzeSlice } from '../../../functions/_shared/audio/analyze-slice.ts'
import { AUDIO_FEATURES } from '../../../functions/_shared/audio/features/registry.ts'
import { probeRecording } from '../../../functions/_shared/audio/probe.ts'
import { assembleMeasures } from '../../../functions/_shared/audio/recording-measures.ts'
import { planSlices } from '../../../functions/_shared/audio/slices.ts'
import { loadAsset, sourceOf } from '../../unit/audio/recordings.ts'

/** What the analysis makes of a wav file, sliced and merged as in the pipeline: features by their names, and counts. */
export async function measure(path: string): Promise<Map<string, number>> {
  const source = sourceOf(new Uint8Array(await readFile(path)))
  const info = await probeRecording(source)
  const outcomes = []
  for (const slice of planSlices(info.durationS)) {
    outcomes.push(await analyzeSlice(source, info, slice, loadAsset))
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
