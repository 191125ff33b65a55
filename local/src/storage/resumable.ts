import { randomUUID } from 'node:crypto'
import { FileStore } from '@tus/file-store'
import { ERRORS, MemoryLocker, Metadata, Server, type Upload } from '@tus/server'
import type { Context } from 'hono'
import { assertBucketName, limitsOf } from './buckets.ts'
import { assertMimeType, parseMetadata } from './content.ts'
import { type Operation, service } from './database.ts'
import { errors, StorageError } from './errors.ts'
import { assertKey, type ObjectRef, ownerOf } from './objects.ts'
import { type Env, operationOf, readOperation, type StorageApp, type StorageContext } from './requests.ts'
import { verifyObject } from './signed-urls.ts'

const root = '/storage/v1/upload/resumable'

/** How long an upload may take, as Supabase's guide has it. */
const lifetimeMs = 24 * 60 * 60 * 1000

/** How long a request waits until another one lets go of the upload. */
const lockTimeoutMs = 5000

const operations = new Map([
  ['OPTIONS', 'tus.options'],
  ['POST', 'tus.upload.create'],
  ['PATCH', 'tus.upload.part'],
  ['HEAD', 'tus.upload.get'],
  ['DELETE', 'tus.upload.delete'],
])

/** A request with who sent it, and what it is about once that is known. */
interface Exchange {
  operation: Operation
  isSigned: boolean
  upsert: boolean
  owner: string | null
  object?: ObjectRef
}

/**
 * Uploads in several requests, by TUS 1.0 as the platform has it: `/upload/resumable` for who is signed in,
 * `/upload/resumable/sign` for whoever has the token of a signed upload.
 *
 * Source: src/http/routes/tus of supabase/storage. As there, a signed upload is asked for its signature, type and size alone
 * until its last byte has arrived, and replaces what is there even where it was signed without upsert.
 */
export async function addResumableRoutes(app: StorageApp, context: StorageContext): Promise<void> {
  const { objects, files, tokens, settings } = context
  const uploads = new Uploads({
    directory: files.partsDir,
    expirationPeriodInMilliseconds: lifetimeMs,
  })
  await uploads.deleteExpired()
  const exchanges = new WeakMap<Request, Exchange>()

  function exchangeOf(request: Request): Exchange {
    const exchange = exchanges.get(request)
    if (!exchange) throw new Error('not a request of a route')
    return exchange
  }

  /** Who may go on: the bearer of a signed token, or whoever the policies let write the object. HEAD is for anybody. */
  async function authorize(request: Request, object: ObjectRef, metadata: Upload['metadata'], size?: number) {
    const exchange = exchangeOf(request)
    exchange.object = object
    if (exchange.isSigned) {
      const token = request.headers.get('x-signature')
      if (!token) throw errors.invalidSignature('Missing x-signature header')
      const claims = verifyObject(tokens, 'upload', object, token)
      exchange.owner = typeof claims.owner === 'string' ? claims.owner : null
    } else if (request.method !== 'HEAD') {
      const written = { mimetype: metadata?.contentType ?? undefined, contentLength: size }
      await objects.assertMayWrite(exchange.operation, object, exchange.upsert, written)
    }
  }

  const server = new Server({
    path: root,
    datastore: uploads,
    locker: new MemoryLocker({ acquireLockTimeout: lockTimeoutMs }),
    disableTerminationForFinishedUploads: true,
    allowedHeaders: ['Authorization', 'X-Upsert', 'Upload-Expires', 'ApiKey', 'x-signature'],
    maxSize: async (request) => {
      const { object, operation } = exchangeOf(request)
      return object ? (await limitsOf(context, operation, object.bucket)).maxBytes : settings.file_size_limit
    },
    namingFunction: (request, metadata) => {
      if (!metadata) throw errors.invalidBody('Metadata header is required')
      exchangeOf(request).object = objectOf(metadata)
      return randomUUID()
    },
    onIncomingRequest: async (request, id) => {
      const { object } = exchangeOf(request)
      if (object) {
        const length = request.headers.get('upload-length')
        const metadata = Metadata.parse(request.headers.get('upload-metadata') ?? undefined)
        return authorize(request, object, metadata, length === null ? undefined : Number(length))
      }
      const upload = await uploads.getUpload(id)
      const named = partsOf(request).object
      const stored = objectOf(upload.metadata ?? {})
      if (named.bucket !== stored.bucket || named.key !== stored.key) throw ERRORS.FILE_NOT_FOUND
      return authorize(request, stored, upload.metadata, upload.size)
    },
    onUploadCreate: async (request, { metadata = {} }) => {
      await uploads.deleteExpired()
      const { object, operation } = exchangeOf(request)
      const { allowedMimeTypes } = await limitsOf(context, operation, object?.bucket ?? '')
      if (metadata.contentType) assertMimeType(metadata.contentType, allowedMimeTypes)
      return { metadata }
    },
    onUploadFinish: async (request, upload) => {
      const { operation, owner } = exchangeOf(request)
      const object = objectOf(upload.metadata ?? {})
      const { contentType, cacheControl, metadata } = upload.metadata ?? {}
      try {
        const received = await files.adopt(upload.storage?.path ?? '')
        const content = {
          ...received,
          mimeType: contentType || 'application/octet-stream',
          cacheControl: /^-?\d+$/.test(cacheControl ?? '') ? `max-age=${cacheControl}` : 'no-cache',
          userMetadata: metadata ? readableMetadata(metadata) : undefined,
        }
        await objects.commit(operation, object, content, owner, true)
      } catch (error) {
        await uploads.remove(upload.id)
        throw error
      }
      await uploads.end(upload)
      return { headers: { 'Tus-Complete': '1' } }
    },
    generateUrl: (request, { id }) => {
      const { object, isSigned } = exchangeOf(request)
      const name = Buffer.from(`${object?.bucket}/${object?.key}/${id}`).toString('base64url')
      return `${new URL(request.url).origin}${root}${isSigned ? '/sign' : ''}/${name}`
    },
    getFileIdFromRequest: (request) => partsOf(request).id,
    onResponseError: (request, error) => {
      if (error instanceof StorageError) return { status_code: error.statusCode, body: error.message }
      if (error === ERRORS.ERR_LOCK_TIMEOUT) return { status_code: 503, body: 'acquiring lock timeout' }
      if (error instanceof Error && !request.signal.aborted) throw error
      return undefined
    },
  })

  async function handle(c: Context<Env>, isSigned: boolean): Promise<Response> {
    const request = c.req.raw
    const name = operations.get(request.method)
    if (!name) return c.notFound()
    const operation =
      isSigned || request.method === 'OPTIONS'
        ? { ...readOperation(c, isSigned ? `${name}_signed` : name), caller: service }
        : operationOf(c, name)
    const upsert = c.req.header('x-upsert') === 'true'
    exchanges.set(request, { operation, isSigned, upsert, owner: ownerOf(operation.caller) })
    return server.handleWeb(request)
  }
  for (const path of ['/upload/resumable/sign', '/upload/resumable/sign/:id'])
    app.all(path, (c) => handle(c, true))
  for (const path of ['/upload/resumable', '/upload/resumable/:id']) app.all(path, (c) => handle(c, false))
}

/** The object that the metadata of an upload names. @throws StorageError for a name that no bucket or object has */
function objectOf(metadata: NonNullable<Upload['metadata']>): ObjectRef {
  const object = { bucket: metadata.bucketName ?? '', key: metadata.objectName ?? '' }
  assertBucketName(object.bucket)
  assertKey(object.key)
  return object
}

/** As on the platform, metadata that are no JSON are none. */
function readableMetadata(text: string): ReturnType<typeof parseMetadata> {
  try {
    return parseMetadata(text)
  } catch {
    return undefined
  }
}

/** What the address of an upload names: its bucket, the levels of its key, and its id. */
function partsOf(request: Request): { object: ObjectRef; id: string } {
  const name = new URL(request.url).pathname.split('/').at(-1) ?? ''
  const [bucket = '', ...levels] = Buffer.from(name, 'base64url').toString('utf8').split('/')
  const id = levels.pop() ?? ''
  return { object: { bucket, key: levels.join('/') }, id }
}

/** What has arrived in part, and which uploads have ended: a client that lost the last response asks once more. */
class Uploads extends FileStore {
  readonly #ended = new Map<string, Upload>()

  #cleaning: Promise<number> | undefined

  override async getUpload(id: string): Promise<Upload> {
    return this.#ended.get(id) ?? super.getUpload(id)
  }

  override async write(...[readable, id, offset]: Parameters<FileStore['write']>): Promise<number> {
    if (this.#ended.has(id)) throw ERRORS.FILE_NO_LONGER_EXISTS
    return super.write(readable, id, offset)
  }

  /** Once at a time: two that begin together would both delete the same. */
  override deleteExpired(): Promise<number> {
    this.#cleaning ??= super.deleteExpired().finally(() => {
      this.#cleaning = undefined
    })
    return this.#cleaning
  }

  /** Forgets the bytes, and remembers until the process ends, or the upload would have expired, that all had come. */
  async end(upload: Upload): Promise<void> {
    const oldest = new Date(Date.now() - lifetimeMs).toISOString()
    for (const [id, { creation_date: since = '' }] of this.#ended) if (since < oldest) this.#ended.delete(id)
    this.#ended.set(upload.id, upload)
    await this.remove(upload.id)
  }
}
