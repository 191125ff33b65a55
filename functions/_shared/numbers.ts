/** `value` when it is a finite number, else `null`: NaN and infinity count as missing. */
export function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}

/** 0 at `from` and before, 1 at `to` and after, linear between. */
export function ramp(value: number, from: number, to: number): number {
  return Math.max(0, Math.min(1, (value - from) / (to - from)))
}

/** Rounded half up to `digits` decimals, never -0. Order is kept: a ≤ b gives round(a) ≤ round(b). */
export function round(value: number, digits = 3): number {
  const factor = 10 ** digits
  return Math.round(value * factor) / factor + 0
}
