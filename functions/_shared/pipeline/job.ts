/** A job as a worker claims it. */
export type Job = {
  id: string
  check_in_id: string
  kind: 'audio_slice' | 'audio_merge' | 'visual_group' | 'visual_merge' | 'transcription' | 'text' | 'fusion'
  ordinal: number
  input: Record<string, unknown>
  attempts: number
  /** How long this try may take, ms. */
  lease_ms: number
}

/** A medium as it was when the check-in was handed in. */
export type StoredMedium = { path: string; ordinal: number; etag: string; bytes: number; info: unknown }

/** What a step found, as it is stored: columns of its table, or the input of its merge. */
export type Findings = object

/**
 * A try that cannot succeed however often it is repeated: the job is given up with this code, which becomes the
 * reason of the missing modality.
 */
export class NonRetryableError extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.name = 'NonRetryableError'
    this.code = code
  }
}
