import { exponential, lanesMax, lanesSum } from './floats'

/**
 * Four rows of eight sums of products: `count` numbers of each row of A by as many rows of B. Strides are in bytes. What is beyond
 * the rows' end is computed and stored as well.
 */
function multiplyBlock(
  a: usize,
  strideA: usize,
  rows: i32,
  b: usize,
  strideB: usize,
  count: i32,
  to: usize,
  strideTo: usize,
): void {
  // Where there are fewer rows than four, the last one is computed again.
  const a1 = rows > 1 ? a + strideA : a
  const a2 = rows > 2 ? a1 + strideA : a1
  const a3 = rows > 3 ? a2 + strideA : a2
  let p0 = f32x4.splat(0)
  let p1 = f32x4.splat(0)
  let q0 = f32x4.splat(0)
  let q1 = f32x4.splat(0)
  let r0 = f32x4.splat(0)
  let r1 = f32x4.splat(0)
  let s0 = f32x4.splat(0)
  let s1 = f32x4.splat(0)
  const bytes = <usize>count * 4
  for (let at: usize = 0; at < bytes; at += 4) {
    const low = v128.load(b)
    const high = v128.load(b, 16)
    let one = v128.load32_splat(a + at)
    p0 = f32x4.add(p0, f32x4.mul(low, one))
    p1 = f32x4.add(p1, f32x4.mul(high, one))
    one = v128.load32_splat(a1 + at)
    q0 = f32x4.add(q0, f32x4.mul(low, one))
    q1 = f32x4.add(q1, f32x4.mul(high, one))
    one = v128.load32_splat(a2 + at)
    r0 = f32x4.add(r0, f32x4.mul(low, one))
    r1 = f32x4.add(r1, f32x4.mul(high, one))
    one = v128.load32_splat(a3 + at)
    s0 = f32x4.add(s0, f32x4.mul(low, one))
    s1 = f32x4.add(s1, f32x4.mul(high, one))
    b += strideB
  }
  v128.store(to, p0)
  v128.store(to, p1, 16)
  if (rows > 1) {
    to += strideTo
    v128.store(to, q0)
    v128.store(to, q1, 16)
  }
  if (rows > 2) {
    to += strideTo
    v128.store(to, r0)
    v128.store(to, r1, 16)
  }
  if (rows > 3) {
    to += strideTo
    v128.store(to, s0)
    v128.store(to, s1, 16)
  }
}

/** Turns a row of scores, `padded` long of which `count` are of tokens, into shares of 1. */
function softmax(row: usize, count: i32, padded: i32, scale: f32): void {
  const end = row + <usize>padded * 4
  for (let at = row + <usize>count * 4; at < end; at += 4) store<f32>(at, -f32.MAX_VALUE)
  let largest = f32x4.splat(-f32.MAX_VALUE)
  for (let at = row; at < end; at += 16) largest = f32x4.pmax(largest, v128.load(at))
  const most = f32x4.splat(lanesMax(largest))
  const scales = f32x4.splat(scale)
  let sums = f32x4.splat(0)
  for (let at = row; at < end; at += 16) {
    const share = exponential(f32x4.mul(f32x4.sub(v128.load(at), most), scales))
    sums = f32x4.add(sums, share)
    v128.store(at, share)
  }
  const factor = f32x4.splat(<f32>1 / lanesSum(sums))
  for (let at = row; at < end; at += 16) v128.store(at, f32x4.mul(v128.load(at), factor))
}

/**
 * Attention among the tokens of one window. `from` has a row for each token: queries, keys and values of all heads, `hidden` floats
 * each; `to` gets rows of `hidden` floats. `room` takes (head size + 4) rows of as many floats as there are tokens, rounded up to a
 * multiple of eight. The size of a head is a multiple of eight.
 */
export function attend(from: usize, tokens: i32, hidden: i32, heads: i32, to: usize, room: usize): void {
  const size = hidden / heads
  const padded = (tokens + 7) & ~7
  const stride = <usize>hidden * 12
  const strideTo = <usize>hidden * 4
  const strideKeys = <usize>padded * 4
  const shares = room + <usize>size * strideKeys
  const scale: f32 = <f32>1 / sqrt<f32>(<f32>size)
  for (let head = 0; head < heads; head++) {
    const queries = from + <usize>(head * size) * 4
    const keys = queries + strideTo
    const values = keys + strideTo
    for (let token = 0; token < padded; token++) {
      const key = keys + <usize>min(token, tokens - 1) * stride
      let at = room + <usize>token * 4
      for (let i = 0; i < size; i++) {
        store<f32>(at, load<f32>(key + <usize>i * 4))
        at += strideKeys
      }
    }
    for (let token = 0; token < tokens; token += 4) {
      const rows = min(4, tokens - token)
      const query = queries + <usize>token * stride
      for (let key = 0; key < padded; key += 8) {
        const at = <usize>key * 4
        multiplyBlock(query, stride, rows, room + at, strideKeys, size, shares + at, strideKeys)
      }
      for (let row = 0; row < rows; row++) softmax(shares + <usize>row * strideKeys, tokens, padded, scale)
      const context = to + <usize>token * strideTo + <usize>(head * size) * 4
      for (let i = 0; i < size; i += 8) {
        const at = <usize>i * 4
        multiplyBlock(shares, strideKeys, rows, values + at, stride, tokens, context + at, strideTo)
      }
    }
  }
}
