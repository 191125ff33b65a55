import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { databaseUrlOf, freePorts, type Stack, type StackOptions } from 'local-supabase'
import { startStack } from '../../demo/stack.ts'
import { ROOT } from '../../scripts/root.ts'
import type { LocalProject } from './project.ts'

const run = promisify(execFile)

/** A stack in a process of its own, as `npm start` runs it. */
export type OwnStack = LocalProject & {
  dataDir: string
  pid: number
  /** Process ids of its live functions by name, and of its database. */
  processes(): Promise<Processes>
  /** Stops it as Ctrl-C does and keeps its data. */
  halt(): Promise<void>
  /** Stops it and removes its data. */
  stop(): Promise<void>
}

export type Processes = { functions: Map<string, number>; postgres: number[] }

/** Starts a stack that the test may harm. */
export async function startOwnStack(options: { dataDir?: string; args?: string[] } = {}): Promise<OwnStack> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'stack-'))
  const [port, dbPort, inboxPort] = await freePorts(3)
  const child = spawn(
    process.execPath,
    [
      join(ROOT, 'demo', 'start.ts'),
      ...['--port', `${port}`, '--db-port', `${dbPort}`, '--inbox-port', `${inboxPort}`],
      ...['--data', dataDir, '--no-demo', '--no-app', ...(options.args ?? [])],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let output = ''
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('Serving.')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`The stack ended with ${code}:\n${output}`)))
  })
  const { pid } = child
  if (pid === undefined) throw new Error('The stack has no process')
  const halt = async () => {
    child.kill('SIGINT')
    await ended
  }
  const description = JSON.parse(readFileSync(join(dataDir, 'stack.json'), 'utf8'))
  const admin = new URL(description.database_url)
  admin.username = 'supabase_admin'
  return {
    apiUrl: description.api_url,
    databaseUrl: description.database_url,
    publishableKey: description.publishable_key,
    secretKey: description.secret_key,
    local: {
      adminUrl: admin.href,
      inboxUrl: description.inbox_url,
      jwtSecret: description.jwt_secret,
      logFile: join(dataDir, 'stack.log'),
      pid,
    },
    dataDir,
    pid,
    processes: () => processesOf(pid),
    halt,
    async stop() {
      await halt()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A stack whose functions have settings of the test's own, such as a provider. */
export type ConfiguredStack = LocalProject & {
  /** Lines that it has logged. */
  logged: readonly string[]
  /** Ends the process of a function; false where it has none at the moment. */
  kill(functionName: string): boolean
  functions: Stack['functions']
  dataDir: string
  /** Its keys, which the gateway reads at every request: what is changed here is valid at once. */
  keys: Stack['keys']
  stop(): Promise<void>
}

/**
 * Starts a stack in this process whose functions get these environment variables besides the usual ones.
 *
 * @param env the variables, or what makes them once it is known where the database will be
 * @param options how its isolates are scheduled and bounded
 */
export async function startConfiguredStack(
  env: Record<string, string> | ((databaseUrl: string) => Promise<Record<string, string>>),
  options: Pick<StackOptions, 'runtimePolicy' | 'limits' | 'addressHeader'> = {},
): Promise<ConfiguredStack> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stack-'))
  const [port = 0, dbPort = 0, inboxPort = 0] = await freePorts(3)
  const logged: string[] = []
  const stack = await startStack(
    {
      ...{ port, dbPort, inboxPort, dataDir, reset: false, watch: false, durable: false },
      env: typeof env === 'function' ? await env(databaseUrlOf('postgres', dbPort)) : env,
      ...{ passwordCost: 4, ...options },
    },
    { progress: () => {}, log: (line) => logged.push(line) },
  )
  return {
    apiUrl: stack.apiUrl,
    databaseUrl: stack.databaseUrl,
    publishableKey: stack.keys.publishable,
    secretKey: stack.keys.secret,
    local: {
      adminUrl: stack.adminUrl,
      inboxUrl: stack.inboxUrl,
      jwtSecret: stack.keys.jwtSecret,
      logFile: join(dataDir, 'stack.log'),
      pid: process.pid,
    },
    logged,
    functions: stack.functions,
    dataDir,
    keys: stack.keys,
    kill(functionName) {
      const pid = stack.pids().functions[functionName]
      return pid !== undefined && process.kill(pid, 'SIGKILL')
    },
    async stop() {
      await stack.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The processes that a stack's process has started and that run. */
export async function processesOf(parent: number): Promise<Processes> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,args='])
  const children = stdout
    .split('\n')
    .map((line) => line.trim().match(/^(\d+)\s+(\d+)\s+(.*)$/))
    .filter((match) => match !== null && Number(match[2]) === parent)
    .map((match) => ({ pid: Number(match?.[1]), command: match?.[3] ?? '' }))
  const functions = new Map<string, number>()
  for (const { pid, command } of children) {
    const name = command.match(/functions\/([a-z-]+)\/index\.ts/)?.[1]
    if (name) functions.set(name, pid)
  }
  return {
    functions,
    postgres: children.filter(({ command }) => command.includes('/postgres')).map(({ pid }) => pid),
  }
}
