import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const claimed = new Set<string>()

/**
 * Makes this process the one that runs the cluster in `dir`, until it ends or calls the answered function. A claim
 * that a killed process left behind does not count.
 *
 * @throws Error when this or another living process holds it
 */
export function claimCluster(dir: string): () => void {
  const file = claimFile(dir)
  refuseClaimed(dir)
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
export function refuseClaimed(dir: string): void {
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
