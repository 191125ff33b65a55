/** What the platform's limits leave a request, with a margin: it ends one at 2 s of CPU and 256 MB. */
export const REQUEST_CPU_S = 1.5
export const REQUEST_MB = 200

/** A recording of three minutes, all requests together. */
export const THREE_MINUTES_CPU_S = 4
export const THREE_MINUTES_AIM_CPU_S = 2.5

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
