import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { processesOf } from './own-stack.ts'

/** What one request, or the jobs of one check-in, took of a function's process. */
export interface Taken {
  cpuS: number
  /** Peak of resident memory above what it was before, MB. */
  mb: number
  /** Peak of resident memory, the runtime included, MB. */
  processMb: number
}

const TICKS_PER_S = 100

/** A memory figure of a running process (Linux), MB. */
export function statusMb(pid: number, field: 'VmHWM' | 'VmRSS' | 'RssFile'): number {
  const kilobytes = readFileSync(`/proc/${pid}/status`, 'latin1').match(
    new RegExp(`^${field}:\\s+(\\d+)`, 'm'),
  )?.[1]
  return Number(kilobytes) / 1024
}

/** CPU that all threads of a process have taken (Linux), seconds; null where it has ended. */
export function cpuSeconds(pid: number): number | null {
  if (!existsSync(`/proc/${pid}/stat`)) return null
  // After the command's name, which is in parentheses, utime and stime are the 12th and 13th field.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S
}

/** The functions of a stack that this process has started (Linux). */
export class FunctionProcesses {
  #pids = new Map<string, number>()

  /** Finds out which function runs in which process. @returns those that have ended since the last time */
  async refresh(): Promise<string[]> {
    const { functions } = await processesOf(process.pid)
    const ended = [...this.#pids].filter(([name, pid]) => functions.get(name) !== pid).map(([name]) => name)
    this.#pids = functions
    return ended
  }

  /** Resident memory at the moment, MB; null where the function does not run. */
  restMb(name: string): number | null {
    const pid = this.#pids.get(name)
    return pid === undefined || !existsSync(`/proc/${pid}`) ? null : statusMb(pid, 'VmRSS')
  }

  /** Measures a function from now on until the returned function is called; one that has ended takes nothing more. */
  begin(name: string): () => Taken {
    const pid = this.#pids.get(name)
    const nothing = { cpuS: 0, mb: 0, processMb: 0 }
    if (pid === undefined || !existsSync(`/proc/${pid}`)) return () => nothing
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    const [cpuBefore, mbBefore] = [cpuSeconds(pid) ?? 0, statusMb(pid, 'VmRSS')]
    return () => {
      const cpuAfter = cpuSeconds(pid)
      if (cpuAfter === null) return nothing
      const processMb = statusMb(pid, 'VmHWM')
      return { cpuS: cpuAfter - cpuBefore, mb: Math.max(0, processMb - mbBefore), processMb }
    }
  }
}
