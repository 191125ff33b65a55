/** Arithmetic mean; null of nothing. */
export function mean(values: ArrayLike<number>): number | null {
  if (values.length === 0) return null
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i] ?? 0
  return sum / values.length
}

/** Standard deviation of a sample (n - 1); null of fewer than two values. */
export function standardDeviation(values: ArrayLike<number>): number | null {
  const centre = mean(values)
  if (centre === null || values.length < 2) return null
  let squares = 0
  for (let i = 0; i < values.length; i++) squares += ((values[i] ?? 0) - centre) ** 2
  return Math.sqrt(squares / (values.length - 1))
}

/** The quantile at `fraction`, interpolated as Praat's `NUMquantile` does; null of nothing. */
export function quantile(values: ArrayLike<number>, fraction: number): number | null {
  return quantiles(values, fraction, fraction)?.[0] ?? null
}

/** Two quantiles of the same values, which are sorted once; null of nothing. */
export function quantiles(
  values: ArrayLike<number>,
  lower: number,
  upper: number,
): [lower: number, upper: number] | null {
  const sorted = new Float64Array(values).sort()
  const [first, last] = [sorted[0], sorted[sorted.length - 1]]
  if (first === undefined || last === undefined) return null
  const at = (fraction: number) => {
    const place = fraction * sorted.length - 0.5
    const left = Math.floor(place)
    if (left < 0) return first
    if (left >= sorted.length - 1) return last
    const [below = first, above = last] = [sorted[left], sorted[left + 1]]
    return below + (place - left) * (above - below)
  }
  return [at(lower), at(upper)]
}

/** The mean of powers given in dB, in dB; null of nothing. */
export function energyMeanDb(decibels: ArrayLike<number>): number | null {
  let energy = 0
  for (let i = 0; i < decibels.length; i++) energy += 10 ** ((decibels[i] ?? 0) / 10)
  return energy > 0 ? 10 * Math.log10(energy / decibels.length) : null
}
