import { cpus, loadavg } from 'node:os'
import { writeGenerated } from '../../scripts/generated.ts'

/** The machine that a benchmark ran on, and how busy it was. */
export type Machine = { cpu: string; cores: number; loadBefore: number; loadAfter: number }

/** Load average of the last minute. */
export function load(): number {
  return loadavg()[0] ?? 0
}

/** Describes the machine after a benchmark; `loadBefore` is what `load` returned when it began. */
export function machineAfter(loadBefore: number): Machine {
  return { cpu: cpus()[0]?.model.trim() ?? 'unknown', cores: cpus().length, loadBefore, loadAfter: load() }
}

/** How the figures of each area begin: when and on what they were measured. */
export function measuredOn({ cpu, cores, loadBefore, loadAfter }: Machine): string {
  const loads = `load average ${loadBefore.toFixed(1)} before and ${loadAfter.toFixed(1)} after`
  return `Measured on ${new Date().toISOString().slice(0, 10)}: ${cores} cores (${cpu}), ${loads}`
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The smallest value that at least `share` (0 to 1) of all values do not exceed. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
}

/** Replaces the figures of an area, the name of its script, in docs/benchmarks.md. */
export function writeFigures(area: string, figures: string): void {
  writeGenerated('benchmarks.md', `npm run bench:${area} -- --write`, figures)
}

/** A Markdown table. */
export function markdownTable(head: string[], rows: (string | number)[][]): string {
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
