import type { Context } from 'hono'
import { z } from 'zod'
import { findBucket, limitsOf } from './buckets.ts'
import { receiveContent } from './content.ts'
import { asCaller, type Operation, type Sql, service } from './database.ts'
import { errors } from './errors.ts'
import type { ObjectFiles } from './files.ts'
import { type ObjectRow, ownerOf } from './objects.ts'
import {
  bodyOf,
  type Env,
  operationOf,
  readOperation,
  refOf,
  type StorageApp,
  type StorageContext,
} from './requests.ts'

const removeBody = z.object({ prefixes: z.array(z.string()).min(1).max(1000) })
const transferBody = z.object({
  bucketId: z.string(),
  sourceKey: z.string(),
  destinationBucket: z.string().nullish(),
  destinationKey: z.string(),
})

/** `/object`: upload, download, list, move, copy, remove. */
export function addObjectRoutes(app: StorageApp, context: StorageContext): void {
  const { sql, files, objects } = context

  async function upload(c: Context<Env>, upsert: boolean) {
    const operation = operationOf(c, c.req.method === 'PUT' ? 'object.upload_update' : 'object.upload')
    const object = refOf(c)
    const limits = await limitsOf(context, operation, object.bucket)
    const content = await receiveContent(c.req.raw, limits, files, (announced) =>
      objects.assertMayWrite(operation, object, upsert, announced),
    )
    const id = await objects.commit(operation, object, content, ownerOf(operation.caller), upsert)
    return c.json({ Key: `${object.bucket}/${object.key}`, Id: id })
  }

  async function readable(c: Context<Env>, name: string) {
    const operation = readOperation(c, name)
    const object = refOf(c)
    const bucket = await findBucket(sql, operation, object.bucket)
    // As on the platform, a caller without a token does not even learn that a private bucket exists.
    if (!bucket.public && !c.env.caller.caller) throw errors.bucketNotFound()
    return objects.find(bucket.public ? { ...operation, caller: service } : operation, object)
  }

  async function publicObject(c: Context<Env>, name: string) {
    const operation = { ...readOperation(c, name), caller: service }
    const object = refOf(c)
    if (!(await findBucket(sql, operation, object.bucket)).public) throw errors.bucketNotFound()
    return objects.find(operation, object)
  }

  app.post('/object/list/:bucket', async (c) => {
    const operation = operationOf(c, 'object.list')
    return c.json(await listObjects(sql, operation, c.req.param('bucket'), await bodyOf(c.req.raw, listBody)))
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
    app.get(path, async (c) => c.json(infoOf(await publicObject(c, 'object.info_public'))))
  }
  for (const path of ['/object/info/authenticated/:bucket/:key{.+}', '/object/info/:bucket/:key{.+}']) {
    app.get(path, async (c) => c.json(infoOf(await readable(c, 'object.info_authenticated'))))
  }
  // Hono serves HEAD through the same routes.
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
    const operation = operationOf(c, 'object.delete')
    const removed = await objects.remove(operation, object.bucket, [object.key])
    if (removed.length === 0) {
      // One that is there and may not be removed is told from one that is not.
      await objects.find({ ...operation, caller: service }, object)
      throw errors.accessDenied('Access denied')
    }
    return c.json({ message: 'Successfully deleted' })
  })
  app.delete('/object/:bucket', async (c) => {
    const { prefixes } = await bodyOf(c.req.raw, removeBody)
    return c.json(await objects.remove(operationOf(c, 'object.delete_many'), c.req.param('bucket'), prefixes))
  })
}

const columns = ['name', 'updated_at', 'created_at', 'last_accessed_at'] as const

export const listBody = z.object({
  prefix: z.string().default(''),
  limit: z.number().int().min(1).default(100),
  offset: z.number().int().min(0).default(0),
  search: z.string().nullish(),
  sortBy: z
    .object({ column: z.enum(columns).default('name'), order: z.enum(['asc', 'desc']).default('asc') })
    .default({ column: 'name', order: 'asc' }),
})

/**
 * What lies directly under a prefix that the caller may see, at most 1,500; a folder has no id. Prefix and search are the
 * beginning of names, without regard to case. By name, folders and files are mixed; by a time, folders come first.
 *
 * Source: `storage.search` in migrations/tenant/0063-fix-search-name-relative-to-prefix.sql of supabase/storage.
 */
export function listObjects(sql: Sql, operation: Operation, bucket: string, body: z.infer<typeof listBody>) {
  const prefix = body.prefix === '' || body.prefix.endsWith('/') ? body.prefix : `${body.prefix}/`
  const beginning = `${prefix}${body.search ?? ''}`
  return asCaller(sql, operation, async (transaction) => {
    const { column, order } = body.sortBy
    const direction = transaction.unsafe(order)
    const byName = transaction`position ${direction}`
    const sorting =
      column === 'name'
        ? byName
        : transaction`id is not null, ${transaction.unsafe(column)} ${direction}, ${byName}`
    const rows = await transaction`
      with visible as (
        select id, updated_at, created_at, last_accessed_at, metadata, name,
          substr(name, ${beginning.length + 1}) as rest
        from storage.objects
        where bucket_id = ${bucket} and starts_with(lower(name), lower(${beginning}))
      ),
      folders as (
        select min(left(name, ${beginning.length} + strpos(rest, '/') - 1) collate "C") as name
        from visible where strpos(rest, '/') > 0
        group by lower(split_part(rest, '/', 1))
      ),
      entries as (
        select name, null::uuid as id, null::timestamptz as updated_at, null::timestamptz as created_at,
          null::timestamptz as last_accessed_at, null::jsonb as metadata,
          lower(name) || '/' collate "C" as position
        from folders
        union all
        select name, id, updated_at, created_at, last_accessed_at, metadata, lower(name) collate "C"
        from visible where strpos(rest, '/') = 0
      )
      select substr(name, ${prefix.length + 1}) as name, id, updated_at, created_at, last_accessed_at, metadata
      from entries order by ${sorting} limit ${Math.min(body.limit, 1500)} offset ${body.offset}`
    return [...rows]
  })
}

interface ByteRange {
  start: number
  end: number
}

/** The bytes that a Range header asks for; null when it asks for all. @throws StorageError when the object has none of them, or it asks for nothing that can be read */
export function parseRange(header: string | null, size: number): ByteRange | null {
  if (!header) return null
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? []
  const isEmptyOrReversed = from === '' ? to === '' : to !== '' && Number(to) < Number(from)
  if (isEmptyOrReversed) throw errors.invalidRange()
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (start >= size) throw errors.invalidRange()
  return { start, end }
}

/** Whether the client has this content already, by its tag, or by its time where it sends no tag (RFC 9110). */
function isUnchanged(headers: Headers, eTag: string, lastModified: string): boolean {
  const tag = headers.get('if-none-match')
  if (tag !== null) return tag === eTag
  const since = Date.parse(headers.get('if-modified-since') ?? '')
  return Math.floor(Date.parse(lastModified) / 1000) * 1000 <= since
}

function dispositionOf(request: Request, name: string): string | undefined {
  const download = new URL(request.url).searchParams.get('download')
  if (download === null) return undefined
  const filename = download === '' || download === 'true' ? (name.split('/').at(-1) ?? '') : download
  return `attachment; filename=${encodeURIComponent(filename)}; filename*=UTF-8''${encodeURIComponent(filename)};`
}

/**
 * Returns an object's content, whole or a range of it, or only its headers for HEAD.
 *
 * @param expires when a signed address ends, in seconds since 1970; it stands in for `Cache-Control` (`setHeaders` in
 *   src/storage/renderer/renderer.ts of supabase/storage)
 */
export function contentResponse(
  request: Request,
  object: ObjectRow,
  files: ObjectFiles,
  expires?: number,
): Response {
  const { eTag, size, mimetype, cacheControl, lastModified } = object.metadata
  const headers = new Headers({
    'content-type': mimetype,
    ...(expires === undefined
      ? { 'cache-control': cacheControl }
      : { expires: new Date(expires * 1000).toUTCString() }),
    etag: eTag,
    'last-modified': new Date(lastModified).toUTCString(),
    'accept-ranges': 'bytes',
  })
  const disposition = dispositionOf(request, object.name)
  if (disposition) headers.set('content-disposition', disposition)
  if (isUnchanged(request.headers, eTag, lastModified)) return new Response(null, { status: 304, headers })
  // As on the platform, HEAD tells of the whole object.
  const range = request.method === 'HEAD' ? null : parseRange(request.headers.get('range'), size)
  headers.set('content-length', String(range ? range.end - range.start + 1 : size))
  if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${size}`)
  const status = range ? 206 : 200
  if (request.method === 'HEAD' || size === 0) return new Response(null, { status, headers })
  return new Response(files.read(object.version, range ?? undefined), { status, headers })
}

/** What `storage.from(…).info(path)` reads. */
export function infoOf(object: ObjectRow) {
  const { metadata } = object
  return {
    id: object.id,
    name: object.name,
    version: object.version,
    bucket_id: object.bucket_id,
    size: metadata.size,
    content_type: metadata.mimetype,
    cache_control: metadata.cacheControl,
    etag: metadata.eTag,
    metadata: object.user_metadata ?? {},
    last_modified: metadata.lastModified,
    created_at: object.created_at,
  }
}
