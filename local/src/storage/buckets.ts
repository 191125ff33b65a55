import { z } from 'zod'
import { parseSize } from '../config.ts'
import type { ContentLimits } from './content.ts'
import { asCaller, type Operation, type Sql, service } from './database.ts'
import { errors } from './errors.ts'
import { bodyOf, operationOf, type StorageApp, type StorageContext } from './requests.ts'

/** `/bucket`, which policies on `storage.buckets` open to others than the secret key. */
export function addBucketRoutes(app: StorageApp, { sql, objects, settings }: StorageContext): void {
  const largest = settings.file_size_limit
  app.get('/bucket', async (c) =>
    c.json(await listBuckets(sql, operationOf(c, 'bucket.list'), c.req.query())),
  )
  app.post('/bucket', async (c) =>
    c.json(
      await createBucket(sql, operationOf(c, 'bucket.create'), await bodyOf(c.req.raw, bucketBody), largest),
    ),
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
      largest,
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
}

export interface BucketRow {
  id: string
  name: string
  owner: string | null
  public: boolean
  file_size_limit: number | null
  allowed_mime_types: string[] | null
  created_at: string
  updated_at: string
}

export const bucketBody = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  public: z.boolean().optional(),
  file_size_limit: z.union([z.number(), z.string()]).nullish(),
  allowed_mime_types: z.array(z.string()).nullish(),
})
type BucketBody = z.infer<typeof bucketBody>

const shown = 'id, name, owner, public, file_size_limit, allowed_mime_types, created_at, updated_at'

/** @throws StorageError when the size is unreadable, or more than the project takes */
function sizeOf(limit: string | number | null, largest: number): number | null {
  if (limit === null) return null
  let size: number
  try {
    size = parseSize(limit)
  } catch {
    throw errors.invalidFileSizeLimit()
  }
  if (size > largest) throw errors.tooLarge()
  return size
}

const token = '[a-z0-9!#$&^_.+-]+'
/** `family/name` or `family/*`, with parameters; a comma stands only within their quotes. */
const mimeType = new RegExp(`^${token}/(?:\\*|${token})\\s*(?:;(?:[^,"]|"[^"]*")*)?$`, 'i')

/** @throws StorageError for what is no type, or longer than one */
function mimeTypesOf(types: string[] | null): string[] | null {
  for (const type of types ?? []) {
    if (type.length > 255 || !mimeType.test(type.trim())) throw errors.invalidBucketMimeType(type)
  }
  return types
}

function columnsOf(body: BucketBody, largest: number) {
  const { file_size_limit: limit, allowed_mime_types: types } = body
  return {
    ...(body.public === undefined ? {} : { public: body.public }),
    ...(limit === undefined ? {} : { file_size_limit: sizeOf(limit, largest) }),
    ...(types === undefined ? {} : { allowed_mime_types: mimeTypesOf(types) }),
  }
}

const listQuery = z.object({
  search: z.string().default(''),
  limit: z.coerce.number().int().min(1).optional(),
  offset: z.coerce.number().int().min(0).default(0),
  sortColumn: z.enum(['id', 'name', 'created_at', 'updated_at']).default('name'),
  sortOrder: z.enum(['asc', 'desc']).default('asc'),
})

/** @throws StorageError when the query is malformed */
export function listBuckets(sql: Sql, operation: Operation, query: Record<string, string>) {
  const parsed = listQuery.safeParse(query)
  if (!parsed.success)
    throw errors.invalidBody(`querystring/${parsed.error.issues[0]?.path.join('/')} is invalid`)
  const { search, limit, offset, sortColumn, sortOrder } = parsed.data
  return asCaller(sql, operation, async (transaction) => [
    ...(await transaction<BucketRow[]>`
      select ${transaction.unsafe(shown)} from storage.buckets
      where strpos(lower(name), lower(${search})) > 0
      order by ${transaction(sortColumn)} ${transaction.unsafe(sortOrder)} limit ${limit ?? null} offset ${offset}`),
  ])
}

/** The bucket as the caller sees it. @throws StorageError */
export async function getBucket(sql: Sql, operation: Operation, id: string): Promise<BucketRow> {
  const [bucket] = await asCaller(
    sql,
    operation,
    (transaction) => transaction<BucketRow[]>`
      select ${transaction.unsafe(shown)} from storage.buckets where id = ${id}`,
  )
  if (!bucket) throw errors.bucketNotFound()
  return bucket
}

/** The bucket past its policies, for its limits and whether it is public. @throws StorageError */
export const findBucket = (sql: Sql, operation: Operation, id: string) =>
  getBucket(sql, { ...operation, caller: service }, id)

export async function createBucket(
  sql: Sql,
  operation: Operation,
  body: BucketBody,
  largest: number,
): Promise<{ name: string }> {
  const name = body.name ?? body.id ?? ''
  assertBucketName(name)
  const row = { id: body.id ?? name, name, ...columnsOf(body, largest) }
  await asCaller(
    sql,
    operation,
    (transaction) => transaction`insert into storage.buckets ${transaction(row)}`,
  )
  return { name }
}

export async function updateBucket(
  sql: Sql,
  operation: Operation,
  id: string,
  body: BucketBody,
  largest: number,
): Promise<void> {
  const changes = { ...columnsOf(body, largest), updated_at: new Date().toISOString() }
  const updated = await asCaller(
    sql,
    operation,
    (transaction) =>
      transaction`update storage.buckets set ${transaction(changes)} where id = ${id} returning id`,
  )
  if (updated.length === 0) throw errors.bucketNotFound()
}

export async function deleteBucket(sql: Sql, operation: Operation, id: string): Promise<void> {
  await getBucket(sql, operation, id)
  const objects = await asCaller(
    sql,
    { ...operation, caller: service },
    (transaction) => transaction`select 1 from storage.objects where bucket_id = ${id} limit 1`,
  )
  if (objects.length > 0) throw errors.bucketNotEmpty()
  const deleted = await asCaller(
    sql,
    operation,
    (transaction) => transaction`delete from storage.buckets where id = ${id} returning id`,
  )
  if (deleted.length === 0) throw errors.accessDenied('Access denied')
}

/** What a bucket takes. @throws StorageError when there is no such bucket */
export async function limitsOf(
  { sql, settings }: StorageContext,
  operation: Operation,
  bucketId: string,
): Promise<ContentLimits> {
  const bucket = await findBucket(sql, operation, bucketId)
  const limit = bucket.file_size_limit ?? settings.file_size_limit
  return { maxBytes: Math.min(limit, settings.file_size_limit), allowedMimeTypes: bucket.allowed_mime_types }
}

/** @throws StorageError */
export function assertBucketName(name: string): void {
  if (name.length === 0 || name.length >= 64 || !/^[\w!\-.*'() &$@=;:+,?]*$/.test(name)) {
    throw errors.invalidBucketName()
  }
}
