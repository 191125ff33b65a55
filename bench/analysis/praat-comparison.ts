import { AUDIO_FEATURES } from '../../functions/_shared/audio/features/registry.ts'
import type { AudioAnalysis } from '../../functions/_shared/audio/merge-slices.ts'
import { type PraatResult, praat } from './praat.ts'
import type { SubjectCosts } from './subject-costs.ts'

interface FeaturePair {
  feature: string
  ours: number | null
  /** `null` where Praat has no command for the measure. */
  praat: number | null
  difference: number | null
}

export interface PraatComparison {
  recording: string
  /** Ours, all requests in one process, its start included, seconds; and once more in the same process. */
  cpuS: number
  warmCpuS: number
  praatCpuS: number
  praatCpuSWithoutCpps: number
  features: FeaturePair[]
}

/** Puts what a wav file costs here, and its features, beside what Praat makes of it. */
export async function compareWithPraat(
  path: string,
  costs: SubjectCosts,
  repeats: number,
): Promise<PraatComparison> {
  const reference = await praat(path, repeats)
  const { features } = costs.findings as AudioAnalysis
  return {
    recording: costs.name,
    cpuS: costs.cold.cpuS,
    warmCpuS: costs.warm.cpuS,
    praatCpuS: reference.cpuS.all,
    praatCpuSWithoutCpps: reference.cpuS.withoutCpps,
    features: pairs(features, reference),
  }
}

function pairs(features: AudioAnalysis['features'], reference: PraatResult): FeaturePair[] {
  return AUDIO_FEATURES.map(({ name }) => {
    const ours = features[name]
    const theirs = reference.features[name] ?? null
    const difference = ours === null || theirs === null ? null : ours - theirs
    return { feature: name, ours, praat: theirs, difference }
  })
}
