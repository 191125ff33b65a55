/** The smallest power of two that is at least `n`. */
export function powerOfTwoAtLeast(n: number): number {
  return 2 ** Math.ceil(Math.log2(n))
}

/** The modified Bessel function of the first kind of order 0, by its power series. */
export function besselI0(x: number): number {
  const quarter = (x * x) / 4
  let term = 1
  let sum = 1
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= quarter / (k * k)
    sum += term
  }
  return sum
}

/** Where a parabola through values at -1, 0 and 1 has its top; 0 when it has none. */
export function vertex(before: number, at: number, after: number): number {
  const curvature = 2 * at - before - after
  if (!(curvature > 0)) return 0
  return Math.max(-1, Math.min(1, (0.5 * (after - before)) / curvature))
}
