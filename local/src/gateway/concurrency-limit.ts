/** Requests of one account that are let through at a time, until it has made `BURST` of them; then one. */
const AT_ONCE = 4
const BURST = 20

/** After this time the count begins anew, ms. */
const WINDOW_MS = 10_000

type Account = { running: number; waiting: (() => void)[] }

/**
 * Keeps one account from taking a service for itself: after a burst its requests are handled one at a time, in the order in
 * which they came, while those of others pass.
 */
export class ConcurrencyLimit {
  readonly #accounts = new Map<unknown, Account>()
  readonly #made = new Map<unknown, number>()
  #since = 0

  /** Runs as soon as fewer of the account run than may. Who has no account, such as the holder of a key, does not wait. */
  async run<Result>(account: unknown, run: () => Promise<Result>): Promise<Result> {
    if (account === undefined) return run()
    this.#count(account)
    const own = this.#accounts.get(account) ?? { running: 0, waiting: [] }
    this.#accounts.set(account, own)
    if (own.running < this.#places(account)) own.running++
    else await new Promise<void>((resolve) => own.waiting.push(resolve))
    try {
      return await run()
    } finally {
      own.running--
      while (own.waiting.length > 0 && own.running < this.#places(account)) {
        own.running++
        own.waiting.shift()?.()
      }
      if (own.running === 0) this.#accounts.delete(account)
    }
  }

  #count(account: unknown): void {
    if (performance.now() - this.#since > WINDOW_MS) {
      this.#made.clear()
      this.#since = performance.now()
    }
    this.#made.set(account, (this.#made.get(account) ?? 0) + 1)
  }

  #places(account: unknown): number {
    return (this.#made.get(account) ?? 0) > BURST ? 1 : AT_ONCE
  }
}
