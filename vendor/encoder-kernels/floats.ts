/** The sum of a vector's lanes. */
export function lanesSum(v: v128): f32 {
  const pairs = f32x4.add(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1))
  return f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1)
}

/** The largest of a vector's lanes. */
export function lanesMax(v: v128): f32 {
  const pairs = f32x4.pmax(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1))
  return max(f32x4.extract_lane(pairs, 0), f32x4.extract_lane(pairs, 1))
}

/**
 * e to the power of numbers from -80 to 0 (below, as of -80), to 3e-7: the power of 2 is split into a whole number, which goes into
 * the exponent, and a rest of at most a half, for which six terms of the series are enough.
 */
export function exponential(x: v128): v128 {
  const power = f32x4.mul(f32x4.pmax(x, f32x4.splat(-80)), f32x4.splat(<f32>Math.LOG2E))
  const whole = f32x4.nearest(power)
  const rest = f32x4.mul(f32x4.sub(power, whole), f32x4.splat(<f32>Math.LN2))
  let series = f32x4.add(f32x4.mul(rest, f32x4.splat(<f32>(1.0 / 720.0))), f32x4.splat(<f32>(1.0 / 120.0)))
  series = f32x4.add(f32x4.mul(rest, series), f32x4.splat(<f32>(1.0 / 24.0)))
  series = f32x4.add(f32x4.mul(rest, series), f32x4.splat(<f32>(1.0 / 6.0)))
  series = f32x4.add(f32x4.mul(rest, series), f32x4.splat(0.5))
  series = f32x4.add(f32x4.mul(rest, series), f32x4.splat(1))
  series = f32x4.add(f32x4.mul(rest, series), f32x4.splat(1))
  return i32x4.add(series, i32x4.shl(i32x4.trunc_sat_f32x4_s(whole), 23))
}

/** From here on, the distribution below x, or above it, is taken as 0. */
const FAR: f32 = 4.3

/**
 * x times the share of the normal distribution below x, to 5e-5, a tenth of what rounding the result to a whole number costs: x times
 * a polynomial in its square, fitted for the smallest error of the product between -4.3 and 4.3.
 */
function geluOf(x: v128): v128 {
  const near = f32x4.pmax(f32x4.pmin(x, f32x4.splat(FAR)), f32x4.splat(-FAR))
  const square = f32x4.mul(near, near)
  let series = f32x4.add(
    f32x4.mul(square, f32x4.splat(<f32>4.1974524550569825e-11)),
    f32x4.splat(<f32>-4.249005147727303e-9),
  )
  series = f32x4.add(f32x4.mul(square, series), f32x4.splat(<f32>1.9022431274606788e-7))
  series = f32x4.add(f32x4.mul(square, series), f32x4.splat(<f32>-5.006175797461765e-6))
  series = f32x4.add(f32x4.mul(square, series), f32x4.splat(<f32>8.711774717085063e-5))
  series = f32x4.add(f32x4.mul(square, series), f32x4.splat(<f32>-0.0010713869705796242))
  series = f32x4.add(f32x4.mul(square, series), f32x4.splat(<f32>0.009695150889456272))
  series = f32x4.add(f32x4.mul(square, series), f32x4.splat(<f32>-0.06615559756755829))
  series = f32x4.add(f32x4.mul(square, series), f32x4.splat(<f32>0.3988020718097687))
  return f32x4.mul(x, f32x4.add(f32x4.mul(near, series), f32x4.splat(0.5)))
}

/** Replaces numbers by their GELU, as BERT has it. Numbers are a multiple of eight. */
export function gelu(at: usize, count: i32): void {
  const end = at + <usize>count * 4
  for (; at < end; at += 32) {
    const a = v128.load(at)
    const b = v128.load(at, 16)
    v128.store(at, geluOf(a))
    v128.store(at, geluOf(b), 16)
  }
}

/**
 * Adds a row of floats to another, takes off the mean, divides by the standard deviation, and applies weights and biases. Columns are
 * a multiple of four.
 */
export function addAndNormalise(
  x: usize,
  added: usize,
  rows: i32,
  columns: i32,
  weights: usize,
  biases: usize,
  epsilon: f32,
): void {
  const bytes = <usize>columns * 4
  for (let row = 0; row < rows; row++) {
    let sums = f32x4.splat(0)
    for (let at: usize = 0; at < bytes; at += 16) {
      const sum = f32x4.add(v128.load(x + at), v128.load(added + at))
      v128.store(x + at, sum)
      sums = f32x4.add(sums, sum)
    }
    const mean = f32x4.splat(lanesSum(sums) / <f32>columns)
    let squares = f32x4.splat(0)
    for (let at: usize = 0; at < bytes; at += 16) {
      const off = f32x4.sub(v128.load(x + at), mean)
      squares = f32x4.add(squares, f32x4.mul(off, off))
    }
    const factor = f32x4.splat(<f32>1 / sqrt<f32>(lanesSum(squares) / <f32>columns + epsilon))
    for (let at: usize = 0; at < bytes; at += 16) {
      const off = f32x4.mul(f32x4.sub(v128.load(x + at), mean), factor)
      v128.store(x + at, f32x4.add(f32x4.mul(off, v128.load(weights + at)), v128.load(biases + at)))
    }
    x += bytes
    added += bytes
  }
}

/** The mean of rows of floats. Columns are a multiple of four. */
export function mean(from: usize, rows: i32, columns: i32, to: usize): void {
  const bytes = <usize>columns * 4
  const factor = f32x4.splat(<f32>1 / <f32>rows)
  for (let at: usize = 0; at < bytes; at += 16) {
    let sums = f32x4.splat(0)
    let row = from + at
    for (let i = 0; i < rows; i++) {
      sums = f32x4.add(sums, v128.load(row))
      row += bytes
    }
    v128.store(to + at, f32x4.mul(sums, factor))
  }
}

/** For each output the sum of the products of its weights and a row of floats, plus its bias. Columns are a multiple of four. */
export function dense(
  weights: usize,
  biases: usize,
  outputs: i32,
  from: usize,
  columns: i32,
  to: usize,
): void {
  const bytes = <usize>columns * 4
  for (let output = 0; output < outputs; output++) {
    let sums = f32x4.splat(0)
    for (let at: usize = 0; at < bytes; at += 16) {
      sums = f32x4.add(sums, f32x4.mul(v128.load(weights + at), v128.load(from + at)))
    }
    store<f32>(to, lanesSum(sums) + load<f32>(biases))
    weights += bytes
    biases += 4
    to += 4
  }
}
