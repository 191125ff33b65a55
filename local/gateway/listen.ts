import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'

const socketsOf = new WeakMap<Server, Set<Socket>>()

/**
 * Opens a server on 127.0.0.1.
 *
 * @param port 0 for any free one
 * @returns the port
 * @throws Error saying that the port is taken
 */
export async function listen(server: Server, port: number): Promise<number> {
  const sockets = new Set<Socket>()
  socketsOf.set(server, sockets)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE' ? new Error(`Port ${port} is already in use.`, { cause: error }) : error,
      )
    })
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

/** Closes a server: lets answers under way end for a moment, then hangs up, on websockets too. */
export async function stopServer(server: Server, graceMs = 1000): Promise<void> {
  if (!server.listening) return
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const patience = new AbortController()
  await Promise.race([closed, setTimeout(graceMs, undefined, { signal: patience.signal }).catch(() => {})])
  patience.abort()
  for (const socket of socketsOf.get(server) ?? []) socket.destroy()
  await closed
}
