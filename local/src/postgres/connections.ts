import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'

/** Sockets of the servers that this process runs, by the port that they also listen on. */
const sockets = new Map<string, string>()

/** From now on, connections to the server on `port` take its Unix socket; with undefined, TCP. */
export function reachBySocket(port: number, socket: string | undefined): void {
  if (socket === undefined) sockets.delete(String(port))
  else sockets.set(String(port), socket)
}

/** Connects as `postgres` does; a server of this process by its socket, which costs a third less a statement than TCP. */
export function connect<Types extends Record<string, postgres.PostgresType>>(
  url: string,
  options: postgres.Options<Types>,
) {
  const socket = sockets.get(new URL(url).port)
  return postgres<Types>(url, socket === undefined ? options : { ...options, path: socket })
}

export interface Listener {
  stop(): Promise<void>
}

/**
 * Calls `onNotify` for each notification on `channel`, and, with an undefined payload, whenever it has
 * (re)connected, before any of that connection, because notifications may have been missed meanwhile. Keeps trying while
 * the database is down.
 */
export function listen(
  url: string,
  channel: string,
  onNotify: (payload: string | undefined) => void,
): Listener {
  let stopped = false
  let connection: postgres.Sql | undefined
  const finished = loop()
  return {
    async stop() {
      stopped = true
      await connection?.end({ timeout: 1 })
      await finished
    },
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      const closed = Promise.withResolvers<void>()
      let isConnected = false
      // The first notification may come together with the reply to `listen`, and is handled before it.
      const connected = () => {
        if (!isConnected) onNotify(undefined)
        isConnected = true
      }
      // `sql.listen` is no choice: it gives up for good when its first attempt to reconnect fails.
      const options = {
        max: 1,
        max_lifetime: null,
        fetch_types: false,
        onnotice: () => {},
        onclose: () => closed.resolve(),
        onnotify: (_channel: string, payload: string) => {
          connected()
          onNotify(payload)
        },
        connection: { application_name: `listen ${channel}` },
      }
      connection = connect(url, options)
      try {
        await connection`listen ${connection(channel)}`
        connected()
        await closed.promise
      } catch {
        // The database is down; the next round tries again.
      }
      await connection.end({ timeout: 0 })
      if (!stopped) await sleep(100)
    }
  }
}

/** What a pool of connections of `postgres` can do, as far as it matters here. */
type Pool = { end(options?: { timeout?: number }): Promise<void> }

const renewals = new Set<() => void>()

/**
 * Whether an error that nobody caught is a fault of `postgres` 3.4.9 where a connection is lost, of which whoever waits
 * for a statement is told in any case:
 * - the server dies while a transaction begins, and the library writes to the lost socket from a timer;
 * - the connection is lost while the library asks about types of arrays, for which nobody waits.
 */
export function lostConnectionFault(error: object): 'write' | 'types' | null {
  const { name, stack, query, code } = error as Partial<Record<'name' | 'stack' | 'query' | 'code', unknown>>
  if (name === 'TypeError' && /nextWrite.*\/postgres\/src\//.test(String(stack))) return 'write'
  const isOfTypes = /typarray.*typcategory = 'A'/s.test(String(query))
  return isOfTypes && LOST.test(String(code)) ? 'types' : null
}

/** Codes of a connection that was lost: of the socket, of the library, and of a server that is shutting down or starting. */
const LOST = /^(?:EPIPE|ECONN\w+|CONNECTION_\w+|57P0\d)$/

/**
 * Keeps the process alive through those faults. After the first, the connection can never be used again, so that every
 * lasting pool is made anew. A statement that the stack's own stopping cut off is no fault either. Any other uncaught
 * error ends the process as usual.
 */
export function surviveLostConnections(): void {
  process.on('uncaughtException', (error) => {
    const fault = lostConnectionFault(error)
    if (fault === 'write') renewPools()
    if (fault !== null || ('code' in error && error.code === 'CONNECTION_DESTROYED')) return
    console.error(error)
    process.exit(1)
  })
}

/** Makes every lasting pool anew; statements under way are rejected. */
export function renewPools(): void {
  for (const renew of renewals) renew()
}

/** A pool that outlives that fault; used like the one that `connect` makes, and ended like it. */
export function lastingPool<Sql extends Pool & CallableFunction>(connect: () => Sql): Sql {
  let pool = connect()
  const renew = () => {
    const lost = pool
    pool = connect()
    void lost.end({ timeout: 0 }).catch(() => undefined)
  }
  renewals.add(renew)
  const end: Pool['end'] = (options) => {
    renewals.delete(renew)
    return pool.end(options)
  }
  return new Proxy(pool, {
    apply: (_first, self, statement) => Reflect.apply(pool, self, statement),
    get: (_first, name) => {
      if (name === 'end') return end
      const member = Reflect.get(pool, name)
      return typeof member === 'function' ? member.bind(pool) : member
    },
  })
}
