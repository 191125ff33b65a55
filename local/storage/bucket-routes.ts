import { bucketBody, createBucket, deleteBucket, getBucket, listBuckets, updateBucket } from './buckets.ts'
import { asCaller } from './database.ts'
import { bodyOf, operationOf, type StorageApp, type StorageContext } from './requests.ts'

/** `/bucket`, which policies on `storage.buckets` open to others than the secret key. */
export function addBucketRoutes(app: StorageApp, { sql, objects }: StorageContext): void {
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
}
