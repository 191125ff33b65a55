import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { route } from '../../../functions/_shared/http/route.ts'
import { endpoint } from '../../../functions/_shared/http/serve.ts'
import { projectClient } from '../../../functions/_shared/platform/clients.ts'
import { functionOf, services } from './serving.ts'

const find = route({
  id: 'find',
  method: 'get',
  path: '/shelf/{book}',
  tag: 'Shelf',
  summary: 'Finds a book',
  security: 'none',
  reachable: 'always',
  params: z.strictObject({ book: z.string().max(20) }),
  query: z.strictObject({
    page: z.coerce.number().int().min(1).default(1),
    filters: z.strictObject({ author: z.string().optional(), year: z.string().optional() }).optional(),
  }),
  response: z.unknown(),
  errorMembers: { success: false, data: null },
})

const place = route({
  id: 'place',
  method: 'put',
  path: '/shelf/{book}',
  tag: 'Shelf',
  summary: 'Places a book',
  security: 'none',
  reachable: 'always',
  body: z.strictObject({ title: z.string() }),
  maxBytes: 100,
  response: z.unknown(),
  status: 202,
})

const borrow = route({
  id: 'borrow',
  method: 'post',
  path: '/loans',
  tag: 'Shelf',
  summary: 'Borrows a book',
  security: 'user',
  reachable: 'always',
  body: z.strictObject({ title: z.string() }),
  response: z.unknown(),
})

const reserve = route({
  id: 'reserve',
  method: 'post',
  path: '/reservations',
  tag: 'Shelf',
  summary: 'Reserves a book',
  security: 'none',
  reachable: 'always',
  deprecation: {
    since: '2026-12-01',
    sunset: '2027-06-01',
    guide: 'https://docs.example.edu/loans',
  },
  body: z.strictObject({ title: z.string() }),
  response: z.unknown(),
})

const shelf = functionOf([
  endpoint(find, async (input) => input),
  endpoint(place, async (input) => input),
  endpoint(borrow, async (input) => input),
  endpoint(reserve, async (input) => input),
])

/** What the handler received, or the error. */
async function responseTo(path: string, init?: RequestInit) {
  const response = await shelf(path, init)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const put = (body: string) => responseTo('/shelf/emma', { method: 'PUT', body })

describe('the query of an address', () => {
  test('is read by its schema, with what is usual where it says nothing', async () => {
    expect((await responseTo('/shelf/emma')).body).toEqual({ params: { book: 'emma' }, query: { page: 1 } })
    expect((await responseTo('/shelf/emma?page=3')).body.query).toEqual({ page: 3 })
  })

  test('holds objects as name[member]', async () => {
    const { body } = await responseTo('/shelf/emma?filters[author]=Austen&filters%5Byear%5D=1815')
    expect(body.query.filters).toEqual({ author: 'Austen', year: '1815' })
  })

  test('keeps the last of a name that comes twice', async () => {
    expect((await responseTo('/shelf/emma?page=2&page=5')).body.query).toEqual({ page: 5 })
    const mixed = await responseTo('/shelf/emma?filters=all&filters[author]=Austen')
    expect(mixed.body.query.filters).toEqual({ author: 'Austen' })
  })

  test.each([
    '?page=0',
    '?page=one',
    '?page[first]=1',
    '?filters=all',
    '?filters[author][first]=Jane',
    '?unknown=1',
    '?__proto__[polluted]=1',
    '?constructor[prototype]=1',
    '?filters[__proto__]=1',
  ])('rejects %s', async (query) => {
    const { status, body } = await responseTo(`/shelf/emma${query}`)
    expect([status, body.code]).toEqual([400, 'invalid_parameters'])
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

test('a call that will end says so, also where it fails', async () => {
  const post = (body: string) => responseTo('/reservations', { method: 'POST', body })
  for (const { headers } of [await post('{"title":"Emma"}'), await post('{')]) {
    expect(headers.get('deprecation')).toBe('@1796083200')
    expect(headers.get('sunset')).toBe('Tue, 01 Jun 2027 00:00:00 GMT')
    expect(headers.get('link')).toBe('<https://docs.example.edu/loans>; rel="deprecation"')
  }
  const { headers } = await put('{"title":"Emma"}')
  expect(headers.has('deprecation') || headers.has('sunset')).toBe(false)
})

test('parts of the path are decoded, and no more than once', async () => {
  expect((await responseTo('/shelf/jane%20eyre')).body.params).toEqual({ book: 'jane eyre' })
  expect((await responseTo('/shelf/50%2525')).body.params).toEqual({ book: '50%25' })
  expect((await responseTo('/shelf/%E0%A4%A')).status).toBeLessThan(500)
})

describe('a body', () => {
  test('is validated and given to the handler', async () => {
    const { status, body } = await put('{"title":"Emma"}')
    expect([status, body.body]).toEqual([202, { title: 'Emma' }])
  })

  test.each([
    ['invalid_json', '{"title":'],
    ['invalid_parameters', '{"title":1}'],
    ['invalid_parameters', ''],
    ['invalid_parameters', '{"title":"Emma","__proto__":{}}'],
    ['body_too_large', `{"title":"${'a'.repeat(100)}"}`],
  ])('is rejected as %s: %s', async (code, text) => {
    expect(await put(text)).toMatchObject({ status: 400, body: { code } })
  })
})

test('an error carries the members of its route, and those of no other', async () => {
  const rejected = await responseTo('/shelf/emma?page=0')
  expect(rejected.body).toEqual({
    success: false,
    data: null,
    error: expect.any(String),
    code: 'invalid_parameters',
    details: expect.any(Object),
    timestamp: expect.any(String),
  })
  expect(Object.keys((await put('{')).body).sort()).toEqual(['code', 'error', 'timestamp'])
})

test('a call for signed-in people is rejected before anything of it is read', async () => {
  const rejected = await responseTo('/loans', { method: 'POST', body: '{' })
  expect(rejected).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
})

/** An Auth that takes a token's first part for the account. */
async function startAuth() {
  const auth = createServer((request, response) => {
    const id = request.headers.authorization?.replace(/^Bearer |\..*/g, '')
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ id, role: 'authenticated' }))
  })
  await once(auth.listen(0, '127.0.0.1'), 'listening')
  const { port } = auth.address() as AddressInfo
  const supabase = projectClient({
    supabaseUrl: `http://127.0.0.1:${port}`,
    secretKey: 'invented-secret-key',
  })
  return { auth, supabase }
}

test('a call that ends with an error is given to who acts on it, whatever refused it', async () => {
  const { auth, supabase } = await startAuth()
  const acted: unknown[] = []
  const lend = (reachable: 'always' | undefined) => {
    const made = endpoint(
      { ...borrow, reachable },
      async () => 'lent',
      async ({ account, ended, body }) => {
        acted.push({ account, ended, body })
        return { help: 'is near' }
      },
    )
    return functionOf([made], { ...services, supabase })
  }
  const headers = { authorization: 'Bearer reader.invented.token' }
  const send = async (reachable: 'always' | undefined, body: string) => {
    const response = await lend(reachable)('/loans', { method: 'POST', headers, body })
    return { status: response.status, body: await response.json() }
  }
  try {
    expect(await send('always', '{"title":"Emma"}')).toMatchObject({ status: 200, body: 'lent' })
    expect(acted).toEqual([])
    expect(await send('always', '{"name":"Emma"}')).toMatchObject({
      status: 400,
      body: { code: 'invalid_parameters', details: { issues: expect.any(Array), help: 'is near' } },
    })
    // Of a barrier before anything is read: no database says whether the address is blocked.
    expect(await send(undefined, '{"title":"Emma"}')).toMatchObject({
      status: 500,
      body: { details: { help: 'is near' } },
    })
    expect(acted).toEqual([
      { account: 'reader', ended: false, body: { name: 'Emma' } },
      { account: 'reader', ended: false, body: { title: 'Emma' } },
    ])
    expect((await send('always', '{')).body).not.toHaveProperty('details')
  } finally {
    auth.close()
  }
})

test('calls of one person run two at a time, those of another pass', async () => {
  const { auth, supabase } = await startAuth()
  const begun: string[] = []
  const end = Promise.withResolvers<void>()
  const lend = endpoint(borrow, async ({ body }, { caller }) => {
    begun.push(caller.userId)
    await end.promise
    return body
  })
  const loans = functionOf([lend], { ...services, supabase })
  const send = (account: string) =>
    loans('/loans', {
      method: 'POST',
      headers: { authorization: `Bearer ${account}.invented.token` },
      body: '{"title":"Emma"}',
    })
  try {
    const busy = Array.from({ length: 10 }, () => send('busy'))
    await vi.waitFor(() => expect(begun).toEqual(['busy', 'busy']))
    const other = send('other')
    await vi.waitFor(() => expect(begun).toEqual(['busy', 'busy', 'other']))
    end.resolve()
    const statuses = (await Promise.all([...busy, other])).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(begun).toHaveLength(11)
  } finally {
    end.resolve()
    auth.close()
  }
})

describe('a method that an address does not take', () => {
  test('is rejected with the methods that it does', async () => {
    const rejected = await responseTo('/shelf/emma', { method: 'DELETE' })
    expect(rejected).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
    expect(rejected.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'PUT'])
    expect((await responseTo('/loans')).headers.get('allow')).toBe('POST')
  })

  test('is told apart from an address where there is nothing', async () => {
    for (const path of ['/', '/shelf', '/shelf/', '/shelf//', '/shelf/emma/pages', '/loan', '//loans']) {
      expect(await responseTo(path, { method: 'DELETE' }), path).toMatchObject({ status: 404 })
    }
  })
})

test('HEAD responds as GET does, without the body', async () => {
  const head = await shelf('/shelf/emma', { method: 'HEAD' })
  expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
    200,
    'application/json; charset=utf-8',
    '',
  ])
  expect((await shelf('/loans', { method: 'HEAD' })).status).toBe(405)
})

test('OPTIONS needs no token, for every address', async () => {
  const preflight = await shelf('/loans', { method: 'OPTIONS' })
  expect([preflight.status, await preflight.text()]).toEqual([204, ''])
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
})

test('every response names the version and the request', async () => {
  for (const [path, method] of [
    ['/shelf/emma', 'GET'],
    ['/shelf/emma?page=0', 'GET'],
    ['/shelf/emma', 'OPTIONS'],
    ['/loans', 'POST'],
    ['/nothing', 'GET'],
  ] as const) {
    const { headers } = await shelf(path, { method, headers: { 'x-request-id': 'an-invented-id' } })
    expect([headers.get('api-version'), headers.get('x-request-id')]).toEqual(['2.0', 'an-invented-id'])
  }
})
