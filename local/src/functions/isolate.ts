import { type DenoOptions, type DenoProcess, spawnDeno } from './deno.ts'
import type { Limits } from './limits.ts'
import { cheapUsage, readUsage, type Usage } from './usage.ts'

/** Why an isolate gets no new requests. `termination`: its code was changed. */
export type RetireReason = 'cpu' | 'memory' | 'wall_clock' | 'termination'

/**
 * Why an isolate ended, by the names that the platform logs: killed over a limit, dropped after its last work since it was
 * retired, dropped or stopped because the stack asked for it; `Exited`: by itself, or killed by someone else.
 */
export type ShutdownReason =
  | 'CPUTime'
  | 'Memory'
  | 'WallClockTime'
  | 'EarlyDrop'
  | 'TerminationRequested'
  | 'Exited'

/** What an isolate has used and done. */
export type IsolateFigures = {
  /** Name of its function. */
  name: string
  pid: number
  /** CPU time since its start, boot included, of all threads, ms; held against the limit. */
  cpuMs: number
  /** The same of the main thread alone, which is what the platform counts; null where the machine does not tell. */
  mainThreadMs: number | null
  /** The most memory it was seen to hold, MB. */
  memoryMb: number
  /** Time since its start, ms. */
  ageMs: number
  /** Requests it has taken, those in flight included. */
  requests: number
  inFlight: number
  retired: boolean
}

export type IsolateEvent = IsolateFigures &
  (
    | { type: 'booted' }
    | { type: 'retired'; reason: RetireReason }
    | { type: 'ended'; reason: ShutdownReason; detail: string }
  )

type IsolateOptions = Omit<DenoOptions, 'heapMb'> & {
  name: string
  limits: Limits
  onEvent: (event: IsolateEvent) => void
}

const busyPollMs = cheapUsage ? 20 : 250
const idlePollMs = 500
/** Where nothing that it uses may end it: what it has used is for figures alone. */
const unboundedPollMs = 250
const outOfMemoryLine = /JavaScript (heap )?out of memory/

/**
 * One process of a function, supervised as supabase/edge-runtime supervises an isolate
 * (crates/base/src/worker/supervisor/strategy_per_worker.rs), from outside: what it has used is looked at every 20 ms while
 * it works, and seldom while it does nothing.
 */
export class Isolate {
  /** Resolves when the function listens. Rejects when it will not. */
  readonly ready: Promise<void>
  /** Resolves when the process has ended. */
  readonly ended: Promise<ShutdownReason>
  readonly #options: IsolateOptions
  readonly #process: DenoProcess
  readonly #startedAt = performance.now()
  readonly #announced = new Set<RetireReason>()
  #usage: Usage = { cpuMs: 0, mainThreadMs: null, memoryMb: 0 }
  #peakMb = 0
  #requests = 0
  #inFlight = 0
  #retired: RetireReason | undefined
  #dropped = false
  /** Why it was killed, and what it was doing then. */
  #killed: { reason: ShutdownReason; inFlight: number } | undefined
  #outOfMemory = false
  #alive = true
  #pollMs = busyPollMs
  #poll: NodeJS.Timeout | undefined

  /** How soon it is looked at while it works; with limits, also at the end of each request. */
  readonly #busyPollMs: number

  constructor(options: IsolateOptions) {
    this.#options = options
    const { cpuMs, memoryMb, wallMs } = options.limits
    this.#busyPollMs = [cpuMs, memoryMb, wallMs].some(Number.isFinite) ? busyPollMs : unboundedPollMs
    this.#pollMs = this.#busyPollMs
    this.#process = spawnDeno({
      ...options,
      heapMb: options.limits.memoryMb,
      onLine: (line) => {
        if (outOfMemoryLine.test(line)) this.#outOfMemory = true
        options.onLine(line)
      },
    })
    this.ready = this.#process.listening.then(() => {
      this.#look()
      options.onEvent({ ...this.figures(), type: 'booted' })
    })
    this.ready.catch(() => undefined)
    this.ended = this.#process.exited.then((detail) => this.#finish(detail))
    this.#schedule()
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** Whether it takes requests. */
  get active(): boolean {
    return this.#alive && this.#retired === undefined && this.#killed === undefined
  }

  /** Why it was killed; it may not have ended yet. */
  get killedFor(): ShutdownReason | undefined {
    return this.#killed?.reason
  }

  /** The port at which the function listens, once it is ready. */
  get port(): Promise<number> {
    return this.#process.listening
  }

  figures(): IsolateFigures {
    return {
      name: this.#options.name,
      pid: this.#process.pid,
      cpuMs: this.#usage.cpuMs,
      mainThreadMs: this.#usage.mainThreadMs,
      memoryMb: Math.round(this.#peakMb),
      ageMs: Math.round(performance.now() - this.#startedAt),
      requests: this.#requests,
      inFlight: this.#inFlight,
      retired: this.#retired !== undefined,
    }
  }

  /** Takes a request. The returned function says that it is over; calling it again does nothing. */
  begin(): () => void {
    this.#requests += 1
    this.#inFlight += 1
    if (this.#pollMs > this.#busyPollMs) this.#schedule(this.#busyPollMs)
    let over = false
    return () => {
      if (over) return
      over = true
      this.#inFlight -= 1
      if (this.#busyPollMs === busyPollMs) this.#supervise()
      this.#dropWhenRetired()
    }
  }

  /** Sees that it gets no new requests and ends when its work has ended, `waitUntil` included. */
  retire(reason: RetireReason): void {
    if (!this.active) return
    this.#retired = reason
    this.#options.onEvent({ ...this.figures(), type: 'retired', reason })
    this.#dropWhenRetired()
  }

  /** Tells the function why it is about to be ended; once for each reason. */
  announce(reason: RetireReason): void {
    if (this.#announced.has(reason)) return
    this.#announced.add(reason)
    this.#process.send(`beforeunload ${reason}`)
  }

  /** Ends the process at once, in the middle of whatever it does. */
  kill(reason: ShutdownReason): void {
    if (!this.#alive) return
    this.#look()
    this.#killed ??= { reason, inFlight: this.#inFlight }
    this.#process.kill()
  }

  /** Asks the process to end, whatever it does, and resolves when it has. */
  async stop(): Promise<void> {
    this.#killed ??= { reason: 'TerminationRequested', inFlight: this.#inFlight }
    await this.#process.stop()
    await this.ended
  }

  #dropWhenRetired(): void {
    if (this.#retired === undefined || this.#inFlight > 0 || this.#dropped) return
    this.#dropped = true
    this.#process.send('drop')
  }

  #schedule(delay = this.#pollMs): void {
    clearTimeout(this.#poll)
    if (!this.#alive) return
    this.#pollMs = delay
    this.#poll = setTimeout(() => this.#supervise(), delay)
    this.#poll.unref()
  }

  /** Reads what the process has used; true when that was something since the last time. */
  #look(): boolean {
    const before = this.#usage
    this.#usage = readUsage(this.#process.pid) ?? before
    this.#peakMb = Math.max(this.#peakMb, this.#usage.memoryMb)
    return this.#usage.cpuMs > before.cpuMs
  }

  #supervise(): void {
    if (!this.#alive || this.#killed !== undefined) return
    const working = this.#look() || this.#inFlight > 0
    const { limits } = this.#options
    const used = [
      ['cpu', 'CPUTime', this.#usage.cpuMs / limits.cpuMs],
      ['memory', 'Memory', this.#usage.memoryMb / limits.memoryMb],
      ['wall_clock', 'WallClockTime', (performance.now() - this.#startedAt) / limits.wallMs],
    ] as const
    for (const [reason, shutdown, share] of used) {
      if (share >= 1) {
        this.kill(shutdown)
        return
      }
      if (share >= limits.beforeunloadAt) this.announce(reason)
      // As in the runtime, memory retires only an isolate that has no request at the moment.
      if (share >= 0.5 && (reason !== 'memory' || this.#inFlight === 0)) this.retire(reason)
    }
    this.#schedule(working ? this.#busyPollMs : Math.min(this.#pollMs * 2, idlePollMs))
  }

  #finish(detail: string): ShutdownReason {
    this.#alive = false
    clearTimeout(this.#poll)
    const reason = this.#killed?.reason ?? this.#ownReason(detail)
    const inFlight = this.#killed?.inFlight ?? this.#inFlight
    this.#options.onEvent({ ...this.figures(), inFlight, type: 'ended', reason, detail })
    return reason
  }

  /** Why the process ended without having been killed from here. */
  #ownReason(detail: string): ShutdownReason {
    if (this.#outOfMemory) return 'Memory'
    if (!this.#dropped || detail !== 'exit code 0') return 'Exited'
    return this.#retired === 'termination' ? 'TerminationRequested' : 'EarlyDrop'
  }
}
