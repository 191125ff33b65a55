import process from 'node:process'
import { readTextFileSync, writeTextFileSync } from './deno.ts'

/** The cost of one request. Of a process's first one, the start of the process is part. */
export interface Cost {
  /** User and system time of all threads, seconds. */
  cpuS: number
  wallS: number
  /** Peak resident memory of the process while it ran, MB. */
  peakMb: number
}

/**
 * Meters this process (Linux): the first reading counts from the start of the process, each further one from the
 * reading before it. CPU is the kernel's account of all threads (getrusage).
 */
export function meter(): () => Cost {
  let cpuBefore = 0
  let wallBefore = 0
  return () => {
    const { user, system } = process.cpuUsage()
    const cpu = (user + system) / 1e6
    const wall = performance.now() / 1000
    const cost = { cpuS: cpu - cpuBefore, wallS: wall - wallBefore, peakMb: takePeakMb() }
    cpuBefore = cpu
    wallBefore = wall
    return cost
  }
}

/** The largest resident size since the last call, MB. */
function takePeakMb(): number {
  const kilobytes = readTextFileSync('/proc/self/status').match(/^VmHWM:\s+(\d+) kB/m)?.[1]
  // Resets the kernel's high-water mark to the present size.
  writeTextFileSync('/proc/self/clear_refs', '5')
  return Number(kilobytes) / 1024
}
