import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { chown } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Account, type Binaries, canTraverse } from './binaries.ts'
import { clusterName } from './claim.ts'

/** How a cluster is configured at each start. */
export interface Settings {
  port: number
  /** false trades survival of a power cut for speed; a killed process loses nothing either way. */
  durable: boolean
}

/**
 * The folder that really holds the cluster of `dataDir`: itself, or, where the account that runs Postgres
 * cannot enter it (a checkout below /root), one in /var/tmp named after it.
 */
export function clusterDir(dataDir: string, account: Account | undefined): string {
  const wanted = path.resolve(dataDir)
  if (!account) return wanted
  const parent = path.dirname(wanted)
  openTemporaryFolders(parent)
  if (canTraverse(parent, account)) return wanted
  const shared = existsSync('/var/tmp') ? '/var/tmp' : os.tmpdir()
  const key = createHash('sha256').update(wanted).digest('hex').slice(0, 12)
  return path.join(shared, `postgres-cluster-${key}`)
}

/** `mkdtemp` lets only its maker in; let others pass through, though not look, where the maker is this process. */
function openTemporaryFolders(target: string): void {
  const temporary = path.resolve(os.tmpdir())
  for (let folder = target; folder.startsWith(temporary + path.sep); folder = path.dirname(folder)) {
    const stats = statSync(folder, { throwIfNoEntry: false })
    if (stats?.uid === process.getuid?.() && stats && (stats.mode & 0o011) !== 0o011) {
      chmodSync(folder, stats.mode | 0o011)
    }
  }
}

/** A folder at a guessable place may be somebody else's trap. */
function assertOwned(dir: string, account: Account | undefined): void {
  const owner = statSync(dir, { throwIfNoEntry: false })?.uid
  if (owner !== undefined && owner !== process.getuid?.() && owner !== account?.uid) {
    throw new Error(`${dir} belongs to another user. Remove it, or choose another data folder.`)
  }
}

/** Creates the cluster if there is none. Returns whether it did. An interrupted creation leaves nothing. */
export async function createCluster(
  dir: string,
  binaries: Binaries,
  account: Account | undefined,
  password: string,
): Promise<boolean> {
  assertOwned(dir, account)
  if (existsSync(path.join(dir, 'PG_VERSION'))) {
    const major = readFileSync(path.join(dir, 'PG_VERSION'), 'utf8').trim()
    if (major !== binaries.version.split('.')[0]) {
      throw new Error(`${dir} was made by Postgres ${major}, not ${binaries.version}. Start with --reset.`)
    }
    return false
  }
  mkdirSync(path.dirname(dir), { recursive: true })
  const partial = `${dir}.new`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { mode: 0o700 })
  const passwordFile = path.join(partial, '..', `${path.basename(dir)}.password`)
  writeFileSync(passwordFile, password, { mode: 0o600 })
  try {
    if (account) {
      await chown(partial, account.uid, account.gid)
      await chown(passwordFile, account.uid, account.gid)
    }
    await run(
      binaries.initdb,
      [
        `--pgdata=${partial}`,
        '--username=supabase_admin',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=icu',
        '--icu-locale=en-US',
        // MB: a new cluster, and a copy of one, is half log otherwise.
        '--wal-segsize=1',
        '--no-sync',
        '--no-instructions',
      ],
      partial,
      account,
    )
  } finally {
    rmSync(passwordFile, { force: true })
  }
  rmSync(dir, { recursive: true, force: true })
  renameSync(partial, dir)
  return true
}

/** The longest path that a Unix socket can have everywhere, without the zero byte at its end. */
const SOCKET_PATH_MAX = 103

/** The server's socket in its folder, where only its owner comes; undefined where no server could open one by that name. */
export function socketOf(dir: string, port: number): string | undefined {
  const socket = path.join(dir, `.s.PGSQL.${port}`)
  return /[,'"\\]/.test(dir) || Buffer.byteLength(socket) > SOCKET_PATH_MAX ? undefined : socket
}

/** Writes the configuration files, which belong to this stack and are replaced at every start. */
export function configureCluster(dir: string, settings: Settings): void {
  const sync = settings.durable ? 'on' : 'off'
  writeFileSync(
    path.join(dir, 'postgresql.conf'),
    `listen_addresses = '127.0.0.1'
port = ${settings.port}
unix_socket_directories = '${socketOf(dir, settings.port) === undefined ? '' : dir}'
max_connections = 100
shared_buffers = 64MB
max_wal_size = 512MB
# Nothing replicates from a local database, so the log only has to recover it.
wal_level = minimal
max_wal_senders = 0
fsync = ${sync}
full_page_writes = ${sync}
synchronous_commit = on
timezone = 'UTC'
log_timezone = 'UTC'
lc_messages = 'C'
# As on the platform; Postgres would choose it by the locale.
default_text_search_config = 'pg_catalog.english'
log_line_prefix = ''
# An error in a statement is the client's to show; what concerns the server itself is logged.
log_min_messages = log
log_min_error_statement = panic
log_checkpoints = off
cluster_name = '${clusterName(dir)}'
`,
  )
  writeFileSync(
    path.join(dir, 'pg_hba.conf'),
    'local all all scram-sha-256\nhost all all 127.0.0.1/32 scram-sha-256\n',
  )
}

/** Environment for the Postgres programs: nothing of the caller's PG* or locale variables. */
export const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

async function run(
  program: string,
  args: string[],
  cwd: string,
  account: Account | undefined,
): Promise<void> {
  const child = spawn(program, args, {
    cwd,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(account && { uid: account.uid, gid: account.gid }),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (code !== 0) throw new Error(`${path.basename(program)} failed (exit code ${code}):\n${output}`)
}
