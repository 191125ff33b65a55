/** 0 at `from` and before, 1 at `to` and after, linear between. */
export function ramp(value: number, from: number, to: number): number {
  return Math.max(0, Math.min(1, (value - from) / (to - from)))
}

/** Rounded to `digits` decimals, never -0. */
export function round(value: number, digits = 3): number {
  const factor = 10 ** digits
  return Math.round(value * factor) / factor + 0
}
