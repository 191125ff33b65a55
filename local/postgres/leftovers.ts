import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The name that the processes of the cluster in `dir` carry. */
export const clusterName = (dir: string): string =>
  `local-${createHash('sha256').update(dir).digest('hex').slice(0, 12)}`

/** Where the supervising process writes its own id, beside the files of Postgres. */
export const ownerPath = (dir: string): string => path.join(dir, 'supervisor.pid')

/** The living process, other than this one, that supervises the cluster in `dir`, if there is one. */
export function livingOwner(dir: string): number | undefined {
  const [pid, started] = readNumbers(ownerPath(dir))
  if (!pid || pid === process.pid) return undefined
  return isAlive(pid) && processStart(pid) === started ? pid : undefined
}

/** What `livingOwner` recognises this process by: its id and, on Linux, its start time. */
export const ownerMark = (): string => `${process.pid}\n${processStart(process.pid)}\n`

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
    .map((name) => ({
      pid: Number(name),
      line: read(`/proc/${name}/cmdline`).replace(/\0+$/, '').replaceAll('\0', ' '),
    }))
}

function processStart(pid: number): number {
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

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It ended by itself meanwhile.
  }
}

const readNumbers = (file: string): number[] => read(file).split('\n').map(Number)

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
