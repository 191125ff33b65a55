import { createConnection, createServer, type Socket } from 'node:net'

/** A line to the stack that can break, as a phone's does. */
export type Line = {
  /** The stack's address over this line. */
  apiUrl: string
  /** Breaks every connection; none can be made until `mend`. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

/** Puts a line before the stack. */
export async function startLine(apiUrl: string): Promise<Line> {
  const { hostname, port } = new URL(apiUrl)
  const sockets = new Set<Socket>()
  let whole = true
  const server = createServer((phone) => {
    if (!whole) {
      phone.destroy()
      return
    }
    const stack = createConnection(Number(port), hostname)
    for (const [one, other] of [
      [phone, stack],
      [stack, phone],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.once('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The line has no port')
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    apiUrl: `http://127.0.0.1:${address.port}`,
    cut() {
      whole = false
      breakAll()
    },
    mend() {
      whole = true
    },
    async close() {
      breakAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
