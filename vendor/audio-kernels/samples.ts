import { dot, sum } from './vectors'

/**
 * Resamples: output sample n, counted from `firstOutput`, is the sum of `taps` input samples weighted by the taps of its phase.
 * What lies outside the input is silence.
 *
 * @param offsets for each phase, the first input sample of its output sample in the first stride
 */
export function resample(
  input: usize,
  inputLength: i32,
  inputStart: i32,
  output: usize,
  outputLength: i32,
  firstOutput: i32,
  kernels: usize,
  offsets: usize,
  taps: i32,
  phases: i32,
  stride: i32,
): void {
  let phase = firstOutput % phases
  let whole = (firstOutput / phases) * stride - inputStart
  for (let n = 0; n < outputLength; n++) {
    const kernel = kernels + 4 * taps * phase
    const first = whole + load<i32>(offsets + 4 * phase)
    const from = max(0, -first)
    const to = min(taps, inputLength - first)
    const isInside = from === 0 && to === taps
    store<f32>(
      output + 4 * n,
      isInside
        ? dot(kernel, input + 4 * first, taps)
        : from < to
          ? dot(kernel + 4 * from, input + 4 * (first + from), to - from)
          : 0,
    )
    if (++phase === phases) {
      phase = 0
      whole += stride
    }
  }
}

/**
 * Replaces samples that are not finite, too loud or too faint.
 *
 * @returns how many are not fainter than `clipping`
 */
export function tidy(from: usize, count: i32, faintest: f32, clipping: f32, loudest: f32): i32 {
  let clipped = 0
  let i = 0
  for (; i + 3 < count; i += 4) {
    const at = from + 4 * i
    const four = v128.load(at)
    const size = f32x4.abs(four)
    v128.store(at, v128.andnot(four, f32x4.lt(size, f32x4.splat(faintest))))
    if (v128.all_true<i32>(f32x4.lt(size, f32x4.splat(clipping)))) continue
    for (let lane = 0; lane < 16; lane += 4) clipped += tidyLoud(at + lane, clipping, loudest)
  }
  for (; i < count; i++) {
    const at = from + 4 * i
    if (abs(load<f32>(at)) < faintest) store<f32>(at, 0)
    clipped += tidyLoud(at, clipping, loudest)
  }
  return clipped
}

/** Replaces a sample that is not finite or too loud; returns 1 if it is not fainter than `clipping`, else 0. */
function tidyLoud(at: usize, clipping: f32, loudest: f32): i32 {
  const sample = load<f32>(at)
  const size = abs(sample)
  if (size < clipping) return 0
  store<f32>(at, size <= f32.MAX_VALUE ? max(-loudest, min(loudest, sample)) : 0)
  return 1
}

/** Takes a share of each sample's predecessor off it, which raises high frequencies. */
export function preEmphasise(samples: usize, count: i32, share: f64): void {
  for (let at = samples + 4 * (count - 1); at > samples; at -= 4) {
    store<f32>(at, <f32>(<f64>load<f32>(at) - share * <f64>load<f32>(at - 4)))
  }
}

/** The mean of the `half` samples up to and including `left`, and the `half` samples after it. */
export function meanAbout(left: usize, half: i32): f32 {
  const count = 2 * half
  return sum(left + 4 - 4 * half, count) / <f32>count
}

/** The largest of `count` samples, a mean taken off, each under its weight. */
export function largest(from: usize, count: i32, mean: f32, weights: usize): f32 {
  const four = f32x4.splat(mean)
  let even = f32x4.splat(0)
  let odd = even
  let i = 0
  for (; i + 7 < count; i += 8) {
    const at = from + 4 * i
    const weight = weights + 4 * i
    const value = f32x4.mul(f32x4.sub(v128.load(at), four), v128.load(weight))
    const other = f32x4.mul(f32x4.sub(v128.load(at, 16), four), v128.load(weight, 16))
    even = f32x4.pmax(even, f32x4.abs(value))
    odd = f32x4.pmax(odd, f32x4.abs(other))
  }
  const top = f32x4.pmax(even, odd)
  let single: f32 = max(
    max(f32x4.extract_lane(top, 0), f32x4.extract_lane(top, 1)),
    max(f32x4.extract_lane(top, 2), f32x4.extract_lane(top, 3)),
  )
  for (; i < count; i++) {
    single = max(single, abs((load<f32>(from + 4 * i) - mean) * load<f32>(weights + 4 * i)))
  }
  return single
}

/** The mean square of samples, their own mean taken off, under weights. */
export function weightedPower(from: usize, weights: usize, count: i32): f64 {
  const mean = sum(from, count) / <f32>count
  const four = f32x4.splat(mean)
  let energy = f32x4.splat(0)
  let i = 0
  for (; i + 3 < count; i += 4) {
    const value = f32x4.sub(v128.load(from + 4 * i), four)
    energy = f32x4.add(energy, f32x4.mul(f32x4.mul(value, value), v128.load(weights + 4 * i)))
  }
  let total =
    <f64>f32x4.extract_lane(energy, 0) +
    <f64>f32x4.extract_lane(energy, 1) +
    <f64>f32x4.extract_lane(energy, 2) +
    <f64>f32x4.extract_lane(energy, 3)
  for (; i < count; i++) {
    const value = load<f32>(from + 4 * i) - mean
    total += <f64>(value * value * load<f32>(weights + 4 * i))
  }
  return total / <f64>sum(weights, count)
}
