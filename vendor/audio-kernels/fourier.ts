import { batch, ELEMENT, LARGEST, scratch } from './memory'

/** cos and -sin of 2πk / LARGEST, k from 0 to LARGEST. */
const twiddles = memory.data(8 * LARGEST, 16)

for (let k = 0; k < LARGEST; k++) {
  const angle = (2 * Math.PI * <f64>k) / <f64>LARGEST
  store<f32>(twiddles + 8 * k, <f32>Math.cos(angle))
  store<f32>(twiddles + 8 * k, <f32>-Math.sin(angle), 4)
}

/**
 * Transforms the batch in `batch`: four complex Fourier transforms of `size` points side by side, one to a lane. Stockham's
 * algorithm of radix 4, with one step of radix 2 where the size is no power of 4.
 */
export function transform(size: i32): void {
  let from = batch
  let to = scratch
  let length = size
  let stride = 1
  while (length >= 4) {
    radix4(from, to, length, stride, LARGEST / size)
    const swapped = from
    from = to
    to = swapped
    length >>= 2
    stride <<= 2
  }
  if (length === 2) {
    radix2(from, to, stride)
    from = to
  }
  if (from !== batch) memory.copy(batch, from, ELEMENT * size)
}

function radix4(from: usize, to: usize, length: i32, stride: i32, tableStep: i32): void {
  const quarter = length >> 2
  const apart = <usize>(ELEMENT * stride * quarter)
  const step = <usize>(ELEMENT * stride)
  let x = from
  let y = to
  for (let p = 0; p < quarter; p++) {
    const at1 = twiddles + <usize>(8 * p * stride * tableStep)
    const at2 = twiddles + <usize>(16 * p * stride * tableStep)
    const at3 = twiddles + <usize>(24 * p * stride * tableStep)
    const re1 = v128.load32_splat(at1)
    const im1 = v128.load32_splat(at1, 4)
    const re2 = v128.load32_splat(at2)
    const im2 = v128.load32_splat(at2, 4)
    const re3 = v128.load32_splat(at3)
    const im3 = v128.load32_splat(at3, 4)
    for (let q = 0; q < stride; q++) {
      const aRe = v128.load(x)
      const aIm = v128.load(x, 16)
      const bRe = v128.load(x + apart)
      const bIm = v128.load(x + apart, 16)
      const cRe = v128.load(x + 2 * apart)
      const cIm = v128.load(x + 2 * apart, 16)
      const dRe = v128.load(x + 3 * apart)
      const dIm = v128.load(x + 3 * apart, 16)
      const acRe = f32x4.add(aRe, cRe)
      const acIm = f32x4.add(aIm, cIm)
      const bdRe = f32x4.add(bRe, dRe)
      const bdIm = f32x4.add(bIm, dIm)
      const amcRe = f32x4.sub(aRe, cRe)
      const amcIm = f32x4.sub(aIm, cIm)
      const bmdRe = f32x4.sub(bRe, dRe)
      const bmdIm = f32x4.sub(bIm, dIm)
      v128.store(y, f32x4.add(acRe, bdRe))
      v128.store(y, f32x4.add(acIm, bdIm), 16)
      storeProduct(y + step, re1, im1, f32x4.add(amcRe, bmdIm), f32x4.sub(amcIm, bmdRe))
      storeProduct(y + 2 * step, re2, im2, f32x4.sub(acRe, bdRe), f32x4.sub(acIm, bdIm))
      storeProduct(y + 3 * step, re3, im3, f32x4.sub(amcRe, bmdIm), f32x4.add(amcIm, bmdRe))
      x += ELEMENT
      y += ELEMENT
    }
    y += 3 * step
  }
}

function storeProduct(to: usize, aRe: v128, aIm: v128, bRe: v128, bIm: v128): void {
  v128.store(to, f32x4.sub(f32x4.mul(aRe, bRe), f32x4.mul(aIm, bIm)))
  v128.store(to, f32x4.add(f32x4.mul(aRe, bIm), f32x4.mul(aIm, bRe)), 16)
}

function radix2(from: usize, to: usize, stride: i32): void {
  const apart = <usize>(ELEMENT * stride)
  for (let offset: usize = 0; offset < apart; offset += 16) {
    const a = v128.load(from + offset)
    const b = v128.load(from + offset + apart)
    v128.store(to + offset, f32x4.add(a, b))
    v128.store(to + offset + apart, f32x4.sub(a, b))
  }
}
