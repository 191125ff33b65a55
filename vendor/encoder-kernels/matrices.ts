/**
 * Products of whole numbers. Tokens are taken four at a time, outputs eight at a time, inputs in pairs, as
 * `i32x4.dot_i16x8_s` multiplies them; both sides lie in memory in the order in which they are read:
 *
 * - weights (8 bits): for each eight outputs, for each pair of inputs, two weights of each output;
 * - activations (16 bits): for each four tokens, for each pair of inputs, two activations of each token.
 */
const OUTPUTS = 8
const TOKENS = 4

/** Largest activation: 1536 products with weights of 8 bits stay below 2^31. */
const LARGEST: f32 = 8191

/** Puts rows of 8-bit weights, `columns` to a row, into the order above. */
export function arrangeRows(from: usize, rows: i32, columns: i32, to: usize): void {
  for (let row = 0; row < rows; row += OUTPUTS) {
    for (let column = 0; column < columns; column += 2) {
      let at = from + column
      for (let output = 0; output < OUTPUTS; output++) {
        store<u16>(to, load<u16>(at))
        at += columns
        to += 2
      }
    }
    from += OUTPUTS * columns
  }
}

/** A number of 16 bits as IEEE 754 has it. */
function half(bits: u32): f32 {
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  const size: f32 =
    exponent === 0
      ? <f32>fraction * <f32>5.9604644775390625e-8
      : reinterpret<f32>(((exponent + 112) << 23) | (fraction << 13))
  return bits & 0x8000 ? -size : size
}

const GROUP = 32
const GROUP_BYTES = 18

function lowNibbles(pairs: v128): v128 {
  return i8x16.sub(v128.and(pairs, i8x16.splat(15)), i8x16.splat(8))
}

function highNibbles(pairs: v128): v128 {
  return i8x16.sub(i8x16.shr_u(pairs, 4), i8x16.splat(8))
}

/** Adds a row of 4-bit weights to a row of floats. */
export function addNibbles(from: usize, columns: i32, to: usize): void {
  for (let column = 0; column < columns; column += GROUP) {
    const scale = half(load<u16>(from))
    for (let i: usize = 0; i < 16; i++) {
      const pair = <i32>load<u8>(from + 2 + i)
      const low = to + 4 * i
      const high = low + 64
      store<f32>(low, load<f32>(low) + <f32>((pair & 15) - 8) * scale)
      store<f32>(high, load<f32>(high) + <f32>((pair >> 4) - 8) * scale)
    }
    from += GROUP_BYTES
    to += 4 * GROUP
  }
}

/** Adds a row of floats to another. */
export function addFloats(from: usize, columns: i32, to: usize): void {
  const bytes = <usize>columns * 4
  for (let at: usize = 0; at < bytes; at += 4) store<f32>(to + at, load<f32>(to + at) + load<f32>(from + at))
}

/** Adds a row of 8-bit weights, each times the float at `scale`, to a row of floats. */
export function addBytes(from: usize, scale: usize, columns: i32, to: usize): void {
  for (let column = 0; column < columns; column++) {
    store<f32>(to, load<f32>(to) + <f32>load<i8>(from + column) * load<f32>(scale))
    to += 4
  }
}

/** Turns a row of 4-bit weights into one of 8-bit weights, and returns the scale of that. */
export function bytesFromNibbles(from: usize, columns: i32, to: usize): f32 {
  let most: f32 = 0
  let at = from
  for (let column = 0; column < columns; column += GROUP) {
    const pairs = v128.load(at, 2)
    let largest = i8x16.max_u(i8x16.abs(lowNibbles(pairs)), i8x16.abs(highNibbles(pairs)))
    largest = i8x16.max_u(largest, v128.shuffle<i64>(largest, largest, 1, 0))
    largest = i8x16.max_u(largest, v128.shuffle<i32>(largest, largest, 1, 0, 3, 2))
    largest = i8x16.max_u(largest, v128.shuffle<i16>(largest, largest, 1, 0, 3, 2, 5, 4, 7, 6))
    const steps = max(i8x16.extract_lane_u(largest, 0), i8x16.extract_lane_u(largest, 1))
    most = max<f32>(most, abs<f32>(half(load<u16>(at))) * <f32>steps)
    at += GROUP_BYTES
  }
  if (most === 0) {
    memory.fill(to, 0, columns)
    return 0
  }
  for (let column = 0; column < columns; column += GROUP) {
    const steps = f32x4.splat((half(load<u16>(from)) * 127) / most)
    const pairs = v128.load(from, 2)
    v128.store(to, scaledBytes(lowNibbles(pairs), steps))
    v128.store(to, scaledBytes(highNibbles(pairs), steps), 16)
    from += GROUP_BYTES
    to += GROUP
  }
  return most / 127
}

function scaledFour(numbers: v128, steps: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(f32x4.convert_i32x4_s(numbers), steps)))
}

function scaledBytes(bytes: v128, steps: v128): v128 {
  const low = i16x8.extend_low_i8x16_s(bytes)
  const high = i16x8.extend_high_i8x16_s(bytes)
  return i8x16.narrow_i16x8_s(
    i16x8.narrow_i32x4_s(
      scaledFour(i32x4.extend_low_i16x8_s(low), steps),
      scaledFour(i32x4.extend_high_i16x8_s(low), steps),
    ),
    i16x8.narrow_i32x4_s(
      scaledFour(i32x4.extend_low_i16x8_s(high), steps),
      scaledFour(i32x4.extend_high_i16x8_s(high), steps),
    ),
  )
}

/** The largest magnitude in a row of floats. */
function largestOf(row: usize, columns: i32): f32 {
  let largest = f32x4.splat(0)
  const end = row + 4 * columns
  for (; row < end; row += 16) largest = f32x4.pmax(largest, f32x4.abs(v128.load(row)))
  const pairs = f32x4.pmax(largest, v128.shuffle<f32>(largest, largest, 2, 3, 0, 1))
  return max(f32x4.extract_lane(pairs, 0), f32x4.extract_lane(pairs, 1))
}

function wholeFour(row: usize, steps: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(row), steps)))
}

/**
 * Rounds rows of floats to whole numbers of at most `LARGEST`, in the order above, and stores for each what its whole numbers are
 * to be multiplied by. The number of rows is a multiple of four.
 */
export function quantise(from: usize, rows: i32, columns: i32, to: usize, scales: usize): void {
  const stride = 4 * columns
  for (let row = 0; row < rows; row += TOKENS) {
    const a = from
    const b = a + stride
    const c = b + stride
    const d = c + stride
    const largest = f32x4(
      largestOf(a, columns),
      largestOf(b, columns),
      largestOf(c, columns),
      largestOf(d, columns),
    )
    v128.store(scales, f32x4.div(largest, f32x4.splat(LARGEST)))
    // A row of zeros stays one.
    const steps = f32x4.div(f32x4.splat(LARGEST), f32x4.pmax(largest, f32x4.splat(<f32>1e-30)))
    const ofA = v128.shuffle<f32>(steps, steps, 0, 0, 0, 0)
    const ofB = v128.shuffle<f32>(steps, steps, 1, 1, 1, 1)
    const ofC = v128.shuffle<f32>(steps, steps, 2, 2, 2, 2)
    const ofD = v128.shuffle<f32>(steps, steps, 3, 3, 3, 3)
    for (let at = 0; at < stride; at += 16) {
      const ab = i16x8.narrow_i32x4_s(wholeFour(a + at, ofA), wholeFour(b + at, ofB))
      const cd = i16x8.narrow_i32x4_s(wholeFour(c + at, ofC), wholeFour(d + at, ofD))
      v128.store(to, v128.shuffle<i32>(ab, cd, 0, 2, 4, 6))
      v128.store(to, v128.shuffle<i32>(ab, cd, 1, 3, 5, 7), 16)
      to += 32
    }
    from += 4 * stride
    scales += 16
  }
}

function finish(sums: v128, factor: v128, biases: v128): v128 {
  return f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(sums), factor), biases)
}

/**
 * For each token and output, the sum of the products of their activations and weights, times the scales of both, plus the
 * output's bias: rows of `outputs` floats, one for each token. Tokens are a multiple of four, outputs of eight. `room` takes 16 bytes
 * for each column: the weights of eight outputs, widened once for all tokens. The inner loop reads whole vectors and spreads their
 * lanes, since hosts that check the bounds of every access take longer to read each lane by itself.
 */
export function multiply(
  weights: usize,
  weightScales: usize,
  biases: usize,
  outputs: i32,
  activations: usize,
  activationScales: usize,
  tokens: i32,
  columns: i32,
  to: usize,
  room: usize,
): void {
  const stride = <usize>outputs * 4
  const length = <usize>columns * OUTPUTS
  const end = room + length * 2
  for (let output = 0; output < outputs; output += OUTPUTS) {
    for (let at: usize = 0; at < length; at += 16) {
      const narrow = v128.load(weights + at)
      const wide = room + at * 2
      v128.store(wide, i16x8.extend_low_i8x16_s(narrow))
      v128.store(wide, i16x8.extend_high_i8x16_s(narrow), 16)
    }
    const scalesLow = v128.load(weightScales)
    const scalesHigh = v128.load(weightScales, 16)
    const biasesLow = v128.load(biases)
    const biasesHigh = v128.load(biases, 16)
    let activation = activations
    let row = to
    let scaleAt = activationScales
    for (let token = 0; token < tokens; token += TOKENS) {
      let a0 = i32x4.splat(0)
      let a1 = i32x4.splat(0)
      let b0 = i32x4.splat(0)
      let b1 = i32x4.splat(0)
      let c0 = i32x4.splat(0)
      let c1 = i32x4.splat(0)
      let d0 = i32x4.splat(0)
      let d1 = i32x4.splat(0)
      for (let weight = room; weight < end; weight += 32) {
        const low = v128.load(weight)
        const high = v128.load(weight, 16)
        const four = v128.load(activation)
        let one = v128.shuffle<i32>(four, four, 0, 0, 0, 0)
        a0 = i32x4.add(a0, i32x4.dot_i16x8_s(low, one))
        a1 = i32x4.add(a1, i32x4.dot_i16x8_s(high, one))
        one = v128.shuffle<i32>(four, four, 1, 1, 1, 1)
        b0 = i32x4.add(b0, i32x4.dot_i16x8_s(low, one))
        b1 = i32x4.add(b1, i32x4.dot_i16x8_s(high, one))
        one = v128.shuffle<i32>(four, four, 2, 2, 2, 2)
        c0 = i32x4.add(c0, i32x4.dot_i16x8_s(low, one))
        c1 = i32x4.add(c1, i32x4.dot_i16x8_s(high, one))
        one = v128.shuffle<i32>(four, four, 3, 3, 3, 3)
        d0 = i32x4.add(d0, i32x4.dot_i16x8_s(low, one))
        d1 = i32x4.add(d1, i32x4.dot_i16x8_s(high, one))
        activation += 16
      }
      const factors = v128.load(scaleAt)
      scaleAt += 16
      let factor = v128.shuffle<i32>(factors, factors, 0, 0, 0, 0)
      v128.store(row, finish(a0, f32x4.mul(scalesLow, factor), biasesLow))
      v128.store(row, finish(a1, f32x4.mul(scalesHigh, factor), biasesHigh), 16)
      row += stride
      factor = v128.shuffle<i32>(factors, factors, 1, 1, 1, 1)
      v128.store(row, finish(b0, f32x4.mul(scalesLow, factor), biasesLow))
      v128.store(row, finish(b1, f32x4.mul(scalesHigh, factor), biasesHigh), 16)
      row += stride
      factor = v128.shuffle<i32>(factors, factors, 2, 2, 2, 2)
      v128.store(row, finish(c0, f32x4.mul(scalesLow, factor), biasesLow))
      v128.store(row, finish(c1, f32x4.mul(scalesHigh, factor), biasesHigh), 16)
      row += stride
      factor = v128.shuffle<i32>(factors, factors, 3, 3, 3, 3)
      v128.store(row, finish(d0, f32x4.mul(scalesLow, factor), biasesLow))
      v128.store(row, finish(d1, f32x4.mul(scalesHigh, factor), biasesHigh), 16)
      row += stride
    }
    weights += length
    weightScales += 32
    biases += 32
    to += 32
  }
}
