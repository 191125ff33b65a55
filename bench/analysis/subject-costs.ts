import { join } from 'node:path'
import type { Cost } from '../../harness/measuring/meter.ts'
import { ISOLATE_CPU_S } from './bars.ts'
import { measure } from './measure.ts'
import type { Step, Unit } from './unit.ts'

/** One thing that is analysed: a recording, a set of pictures, a transcript. */
export interface Subject {
  name: string
  /** Its requests; the first starts the worker, a merge comes last. */
  steps: Step[]
  /** The requests that are also measured in a fresh process each. */
  alone: Step[]
}

export type RequestCost = Cost & { kind: Step['kind'] }

export interface SubjectCosts {
  name: string
  /** All requests in a fresh process, its start included. */
  cold: Cost
  /** All requests once more in the same process. */
  warm: Cost
  /** Each request in a process that has worked before, as far as an isolate lives. */
  warmRequests: RequestCost[]
  /** Each request that was measured in a fresh process, its start included. */
  coldRequests: RequestCost[]
  /** Each request of both runs in one process whose heap is not bounded, measured once. */
  unboundedRequests: RequestCost[]
  findings: unknown
}

/** Measures a subject as a whole, cold and warm, and request by request. */
export async function measureSubject(
  subject: Subject,
  { storageUrl, folder, repeats }: { storageUrl: string; folder: string; repeats: number },
): Promise<SubjectCosts> {
  const outcomes = join(folder, `outcomes-${subject.name.replaceAll(/\W+/g, '-')}.json`)
  const unit: Unit = { steps: subject.steps, runs: 2, storageUrl, outcomesTo: outcomes }
  const { runs, findings } = await measure(unit, repeats)
  const [first = [], second = []] = runs
  const kindOf = (costs: Cost[]) =>
    costs.map((cost, i) => ({ kind: subject.steps[i]?.kind ?? 'probe', ...cost }))

  const coldRequests: RequestCost[] = []
  for (const step of subject.alone) {
    const isMerge = step.kind === 'audio_merge' || step.kind === 'visual_merge'
    const alone = await measure(
      { steps: [step], runs: 1, storageUrl, ...(isMerge && { outcomesFrom: outcomes }) },
      repeats,
    )
    for (const cost of alone.runs[0] ?? []) coldRequests.push({ kind: step.kind, ...cost })
  }
  const unbounded = await measure(unit, 1, 'unbounded')
  return {
    name: subject.name,
    cold: together(first),
    warm: together(second),
    warmRequests: withinAnIsolate([...kindOf(first), ...kindOf(second)]).slice(1),
    coldRequests,
    unboundedRequests: unbounded.runs.flatMap(kindOf),
    findings,
  }
}

/** The first requests, as many as an isolate begins before the platform ends it. */
function withinAnIsolate(costs: RequestCost[]): RequestCost[] {
  let usedS = 0
  return costs.filter(({ cpuS }) => {
    const begins = usedS < ISOLATE_CPU_S
    usedS += cpuS
    return begins
  })
}

function together(costs: Cost[]): Cost {
  return {
    cpuS: costs.reduce((sum, { cpuS }) => sum + cpuS, 0),
    wallS: costs.reduce((sum, { wallS }) => sum + wallS, 0),
    peakMb: costs.reduce((most, { peakMb }) => Math.max(most, peakMb), 0),
  }
}
