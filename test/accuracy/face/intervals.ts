/** A figure with its 95% interval. */
export interface Estimate {
  value: number
  low: number
  high: number
}

const RESAMPLES = 2000

/** Mean with a bootstrap's interval (percentiles of resampled means); seeded, so that it is always the same. */
export function meanOf(values: number[]): Estimate {
  const mean = (of: number[]) => of.reduce((sum, value) => sum + value, 0) / of.length
  const means = resampled((draw) => mean(values.map(() => values[draw(values.length)] ?? 0)))
  return { value: mean(values), ...middleOf(means) }
}

/** Difference of two groups' means, first minus second. */
export function differenceOf(first: number[], second: number[]): Estimate {
  const mean = (of: number[]) => of.reduce((sum, value) => sum + value, 0) / of.length
  const differences = resampled(
    (draw) =>
      mean(first.map(() => first[draw(first.length)] ?? 0)) -
      mean(second.map(() => second[draw(second.length)] ?? 0)),
  )
  return { value: mean(first) - mean(second), ...middleOf(differences) }
}

/** A share by Wilson's score interval. */
export function shareOf(count: number, total: number): Estimate {
  const [z, share] = [1.96, count / total]
  const centre = (share + z ** 2 / (2 * total)) / (1 + z ** 2 / total)
  const half =
    (z / (1 + z ** 2 / total)) * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2))
  return { value: share, low: Math.max(0, centre - half), high: Math.min(1, centre + half) }
}

function resampled(statistic: (draw: (below: number) => number) => number): number[] {
  let state = 1
  const draw = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  return Array.from({ length: RESAMPLES }, () => statistic(draw)).sort((a, b) => a - b)
}

function middleOf(sorted: number[]): { low: number; high: number } {
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  return { low: at(0.025), high: at(0.975) }
}
