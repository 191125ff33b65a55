import { ServiceError } from '../errors.ts'

/**
 * Requests of one sender that run in one process at a time. A process has one thread and two connections to the database, so
 * that more at once end no sooner, and everybody else's wait behind them.
 */
const MAX_RUNNING = 2

/** Most requests of one sender that wait: more than any of its limits lets through in a minute. */
const MAX_WAITING = 200

/** Longest wait, ms. */
const MAX_WAIT_MS = 30_000

/** When to try again, seconds. */
const RETRY_AFTER_S = 5

type Sender = { running: number; waiting: Set<() => void> }

const senders = new Map<string, Sender>()

/**
 * Runs a request as soon as fewer of its sender's run than may: first come, first served among those of one sender; those of
 * others pass.
 *
 * Throws `busy` when too many wait already, or the wait was too long.
 */
export async function limitConcurrency<Result>(sender: string, run: () => Promise<Result>): Promise<Result> {
  const own = senders.get(sender) ?? { running: 0, waiting: new Set() }
  senders.set(sender, own)
  if (own.running < MAX_RUNNING) own.running++
  else await freePlace(own)
  try {
    return await run()
  } finally {
    const [next] = own.waiting
    // The place goes to the next one.
    if (next) next()
    else if (--own.running === 0) senders.delete(sender)
  }
}

function freePlace({ waiting }: Sender): Promise<void> {
  if (waiting.size >= MAX_WAITING) throw busy()
  return new Promise((resolve, reject) => {
    const begin = () => {
      clearTimeout(timer)
      waiting.delete(begin)
      resolve()
    }
    const timer = setTimeout(() => {
      waiting.delete(begin)
      reject(busy())
    }, MAX_WAIT_MS)
    waiting.add(begin)
  })
}

function busy(): ServiceError {
  return new ServiceError(
    'busy',
    `Other requests of yours are still running. Try again in ${RETRY_AFTER_S} s.`,
    {
      retry_after_s: RETRY_AFTER_S,
    },
  )
}
