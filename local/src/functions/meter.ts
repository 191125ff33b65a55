import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

/** What one request cost. */
export type RequestFigures = {
  name: string
  method: string
  path: string
  status: number
  wallMs: number
  /** CPU time of the process during the request; null where the machine does not tell. */
  cpuMs: number | null
  /** Peak resident memory of the process during the request, with the runtime itself in it. */
  peakRssMb: number | null
  /** True when another request ran in the process meanwhile, so that its figures are part of these. */
  shared: boolean
  /** Set on the request that started the process: how long it took to listen. */
  bootMs?: number
}

export type Limits = { cpuMs: number; memoryMb: number; wallMs: number }

/** The limits of a request to a hosted edge function. */
export const hostedLimits: Limits = { cpuMs: 2000, memoryMb: 256, wallMs: 150_000 }

/** Measures the requests of one process, which may overlap. */
export class Meter {
  readonly #pid: number
  readonly #running = new Set<{ shared: boolean }>()

  constructor(pid: number) {
    this.#pid = pid
  }

  get inFlight(): number {
    return this.#running.size
  }

  /** Begins a measurement; the returned function ends it and tells what was used. */
  begin(): () => Pick<RequestFigures, 'wallMs' | 'cpuMs' | 'peakRssMb' | 'shared'> {
    const own = { shared: this.#running.size > 0 }
    for (const other of this.#running) other.shared = true
    if (!own.shared) resetPeak(this.#pid)
    this.#running.add(own)
    const startedAt = performance.now()
    const before = readUsage(this.#pid)
    return () => {
      this.#running.delete(own)
      const after = readUsage(this.#pid)
      return {
        wallMs: performance.now() - startedAt,
        cpuMs: after.cpuMs === null || before.cpuMs === null ? null : after.cpuMs - before.cpuMs,
        peakRssMb: after.peakRssMb,
        shared: own.shared,
      }
    }
  }
}

/** The lines that report a request which a hosted project would have stopped; none when it is within limits. */
export function overLimit(figures: RequestFigures, limits: Limits): string[] {
  const request = `${figures.method} ${figures.path}`
  const shared = figures.shared ? ', with other requests running in the same process' : ''
  const lines: string[] = []
  if (figures.cpuMs !== null && figures.cpuMs > limits.cpuMs) {
    lines.push(
      `over the hosted CPU limit: ${Math.round(figures.cpuMs)} ms of ${limits.cpuMs} ms (${request}${shared})`,
    )
  }
  if (figures.peakRssMb !== null && figures.peakRssMb > limits.memoryMb) {
    lines.push(
      `over the hosted memory limit: ${Math.round(figures.peakRssMb)} MB resident of ${limits.memoryMb} MB, ` +
        `the runtime included (${request}${shared})`,
    )
  }
  if (figures.wallMs > limits.wallMs) {
    lines.push(
      `over the hosted time limit: ${(figures.wallMs / 1000).toFixed(1)} s of ${limits.wallMs / 1000} s (${request})`,
    )
  }
  return lines
}

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
 * Makes the peak of resident memory start anew from the present size. Where the kernel does not allow it, the peak stays
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
