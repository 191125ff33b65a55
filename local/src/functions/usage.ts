import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** What a process uses. */
export type Usage = {
  /** CPU time of all its threads since its start, ms. */
  cpuMs: number
  /** CPU time of its main thread alone, which runs the JavaScript, ms; null where the machine does not tell. */
  mainThreadMs: number | null
  /** The memory it holds now, MB. */
  memoryMb: number
}

/** Whether a look at a process costs microseconds; elsewhere it starts a program. */
export const cheapUsage = process.platform === 'linux'
// USER_HZ, the unit of /proc/PID/stat, is 100 on every Linux that Node supports.
const millisecondsPerTick = 10

/**
 * Reads what a process has used so far; undefined when there is no such process. On Linux, memory is what the process holds
 * for itself, without the pages of Deno's executable; elsewhere all that is resident.
 */
export function readUsage(pid: number): Usage | undefined {
  return cheapUsage ? readProc(pid) : readPs(pid)
}

function readProc(pid: number): Usage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The command name is in parentheses and may hold spaces; utime and stime are the 12th and 13th after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    const anonymous = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
    // A process that has ended and was not collected yet holds no memory.
    if (!anonymous) return undefined
    return {
      cpuMs: ticks * millisecondsPerTick,
      mainThreadMs: readMainThread(pid),
      memoryMb: Number(anonymous[1]) / 1024,
    }
  } catch {
    return undefined
  }
}

function readMainThread(pid: number): number | null {
  try {
    return Math.round(Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6)
  } catch {
    // A kernel without scheduler statistics.
    return null
  }
}

function readPs(pid: number): Usage | undefined {
  const { stdout } = spawnSync('ps', ['-o', 'time=,rss=', '-p', String(pid)], { encoding: 'utf8' })
  const match = /^\s*(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)\s+(\d+)/.exec(stdout ?? '')
  if (!match) return undefined
  const [, hours = '0', minutes, seconds, rss] = match
  return {
    cpuMs: ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000,
    mainThreadMs: null,
    memoryMb: Number(rss) / 1024,
  }
}
