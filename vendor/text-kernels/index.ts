/** Length of a word's vector. */
const DIMENSIONS = 64
const ELEMENT = 4

/** Adds to each of so many answers the product of its filter and a vector. */
export function addAnswers(filters: usize, count: i32, vector: usize, answers: usize): void {
  for (let filter = 0; filter < count; filter++) {
    const from = filters + ELEMENT * DIMENSIONS * filter
    let even = f32x4.splat(0)
    let odd = f32x4.splat(0)
    for (let at = 0; at < ELEMENT * DIMENSIONS; at += 32) {
      even = f32x4.add(even, f32x4.mul(v128.load(from + at), v128.load(vector + at)))
      odd = f32x4.add(odd, f32x4.mul(v128.load(from + at + 16), v128.load(vector + at + 16)))
    }
    const sums = f32x4.add(even, odd)
    const sum =
      f32x4.extract_lane(sums, 0) +
      f32x4.extract_lane(sums, 1) +
      (f32x4.extract_lane(sums, 2) + f32x4.extract_lane(sums, 3))
    const to = answers + ELEMENT * filter
    f32.store(to, f32.load(to) + sum)
  }
}
