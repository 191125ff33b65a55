import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import postgres from 'postgres'
import { z } from 'zod'
import { newPlatformSettings, type PlatformSettings, respondAboutSettings } from './platform-settings.ts'

/** A source file as it arrived, under the path it has on the server. */
export type UploadedFile = { path: string; bytes: Uint8Array }

/** One function's sources, as `functions deploy --use-api` sends them. */
export type Upload = { slug: string; bundleOnly: boolean; metadata: Metadata; files: UploadedFile[] }

/** What the stand-in has been asked for, in order. */
export type Received = {
  uploads: Upload[]
  activations: DeployedFunction[][]
  secrets: { name: string; value: string }[]
  errors: string[]
}

export type ManagementApi = {
  url: string
  ref: string
  token: string
  received: Received
  /** What the project has, for a test to change: its secrets, its live functions, its keys and its settings. */
  secrets: Map<string, { value: string; updatedAt: Date }>
  functions: Map<string, DeployedFunction & { updated_at: number }>
  keys: { publishable: string; secret: string; since: Date }
  settings: PlatformSettings
  close(): Promise<void>
}

/** The database and the keys of the project that the stand-in speaks for. */
export type BackedProject = { databaseUrl: string; publishableKey: string; secretKey: string }

const slug = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/)
const metadata = z.strictObject({
  name: z.string().optional(),
  verify_jwt: z.boolean().optional(),
  entrypoint_path: z.string().min(1),
  import_map_path: z.string().optional(),
  static_patterns: z.array(z.string()).optional(),
})
type Metadata = z.infer<typeof metadata>

const deployedFunction = z.object({
  id: z.string(),
  slug,
  name: z.string(),
  status: z.enum(['ACTIVE', 'REMOVED', 'THROTTLED']),
  version: z.int(),
  created_at: z.int().optional(),
  verify_jwt: z.boolean().optional(),
  import_map: z.boolean().optional(),
  entrypoint_path: z.string().optional(),
  import_map_path: z.string().optional(),
  ezbr_sha256: z.string().optional(),
})
export type DeployedFunction = z.infer<typeof deployedFunction>

const secrets = z
  .array(
    z.object({
      name: z
        .string()
        .max(256)
        .regex(/^(?!SUPABASE_)/),
      value: z.string().max(24_576),
    }),
  )
  .max(100)

class ApiError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type ApiResponse = { status: number; body?: unknown }

const query = z.object({
  query: z.string(),
  parameters: z.array(z.union([z.string(), z.number(), z.null()])).default([]),
})

/**
 * Serves, on 127.0.0.1, the part of Supabase's Management API that deploying and reading a stage need: functions, secrets,
 * keys, settings, advisors, and queries, which a project on this machine answers. Requests are held to the shapes of its
 * OpenAPI description; what the description forbids fails with 400 and is kept in `received.errors`.
 */
export async function startManagementApi(project?: BackedProject): Promise<ManagementApi> {
  const ref = 'abcdefghijklmnopqrst'
  const token = `sbp_${'0123456789'.repeat(4)}`
  const received: Received = { uploads: [], activations: [], secrets: [], errors: [] }
  const held: ManagementApi['secrets'] = new Map()
  const settings = newPlatformSettings()
  const keys = {
    publishable: project?.publishableKey ?? '',
    secret: project?.secretKey ?? '',
    since: new Date(),
  }
  const database = project && postgres(project.databaseUrl, { max: 2, prepare: false, onnotice: () => {} })
  const active: ManagementApi['functions'] = new Map()

  async function respond(request: Request): Promise<ApiResponse> {
    const url = new URL(request.url)
    if (request.headers.get('authorization') !== `Bearer ${token}`) throw new ApiError(401, 'Unauthorized')
    const [, version, named, rest = ''] = /^\/(v[12])\/projects\/([^/]+)(\/.*)?$/.exec(url.pathname) ?? []
    const path = version === 'v2' ? `/v2${rest}` : rest
    if (named !== ref) throw new ApiError(404, `Not Found: ${url.pathname}`)

    switch (`${request.method} ${path}`) {
      case 'GET ':
        return { status: 200, body: describeProject(ref, settings.status) }
      case 'GET /functions':
        return { status: 200, body: [...active.values()] }
      case 'POST /functions/deploy': {
        const upload = await readUpload(request)
        received.uploads.push(upload)
        const deployed = describe(upload, (active.get(upload.slug)?.version ?? 0) + 1)
        if (!upload.bundleOnly) active.set(upload.slug, deployed)
        return { status: 201, body: deployed }
      }
      case 'PUT /functions': {
        const functions = parse(z.array(deployedFunction), await request.json())
        received.activations.push(functions)
        const activated = functions.map((each) => ({ ...each, updated_at: Date.now() }))
        for (const each of activated) active.set(each.slug, each)
        return { status: 200, body: { functions: activated } }
      }
      case 'POST /secrets': {
        const sent = parse(secrets, await request.json())
        received.secrets.push(...sent)
        for (const { name, value } of sent) held.set(name, { value, updatedAt: new Date() })
        return { status: 201 }
      }
      case 'DELETE /secrets': {
        for (const name of parse(z.array(z.string()), await request.json())) held.delete(name)
        return { status: 200 }
      }
      case 'GET /secrets':
        return { status: 200, body: [...held].map(describeSecret) }
      case 'GET /api-keys':
        return { status: 200, body: describeKeys(keys, url.searchParams.get('reveal') === 'true') }
      case 'POST /database/query': {
        const { query: statement, parameters } = parse(query, await request.json())
        if (!database) throw new ApiError(404, 'This stand-in has no database')
        const rows = await database.unsafe(statement, parameters).catch((error: unknown) => {
          throw new ApiError(400, error instanceof Error ? error.message : String(error))
        })
        return { status: 201, body: [...rows] }
      }
      default: {
        const sent =
          request.method === 'GET' ? {} : parse(z.record(z.string(), z.unknown()), await request.json())
        const isAuth = `${request.method} ${path}` === 'PATCH /config/auth'
        const lacking = settings.notInPlan.filter((name) => isAuth && name in sent)
        if (lacking.length > 0) throw new ApiError(402, `Not in your plan: ${lacking.join(', ')}`)
        const body = respondAboutSettings(settings, ref, `${request.method} ${path}`, sent)
        if (body === undefined) throw new ApiError(404, `Not Found: ${request.method} ${url.pathname}`)
        return { status: 200, body }
      }
    }
  }

  const server = createServer(async (incoming, response) => {
    const { status, body } = await read(incoming)
      .then(respond)
      .catch((error: unknown): ApiResponse => {
        const message = error instanceof Error ? error.message : String(error)
        received.errors.push(message)
        return { status: error instanceof ApiError ? error.status : 500, body: { message } }
      })
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The stand-in has no port')

  return {
    url: `http://127.0.0.1:${address.port}`,
    ref,
    token,
    ...{ received, secrets: held, functions: active, keys, settings },
    async close() {
      await database?.end({ timeout: 5 })
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readUpload(request: Request): Promise<Upload> {
  const query = new URL(request.url).searchParams
  if (!request.headers.get('content-type')?.startsWith('multipart/form-data')) {
    throw new ApiError(400, 'The body must be multipart/form-data')
  }
  const form = await request.formData()
  const [text, ...more] = form.getAll('metadata')
  if (typeof text !== 'string' || more.length > 0)
    throw new ApiError(400, 'metadata must be sent once, as JSON')
  const described = parse(metadata, JSON.parse(text))

  const files: UploadedFile[] = []
  for (const part of form.getAll('file')) {
    if (typeof part === 'string') throw new ApiError(400, 'file must be a file')
    files.push({ path: part.name, bytes: new Uint8Array(await part.arrayBuffer()) })
  }
  for (const path of [described.entrypoint_path, described.import_map_path]) {
    if (path && !files.some((file) => file.path === path)) {
      throw new ApiError(400, `Failed to bundle the function (reason: ${path} was not uploaded)`)
    }
  }
  return {
    slug: parse(slug, query.get('slug')),
    bundleOnly: query.get('bundleOnly') === 'true',
    metadata: described,
    files,
  }
}

function describe(
  { slug, metadata, files }: Upload,
  version: number,
): DeployedFunction & { updated_at: number } {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file.path).update(file.bytes)
  return {
    id: randomUUID(),
    slug,
    name: metadata.name ?? slug,
    status: 'ACTIVE',
    version,
    created_at: Date.now(),
    updated_at: Date.now(),
    verify_jwt: metadata.verify_jwt ?? true,
    import_map: Boolean(metadata.import_map_path),
    entrypoint_path: `file:///src/${metadata.entrypoint_path}`,
    ...(metadata.import_map_path ? { import_map_path: `file:///src/${metadata.import_map_path}` } : {}),
    ezbr_sha256: hash.digest('hex'),
  }
}

/** The platform shows digests alone. */
function describeSecret([name, { value, updatedAt }]: [string, { value: string; updatedAt: Date }]): unknown {
  return {
    name,
    value: createHash('sha256').update(value).digest('hex'),
    updated_at: updatedAt.toISOString(),
  }
}

function describeKeys({ publishable, secret, since }: ManagementApi['keys'], reveal: boolean): unknown {
  const inserted_at = since.toISOString()
  return Object.entries({ publishable, secret }).map(([type, key]) => ({
    ...{ id: type, name: 'default', type, inserted_at },
    api_key: reveal ? key : `${key.slice(0, 15)}…`,
  }))
}

function describeProject(ref: string, status: string): unknown {
  return {
    id: ref,
    ref,
    organization_id: 'example',
    organization_slug: 'example',
    name: 'example',
    region: 'eu-central-1',
    created_at: '2026-01-01T00:00:00Z',
    status,
    database: {
      host: `db.${ref}.example.invalid`,
      version: '17.6.1',
      postgres_engine: '17',
      release_channel: 'ga',
    },
  }
}

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (!result.success) throw new ApiError(400, z.prettifyError(result.error))
  return result.data
}

async function read(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value))
  const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined
  return new Request(new URL(incoming.url ?? '/', 'http://127.0.0.1'), {
    method: incoming.method,
    headers,
    body,
  })
}
