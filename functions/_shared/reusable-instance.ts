/** A decoder could not be loaded; that is no fault of the file, and may go well the next time. */
export class DecoderUnavailableError extends Error {
  constructor(cause: unknown) {
    super('The decoder could not be loaded', { cause })
    this.name = 'DecoderUnavailableError'
  }
}

/**
 * An instance of a decoder's WebAssembly module, reused from one file to the next: if each got a new one, their
 * memories would pile up until the garbage collector runs.
 *
 * Whoever acquires it has it exclusively; meanwhile others get instances of their own. What is not released is not used
 * again, so that neither memory nor state of a damaged file is kept.
 */
export class ReusableInstance<Instance extends object> {
  readonly #make: () => Promise<Instance>
  readonly #mostUses: number
  readonly #uses = new WeakMap<Instance, number>()
  #idle: Instance | null = null

  /** @param mostUses after so many uses a new instance is made */
  constructor(make: () => Promise<Instance>, mostUses = Number.POSITIVE_INFINITY) {
    this.#make = make
    this.#mostUses = mostUses
  }

  /** @throws DecoderUnavailableError */
  async acquire(): Promise<Instance> {
    const idle = this.#idle
    this.#idle = null
    if (idle) return idle
    try {
      return await this.#make()
    } catch (cause) {
      throw new DecoderUnavailableError(cause)
    }
  }

  release(instance: Instance): void {
    const uses = (this.#uses.get(instance) ?? 0) + 1
    this.#uses.set(instance, uses)
    if (uses < this.#mostUses) this.#idle ??= instance
  }
}
