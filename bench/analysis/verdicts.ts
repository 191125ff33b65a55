import { kindsOf } from '../../functions/_shared/pipeline/job-kinds.ts'
import {
  BOOT_CPU_S,
  compareWithLimit,
  PRAAT_SHARE,
  REQUEST_CPU_S,
  REQUEST_MB,
  THREE_MINUTES_AIM_CPU_S,
  THREE_MINUTES_COLD_CPU_S,
  THREE_MINUTES_CPU_S,
  type Verdict,
} from './bars.ts'
import type { Report } from './report.ts'
import type { RequestCost } from './subject-costs.ts'

/** What each function does that is measured here. */
const WORKERS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    (['pipeline-audio', 'pipeline-visual', 'pipeline-text'] as const).map((worker) => [
      worker,
      kindsOf(worker),
    ]),
  ),
  'pipeline-crisis': ['sentences'],
  'checkins, inspecting a recording': ['probe'],
}

/** Which limits hold, by worker; of a request counts the dearest, cold or warm. */
export function verdictsOf({
  recordings,
  images,
  transcripts,
  praat,
  boots,
}: Pick<Report, 'recordings' | 'images' | 'transcripts' | 'praat' | 'boots'>): Verdict[] {
  const subjects = [...recordings, ...images, ...transcripts]
  const requests = subjects.flatMap(({ name, coldRequests, warmRequests }) => [
    ...located(coldRequests, name, 'cold'),
    ...located(warmRequests.filter(isWorkers), name, 'warm'),
  ])
  const perWorker = Object.entries(WORKERS).flatMap(([worker, kinds]) => {
    const figures = (costs: typeof requests, field: 'cpuS' | 'peakMb') =>
      costs
        .filter(({ kind }) => kinds.includes(kind))
        .map((cost) => ({ value: cost[field], where: cost.where }))
    return [
      compareWithLimit(`${worker}: CPU s of a request`, REQUEST_CPU_S, figures(requests, 'cpuS')),
      compareWithLimit(`${worker}: MB of a request`, REQUEST_MB, figures(requests, 'peakMb')),
    ]
  })
  const threeMinutes = recordings.filter(({ seconds }) => seconds === 180)
  const inOneProcess = threeMinutes.map(({ name, cold }) => ({ value: cold.cpuS, where: name }))
  const everyRequestCold = threeMinutes.map(({ name, coldRequests }) => ({
    value: coldRequests.reduce((sum, { cpuS }) => sum + cpuS, 0),
    where: name,
  }))
  const shares = praat.map(({ recording, cpuS, praatCpuS }) => ({
    value: cpuS / praatCpuS,
    where: recording,
  }))
  const starts = boots.map(({ name, cpuS }) => ({ value: cpuS, where: name }))
  return [
    compareWithLimit('start of a function: CPU s', BOOT_CPU_S, starts),
    ...perWorker,
    compareWithLimit('3 min, one process: CPU s', THREE_MINUTES_CPU_S, inOneProcess),
    compareWithLimit('3 min, one process: CPU s, the aim', THREE_MINUTES_AIM_CPU_S, inOneProcess),
    compareWithLimit('3 min, a fresh process a request: CPU s', THREE_MINUTES_COLD_CPU_S, everyRequestCold),
    compareWithLimit('CPU over that of Praat', PRAAT_SHARE, shares),
  ].filter((verdict) => verdict !== null)
}

function located(costs: RequestCost[], name: string, warmth: string): (RequestCost & { where: string })[] {
  return costs.map((cost) => ({ ...cost, where: `${name}, ${cost.kind}, ${warmth}` }))
}

/** A recording is inspected by another function, so that what an audio worker's memory was meanwhile says nothing. */
function isWorkers({ kind }: RequestCost): boolean {
  return kind !== 'probe'
}
