import { createKernels, type KernelExports, type Pointer } from '../../_vendor/audio-kernels.js'

/** Frames of a batch. */
export const SLOTS = 8

/** Floats between the rows of two slots. */
const ROW = 1536

/** Silence before and after placed samples, so that windows may reach beyond them. */
const PADDING = 4096

const PAGE_BYTES = 65536

/** Samples in the kernels' memory. */
export interface PlacedSamples {
  /** The address of the first one. */
  first: Pointer
  /** The address of a sample by its number; of silence for one that lies outside. */
  at(index: number): Pointer
}

/**
 * The inner loops of the measures, in WebAssembly with vector instructions (`run`; their source is in vendor/audio-kernels), and
 * their memory. A measure places all that it needs and is done before another one begins: nothing that is placed or read stays
 * longer, and so no measure may wait for anything in between.
 */
class Kernels {
  readonly run: KernelExports
  #next: Pointer
  #memory: Memory

  constructor(run: KernelExports) {
    this.run = run
    this.#next = run.free.value
    this.#memory = memoryOf(run)
  }

  /** Frees all that was placed. */
  begin(): this {
    this.#next = this.run.free.value
    return this
  }

  /** Room for so many floats, all 0. */
  reserve(count: number): Pointer {
    const pointer = this.#next
    this.#next = pointer + 16 * Math.ceil(count / 4)
    const missing = this.#next - this.run.memory.buffer.byteLength
    if (missing > 0) {
      this.run.memory.grow(Math.ceil(missing / PAGE_BYTES))
      this.#memory = memoryOf(this.run)
    }
    this.floats(pointer, count).fill(0)
    return pointer
  }

  place(values: ArrayLike<number>): Pointer {
    const pointer = this.reserve(values.length)
    this.floats(pointer, values.length).set(values)
    return pointer
  }

  placeIntegers(values: Int32Array): Pointer {
    const pointer = this.reserve(values.length)
    this.#memory.integers.set(values, pointer / 4)
    return pointer
  }

  placeDoubles(values: ArrayLike<number>): Pointer {
    const pointer = this.reserve(2 * values.length)
    this.doubles(pointer, values.length).set(values)
    return pointer
  }

  placeBytes(values: Uint8Array): Pointer {
    const pointer = this.reserve(Math.ceil(values.length / 4))
    this.#memory.bytes.set(values, pointer)
    return pointer
  }

  placeSamples(samples: Float32Array): PlacedSamples {
    const first = this.reserve(samples.length + 2 * PADDING) + 4 * PADDING
    this.floats(first, samples.length).set(samples)
    const furthest = PADDING / 2
    return {
      first,
      at: (index) => first + 4 * Math.max(-furthest, Math.min(samples.length + furthest, index)),
    }
  }

  /** Sets the frame of a slot: where its samples begin, and the mean that is taken off. */
  setFrame(slot: number, first: Pointer, mean: number): void {
    const at = this.run.frames.value / 4 + 2 * slot
    this.#memory.integers[at] = first
    this.#memory.floats[at + 1] = mean
  }

  /** Floats at an address, until something is placed. */
  floats(pointer: Pointer, count: number): Float32Array {
    return this.#memory.floats.subarray(pointer / 4, pointer / 4 + count)
  }

  /** The same of 64-bit floats. */
  doubles(pointer: Pointer, count: number): Float64Array {
    return this.#memory.doubles.subarray(pointer / 8, pointer / 8 + count)
  }

  /** The address of a slot's row. */
  row(slot: number): Pointer {
    return this.run.rows.value + 4 * ROW * slot
  }

  /** The further numbers that a kernel has returned, 0 to 2, until the next runs. */
  result(number: 0 | 1 | 2): number {
    return this.#memory.doubles[this.run.result.value / 8 + number] ?? 0
  }
}

/** The whole memory; made anew only when it has grown, because a view costs more than what most kernels do. */
interface Memory {
  bytes: Uint8Array
  integers: Int32Array
  floats: Float32Array
  doubles: Float64Array
}

function memoryOf({ memory: { buffer } }: KernelExports): Memory {
  return {
    bytes: new Uint8Array(buffer),
    integers: new Int32Array(buffer),
    floats: new Float32Array(buffer),
    doubles: new Float64Array(buffer),
  }
}

let loaded: Kernels | null = null

/** The kernels with nothing placed; compiled with their first use. */
export function kernels(): Kernels {
  loaded ??= new Kernels(createKernels())
  return loaded.begin()
}

export type { Kernels, Pointer }
