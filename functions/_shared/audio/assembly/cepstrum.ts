import { batch, ELEMENT, ROW, rows, SLOTS, scratch } from './memory'
import { ln } from './vectors'

/** Rounds of bisection: a median comes to a millionth of the values' range. */
const ROUNDS: i32 = 20

/**
 * Replaces the cepstra of the batch by their power, averaged over `width` neighbours, in dB, from quefrency `from` up to `to`
 * (elements that have too few neighbours are averaged over fewer). Each slot's lies in its row too.
 */
export function smoothedPowerDb(from: i32, to: i32, width: i32): void {
  const half = width >> 1
  for (let q = max(0, from - half); q < to; q++) {
    const at = batch + ELEMENT * q
    v128.store(at, f32x4.mul(v128.load(at), v128.load(at)))
    v128.store(at, f32x4.mul(v128.load(at, 16), v128.load(at, 16)), 16)
  }
  for (let q = from; q < to; q++) {
    const start = max(0, q - half)
    const end = min(to, q - half + width)
    let first = f32x4.splat(1e-30)
    let second = f32x4.splat(1e-30)
    for (let k = start; k < end; k++) {
      first = f32x4.add(first, v128.load(batch + ELEMENT * k))
      second = f32x4.add(second, v128.load(batch + ELEMENT * k, 16))
    }
    const share = f32x4.splat(1 / <f32>(end - start))
    // 10 log10.
    const scale = f32x4.splat(4.342944819)
    const at = scratch + ELEMENT * q
    v128.store(at, f32x4.mul(scale, ln(f32x4.mul(first, share))))
    v128.store(at, f32x4.mul(scale, ln(f32x4.mul(second, share))), 16)
  }
  memory.copy(batch + ELEMENT * from, scratch + ELEMENT * from, ELEMENT * (to - from))
  for (let slot = 0; slot < SLOTS; slot++) {
    for (let q = from; q < to; q++) {
      store<f32>(rows + 4 * (ROW * slot + q), load<f32>(batch + ELEMENT * q + 4 * slot))
    }
  }
}

/**
 * Theil's incomplete robust line through the elements of each slot from `from` up to `to`: the median of the slopes between the
 * halves, and that of the intercepts. Both are left at the start of `scratch`: eight slopes, then eight intercepts.
 */
export function theilLines(from: i32, to: i32): void {
  const count = to - from
  const half = count >> 1
  const apart = count - half
  const values = scratch + 2 * ELEMENT
  const scale = f32x4.splat(1 / <f32>apart)
  for (let i = 0; i < 2 * half; i++) {
    const at = batch + ELEMENT * from + 16 * i
    v128.store(values + 16 * i, f32x4.mul(scale, f32x4.sub(v128.load(at + ELEMENT * apart), v128.load(at))))
  }
  medians(values, half, scratch)
  const first = v128.load(scratch)
  const second = v128.load(scratch, 16)
  for (let i = 0; i < count; i++) {
    const at = batch + ELEMENT * (from + i)
    const place = f32x4.splat(<f32>(from + i))
    v128.store(values + ELEMENT * i, f32x4.sub(v128.load(at), f32x4.mul(first, place)))
    v128.store(values + ELEMENT * i, f32x4.sub(v128.load(at, 16), f32x4.mul(second, place)), 16)
  }
  medians(values, count, scratch + ELEMENT)
}

/** The median of each slot's values, by bisection of their range: the smallest number that half of them do not exceed. */
function medians(values: usize, count: i32, to: usize): void {
  medianOfPart(values, count, to)
  medianOfPart(values + 16, count, to + 16)
}

function medianOfPart(values: usize, count: i32, to: usize): void {
  let low = v128.load(values)
  let high = low
  for (let i = 1; i < count; i++) {
    const four = v128.load(values + ELEMENT * i)
    low = f32x4.min(low, four)
    high = f32x4.max(high, four)
  }
  const needed = i32x4.splat((count >> 1) + 1)
  for (let round = 0; round < ROUNDS; round++) {
    const middle = f32x4.mul(f32x4.add(low, high), f32x4.splat(0.5))
    let reached = i32x4.splat(0)
    for (let i = 0; i < count; i++) {
      reached = i32x4.sub(reached, f32x4.le(v128.load(values + ELEMENT * i), middle))
    }
    const isEnough = i32x4.ge_s(reached, needed)
    high = v128.bitselect(middle, high, isEnough)
    low = v128.bitselect(low, middle, isEnough)
  }
  v128.store(to, f32x4.mul(f32x4.add(low, high), f32x4.splat(0.5)))
}
