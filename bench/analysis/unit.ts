import type { RecordingInfo } from '../../functions/_shared/audio/recording.ts'
import type { AudioSlice } from '../../functions/_shared/audio/slices.ts'
import type { Cost } from '../../harness/measuring/meter.ts'

/** One request as the pipeline makes it; `path` and `paths` are names in the bench's storage. */
export type Step =
  | { kind: 'probe'; path: string }
  | { kind: 'audio_slice'; path: string; info: RecordingInfo; slice: AudioSlice }
  | { kind: 'audio_merge'; durationS: number }
  | { kind: 'visual_group'; paths: string[] }
  | { kind: 'visual_merge'; expected: number }
  | { kind: 'text'; path: string }
  | { kind: 'sentences'; path: string }

/** What one process does: the same requests, once or several times over. */
export interface Unit {
  steps: Step[]
  runs: number
  /** Address of the bench's storage. */
  storageUrl: string
  /** A file with the outcomes that a merge joins when its slices or groups are not among the steps. */
  outcomesFrom?: string
  /** A file to keep the outcomes of the slices or groups in. */
  outcomesTo?: string
}

export interface UnitResult {
  /** The cost of each step, by run. */
  runs: Cost[][]
  /** What the last step of the last run found. */
  findings: unknown
}
