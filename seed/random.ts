/**
 * Streams of random numbers (sfc32), one per student, so that a student's data depends only on the seed and the student.
 * The states share one array: thousands of streams take little memory.
 */
export class Streams {
  readonly #state: Uint32Array

  /** @param seed any text; the same text gives the same streams */
  constructor(seed: string, count: number) {
    this.#state = new Uint32Array(4 * count)
    const start = hash(seed)
    for (let stream = 0; stream < count; stream++) {
      const at = 4 * stream
      this.#state[at] = start
      this.#state[at + 1] = stream
      this.#state[at + 2] = ~start
      this.#state[at + 3] = 1
      for (let round = 0; round < 15; round++) this.uint32(stream)
    }
  }

  uint32(stream: number): number {
    const at = 4 * stream
    const a = this.#state[at] ?? 0
    const b = this.#state[at + 1] ?? 0
    const c = this.#state[at + 2] ?? 0
    const counter = this.#state[at + 3] ?? 0
    const next = (a + b + counter) | 0
    this.#state[at] = b ^ (b >>> 9)
    this.#state[at + 1] = (c + (c << 3)) | 0
    this.#state[at + 2] = (((c << 21) | (c >>> 11)) + next) | 0
    this.#state[at + 3] = (counter + 1) | 0
    return next >>> 0
  }

  /** From 0 up to, but not including, 1. */
  share(stream: number): number {
    return this.uint32(stream) / 2 ** 32
  }

  chance(stream: number, share: number): boolean {
    return this.share(stream) < share
  }

  between(stream: number, low: number, high: number): number {
    return low + this.share(stream) * (high - low)
  }

  /** Normally distributed, mean 0 and standard deviation 1 (Box and Muller). */
  normal(stream: number): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.share(stream)))
    return radius * Math.cos(2 * Math.PI * this.share(stream))
  }

  pick<Item>(stream: number, items: readonly Item[]): Item {
    const item = items[Math.floor(this.share(stream) * items.length)]
    if (item === undefined) throw new RangeError('There is nothing to pick from')
    return item
  }

  /** A version 4 UUID. */
  uuid(stream: number): string {
    return uuid([this.uint32(stream), this.uint32(stream), this.uint32(stream), this.uint32(stream)], 4)
  }

  /** A version 7 UUID, which begins with the time, so rows created in order are adjacent in their index. */
  timedUuid(stream: number, timeMs: number): string {
    const low = timeMs % 65536
    const words = [(timeMs - low) / 65536, low * 65536 + (this.uint32(stream) & 0xffff)]
    return uuid([...words, this.uint32(stream), this.uint32(stream)], 7)
  }
}

const HEX = Array.from({ length: 65536 }, (_, value) => value.toString(16).padStart(4, '0'))

function uuid(words: readonly number[], version: number): string {
  const [first = 0, second = 0, third = 0, fourth = 0] = words
  const part = (value: number) => HEX[value & 0xffff]
  const versioned = (version << 12) | (second & 0x0fff)
  const variant = 0x8000 | ((third >>> 16) & 0x3fff)
  return `${part(first >>> 16)}${part(first)}-${part(second >>> 16)}-${part(versioned)}-${part(variant)}-${part(third)}${part(fourth >>> 16)}${part(fourth)}`
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193)
  return value >>> 0
}
