import { ServiceError } from '../errors.ts'

/** Most bytes that the bodies in one process may take at a time; a hosted function has 256 MB for everything. */
const MAX_BYTES = 64_000_000

/** A body of more bytes is large: each person may send one at a time. */
const LARGE_BYTES = 5_000_000

/** When to try again, seconds: an upload takes about as long. */
const RETRY_AFTER_S = 5

let held = 0
const sendingLarge = new Set<string>()

/** The memory that the body of one request takes, from its first byte until the request has ended. */
export class BodyMemory {
  /** Who sends it, once that is known. */
  sender: string | undefined
  #size = 0
  #held = 0
  #large: string | undefined

  /** Counts bytes that have come and are in memory `copies` times. Throws `busy` when the body does not fit. */
  add(bytes: number, copies = 1): void {
    this.#size += bytes
    if (held + bytes * copies > MAX_BYTES) {
      throw busy('The service is receiving many large requests at the moment.')
    }
    if (this.#size > LARGE_BYTES && this.sender !== undefined && this.#large === undefined) {
      if (sendingLarge.has(this.sender)) throw busy('Another large request of yours is still being received.')
      this.#large = this.sender
      sendingLarge.add(this.sender)
    }
    held += bytes * copies
    this.#held += bytes * copies
  }

  /** Gives everything back. */
  release(): void {
    held -= this.#held
    this.#held = 0
    this.#size = 0
    if (this.#large !== undefined) sendingLarge.delete(this.#large)
    this.#large = undefined
  }
}

function busy(reason: string): ServiceError {
  return new ServiceError('busy', `${reason} Try again in ${RETRY_AFTER_S} s.`, {
    retry_after_s: RETRY_AFTER_S,
  })
}
