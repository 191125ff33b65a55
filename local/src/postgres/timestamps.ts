/**
 * `2026-11-21 01:09:00.123456+00` as PostgREST writes it: `2026-11-21T01:09:00.123456+00:00`. Leaves `infinity` and
 * years before Christ as they are.
 */
export function isoTimestamp(text: string): string {
  const [, day, time, offset = ''] = /^(\d{4,}-\d\d-\d\d) ([\d:.]+)([+-][\d:]+)?$/.exec(text) ?? []
  if (day === undefined) return text
  return `${day}T${time}${/^[+-]\d\d$/.test(offset) ? `${offset}:00` : offset}`
}

/** The same as Auth and Storage write it, for a connection whose time zone is UTC: `2026-11-21T01:09:00.123456Z`. */
export const utcTimestamp = (text: string) => isoTimestamp(text).replace(/\+00:00$/, 'Z')
