/** Within a function's wall clock; the next dispatch continues. */
const LONGEST_ROUND_MS = 90_000

/** Does what is due now, until there is nothing more or `hasEnded` says that the round is over. */
export type Look = (hasEnded: () => boolean) => Promise<void>

/**
 * Work that webhooks wake, one round of it at a time: a call during a round joins it, and the round looks once more before it
 * ends. A round is over after a while, and when the platform announces by `beforeunload` that it is about to end the isolate:
 * what is claimed at its end would wait for the end of its lease.
 *
 * @param begin begins a round; what it returns looks for what is due, once or more
 */
export function inRounds(
  platform: Pick<EventTarget, 'addEventListener'>,
  begin: () => Look,
): () => Promise<void> {
  let round: Promise<void> | undefined
  let calledAgain = false
  let ending = false
  platform.addEventListener('beforeunload', () => {
    ending = true
  })

  async function work(): Promise<void> {
    const ends = performance.now() + LONGEST_ROUND_MS
    const hasEnded = () => ending || performance.now() >= ends
    const look = begin()
    try {
      do {
        calledAgain = false
        await look(hasEnded)
      } while (calledAgain && !hasEnded())
    } finally {
      round = undefined
    }
  }

  return () => {
    calledAgain = true
    round ??= work()
    return round
  }
}
