import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { type Account, type Binaries, findBinaries, postgresAccount } from './binaries.ts'
import { assertUnclaimed, claimCluster, clearLeftovers } from './claim.ts'
import { clusterDir, configureCluster, createCluster, environment, socketOf } from './cluster.ts'
import { reachBySocket } from './connections.ts'
import { installPgTap, installPlatformExtensions } from './extensions.ts'

/** What every role of a local database signs in with; the server listens on 127.0.0.1 only. */
export const localPassword = 'postgres'

export interface PostgresOptions {
  /** Folder of the cluster; created on the first start and kept between starts. */
  dataDir: string
  port: number
  log: (line: string) => void
  /** Default true. false skips fsync: faster, survives a killed process but not a power cut. */
  durable?: boolean
  /** What to do when the port is taken, for the error message, e.g. "Choose another with --db-port." */
  portHint?: string
}

/** A running Postgres 17 that is started again whenever it dies, until `stop`. */
export interface Postgres {
  /** Role `postgres` (not a superuser, as on the platform), database `postgres`. */
  url: string
  /** Superuser `supabase_admin`, database `postgres`. */
  adminUrl: string
  port: number
  /** Folder that really holds the cluster, see `clusterDir`. */
  dataDir: string
  /** Process id of the running server, undefined while it is being started again. */
  pid(): number | undefined
  /** Ends the server, after the statements under way were cancelled. Safe to call twice. */
  stop(): Promise<void>
}

/**
 * Starts the Postgres of `dataDir`, making the cluster first if there is none, and keeps it running.
 *
 * @throws Error when the port is taken, when another process runs this cluster, or when Postgres cannot start
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { port, log, durable = true } = options
  const account = postgresAccount()
  const dir = clusterDir(options.dataDir, account)
  const release = claimCluster(dir)
  try {
    const binaries = findBinaries(account)
    await clearLeftovers(dir)
    await assertPortFree(port, options.portHint)
    installPlatformExtensions(binaries.extensionDir)
    installPgTap(binaries.extensionDir)
    if (account && dir !== path.resolve(options.dataDir)) {
      log(`${account.name} cannot enter ${options.dataDir}; using ${dir}`)
    }
    const created = await createCluster(dir, binaries, account, localPassword)
    configureCluster(dir, { port, durable })
    reachBySocket(port, socketOf(dir, port))
    const supervised = supervise({ binaries, dir, account, log })
    try {
      await supervised.ready
      const adminUrl = urlOf('supabase_admin', port)
      if (created) await createPostgresRole(adminUrl)
      const stop = () =>
        supervised.stop().finally(() => {
          reachBySocket(port, undefined)
          release()
        })
      return { url: urlOf('postgres', port), adminUrl, port, dataDir: dir, pid: supervised.pid, stop }
    } catch (error) {
      await supervised.stop()
      throw error
    }
  } catch (error) {
    release()
    throw error
  }
}

/** Deletes the cluster of `dataDir`, wherever it really lies. It must not be running. */
export function removeCluster(dataDir: string): void {
  const dir = clusterDir(dataDir, postgresAccount())
  assertUnclaimed(dir)
  rmSync(dir, { recursive: true, force: true })
}

/** Connection string of a role and database of the server on `port`. */
export function urlOf(role: string, port: number, database = 'postgres'): string {
  return `postgresql://${role}:${localPassword}@127.0.0.1:${port}/${database}?sslmode=disable`
}

interface Program {
  binaries: Binaries
  dir: string
  account: Account | undefined
  log: (line: string) => void
}

function supervise({ binaries, dir, account, log }: Program) {
  let child: ChildProcess | undefined
  let stopping = false
  const first = Promise.withResolvers<void>()
  const finished = loop()
  // Without a stop (process.exit, an uncaught error) the server must not outlive its supervisor.
  const interrupt = () => child?.kill('SIGINT')
  process.on('exit', interrupt)
  return { ready: first.promise, pid: () => child?.pid, stop }

  async function loop(): Promise<void> {
    for (let attempt = 0; !stopping; attempt++) {
      const { ready, output } = await runOnce()
      if (stopping) return
      if (attempt === 0 && !ready) {
        first.reject(new Error(`Postgres did not start:\n${output}`))
        return
      }
      if (ready) attempt = 0
      log(`Postgres ended unexpectedly and is started again${ready ? '' : ` (attempt ${attempt})`}`)
      await clearLeftovers(dir)
      await sleep(Math.min(100 * attempt, 2_000))
    }
  }

  /** One life of the server. Resolves, once it ended, with whether it was ever ready and its last lines. */
  async function runOnce(): Promise<{ ready: boolean; output: string }> {
    const server = spawn(binaries.postgres, ['-D', dir], {
      cwd: dir,
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
      // Its own session: Ctrl-C in the terminal must reach the supervisor only, which ends it in order.
      detached: true,
      ...(account && { uid: account.uid, gid: account.gid }),
    })
    child = server
    let ready = false
    const lines: string[] = []
    createInterface({ input: server.stderr }).on('line', (line) => {
      lines.push(line)
      if (lines.length > 20) lines.shift()
      if (line.includes('ready to accept connections')) {
        ready = true
        first.resolve()
      }
      if (/^(FATAL|PANIC): {2}| was terminated by /.test(line)) log(line)
    })
    // Not 'close' alone: a backend that outlives a killed server keeps its error stream open.
    const closed = new Promise((resolve) => server.once('close', resolve))
    await new Promise<void>((resolve) => {
      server.once('error', (error) => {
        lines.push(error.message)
        resolve()
      })
      server.once('exit', () => resolve())
    })
    child = undefined
    await Promise.race([closed, sleep(500, undefined, { ref: false })])
    return { ready, output: lines.join('\n') }
  }

  async function stop(): Promise<void> {
    stopping = true
    process.off('exit', interrupt)
    const server = child
    if (server?.pid) {
      server.kill('SIGINT')
      const patience = [
        setTimeout(() => server.kill('SIGQUIT'), 8_000),
        setTimeout(() => server.kill('SIGKILL'), 12_000),
      ]
      await finished
      for (const timer of patience) clearTimeout(timer)
    }
    await finished
    first.reject(new Error('Postgres was stopped before it was ready'))
  }
}

async function assertPortFree(port: number, hint = 'Stop the program that uses it or choose another port.') {
  await new Promise<void>((resolve, reject) => {
    const probe = net.createServer()
    probe.once('error', (cause) =>
      reject(new Error(`Port ${port} for Postgres is taken. ${hint}`, { cause })),
    )
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()))
  })
}

/** The role of `url`, so that it works before the platform is applied; attributes as on the platform. */
async function createPostgresRole(adminUrl: string): Promise<void> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} })
  try {
    await sql.unsafe(
      `create role postgres login createdb createrole replication bypassrls password '${localPassword}'`,
    )
  } finally {
    await sql.end()
  }
}
