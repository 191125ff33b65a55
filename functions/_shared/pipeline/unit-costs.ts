import { SLICE_CPU } from '../audio/slices.ts'

/**
 * What one kind of the pipeline's units of work costs, in CPU seconds (user and system, all threads), as `npm run bench:analysis`
 * measures it for the dearest container and the largest images.
 */
interface UnitCost {
  /** Starting a worker until it listens, once in its life. */
  readonly bootS: number
  /** On top of the first unit of this kind in a worker: decoders, models, and code that is not optimised yet. */
  readonly firstS: number
  /** Every unit, whatever its amount. */
  readonly unitS: number
  /** Each part of the amount. */
  readonly eachS: number
}

export const UNIT_COSTS = {
  /** Amount: seconds of sound. */
  audio_slice: SLICE_CPU,
  /** Amount: seconds of sound in all slices. */
  audio_merge: { bootS: 0.08, firstS: 0.05, unitS: 0.05, eachS: 0.0002 },
  /** Amount: images. */
  visual_group: { bootS: 0.08, firstS: 0.16, unitS: 0.02, eachS: 0.08 },
  /** Amount: images. */
  visual_merge: { bootS: 0.08, firstS: 0, unitS: 0.02, eachS: 0 },
  /** Amount: thousands of words. */
  text: { bootS: 0.11, firstS: 0.06, unitS: 0.03, eachS: 0.01 },
  /** Amount: 1. */
  transcription: { bootS: 0.09, firstS: 0.02, unitS: 0.03, eachS: 0 },
  /** Amount: 1. */
  fusion: { bootS: 0.07, firstS: 0.02, unitS: 0.02, eachS: 0 },
} as const satisfies Record<string, UnitCost>

/** The CPU seconds that a unit will take in a running worker, which has or has not yet done one of its kind. */
export function expectedCpuS(kind: keyof typeof UNIT_COSTS, amount: number, isFirst: boolean): number {
  const { firstS, unitS, eachS } = UNIT_COSTS[kind]
  return unitS + eachS * amount + (isFirst ? firstS : 0)
}
