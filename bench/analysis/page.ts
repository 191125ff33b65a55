import { markdownTable as table, writeBetweenMarks } from '../measuring/figures.ts'
import type { PraatComparison } from './praat-comparison.ts'
import { type Report, round } from './report.ts'
import type { RequestCost, SubjectCosts } from './subject-costs.ts'

/** Puts a report's figures into the page, in place of those that it holds between two marks. */
export function writeFigures(report: Report, page: string): void {
  writeBetweenMarks(page, figures(report))
}

function figures(report: Report): string {
  const { machine, repeats } = report
  const load = `${round(machine.loadBefore, 1)} before and ${round(machine.loadAfter, 1)} after`
  return [
    `Measured on ${report.date}: ${machine.cores} cores (${machine.cpu}), load average ${load}, medians of ${repeats}.`,
    '### Limits',
    table(
      ['Limit', 'At most', 'Measured', 'Holds', 'Where'],
      report.verdicts.map(({ bar, limit, measured, holds, where }) => [
        bar,
        limit,
        fixed(measured, 2),
        holds ? 'yes' : '**no**',
        where,
      ]),
    ),
    '### Functions, started',
    table(
      ['', 'CPU s', 'MB'],
      report.boots.map(({ name, cpuS, peakMb }) => [name, fixed(cpuS, 3), fixed(peakMb, 0)]),
    ),
    '### Recordings',
    costTable(report.recordings, ({ cold, warm, seconds }) => [
      fixed(cold.wallS / seconds, 4),
      fixed(warm.wallS / seconds, 4),
    ]),
    '### Images',
    costTable(report.images),
    '### Transcripts',
    costTable(report.transcripts),
    ...(report.praat.length > 0 ? ['### Praat', cpuTable(report.praat), featureTable(report.praat)] : []),
    ...report.skipped.map((reason) => `Skipped: ${reason}.`),
  ].join('\n\n')
}

function costTable<T extends SubjectCosts>(subjects: T[], realTime?: (subject: T) => string[]): string {
  const most = (costs: RequestCost[], field: 'cpuS' | 'peakMb') =>
    costs.reduce((top, cost) => Math.max(top, cost[field]), 0)
  return table(
    [
      '',
      'CPU s cold',
      'warm',
      ...(realTime ? ['Real time cold', 'warm'] : []),
      'Most expensive request: CPU s cold',
      'warm',
      'MB cold',
      'warm',
      'heap unbounded',
    ],
    subjects.map((subject) => [
      subject.name,
      fixed(subject.cold.cpuS, 2),
      fixed(subject.warm.cpuS, 2),
      ...(realTime?.(subject) ?? []),
      fixed(most(subject.coldRequests, 'cpuS'), 2),
      fixed(most(subject.warmRequests, 'cpuS'), 2),
      fixed(most(subject.coldRequests, 'peakMb'), 0),
      fixed(most(subject.warmRequests, 'peakMb'), 0),
      fixed(most(subject.unboundedRequests, 'peakMb'), 0),
    ]),
  )
}

function cpuTable(comparisons: PraatComparison[]): string {
  return table(
    ['CPU s', 'Ours cold', 'warm', 'Praat', 'of which without CPPS', 'Ours cold ÷ Praat', '÷ without CPPS'],
    comparisons.map(({ recording, cpuS, warmCpuS, praatCpuS, praatCpuSWithoutCpps }) => [
      recording,
      fixed(cpuS, 2),
      fixed(warmCpuS, 2),
      fixed(praatCpuS, 2),
      fixed(praatCpuSWithoutCpps, 2),
      fixed(cpuS / praatCpuS, 2),
      fixed(cpuS / praatCpuSWithoutCpps, 2),
    ]),
  )
}

/** Of the recordings of three minutes, or of all where there is none. */
function featureTable(comparisons: PraatComparison[]): string {
  const shown = comparisons.filter(({ recording }) => recording.includes('3 min'))
  const chosen = shown.length > 0 ? shown : comparisons
  return table(
    ['Feature', ...chosen.flatMap(({ recording }) => [`${recording}: ours`, 'Praat', 'Difference'])],
    (chosen[0]?.features ?? []).map(({ feature }, i) => [
      `\`${feature}\``,
      ...chosen.flatMap(({ features }) => {
        const { ours = null, praat = null, difference = null } = features[i] ?? {}
        return [ours, praat, difference].map((value) => (value === null ? '–' : fixed(value, 4)))
      }),
    ]),
  )
}

function fixed(value: number, digits: number): string {
  return value.toFixed(digits).replace(/^-(0(\.0+)?)$/, '$1')
}
