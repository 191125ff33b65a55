import { batch, ELEMENT, frames, SLOTS } from './memory'
import { logarithms } from './vectors'

/** Loads the frames of all slots, their means taken off, under a window; the rest of `size` becomes zeros. */
export function loadFrames(window: usize, samples: i32, size: i32): void {
  loadPart(0, window, samples, 0)
  loadPart(SLOTS / 2, window, samples, 16)
  memory.fill(batch + ELEMENT * samples, 0, ELEMENT * (size - samples))
}

/**
 * Loads the frames of slots 0 to 3 twice: their first `fixed` samples as the real part, all `span` as the imaginary part; the
 * rest of `size` becomes zeros.
 */
export function loadSpans(unity: usize, fixed: i32, span: i32, size: i32): void {
  loadPart(0, unity, span, 16)
  for (let i = 0; i < span; i++) {
    const at = batch + ELEMENT * i
    v128.store(at, i < fixed ? v128.load(at, 16) : f32x4.splat(0))
  }
  memory.fill(batch + ELEMENT * span, 0, ELEMENT * (size - span))
}

function loadPart(slot: i32, window: usize, samples: i32, part: usize): void {
  const from = frames + 8 * slot
  let a = <usize>load<u32>(from)
  let b = <usize>load<u32>(from, 8)
  let c = <usize>load<u32>(from, 16)
  let d = <usize>load<u32>(from, 24)
  const meanOfTwo = v128.load_lane<f32>(from + 12, v128.load32_splat(from + 4), 1)
  const mean = v128.load_lane<f32>(from + 28, v128.load_lane<f32>(from + 20, meanOfTwo, 2), 3)
  let to = batch + part
  for (let i = 0; i < samples; i++) {
    let four = v128.load32_splat(a)
    four = v128.load_lane<f32>(b, four, 1)
    four = v128.load_lane<f32>(c, four, 2)
    four = v128.load_lane<f32>(d, four, 3)
    v128.store(to, f32x4.mul(f32x4.sub(four, mean), v128.load32_splat(window)))
    window += 4
    a += 4
    b += 4
    c += 4
    d += 4
    to += ELEMENT
  }
}

/** Replaces the transform of pairs of real frames by their power spectra, whose own transforms are real. */
export function powers(size: i32): void {
  for (let k = 0; k <= size >> 1; k++) {
    const at = batch + ELEMENT * k
    const mirrored = batch + ELEMENT * ((size - k) & (size - 1))
    const re = v128.load(at)
    const im = v128.load(at, 16)
    const reM = v128.load(mirrored)
    const imM = v128.load(mirrored, 16)
    const first = quarterPower(f32x4.add(re, reM), f32x4.sub(im, imM))
    const second = quarterPower(f32x4.add(im, imM), f32x4.sub(reM, re))
    v128.store(at, first)
    v128.store(at, second, 16)
    v128.store(mirrored, first)
    v128.store(mirrored, second, 16)
  }
}

/** What power is taken to be at least, so that it has a logarithm. */
const FAINTEST: f32 = 1e-37

/** The same with the natural logarithm of power. */
export function logPowers(size: i32): void {
  powers(size)
  for (let offset = 0; offset <= ELEMENT * (size >> 1); offset += 16) {
    v128.store(batch + offset, f32x4.max(v128.load(batch + offset), f32x4.splat(FAINTEST)))
  }
  logarithms(batch, 2 * ((size >> 1) + 1), 1)
  for (let k = 1; k < size >> 1; k++) memory.copy(batch + ELEMENT * (size - k), batch + ELEMENT * k, ELEMENT)
}

function quarterPower(re: v128, im: v128): v128 {
  return f32x4.mul(f32x4.add(f32x4.mul(re, re), f32x4.mul(im, im)), f32x4.splat(0.25))
}

/**
 * Replaces the transform of `loadSpans` by X conj(Y) / size, X that of the real and Y that of the imaginary part: its forward
 * transform is their correlation, read forwards.
 */
export function crossPowers(size: i32): void {
  const scale = f32x4.splat(0.25 / <f32>size)
  for (let k = 0; k <= size >> 1; k++) {
    const at = batch + ELEMENT * k
    const mirrored = batch + ELEMENT * ((size - k) & (size - 1))
    const re = v128.load(at)
    const im = v128.load(at, 16)
    const reM = v128.load(mirrored)
    const imM = v128.load(mirrored, 16)
    const xRe = f32x4.add(re, reM)
    const xIm = f32x4.sub(im, imM)
    const yRe = f32x4.add(im, imM)
    const yIm = f32x4.sub(reM, re)
    const productRe = f32x4.mul(f32x4.add(f32x4.mul(xRe, yRe), f32x4.mul(xIm, yIm)), scale)
    const productIm = f32x4.mul(f32x4.sub(f32x4.mul(xIm, yRe), f32x4.mul(xRe, yIm)), scale)
    v128.store(at, productRe)
    v128.store(at, productIm, 16)
    // Real sequences: the other half of their spectrum is the conjugate.
    v128.store(mirrored, productRe)
    v128.store(mirrored, f32x4.neg(productIm), 16)
  }
}
