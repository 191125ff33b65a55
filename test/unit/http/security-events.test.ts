import { expect, test } from 'vitest'
import type { Database } from '../../../functions/_shared/database.ts'
import { ServiceError } from '../../../functions/_shared/errors.ts'
import { ForgedToken, noteError, noteSecurityEvent } from '../../../functions/_shared/http/security-events.ts'

type Written = { kind: unknown; account: unknown; address: unknown; times: unknown }

/** A database that notes what is written, as slowly as it is told. */
function recorder(wait: () => Promise<void> = async () => {}) {
  const written: Written[] = []
  let most = 0
  let running = 0
  const database = async (_: TemplateStringsArray, ...values: unknown[]) => {
    most = Math.max(most, ++running)
    await wait()
    running--
    written.push({ kind: values[0], account: values[1], address: values[2], times: values[4] })
    return []
  }
  // Only called as a template, which is all that is needed of it.
  return { database: database as unknown as Database, written, most: () => most }
}

const event = {
  kind: 'rate_limited',
  account: null,
  address: '203.0.113.7',
  reason: 'rate_limited',
  proof: null,
} as const

test('a flood is written one statement at a time, and none of it is lost', async () => {
  const { database, written, most } = recorder(() => new Promise((resolve) => setImmediate(resolve)))
  await Promise.all(Array.from({ length: 500 }, () => noteSecurityEvent(database, event)))
  expect(written.reduce((sum, { times }) => sum + Number(times), 0)).toBe(500)
  expect(written.length).toBeLessThan(5)
  expect(most()).toBe(1)
})

test('a database that fails fails no request, and later events are written', async () => {
  const broken = recorder(() => Promise.reject(new Error('away')))
  await noteSecurityEvent(broken.database, event)
  const { database, written } = recorder()
  await noteSecurityEvent(database, event)
  expect(written).toHaveLength(1)
})

test.each([
  [new ForgedToken('unauthorized', 'Not valid.'), ['token_refused']],
  [new ServiceError('forbidden', 'Not yours.'), ['access_refused']],
  [new ServiceError('rate_limited', 'Too many.'), ['rate_limited']],
  [new ServiceError('unauthorized', 'It has expired.'), []],
  [new ServiceError('not_found', 'Nothing here.'), []],
  [new Error('a fault of ours'), []],
])('%s is the event %j', async (error, kinds) => {
  const { database, written } = recorder()
  const request = new Request('https://example.edu', { headers: { 'cf-connecting-ip': '203.0.113.8' } })
  await noteError(database, request, error, 'an-account')
  expect(written.map(({ kind }) => kind)).toEqual(kinds)
  for (const { address, account } of written)
    expect([address, account]).toEqual(['203.0.113.8', 'an-account'])
})
