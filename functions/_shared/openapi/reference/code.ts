/** JSON as it is written in JavaScript, on lines that are set in by `indent`. */
export function asCode(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const deeper = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((entry) => asCode(entry, deeper))
    : Object.entries(value).map(([name, part]) => `${nameOf(name)}: ${asCode(part, deeper)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (lines.length === 0) return open + close
  return `${open}\n${lines.map((line) => `${deeper}${line},\n`).join('')}${indent}${close}`
}

/** A text between single quotes; JSON escapes all but those. */
function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

function nameOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : quoted(name)
}
