import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import installed from 'postgres'
import { expect, test } from 'vitest'
import postgres from '../../../functions/_vendor/postgres.js'

/** A message of the Postgres protocol, as a server sends it. */
function message(kind: string, body: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + body.length)
  return Buffer.concat([Buffer.from(kind), length, Buffer.from(body)])
}

/** A server that accepts everybody and does as it is told with every statement. */
async function lenientServer(
  respond: (socket: Socket) => void,
): Promise<{ port: number; connection: Promise<Socket>; close(): void }> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I')]))
      socket.on('data', () => respond(socket))
    })
  })
  const connection = once(server, 'connection').then(([socket]: Socket[]) => {
    if (!socket) throw new Error('connected to nothing')
    return socket
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, connection, close: () => server.close() }
}

test('a statement after the connection of its transaction was lost ends no process', async () => {
  const server = await lenientServer((socket) => {
    socket.write(Buffer.concat([message('C', 'BEGIN\0'), message('Z', 'T')]))
  })
  const sql = postgres({
    host: '127.0.0.1',
    port: server.port,
    user: 'any',
    max: 1,
    fetch_types: false,
    prepare: false,
    ssl: false,
  })
  const lost = Promise.withResolvers<void>()
  const written = Promise.withResolvers<void>()
  const transaction = sql.begin(async (tx) => {
    const socket = await server.connection
    socket.destroy()
    await lost.promise
    // Nobody waits for it: the transaction has failed already.
    void tx`select 1`.catch(() => {})
    await new Promise((written) => setImmediate(() => setImmediate(written)))
    written.resolve()
  })
  await expect(transaction).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  lost.resolve()
  await written.promise
  await sql.end({ timeout: 0 })
  server.close()
})

test('a connection that is lost while the library asks about types ends no process', async () => {
  const uncaught: unknown[] = []
  const hear = (error: unknown) => uncaught.push(error)
  process.on('unhandledRejection', hear)
  const server = await lenientServer((socket) => socket.resetAndDestroy())
  const sql = postgres({
    host: '127.0.0.1',
    port: server.port,
    user: 'any',
    max: 1,
    prepare: false,
    ssl: false,
  })
  await expect(sql`select 1`.execute()).rejects.toMatchObject({ code: 'ECONNRESET' })
  await sql.end({ timeout: 0 })
  await new Promise((heard) => setImmediate(heard))
  process.off('unhandledRejection', hear)
  expect(uncaught).toEqual([])
  server.close()
})

test.each([
  ['the installed package', installed],
  ['the bundle', postgres],
])(
  'a statement that is sent while its connection is being lost ends, and those after it are run: %s',
  async (_, client) => {
    let statements = 0
    const server = await lenientServer((socket) => {
      if (++statements === 2) socket.resetAndDestroy()
      else socket.write(Buffer.concat([message('C', 'SELECT 1\0'), message('Z', 'I')]))
    })
    const sql = client({
      ...{ host: '127.0.0.1', port: server.port, user: 'any', ssl: false },
      ...{ max: 1, fetch_types: false, prepare: false },
    })
    const run = () => sql.unsafe('select 1').execute()
    await run()
    // As a worker does that notes why its job failed, and a scheduler that takes back the session of a run.
    await expect(run().catch(run)).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    await run()
    await run()
    await sql.end({ timeout: 0 })
    server.close()
  },
)
