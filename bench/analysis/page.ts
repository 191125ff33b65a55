import { markdownTable, measuredOn } from '../../harness/measuring/figures.ts'
import type { Report } from './report.ts'

/** What docs/benchmarks.md shows of a report: each limit and what was measured. */
export function limitsOf({ machine, repeats, verdicts, skipped }: Report): string {
  return [
    `${measuredOn(machine)}, medians of ${repeats}.`,
    markdownTable(
      ['Limit', 'At most', 'Measured', 'Holds', 'Where'],
      verdicts.map(({ bar, limit, measured, holds, where }) => [
        bar,
        limit,
        measured.toFixed(2),
        holds ? 'yes' : '**no**',
        where,
      ]),
    ),
    ...skipped.map((reason) => `Skipped: ${reason}.`),
  ].join('\n\n')
}
