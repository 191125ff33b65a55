import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const ownerFile = 'supervisor.pid'

/** Where the supervising process writes its own id, beside the files of Postgres. */
export const ownerPath = (dir: string): string => path.join(dir, ownerFile)

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
  const lock = path.join(dir, 'postmaster.pid')
  const [server] = readNumbers(lock)
  if (server && isOf(server, dir)) {
    signal(server, 'SIGINT')
    if (!(await gone(() => isOf(server, dir), 5_000))) signal(server, 'SIGQUIT')
  }
  for (const wave of ['SIGQUIT', 'SIGKILL'] as const) {
    for (const pid of processesIn(dir)) signal(pid, wave)
    if (await gone(() => processesIn(dir).length > 0, 3_000)) break
  }
  rmSync(lock, { force: true })
}

async function gone(stillThere: () => boolean, withinMs: number): Promise<boolean> {
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(20)) if (!stillThere()) return true
  return !stillThere()
}

/** Postgres processes work in the cluster's folder, which on Linux tells them from everybody else's. */
function processesIn(dir: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && isOf(pid, dir))
}

function isOf(pid: number, dir: string): boolean {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === dir
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).includes(dir)
  } catch {
    return false
  }
}

function processStart(pid: number): number {
  try {
    // Field 22 of stat, counted behind the program's name, which may itself contain blanks.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19])
  } catch {
    return 0
  }
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

function readNumbers(file: string): number[] {
  try {
    return readFileSync(file, 'utf8').split('\n').map(Number)
  } catch {
    return []
  }
}
