import { ServiceError } from '../errors.ts'

/** Most bytes that the bodies in one process may take at a time; a hosted function has 256 MB for everything. */
const MAX_BYTES = 64_000_000

/** Of these, what only bodies of up to `SMALL_BYTES` may take: a call without a file always finds room. */
const RESERVED_BYTES = 8_000_000
const SMALL_BYTES = 100_000

/** Most bytes that the bodies of one sender may take: those of the largest file (50 MiB) with its form. */
const MAX_BYTES_OF_SENDER = 54_000_000

/** When to try again, seconds: an upload takes about as long. */
const RETRY_AFTER_S = 5

let held = 0
const heldBySender = new Map<string, number>()

/**
 * The memory that the body of one request takes, from its first byte until the request has ended. A body that declares its
 * length takes all of it at once: of several large ones that come together the first is read whole, instead of each in part.
 */
export class BodyMemory {
  /** Who sends it: the account once that is known, else the address; null where the gateway does not say. */
  sender: string | null
  #size = 0
  #held = 0
  #countedFor: string | null = null

  constructor(sender: string | null = null) {
    this.sender = sender
  }

  /**
   * Counts bytes that have come, or are declared to come, and are in memory `copies` times. Throws `busy` when the body does
   * not fit.
   */
  add(bytes: number, copies = 1): void {
    const added = bytes * copies
    this.#size += bytes
    if (held + added > (this.#size > SMALL_BYTES ? MAX_BYTES - RESERVED_BYTES : MAX_BYTES)) {
      throw busy('The service is receiving many large requests at the moment.')
    }
    this.#countedFor ??= this.sender
    if (this.#countedFor !== null) {
      const bySender = (heldBySender.get(this.#countedFor) ?? 0) + added
      if (bySender > MAX_BYTES_OF_SENDER)
        throw busy('Other large requests of yours are still being received.')
      heldBySender.set(this.#countedFor, bySender)
    }
    held += added
    this.#held += added
  }

  /** Gives everything back. */
  release(): void {
    held -= this.#held
    if (this.#countedFor !== null) {
      const left = (heldBySender.get(this.#countedFor) ?? 0) - this.#held
      if (left > 0) heldBySender.set(this.#countedFor, left)
      else heldBySender.delete(this.#countedFor)
    }
    this.#held = 0
    this.#size = 0
    this.#countedFor = null
  }
}

function busy(reason: string): ServiceError {
  return new ServiceError('busy', `${reason} Try again in ${RETRY_AFTER_S} s.`, {
    retry_after_s: RETRY_AFTER_S,
  })
}
