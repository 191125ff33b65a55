import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from 'local-supabase'
import postgres from 'postgres'
import type { TestOptions } from 'vitest'

/** A connection pooler in transaction mode, as the one before a hosted project's database. */
export type Pooler = {
  /** The database over the pooler. */
  url: string
  /** Clients connected over it now, and the most connections to the database that it ever reported. */
  connections(): Promise<{ clients: number; servers: number }>
  stop(): Promise<void>
}

/** PgBouncer comes as a package of the system; without it the test is skipped, and the end of the run says so. */
export const withPgBouncer: TestOptions =
  spawnSync('pgbouncer', ['--version']).status === 0
    ? {}
    : { skip: true, meta: { skippedBecause: 'needs pgbouncer, a package of the system' } }

/**
 * Starts PgBouncer before a database.
 *
 * @param servers most connections that it opens to the database
 * @param certificate TLS is demanded of clients, with this certificate (PEM files)
 */
export async function startPooler(
  databaseUrl: string,
  servers: number,
  certificate?: { certificateFile: string; keyFile: string },
): Promise<Pooler> {
  const [port = 0] = await freePorts(1)
  const to = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'pooler-'))
  chmodSync(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  const user = decodeURIComponent(to.username)
  const target = `host=${to.hostname} port=${to.port} user=${user} password=${decodeURIComponent(to.password)}`
  writeFileSync(
    file,
    [
      '[databases]',
      `${to.pathname.slice(1)} = ${target}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'pool_mode = transaction',
      `default_pool_size = ${servers}`,
      `max_db_connections = ${servers}`,
      'max_client_conn = 400',
      // Whoever comes is `user`: it listens on this machine only.
      'auth_type = any',
      `admin_users = ${user}`,
      ...(certificate
        ? [
            'client_tls_sslmode = require',
            `client_tls_cert_file = ${certificate.certificateFile}`,
            `client_tls_key_file = ${certificate.keyFile}`,
          ]
        : []),
    ].join('\n'),
  )
  // It refuses to run as root.
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn('pgbouncer', [...asUser, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let output = ''
    child.stderr.on('data', (chunk) => {
      output += chunk
      if (output.includes('process up')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`PgBouncer ended with ${code}:\n${output}`)))
  })
  const over = new URL(databaseUrl)
  over.hostname = 'localhost'
  over.port = String(port)
  over.search = ''
  return {
    url: over.href,
    async connections() {
      const console = new URL(over)
      console.pathname = '/pgbouncer'
      // The console takes simple statements only.
      const admin = postgres(console.href, { max: 1, fetch_types: false, prepare: false })
      const [pools, servers] = [await admin.unsafe('show pools'), await admin.unsafe('show servers')]
      await admin.end()
      const mine = pools.filter(({ database }) => database === to.pathname.slice(1))
      return {
        clients: mine.reduce((sum, pool) => sum + Number(pool.cl_active) + Number(pool.cl_waiting), 0),
        servers: servers.length,
      }
    },
    async stop() {
      child.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
