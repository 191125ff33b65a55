import { Streams } from '../../seed/random.ts'

/** Random choices that are the same whenever the seed is. */
export class Chance {
  readonly #streams: Streams

  constructor(seed: string) {
    this.#streams = new Streams(seed, 1)
  }

  /** 0 to below the bound. */
  below(bound: number): number {
    return Math.floor(this.#streams.share(0) * bound)
  }

  /** Whether something happens that happens in this share of cases. */
  happens(share: number): boolean {
    return this.#streams.chance(0, share)
  }

  pick<Item>(items: readonly Item[]): Item {
    return this.#streams.pick(0, items)
  }

  uuid(): string {
    return this.#streams.uuid(0)
  }

  /** The items in another order. */
  shuffled<Item>(items: readonly Item[]): Item[] {
    const keyed = items.map((item) => ({ item, key: this.#streams.uint32(0) }))
    return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item)
  }
}
