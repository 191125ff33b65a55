import { batch, ELEMENT, frames, ROW, result, rows, SLOTS } from './memory'
import { dot } from './vectors'

/** Puts the autocorrelation of each slot over its energy and the window's own into its row, lag 0 in the middle. */
export function normaliseAutocorrelation(windowCorrelation: usize, lags: i32): void {
  for (let part = 0; part < 2; part++) {
    const row = rows + (4 * SLOTS * ROW * part) / 2 + 4 * lags
    const energy = v128.load(batch + 16 * part)
    for (let lag = 0; lag <= lags; lag++) {
      const four = v128.load(batch + ELEMENT * lag + 16 * part)
      const normal = f32x4.mul(energy, v128.load32_splat(windowCorrelation + 4 * lag))
      storeMirrored(row, lag, f32x4.div(four, normal))
    }
  }
}

function storeMirrored(row: usize, lag: i32, four: v128): void {
  const after = row + 4 * lag
  const before = row - 4 * lag
  v128.store_lane<f32>(after, four, 0)
  v128.store_lane<f32>(before, four, 0)
  v128.store_lane<f32>(after + 4 * ROW, four, 1)
  v128.store_lane<f32>(before + 4 * ROW, four, 1)
  v128.store_lane<f32>(after + 8 * ROW, four, 2)
  v128.store_lane<f32>(before + 8 * ROW, four, 2)
  v128.store_lane<f32>(after + 12 * ROW, four, 3)
  v128.store_lane<f32>(before + 12 * ROW, four, 3)
}

/** Puts the cross-correlation of slots 0 to 3 over the energies of both windows into their rows, lag 0 in the middle. */
export function normaliseCrossCorrelation(windowSamples: i32, lags: i32): void {
  for (let slot = 0; slot < SLOTS / 2; slot++) {
    const first = <usize>load<u32>(frames + 8 * slot)
    const mean = <f64>load<f32>(frames + 8 * slot, 4)
    const middle = rows + 4 * ROW * slot + 4 * lags
    let energy: f64 = 0
    for (let i = 0; i < windowSamples; i++) energy += squareAt(first, i, mean)
    let later = energy
    store<f32>(middle, 1)
    for (let lag = 1; lag <= lags; lag++) {
      later += squareAt(first, lag + windowSamples - 1, mean) - squareAt(first, lag - 1, mean)
      const product = <f64>load<f32>(batch + ELEMENT * lag + 4 * slot)
      const value = <f32>(energy > 0 && later > 0 ? product / Math.sqrt(energy * later) : 0)
      store<f32>(middle + 4 * lag, value)
      store<f32>(middle - 4 * lag, value)
    }
  }
}

function squareAt(first: usize, i: i32, mean: f64): f64 {
  const value = <f64>load<f32>(first + 4 * i) - mean
  return value * value
}

/**
 * Looks where a window, its start moving from sample `minimum` to `maximum`, correlates best with the `length` samples from
 * `left`. Leaves in `result` where it starts, how it correlates, and its loudest sample.
 *
 * @returns whether there is a maximum
 */
export function findMatch(samples: usize, left: i32, length: i32, minimum: i32, maximum: i32): bool {
  const window = samples + 4 * left
  const energy = <f64>dot(window, window, length)
  let otherEnergy = <f64>dot(samples + 4 * minimum, samples + 4 * minimum, length)
  let best: f64 = -1
  let bestBefore: f64 = 0
  let bestAfter: f64 = 0
  let bestShift = 0
  let older: f64 = 0
  let old: f64 = 0
  for (let shift = minimum; shift <= maximum; shift++) {
    const other = samples + 4 * shift
    const product = <f64>dot(window, other, length)
    const correlation = product === 0 ? 0 : product / Math.sqrt(energy * otherEnergy)
    if (old > best && old >= older && old >= correlation) {
      best = old
      bestBefore = older
      bestAfter = correlation
      bestShift = shift - 1
    }
    older = old
    old = correlation
    const leaving = <f64>load<f32>(other)
    const entering = <f64>load<f32>(other + 4 * length)
    otherEnergy = Math.max(1e-30, otherEnergy - leaving * leaving + entering * entering)
  }
  if (best <= -1) return false
  let peak: f32 = 0
  for (let i = 0; i < length; i++) peak = max(peak, abs(load<f32>(samples + 4 * (bestShift + i))))
  const curvature = 2 * best - bestBefore - bestAfter
  const slope = 0.5 * (bestAfter - bestBefore)
  store<f64>(result, <f64>bestShift + (curvature === 0 ? 0 : slope / curvature))
  store<f64>(result, curvature === 0 ? best : best + (0.5 * slope * slope) / curvature, 8)
  store<f64>(result, <f64>peak, 16)
  return true
}
