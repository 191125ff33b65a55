import { describe, expect, it, vi } from 'vitest'
import { ConcurrencyLimit } from '../../src/gateway/concurrency-limit.ts'

/** Requests that end when they are told to; how many run. */
function crowd(limit: ConcurrencyLimit) {
  const running: (() => void)[] = []
  let mostAtOnce = 0
  return {
    running,
    mostAtOnce: () => mostAtOnce,
    send: (account?: string) =>
      limit.run(account, () => {
        const ended = new Promise<void>((resolve) => running.push(resolve))
        mostAtOnce = Math.max(mostAtOnce, running.length)
        return ended
      }),
    /** Ends one after the other, also those that begin meanwhile. */
    async endAll(): Promise<void> {
      while (running.length > 0) {
        running.shift()?.()
        await settled()
      }
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

const many = (count: number, send: () => Promise<void>) => Promise.all(Array.from({ length: count }, send))

describe('the limit of requests at a time', () => {
  it('lets four requests of an account through at a time', async () => {
    const { send, endAll, mostAtOnce } = crowd(new ConcurrencyLimit())
    const all = many(20, () => send('one'))
    await settled()
    await endAll()
    await all
    expect(mostAtOnce()).toBe(4)
  })

  it('lets one through at a time after a burst, and passes it by for others', async () => {
    const limit = new ConcurrencyLimit()
    const burst = crowd(limit)
    const all = many(30, () => burst.send('one'))
    await settled()
    await burst.endAll()
    await all

    const { send, running, endAll, mostAtOnce } = crowd(limit)
    const later = many(10, () => send('one'))
    await settled()
    expect(running).toHaveLength(1)
    const other = send('other')
    expect(running).toHaveLength(2)
    await endAll()
    await Promise.all([later, other])
    expect(mostAtOnce()).toBe(2)
  })

  it('forgets a burst after a while', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(20_000)
    try {
      const limit = new ConcurrencyLimit()
      const burst = crowd(limit)
      const all = many(30, () => burst.send('one'))
      await settled()
      await burst.endAll()
      await all
      now.mockReturnValue(31_000)
      const { send, endAll, mostAtOnce } = crowd(limit)
      const later = many(10, () => send('one'))
      await settled()
      await endAll()
      await later
      expect(mostAtOnce()).toBe(4)
    } finally {
      now.mockRestore()
    }
  })

  it('goes on after requests that fail', async () => {
    const limit = new ConcurrencyLimit()
    const failing = () => limit.run('one', () => Promise.reject(new Error('invented fault')))
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, failing))
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    expect(await limit.run('one', async () => 'served')).toBe('served')
  })

  it('holds nobody up who has no account', async () => {
    const { send, running, endAll } = crowd(new ConcurrencyLimit())
    const all = many(50, () => send())
    expect(running).toHaveLength(50)
    await endAll()
    await all
  })
})
