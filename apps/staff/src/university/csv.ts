export type Cell = string | number | null

/** What a spreadsheet would run, rather than show: names of cohorts are what students typed. */
const FORMULA = /^[=+\-@\t\r]/

/** A table as CSV (RFC 4180), which spreadsheets read as UTF-8. Figures have a point, whatever the language. */
export function csvOf(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return `\uFEFF${[heads, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`
}

function cellOf(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
