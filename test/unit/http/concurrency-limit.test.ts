import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { limitConcurrency } from '../../../functions/_shared/http/concurrency-limit.ts'

const busy = expect.objectContaining({ code: 'busy', status: 503, details: { retry_after_s: 5 } })

/** Requests that end when they are told to; the names of those that have begun. */
function crowd() {
  const begun: string[] = []
  const running: PromiseWithResolvers<void>[] = []
  return {
    begun,
    send(sender: string, name = sender): Promise<string> {
      return limitConcurrency(sender, async () => {
        begun.push(name)
        const end = Promise.withResolvers<void>()
        running.push(end)
        await end.promise
        return name
      })
    },
    endFirst: () => running.shift()?.resolve(),
    failFirst: () => running.shift()?.reject(new Error('invented fault')),
    /** Ends everything, also what begins meanwhile. */
    async endAll(): Promise<void> {
      while (running.length > 0) {
        running.shift()?.resolve()
        await settled()
      }
    },
  }
}

const settled = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('requests of one sender', () => {
  test('run two at a time, the others in the order in which they came', async () => {
    const { begun, send, endFirst, endAll } = crowd()
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => send('one', name)))
    await settled()
    expect(begun).toEqual(['a', 'b'])
    endFirst()
    await settled()
    expect(begun).toEqual(['a', 'b', 'c'])
    await endAll()
    expect(await all).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('leave the way free for those of others', async () => {
    const { begun, send, endAll } = crowd()
    const all = Promise.all([...Array.from({ length: 20 }, () => send('many')), send('other')])
    await settled()
    expect(begun).toEqual(['many', 'many', 'other'])
    await endAll()
    await all
  })

  test('give their place on when they fail', async () => {
    const { begun, send, failFirst, endAll } = crowd()
    const failing = expect(send('one', 'a')).rejects.toThrow('invented fault')
    const others = Promise.all(['b', 'c'].map((name) => send('one', name)))
    await settled()
    failFirst()
    await failing
    await settled()
    expect(begun).toEqual(['a', 'b', 'c'])
    await endAll()
    await others
  })

  test('are rejected when two hundred wait', async () => {
    const { begun, send, endAll } = crowd()
    const all = Promise.all(Array.from({ length: 202 }, () => send('one')))
    await expect(send('one')).rejects.toEqual(busy)
    await endAll()
    await all
    expect(begun).toHaveLength(202)
  })

  test('are rejected when they have waited for half a minute, and do not run then', async () => {
    const { begun, send, endAll } = crowd()
    const running = Promise.all(['a', 'b'].map((name) => send('one', name)))
    const late = expect(send('one', 'late')).rejects.toEqual(busy)
    await vi.advanceTimersByTimeAsync(30_000)
    await late
    await endAll()
    await running
    expect(begun).toEqual(['a', 'b'])
  })

  test('leave nothing behind: all places are free again', async () => {
    for (let round = 0; round < 3; round++) {
      const { begun, send, endAll } = crowd()
      const all = Promise.all(Array.from({ length: 5 }, () => send('again')))
      await settled()
      expect(begun).toHaveLength(2)
      await endAll()
      await all
    }
  })
})
