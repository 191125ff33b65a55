import { z } from 'zod'
import { errors } from './errors.ts'
import type { ObjectFiles, ReceivedFile } from './files.ts'
import { readParts } from './multipart.ts'

const userMetadata = z.record(z.string(), z.json())
export type UserMetadata = z.infer<typeof userMetadata>

export interface Content extends ReceivedFile {
  mimeType: string
  cacheControl: string
  userMetadata: UserMetadata | undefined
}

export interface ContentLimits {
  maxBytes: number
  allowedMimeTypes: string[] | null
}

/** @throws StorageError unless the list is empty or has the type itself or its family, such as `image/*` */
export function assertMimeType(type: string, allowed: string[] | null): void {
  if (!allowed || allowed.length === 0) return
  const [family = '', name] = type.split('/')
  if (name !== undefined && allowed.some((entry) => entry === type || entry === `${family}/*`)) return
  throw errors.invalidMimeType(type)
}

function parseMetadata(text: string | undefined): UserMetadata | undefined {
  if (!text) return undefined
  try {
    return userMetadata.parse(JSON.parse(text))
  } catch {
    throw errors.invalidBody('Invalid metadata')
  }
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > 1024 * 1024) throw errors.tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function drained<T>(body: AsyncIterable<Uint8Array>, error: T): Promise<T> {
  for await (const _ of body);
  return error
}

async function receiveForm(
  request: Request,
  body: ReadableStream<Uint8Array>,
  limits: ContentLimits,
  files: ObjectFiles,
) {
  const fields = new Map<string, string>()
  let received: (ReceivedFile & { mimeType: string }) | undefined
  try {
    for await (const part of readParts(body, request.headers.get('content-type') ?? '')) {
      if (part.filename === undefined) fields.set(part.name, await readText(part.body))
      else if (!received) {
        const mimeType = part.contentType ?? 'application/octet-stream'
        try {
          assertMimeType(mimeType, limits.allowedMimeTypes)
        } catch (error) {
          throw await drained(part.body, error)
        }
        received = { ...(await files.receive(part.body, limits.maxBytes)), mimeType }
      }
    }
    if (!received) throw errors.noContent()
    const seconds = fields.get('cacheControl')
    return {
      ...received,
      cacheControl: seconds ? `max-age=${seconds}` : 'no-cache',
      userMetadata: parseMetadata(fields.get('metadata')),
    }
  } catch (error) {
    await files.remove(received?.version ?? null)
    throw error
  }
}

/**
 * Receives what an upload sends, as a form (browsers, storage-js with a Blob) or as the plain body.
 *
 * @throws StorageError when it is too large, of a type that the bucket does not accept, or malformed; nothing stays on disk
 */
export async function receiveContent(
  request: Request,
  limits: ContentLimits,
  files: ObjectFiles,
): Promise<Content> {
  const contentType = request.headers.get('content-type')
  const body = request.body ?? new Blob([]).stream()
  if (contentType?.startsWith('multipart/form-data')) return receiveForm(request, body, limits, files)
  const mimeType = contentType ?? 'application/octet-stream'
  try {
    assertMimeType(mimeType, limits.allowedMimeTypes)
  } catch (error) {
    throw await drained(body, error)
  }
  const header = request.headers.get('x-metadata')
  const userMetadata = parseMetadata(header ? Buffer.from(header, 'base64').toString('utf8') : undefined)
  const received = await files.receive(body, limits.maxBytes)
  return {
    ...received,
    mimeType,
    cacheControl: request.headers.get('cache-control') ?? 'no-cache',
    userMetadata,
  }
}
