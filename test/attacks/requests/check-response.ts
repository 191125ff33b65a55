import type { OpenApiDocument } from '../../../functions/_shared/openapi/openapi.ts'
import { problemsOf } from '../../../harness/client/described-response.ts'
import type { Attempt } from './attempts.ts'
import type { NoResponse, RawResponse } from './campaign.ts'
import { callAt, type DescribedCall } from './described-call.ts'
import { canariesIn, type Kept } from './victims.ts'

/** What a response is checked by. */
export type Law = {
  document: OpenApiDocument
  calls: readonly DescribedCall[]
  /** Keys, passwords and addresses that nobody may learn. */
  secrets: readonly string[]
  /** Keys of the victims' files, by who may read them. */
  files: Record<Kept, readonly string[]>
}

/** What no response may show. */
export type KeptBack = Pick<Law, 'secrets' | 'files'>

/** With these the platform's gateway rejects what it does not pass on to a function. */
const BEFORE_THE_FUNCTION = [400, 401, 404, 405, 408, 413, 414, 417, 431]

/** With these a function rejects an address or a method that the document does not have. */
const NOWHERE = [400, 401, 404, 405]

/** What tells of the inside: frames of a stack, files, modules, addresses, words of Postgres, classes of errors. */
const INSIDE: readonly RegExp[] = [
  /\bat .{1,200}\.[cm]?[jt]s:\d+/,
  /\n\s+at \w/,
  /\bfile:\/\/(?!\/etc\/passwd)/,
  /node_modules|ext:deno|jsr:|npm:/,
  /\b(postgres|postgresql):\/\//,
  /\/(work|home|root|tmp|var|usr)\/[\w.-]+/,
  /\b(Postgres|Postgrest|Auth|AuthApi|Storage|StorageApi|Type|Reference|Range|Syntax|Zod|Service)Error\b/,
  /\bPGRST\d{3}\b|\bSQLSTATE\b/,
  /syntax error at|invalid input syntax|violates [\w-]+ constraint|does not exist|operator does not|cannot cast/,
  /permission denied for|row-level security policy for/,
  /\b(supabase_admin|supabase_auth_admin|authenticator|service_role)\b/,
]

/** Markup of the attacks, as a page would run it. */
const RUN = /<script\b|<svg\b[^>]*\bonload=|<img\b[^>]*\bonerror=/i

/** What is wrong with a response of a function; empty where nothing is. */
export async function faultsOf(
  law: Law,
  attempt: Attempt,
  response: RawResponse | NoResponse,
): Promise<string[]> {
  const faults = leaksIn(law, attempt, response)
  if (typeof response === 'string' || faults.length > 0) return faults
  const { status, headers, body } = response
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
  if (isPage && RUN.test(body)) faults.push('markup of the attack is in the page')
  // What the service describes of itself, and rows that are the attacker's own, hold such words.
  if (status >= 400 && !isPage) {
    faults.push(
      ...INSIDE.filter((pattern) => pattern.test(body)).map((pattern) => `it shows ${pattern.source}`),
    )
  }
  return faults.length > 0 ? faults : formFaults(law, attempt.request, response)
}

/** What no response may be or hold, whoever gives it. */
export function leaksIn(
  { secrets, files, passes }: KeptBack & { passes?: (response: RawResponse) => boolean },
  { attacker }: Attempt,
  response: RawResponse | NoResponse,
): string[] {
  if (typeof response === 'string') return [response]
  const { status, headers, body } = response
  const whole = `${[...headers].map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${body}`
  return [
    ...(status >= 500 && !passes?.(response) ? [`the status is ${status}`] : []),
    ...(headers.has('x-injected') ? ['a header of the attack is in the response'] : []),
    ...canariesIn(whole, attacker.sees).map((text) => `it shows ${text}`),
    ...Object.entries(files).flatMap(([kept, keys]) =>
      attacker.sees.some((sight) => sight === kept)
        ? []
        : keys.filter((key) => body.includes(`${key}?token=`)).map((key) => `it signs an address of ${key}`),
    ),
    ...secrets.filter((secret) => whole.includes(secret)).map(() => 'it shows a secret'),
  ]
}

/** In what a response has not the documented form. */
async function formFaults(
  { document, calls }: Law,
  { method, target }: Attempt['request'],
  response: RawResponse,
): Promise<string[]> {
  const { status, headers, body } = response
  if (!headers.has('api-version')) {
    const preflight = method === 'OPTIONS' && status === 200 && body === ''
    return preflight || BEFORE_THE_FUNCTION.includes(status)
      ? []
      : [`the status ${status} comes from no function`]
  }
  if (method === 'OPTIONS') return status === 204 ? [] : [`a preflight gets ${status}`]
  const call = callAt(calls, method, pathOf(target))
  if (!call) {
    if (!NOWHERE.includes(status)) return [`the status ${status} where no call is described`]
    return method === 'HEAD' ? [] : errorFaults(body)
  }
  const told = new Response(bodyFor(status, body), { status, headers })
  // What is told about has no body.
  if (method === 'HEAD')
    return call.described.responses[status] ? [] : [`the status ${status} is not described`]
  return problemsOf(document, { path: call.path, method: call.method }, told)
}

function errorFaults(body: string): string[] {
  const { error, code, timestamp } = JSON.parse(body)
  return [error, code, timestamp].every((part) => typeof part === 'string')
    ? []
    : ['the error has not its members']
}

function bodyFor(status: number, body: string): string | null {
  return [204, 205, 304].includes(status) ? null : body
}

/** The path that a function sees, from its name on. */
function pathOf(target: string): string {
  try {
    return new URL(target, 'http://localhost').pathname.replace(/^\/functions\/v1/, '')
  } catch {
    return ''
  }
}
