/**
 * An instance of a decoder's WebAssembly module, kept from one recording to the next: made anew each time, their
 * memories would pile up until the garbage collector comes.
 *
 * Whoever takes it has it alone; meanwhile others get instances of their own. What is not given back is not used again,
 * so that nothing of a damaged recording reaches the next.
 */
export class KeptInstance<Instance extends object> {
  readonly #make: () => Promise<Instance>
  readonly #mostUses: number
  readonly #uses = new WeakMap<Instance, number>()
  #idle: Instance | null = null

  /** @param mostUses after so many uses a new instance is made */
  constructor(make: () => Promise<Instance>, mostUses = Number.POSITIVE_INFINITY) {
    this.#make = make
    this.#mostUses = mostUses
  }

  async take(): Promise<Instance> {
    const idle = this.#idle
    this.#idle = null
    return idle ?? (await this.#make())
  }

  giveBack(instance: Instance): void {
    const uses = (this.#uses.get(instance) ?? 0) + 1
    this.#uses.set(instance, uses)
    if (uses < this.#mostUses) this.#idle ??= instance
  }
}
