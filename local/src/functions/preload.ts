/**
 * Loaded by Deno before a function. Tells the stack at which port the function listens, ends the process when the
 * stack is gone, even if that was killed, and provides the platform's `EdgeRuntime.waitUntil`.
 */
declare const Deno: {
  env: { get(name: string): string | undefined; delete(name: string): void }
  ppid: number
  exit(code: number): never
  unrefTimer(timer: unknown): void
  serve(...settings: unknown[]): { addr: { port: number } }
}

const parent = Number(Deno.env.get('STACK_PID'))
Deno.env.delete('STACK_PID')

// Unreferenced, because Deno starts the function only when its preloads have nothing left to wait for.
Deno.unrefTimer(
  setInterval(() => {
    if (Deno.ppid !== parent) Deno.exit(0)
  }, 500),
)

const { serve } = Deno
let told = false
Object.defineProperty(Deno, 'serve', {
  configurable: true,
  writable: true,
  value: (...settings: unknown[]) => {
    const server = serve(...settings)
    if (!told) console.error(`stack: listening at ${server.addr.port}`)
    told = true
    return server
  },
})

let backgroundTasks = 0
Object.defineProperty(globalThis, 'EdgeRuntime', {
  value: {
    waitUntil<T>(work: Promise<T>): Promise<T> {
      const id = ++backgroundTasks
      console.error(`stack: background ${id} began`)
      work.then(
        () => console.error(`stack: background ${id} ended`),
        () => console.error(`stack: background ${id} ended`),
      )
      // A rejected background task is logged, and does not take the process down, as on the platform.
      work.catch((error: unknown) => console.error('background task failed:', error))
      return work
    },
  },
})
