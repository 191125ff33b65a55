import { batch, ELEMENT, SLOTS, scratch } from './memory'
import { vertex } from './parabola'
import { logarithms } from './vectors'

/** 10 / ln(10), which makes decibels of the natural logarithm of a power. */
const DECIBELS: f32 = 4.342944819

/** Rounds of bisection: a median of levels comes to a hundredth of a dB. */
const ROUNDS: i32 = 12

/**
 * Replaces the cepstra of the batch by their power, averaged over `width` neighbours, in dB, from quefrency `from` up to `to`
 * (elements that have too few neighbours are averaged over fewer).
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
    const at = scratch + ELEMENT * q
    v128.store(at, f32x4.mul(first, share))
    v128.store(at, f32x4.mul(second, share), 16)
  }
  logarithms(scratch + ELEMENT * from, 2 * (to - from), DECIBELS)
  memory.copy(batch + ELEMENT * from, scratch + ELEMENT * from, ELEMENT * (to - from))
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

/**
 * How high the highest element of each slot from `from` to `to`, interpolated by a parabola, lies over the slot's line of `theilLines`.
 * Eight heights are left after the lines in `scratch`.
 */
export function heightsOverLines(from: i32, to: i32): void {
  for (let slot: usize = 0; slot < <usize>(4 * SLOTS); slot += 4) {
    let best = from
    for (let q = from + 1; q <= to; q++) if (levelAt(q, slot) > levelAt(best, slot)) best = q
    const before = levelAt(best - 1, slot)
    const at = levelAt(best, slot)
    const after = levelAt(best + 1, slot)
    const offset = vertex(before, at, after)
    const height = at + 0.25 * (after - before) * offset
    const slope = <f64>load<f32>(scratch + slot)
    const intercept = <f64>load<f32>(scratch + ELEMENT + slot)
    store<f32>(scratch + 2 * ELEMENT + slot, <f32>(height - (intercept + slope * (<f64>best + offset))))
  }
}

function levelAt(q: i32, slot: usize): f64 {
  return <f64>load<f32>(batch + ELEMENT * q + slot)
}

/** The median of each slot's values, by bisection of their range: the smallest number that half of them do not exceed. */
function medians(values: usize, count: i32, to: usize): void {
  let low1 = v128.load(values)
  let low2 = v128.load(values, 16)
  let high1 = low1
  let high2 = low2
  const end = values + ELEMENT * count
  for (let at = values; at < end; at += ELEMENT) {
    low1 = f32x4.min(low1, v128.load(at))
    low2 = f32x4.min(low2, v128.load(at, 16))
    high1 = f32x4.max(high1, v128.load(at))
    high2 = f32x4.max(high2, v128.load(at, 16))
  }
  const half = f32x4.splat(0.5)
  const needed = i32x4.splat((count >> 1) + 1)
  for (let round = 0; round < ROUNDS; round++) {
    const middle1 = f32x4.mul(f32x4.add(low1, high1), half)
    const middle2 = f32x4.mul(f32x4.add(low2, high2), half)
    // A comparison that holds is -1.
    let below1 = i32x4.splat(0)
    let below2 = i32x4.splat(0)
    for (let at = values; at < end; at += ELEMENT) {
      below1 = i32x4.sub(below1, f32x4.le(v128.load(at), middle1))
      below2 = i32x4.sub(below2, f32x4.le(v128.load(at, 16), middle2))
    }
    const isEnough1 = i32x4.ge_s(below1, needed)
    const isEnough2 = i32x4.ge_s(below2, needed)
    high1 = v128.bitselect(middle1, high1, isEnough1)
    high2 = v128.bitselect(middle2, high2, isEnough2)
    low1 = v128.bitselect(low1, middle1, isEnough1)
    low2 = v128.bitselect(low2, middle2, isEnough2)
  }
  v128.store(to, f32x4.mul(f32x4.add(low1, high1), half))
  v128.store(to, f32x4.mul(f32x4.add(low2, high2), half), 16)
}
