import type { Machine } from '../../harness/measuring/figures.ts'
import type { Verdict } from './bars.ts'
import type { BootCost } from './boots.ts'
import type { PraatComparison } from './praat-comparison.ts'
import type { SubjectCosts } from './subject-costs.ts'

export interface Report {
  date: string
  machine: Machine
  repeats: number
  boots: BootCost[]
  recordings: (SubjectCosts & { seconds: number })[]
  images: SubjectCosts[]
  transcripts: SubjectCosts[]
  praat: PraatComparison[]
  verdicts: Verdict[]
  skipped: string[]
}

/** Prints a report as tables. */
export function printTables(report: Report): void {
  const { machine } = report
  console.log(
    `${report.date}, ${machine.cores} cores (${machine.cpu}), load ${machine.loadBefore} before and ` +
      `${machine.loadAfter} after, medians of ${report.repeats}`,
  )
  console.log('\nFunctions, started')
  console.table(
    Object.fromEntries(
      report.boots.map(({ name, cpuS, peakMb }) => [
        name,
        { 'CPU s': round(cpuS, 3), MB: Math.round(peakMb) },
      ]),
    ),
  )
  console.log('\nRecordings, all requests together (real-time factor: wall time over length)')
  console.table(
    byName(report.recordings, (costs) => ({
      ...costsOf(costs),
      'cold RTF': round(costs.cold.wallS / costs.seconds, 4),
      'warm RTF': round(costs.warm.wallS / costs.seconds, 4),
    })),
  )
  console.log('\nImages')
  console.table(byName(report.images, costsOf))
  console.log('\nTranscripts')
  console.table(byName(report.transcripts, costsOf))
  console.log('\nThe dearest single request of each')
  console.table(byName([...report.recordings, ...report.images, ...report.transcripts], dearestRequests))
  for (const comparison of report.praat) printComparison(comparison)
  console.log('\nLimits')
  console.table(
    Object.fromEntries(
      report.verdicts.map(({ bar, limit, measured, holds, where }) => [
        bar,
        { limit, measured: round(measured, 2), holds: holds ? 'yes' : 'NO', where },
      ]),
    ),
  )
  for (const reason of report.skipped) console.log(`Skipped: ${reason}`)
}

function costsOf({ cold, warm }: SubjectCosts) {
  return {
    'cold CPU s': round(cold.cpuS, 2),
    'warm CPU s': round(warm.cpuS, 2),
    'cold MB': Math.round(cold.peakMb),
    'warm MB': Math.round(warm.peakMb),
  }
}

function dearestRequests({ coldRequests, warmRequests, unboundedRequests }: SubjectCosts) {
  const most = (costs: { cpuS: number; peakMb: number }[], field: 'cpuS' | 'peakMb') =>
    costs.reduce((top, cost) => Math.max(top, cost[field]), 0)
  return {
    'cold CPU s': round(most(coldRequests, 'cpuS'), 2),
    'warm CPU s': round(most(warmRequests, 'cpuS'), 2),
    'cold MB': Math.round(most(coldRequests, 'peakMb')),
    'warm MB': Math.round(most(warmRequests, 'peakMb')),
    'MB, heap unbounded': Math.round(most(unboundedRequests, 'peakMb')),
  }
}

function printComparison(comparison: PraatComparison): void {
  const { recording, cpuS, warmCpuS, praatCpuS, praatCpuSWithoutCpps } = comparison
  console.log(
    `\nPraat, ${recording}: ${round(praatCpuS, 2)} s of CPU, of which all but CPPS ${round(praatCpuSWithoutCpps, 2)} s; ` +
      `ours ${round(cpuS, 2)} s cold (${percent(cpuS / praatCpuS)} of it; ${percent(cpuS / praatCpuSWithoutCpps)} ` +
      `of the part without CPPS), ${round(warmCpuS, 2)} s warm`,
  )
  console.table(
    Object.fromEntries(
      comparison.features.map(({ feature, ours, praat, difference }) => [
        feature,
        { ours: round(ours, 4), Praat: round(praat, 4), difference: round(difference, 4) },
      ]),
    ),
  )
}

function byName<T extends SubjectCosts>(costs: T[], row: (costs: T) => object): Record<string, object> {
  return Object.fromEntries(costs.map((each) => [each.name, row(each)]))
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`
}

export function round(value: number | null, digits: number): number | null {
  return value === null || !Number.isFinite(value) ? null : Number(value.toFixed(digits))
}
