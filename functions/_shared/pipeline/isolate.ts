import process from 'node:process'
import { expectedCpuS, JOB_KINDS, type JobKind } from './job-kinds.ts'

/**
 * Share of an isolate's CPU that its worker plans with. After half of it the platform sends no new requests, at its end it
 * kills the isolate; the rest is for what no table foresees.
 */
const PLANNED = 0.8

/** What the isolate that this code runs in has used of its CPU. */
export class Isolate {
  readonly #kinds: readonly JobKind[]
  readonly #budgetS: number
  readonly #measures = isOwnProcess()
  readonly #done = new Set<JobKind>()
  #expectedS: number

  /**
   * @param kinds of jobs that it runs
   * @param cpuS CPU that the platform gives the isolate in its whole life, seconds
   */
  constructor(kinds: readonly JobKind[], cpuS: number) {
    this.#kinds = kinds
    this.#budgetS = PLANNED * cpuS
    this.#expectedS = Math.max(...kinds.map((kind) => JOB_KINDS[kind].cost.bootS))
  }

  /** CPU used since the isolate started, its start included, seconds: measured where the platform tells, else expected. */
  get usedS(): number {
    return this.#measures ? processCpuS() : this.#expectedS
  }

  /** The kinds of which any job can end before the isolate is ended. */
  kindsWithRoom(): JobKind[] {
    return this.#kinds.filter((kind) => this.usedS + this.#costS(kind) <= this.#budgetS)
  }

  /** Counts a job that was run. */
  count(kind: JobKind): void {
    this.#expectedS += this.#costS(kind)
    this.#done.add(kind)
  }

  #costS(kind: JobKind): number {
    return expectedCpuS(kind, !this.#done.has(kind))
  }
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
