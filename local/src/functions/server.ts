import { existsSync, mkdirSync, realpathSync, watch as watchFolder } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type FunctionSettings, readEnvFile } from '../config.ts'
import type { SentResponse, StreamedRequest } from '../http/node.ts'
import type { IsolateEvent, IsolateFigures, RetireReason, ShutdownReason } from './isolate.ts'
import { type Limits, limitsOf } from './limits.ts'
import { type IsolateEnd, Pool, type RuntimePolicy } from './pool.ts'
import { notFound } from './responses.ts'

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
  /** How isolates get requests; `per_worker` by default. */
  runtimePolicy?: RuntimePolicy
  /** The most isolates of a function that take requests at the same time; 10 by default. */
  maxParallelism?: number
  /** Figures in the place of the hosted limits; false enforces none. */
  limits?: Partial<Limits> | false
  /** Milliseconds that a function may take until it listens; 30 s by default. */
  bootTimeoutMs?: number
  log: (line: string) => void
  /** Called when an isolate has booted, is retired, and has ended. */
  onIsolate?: (event: IsolateEvent) => void
}

/** What became of a function's isolates since the start of the stack. */
export type IsolateCounts = {
  booted: number
  retired: Partial<Record<RetireReason, number>>
  ended: Partial<Record<ShutdownReason, number>>
}

export type Functions = {
  names: string[]
  /**
   * Handles a request to a function as the platform does. The function sees the path from its own name on:
   * `/functions/v1/hello/x` becomes `/hello/x`. Never rejects.
   */
  handle(name: string, request: StreamedRequest): Promise<SentResponse>
  /** What the live isolates have used and done, by function and the oldest first. */
  isolates(): IsolateFigures[]
  /** What became of the isolates of each function. */
  counts(): Record<string, IsolateCounts>
  /**
   * Ends an isolate of a function as the platform does: the one with this process id, else one that has a request, else the
   * newest. `retire` is what comes at half of the CPU limit and `beforeunload`; the others kill it at once. False where there is
   * none.
   */
  end(name: string, how: IsolateEnd, pid?: number): boolean
  /** Process ids of the functions that run at the moment, by name; of several isolates the newest. */
  pids(): Record<string, number>
  /** Makes every function start anew at its next request. */
  reload(): void
  /** Sets secrets as `supabase secrets set` does, and unsets those that are undefined: isolates started from now on see it. */
  setSecrets(secrets: Record<string, string | undefined>): void
  stop(): Promise<void>
}

/**
 * Where a project keeps what Deno compiles, so that each file is compiled once and not once a stack: on the platform a function is
 * compiled when it is deployed, and compiling takes more CPU than a request may. Null where the project has no `node_modules`.
 */
function compiledBeside(root: string): string | null {
  const modules = join(root, 'node_modules')
  return existsSync(modules) ? join(modules, '.cache', 'local-supabase') : null
}

/** Serves the edge functions of a Supabase project, in isolates that are Deno processes, started when needed. */
export function createFunctions(options: FunctionsOptions): Functions {
  const root = realpathSync(options.root)
  const denoDir = join(compiledBeside(root) ?? options.dataDir, 'deno')
  mkdirSync(denoDir, { recursive: true })
  const pools = new Map<string, Pool>()
  const counts: Record<string, IsolateCounts> = {}
  const changed: Record<string, string | undefined> = {}
  for (const [name, config] of Object.entries(options.functions)) {
    if (config.enabled !== false) pools.set(name, createPool(name, config))
  }

  function entrypointOf(name: string, { entrypoint }: Partial<FunctionSettings>): string {
    return resolve(root, 'supabase', entrypoint ?? join('functions', name, 'index.ts'))
  }

  function createPool(name: string, config: Partial<FunctionSettings>): Pool {
    const entrypoint = entrypointOf(name, config)
    const folder = dirname(dirname(entrypoint))
    const importMap = config.import_map
      ? resolve(root, 'supabase', config.import_map)
      : [join(dirname(entrypoint), 'deno.json'), join(folder, 'deno.json')].find(existsSync)
    const own: IsolateCounts = { booted: 0, retired: {}, ended: {} }
    counts[name] = own
    return new Pool({
      name,
      root,
      entrypoint,
      importMap,
      denoDir,
      readable: [folder, join(root, 'node_modules')].filter(existsSync),
      environment: () =>
        defined({
          ...(options.envFile !== undefined && readEnvFile(options.envFile)),
          ...options.env,
          ...changed,
        }),
      runtimePolicy: options.runtimePolicy ?? 'per_worker',
      maxParallelism: options.maxParallelism ?? 10,
      limits: limitsOf(options.limits),
      bootTimeoutMs: options.bootTimeoutMs ?? 30_000,
      log: (line) => options.log(`${name}: ${line}`),
      onEvent: (event) => {
        count(own, event)
        options.onIsolate?.(event)
      },
    })
  }

  const reload = (): void => {
    for (const pool of pools.values()) pool.outdate()
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
    names: [...pools.keys()],
    async handle(name, request) {
      const pool = pools.get(name)
      if (!pool) return notFound()
      return pool.fetch(request, pathFrom(name, request.url))
    },
    isolates: () => [...pools.values()].flatMap((pool) => pool.isolates()),
    counts: () => structuredClone(counts),
    end: (name, how, pid) => pools.get(name)?.end(how, pid) ?? false,
    pids() {
      const newest = [...pools].map(([name, pool]) => [name, pool.isolates().at(-1)?.pid] as const)
      return Object.fromEntries(newest.flatMap(([name, pid]) => (pid === undefined ? [] : [[name, pid]])))
    },
    reload,
    setSecrets(secrets) {
      Object.assign(changed, secrets)
      reload()
    },
    async stop() {
      for (const watcher of watchers) watcher.close()
      await Promise.all([...pools.values()].map((pool) => pool.stop()))
    },
  }
}

function count(counts: IsolateCounts, event: IsolateEvent): void {
  if (event.type === 'booted') counts.booted += 1
  else if (event.type === 'retired') counts.retired[event.reason] = (counts.retired[event.reason] ?? 0) + 1
  else counts.ended[event.reason] = (counts.ended[event.reason] ?? 0) + 1
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
