import type { RecordingInfo } from '../audio/recording.ts'
import { planSlices } from '../audio/slices.ts'
import { planGroups } from '../visual/merge-images.ts'

/** A first step of a check-in's analysis; merges and fusion are queued by the database as these end. */
export type PlannedJob = {
  kind: 'audio_slice' | 'visual_group' | 'transcription' | 'text'
  ordinal: number
  input: object
}

/**
 * Cuts the analysis of a check-in into jobs that each fit into one request of a worker.
 *
 * A recording without a transcript is transcribed when a provider is configured; otherwise the words are missing.
 */
export function planJobs(given: {
  recording: RecordingInfo | null
  imageCount: number
  hasTranscript: boolean
  transcribes: boolean
}): PlannedJob[] {
  const jobs: PlannedJob[] = []
  if (given.recording) {
    for (const slice of planSlices(given.recording.durationS)) {
      jobs.push({ kind: 'audio_slice', ordinal: slice.index, input: slice })
    }
  }
  for (const [ordinal, images] of planGroups(given.imageCount).entries()) {
    jobs.push({ kind: 'visual_group', ordinal, input: { images } })
  }
  if (given.hasTranscript) jobs.push({ kind: 'text', ordinal: 0, input: {} })
  else if (given.recording && given.transcribes) jobs.push({ kind: 'transcription', ordinal: 0, input: {} })
  return jobs
}
