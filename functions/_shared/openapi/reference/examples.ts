import type { OperationObject } from '../openapi.ts'

/** A call as the page shows it. */
export type ShownCall = { method: string; path: string; route: OperationObject }

/** The call with `curl`. */
export function curlExample(server: string, { method, path, route }: ShownCall): string {
  const { type, body } = bodyOf(route)
  const lines = [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} '${server}${addressOf(path, route)}'`,
    ...authorization(route).map((value) => `-H 'Authorization: Bearer ${value}'`),
    ...(type === 'application/json' && body !== undefined ? [`-H 'Content-Type: ${type}'`] : []),
    ...bodyLines(type, body),
  ]
  return lines.join(' \\\n  ')
}

/** The call with `supabase-js`; null if it is not for apps. */
export function supabaseExample({ method, path, route }: ShownCall): string | null {
  const { type, body } = bodyOf(route)
  const isText = Object.keys(route.responses[200]?.content ?? {}).some((type) => type.startsWith('text/'))
  if (route.tags.includes('Workers') || isText || type !== 'application/json') return null
  const options = {
    ...(method !== 'post' && { method: method.toUpperCase() }),
    ...(body !== undefined && { body }),
  }
  const name = addressOf(path, route).slice(1)
  const given = Object.keys(options).length > 0 ? `, ${asCode(options)}` : ''
  return `const { data, error } = await supabase.functions.invoke('${name}'${given})`
}

function addressOf(path: string, { parameters = [] }: OperationObject): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const example = parameters.find(
      (parameter) => parameter.in === 'path' && parameter.name === name,
    )?.example
    return example === undefined ? `<${name}>` : encodeURIComponent(String(example))
  })
  const query = new URLSearchParams()
  for (const { name, example, ...parameter } of parameters) {
    if (parameter.in !== 'query' || example === undefined) continue
    if (typeof example === 'object' && example !== null) {
      for (const [member, value] of Object.entries(example)) query.append(`${name}[${member}]`, String(value))
    } else query.append(name, String(example))
  }
  return query.size > 0 ? `${filled}?${query}` : filled
}

function authorization({ security }: OperationObject): string[] {
  return security
    .flatMap(Object.keys)
    .map((scheme) => (scheme === 'accessToken' ? '<access token>' : '<secret>'))
}

function bodyOf({ requestBody }: OperationObject): { type: string; body: unknown } {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? ['application/json', undefined]
  return { type, body: media?.example }
}

function bodyLines(type: string, body: unknown): string[] {
  if (body === undefined) return []
  if (type === 'application/json') return [`-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]
  return Object.entries(body ?? {}).map(([name, value]) =>
    type === 'multipart/form-data' ? `-F '${name}=${value}'` : `--data-urlencode '${name}=${value}'`,
  )
}

/** A value as a JavaScript literal, on lines indented by `indent`. */
function asCode(value: unknown, indent = ''): string {
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

/** A text in single quotes; JSON escapes everything but those. */
function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

function nameOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : quoted(name)
}
