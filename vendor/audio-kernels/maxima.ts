import { CANDIDATES, result, scratch } from './memory'
import { vertexHeight } from './parabola'
import { sincPeak } from './sinc'

/**
 * Finds the local maxima of `y` above a value, from index `from` up to `to`, and leaves their indices (32 bits each) in `scratch`.
 *
 * @returns how many there are
 */
function findMaxima(y: usize, from: i32, to: i32, above: f32): i32 {
  let count = 0
  let before = load<f32>(y + 4 * (from - 1))
  let at = load<f32>(y + 4 * from)
  for (let i = from; i < to; i++) {
    const after = load<f32>(y + 4 * (i + 1))
    if (at > above && at > before && at >= after) store<i32>(scratch + 4 * count++, i)
    before = at
    at = after
  }
  return count
}

/** The maxima that are kept, highest score first: their indices (32 bits each) and scores (64-bit floats). */
const kept: usize = memory.data(4 * (CANDIDATES + 1), 16)
const scores: usize = memory.data(8 * (CANDIDATES + 1), 16)

/** Keeps a maximum if it is among the `most` highest, of equal ones the first; returns how many are kept. */
function keep(index: i32, score: f64, count: i32, most: i32): i32 {
  let place = count
  for (; place > 0 && load<f64>(scores + 8 * (place - 1)) < score; place--) {
    store<f64>(scores + 8 * place, load<f64>(scores + 8 * (place - 1)))
    store<i32>(kept + 4 * place, load<i32>(kept + 4 * (place - 1)))
  }
  store<f64>(scores + 8 * place, score)
  store<i32>(kept + 4 * place, index)
  return min(count + 1, most)
}

/** Of a correlation that is interpolated above 1, as Praat takes it. */
function asStrength(value: f64): f64 {
  return value > 1 ? 1 / value : value
}

/** Maxima of the samples that are interpolated: the interpolated strongest one is always among them. */
const REFINED: i32 = 2

/** The largest local maximum of the sinc-interpolated `y`, above 0 and from index `from` up to `to`; 0 if there is none. */
export function strongestMaximum(y: usize, length: i32, from: i32, to: i32): f64 {
  const found = findMaxima(y, from, to, 0)
  let count = 0
  for (let n = 0; n < found; n++) {
    const i = load<i32>(scratch + 4 * n)
    count = keep(i, vertexHeight(y, i), count, REFINED)
  }
  let best: f64 = 0
  for (let n = 0; n < count; n++) {
    best = Math.max(best, asStrength(sincPeak(y, length, load<i32>(kept + 4 * n))))
  }
  return best
}

/** How pitch candidates are chosen: 64-bit floats, one after another. */
@unmanaged
export class Choice {
  rateHz: f64
  ceilingHz: f64
  /** Shortest and longest lag, in samples. */
  minLag: f64
  maxLag: f64
  /** Weaker maxima are none. */
  weakest: f64
  octaveCost: f64
  /** What it costs to jump away by an octave and back. */
  jumps: f64
}

/** The candidates' frequencies in hertz, and in octaves over 1 Hz, and their strengths. */
const hertz: usize = memory.data(8 * CANDIDATES, 16)
const octaves: usize = memory.data(8 * CANDIDATES, 16)
const strengths: usize = memory.data(8 * CANDIDATES, 16)

/**
 * Chooses the pitch candidates of an autocorrelation, lag 0 at index `lags`: its highest maxima, but for those with a rival so much
 * stronger that any path through them is better through the rival. Writes their frequencies in hertz, and the correlation of each.
 *
 * @returns how many there are
 */
export function choosePitchCandidates(
  y: usize,
  lags: i32,
  choice: Choice,
  intoHertz: usize,
  intoStrengths: usize,
): i32 {
  const from = lags + <i32>choice.minLag
  const found = findMaxima(y, from, lags + <i32>choice.maxLag, <f32>choice.weakest)
  let count = 0
  for (let n = 0; n < found; n++) {
    const i = load<i32>(scratch + 4 * n)
    count = keep(i, vertexHeight(y, i) - choice.octaveCost * Math.log2(<f64>(i - lags)), count, CANDIDATES)
  }
  for (let n = 0; n < count; n++) {
    const value = sincPeak(y, 2 * lags + 1, load<i32>(kept + 4 * n))
    const frequency = choice.rateHz / (load<f64>(result) - <f64>lags)
    store<f64>(hertz + 8 * n, frequency)
    store<f64>(octaves + 8 * n, Math.log2(frequency))
    store<f64>(strengths + 8 * n, asStrength(value))
  }
  const ceiling = Math.log2(choice.ceilingHz)
  let chosen = 0
  for (let n = 0; n < count; n++) {
    if (isBeaten(n, count, ceiling, choice)) continue
    store<f32>(intoHertz + 4 * chosen, <f32>load<f64>(hertz + 8 * n))
    store<f32>(intoStrengths + 4 * chosen, <f32>load<f64>(strengths + 8 * n))
    chosen++
  }
  return chosen
}

/** Whether a candidate below the ceiling is stronger by more than it costs to jump to it and back. */
function isBeaten(n: i32, count: i32, ceiling: f64, choice: Choice): bool {
  const own = load<f64>(octaves + 8 * n)
  for (let rival = 0; rival < count; rival++) {
    const other = load<f64>(octaves + 8 * rival)
    if (other >= ceiling || other === own) continue
    const stronger = load<f64>(strengths + 8 * rival) - load<f64>(strengths + 8 * n)
    if (stronger + choice.octaveCost * (other - own) > choice.jumps * Math.abs(own - other)) return true
  }
  return false
}
