import { type MediaSource, readClipped } from '../recording.ts'

const WINDOW_BYTES = 256 * 1024

/** Reads a recording piece by piece on its way from start to end, so that neither many reads nor much memory is needed. */
export class ByteWindow {
  readonly size: number
  readonly #source: MediaSource
  #start = 0
  #bytes: Uint8Array = new Uint8Array(0)

  constructor(source: MediaSource) {
    this.#source = source
    this.size = source.size
  }

  /** The bytes `[at, at + length)` where the window holds them all; else null, and `load` fetches them. */
  held(at: number, length: number): Uint8Array | null {
    const from = at - this.#start
    return from >= 0 && from + length <= this.#bytes.length ? this.#bytes.subarray(from, from + length) : null
  }

  /** Moves the window to `at`. What the file does not hold is missing from the result. */
  async load(at: number, length: number): Promise<Uint8Array> {
    this.#bytes = await readClipped(this.#source, at, at + Math.max(length, WINDOW_BYTES))
    this.#start = at
    return this.#bytes.subarray(0, length)
  }
}
