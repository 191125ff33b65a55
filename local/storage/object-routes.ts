import type { Context } from 'hono'
import { z } from 'zod'
import { findBucket } from './buckets.ts'
import { receiveContent } from './content.ts'
import { service } from './database.ts'
import { contentResponse, infoOf } from './download.ts'
import { errors } from './errors.ts'
import { listBody, listObjects } from './listing.ts'
import { ownerOf } from './objects.ts'
import {
  bodyOf,
  type Env,
  limitsOf,
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
}
