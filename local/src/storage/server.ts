import { Hono } from 'hono'
import type { Config } from '../config.ts'
import type { CallerResult } from '../http/caller.ts'
import type { TokenSigner } from '../http/jwt.ts'
import { addBucketRoutes } from './buckets.ts'
import { connectStorage } from './database.ts'
import { StorageError, storageErrorResponse } from './errors.ts'
import { ObjectFiles } from './files.ts'
import { addObjectRoutes } from './object-routes.ts'
import { Objects } from './objects.ts'
import type { Env } from './requests.ts'
import { addResumableRoutes } from './resumable.ts'
import { seedBuckets } from './seed.ts'
import { addSignedRoutes } from './signed-urls.ts'

export interface StorageServerOptions {
  adminUrl: string
  /** Folder of the objects' content. */
  dir: string
  settings: Config['storage']
  tokens: TokenSigner
  log: (line: string) => void
}

export interface StorageServer {
  /** Handles a request to `/storage/v1/*`. */
  fetch(request: Request, caller: CallerResult): Promise<Response>
  /** Creates the buckets of config.toml and uploads what their `objects_path` holds, if it changed. */
  seedBuckets(supabaseDir: string): Promise<void>
  stop(): Promise<void>
}

/** The storage API's object and bucket routes, on `storage.objects` and a folder. */
export async function startStorage(options: StorageServerOptions): Promise<StorageServer> {
  const { settings, tokens, log } = options
  const sql = connectStorage(options.adminUrl)
  const files = await ObjectFiles.open(options.dir)
  const objects = new Objects(sql, files)
  await objects.removeOrphans()
  const app = new Hono<Env>().basePath('/storage/v1')

  app.onError((error, c) => {
    if (error instanceof StorageError) return storageErrorResponse(error)
    if (c.req.raw.signal.aborted) return new Response(null, { status: 499 })
    log(`storage: ${c.req.method} ${c.req.path}: ${error.message}`)
    return storageErrorResponse(new StorageError(500, 'InternalError', 'Internal server error'))
  })
  app.notFound((c) =>
    c.json(
      { message: `Route ${c.req.method}:${c.req.path} not found`, error: 'Not Found', statusCode: 404 },
      404,
    ),
  )
  app.get('/status', (c) => c.body(null, 200))
  const context = { sql, files, objects, tokens, settings }
  addBucketRoutes(app, context)
  // Before the object routes, whose paths would match these too.
  addSignedRoutes(app, context)
  await addResumableRoutes(app, context)
  addObjectRoutes(app, context)

  return {
    fetch: async (request, caller) => app.fetch(request, { caller }),
    seedBuckets: (supabaseDir) => seedBuckets({ sql, objects, files, settings, supabaseDir, log }),
    stop: () => sql.end({ timeout: 2 }),
  }
}
