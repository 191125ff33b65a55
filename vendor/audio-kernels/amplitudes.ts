/** The largest distance of samples from their mean. */
export function peak(from: usize, count: i32): f64 {
  let pair = f64x2.splat(0)
  const even = count & ~1
  for (let i = 0; i < even; i += 2) pair = f64x2.add(pair, twoAt(from + 4 * i))
  let total = f64x2.extract_lane(pair, 0) + f64x2.extract_lane(pair, 1)
  if (even < count) total += <f64>load<f32>(from + 4 * even)
  const mean = total / <f64>count
  let top = f64x2.splat(0)
  for (let i = 0; i < even; i += 2) {
    top = f64x2.pmax(top, f64x2.abs(f64x2.sub(twoAt(from + 4 * i), f64x2.splat(mean))))
  }
  const single = even < count ? Math.abs(<f64>load<f32>(from + 4 * even) - mean) : 0
  return Math.max(single, Math.max(f64x2.extract_lane(top, 0), f64x2.extract_lane(top, 1)))
}

function twoAt(at: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(at))
}

/** Longest time between neighbouring pulses, in seconds, and the part of it on each side that is measured. */
const LONGEST_S: f64 = 0.02
const SHARE: f64 = 0.2

let squares: f64 = 0
let weights: f64 = 0

/**
 * The root mean square about each pulse under a Hann window of a fifth of the periods beside it; 0 where a neighbour is missing
 * or further than 20 ms.
 *
 * @param samples the first sample, number `start` of the recording; silence before and after the samples counts in
 * @param times of the pulses in seconds, rising: 64-bit floats, and so is what is written to `into`
 */
export function pulseAmplitudes(
  samples: usize,
  start: i32,
  rateHz: f64,
  times: usize,
  count: i32,
  into: usize,
): void {
  for (let i = 0; i < count; i++) {
    const time = load<f64>(times + 8 * i)
    const before = i > 0 ? SHARE * (time - load<f64>(times + 8 * (i - 1))) : Infinity
    const after = i + 1 < count ? SHARE * (load<f64>(times + 8 * (i + 1)) - time) : Infinity
    squares = 0
    weights = 0
    if (before <= SHARE * LONGEST_S && after <= SHARE * LONGEST_S) {
      const middle = Math.ceil(time * rateHz - 0.5)
      addHalf(samples, start, rateHz, time, Math.ceil((time - before) * rateHz - 0.5), middle - 1, before)
      addHalf(samples, start, rateHz, time, middle, Math.floor((time + after) * rateHz - 0.5), after)
    }
    store<f64>(into + 8 * i, weights > 0 ? Math.sqrt(squares / weights) : 0)
  }
}

function addHalf(samples: usize, start: i32, rateHz: f64, time: f64, first: f64, last: f64, half: f64): void {
  if (!(last >= first)) return
  const step = Math.PI / (half * rateHz)
  const phase = ((first + 0.5) / rateHz - time) * rateHz * step
  const twice = 2 * Math.cos(step)
  let cosine = Math.cos(phase)
  let older = Math.cos(phase - step)
  let at = samples + 4 * (<i32>first - start)
  for (let n = first; n <= last; n++) {
    const window = 0.5 + 0.5 * cosine
    const value = <f64>load<f32>(at) * window
    squares += value * value
    weights += window * window
    const next = twice * cosine - older
    older = cosine
    cosine = next
    at += 4
  }
}
