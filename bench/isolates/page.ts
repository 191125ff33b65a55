import { type Machine, markdownTable, measuredOn } from '../../harness/measuring/figures.ts'
import type { Figures } from './phase.ts'

/** By mode and phase. The last three of `ten and one` alone: see `queue-order.ts`. */
export type Results = Record<
  string,
  Figures & { 'waited longer, s'?: number; 'one unit of each kind, s'?: number; 'overtaken by'?: number }
>

/** What docs/benchmarks.md shows of the results, as Markdown. */
export function pageFigures(results: Results, machine: Machine): string {
  const rows = Object.entries(results)
  return [
    `${measuredOn(machine)}.`,
    markdownTable(
      [
        'Mode, phase',
        'Complete',
        'Median, s',
        'Last, s',
        'Isolates',
        'Killed',
        'Lost jobs of one',
        'Repeated',
        'Connections',
        'CPU per check-in, s',
        'Fusion waited, s',
        'Load average',
      ],
      rows.map(([title, figures]) => [
        title,
        `${figures.complete} of ${figures['check-ins']}`,
        figures['median, s'].toFixed(1),
        figures['last, s'].toFixed(1),
        figures['isolates booted'],
        figures['killed for CPU'] + figures['killed for memory'],
        figures['lost jobs of one'],
        figures['submissions repeated'],
        figures['connections, peak'],
        figures['CPU per check-in, s'].toFixed(1),
        figures['fusion waited, s'].toFixed(2),
        figures['load average'].toFixed(1),
      ]),
    ),
    ...rows.flatMap(([title, figures]) => {
      const waited = figures['waited longer, s']
      if (waited === undefined) return []
      return [
        `${title}: the other student waited ${waited} s longer than alone; one unit of each kind took ${figures['one unit of each kind, s']} s; ${figures['overtaken by']} units went before theirs.`,
      ]
    }),
  ].join('\n\n')
}
