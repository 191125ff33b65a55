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

/** Keeps the process alive where its own stopping cuts off a statement that nobody waits for. Any other uncaught error ends it as usual. */
export function surviveOwnStopping(): void {
  process.on('uncaughtException', (error) => {
    if ('code' in error && error.code === 'CONNECTION_DESTROYED') return
    console.error(error)
    process.exit(1)
  })
}
