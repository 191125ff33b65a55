/**
 * What one isolate may use from its start to its end, its boot included, however many requests it serves. At half of CPU or
 * wall clock it is retired: it gets no new requests and ends with its work; so it is at half of memory, once it has no
 * request. At the whole of any it is killed. Infinity lifts a limit.
 */
export type Limits = {
  /** CPU time, ms. */
  cpuMs: number
  /** Memory, MB. */
  memoryMb: number
  /** Age, ms. */
  wallMs: number
  /** Time until a request must have its response, ms; after it the caller gets 504 and the isolate goes on. */
  requestMs: number
  /** Share of a limit, 0 to 1, at which the function gets `beforeunload` with the reason `cpu`, `memory` or `wall_clock`. */
  beforeunloadAt: number
}

/**
 * The limits of a hosted project on the free plan (https://supabase.com/docs/guides/functions/limits); a paid one has
 * `wallMs` of 400,000. `beforeunloadAt` is the default of supabase/edge-runtime (`dispatch-beforeunload-*-ratio`).
 */
export const hostedLimits: Limits = {
  cpuMs: 2000,
  memoryMb: 256,
  wallMs: 150_000,
  requestMs: 150_000,
  beforeunloadAt: 0.9,
}

const unlimited: Limits = {
  cpuMs: Infinity,
  memoryMb: Infinity,
  wallMs: Infinity,
  requestMs: Infinity,
  beforeunloadAt: hostedLimits.beforeunloadAt,
}

/** The hosted limits with figures of one's own in their place, or none for `false`. */
export function limitsOf(chosen: Partial<Limits> | false = {}): Limits {
  return chosen === false ? unlimited : { ...hostedLimits, ...chosen }
}
