import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { extname, join, relative, resolve, sep } from 'node:path'
import type { Config } from '../config.ts'
import { asCaller, type Operation, type Sql, service } from './database.ts'
import type { ObjectFiles } from './files.ts'
import type { ObjectRow, Objects } from './objects.ts'

export interface SeedOptions {
  sql: Sql
  objects: Objects
  files: ObjectFiles
  settings: Config['storage']
  /** The folder of config.toml, which `objects_path` is relative to. */
  supabaseDir: string
  log: (line: string) => void
}

const types: Record<string, string> = {
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.txt': 'text/plain',
  '.html': 'text/html',
  '.css': 'text/css',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
  '.wav': 'audio/wav',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
}

async function md5Of(path: string): Promise<string> {
  const hash = createHash('md5')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

async function filesUnder(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

async function upsertBucket(
  sql: Sql,
  operation: Operation,
  id: string,
  settings: SeedOptions['settings']['buckets'][string],
) {
  const row = {
    public: settings.public,
    file_size_limit: settings.file_size_limit ?? null,
    allowed_mime_types: settings.allowed_mime_types ?? null,
  }
  await asCaller(
    sql,
    operation,
    (transaction) => transaction`
      insert into storage.buckets ${transaction({ id, name: id, ...row })}
      on conflict (id) do update set ${transaction(row)}, updated_at = now()`,
  )
}

/** Makes the buckets of config.toml and what their `objects_path` holds present; content that is there already stays. */
export async function seedBuckets({
  sql,
  objects,
  files,
  settings,
  supabaseDir,
  log,
}: SeedOptions): Promise<void> {
  const request = new Request('http://localhost/storage/v1/bucket', { method: 'POST' })
  const operation: Operation = { caller: service, name: 'storage.object.upload_update', request }
  for (const [bucket, bucketSettings] of Object.entries(settings.buckets)) {
    await upsertBucket(sql, operation, bucket, bucketSettings)
    if (!bucketSettings.objects_path) continue
    const dir = resolve(supabaseDir, bucketSettings.objects_path)
    if (!(await stat(dir).catch(() => null))?.isDirectory()) {
      log(`storage: ${bucket}: there is no folder ${dir} to upload`)
      continue
    }
    const present = await asCaller(
      sql,
      operation,
      (transaction) => transaction<Pick<ObjectRow, 'name' | 'metadata'>[]>`
        select name, metadata from storage.objects where bucket_id = ${bucket}`,
    )
    const etags = new Map(present.map(({ name, metadata }) => [name, metadata.eTag]))
    let uploaded = 0
    for (const path of await filesUnder(dir)) {
      const key = relative(dir, path).split(sep).join('/')
      if (etags.get(key) === `"${await md5Of(path)}"`) continue
      const limit = bucketSettings.file_size_limit ?? settings.file_size_limit
      const received = await files.receive(createReadStream(path), limit).catch((error: unknown) => {
        throw new Error(`storage: ${bucket}/${key}: ${error instanceof Error ? error.message : error}`)
      })
      const mimeType = types[extname(path).toLowerCase()] ?? 'application/octet-stream'
      const content = { ...received, mimeType, cacheControl: 'max-age=3600', userMetadata: undefined }
      await objects.commit(operation, { bucket, key }, content, null, true)
      uploaded += 1
    }
    log(`storage: ${bucket}: ${uploaded} uploaded, ${etags.size} present before`)
  }
}
