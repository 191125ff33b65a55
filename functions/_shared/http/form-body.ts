import { ServiceError } from '../errors.ts'
import { boundaryOf, type FormPart, formParts } from '../files/form-parts.ts'

/** Most bytes asked for at a time; the platform sets aside as much. */
const PIECE_BYTES = 64 * 1024

/**
 * Reads a multipart form and calls `use` with its parts, whose memory is given back when that has ended: a large form that
 * waited for the garbage collector would be beside the next one.
 *
 * Stops reading when the form is over `maxBytes`. Throws `invalid_form`, and `tooLarge` when it is.
 */
export async function withForm<Result>(
  request: Request,
  limit: Limit,
  use: (parts: FormPart[]) => Promise<Result>,
): Promise<Result> {
  const boundary = boundaryOf(request.headers.get('content-type'))
  if (boundary === null) throw new ServiceError('invalid_form', 'Send the file as multipart/form-data.')
  const bytes = await readBytes(request, limit)
  try {
    return await use(formParts(bytes, boundary))
  } finally {
    bytes.buffer.transfer(0)
  }
}

type Limit = { maxBytes: number; tooLarge: () => ServiceError }

/** A body of unknown length gets the room for the longest; what is not written to takes no memory. */
async function readBytes(
  { body, headers }: Request,
  { maxBytes, tooLarge }: Limit,
): Promise<Uint8Array<ArrayBuffer>> {
  const told = Number(headers.get('content-length') ?? maxBytes)
  if (told > maxBytes) throw tooLarge()
  const most = Number.isSafeInteger(told) && told >= 0 ? told : maxBytes
  if (!body) return new Uint8Array()
  const reader = byobReader(body)
  return reader ? readInPlace(reader, most, tooLarge) : readPieces(body, most, tooLarge)
}

/** Reads into one piece of memory, so that no pieces of the body wait for the garbage collector beside it. */
async function readInPlace(
  reader: ReadableStreamBYOBReader,
  most: number,
  tooLarge: () => ServiceError,
): Promise<Uint8Array<ArrayBuffer>> {
  // One byte more, so that a body that is too long shows.
  let memory = new ArrayBuffer(most + 1)
  for (let size = 0; ; ) {
    const room = new Uint8Array(memory, size, Math.min(PIECE_BYTES, most + 1 - size))
    const { done, value } = await reader.read(room)
    if (value) memory = value.buffer
    if (done) return new Uint8Array(memory, 0, size)
    size += value.byteLength
    if (size <= most) continue
    await reader.cancel()
    throw tooLarge()
  }
}

async function readPieces(
  body: ReadableStream<Uint8Array>,
  most: number,
  tooLarge: () => ServiceError,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(most)
  let size = 0
  for await (const piece of body) {
    if (size + piece.byteLength > most) throw tooLarge()
    bytes.set(piece, size)
    size += piece.byteLength
  }
  return bytes.subarray(0, size)
}

/** Deno hands over a body that came with its headers, a small one, as a stream without such a reader. */
function byobReader(body: ReadableStream): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: 'byob' })
  } catch {
    return null
  }
}
