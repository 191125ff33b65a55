/** From when on a call should not be used any more, and when it ends, as `YYYY-MM-DD`; `guide` is where its successor is described. */
export type Deprecation = { since: string; sunset: string; guide: string }

/** Headers that announce the end of a call: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and where to read about it. */
export function deprecationHeaders({ since, sunset, guide }: Deprecation): [string, string][] {
  return [
    ['deprecation', `@${Date.parse(since) / 1000}`],
    ['sunset', new Date(sunset).toUTCString()],
    ['link', `<${guide}>; rel="deprecation"`],
  ]
}
