import { batch, ELEMENT, scratch } from './memory'

/**
 * Sums the bins `first` to `last` of all slots' spectra, of the outermost two a share, and leaves the sum of each slot as number
 * `place` times 8 of the floats in `scratch`.
 */
export function sumBins(first: i32, last: i32, shareOfFirst: f32, shareOfLast: f32, place: i32): void {
  for (let half = 0; half < 32; half += 16) {
    const from = batch + half
    let total = f32x4.mul(v128.load(from + ELEMENT * first), f32x4.splat(shareOfFirst))
    for (let bin = first + 1; bin < last; bin++) total = f32x4.add(total, v128.load(from + ELEMENT * bin))
    total = f32x4.add(total, f32x4.mul(v128.load(from + ELEMENT * last), f32x4.splat(shareOfLast)))
    v128.store(scratch + ELEMENT * place + half, total)
  }
}

/** Leaves the largest of the bins `from` to `to` of each slot's spectrum as `sumBins` does. */
export function largestBin(from: i32, to: i32, place: i32): void {
  for (let half = 0; half < 32; half += 16) {
    let top = f32x4.splat(0)
    for (let bin = from; bin <= to; bin++) top = f32x4.pmax(top, v128.load(batch + half + ELEMENT * bin))
    v128.store(scratch + ELEMENT * place + half, top)
  }
}
