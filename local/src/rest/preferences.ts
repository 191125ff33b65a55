/** What a request prefers (RFC 7240), where lite does not see to it. */
export interface Preferences {
  /** A name of `pg_timezone_names`. */
  timezone?: string
  /** Undoes what the request changed once it is answered. */
  rollback: boolean
  /** The most rows that a function may return; of tables lite counts them. */
  maxAffected?: number
  /** The header for lite: without what it would ignore and yet name as applied. */
  header: string
}

/** How a transaction ends, as PostgREST's setting `db-tx-end` names it. */
export const transactionEnds = [
  'commit',
  'commit-allow-override',
  'rollback',
  'rollback-allow-override',
] as const
type TransactionEnd = (typeof transactionEnds)[number]

/**
 * Reads the header `Prefer` as PostgREST does: the first of each name counts, `tx` only where `db-tx-end` allows it, and
 * `max-affected` only with `handling=strict` and not for inserts.
 *
 * Source: src/PostgREST/ApiRequest/Preferences.hs and MainTx.hs of PostgREST 14.
 */
export function readPreferences(header: string | null, inserts: boolean, end: TransactionEnd): Preferences {
  const preferences = (header ?? '').split(',').map((entry) => entry.trim())
  const value = (name: string) =>
    preferences.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1)
  const mayOverride = end.endsWith('-allow-override')
  const tx = mayOverride ? value('tx') : undefined
  const timezone = value('timezone')
  const maxAffected = Number(value('max-affected') ?? Number.NaN)
  const strict = value('handling') === 'strict'
  return {
    ...(timezone === undefined ? {} : { timezone }),
    ...(strict && !inserts && Number.isInteger(maxAffected) ? { maxAffected } : {}),
    rollback: tx === 'rollback' || (end.startsWith('rollback') && tx !== 'commit'),
    header: preferences
      .filter((entry) => mayOverride || !/^tx=(commit|rollback)$/.test(entry))
      .filter((entry) => !inserts || !entry.startsWith('max-affected='))
      .join(', '),
  }
}
