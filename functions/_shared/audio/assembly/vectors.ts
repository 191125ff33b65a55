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

/** The natural logarithm of positive normal numbers, to 1e-7 of its value or 1e-7 (Cephes, `logf`). */
export function ln(x: v128): v128 {
  const one = i32x4.splat(0x3f800000)
  let exponent = i32x4.sub(i32x4.shr_u(x, 23), i32x4.splat(127))
  let mantissa = v128.or(v128.and(x, i32x4.splat(0x007fffff)), one)
  const isLarge = f32x4.gt(mantissa, f32x4.splat(<f32>Math.SQRT2))
  mantissa = v128.bitselect(f32x4.mul(mantissa, f32x4.splat(0.5)), mantissa, isLarge)
  exponent = i32x4.sub(exponent, isLarge)
  const e = f32x4.convert_i32x4_s(exponent)
  const m = f32x4.sub(mantissa, f32x4.splat(1))
  const square = f32x4.mul(m, m)
  let y = f32x4.splat(7.0376836292e-2)
  y = f32x4.add(f32x4.mul(y, m), f32x4.splat(-1.151461031e-1))
  y = f32x4.add(f32x4.mul(y, m), f32x4.splat(1.167699874e-1))
  y = f32x4.add(f32x4.mul(y, m), f32x4.splat(-1.2420140846e-1))
  y = f32x4.add(f32x4.mul(y, m), f32x4.splat(1.4249322787e-1))
  y = f32x4.add(f32x4.mul(y, m), f32x4.splat(-1.6668057665e-1))
  y = f32x4.add(f32x4.mul(y, m), f32x4.splat(2.0000714765e-1))
  y = f32x4.add(f32x4.mul(y, m), f32x4.splat(-2.4999993993e-1))
  y = f32x4.add(f32x4.mul(y, m), f32x4.splat(3.3333331174e-1))
  y = f32x4.mul(f32x4.mul(y, m), square)
  y = f32x4.add(y, f32x4.mul(e, f32x4.splat(-2.1219444e-4)))
  y = f32x4.sub(y, f32x4.mul(square, f32x4.splat(0.5)))
  return f32x4.add(f32x4.add(m, y), f32x4.mul(e, f32x4.splat(0.693359375)))
}
