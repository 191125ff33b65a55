import { setTimeout } from 'node:timers/promises'
import { styleText } from 'node:util'

/** Tells a story in numbered steps, and waits for what must happen in it. */
export class Narrator {
  readonly #print: (line: string) => void
  readonly #patience: number
  #steps = 0

  /**
   * @param patience how long to wait for each thing, seconds
   * @param print takes each line
   */
  constructor(patience: number, print: (line: string) => void) {
    this.#patience = patience
    this.#print = print
  }

  /** Begins the next step. */
  step(title: string): void {
    this.#steps += 1
    this.#print(`\n${styleText('bold', `${this.#steps}. ${title}`)}`)
  }

  say(line: string): void {
    this.#print(`   ${line}`)
  }

  /** A message as it arrived. */
  quote(text: string): void {
    for (const line of text.trim().split('\n')) this.#print(styleText('dim', `   │ ${line}`))
  }

  /** What is not as it would be outside of the demonstration. */
  aside(line: string): void {
    this.#print(styleText('dim', `   (${line})`))
  }

  /** Polls until something is there. @throws Error that says what did not happen in time */
  async until<Found>(what: string, find: () => Promise<Found | null | undefined>): Promise<Found> {
    const end = performance.now() + this.#patience * 1000
    for (;;) {
      const found = await find()
      if (found !== null && found !== undefined) return found
      if (performance.now() > end) throw new Error(`${what}: not within ${this.#patience} s`)
      await setTimeout(200)
    }
  }

  /** @throws Error that says what was expected and what happened, unless they are the same */
  expect<Value>(what: string, actual: Value, expected: Value): void {
    const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)]
    if (is !== should) throw new Error(`${what}: ${is}, not ${should}`)
  }
}
