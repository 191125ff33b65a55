const SPECIAL = /[\\\t\n\r]/g
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** A value as COPY's text format has it; `null` is `\N`. */
export function copyText(value: string | number | boolean | null): string {
  if (value === null) return '\\N'
  return typeof value === 'string' ? value.replace(SPECIAL, (special) => ESCAPED[special] ?? '') : `${value}`
}

/** A row as COPY's text format has it, with its end of line. */
export function copyRow(values: readonly (string | number | boolean | null)[]): string {
  return `${values.map(copyText).join('\t')}\n`
}

/** An array of texts as Postgres writes it. */
export function arrayText(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}
