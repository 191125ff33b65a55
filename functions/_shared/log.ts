import { AsyncLocalStorage } from 'node:async_hooks'
import { placeIn, type Trace, traceparentOf } from './trace.ts'

/** What a log line may hold: identifiers, codes, counts and durations; never a person's data. */
type LogFields = Record<string, string | number | boolean | null | undefined>

type LoggedRequest = { function: string; request_id: string }

const current = new AsyncLocalStorage<{ request: LoggedRequest; trace: Trace }>()

/** Runs the work of a request. Every line that it logs names the request and its trace, also after its response. */
export function loggedAs<Result>(request: LoggedRequest, trace: Trace, work: () => Result): Result {
  return current.run({ request, trace }, work)
}

/** Runs a part of a request's work that belongs to another trace, such as a job; without an id to that of the request. */
export function inTrace<Result>(traceId: string | null, work: () => Result): Result {
  const store = current.getStore()
  return store && traceId ? current.run({ ...store, trace: placeIn(traceId) }, work) : work()
}

/** Goes on in another trace, because what the request is about began there; the response says so in its header. */
export function joinTrace(traceId: string | null): void {
  const store = current.getStore()
  if (store && traceId) store.trace = { ...store.trace, id: traceId }
}

/** The id of the trace that the current work belongs to; null outside of a request. */
export function currentTraceId(): string | null {
  return current.getStore()?.trace.id ?? null
}

/** Headers that continue the current trace in a call to others, or in a response. It says nothing about anybody. */
export function traceHeaders(): { traceparent?: string } {
  const trace = current.getStore()?.trace
  return trace ? { traceparent: traceparentOf(trace) } : {}
}

/** Writes one line of JSON. */
export function log(level: 'info' | 'warn' | 'error', event: string, fields: LogFields = {}): void {
  const store = current.getStore()
  const line = JSON.stringify({
    time: new Date().toISOString(),
    level,
    event,
    ...store?.request,
    trace_id: store?.trace.id,
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
