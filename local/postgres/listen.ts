import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'

export interface Listener {
  stop(): Promise<void>
}

/**
 * Calls `onNotify` for each notification on `channel`, and, with an undefined payload, whenever it has
 * (re)connected, because notifications may have been missed meanwhile. Keeps trying while the database is down.
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
      // `sql.listen` is no choice: it gives up for good when its first attempt to reconnect fails.
      const options = {
        max: 1,
        max_lifetime: null,
        fetch_types: false,
        onnotice: () => {},
        onclose: () => closed.resolve(),
        onnotify: (_channel: string, payload: string) => onNotify(payload),
        connection: { application_name: `listen ${channel}` },
      }
      connection = postgres(url, options)
      try {
        await connection`listen ${connection(channel)}`
        onNotify(undefined)
        await closed.promise
      } catch {
        // The database is down; the next round tries again.
      }
      await connection.end({ timeout: 0 })
      if (!stopped) await sleep(100)
    }
  }
}
