import process from 'node:process'
import type { Job } from './job.ts'
import { expectedCpuS, UNIT_COSTS } from './unit-costs.ts'

/**
 * Share of an isolate's CPU that its worker plans with. After half of it the platform sends no new requests, at its end it
 * kills the isolate; the rest is for what no table foresees.
 */
const PLANNED = 0.8

/** Kinds of jobs, each with the largest amount that one job has, in the unit of `UNIT_COSTS`. */
export type LargestAmounts = Partial<Record<Job['kind'], number>>

/** What the isolate that this code runs in has used of its CPU. */
export class Isolate {
  readonly #largest: LargestAmounts
  readonly #budgetS: number
  readonly #measures = isOwnProcess()
  readonly #done = new Set<Job['kind']>()
  #expectedS: number

  /** @param cpuS CPU that the platform gives the isolate in its whole life, seconds */
  constructor(largest: LargestAmounts, cpuS: number) {
    this.#largest = largest
    this.#budgetS = PLANNED * cpuS
    this.#expectedS = Math.max(...kindsOf(largest).map((kind) => UNIT_COSTS[kind].bootS))
  }

  /** CPU used since the isolate started, its start included, seconds: measured where the platform tells, else expected. */
  get usedS(): number {
    return this.#measures ? processCpuS() : this.#expectedS
  }

  /** The kinds of which any job can end before the isolate is ended. */
  kindsWithRoom(): Job['kind'][] {
    return kindsOf(this.#largest).filter((kind) => this.usedS + this.#costS(kind) <= this.#budgetS)
  }

  /** Counts a job that was run. */
  count(kind: Job['kind']): void {
    this.#expectedS += this.#costS(kind)
    this.#done.add(kind)
  }

  #costS(kind: Job['kind']): number {
    return expectedCpuS(kind, this.#largest[kind] ?? 0, !this.#done.has(kind))
  }
}

export function kindsOf(largest: LargestAmounts): Job['kind'][] {
  return Object.keys(largest) as Job['kind'][]
}

/**
 * Whether the process is this isolate's alone, as on the local stack, so that its CPU is the isolate's. A hosted process
 * runs many isolates: it is older, and has used more, than this one can have.
 */
function isOwnProcess(): boolean {
  return processCpuS() <= (2 * performance.now()) / 1000
}

function processCpuS(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
