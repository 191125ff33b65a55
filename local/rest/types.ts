import type { PostgresType } from 'postgres'

/**
 * `2026-11-21 01:09:00.123456+00` as PostgREST writes it: `2026-11-21T01:09:00.123456+00:00`. Leaves `infinity` and
 * years before Christ as they are.
 */
function isoTimestamp(text: string): string {
  const [, day, time, offset = ''] = /^(\d{4,}-\d\d-\d\d) ([\d:.]+)([+-][\d:]+)?$/.exec(text) ?? []
  if (day === undefined) return text
  return `${day}T${time}${/^[+-]\d\d$/.test(offset) ? `${offset}:00` : offset}`
}

/** The same as Auth and Storage write it, for a connection whose time zone is UTC: `2026-11-21T01:09:00.123456Z`. */
export const utcTimestamp = (text: string) => isoTimestamp(text).replace(/\+00:00$/, 'Z')

const same = <T>(value: T) => value

/** A value as text for Postgres to read or refuse; JSON of any kind may stand where a time belongs. */
const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** How Postgres values become JSON where lite's own parsers differ from PostgREST. */
export const pgTypes: Record<string, PostgresType> = {
  timestamp: { to: 1114, from: [1114], serialize: asText, parse: isoTimestamp },
  timestamptz: { to: 1184, from: [1184], serialize: asText, parse: isoTimestamp },
  // A day without an hour, which postgres.js would make midnight.
  date: { to: 1082, from: [1082], serialize: asText, parse: same },
  // lite answers 1.50 as a string because its digits do not survive; PostgREST answers a number.
  numeric: { to: 1700, from: [1700], serialize: asText, parse: numericOrText },
  // postgres.js would keep the digits as a string; PostgREST answers a number.
  int8: { to: 20, from: [20], serialize: asText, parse: numericOrText },
  bytea: { to: 17, from: [17], serialize: asText, parse: same },
  // Of a text that is no boolean postgres.js would make false.
  bool: { to: 16, from: [16], serialize: asText, parse: (text: string) => text === 't' },
}

function numericOrText(text: string): number | string {
  const value = Number(text)
  return Number.isFinite(value) ? value : text
}
