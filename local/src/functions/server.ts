import { existsSync, mkdirSync, realpathSync, watch as watchFolder } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type FunctionSettings, readEnvFile } from '../config.ts'
import { hostedLimits, type Limits, type RequestFigures } from './meter.ts'
import { notFound, Worker } from './worker.ts'

export type FunctionsOptions = {
  /** The project's folder: holds `supabase/` and, where its functions import packages, `node_modules/`. */
  root: string
  /** The functions by name; paths are relative to `supabase/`. `verify_jwt` is the gateway's to enforce. */
  functions: Record<string, Partial<FunctionSettings>>
  /** What the platform sets (`SUPABASE_URL`, keys, …) and the secrets. Nothing else reaches a function. */
  env: Record<string, string | undefined>
  /** A dotenv file with further variables, read at each start; `env` wins over it. */
  envFile?: string
  /** Folder for Deno's caches, kept between starts. */
  dataDir: string
  /** Start functions anew after a change in the folders that hold them. */
  watch?: boolean
  limits?: Partial<Limits>
  /** Milliseconds after which an idle function's process is ended; 0, the default, keeps it. */
  idleMs?: number
  /** Milliseconds that a function may take until it listens; 30 s by default. */
  bootTimeoutMs?: number
  log: (line: string) => void
  /** Called with the figures of each request once it is over. */
  onRequest?: (figures: RequestFigures) => void
}

export type Functions = {
  names: string[]
  /**
   * Handles a request to a function as the platform does. The function sees the path from its own name on:
   * `/functions/v1/hello/x` becomes `/hello/x`. Never rejects.
   */
  fetch(name: string, request: Request): Promise<Response>
  /** Process ids of the functions that run at the moment, by name. */
  pids(): Record<string, number>
  /** Makes every function start anew at its next request. */
  reload(): void
  stop(): Promise<void>
}

/** Serves the edge functions of a Supabase project, each in a Deno process of its own, started when needed. */
export function createFunctions(options: FunctionsOptions): Functions {
  const root = realpathSync(options.root)
  const denoDir = join(options.dataDir, 'deno')
  mkdirSync(denoDir, { recursive: true })
  const workers = new Map<string, Worker>()
  for (const [name, config] of Object.entries(options.functions)) {
    if (config.enabled !== false) workers.set(name, createWorker(name, config))
  }

  function entrypointOf(name: string, { entrypoint }: Partial<FunctionSettings>): string {
    return resolve(root, 'supabase', entrypoint ?? join('functions', name, 'index.ts'))
  }

  function createWorker(name: string, config: Partial<FunctionSettings>): Worker {
    const entrypoint = entrypointOf(name, config)
    const folder = dirname(dirname(entrypoint))
    const importMap = config.import_map
      ? resolve(root, 'supabase', config.import_map)
      : [join(dirname(entrypoint), 'deno.json'), join(folder, 'deno.json')].find(existsSync)
    return new Worker({
      name,
      root,
      entrypoint,
      importMap,
      denoDir,
      readable: [folder, join(root, 'node_modules')].filter(existsSync),
      environment: () =>
        defined({ ...(options.envFile !== undefined && readEnvFile(options.envFile)), ...options.env }),
      limits: { ...hostedLimits, ...options.limits },
      bootTimeoutMs: options.bootTimeoutMs ?? 30_000,
      idleMs: options.idleMs ?? 0,
      log: (line) => options.log(`${name}: ${line}`),
      onRequest: options.onRequest,
    })
  }

  const reload = (): void => {
    for (const worker of workers.values()) worker.outdate()
  }
  const entrypoints = Object.entries(options.functions).map(([name, config]) => entrypointOf(name, config))
  const folders = options.watch ? new Set(entrypoints.map((file) => dirname(dirname(file)))) : []
  const watchers = [...folders].filter(existsSync).map((folder) => {
    const watcher = watchFolder(folder, { recursive: true }, (_, file) => {
      if (file !== null && !/(^|[/\\])[.~]|~$/.test(file)) reload()
    })
    return watcher.on('error', (error) => options.log(`watching ${folder} stopped: ${error.message}`))
  })

  return {
    names: [...workers.keys()],
    async fetch(name, request) {
      const worker = workers.get(name)
      if (!worker) return notFound()
      return worker.fetch(request, pathFrom(name, request.url))
    },
    pids() {
      const pids: Record<string, number> = {}
      for (const [name, worker] of workers) {
        const pid = worker.pid()
        if (pid !== undefined) pids[name] = pid
      }
      return pids
    },
    reload,
    async stop() {
      for (const watcher of watchers) watcher.close()
      await Promise.all([...workers.values()].map((worker) => worker.stop()))
    },
  }
}

function pathFrom(name: string, address: string): string {
  const { pathname, search } = new URL(address)
  const at = `${pathname}/`.indexOf(`/${name}/`)
  return (at < 0 ? `/${name}` : pathname.slice(at)) + search
}

function defined(variables: Record<string, string | undefined>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined) kept[name] = value
  }
  return kept
}
