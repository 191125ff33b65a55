import { createKernels, type TextKernels } from '../../../_vendor/text-kernels.js'
/** Length of a word's vector. */
export const DIMENSIONS = 64

const PAGE_BYTES = 65_536
const { BYTES_PER_ELEMENT } = Float32Array

/**
 * The product of filters and words' vectors, which takes most of the network's time, in WebAssembly with vector instructions (its
 * source is in vendor/text-kernels), and the memory of what it reads and writes.
 */
export class Convolution {
  readonly #memory: WebAssembly.Memory
  readonly #kernels: TextKernels
  #used = 0

  /** With room for so many numbers in all. */
  constructor(numbers: number) {
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil((numbers * BYTES_PER_ELEMENT) / PAGE_BYTES) })
    this.#kernels = createKernels(this.#memory)
  }

  /** Numbers in this memory, all 0. */
  numbers(length: number): Float32Array {
    const numbers = new Float32Array(this.#memory.buffer, this.#used, length)
    this.#used += numbers.byteLength
    return numbers
  }

  /**
   * Adds to each of so many answers, from one on, the product of its filter, from one on, and of the vector of a row. All are in this
   * memory; filters and vectors have `DIMENSIONS` numbers each.
   */
  add(
    count: number,
    [answers, answer]: readonly [Float32Array, number],
    [filters, filter]: readonly [Float32Array, number],
    [vectors, row]: readonly [Float32Array, number],
  ): void {
    this.#kernels.addAnswers(
      filters.byteOffset + filter * DIMENSIONS * BYTES_PER_ELEMENT,
      count,
      vectors.byteOffset + row * DIMENSIONS * BYTES_PER_ELEMENT,
      answers.byteOffset + answer * BYTES_PER_ELEMENT,
    )
  }
}
