import { result } from './memory'
import { vertex } from './parabola'
import { dot } from './vectors'

/** Samples on each side that take part in the interpolation, as in Praat's `NUM_PEAK_INTERPOLATE_SINC70`. */
const DEPTH: i32 = 70

/** Distance of the interpolated points that a peak is found from, in samples. */
const OFFSET: f64 = 0.25

/** Fractions of a sample for which the taps are tabulated; those between are interpolated, to 1e-5 of the curvature. */
const PHASES: i32 = 128

const taps = memory.data(4 * 2 * DEPTH * (PHASES + 1), 16)

for (let phase = 0; phase <= PHASES; phase++) {
  for (let k = 0; k < DEPTH; k++) {
    const row = taps + 4 * 2 * DEPTH * phase
    const fraction = <f64>phase / <f64>PHASES
    store<f32>(row + 4 * (DEPTH - 1 - k), <f32>tap(fraction, k, DEPTH))
    store<f32>(row + 4 * (DEPTH + k), <f32>tap(1 - fraction, k, DEPTH))
  }
}

/** The weight of a sample `k` whole samples further than `fraction`: sin(x)/x under a raised cosine (Praat, `NUM_interpolate_sinc`). */
function tap(fraction: f64, k: i32, depth: i32): f64 {
  const x = Math.PI * (fraction + <f64>k)
  const sinc = x === 0 ? 1 : Math.sin(x) / x
  return 0.5 * sinc * (1 + Math.cos(x / (fraction + <f64>depth)))
}

/** The value of `y` at the fractional index `x`. */
function sincValue(y: usize, length: i32, x: f64): f64 {
  const left = <i32>Math.floor(x)
  const fraction = x - <f64>left
  const depth = min(min(DEPTH, left + 1), length - 1 - left)
  if (depth < 1) return <f64>load<f32>(y + 4 * left)
  if (depth < DEPTH) return clippedValue(y, left, fraction, depth)
  const place = fraction * <f64>PHASES
  const phase = <i32>place
  const weight = place - <f64>phase
  const row = taps + 4 * 2 * DEPTH * phase
  const first = y + 4 * (left - DEPTH + 1)
  const before = <f64>dot(first, row, 2 * DEPTH)
  return before + weight * (<f64>dot(first, row + 4 * 2 * DEPTH, 2 * DEPTH) - before)
}

/** Near the ends of `y` fewer samples take part, under a narrower cosine. */
function clippedValue(y: usize, left: i32, fraction: f64, depth: i32): f64 {
  return halfSum(y, left, -1, fraction, depth) + halfSum(y, left + 1, 1, 1 - fraction, depth)
}

function halfSum(y: usize, start: i32, direction: i32, fraction: f64, depth: i32): f64 {
  if (fraction === 0) return direction < 0 ? <f64>load<f32>(y + 4 * start) : 0
  let a = Math.PI * fraction
  let halfSine = 0.5 * Math.sin(a)
  const width = fraction + <f64>depth
  const step = Math.PI / width
  const cosStep = Math.cos(step)
  const sinStep = Math.sin(step)
  let cosine = Math.cos(a / width)
  let sine = Math.sin(a / width)
  let sum: f64 = 0
  for (let k = 0, index = start; k < depth; k++, index += direction) {
    sum += <f64>load<f32>(y + 4 * index) * (halfSine / a) * (1 + cosine)
    a += Math.PI
    halfSine = -halfSine
    const turned = cosine * cosStep - sine * sinStep
    sine = sine * cosStep + cosine * sinStep
    cosine = turned
  }
  return sum
}

/**
 * The maximum of the sinc-interpolated `y` near its local maximum at sample `i`: a parabola through three interpolated
 * points about the samples' own parabola, which comes within 1e-3 sample of Praat's search. Leaves its index in `result`.
 *
 * @returns its value
 */
export function sincPeak(y: usize, length: i32, i: i32): f64 {
  const at = y + 4 * i
  const start = <f64>i + vertex(<f64>load<f32>(at - 4), <f64>load<f32>(at), <f64>load<f32>(at + 4))
  const before = sincValue(y, length, start - OFFSET)
  const middle = sincValue(y, length, start)
  const after = sincValue(y, length, start + OFFSET)
  const x = start + OFFSET * vertex(before, middle, after)
  store<f64>(result, x)
  return sincValue(y, length, x)
}
