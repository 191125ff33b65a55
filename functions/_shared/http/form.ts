import { ServiceError } from '../errors.ts'
import { declaredBytes } from './body.ts'
import { piecesOf, startDeadline, type WithinDeadline } from './body-deadline.ts'
import type { BodyMemory } from './body-memory.ts'

/** Most bytes to ask for at a time; the platform allocates as many. */
const PIECE_BYTES = 64 * 1024

/**
 * Reads a multipart form and calls `use` with its parts. Their memory is released when that has ended, since a large form
 * that waited for the garbage collector would be in memory beside the next one.
 *
 * Stops reading when the form exceeds `maxBytes`. Throws `invalid_form`, `request_timeout` and `busy`, and `tooLarge` when it does.
 */
export async function withForm<Result>(
  request: Request,
  memory: BodyMemory,
  limit: Limit,
  use: (parts: FormPart[]) => Promise<Result>,
): Promise<Result> {
  const boundary = boundaryOf(request.headers.get('content-type'))
  if (boundary === null) throw new ServiceError('invalid_form', 'Send the file as multipart/form-data.')
  const bytes = await readBytes(request, memory, limit)
  try {
    return await use(formParts(bytes, boundary))
  } finally {
    bytes.buffer.transfer(0)
  }
}

type Limit = { maxBytes: number; tooLarge: () => ServiceError }

/** A body of unknown length gets room for the longest; what is never written to takes no memory. */
async function readBytes(
  { body, headers }: Request,
  memory: BodyMemory,
  { maxBytes, tooLarge }: Limit,
): Promise<Uint8Array<ArrayBuffer>> {
  const declared = declaredBytes(headers)
  if (declared !== null && declared > maxBytes) throw tooLarge()
  if (!body) return new Uint8Array()
  if (declared !== null) memory.add(declared)
  const most = declared ?? maxBytes
  const reader = byobReader(body)
  const within = startDeadline(maxBytes)
  const count = (size: number, added: number) => {
    if (size > most) throw tooLarge()
    if (declared === null) memory.add(added)
  }
  return reader ? readInPlace(reader, most, within, count) : readPieces(body, most, within, count)
}

/** Is told of the bytes that have come in all, and of those that are new; throws what ends the reading. */
type Count = (size: number, added: number) => void

/** Reads into one buffer, so that no chunks of the body wait for the garbage collector beside it. */
async function readInPlace(
  reader: ReadableStreamBYOBReader,
  most: number,
  within: WithinDeadline,
  count: Count,
): Promise<Uint8Array<ArrayBuffer>> {
  // One byte more, so that a body that is too long is noticed.
  let memory = new ArrayBuffer(most + 1)
  try {
    for (let size = 0; ; ) {
      const room = new Uint8Array(memory, size, Math.min(PIECE_BYTES, most + 1 - size))
      const { done, value } = await within(reader.read(room))
      if (value) memory = value.buffer
      if (done) return new Uint8Array(memory, 0, size)
      size += value.byteLength
      count(size, value.byteLength)
    }
  } catch (error) {
    if (!memory.detached) memory.transfer(0)
    await reader.cancel().catch(() => {})
    throw error
  }
}

async function readPieces(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  most: number,
  within: WithinDeadline,
  count: Count,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(most)
  let size = 0
  for await (const piece of piecesOf(body, within)) {
    count(size + piece.byteLength, piece.byteLength)
    bytes.set(piece, size)
    size += piece.byteLength
  }
  return bytes.subarray(0, size)
}

/** Deno passes a small body, one that came with its headers, as a stream without such a reader. */
function byobReader(body: ReadableStream): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: 'byob' })
  } catch {
    return null
  }
}

/** One part of a form, its content a view of the form's bytes. */
export type FormPart = {
  name: string
  /** Present if the part is a file; empty if a browser sends a file field in which nothing was chosen. */
  fileName: string | undefined
  /** In lower case, without parameters such as `charset`. */
  contentType: string | undefined
  bytes: Uint8Array<ArrayBuffer>
}

const MAX_PARTS = 20
const MAX_HEADER_BYTES = 8192

const CR = 13
const HEADERS_END = ascii('\r\n\r\n')

/** The boundary that a `multipart/form-data` content type names; null for any other content type. */
export function boundaryOf(contentType: string | null): string | null {
  if (!contentType || !/^multipart\/form-data\s*(;|$)/i.test(contentType)) return null
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;",]{1,70}))/i.exec(contentType) ?? []
  return quoted ?? plain ?? null
}

/**
 * The parts of a form in the order in which they were sent (RFC 7578). Copies nothing, so that a large file is in memory
 * once. Takes time in proportion to the bytes, whatever they are.
 *
 * Throws `invalid_form` when the form is malformed, ends early or has too many parts.
 */
export function formParts(bytes: Uint8Array<ArrayBuffer>, boundary: string): FormPart[] {
  const delimiter = ascii(`\r\n--${boundary}`)
  const opening = delimiter.subarray(2)
  const parts: FormPart[] = []
  let position = startsWith(bytes, opening, 0) ? opening.length : after(bytes, delimiter, 0)
  while (!startsWith(bytes, ascii('--'), position)) {
    if (parts.length === MAX_PARTS) throw malformed(`has more than ${MAX_PARTS} parts`)
    // A boundary may be followed by white space on its line.
    while (bytes[position] === 32 || bytes[position] === 9) position++
    if (!startsWith(bytes, ascii('\r\n'), position)) throw malformed('is broken at a boundary')
    const headersEnd = find(bytes, HEADERS_END, position, position + MAX_HEADER_BYTES)
    if (headersEnd < 0) throw malformed('has a part without proper headers')
    const start = headersEnd + HEADERS_END.length
    const end = find(bytes, delimiter, start, bytes.length)
    if (end < 0) throw malformed('ends too early')
    const headers = new TextDecoder().decode(bytes.subarray(position, headersEnd))
    parts.push(partOf(headers, bytes.subarray(start, end)))
    position = end + delimiter.length
  }
  return parts
}

function partOf(headers: string, bytes: Uint8Array<ArrayBuffer>): FormPart {
  const disposition = /^content-disposition:\s*form-data\s*(;.*)$/im.exec(headers)?.[1] ?? ''
  const name = parameter(disposition, 'name')
  if (name === undefined) throw malformed('has a part without a name')
  const contentType = /^content-type:\s*([^;\s]+)/im.exec(headers)?.[1]?.toLowerCase()
  return { name, fileName: parameter(disposition, 'filename'), contentType, bytes }
}

/** Browsers write a quotation mark in a name as `%22`, curl as `\"`. */
function parameter(disposition: string, name: string): string | undefined {
  const value = new RegExp(`;\\s*${name}="((?:\\\\"|[^"])*)"`, 'i').exec(disposition)?.[1]
  return value?.replace(/\\"|%22/g, '"').replace(/%0D|%0A/gi, ' ')
}

function after(bytes: Uint8Array, delimiter: Uint8Array, from: number): number {
  const found = find(bytes, delimiter, from, bytes.length)
  if (found < 0) throw malformed('has no boundary')
  return found + delimiter.length
}

/**
 * Position of a delimiter that begins with CR and is `\r\n\r\n` or has no other CR; -1 if there is none. One that is matched
 * in part need not be read again: the next can only begin at a CR.
 */
function find(bytes: Uint8Array, delimiter: Uint8Array, from: number, to: number): number {
  const end = Math.min(to, bytes.length - delimiter.length)
  for (let index = from; index <= end; index++) {
    if (bytes[index] === CR && startsWith(bytes, delimiter, index)) return index
  }
  return -1
}

function startsWith(bytes: Uint8Array, start: Uint8Array, at: number): boolean {
  for (let index = 0; index < start.length; index++) {
    if (bytes[at + index] !== start[index]) return false
  }
  return true
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function malformed(problem: string): ServiceError {
  return new ServiceError('invalid_form', `The form ${problem}. Send multipart/form-data.`)
}
