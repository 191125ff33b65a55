import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const claimed = new Set<string>()

/**
 * Makes this process the one that runs the cluster in `dir`, until it ends or calls the returned function. A claim
 * that a killed process left behind does not count.
 *
 * @throws Error when this or another living process holds it
 */
export function claimCluster(dir: string): () => void {
  const file = claimFile(dir)
  assertUnclaimed(dir)
  mkdirSync(path.dirname(file), { recursive: true })
  rmSync(file, { force: true })
  // Of two that come this far at once, `wx` lets one through.
  writeFileSync(file, `${process.pid}\n${startOf(process.pid)}\n`, { flag: 'wx' })
  claimed.add(dir)
  return () => {
    if (claimed.delete(dir)) rmSync(file, { force: true })
  }
}

/** @throws Error when a living process runs the cluster in `dir` */
export function assertUnclaimed(dir: string): void {
  const [pid, started] = read(claimFile(dir)).split('\n').map(Number)
  const living = pid && pid !== process.pid && isAlive(pid) && startOf(pid) === started
  const holder = claimed.has(dir) ? process.pid : living ? pid : undefined
  if (holder) throw new Error(`The database in ${dir} is already running (process ${holder}). Stop it first.`)
}

/** Beside the cluster and not in it, where it would be replaced when the cluster is created. */
const claimFile = (dir: string): string => `${dir}.claim`

/** When a process started, in clock ticks, which tells it from a later one of the same id; 0 outside Linux. */
function startOf(pid: number): number {
  // Field 22 of stat, counted behind the program's name, which may itself contain blanks.
  const stat = read(`/proc/${pid}/stat`)
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 0)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** The name that the processes of the cluster in `dir` carry. */
export const clusterName = (dir: string): string =>
  `local-${createHash('sha256').update(dir).digest('hex').slice(0, 12)}`

/**
 * Ends what a hard kill left running of the cluster in `dir` (the server, or backends whose server is gone) and
 * removes its lock file, so that the next start neither meets them nor mistakes a reused process id for them.
 */
export async function clearLeftovers(dir: string): Promise<void> {
  // First an orderly end, then without waiting for sessions, then by force.
  for (const [wave, patienceMs] of [
    ['SIGINT', 5_000],
    ['SIGQUIT', 3_000],
    ['SIGKILL', 3_000],
  ] as const) {
    const left = processesIn(dir)
    if (left.length === 0) break
    for (const pid of left) signal(pid, wave)
    await gone(() => processesIn(dir).length > 0, patienceMs)
  }
  rmSync(path.join(dir, 'postmaster.pid'), { force: true })
}

async function gone(stillThere: () => boolean, withinMs: number): Promise<void> {
  for (const end = performance.now() + withinMs; performance.now() < end && stillThere(); ) await sleep(20)
}

/**
 * The processes of the cluster in `dir`, told by their command lines: the server's names the folder, its backends'
 * the cluster. (Their working folder would tell too, but root may not read it in a container.)
 */
function processesIn(dir: string): number[] {
  return commandLines()
    .filter(({ line }) => line.startsWith(`postgres: ${clusterName(dir)}:`) || line.endsWith(` -D ${dir}`))
    .map(({ pid }) => pid)
}

function commandLines(): { pid: number; line: string }[] {
  if (process.platform !== 'linux') {
    return execFileSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' })
      .split('\n')
      .map((row) => ({ pid: Number.parseInt(row, 10), line: row.trim().replace(/^\d+\s+/, '') }))
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), line: commandLine(name) }))
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0+$/, '').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It ended by itself meanwhile.
  }
}
