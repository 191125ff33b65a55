import { errors } from './errors.ts'

export interface Part {
  name: string
  filename: string | undefined
  /** Without parameters such as `charset`. */
  contentType: string | undefined
  /** To be read to its end before the next part. */
  body: AsyncGenerator<Buffer>
}

const longestHeader = 16 * 1024

class Source {
  #chunks: AsyncIterator<Uint8Array>
  buffer = Buffer.alloc(0)
  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }
  async fill(): Promise<void> {
    const { value, done } = await this.#chunks.next()
    if (done) throw errors.invalidBody('Unexpected end of multipart data')
    this.buffer = this.buffer.length === 0 ? Buffer.from(value) : Buffer.concat([this.buffer, value])
  }
  take(length: number): Buffer {
    const taken = this.buffer.subarray(0, length)
    this.buffer = this.buffer.subarray(length)
    return taken
  }
  async drain(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }
}

async function readHeaders(source: Source): Promise<string> {
  let end = source.buffer.indexOf('\r\n\r\n')
  while (end < 0) {
    if (source.buffer.length > longestHeader) throw errors.invalidBody('Multipart headers are too long')
    await source.fill()
    end = source.buffer.indexOf('\r\n\r\n')
  }
  const headers = source.take(end + 4)
  return headers.toString('utf8')
}

async function* readBody(source: Source, delimiter: Buffer): AsyncGenerator<Buffer> {
  for (;;) {
    const end = source.buffer.indexOf(delimiter)
    if (end >= 0) {
      if (end > 0) yield source.take(end)
      source.take(delimiter.length)
      return
    }
    // The delimiter may have begun in the last bytes.
    const safe = source.buffer.length - delimiter.length + 1
    if (safe > 0) yield source.take(safe)
    await source.fill()
  }
}

/**
 * The parts of a `multipart/form-data` body as they arrive, holding no more than a chunk in memory.
 *
 * @throws StorageError when the body is malformed or ends early
 */
export async function* readParts(
  stream: AsyncIterable<Uint8Array>,
  contentType: string,
): AsyncGenerator<Part> {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  const name = boundary?.[1] ?? boundary?.[2]
  if (!name) throw errors.invalidBody('Multipart body without a boundary')
  const source = new Source(stream)
  const opening = Buffer.from(`--${name}`)
  while (source.buffer.length < opening.length) await source.fill()
  if (!source.take(opening.length).equals(opening)) throw errors.invalidBody('Malformed multipart body')
  const delimiter = Buffer.from(`\r\n--${name}`)
  for (;;) {
    while (source.buffer.length < 2) await source.fill()
    if (source.take(2).toString('latin1') === '--') return source.drain()
    // The line break that ended the boundary belongs to the headers' line before it.
    const headers = await readHeaders(source)
    const disposition = /^content-disposition:(.*)$/im.exec(headers)?.[1] ?? ''
    const body = readBody(source, delimiter)
    yield {
      name: /[;\s]name="([^"]*)"/i.exec(disposition)?.[1] ?? '',
      filename: /filename="([^"]*)"/i.exec(disposition)?.[1],
      contentType: /^content-type:\s*([^;\r\n]+)/im.exec(headers)?.[1]?.trim(),
      body,
    }
    for await (const _ of body);
  }
}
