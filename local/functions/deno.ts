import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A running function: one Deno process that listens on `port` of 127.0.0.1. */
export type DenoProcess = {
  pid: number
  port: number
  /** Milliseconds from the start of the process until it listened. */
  bootMs: number
  /** Resolves when the process has ended, with what ended it. */
  exited: Promise<string>
  alive(): boolean
  /** Asks the process to end, and kills it after `graceMs`. Resolves when it has ended. */
  stop(graceMs?: number): Promise<void>
}

export type DenoOptions = {
  /** Folder that holds `node_modules`. */
  root: string
  entrypoint: string
  /** Path of the deno.json that holds the imports, if any. */
  importMap?: string
  /** Folder of Deno's own caches. */
  denoDir: string
  /** The complete environment of the function; nothing else is passed on. */
  env: Record<string, string>
  /** Folders that the code may read. */
  readable: string[]
  bootTimeoutMs: number
  onLine: (line: string) => void
}

const preload = fileURLToPath(new URL('./preload.ts', import.meta.url))
const pollMs = 15

/** Path of the Deno executable that the `deno` npm package installed under `root`. */
export function denoBinary(root: string): string {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const direct = join(root, 'node_modules', 'deno', `deno${suffix}`)
  if (existsSync(direct)) return direct
  const wrapper = join(root, 'node_modules', '.bin', 'deno')
  if (existsSync(wrapper)) return wrapper
  throw new Error(`Deno is not installed: ${direct} is missing. Run npm ci.`)
}

/**
 * Starts a function and resolves once it listens. Rejects when the process ends first or does not listen within
 * `bootTimeoutMs`. Deno gets what a function has on the platform: network, its environment, and reading its own
 * code; npm packages come from `node_modules` only, and nothing is ever downloaded.
 */
export async function startDeno(options: DenoOptions): Promise<DenoProcess> {
  const port = await freePort()
  const startedAt = performance.now()
  const child = spawn(denoBinary(options.root), denoArguments(options), {
    cwd: options.root,
    env: {
      ...options.env,
      DENO_DIR: options.denoDir,
      DENO_NO_UPDATE_CHECK: '1',
      DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}`,
      NO_COLOR: '1',
      STACK_PID: String(process.pid),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group: a Ctrl-C ends it through stop(), in order, and not in the middle of a request.
    detached: true,
  })
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on('line', options.onLine)
  }
  let ended: string | undefined
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`))
    child.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `exit code ${code}`))
  }).then((reason) => {
    ended = reason
    return reason
  })
  const running: DenoProcess = {
    pid: child.pid ?? 0,
    port,
    bootMs: 0,
    exited,
    alive: () => ended === undefined,
    stop: (graceMs = 2000) => end(child, exited, () => ended === undefined, graceMs),
  }
  try {
    await listening(port, () => ended, options.bootTimeoutMs)
  } catch (error) {
    await running.stop()
    throw error
  }
  running.bootMs = performance.now() - startedAt
  return running
}

function denoArguments(options: DenoOptions): string[] {
  return [
    'run',
    '--quiet',
    '--no-prompt',
    '--no-lock',
    '--no-remote',
    '--cached-only',
    '--node-modules-dir=manual',
    ...(options.importMap === undefined ? ['--no-config'] : ['--config', options.importMap]),
    '--preload',
    preload,
    '--allow-net',
    '--allow-env',
    `--allow-read=${options.readable.map((folder) => realpathSync(folder)).join(',')}`,
    options.entrypoint,
  ]
}

async function end(
  child: ChildProcess,
  exited: Promise<string>,
  alive: () => boolean,
  graceMs: number,
): Promise<void> {
  if (!alive()) return
  child.kill('SIGTERM')
  const kill = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await exited
  clearTimeout(kill)
}

async function listening(port: number, ended: () => string | undefined, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (performance.now() < deadline) {
    const reason = ended()
    if (reason !== undefined) throw new Error(`the function ended before it listened (${reason})`)
    if (await accepts(port)) return
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  throw new Error(`the function did not listen within ${timeoutMs / 1000} s; does it call Deno.serve?`)
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port)
        else reject(new Error('no free port on 127.0.0.1'))
      })
    })
  })
}
