/**
 * Loaded by Deno before a function. Tells the stack at which port the function listens, does what the stack says on stdin,
 * ends the process when the stack is gone, even if that was killed, and provides the platform's `EdgeRuntime.waitUntil` and
 * `beforeunload`.
 */
declare const Deno: {
  env: { get(name: string): string | undefined; delete(name: string): void }
  ppid: number
  stdin: { readable: ReadableStream<BufferSource> }
  exit(code: number): never
  unrefTimer(timer: unknown): void
  serve(...settings: unknown[]): { addr: { port: number } }
}

const parent = Number(Deno.env.get('STACK_PID'))
Deno.env.delete('STACK_PID')

const { exit, serve, stdin } = Deno
// Unreferenced, because Deno starts the function only when its preloads have nothing left to wait for.
const orphanCheck = setInterval(() => {
  if (Deno.ppid !== parent) exit(0)
}, 500)
Deno.unrefTimer(orphanCheck)

let told = false
Object.defineProperty(Deno, 'serve', {
  configurable: true,
  writable: true,
  value: (...settings: unknown[]) => {
    const server = serve(...settings)
    if (told) return server
    told = true
    console.error(`stack: listening at ${server.addr.port}`)
    clearInterval(orphanCheck)
    void obey()
    return server
  },
})

/** Follows the stack's orders, one a line: `beforeunload REASON`, and `drop` once there is no request left. */
async function obey(): Promise<void> {
  let text = ''
  for await (const chunk of stdin.readable.pipeThrough(new TextDecoderStream())) {
    const lines = (text + chunk).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      const [order, reason = ''] = line.split(' ')
      if (order === 'beforeunload') announce(reason)
      if (order === 'drop') {
        dropped = true
        endWhenIdle()
      }
    }
  }
  exit(0)
}

function announce(reason: string): void {
  dispatchEvent(new CustomEvent('beforeunload', { detail: { reason } }))
}

let dropped = false
let backgroundTasks = 0

function endWhenIdle(): void {
  if (!dropped || backgroundTasks > 0) return
  announce('early_drop')
  exit(0)
}

Object.defineProperty(globalThis, 'EdgeRuntime', {
  value: {
    waitUntil<T>(work: Promise<T>): Promise<T> {
      backgroundTasks += 1
      const settled = () => {
        backgroundTasks -= 1
        endWhenIdle()
      }
      work.then(settled, (error: unknown) => {
        // A rejected background task is logged, and does not take the process down, as on the platform.
        console.error('background task failed:', error)
        settled()
      })
      return work
    },
  },
})
