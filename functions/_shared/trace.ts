/** A place in a trace, as the W3C recommendation Trace Context has it. */
export type Trace = {
  /** What all requests and jobs of one check-in share, 32 hexadecimal digits. */
  id: string
  /** This request or job, 16 hexadecimal digits. */
  spanId: string
  /** Two hexadecimal digits, as the caller gave them; `01`: recorded. */
  flags: string
}

/** Version, trace, parent and flags. A later version than 00 may have more after them; version ff is none. */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

const ALL_ZEROS = /^0*$/

/**
 * The place of a request in the trace that its header `traceparent` names; in a new one where the header is absent or invalid.
 *
 * Source: https://www.w3.org/TR/trace-context/
 */
export function traceOf(traceparent: string | null): Trace {
  const [, version, id, , flags, more] = TRACEPARENT.exec(traceparent?.trim() ?? '') ?? []
  const isValid = version !== undefined && (version !== '00' || more === undefined)
  if (!isValid || id === undefined || flags === undefined)
    return { id: randomHex(16), spanId: randomHex(8), flags: '01' }
  return { id, spanId: randomHex(8), flags: version === '00' ? flags : '01' }
}

/** The header `traceparent` that continues a trace from this place. */
export function traceparentOf({ id, spanId, flags }: Trace): string {
  return `00-${id}-${spanId}-${flags}`
}

/** Another place, in the trace with this id. */
export function placeIn(id: string): Trace {
  return { id, spanId: randomHex(8), flags: '01' }
}

function randomHex(bytes: number): string {
  const digits = [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  return ALL_ZEROS.test(digits) ? randomHex(bytes) : digits
}
