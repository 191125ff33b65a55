import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { JwtError, type TokenSigner } from '../auth/jwt.ts'
import type { CallerResult } from '../gateway/caller.ts'
import type { GatewayConfig } from '../gateway/config.ts'
import {
  bucketBody,
  createBucket,
  deleteBucket,
  findBucket,
  getBucket,
  listBuckets,
  updateBucket,
} from './buckets.ts'
import { receiveContent } from './content.ts'
import { asCaller, connectStorage, type Operation, service } from './database.ts'
import { contentResponse, infoOf } from './download.ts'
import { errors, StorageError, storageErrorResponse } from './errors.ts'
import { ObjectFiles } from './files.ts'
import { listBody, listObjects } from './listing.ts'
import { type ObjectRef, Objects, ownerOf } from './objects.ts'
import { seedBuckets } from './seed.ts'
import { signObject, uploadUrlSeconds, verifyObject } from './signatures.ts'

export interface StorageServerOptions {
  adminUrl: string
  /** Folder of the objects' content. */
  dir: string
  settings: GatewayConfig['storage']
  tokens: TokenSigner
  log: (line: string) => void
}

export interface StorageServer {
  /** Answers a request to `/storage/v1/*`. */
  fetch(request: Request, caller: CallerResult): Promise<Response>
  /** Creates the buckets of config.toml and uploads what their `objects_path` holds, if it changed. */
  seedBuckets(supabaseDir: string): Promise<void>
  stop(): Promise<void>
}

interface Env {
  Bindings: { caller: CallerResult }
}

async function bodyOf<Schema extends z.ZodType>(request: Request, schema: Schema): Promise<z.infer<Schema>> {
  const value: unknown = await request.json().catch(() => {
    throw errors.invalidBody('Body is not valid JSON')
  })
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw errors.invalidBody(`body/${issue?.path.join('/') ?? ''} ${issue?.message ?? 'is invalid'}`)
}

/** Who asks and for what. @throws StorageError when the request's token does not hold */
function operationOf(c: Context<Env>, name: string): Operation {
  const { caller, error } = c.env.caller
  if (caller) return { caller, name: `storage.${name}`, request: c.req.raw }
  if (!(error instanceof JwtError)) throw errors.accessDenied('Invalid key')
  const reason = { malformed: 'Invalid Compact JWS', signature: 'signature verification failed' }
  throw errors.accessDenied(
    error.fault === 'malformed' || error.fault === 'signature'
      ? reason[error.fault]
      : '"exp" claim timestamp check failed',
  )
}

/** Someone without a token, or with one that no longer holds, may still read public buckets. */
function readOperation(c: Context<Env>, name: string): Operation {
  const anonymous = { role: 'anon', claims: { role: 'anon' } }
  return { caller: c.env.caller.caller ?? anonymous, name: `storage.${name}`, request: c.req.raw }
}

const refOf = (c: Context<Env>): ObjectRef => ({
  bucket: c.req.param('bucket') ?? '',
  key: c.req.param('key') ?? '',
})

const signBody = z.object({ expiresIn: z.number().int().min(1) })
const signManyBody = signBody.extend({ paths: z.array(z.string()).min(1) })
const removeBody = z.object({ prefixes: z.array(z.string()).min(1).max(1000) })
const transferBody = z.object({
  bucketId: z.string(),
  sourceKey: z.string(),
  destinationBucket: z.string().nullish(),
  destinationKey: z.string(),
})

/** The storage API's object and bucket routes, on `storage.objects` and a folder. */
export async function startStorage(options: StorageServerOptions): Promise<StorageServer> {
  const { settings, tokens } = options
  const sql = connectStorage(options.adminUrl)
  const files = await ObjectFiles.open(options.dir)
  const objects = new Objects(sql, files)
  const app = new Hono<Env>().basePath('/storage/v1')

  app.onError((error, c) => {
    if (error instanceof StorageError) return storageErrorResponse(error)
    if (c.req.raw.signal.aborted) return new Response(null, { status: 499 })
    options.log(`storage: ${c.req.method} ${c.req.path}: ${error.message}`)
    return storageErrorResponse(new StorageError(500, 'InternalError', 'Internal server error'))
  })
  app.notFound((c) =>
    c.json(
      { message: `Route ${c.req.method}:${c.req.path} not found`, error: 'Not Found', statusCode: 404 },
      404,
    ),
  )

  async function limitsOf(operation: Operation, bucketId: string) {
    const bucket = await findBucket(sql, operation, bucketId)
    const limit = bucket.file_size_limit ?? settings.file_size_limit
    return {
      maxBytes: Math.min(limit, settings.file_size_limit),
      allowedMimeTypes: bucket.allowed_mime_types,
    }
  }

  async function upload(c: Context<Env>, upsert: boolean) {
    const operation = operationOf(c, upsert ? 'object.upload_update' : 'object.upload')
    const object = refOf(c)
    const limits = await limitsOf(operation, object.bucket)
    await objects.assertMayWrite(operation, object, upsert)
    const content = await receiveContent(c.req.raw, limits, files)
    const id = await objects.commit(operation, object, content, ownerOf(operation.caller), upsert)
    return c.json({ Key: `${object.bucket}/${object.key}`, Id: id })
  }

  async function readable(c: Context<Env>, name: string) {
    const operation = readOperation(c, name)
    const object = refOf(c)
    const bucket = await findBucket(sql, operation, object.bucket)
    // As on the platform: nobody in particular does not even learn that a private bucket exists.
    if (!bucket.public && !c.env.caller.caller) throw errors.bucketNotFound()
    return objects.find(bucket.public ? { ...operation, caller: service } : operation, object)
  }

  async function publicObject(c: Context<Env>, name: string) {
    const operation = { ...readOperation(c, name), caller: service }
    const object = refOf(c)
    if (!(await findBucket(sql, operation, object.bucket)).public) throw errors.bucketNotFound()
    return objects.find(operation, object)
  }

  app.get('/status', (c) => c.body(null, 200))

  app.get('/bucket', async (c) => c.json(await listBuckets(sql, operationOf(c, 'bucket.list'))))
  app.post('/bucket', async (c) =>
    c.json(await createBucket(sql, operationOf(c, 'bucket.create'), await bodyOf(c.req.raw, bucketBody))),
  )
  app.get('/bucket/:id', async (c) =>
    c.json(await getBucket(sql, operationOf(c, 'bucket.get'), c.req.param('id'))),
  )
  app.put('/bucket/:id', async (c) => {
    await updateBucket(
      sql,
      operationOf(c, 'bucket.update'),
      c.req.param('id'),
      await bodyOf(c.req.raw, bucketBody),
    )
    return c.json({ message: 'Successfully updated' })
  })
  app.post('/bucket/:id/empty', async (c) => {
    const operation = operationOf(c, 'bucket.empty')
    const { id } = await getBucket(sql, operation, c.req.param('id'))
    const names = await asCaller(
      sql,
      operation,
      (transaction) =>
        transaction<{ name: string }[]>`select name from storage.objects where bucket_id = ${id}`,
    )
    await objects.remove(
      operation,
      id,
      names.map(({ name }) => name),
    )
    return c.json({ message: 'Successfully emptied' })
  })
  app.delete('/bucket/:id', async (c) => {
    await deleteBucket(sql, operationOf(c, 'bucket.delete'), c.req.param('id'))
    return c.json({ message: 'Successfully deleted' })
  })

  app.post('/object/list/:bucket', async (c) => {
    const operation = operationOf(c, 'object.list')
    return c.json(await listObjects(sql, operation, c.req.param('bucket'), await bodyOf(c.req.raw, listBody)))
  })

  app.post('/object/sign/:bucket', async (c) => {
    const operation = operationOf(c, 'object.sign_many')
    const bucket = c.req.param('bucket')
    const { paths, expiresIn } = await bodyOf(c.req.raw, signManyBody)
    const found = await asCaller(
      sql,
      operation,
      (transaction) => transaction<{ name: string }[]>`
        select name from storage.objects where bucket_id = ${bucket} and name = any(${paths})`,
    )
    const readableNames = new Set(found.map(({ name }) => name))
    const error = 'Either the object does not exist or you do not have access to it'
    return c.json(
      paths.map((path) => {
        if (!readableNames.has(path)) return { error, path, signedURL: null }
        const token = signObject(tokens, 'read', { bucket, key: path }, expiresIn)
        return { error: null, path, signedURL: `/object/sign/${bucket}/${path}?token=${token}` }
      }),
    )
  })
  app.post('/object/sign/:bucket/:key{.+}', async (c) => {
    const object = refOf(c)
    const { expiresIn } = await bodyOf(c.req.raw, signBody)
    await objects.find(operationOf(c, 'object.sign'), object)
    const token = signObject(tokens, 'read', object, expiresIn)
    return c.json({ signedURL: `/object/sign/${object.bucket}/${object.key}?token=${token}` })
  })
  app.get('/object/sign/:bucket/:key{.+}', async (c) => {
    verifyObject(tokens, 'read', refOf(c), c.req.query('token') ?? null)
    const operation = { ...readOperation(c, 'object.get_signed'), caller: service }
    return contentResponse(c.req.raw, await objects.find(operation, refOf(c)), files)
  })

  app.post('/object/upload/sign/:bucket/:key{.+}', async (c) => {
    const operation = operationOf(c, 'object.upload_signed_url')
    const object = refOf(c)
    const upsert = c.req.header('x-upsert') === 'true'
    await findBucket(sql, operation, object.bucket)
    await objects.assertMayWrite(operation, object, upsert)
    const claims = { owner: ownerOf(operation.caller) ?? undefined, upsert }
    const token = signObject(tokens, 'upload', object, uploadUrlSeconds, claims)
    return c.json({ url: `/object/upload/sign/${object.bucket}/${object.key}?token=${token}`, token })
  })
  app.put('/object/upload/sign/:bucket/:key{.+}', async (c) => {
    const object = refOf(c)
    const claims = verifyObject(tokens, 'upload', object, c.req.query('token') ?? null)
    const operation = { ...readOperation(c, 'object.upload_signed'), caller: service }
    const limits = await limitsOf(operation, object.bucket)
    await objects.assertMayWrite(operation, object, claims.upsert === true)
    const content = await receiveContent(c.req.raw, limits, files)
    const owner = typeof claims.owner === 'string' ? claims.owner : null
    await objects.commit(operation, object, content, owner, claims.upsert === true)
    return c.json({ Key: `${object.bucket}/${object.key}` })
  })

  app.post('/object/move', async (c) => {
    const body = await bodyOf(c.req.raw, transferBody)
    const to = { bucket: body.destinationBucket ?? body.bucketId, key: body.destinationKey }
    const { id } = await objects.move(
      operationOf(c, 'object.move'),
      { bucket: body.bucketId, key: body.sourceKey },
      to,
    )
    return c.json({ message: 'Successfully moved', Id: id, Key: `${to.bucket}/${to.key}` })
  })
  app.post('/object/copy', async (c) => {
    const body = await bodyOf(c.req.raw, transferBody)
    const to = { bucket: body.destinationBucket ?? body.bucketId, key: body.destinationKey }
    const upsert = c.req.header('x-upsert') === 'true'
    const from = { bucket: body.bucketId, key: body.sourceKey }
    const id = await objects.copy(operationOf(c, 'object.copy'), from, to, upsert)
    return c.json({ Id: id, Key: `${to.bucket}/${to.key}` })
  })

  for (const path of ['/object/info/public/:bucket/:key{.+}']) {
    app.get(path, async (c) => c.json(infoOf(await publicObject(c, 'object.get_public_info'))))
  }
  for (const path of ['/object/info/authenticated/:bucket/:key{.+}', '/object/info/:bucket/:key{.+}']) {
    app.get(path, async (c) => c.json(infoOf(await readable(c, 'object.get_authenticated_info'))))
  }
  // Hono answers HEAD through the same routes.
  app.get('/object/public/:bucket/:key{.+}', async (c) =>
    contentResponse(c.req.raw, await publicObject(c, 'object.get_public'), files),
  )
  for (const path of ['/object/authenticated/:bucket/:key{.+}', '/object/:bucket/:key{.+}']) {
    app.get(path, async (c) =>
      contentResponse(c.req.raw, await readable(c, 'object.get_authenticated'), files),
    )
  }

  app.post('/object/:bucket/:key{.+}', (c) => upload(c, c.req.header('x-upsert') === 'true'))
  app.put('/object/:bucket/:key{.+}', (c) => upload(c, true))
  app.delete('/object/:bucket/:key{.+}', async (c) => {
    const object = refOf(c)
    const removed = await objects.remove(operationOf(c, 'object.delete'), object.bucket, [object.key])
    if (removed.length === 0) throw errors.notFound()
    return c.json({ message: 'Successfully deleted' })
  })
  app.delete('/object/:bucket', async (c) => {
    const { prefixes } = await bodyOf(c.req.raw, removeBody)
    return c.json(await objects.remove(operationOf(c, 'object.delete_many'), c.req.param('bucket'), prefixes))
  })

  return {
    fetch: async (request, caller) => app.fetch(request, { caller }),
    seedBuckets: (supabaseDir) =>
      seedBuckets({ sql, objects, files, settings, supabaseDir, log: options.log }),
    stop: () => sql.end({ timeout: 2 }),
  }
}
