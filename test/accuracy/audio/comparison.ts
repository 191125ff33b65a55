import type { Bar } from './bars.ts'
import { measure } from './ours.ts'
import { measureWithPraat, voicedFrames } from './praat.ts'
import type { Recording } from './recordings.ts'
import { spectralIndices } from './spectral-definition.ts'

export interface Comparison {
  recording: string
  ours: Map<string, number>
  reference: Map<string, number>
}

/** Measures a recording with the analysis, with Praat and, for the spectral indices, by their plain definition. */
export async function compare({ name, path }: Recording): Promise<Comparison> {
  const [praat, spectral] = await Promise.all([
    measureWithPraat(path),
    voicedFrames(path).then((centres) => spectralIndices(path, centres)),
  ])
  return {
    recording: name,
    ours: await measure(path),
    reference: new Map([...praat, ...Object.entries(spectral)]),
  }
}

/** How far a measure lies from its reference, as a part of it where the bar is relative; NaN where either is missing. */
export function difference(
  { ours, reference }: Comparison,
  { measure, relative }: Omit<Bar, 'limit'>,
): number {
  const [value, truth] = [ours.get(measure) ?? Number.NaN, reference.get(measure) ?? Number.NaN]
  if (value === truth || (Number.isNaN(value) && Number.isNaN(truth))) return 0
  return relative ? (value - truth) / truth : value - truth
}
