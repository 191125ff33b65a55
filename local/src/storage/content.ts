import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { z } from 'zod'
import { errors, StorageError } from './errors.ts'
import type { ObjectFiles, ReceivedFile } from './files.ts'

const userMetadata = z.record(z.string(), z.json())
export type UserMetadata = z.infer<typeof userMetadata>

export interface Content extends ReceivedFile {
  mimeType: string
  cacheControl: string
  userMetadata: UserMetadata | undefined
}

/** What a request says of an object before its bytes. */
export interface Announced {
  mimetype: string | undefined
  contentLength: number | undefined
}

export interface ContentLimits {
  maxBytes: number
  allowedMimeTypes: string[] | null
}

/**
 * Compares letter by letter, parameters too: `audio/webm;codecs=opus` is not `audio/webm`, but in `audio/*`.
 *
 * Source: `validateMimeType` in src/storage/uploader.ts of supabase/storage.
 *
 * @throws StorageError unless the list is empty or has the type itself or its family
 */
export function assertMimeType(type: string, allowed: string[] | null): void {
  if (!allowed || allowed.length === 0) return
  const [family = '', name] = type.split('/')
  if (name !== undefined && allowed.some((entry) => entry === `${family}/${name}` || entry === `${family}/*`))
    return
  throw errors.invalidMimeType(type)
}

/** What the headers of a request say of its body. */
export function announcedOf({ headers }: Request): Announced {
  const length = headers.get('content-length')
  return {
    mimetype: headers.get('content-type') ?? undefined,
    contentLength: length === null ? undefined : Number(length),
  }
}

export function parseMetadata(text: string | undefined): UserMetadata | undefined {
  if (!text) return undefined
  try {
    return userMetadata.parse(JSON.parse(text))
  } catch {
    throw errors.invalidBody('Invalid metadata')
  }
}

async function drained<T>(body: AsyncIterable<Uint8Array>, error: T): Promise<T> {
  for await (const _ of body);
  return error
}

type Received = ReceivedFile & { mimeType: string }

/** Asks whether an upload may be stored, before its bytes are. @throws StorageError */
type Admit = (announced: Announced) => Promise<void>

async function receiveFile(
  body: AsyncIterable<Uint8Array>,
  announced: Announced & { mimetype: string },
  limits: ContentLimits,
  files: ObjectFiles,
  admit: Admit,
): Promise<Received> {
  const mimeType = announced.mimetype
  try {
    assertMimeType(mimeType, limits.allowedMimeTypes)
    await admit(announced)
  } catch (error) {
    throw await drained(body, error)
  }
  return { ...(await files.receive(body, limits.maxBytes)), mimeType }
}

/** The parser of the platform's own Storage, for one file and fields of 1 MiB. */
function formParser(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { files: 1, fieldSize: 1024 * 1024 },
    })
  } catch (error) {
    throw errors.invalidBody(messageOf(error))
  }
}

/** Reads a form as it arrives. The first part that is a file is the content; fields may come before or after it. */
async function receiveForm(
  { mimetype: contentType = '', contentLength }: Announced,
  body: ReadableStream<Uint8Array>,
  limits: ContentLimits,
  files: ObjectFiles,
  admit: Admit,
) {
  const form = formParser(contentType)
  const fields = new Map<string, string>()
  let file: Readable | undefined
  let receiving: Promise<Received> | undefined
  let failure: unknown
  form.on('field', (name, value, _nameTruncated, truncated) => {
    if (truncated) form.destroy(errors.tooLarge())
    fields.set(name, value)
  })
  form.on('file', (_field, stream, _filename, _encoding, typeOfPart) => {
    file = stream
    // The parser cuts the type of a part before its parameters; a field before it says another.
    const mimetype = fields.get('contentType') || typeOfPart
    // Its parser may report the end of a broken form before anything reads the file; the form fails with it then.
    stream.on('error', () => undefined)
    receiving = receiveFile(stream, { mimetype, contentLength }, limits, files, admit)
    receiving.catch((error: Error) => {
      failure = error
      form.destroy(error)
    })
  })
  try {
    // @ts-expect-error the DOM type of a stream differs from node's by a detail that fetch does not need
    await pipeline(Readable.fromWeb(body), form).catch((error: unknown) => {
      throw failure ?? (error instanceof StorageError ? error : errors.invalidBody(messageOf(error)))
    })
    if (!receiving) throw errors.noContent()
    const seconds = fields.get('cacheControl')
    return {
      ...(await receiving),
      cacheControl: seconds ? `max-age=${seconds}` : 'no-cache',
      userMetadata: parseMetadata(fields.get('metadata') ?? fields.get('userMetadata')),
    }
  } catch (error) {
    file?.destroy()
    const received = await receiving?.catch(() => null)
    await files.remove(received?.version ?? null)
    throw error
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * Receives what an upload sends, as a form (browsers, storage-js with a Blob) or as the plain body.
 *
 * @throws StorageError when it is too large, of a type that the bucket does not accept, or malformed; nothing stays on disk
 */
export async function receiveContent(
  request: Request,
  limits: ContentLimits,
  files: ObjectFiles,
  admit: Admit,
): Promise<Content> {
  const announced = announcedOf(request)
  const body = request.body ?? new Blob([]).stream()
  if (announced.mimetype?.startsWith('multipart/form-data'))
    return receiveForm(announced, body, limits, files, admit)
  const header = request.headers.get('x-metadata')
  const userMetadata = parseMetadata(header ? Buffer.from(header, 'base64').toString('utf8') : undefined)
  const mimetype = announced.mimetype ?? 'application/octet-stream'
  // The platform's Storage compares the announced length with the limit, and counts nothing itself: `incomingFileInfo` in
  // src/storage/uploader.ts of supabase/storage. What is sent in chunks can be of any size.
  const maxBytes = request.headers.has('content-length') ? limits.maxBytes : Number.POSITIVE_INFINITY
  return {
    ...(await receiveFile(body, { ...announced, mimetype }, { ...limits, maxBytes }, files, admit)),
    cacheControl: request.headers.get('cache-control') ?? 'no-cache',
    userMetadata,
  }
}
