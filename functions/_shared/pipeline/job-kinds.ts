import { MAX_RECORDING_S } from '../audio/recording.ts'
import { MAX_SLICE_S, SLICE_CPU } from '../audio/slices.ts'
import { MAX_GROUP_SIZE, MAX_IMAGES } from '../visual/groups.ts'

/**
 * What one kind of the pipeline's jobs costs, in CPU seconds (user and system, all threads), as `npm run bench:analysis` measures it
 * for the dearest container and the largest images.
 */
interface JobCost {
  /** Starting a worker until it listens, once in its life. */
  readonly bootS: number
  /** On top of the first job of this kind in a worker: decoders, models, and code that is not optimised yet. */
  readonly firstS: number
  /** Every job, whatever its amount. */
  readonly unitS: number
  /** Each part of the amount. */
  readonly eachS: number
}

interface JobKindDeclaration {
  /** The edge function that runs it, as `private.job_kinds` has it. */
  readonly worker: `pipeline-${string}`
  /** The largest amount that one job has, in the unit that its comment names. */
  readonly largest: number
  readonly cost: JobCost
}

/** Every kind of job, in the order in which a worker takes them; `private.job_kinds` declares what the database knows of each. */
export const JOB_KINDS = {
  /** Amount: seconds of sound. */
  audio_slice: { worker: 'pipeline-audio', largest: MAX_SLICE_S, cost: SLICE_CPU },
  /** Amount: seconds of sound in all slices. */
  audio_merge: {
    worker: 'pipeline-audio',
    largest: MAX_RECORDING_S,
    cost: { bootS: 0.08, firstS: 0.05, unitS: 0.05, eachS: 0.0002 },
  },
  /** Amount: images. */
  visual_group: {
    worker: 'pipeline-visual',
    largest: MAX_GROUP_SIZE,
    cost: { bootS: 0.08, firstS: 0.16, unitS: 0.02, eachS: 0.08 },
  },
  /** Amount: images. */
  visual_merge: {
    worker: 'pipeline-visual',
    largest: MAX_IMAGES,
    cost: { bootS: 0.08, firstS: 0, unitS: 0.02, eachS: 0 },
  },
  /** Amount: 1. */
  transcription: {
    worker: 'pipeline-transcription',
    largest: 1,
    cost: { bootS: 0.09, firstS: 0.02, unitS: 0.03, eachS: 0 },
  },
  /** Amount: thousands of words. */
  text: {
    worker: 'pipeline-text',
    largest: 20,
    cost: { bootS: 0.11, firstS: 0.06, unitS: 0.03, eachS: 0.01 },
  },
  /** Amount: thousands of words that are read; of a longer transcript the encoder reads a part. */
  crisis: {
    worker: 'pipeline-crisis',
    largest: 1,
    cost: { bootS: 0.1, firstS: 0.15, unitS: 0.05, eachS: 0.9 },
  },
  /** Amount: 1. */
  fusion: {
    worker: 'pipeline-fusion',
    largest: 1,
    cost: { bootS: 0.07, firstS: 0.02, unitS: 0.02, eachS: 0 },
  },
} satisfies Record<string, JobKindDeclaration>

export type JobKind = keyof typeof JOB_KINDS
export type WorkerName = (typeof JOB_KINDS)[JobKind]['worker']

/** The kinds that a worker runs: its own, and fusions, which every worker runs. */
export function kindsOf(worker: WorkerName): JobKind[] {
  return everyKind.filter((kind) => JOB_KINDS[kind].worker === worker || kind === 'fusion')
}

const everyKind = Object.keys(JOB_KINDS) as JobKind[]

/** The CPU seconds that a job will take at most in a running worker, which has or has not yet done one of its kind. */
export function expectedCpuS(kind: JobKind, isFirst: boolean): number {
  const { largest, cost } = JOB_KINDS[kind]
  return cost.unitS + cost.eachS * largest + (isFirst ? cost.firstS : 0)
}
