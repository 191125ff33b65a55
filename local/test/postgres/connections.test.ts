import { execFileSync } from 'node:child_process'
import postgres from 'postgres'
import { expect, test } from 'vitest'
import { lastingPool, listen, lostConnectionFault, renewPools } from '../../src/postgres/connections.ts'
import { startTestCluster } from './cluster.ts'

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

test('a listener is told that it has connected before the first notification, however soon that comes', async () => {
  const cluster = await startTestCluster()
  const { adminUrl } = cluster.server
  const sql = postgres(adminUrl, { max: 2, onnotice: () => {} })
  const heard: (string | undefined)[] = []
  try {
    await sql`create table enough ()`
    const speech = sql
      .unsafe(`
        do $$ begin
          loop
            perform pg_notify('spoken', '');
            commit;
            exit when exists (select from enough);
          end loop;
        end $$`)
      .execute()
    const listener = listen(adminUrl, 'spoken', (payload) => heard.push(payload))
    while (heard.length < 2) {
      // A process that has other work to do reads the reply to `listen` together with what follows it.
      const ends = performance.now() + 30
      while (performance.now() < ends);
      await new Promise((resolve) => setImmediate(resolve))
    }
    await sql`insert into enough default values`
    await speech
    await listener.stop()
    expect(heard[0]).toBeUndefined()
    expect(heard.filter((payload) => payload === undefined)).toHaveLength(1)
  } finally {
    await sql.end({ timeout: 1 })
    await cluster.stop()
  }
})

// A server that accepts everybody and cuts the connection at the first statement, which is the library's own.
const cuttingServer = `
  import { createServer } from 'node:net'
  import postgres from 'postgres'
  import { surviveLostConnections } from '${new URL('../../src/postgres/connections.ts', import.meta.url).href}'
  const message = (kind, body) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(4 + body.length)
    return Buffer.concat([Buffer.from(kind), length, Buffer.from(body)])
  }
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', '\\0\\0\\0\\0'), message('Z', 'I')]))
      socket.on('data', () => socket.resetAndDestroy())
    })
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  if (process.argv.includes('survive')) surviveLostConnections()
  const sql = postgres({ host: '127.0.0.1', port: server.address().port, user: 'any', max: 1, ssl: false })
  const error = await sql\`select 1\`.catch((error) => error)
  await new Promise((later) => setTimeout(later, 100))
  process.stdout.write(error.code)
  process.exit(0)`

test('a connection that is lost while the library asks about types ends no process that survives lost connections', () => {
  const run = (...args: string[]) =>
    execFileSync(process.execPath, ['--input-type=module', '--eval', cuttingServer, ...args], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  expect(run('survive')).toBe('ECONNRESET')
  expect(() => run()).toThrow('ECONNRESET')
})

test('a database that refuses to tell its types is not taken for a lost connection', async () => {
  const cluster = await startTestCluster()
  const sql = postgres(cluster.server.adminUrl, { max: 1, onnotice: () => {} })
  try {
    await sql`create role stranger`
    await sql`revoke select on pg_catalog.pg_type from public`
    await sql`set role stranger`
    const typesOfArrays = sql`select typarray from pg_catalog.pg_type where typcategory = 'A'`
    const refused = await typesOfArrays.then(
      () => null,
      (error: Error) => error,
    )
    expect(refused).toMatchObject({ code: '42501' })
    expect(lostConnectionFault(refused ?? {})).toBeNull()
  } finally {
    await sql.end({ timeout: 1 })
    await cluster.stop()
  }
})
