import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Route } from '../../functions/_shared/http/route.ts'
import { ROUTES } from '../../functions/api/routes.ts'
import { ROOT } from '../../scripts/root.ts'

/** A call with a request that is right in form; a form is sent as JSON, which its function rejects. */
export type Endpoint = {
  method: string
  path: string
  body?: object
  /** Members that an error has beside those of every error body. */
  errorMembers?: Record<string, unknown>
}

const described = (security: Route['security']) =>
  ROUTES.filter((route) => route.security === security).map(requestOf)

/** Every call that takes the access token of a signed-in person. */
export const ENDPOINTS = described('user')

/** Every call that only the database makes. */
export const WORKERS = described('database')

/** Every call with the token of who collects the metrics. */
export const COLLECTED = described('metrics')

/** Every call that is open to all. */
export const OPEN = described('none')

/** A call's request, made from its example. */
export function requestOf({ id, method, path, body, errorMembers, example = {} }: Route): Endpoint {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = example.params?.[name]
    if (value === undefined) throw new Error(`The example of ${id} has no ${name}`)
    return encodeURIComponent(String(value))
  })
  const query = new URLSearchParams(queryOf(example.query ?? {}))
  return {
    method: method.toUpperCase(),
    path: `${filled.slice(1)}${query.size > 0 ? `?${query}` : ''}`,
    ...(body && { body: { ...example.body } }),
    ...(errorMembers && { errorMembers }),
  }
}

/** A member of an object is `name[member]=value`. */
function queryOf(query: Record<string, unknown>): [string, string][] {
  return Object.entries(query).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([member, part]) => [`${name}[${member}]`, String(part)])
      : [[name, String(value)]],
  )
}

/** Whether a call carries what a student said: its errors name help unless the words were read and there is nothing in them. */
export function carriesWords({ path }: Endpoint): boolean {
  return /^checkins\/[^/]+\/complete$|analyze-text$/.test(path)
}

/** How many calls each function of `functions/` serves, by name, as its code says. */
export function callsOfFunctions(): Record<string, number | undefined> {
  const folder = join(ROOT, 'functions')
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'index.ts')))
  return Object.fromEntries(
    names.map((name) => {
      const code = readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(join(folder, name, file), 'utf8'))
        .join('\n')
      return [name, code.match(/\b(?:endpoint|worker)\(/g)?.length]
    }),
  )
}
