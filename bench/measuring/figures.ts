import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'

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

const START = '<!-- figures: written by the benchmark -->'
const END = '<!-- end of the figures -->'

/** Replaces the figures between the two marks of a Markdown page. */
export function writeBetweenMarks(page: string, figures: string): void {
  const text = readFileSync(page, 'utf8')
  const [before, rest] = text.split(START)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`${page} has no marks for figures`)
  writeFileSync(page, `${before}${START}\n\n${figures}\n\n${END}${after}`)
}

/** A Markdown table. */
export function markdownTable(head: string[], rows: (string | number)[][]): string {
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
