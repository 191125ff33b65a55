/**
 * Loaded by Deno before a function. Ends the process when the stack that started it is gone, however it went
 * (its end of stdin closes even on SIGKILL), and provides the platform's `EdgeRuntime.waitUntil`.
 */
declare const Deno: {
  stdin: { readable: ReadableStream<Uint8Array> }
  exit(code: number): never
}

async function exitWithParent(): Promise<void> {
  const reader = Deno.stdin.readable.getReader()
  while (!(await reader.read()).done);
  Deno.exit(0)
}

void exitWithParent()

Object.defineProperty(globalThis, 'EdgeRuntime', {
  value: {
    waitUntil<T>(work: Promise<T>): Promise<T> {
      // A rejected background task is logged, and does not take the process down, as on the platform.
      work.catch((error: unknown) => console.error('background task failed:', error))
      return work
    },
  },
})
