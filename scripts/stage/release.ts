import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build } from 'esbuild'
import { parse } from 'smol-toml'
import * as z from 'zod'

/** The bucket of what the functions load, and where in it a deployment notes what it has deployed. */
export const ASSETS_BUCKET = 'analysis-assets'

const configuration = z.object({
  auth: z.object({ site_url: z.string(), additional_redirect_urls: z.array(z.string()).default([]) }),
  functions: z.record(z.string(), z.object({ verify_jwt: z.boolean(), entrypoint: z.string() })),
  storage: z.object({
    buckets: z.record(
      z.string(),
      z.object({
        public: z.boolean(),
        file_size_limit: z.string(),
        allowed_mime_types: z.array(z.string()).optional(),
        objects_path: z.string().optional(),
      }),
    ),
  }),
  remotes: z
    .record(
      z.string(),
      z.object({
        project_id: z.string(),
        auth: z
          .object({
            site_url: z.string().optional(),
            additional_redirect_urls: z.array(z.string()).optional(),
          })
          .optional(),
      }),
    )
    .default({}),
})

/** A bucket as config.toml declares it; its limit in bytes, and null where any type of file is taken. */
export type DeclaredBucket = {
  name: string
  public: boolean
  fileSizeLimit: number
  allowedMimeTypes: string[] | null
}
/** A file that belongs into a bucket. */
export type Asset = { bucket: string; name: string; path: string }
/** A job of pg_cron. */
export type CronJob = { name: string; schedule: string; command: string }

/** What a checkout deploys, as its own files say. */
export type Release = {
  root: string
  /** Project references of the stages that config.toml names. */
  stages: Record<string, string>
  /** Where Auth sends the people of a project, by its reference. */
  siteUrl(ref: string): string
  /** Where mails of a project may lead besides, by its reference. */
  redirectUrls(ref: string): string[]
  functions: { slug: string; verifyJwt: boolean; entrypoint: string }[]
  migrations: string[]
  buckets: DeclaredBucket[]
  assets: Asset[]
  cronJobs: CronJob[]
}

/** Reads the checkout in a folder. Throws an error that names what is malformed. */
export function readRelease(root: string): Release {
  const folder = join(root, 'supabase')
  const { auth, functions, storage, remotes } = configuration.parse(
    parse(readFileSync(join(folder, 'config.toml'), 'utf8')),
  )
  const authOf = (ref: string) => ({
    ...auth,
    ...Object.values(remotes).find(({ project_id }) => project_id === ref)?.auth,
  })
  return {
    root,
    stages: Object.fromEntries(Object.entries(remotes).map(([name, { project_id }]) => [name, project_id])),
    siteUrl: (ref) => authOf(ref).site_url,
    redirectUrls: (ref) => authOf(ref).additional_redirect_urls,
    functions: Object.entries(functions).map(([slug, { verify_jwt, entrypoint }]) => ({
      slug,
      verifyJwt: verify_jwt,
      entrypoint: join(folder, entrypoint),
    })),
    migrations: readdirSync(join(folder, 'migrations'))
      .flatMap((name) => /^(\d+)_.*\.sql$/.exec(name)?.[1] ?? [])
      .sort(),
    buckets: Object.entries(storage.buckets).map(([name, bucket]) => ({
      name,
      public: bucket.public,
      fileSizeLimit: bytesOf(bucket.file_size_limit),
      allowedMimeTypes: bucket.allowed_mime_types ?? null,
    })),
    assets: Object.entries(storage.buckets).flatMap(([bucket, { objects_path }]) =>
      objects_path === undefined
        ? []
        : readdirSync(join(folder, objects_path)).map((name) => ({
            ...{ bucket, name },
            path: join(folder, objects_path, name),
          })),
    ),
    cronJobs: cronJobsIn(root),
  }
}

function bytesOf(size: string): number {
  const [, digits, unit] = /^(\d+)(KiB|MiB)$/.exec(size) ?? []
  if (!digits) throw new Error(`file_size_limit in config.toml has to be written like 50MiB, not ${size}`)
  return Number(digits) * (unit === 'MiB' ? 1024 ** 2 : 1024)
}

function cronJobsIn(root: string): CronJob[] {
  const folder = join(root, 'sql')
  const sql = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  const call = /cron\.schedule\(\s*'([^']+)',\s*'([^']+)',\s*(?:'((?:[^']|'')*)'|\$\$(.*?)\$\$)\s*\)/gs
  return [...sql.matchAll(call)].map(([, name = '', schedule = '', quoted, dollars]) => ({
    ...{ name, schedule },
    command: quoted?.replaceAll("''", "'") ?? dollars ?? '',
  }))
}

/** SHA-256, hexadecimal, as the platform and Vault are asked for it. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/**
 * A digest of each function's sources by its name: of every file that its entrypoint reaches, with its path, and of the
 * import map. The same sources give the same digest on every machine.
 */
export async function sourceDigests({ root, functions }: Release): Promise<Map<string, string>> {
  const importMap = sha256(readFileSync(join(root, 'functions', 'deno.json')))
  const { metafile } = await build({
    entryPoints: functions.map(({ entrypoint }) => entrypoint),
    absWorkingDir: root,
    outdir: 'bundles',
    write: false,
    metafile: true,
    bundle: true,
    format: 'esm',
    packages: 'external',
    preserveSymlinks: true,
    logLevel: 'silent',
    // What is imported counts whether or not the bundle keeps it.
    treeShaking: false,
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  })
  const hashes = new Map<string, string>()
  const hashOf = (path: string) => {
    const known = hashes.get(path) ?? sha256(readFileSync(join(root, path)))
    hashes.set(path, known)
    return known
  }
  return new Map(
    functions.map(({ slug, entrypoint }) => {
      const start = relative(root, entrypoint)
      const reached = reachableFrom(start, metafile.inputs)
      const lines = [...reached].sort().map((path) => `${path} ${hashOf(path)}`)
      return [slug, sha256([importMap, ...lines].join('\n'))]
    }),
  )
}

function reachableFrom(
  start: string,
  inputs: Record<string, { imports: { path: string; external?: boolean }[] }>,
): Set<string> {
  const reached = new Set<string>()
  const open = [start]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    for (const next of inputs[path]?.imports ?? []) if (!next.external) open.push(next.path)
  }
  return reached
}
