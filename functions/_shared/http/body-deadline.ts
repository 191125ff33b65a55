import { ServiceError } from '../errors.ts'

/** How long a body may take to arrive, seconds: one of up to `SMALL_BYTES`, and any other, 50 MB at 3.4 Mbit/s. */
const SMALL_S = 30
const LARGE_S = 120
const SMALL_BYTES = 1_000_000

/** Awaits one step of reading a body. Throws `request_timeout` when the body takes too long. */
export type WithinDeadline = <Result>(step: Promise<Result>) => Promise<Result>

/** Starts the deadline of a body of up to `maxBytes`. */
export function startDeadline(maxBytes: number): WithinDeadline {
  const seconds = maxBytes > SMALL_BYTES ? LARGE_S : SMALL_S
  const endsAt = performance.now() + seconds * 1000
  return async (step) => {
    const { promise: expired, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(timeout(seconds)), endsAt - performance.now())
    try {
      return await Promise.race([step, expired])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The pieces of a body as they arrive. Throws `request_timeout`; when it is left, nothing more is read. */
export async function* piecesOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  within: WithinDeadline,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await within(reader.read())
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function timeout(seconds: number): ServiceError {
  return new ServiceError(
    'request_timeout',
    `The body did not arrive within ${seconds} s. Send it again over a better connection.`,
  )
}
