import { expect, test } from 'vitest'
import { lastingPool, renewPools } from '../../src/postgres/connections.ts'

/** Pools that say which they are, and a list of those that were ended. */
function pools() {
  const ended: number[] = []
  let made = 0
  const connect = () => {
    const number = ++made
    const end = async (_options?: { timeout?: number }) => {
      ended.push(number)
    }
    return Object.assign(() => number, { end, number: () => number })
  }
  return { connect, ended }
}

test('a lasting pool is another one after it was renewed, and the lost one is ended', () => {
  const { connect, ended } = pools()
  const sql = lastingPool(connect)
  expect([sql(), sql.number()]).toEqual([1, 1])
  renewPools()
  expect([sql(), sql.number()]).toEqual([2, 2])
  expect(ended).toEqual([1])
})

test('a lasting pool that was ended is not made anew', async () => {
  const { connect, ended } = pools()
  const sql = lastingPool(connect)
  await sql.end()
  renewPools()
  expect(sql()).toBe(1)
  expect(ended).toEqual([1])
})
