/**
 * A request may start a process, and the platform counts that in: it retires an isolate at 1 s of CPU, all its requests
 * together, and kills it at 2 s or 256 MB.
 */
export const REQUEST_CPU_S = 0.7
export const REQUEST_MB = 150

/** What an isolate is killed at, all its requests and its start together. */
export const ISOLATE_CPU_S = 2

/** Starting a function until it listens, the runtime included. */
export const BOOT_CPU_S = 0.15

/** A recording of three minutes, all requests together: in one process, and with a new one for each. */
export const THREE_MINUTES_CPU_S = 1.5
export const THREE_MINUTES_AIM_CPU_S = 1.2
export const THREE_MINUTES_COLD_CPU_S = 2

/** The most that the analysis may take of Praat's CPU for the same measures. */
export const PRAAT_SHARE = 0.25

export interface Verdict {
  bar: string
  limit: number
  measured: number
  holds: boolean
  /** Where the largest figure was measured. */
  where: string
}

/** Compares the largest of some figures with a limit; `null` when there is none. */
export function compareWithLimit(
  bar: string,
  limit: number,
  figures: { value: number; where: string }[],
): Verdict | null {
  const [first, ...others] = figures
  if (!first) return null
  const worst = others.reduce((most, figure) => (figure.value > most.value ? figure : most), first)
  return { bar, limit, measured: worst.value, holds: worst.value <= limit, where: worst.where }
}
