import { cpus, loadavg } from 'node:os'

/** What a benchmark ran on, and how busy that was. */
export type Machine = { cpu: string; cores: number; loadBefore: number; loadAfter: number }

/** Processes that wanted a core in the last minute. */
export function load(): number {
  return loadavg()[0] ?? 0
}

/** The machine as it is after a benchmark; `loadBefore` is what `load` said when it began. */
export function machineAfter(loadBefore: number): Machine {
  return { cpu: cpus()[0]?.model.trim() ?? 'unknown', cores: cpus().length, loadBefore, loadAfter: load() }
}
