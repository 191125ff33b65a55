import type { SentResponse, StreamedRequest } from '../http/node.ts'
import type { DenoOptions } from './deno.ts'
import { Isolate, type IsolateEvent, type IsolateFigures } from './isolate.ts'
import type { Limits } from './limits.ts'
import { proxy } from './proxy.ts'
import { bootError, resourceLimit, stopping, timedOut, workerError } from './responses.ts'

/**
 * Which isolate gets a request. `per_worker`: requests share one isolate, which runs them concurrently. `oneshot`: an isolate
 * has one request at a time; another is started when all are busy. In both, an isolate is free again at its response, before
 * its `waitUntil` work has ended.
 */
export type RuntimePolicy = 'per_worker' | 'oneshot'

/** What tests do to an isolate: bring it to half of its CPU limit, over a limit, or kill it as a failing machine would. */
export type IsolateEnd = 'retire' | 'cpu' | 'memory' | 'wall_clock' | 'SIGKILL'

type PoolOptions = Omit<DenoOptions, 'env' | 'heapMb' | 'onLine'> & {
  name: string
  /** Read anew at each start of a process. */
  environment: () => Record<string, string>
  runtimePolicy: RuntimePolicy
  /** The most isolates that take requests at the same time. */
  maxParallelism: number
  limits: Limits
  log: (line: string) => void
  onEvent: (event: IsolateEvent) => void
}

const freeCrashes = 2
const firstBackoffMs = 250
const longestBackoffMs = 10_000
/** How long a request waits for an isolate, as `request-wait-timeout` of supabase/edge-runtime by default. */
const requestWaitMs = 10_000
/** How long a broken connection waits to learn whether its isolate has ended. */
const endingMs = 1000

/** The isolates of one function: starts them when requests need them, and anew after they ended or became outdated. */
export class Pool {
  readonly #options: PoolOptions
  /** In the order of their start; those that are retired and not ended too. */
  readonly #isolates = new Set<Isolate>()
  readonly #waiting: (() => void)[] = []
  readonly #stop = new AbortController()
  #crashes = 0
  #retryAt = 0

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** The live isolates, the oldest first. */
  isolates(): IsolateFigures[] {
    return [...this.#isolates].map((isolate) => isolate.figures())
  }

  /** Handles a request, at `path` as the function is to see it. Never rejects. */
  async fetch(request: StreamedRequest, path: string): Promise<SentResponse> {
    if (this.#stop.signal.aborted) return stopping()
    const wait = this.#retryAt - Date.now()
    if (wait > 0) return bootError(wait)
    const acquired = await this.#acquire().catch((error: unknown) => this.#notStarted(error))
    if (this.#stop.signal.aborted) return stopping()
    if (!acquired) return bootError()
    const { isolate, over } = acquired
    const release = () => {
      over()
      this.#waiting.shift()?.()
    }
    try {
      await isolate.ready
    } catch (error) {
      release()
      this.#notStarted(error)
      return this.#stop.signal.aborted ? stopping() : bootError()
    }
    return this.#pass(request, path, isolate, release)
  }

  #notStarted(error: unknown): undefined {
    this.#options.log(`failed to start: ${messageOf(error)}`)
  }

  async #pass(
    request: StreamedRequest,
    path: string,
    isolate: Isolate,
    release: () => void,
  ): Promise<SentResponse> {
    const overdue = new AbortController()
    const { requestMs } = this.#options.limits
    const timer = Number.isFinite(requestMs) ? setTimeout(() => overdue.abort(), requestMs) : undefined
    try {
      const response = await proxy(request, {
        port: await isolate.port,
        path,
        signal: AbortSignal.any([request.signal, overdue.signal]),
        onEnd: release,
      })
      this.#crashes = 0
      return response
    } catch (error) {
      release()
      const what = `${request.method} ${path}`
      if (overdue.signal.aborted) {
        this.#options.log(`${what} had no response within ${requestMs / 1000} s`)
        return timedOut()
      }
      if (this.#stop.signal.aborted) return stopping()
      if (request.signal.aborted) return workerError()
      this.#options.log(`${what} broke off: ${messageOf(error)}`)
      const shutdown = isolate.killedFor ?? (await Promise.race([isolate.ended, pause(endingMs)]))
      return shutdown === undefined || shutdown === 'Exited' ? workerError() : resourceLimit()
    } finally {
      clearTimeout(timer)
    }
  }

  /** Makes the next request start a new isolate; the present ones end after their work. */
  outdate(): void {
    this.#crashes = 0
    this.#retryAt = 0
    for (const isolate of this.#isolates) isolate.retire('termination')
  }

  /**
   * Ends an isolate: the one with this process id, else one that has a request, else the newest. False where there is none.
   */
  end(how: IsolateEnd, pid?: number): boolean {
    const newestFirst = [...this.#isolates].reverse()
    const isolate =
      pid === undefined
        ? (newestFirst.find(({ inFlight }) => inFlight > 0) ?? newestFirst[0])
        : newestFirst.find((one) => one.figures().pid === pid)
    if (!isolate) return false
    if (how === 'retire') {
      isolate.announce('cpu')
      isolate.retire('cpu')
    } else isolate.kill(shutdownOf[how])
    return true
  }

  /** Ends the function's processes and rejects further requests. */
  async stop(): Promise<void> {
    this.#stop.abort()
    for (const proceed of this.#waiting.splice(0)) proceed()
    await Promise.all([...this.#isolates].map((isolate) => isolate.stop()))
  }

  /** An isolate that has taken the request, and what ends that; undefined when none came free in time. */
  async #acquire(): Promise<{ isolate: Isolate; over: () => void } | undefined> {
    const giveUpAt = performance.now() + requestWaitMs
    while (!this.#stop.signal.aborted) {
      const active = [...this.#isolates].filter((isolate) => isolate.active)
      const isolate =
        active.find(({ inFlight }) => this.#options.runtimePolicy === 'per_worker' || inFlight === 0) ??
        (active.length < this.#options.maxParallelism ? this.#start() : undefined)
      if (isolate) return { isolate, over: isolate.begin() }
      const left = giveUpAt - performance.now()
      if (left <= 0) {
        this.#options.log(`no isolate came free within ${requestWaitMs / 1000} s`)
        return undefined
      }
      await this.#change(left)
    }
    return undefined
  }

  /** Resolves when an isolate may have come free, at the latest after `ms`. */
  async #change(ms: number): Promise<void> {
    let proceed = (): void => {}
    const changed = new Promise<void>((resolve) => {
      proceed = resolve
    })
    const timer = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(proceed), 1)
      proceed()
    }, ms)
    this.#waiting.push(proceed)
    await changed
    clearTimeout(timer)
  }

  #start(): Isolate {
    const { environment, log } = this.#options
    const isolate = new Isolate({
      ...this.#options,
      env: environment(),
      onLine: log,
      onEvent: (event) => this.#onEvent(event),
    })
    this.#isolates.add(isolate)
    void isolate.ended.then((reason) => {
      this.#isolates.delete(isolate)
      if (reason === 'Exited') this.#backOff()
    })
    return isolate
  }

  #onEvent(event: IsolateEvent): void {
    this.#options.log(describe(event))
    this.#options.onEvent(event)
    // Whoever waits may start an isolate in the place of one that takes no more requests.
    if (event.type !== 'booted') this.#waiting.shift()?.()
  }

  #backOff(): void {
    this.#crashes += 1
    if (this.#crashes <= freeCrashes) return
    const delay = Math.min(firstBackoffMs * 2 ** (this.#crashes - freeCrashes - 1), longestBackoffMs)
    this.#retryAt = Date.now() + delay
  }
}

const shutdownOf = {
  cpu: 'CPUTime',
  memory: 'Memory',
  wall_clock: 'WallClockTime',
  SIGKILL: 'Exited',
} as const

function describe(event: IsolateEvent): string {
  const what =
    event.type === 'booted'
      ? 'booted'
      : event.type === 'retired'
        ? `retired (${event.reason})`
        : `ended (${event.reason}, ${event.detail})`
  const requests = `${event.requests} requests, ${event.inFlight} of them in flight`
  const seconds = (event.ageMs / 1000).toFixed(1)
  return `isolate ${event.pid} ${what}: ${event.cpuMs} ms of CPU, ${event.memoryMb} MB, ${seconds} s, ${requests}`
}

const pause = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), ms))

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
