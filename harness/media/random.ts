/** Choices that are the same for the same seed (Marsaglia's xorshift32 over a scrambled seed). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = (Math.imul(seed + 1, 0x9e3779b1) ^ 0x5bd1e995) >>> 0 || 1
  }

  /** From 0 up to and without 1. */
  next(): number {
    let x = this.#state
    x ^= x << 13
    x >>>= 0
    x ^= x >>> 17
    x ^= x << 5
    this.#state = x >>> 0
    return this.#state / 2 ** 32
  }

  /** A whole number from `from` up to and with `to`. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.int(0, items.length - 1)]
    if (item === undefined) throw new Error('There is nothing to choose from')
    return item
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length)
    for (let i = 0; i < length; i++) bytes[i] = this.next() * 256
    return bytes
  }
}
