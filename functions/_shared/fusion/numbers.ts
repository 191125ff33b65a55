/** `value` when it is a finite number, else `null`: NaN and infinity count as missing. */
export function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}

/** Rounded half up to `digits` decimals. Order is kept: a ≤ b gives round(a) ≤ round(b). */
export function round(value: number, digits: number): number {
  const factor = 10 ** digits
  const rounded = Math.round(value * factor) / factor
  return rounded === 0 ? 0 : rounded
}
