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

/** How Postgres values become JSON where lite's own parsers differ from PostgREST. */
export const pgTypes: Record<string, PostgresType> = {
  timestamp: { to: 1114, from: [1114], serialize: same, parse: isoTimestamp },
  timestamptz: { to: 1184, from: [1184], serialize: same, parse: isoTimestamp },
  // lite answers 1.50 as a string because its digits do not survive; PostgREST answers a number.
  numeric: { to: 1700, from: [1700], serialize: String, parse: numericOrText },
}

function numericOrText(text: string): number | string {
  const value = Number(text)
  return Number.isFinite(value) ? value : text
}
