/**
 * What the pipeline's units of work cost: CPU seconds (user and system, all threads) on one core of a hosted machine's
 * class, the dearest container and the largest images, as `npm run bench:analysis` measures them.
 */
interface UnitCost {
  /** Starting a worker until it can take a request, once in its life. */
  readonly bootS: number
  /** What the first unit of this kind in a worker costs on top: decoders and models, and code that is not yet optimised. */
  readonly firstS: number
  /** Every unit, whatever its amount: claim, consent, opening the medium, storing the outcome. */
  readonly unitS: number
  /** Each second of sound, each image, each 1,000 words. */
  readonly eachS: number
}

export const UNIT_COSTS = {
  /** Amount: seconds of sound. */
  audio_slice: { bootS: 0.12, firstS: 0.16, unitS: 0.05, eachS: 0.0105 },
  /** Amount: seconds of sound in all slices. */
  audio_merge: { bootS: 0.12, firstS: 0.03, unitS: 0.02, eachS: 0.0002 },
  /** Amount: images. */
  visual_group: { bootS: 0.12, firstS: 0.12, unitS: 0.02, eachS: 0.07 },
  /** Amount: images. */
  visual_merge: { bootS: 0.12, firstS: 0, unitS: 0.02, eachS: 0 },
  /** Amount: thousands of words. */
  text: { bootS: 0.13, firstS: 0.06, unitS: 0.03, eachS: 0.006 },
  /** Amount: one. */
  transcription: { bootS: 0.1, firstS: 0.02, unitS: 0.03, eachS: 0 },
  /** Amount: one. */
  fusion: { bootS: 0.06, firstS: 0.02, unitS: 0.02, eachS: 0 },
} as const satisfies Record<string, UnitCost>

/** The CPU seconds that a unit will take, of a worker that has or has not yet done one of its kind. */
export function expectedCpuS(kind: keyof typeof UNIT_COSTS, amount: number, isFirst: boolean): number {
  const { firstS, unitS, eachS } = UNIT_COSTS[kind]
  return unitS + eachS * amount + (isFirst ? firstS : 0)
}
