/**
 * What each feature would have been without one part of the evidence: per feature, one value for each part left out
 * (delete-a-group jackknife, Quenouille 1949 and Tukey 1958). From them the fusion learns how far a score would move if the
 * student had said other sentences, paused elsewhere or been pictured at other moments. Empty where there is too little
 * to leave anything out.
 */
export type Replicates = Readonly<Record<string, readonly (number | null)[]>>

/** Parts that evidence is divided into at most: more tell little more of the spread, and each costs an extraction. */
export const MAX_PARTS = 8

/** Fewer parts than this say nothing of a spread. */
export const MIN_PARTS = 3

const SIGNIFICANT_DIGITS = 5

/** Brings the features that were measured without each part into columns, as they are stored. */
export function replicatesFrom(without: readonly Readonly<Record<string, number | null>>[]): Replicates {
  if (without.length < MIN_PARTS) return {}
  return Object.fromEntries(
    Object.keys(without[0] ?? {}).map((feature) => [
      feature,
      without.map((measured) => stored(measured[feature])),
    ]),
  )
}

function stored(value: number | null | undefined): number | null {
  return value === null || value === undefined || !Number.isFinite(value)
    ? null
    : Number(value.toPrecision(SIGNIFICANT_DIGITS))
}

/**
 * Divides neighbouring pieces into parts of about equal size.
 * @param sizes of the pieces, in order
 * @returns the part of each piece, from 0; at most `MAX_PARTS` parts
 */
export function partsOf(sizes: readonly number[]): number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const parts = Math.min(MAX_PARTS, sizes.length)
  let before = 0
  const share = sizes.map((size) => {
    const part = total > 0 ? Math.min(parts - 1, Math.floor((parts * (before + size / 2)) / total)) : 0
    before += size
    return part
  })
  const used = [...new Set(share)]
  return share.map((part) => used.indexOf(part))
}
