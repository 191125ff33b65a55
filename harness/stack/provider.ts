import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceivedRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: string }

/** What a provider's stand-in does with a request: a response, no response, or a connection that it closes. */
export type Behaviour =
  | { status: number; headers?: Record<string, string>; body?: string | object }
  | 'silent'
  | 'hang up'
  | 'break off'

export type ProviderServer = {
  url: string
  received: ReceivedRequest[]
  stop(): Promise<void>
}

/** Serves one behaviour on a free port. */
export async function startProvider(
  behave: (request: ReceivedRequest) => Behaviour | Promise<Behaviour>,
): Promise<ProviderServer> {
  const received: ReceivedRequest[] = []
  const server = createServer(async (message, response) => {
    let body = ''
    for await (const chunk of message.setEncoding('utf8')) body += chunk
    const { method = '', url = '', headers } = message
    const request = { method, path: url, headers, body }
    received.push(request)
    const behaviour = await behave(request)
    if (behaviour === 'silent') return
    if (behaviour === 'hang up') return void message.socket.destroy()
    if (behaviour === 'break off') {
      response.writeHead(201, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"sid": "SM', () => message.socket.destroy())
      return
    }
    const text = typeof behaviour.body === 'string' ? behaviour.body : JSON.stringify(behaviour.body ?? {})
    response
      .writeHead(behaviour.status, { 'content-type': 'application/json', ...behaviour.headers })
      .end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** An address at which nothing listens. */
export async function closedAddress(): Promise<string> {
  const provider = await startProvider(() => 'silent')
  await provider.stop()
  return provider.url
}
