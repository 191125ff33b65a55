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

// Below where systems take the ports of outgoing connections from (Linux: 32768, macOS and Windows: 49152), so that none
// of those gets a port between its choice and its use. Processes that start stacks at the same time have blocks of their own.
const firstPort = 20_000
const blocks = 400
const portsOfBlock = 30
let taken = 0

/** Ports that nobody uses at the moment, 30 at most; other ones than at the call before. */
export async function freePorts(count: number): Promise<number[]> {
  const block = firstPort + (process.pid % blocks) * portsOfBlock
  const ports: number[] = []
  while (ports.length < count) {
    const port = block + (taken++ % portsOfBlock)
    if (await isFree(port)) ports.push(port)
  }
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
