import { clamp } from '../../functions/_shared/numbers.ts'
import type { Streams } from '../random.ts'

/** Measures of the invented check-ins lie within this many population SD. */
const REACH = 2.6

/**
 * Invented evidence of every score, made once: scoring each of millions of check-ins anew would take hours, and those of
 * one score are alike enough.
 */
export class Palette<Entry> {
  readonly #byScore: Entry[][] = []
  readonly #random: Streams

  /**
   * @param make invents an entry from measures that lie `z` population SD on the good side
   * @param scoreOf 0 to 100
   */
  constructor(random: Streams, size: number, make: (z: number) => Entry, scoreOf: (entry: Entry) => number) {
    this.#random = random
    const found = new Map<number, Entry[]>()
    for (let made = 0; made < size; made++) {
      const entry = make(-REACH + (2 * REACH * made) / (size - 1))
      const score = Math.round(scoreOf(entry))
      found.set(score, [...(found.get(score) ?? []), entry])
    }
    for (let score = 0; score <= 100; score++) {
      const nearest = [...found.keys()].reduce((best, each) =>
        Math.abs(each - score) < Math.abs(best - score) ? each : best,
      )
      this.#byScore.push(found.get(nearest) ?? [])
    }
  }

  /** An entry whose score is the nearest there is. */
  near(stream: number, score: number): Entry {
    return this.#random.pick(stream, this.#byScore[Math.round(clamp(score, 0, 100))] ?? [])
  }
}
