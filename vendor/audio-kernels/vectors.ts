/** The sum of a vector's lanes. */
export function lanesSum(v: v128): f32 {
  const pairs = f32x4.add(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1))
  return f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1)
}

/** The sum of the products of two runs of floats. */
export function dot(a: usize, b: usize, count: i32): f32 {
  let even = f32x4.splat(0)
  let odd = f32x4.splat(0)
  let i = 0
  for (; i + 7 < count; i += 8) {
    even = f32x4.add(even, f32x4.mul(v128.load(a), v128.load(b)))
    odd = f32x4.add(odd, f32x4.mul(v128.load(a, 16), v128.load(b, 16)))
    a += 32
    b += 32
  }
  let sum = lanesSum(f32x4.add(even, odd))
  for (; i < count; i++) {
    sum += load<f32>(a) * load<f32>(b)
    a += 4
    b += 4
  }
  return sum
}

/** The sum of a run of floats. */
export function sum(a: usize, count: i32): f32 {
  let four = f32x4.splat(0)
  let i = 0
  for (; i + 3 < count; i += 4) {
    four = f32x4.add(four, v128.load(a))
    a += 16
  }
  let total = lanesSum(four)
  for (; i < count; i++) {
    total += load<f32>(a)
    a += 4
  }
  return total
}

/**
 * Replaces positive normal numbers by `scale` times their natural logarithm, to 1e-6: with the exponent taken off, a number is
 * between the root of a half and the root of 2, where four terms of the series of the inverse hyperbolic tangent are enough.
 */
export function logarithms(at: usize, vectors: i32, scale: f32): void {
  const one = f32x4.splat(1)
  for (let i = 0; i < vectors; i++) {
    const x = v128.load(at)
    const above = i32x4.sub(x, i32x4.splat(0x3f3504f3))
    const exponent = i32x4.shr_s(above, 23)
    const m = i32x4.sub(x, i32x4.shl(exponent, 23))
    const s = f32x4.div(f32x4.sub(m, one), f32x4.add(m, one))
    const square = f32x4.mul(s, s)
    let series = f32x4.add(f32x4.mul(square, f32x4.splat(2.0 / 7.0)), f32x4.splat(2.0 / 5.0))
    series = f32x4.add(f32x4.mul(square, series), f32x4.splat(2.0 / 3.0))
    series = f32x4.add(f32x4.mul(square, series), f32x4.splat(2))
    const whole = f32x4.mul(f32x4.convert_i32x4_s(exponent), f32x4.splat(<f32>Math.LN2))
    v128.store(at, f32x4.mul(f32x4.add(whole, f32x4.mul(s, series)), f32x4.splat(scale)))
    at += 16
  }
}
