import { expect, test } from 'vitest'
import type { Database } from '../../../functions/_shared/database.ts'
import { ServiceError } from '../../../functions/_shared/errors.ts'
import { ForgedToken, noteError, noteSecurityEvent } from '../../../functions/_shared/http/security-events.ts'

type Written = { kind: unknown; account: unknown; address: unknown; source: unknown; times: unknown }

/** A database that notes what is written, as slowly as it is told. */
function recorder(wait: () => Promise<void> = async () => {}) {
  const written: Written[] = []
  let most = 0
  let running = 0
  const database = async (_: TemplateStringsArray, ...values: unknown[]) => {
    most = Math.max(most, ++running)
    await wait()
    running--
    const [kind, account, address, , source, times] = values
    written.push({ kind, account, address, source, times })
    return []
  }
  // Only called as a template, which is all that is needed of it.
  return { database: database as unknown as Database, written, most: () => most }
}

const event = { kind: 'rate_limited', reason: 'rate_limited' } as const

const requestWith = (headers: Record<string, string> = {}) =>
  new Request('https://example.edu', { headers: { 'cf-connecting-ip': '203.0.113.8', ...headers } })

test('a flood is written one statement at a time, and none of it is lost', async () => {
  const { database, written, most } = recorder(() => new Promise((resolve) => setImmediate(resolve)))
  await Promise.all(Array.from({ length: 500 }, () => noteSecurityEvent(database, requestWith(), event)))
  expect(written.reduce((sum, { times }) => sum + Number(times), 0)).toBe(500)
  expect(written.length).toBeLessThan(5)
  expect(most()).toBe(1)
})

test('a database that fails fails no request, and later events are written', async () => {
  const broken = recorder(() => Promise.reject(new Error('away')))
  await noteSecurityEvent(broken.database, requestWith(), event)
  const { database, written } = recorder()
  await noteSecurityEvent(database, requestWith(), event)
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
  await noteError(database, requestWith(), error, 'an-account')
  expect(written.map(({ kind }) => kind)).toEqual(kinds)
  for (const { address, account } of written)
    expect([address, account]).toEqual(['203.0.113.8', 'an-account'])
})

const page = 'https://elsewhere.example.org'

test.each([
  ['an app', {}, false],
  ['a page of the same host', { 'sec-fetch-site': 'same-origin', origin: 'https://example.edu' }, false],
  ['a person who typed the address', { 'sec-fetch-site': 'none' }, false],
  ['an older browser on a page of the same host', { origin: 'https://example.edu' }, false],
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }, true],
  ['a page of another host of the same domain', { 'sec-fetch-site': 'same-site' }, true],
  ['a page in an older browser', { origin: page }, true],
  ['a page without an address', { origin: 'null' }, true],
])(
  'what %s sends is recorded against its address unless another page had it sent',
  async (_, headers, byOther) => {
    const { database, written } = recorder()
    await noteSecurityEvent(database, requestWith(headers), event)
    await noteSecurityEvent(database, requestWith(headers), { ...event, account: 'an-account' })
    expect(written.map(({ address, source }) => [address, source])).toEqual(
      byOther
        ? [
            [null, 'pages'],
            [null, 'functions'],
          ]
        : [
            ['203.0.113.8', 'functions'],
            ['203.0.113.8', 'functions'],
          ],
    )
  },
)
