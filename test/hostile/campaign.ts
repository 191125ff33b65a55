import type { Attempt } from './attempts.ts'
import { type NoAnswer, type RawAnswer, sendRaw } from './raw-http.ts'

/** A request that was answered wrongly. */
export type Failure = { attempt: Attempt; answer: RawAnswer | NoAnswer; faults: string[] }

/** How a campaign went. */
export type Outcome = {
  requests: number
  seconds: number
  failures: Failure[]
  /** Answers by call and status, `POST /checkins/start 200`. */
  answers: Map<string, number>
}

/** So many are under way at once. */
const AT_ONCE = 32

/** Says what is wrong with an answer. */
export type Judge = (attempt: Attempt, answer: RawAnswer | NoAnswer) => Promise<string[]> | string[]

/** Sends the requests with these numbers and judges each answer. */
export async function attack(
  port: number,
  attempts: { at(number: number): Attempt },
  numbers: readonly number[],
  judge: Judge,
): Promise<Outcome> {
  const started = performance.now()
  const outcome: Outcome = { requests: numbers.length, seconds: 0, failures: [], answers: new Map() }
  const waiting = numbers.values()
  const work = async () => {
    for (const number of waiting) {
      const attempt = attempts.at(number)
      const answer = await sendRaw(port, attempt.request)
      const faults = await judge(attempt, answer)
      if (faults.length > 0) outcome.failures.push({ attempt, answer, faults })
      const key = `${attempt.name} ${typeof answer === 'string' ? 'nothing' : answer.status}`
      outcome.answers.set(key, (outcome.answers.get(key) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  outcome.seconds = (performance.now() - started) / 1000
  return outcome
}
