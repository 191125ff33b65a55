import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A function's process, from the moment it was started. */
export type DenoProcess = {
  pid: number
  /** The port of 127.0.0.1 at which the function listens. Rejects when it ends first or does not listen in time. */
  listening: Promise<number>
  /** Resolves when the process has ended, with what ended it. */
  exited: Promise<string>
  /** Writes a line to its stdin, which the preload reads once the function listens. */
  send(line: string): void
  /** Ends the process at once. */
  kill(): void
  /** Asks the process to end, and kills it after `graceMs`. Resolves when it has ended. */
  stop(graceMs?: number): Promise<void>
}

export type DenoOptions = {
  /** The project's folder, in which the function runs. */
  root: string
  entrypoint: string
  /** Path of the deno.json or import map that holds the imports, if any. */
  importMap?: string
  /** Folder of Deno's own caches. */
  denoDir: string
  /** The complete environment of the function; nothing else is passed on. */
  env: Record<string, string>
  /** Folders that the code may read. */
  readable: string[]
  /** The most that JavaScript's heap may hold, MB; Infinity leaves it to V8. */
  heapMb: number
  bootTimeoutMs: number
  onLine: (line: string) => void
}

const preload = fileURLToPath(new URL('./preload.ts', import.meta.url))
/** What the preload writes once the function listens. */
const listeningLine = /^stack: listening at (\d+)$/

/** Path of the Deno executable that the npm package `deno` installed. */
export function denoBinary(): string {
  const file = process.platform === 'win32' ? 'deno.exe' : 'deno'
  const modules = dirname(dirname(createRequire(import.meta.url).resolve('deno/package.json')))
  const platforms = join(modules, '@deno')
  const folders = [
    join(modules, 'deno'),
    // Where the executable is when npm was told not to run install scripts.
    ...(existsSync(platforms) ? readdirSync(platforms).map((name) => join(platforms, name)) : []),
  ]
  const binary = folders.map((folder) => join(folder, file)).find(existsSync)
  if (binary === undefined) throw new Error(`Deno is not installed in ${modules}. Run npm ci.`)
  return binary
}

/**
 * Starts a function, which comes to listen at a port that the system chose. Deno gets what a function has on the platform:
 * network, its environment, and reading its own code; npm packages come from `node_modules` only, and nothing is ever
 * downloaded.
 */
export function spawnDeno(options: DenoOptions): DenoProcess {
  const child = spawn(denoBinary(), denoArguments(options), {
    cwd: options.root,
    env: {
      ...options.env,
      DENO_DIR: options.denoDir,
      DENO_NO_UPDATE_CHECK: '1',
      DENO_SERVE_ADDRESS: 'tcp:127.0.0.1:0',
      NO_COLOR: '1',
      STACK_PID: String(process.pid),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Its own process group: a Ctrl-C ends it through stop(), in order, and not in the middle of a request.
    detached: true,
  })
  // A process that has ended reads no more orders.
  child.stdin.on('error', () => undefined)
  let ended = false
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`))
    // Not `exit`, which may come before the last lines of output.
    child.once('close', (code, signal) => resolve(signal ? `ended by ${signal}` : `exit code ${code}`))
  }).finally(() => {
    ended = true
  })
  const told = new Promise<number>((resolve) => {
    for (const output of [child.stdout, child.stderr]) {
      createInterface({ input: output }).on('line', (line) => {
        const port = listeningLine.exec(line)?.[1]
        if (port === undefined) options.onLine(line)
        else resolve(Number(port))
      })
    }
  })
  const stop = (graceMs = 2000): Promise<void> => (ended ? Promise.resolve() : end(child, exited, graceMs))
  const listening = Promise.race([told, failure(exited, options)])
  listening.catch(() => stop())
  return {
    pid: child.pid ?? 0,
    listening,
    exited,
    send: (line) => child.stdin.write(`${line}\n`),
    kill: () => child.kill('SIGKILL'),
    stop,
  }
}

/** Rejects as soon as a function will not come to listen. */
function failure(exited: Promise<string>, { bootTimeoutMs }: DenoOptions): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(
      () =>
        reject(
          new Error(`the function did not listen within ${bootTimeoutMs / 1000} s; does it call Deno.serve?`),
        ),
      bootTimeoutMs,
    )
    timer.unref()
    void exited.then((reason) => reject(new Error(`the function ended before it listened (${reason})`)))
  })
}

function denoArguments(options: DenoOptions): string[] {
  return [
    'run',
    '--quiet',
    ...(Number.isFinite(options.heapMb) ? [heapFlag(options.heapMb)] : []),
    '--no-prompt',
    '--no-lock',
    '--no-remote',
    '--cached-only',
    '--node-modules-dir=manual',
    ...importArguments(options.importMap),
    '--preload',
    preload,
    '--allow-net',
    '--allow-env',
    `--allow-read=${options.readable.map((folder) => realpathSync(folder)).join(',')}`,
    options.entrypoint,
  ]
}

/**
 * Bounds the heap as the platform does, which gives each worker's isolate its memory limit as V8's heap limit
 * (supabase/edge-runtime, crates/base/src/runtime/mod.rs). V8 sizes its generations by that, and collects garbage
 * accordingly early; without a bound it goes by the machine's memory.
 */
export function heapFlag(heapMb: number): string {
  return `--v8-flags=--max-heap-size=${heapMb}`
}

function importArguments(file: string | undefined): string[] {
  if (file === undefined) return ['--no-config']
  return /deno\.jsonc?$/.test(file) ? ['--config', file] : ['--no-config', '--import-map', file]
}

async function end(child: ChildProcess, exited: Promise<string>, graceMs: number): Promise<void> {
  child.kill('SIGTERM')
  const kill = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await exited
  clearTimeout(kill)
}
