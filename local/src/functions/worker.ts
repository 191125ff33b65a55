import { type DenoProcess, startDeno } from './deno.ts'
import { type Limits, Meter, overLimit, type RequestFigures } from './meter.ts'
import { proxy } from './proxy.ts'

export type WorkerOptions = {
  name: string
  root: string
  entrypoint: string
  importMap?: string
  denoDir: string
  readable: string[]
  /** Read anew at each start of the process. */
  environment: () => Record<string, string>
  limits: Limits
  bootTimeoutMs: number
  /** Milliseconds without a request after which the process is ended; 0 keeps it. */
  idleMs: number
  log: (line: string) => void
  onRequest?: (figures: RequestFigures) => void
}

type Running = {
  process: DenoProcess
  meter: Meter
  retired: boolean
  bootReported: boolean
  /** Measurements of what goes on after a response, by number. */
  background: Map<string, ReturnType<Meter['begin']>>
}

const backgroundLine = /^stack: background (\d+) (began|ended)$/

const freeCrashes = 2
const firstBackoffMs = 250
const longestBackoffMs = 10_000

/** One edge function: starts its process on the first request, and anew after it died or became outdated. */
export class Worker {
  readonly #options: WorkerOptions
  readonly #live = new Set<Running>()
  #current: Promise<Running> | undefined
  #crashes = 0
  #retryAt = 0
  #idle: NodeJS.Timeout | undefined
  readonly #stop = new AbortController()

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  /** Process id of the function's newest live process. */
  pid(): number | undefined {
    return [...this.#live].at(-1)?.process.pid
  }

  /** Handles a request, at `path` as the function is to see it. Never rejects. */
  async fetch(request: Request, path: string): Promise<Response> {
    const { log, limits } = this.#options
    if (this.#stop.signal.aborted) return stopping()
    clearTimeout(this.#idle)
    const wait = this.#retryAt - Date.now()
    if (wait > 0) return bootError(wait)
    let running: Running
    let finish: ReturnType<Meter['begin']>
    try {
      ;({ running, finish } = await this.#acquire())
    } catch (error) {
      log(`failed to start: ${messageOf(error)}`)
      return this.#stop.signal.aborted ? stopping() : bootError()
    }

    const bootMs = running.bootReported ? undefined : running.process.bootMs
    running.bootReported = true
    const abort = new AbortController()
    let overdue = false
    const wall = setTimeout(() => {
      overdue = true
      abort.abort()
      // Like the platform's worker, the process ends with the request that ran out of time.
      this.#retire(running)
      void running.process.stop()
    }, limits.wallMs)
    const end = (status: number): void => {
      clearTimeout(wall)
      this.#report(running, { method: request.method, path, status, ...finish(), ...(bootMs && { bootMs }) })
    }
    try {
      const response = await proxy(request, {
        port: running.process.port,
        path,
        signal: AbortSignal.any([request.signal, abort.signal]),
        onEnd: end,
      })
      this.#crashes = 0
      return response
    } catch (error) {
      const response = overdue ? timedOut() : workerError()
      if (!overdue && !request.signal.aborted) log(`${request.method} ${path} broke off: ${messageOf(error)}`)
      end(request.signal.aborted ? 499 : response.status)
      return response
    }
  }

  /** Makes the next request start a new process; the present one ends after its last request. */
  outdate(): void {
    this.#crashes = 0
    this.#retryAt = 0
    this.#current?.then(
      (running) => this.#retire(running),
      () => undefined,
    )
    this.#current = undefined
  }

  /** Ends the function's processes and rejects further requests. */
  async stop(): Promise<void> {
    this.#stop.abort()
    clearTimeout(this.#idle)
    await this.#current?.catch(() => undefined)
    await Promise.all([...this.#live].map((running) => running.process.stop()))
  }

  /** A live process, in which the request counts from now on, so that it is not ended meanwhile. */
  async #acquire(): Promise<{ running: Running; finish: ReturnType<Meter['begin']> }> {
    for (;;) {
      this.#current ??= this.#start()
      const current = this.#current
      const running = await current
      if (running.process.alive() && !running.retired) return { running, finish: running.meter.begin() }
      if (this.#current === current) this.#current = undefined
    }
  }

  #start(): Promise<Running> {
    const starting = this.#boot()
    starting.catch(() => {
      if (this.#current === starting) this.#current = undefined
      this.#backOff()
    })
    return starting
  }

  async #boot(): Promise<Running> {
    const { environment, log } = this.#options
    let running: Running | undefined
    const process = await startDeno({
      ...this.#options,
      heapMb: this.#options.limits.memoryMb,
      env: environment(),
      signal: this.#stop.signal,
      onLine: (line) => {
        if (!this.#followBackground(running, line)) log(line)
      },
    })
    running = {
      process,
      meter: new Meter(process.pid),
      retired: false,
      bootReported: false,
      background: new Map(),
    }
    const booted = running
    this.#live.add(booted)
    void process.exited.then((reason) => {
      this.#live.delete(booted)
      if (booted.retired || this.#stop.signal.aborted) return
      log(`ended (${reason}); the next request starts it anew`)
      booted.retired = true
      this.#backOff()
    })
    return booted
  }

  /** Work that goes on after its response counts against the limits like a request. */
  #followBackground(running: Running | undefined, line: string): boolean {
    const [, id = '', step] = backgroundLine.exec(line) ?? []
    if (!step) return false
    if (!running) return true
    if (step === 'began') {
      running.background.set(id, running.meter.begin())
      return true
    }
    const finish = running.background.get(id)
    running.background.delete(id)
    if (finish)
      this.#report(running, { method: 'BACKGROUND', path: `/${this.#options.name}`, status: 0, ...finish() })
    return true
  }

  #report(running: Running, measured: Omit<RequestFigures, 'name'>): void {
    const figures = { name: this.#options.name, ...measured }
    for (const line of overLimit(figures, this.#options.limits)) this.#options.log(line)
    this.#options.onRequest?.(figures)
    this.#afterRequest(running)
  }

  #backOff(): void {
    this.#crashes += 1
    if (this.#crashes <= freeCrashes) return
    const delay = Math.min(firstBackoffMs * 2 ** (this.#crashes - freeCrashes - 1), longestBackoffMs)
    this.#retryAt = Date.now() + delay
  }

  #retire(running: Running): void {
    running.retired = true
    if (running.meter.inFlight === 0) void running.process.stop()
  }

  #afterRequest(running: Running): void {
    if (running.meter.inFlight > 0) return
    if (running.retired) {
      void running.process.stop()
      return
    }
    if (this.#options.idleMs <= 0) return
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.outdate(), this.#options.idleMs)
    this.#idle.unref()
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A response that the platform gives in place of a function's own. */
const platformResponse = (
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Response => Response.json({ code, message }, { status, headers })

/** What the platform responds when a project has no such function. */
export const notFound = (): Response => platformResponse(404, 'NOT_FOUND', 'Requested function was not found')

const bootError = (retryAfterMs = 0): Response =>
  platformResponse(
    503,
    'BOOT_ERROR',
    'Function failed to start (please check logs)',
    retryAfterMs > 0 ? { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) } : {},
  )

const workerError = (): Response =>
  platformResponse(502, 'WORKER_ERROR', 'Function exited due to an error (please check logs)')

const timedOut = (): Response =>
  platformResponse(504, 'IDLE_TIMEOUT', 'Request timed out before the function responded')

const stopping = (): Response =>
  platformResponse(503, 'SERVICE_UNAVAILABLE', 'The functions are being stopped')
