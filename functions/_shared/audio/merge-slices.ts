import { AUDIO_FEATURES, type AudioFeatureName } from './features/registry.ts'
import { type AudioQuality, isSilent, rateQuality } from './quality.ts'
import { assembleMeasures } from './recording-measures.ts'
import type { AudioSliceOutcome } from './slices.ts'

export interface AudioAnalysis {
  /** Each feature in its unit; null where the recording does not allow it to be measured. */
  features: Record<AudioFeatureName, number | null>
  quality: AudioQuality
}

/**
 * Joins the outcomes of a recording's slices, in any order, into its features. A slice whose job failed may be missing:
 * the features then describe the rest, and the quality says so.
 */
export function mergeSlices(outcomes: AudioSliceOutcome[], durationS: number): AudioAnalysis {
  const measures = assembleMeasures(outcomes, durationS)
  const silent = isSilent(measures)
  const features = Object.fromEntries(
    AUDIO_FEATURES.map(({ name, extract }) => {
      const value = silent ? null : extract(measures)
      return [name, value !== null && Number.isFinite(value) ? value : null]
    }),
  ) as Record<AudioFeatureName, number | null>
  return { features, quality: rateQuality(measures) }
}
