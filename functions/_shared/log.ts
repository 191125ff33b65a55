import { AsyncLocalStorage } from 'node:async_hooks'

/** What a log line may hold: identifiers, codes, counts and durations; never a person's data. */
type LogFields = Record<string, string | number | boolean | null | undefined>

type LoggedRequest = { function: string; request_id: string }

const current = new AsyncLocalStorage<LoggedRequest>()

/** Runs the work of a request. Every line that it logs names the request, also after its response. */
export function loggedAs<Result>(request: LoggedRequest, work: () => Result): Result {
  return current.run(request, work)
}

/** Writes one line of JSON. */
export function log(level: 'info' | 'warn' | 'error', event: string, fields: LogFields = {}): void {
  const line = JSON.stringify({
    time: new Date().toISOString(),
    level,
    event,
    ...current.getStore(),
    ...fields,
  })
  if (level === 'error') console.error(line)
  else console.log(line)
}

/**
 * Names an unexpected error without its message, which could hold personal data: its class, its code where it has
 * one, and where it was thrown.
 */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { error: error.name, code, at: topFrame(error) }
}

/** A stack begins with the message, whose lines could look like frames. */
function topFrame({ stack = '', message }: Error): string | undefined {
  const start = stack.indexOf(message)
  if (start < 0) return undefined
  return stack.slice(start + message.length).match(/^\s+(at .+:\d+:\d+\)?)$/m)?.[1]
}
