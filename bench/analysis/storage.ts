import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'

interface BenchStorage {
  url: string
  close(): void
}

/**
 * Serves folders as the platform's storage serves buckets, ranges included, so that a measured worker fetches what it
 * works on over HTTP as it does in the pipeline.
 *
 * @param buckets the folder of each bucket
 */
export async function serveStorage(buckets: Record<string, string>): Promise<BenchStorage> {
  const server = createServer((request, response) => {
    const [bucket = '', name = ''] = (request.url ?? '').split('/').slice(-2)
    const path = join(buckets[bucket] ?? '/nowhere', basename(name))
    const size = statSync(path, { throwIfNoEntry: false })?.size
    if (size === undefined) {
      response.writeHead(404).end()
      return
    }
    const range = request.headers.range?.match(/^bytes=(\d+)-(\d+)$/)
    const [start, end] = range ? [Number(range[1]), Math.min(size - 1, Number(range[2]))] : [0, size - 1]
    if (range && start >= size) {
      response.writeHead(416, { 'content-range': `bytes */${size}` }).end()
      return
    }
    const headers = { etag: '"1"', 'content-length': end - start + 1 }
    response.writeHead(
      range ? 206 : 200,
      range ? { ...headers, 'content-range': `bytes ${start}-${end}/${size}` } : headers,
    )
    createReadStream(path, { start, end }).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
