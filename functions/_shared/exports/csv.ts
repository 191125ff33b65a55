/** A value as a cell: text as it is, lists and objects as JSON, null as nothing. RFC 4180. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? safe(value) : JSON.stringify(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A spreadsheet would run text that begins like a formula; an apostrophe makes it text (OWASP, CSV injection). */
function safe(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?[\d.]+$/.test(text) ? `'${text}` : text
}

/** A table of rows: a line of column names, then a line for each row, with CRLF and a byte order mark as spreadsheets expect. */
export function csv(columns: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string {
  const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(','))
  return `\uFEFF${[columns.map(cell).join(','), ...lines].join('\r\n')}\r\n`
}
