/** Lines of one kind in a listing. */
const MAX_LINES = 50

/** A text of somebody's in quotes: what a terminal would obey, or not show, is escaped. */
export function quoted(text: string | null): string {
  return JSON.stringify(text ?? '').replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}

/** The first lines of many, and how many more there are. */
export function shortened(lines: readonly string[]): string[] {
  if (lines.length <= MAX_LINES) return [...lines]
  return [...lines.slice(0, MAX_LINES), `    and ${lines.length - MAX_LINES} more`]
}
