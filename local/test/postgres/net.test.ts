import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNet } from '../../src/net.ts'
import { eventually, freePort, startTestCluster } from './cluster.ts'

let cluster: Awaited<ReturnType<typeof startTestCluster>>
beforeAll(async () => {
  cluster = await startTestCluster()
})
afterAll(() => cluster.stop())

interface Exchange {
  sql: postgres.Sql
  origin: string
  seen: { method?: string; url?: string; headers: IncomingMessage['headers']; body: string }[]
}

/** A database with pg_net, the sender, and a web server that responds with `respond`. */
async function withSender(
  respond: (response: ServerResponse, request: IncomingMessage) => void,
  use: (exchange: Exchange) => Promise<void>,
): Promise<void> {
  const seen: Exchange['seen'] = []
  const web = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push({ method: request.method, url: request.url, headers: request.headers, body })
    respond(response, request)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => web.listen(port, '127.0.0.1', resolve))
  const { url, adminUrl } = await cluster.database()
  const sender = startNet({ adminUrl, log: () => {} })
  const sql = postgres(url, { max: 2, onnotice: () => {} })
  try {
    await sql`create extension pg_net`
    await use({ sql, origin: `http://127.0.0.1:${port}`, seen })
  } finally {
    await sender.stop()
    await sql.end()
    web.closeAllConnections()
    await new Promise((resolve) => web.close(resolve))
  }
}

const responseTo = (sql: postgres.Sql, id: string) =>
  eventually(async () => {
    const [row] = await sql`select * from net._http_response where id = ${id}`
    return row
  })

describe('startNet', () => {
  it('posts the body, parameters and headers, and stores the response', async () => {
    await withSender(
      (response) => response.writeHead(201, { 'content-type': 'text/plain', 'x-mark': 'm' }).end('made'),
      async ({ sql, origin, seen }) => {
        const [row] = await sql`
          select net.http_post(
            ${`${origin}/hook?a=1`}, '{"b":[1,"ü"]}', '{"q":"ä b&c"}', '{"X-Key":"k"}'
          ) as id`
        expect(await responseTo(sql, row?.id)).toMatchObject({
          status_code: 201,
          content_type: 'text/plain',
          content: 'made',
          headers: { 'x-mark': 'm' },
          timed_out: false,
          error_msg: null,
        })
        expect(seen).toHaveLength(1)
        expect(seen[0]).toMatchObject({
          method: 'POST',
          url: '/hook?a=1&q=%C3%A4%20b%26c',
          headers: { 'content-type': 'application/json', 'x-key': 'k' },
        })
        expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ b: [1, 'ü'] })
      },
    )
  })

  it('sends get and delete, and does not follow redirects', async () => {
    await withSender(
      (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
      async ({ sql, origin, seen }) => {
        const [row] = await sql`
          select net.http_get(${`${origin}/a`}) as got, net.http_delete(${`${origin}/b`}) as deleted`
        expect(await responseTo(sql, row?.got)).toMatchObject({ status_code: 302 })
        expect(await responseTo(sql, row?.deleted)).toMatchObject({ status_code: 302 })
        expect(seen.map(({ method, url }) => `${method} ${url}`).sort()).toEqual(['DELETE /b', 'GET /a'])
      },
    )
  })

  it('gives up after the time limit', async () => {
    await withSender(
      () => {},
      async ({ sql, origin }) => {
        const [row] = await sql`select net.http_get(${origin}, timeout_milliseconds := 50) as id`
        expect(await responseTo(sql, row?.id)).toMatchObject({
          status_code: null,
          timed_out: true,
          error_msg: 'Timeout of 50 ms reached',
        })
      },
    )
  })

  it('stores why an address could not be reached', async () => {
    await withSender(
      (response) => response.end(),
      async ({ sql }) => {
        const [row] = await sql`select net.http_get(${`http://127.0.0.1:${await freePort()}/`}) as id`
        const response = await responseTo(sql, row?.id)
        expect(response).toMatchObject({ status_code: null, timed_out: false })
        expect(response.error_msg).toContain('ECONNREFUSED')
      },
    )
  })

  it('sends nothing for a transaction that is rolled back', async () => {
    await withSender(
      (response) => response.end(),
      async ({ sql, origin, seen }) => {
        await sql
          .begin(async (transaction) => {
            await transaction`select net.http_get(${`${origin}/undone`})`
            throw new Error('undo')
          })
          .catch(() => {})
        const [row] = await sql`select net.http_get(${`${origin}/kept`}) as id`
        await responseTo(sql, row?.id)
        expect(seen.map(({ url }) => url)).toEqual(['/kept'])
      },
    )
  })

  it('sends a batch of 200 at once, and each request once', async () => {
    const waiting: ServerResponse[] = []
    await withSender(
      (response) => {
        if (waiting.push(response) % 200 === 0 || waiting.length === 250)
          for (const held of waiting) held.end()
      },
      async ({ sql, origin, seen }) => {
        await sql`select net.http_get(${origin} || '/' || n) from generate_series(1, 250) as n`
        await eventually(async () => (await sql`select from net._http_response`).length === 250)
        expect(new Set(seen.map(({ url }) => url)).size).toBe(250)
        expect(seen).toHaveLength(250)
      },
    )
  })

  it('takes no more until the slowest request of the batch has ended, and stores a batch at once', async () => {
    const events: string[] = []
    await withSender(
      (response, { url }) => {
        if (url === '/slow') response.once('close', () => events.push('slow has ended'))
        else response.end()
        if (url === '/next') events.push('next is sent')
      },
      async ({ sql, origin, seen }) => {
        await sql`
          select net.http_get(${`${origin}/slow`}, timeout_milliseconds := 1000), net.http_get(${`${origin}/quick`})`
        await eventually(async () => seen.length === 2)
        const [row] = await sql`select net.http_get(${`${origin}/next`}) as id`
        await responseTo(sql, row?.id)
        expect(events).toEqual(['slow has ended', 'next is sent'])
        const batches =
          await sql`select count(*)::int as size from net._http_response group by created order by 1`
        expect(batches.map(({ size }) => size)).toEqual([1, 2])
      },
    )
  })

  it('sends the requests of a batch again that it could not finish', async () => {
    const { url, adminUrl } = await cluster.database()
    const sql = postgres(url, { max: 2, onnotice: () => {} })
    const seen: ServerResponse[] = []
    const web = createServer((_, response) => {
      if (seen.push(response) > 1) response.end('second')
    })
    const port = await freePort()
    await new Promise<void>((resolve) => web.listen(port, '127.0.0.1', resolve))
    await sql`create extension pg_net`
    const first = startNet({ adminUrl, log: () => {} })
    const [row] = await sql`select net.http_get(${`http://127.0.0.1:${port}/`}) as id`
    await eventually(async () => seen.length === 1)
    await first.stop()
    const second = startNet({ adminUrl, log: () => {} })
    try {
      expect(await responseTo(sql, row?.id)).toMatchObject({ content: 'second' })
    } finally {
      await second.stop()
      await sql.end()
      web.closeAllConnections()
      await new Promise((resolve) => web.close(resolve))
    }
  })

  it('stores a response up to its first NUL', async () => {
    await withSender(
      (response) => response.end('a\0b'),
      async ({ sql, origin }) => {
        const [row] = await sql`select net.http_get(${origin}) as id`
        expect(await responseTo(sql, row?.id)).toMatchObject({ content: 'a' })
      },
    )
  })

  it('goes on after Postgres was killed', async () => {
    await withSender(
      (response) => response.end('ok'),
      async ({ sql, origin }) => {
        const killed = cluster.server.pid()
        if (killed) process.kill(killed, 'SIGKILL')
        // What is queued before the crash is lost with it, as with pg_net.
        await eventually(async () => cluster.server.pid() !== undefined && cluster.server.pid() !== killed)
        const id = await eventually(async () => {
          const [row] = await sql`select net.http_get(${origin}) as id`
          return row?.id
        })
        expect(await responseTo(sql, id)).toMatchObject({ status_code: 200, content: 'ok' })
      },
    )
  })

  it('rejects a body that is not declared as JSON', async () => {
    await withSender(
      (response) => response.end(),
      async ({ sql, origin }) => {
        const attempt = sql`select net.http_post(${origin}, '{}', '{}', '{"Content-Type":"text/plain"}')`
        await expect(attempt).rejects.toThrow('Content-Type header must be "application/json"')
      },
    )
  })

  it('tells whether a response has come', async () => {
    await withSender(
      (response) => response.end('done'),
      async ({ sql, origin }) => {
        const [row] = await sql`select net.http_get(${origin}) as id`
        const [response] = await sql`
          select (result).status, ((result).response).body
          from net.http_collect_response(${row?.id}, false) as result`
        expect(response).toEqual({ status: 'SUCCESS', body: 'done' })
      },
    )
  })
})
