import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

/** What a process has used: CPU milliseconds since its start, and the peak of its resident memory in MB. */
export type Usage = { cpuMs: number | null; peakRssMb: number | null }

const linux = process.platform === 'linux'
// USER_HZ, the unit of /proc/PID/stat, is 100 on every Linux that Node supports.
const millisecondsPerTick = 10

/** Reads what a process has used so far; null where the machine does not tell. */
export function readUsage(pid: number): Usage {
  return linux ? readProc(pid) : readPs(pid)
}

/**
 * Makes the peak of resident memory start anew from the present size. Where the kernel refuses, the peak stays
 * the one since the start of the process.
 */
export function resetPeak(pid: number): void {
  if (!linux) return
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {}
}

function readProc(pid: number): Usage {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The command name is in parentheses and may hold spaces; utime and stime are the 12th and 13th after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
    return {
      cpuMs: Number.isFinite(ticks) ? ticks * millisecondsPerTick : null,
      peakRssMb: peak ? Number(peak[1]) / 1024 : null,
    }
  } catch {
    return { cpuMs: null, peakRssMb: null }
  }
}

function readPs(pid: number): Usage {
  const { stdout } = spawnSync('ps', ['-o', 'time=,rss=', '-p', String(pid)], { encoding: 'utf8' })
  const match = /^\s*(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)\s+(\d+)/.exec(stdout ?? '')
  if (!match) return { cpuMs: null, peakRssMb: null }
  const [, hours = '0', minutes, seconds, rss] = match
  return {
    cpuMs: ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000,
    peakRssMb: Number(rss) / 1024,
  }
}
