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

/** The numbers whose score is highest, at most so many, highest first; of equal ones the first. */
export function highest(
  numbers: readonly number[],
  most: number,
  score: (number: number) => number,
): number[] {
  const kept: number[] = []
  const scores: number[] = []
  for (const number of numbers) {
    const own = score(number)
    let place = kept.length
    for (; place > 0 && (scores[place - 1] ?? 0) < own; place--) {
      kept[place] = kept[place - 1] ?? 0
      scores[place] = scores[place - 1] ?? 0
    }
    kept[place] = number
    scores[place] = own
    if (kept.length > most) kept.length = scores.length = most
  }
  return kept
}

/** How high a parabola through values at -1, 0 and 1 has its top. */
export function vertexHeight(before: number, at: number, after: number): number {
  const rise = after - before
  return at + (rise * rise) / (8 * (2 * at - before - after))
}

/** Where a parabola through values at -1, 0 and 1 has its top; 0 when it has none. */
export function vertex(before: number, at: number, after: number): number {
  const curvature = 2 * at - before - after
  if (!(curvature > 0)) return 0
  return Math.max(-1, Math.min(1, (0.5 * (after - before)) / curvature))
}
