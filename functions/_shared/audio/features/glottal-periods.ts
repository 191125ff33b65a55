import type { Pulse } from '../recording-measures.ts'

/** Praat's limits on what counts as a period, in seconds, and on the ratio of neighbouring ones. */
const MIN_PERIOD_S = 0.0001
const MAX_PERIOD_S = 0.02
const MAX_PERIOD_FACTOR = 1.3

/** The times between neighbouring pulses, in seconds. */
export function glottalPeriods(pulses: Pulse[]): number[] {
  return pulses.slice(1).map(({ timeS }, i) => timeS - (pulses[i]?.timeS ?? timeS))
}

export function isUsable(period: number): boolean {
  return period >= MIN_PERIOD_S && period <= MAX_PERIOD_S
}

export function isAlike(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && b !== undefined && Math.max(a / b, b / a) <= MAX_PERIOD_FACTOR
}
