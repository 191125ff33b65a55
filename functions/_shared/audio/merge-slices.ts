import type { AudioFeatureName } from '../features/audio.ts'
import type { Replicates } from '../replicates.ts'
import { AUDIO_FEATURES, isKnown } from './features/registry.ts'
import { type AudioQuality, isSilent, rateQuality } from './quality.ts'
import { assembleMeasures } from './recording-measures.ts'
import type { AudioSliceOutcome } from './slices.ts'
import { withoutWindows } from './windows.ts'

export interface AudioAnalysis {
  /** Each feature in its unit; null where the recording, or the noise in it, does not allow it to be known. */
  features: Record<AudioFeatureName, number | null>
  /** Features without one window of the speech each. */
  replicates: Replicates
  quality: AudioQuality
}

/**
 * Joins the outcomes of a recording's slices, in any order, into its features. A slice whose job failed may be missing:
 * the features then describe the rest, and the quality says so.
 */
export function mergeSlices(outcomes: AudioSliceOutcome[], durationS: number): AudioAnalysis {
  const measures = assembleMeasures(outcomes, durationS)
  const known = isSilent(measures)
    ? []
    : AUDIO_FEATURES.filter((feature) => isKnown(feature, measures.conditions))
  const extracted = new Map<AudioFeatureName, number | null>(
    known.map(({ name, extract }) => [name, extract(measures)]),
  )
  const features = Object.fromEntries(
    AUDIO_FEATURES.map(({ name }) => {
      const value = extracted.get(name) ?? null
      return [name, value !== null && Number.isFinite(value) ? value : null]
    }),
  ) as Record<AudioFeatureName, number | null>
  return { features, replicates: withoutWindows(measures, known), quality: rateQuality(measures) }
}
