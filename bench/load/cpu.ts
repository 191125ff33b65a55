import { readdirSync, readFileSync } from 'node:fs'
import type { IsolateEvent, Stack } from 'local-supabase'

/** CPU seconds by part of the server: the stack's own process, Postgres, and functions by name. */
export type Cpu = Record<string, number>

/** Linux counts in hundredths of a second. */
const TICKS_A_SECOND = 100

/** CPU that a stack in this process has used so far; `events` are all of its isolates since its start. */
export function cpuOf(stack: Stack, events: readonly IsolateEvent[]): Cpu {
  const { user, system } = process.cpuUsage()
  const cpu: Cpu = {
    'gateway, Auth, REST, Storage, Realtime': (user + system) / 1e6,
    Postgres: postgresSeconds(stack.pids().postgres),
  }
  const ended = events.filter((event) => event.type === 'ended')
  for (const { name, cpuMs } of [...ended, ...stack.functions.isolates()]) {
    cpu[name] = (cpu[name] ?? 0) + cpuMs / 1000
  }
  return cpu
}

/** What was used between two looks, without what used nothing. */
export function cpuBetween(before: Cpu, after: Cpu): Cpu {
  return Object.fromEntries(
    Object.entries(after)
      .map(([name, seconds]) => [name, seconds - (before[name] ?? 0)] as const)
      .filter(([, seconds]) => seconds >= 0.05),
  )
}

/** CPU of a Postgres server so far, s: of its first process, its children that ended, and those that run. */
export function postgresSeconds(pid: number | undefined): number {
  if (pid === undefined) return 0
  const own = timesOf(pid)
  let ticks = own.used + own.usedByEnded
  for (const entry of readdirSync('/proc')) {
    const child = Number(entry)
    if (!Number.isInteger(child)) continue
    const times = timesOf(child)
    if (times.parent === pid) ticks += times.used
  }
  return ticks / TICKS_A_SECOND
}

/** The process that started another. */
export function parentOf(pid: number): number {
  return timesOf(pid).parent
}

/** Zeros of a process that has ended. */
function timesOf(pid: number): { parent: number; used: number; usedByEnded: number } {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
    const sum = (...places: number[]) => places.reduce((total, place) => total + (fields[place] ?? 0), 0)
    return { parent: fields[1] ?? 0, used: sum(11, 12), usedByEnded: sum(13, 14) }
  } catch {
    return { parent: 0, used: 0, usedByEnded: 0 }
  }
}
