import { createServer } from 'node:net'

/** Throws an error that says what to do when a port is taken. */
export async function requireFree(ports: Record<string, number>): Promise<void> {
  for (const [option, port] of Object.entries(ports)) {
    if (!(await isFree(port))) {
      throw new Error(
        `Port ${port} is taken, by another stack or program. Stop that one, or choose another port with ${option}.`,
      )
    }
  }
}

/** Ports that nobody uses at the moment. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen(0)))
  const ports = servers.map(({ port }) => port)
  await Promise.all(servers.map(({ close }) => close()))
  return ports
}

async function isFree(port: number): Promise<boolean> {
  try {
    const { close } = await listen(port)
    await close()
    return true
  } catch {
    return false
  }
}

function listen(port: number): Promise<{ port: number; close(): Promise<void> }> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      const bound = typeof address === 'object' && address ? address.port : port
      resolve({ port: bound, close: () => new Promise((closed) => server.close(() => closed())) })
    })
  })
}
