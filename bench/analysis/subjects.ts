import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { probeRecording } from '../../functions/_shared/audio/probe.ts'
import { planSlices } from '../../functions/_shared/audio/slices.ts'
import { planGroups } from '../../functions/_shared/visual/groups.ts'
import { type ImageSet, take } from './images.ts'
import type { Recording } from './recordings.ts'
import type { Subject } from './subject-costs.ts'
import type { Step } from './unit.ts'

/** More slices than these are measured in a fresh process each only at both ends of the recording. */
const SLICES_ALONE = 4

/** A recording as the pipeline cuts it: inspected when it is submitted, one request a slice, one for the merge. */
export async function recordingSubject({ path, name }: Recording): Promise<Subject> {
  const blob = await openAsBlob(path)
  const info = await probeRecording({
    size: blob.size,
    read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()),
  })
  const file = basename(path)
  const slices: Step[] = planSlices(info.durationS).map((slice) => ({
    kind: 'audio_slice',
    path: file,
    info,
    slice,
  }))
  const merge: Step = { kind: 'audio_merge', durationS: info.durationS }
  const alone = slices.length > SLICES_ALONE ? [...slices.slice(0, 1), ...slices.slice(-1)] : slices
  const probe: Step = { kind: 'probe', path: file }
  // Inspecting the recording is another function's work: first in the pipeline, but no start of the worker's.
  return { name, steps: [...slices, probe, merge], alone: [probe, ...alone, merge] }
}

/** Images as the pipeline groups them. */
export function imagesSubject(set: ImageSet, count: number): Subject {
  const paths = take(set, count)
  const groups: Step[] = planGroups(count, set.pixels).map((images) => ({
    kind: 'visual_group',
    paths: images.map((image) => paths[image] ?? ''),
  }))
  const steps: Step[] = [...groups, { kind: 'visual_merge', expected: count }]
  return { name: `${count} of ${set.name}`, steps, alone: steps }
}

/** Reading the sentences of a transcript is one request of another worker. */
export function sentencesSubject(path: string, words: number): Subject {
  const steps: Step[] = [{ kind: 'sentences', path }]
  return { name: `${words} words, their sentences`, steps, alone: steps }
}

/** A transcript is one request. */
export function transcriptSubject(path: string, words: number): Subject {
  const steps: Step[] = [{ kind: 'text', path }]
  return { name: `${words} words`, steps, alone: steps }
}
