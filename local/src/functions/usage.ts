import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** What a process has used: CPU milliseconds of all its threads since its start, and the memory it holds now, in MB. */
export type Usage = { cpuMs: number; memoryMb: number }

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
    return { cpuMs: ticks * millisecondsPerTick, memoryMb: Number(anonymous[1]) / 1024 }
  } catch {
    return undefined
  }
}

function readPs(pid: number): Usage | undefined {
  const { stdout } = spawnSync('ps', ['-o', 'time=,rss=', '-p', String(pid)], { encoding: 'utf8' })
  const match = /^\s*(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)\s+(\d+)/.exec(stdout ?? '')
  if (!match) return undefined
  const [, hours = '0', minutes, seconds, rss] = match
  return {
    cpuMs: ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000,
    memoryMb: Number(rss) / 1024,
  }
}
