/** Allows `perSecond` on average, and `perSecond * burstSeconds` at once. */
export class Rate {
  readonly #perSecond: number
  readonly #capacity: number
  #left: number
  #at = performance.now()

  constructor(perSecond: number, burstSeconds = 1) {
    this.#perSecond = perSecond
    this.#capacity = perSecond * burstSeconds
    this.#left = this.#capacity
  }

  /** Counts one, and tells whether it is allowed. */
  take(): boolean {
    const now = performance.now()
    this.#left = Math.min(this.#capacity, this.#left + ((now - this.#at) / 1000) * this.#perSecond)
    this.#at = now
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }
}
