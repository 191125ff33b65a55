import type { Database } from '../database.ts'
import type { ProjectClient } from '../platform/clients.ts'

/** Longest wait for a response, ms. */
const TIMEOUT_MS = 20_000

/** Longest wait where a limit is reached, seconds. */
const LONGEST_PAUSE_S = 30

/** Header that proves to the project that a request belongs to a run; `private.probe_run` reads it. It changes no response. */
export const PROBE_HEADER = 'x-security-probe'

/** An invented student of a run, signed in. */
export type Account = { id: string; email: string; password: string; token: string }

/** What probes attack: this project, at the address under which its functions reach it, and nothing else. */
export type Target = {
  supabaseUrl: string
  publishableKey: string
  /** To see what an attack has changed. */
  database: Database
  /** The project with the secret key, to put something there that can be attacked. */
  supabase: ProjectClient
  /** Who attacks, and whose data is attacked. */
  attacker: Account
  victim: Account
  /** Tokens of the victim's links: one that works once, and one that has expired. */
  links: { open: string; expired: string }
  /** Value of `PROBE_HEADER`. */
  proof: string
}

/** How bad a fault is. */
export type Severity = 'low' | 'medium' | 'high' | 'critical'

/** A fault as a probe found it. */
export type Finding = {
  /** Which, such as `public.consents:select`: the same in every run. */
  fault: string
  severity: Severity
  /** What is wrong, in a sentence. */
  title: string
  /** What was seen: addresses and statuses, never a token or a person. */
  evidence: Record<string, string | number | boolean>
}

/** A response, read to its end. */
export type Answer = { method: string; path: string; status: number; headers: Headers; text: string }

type Question = {
  /** A bearer token; none by default. */
  token?: string
  headers?: Record<string, string>
  /** JSON, or a text with its type in the headers. */
  body?: unknown
  /** Whether a limit that is reached is an answer. By default it is waited for, as it says nothing about an attack. */
  limited?: boolean
}

/** A probe attacks the target and reports what it tried and found. Throws `ProbeBlocked` when it could not look. */
export type Probe = (target: Target) => Promise<Report>

/** A probe that could not be carried out: it says nothing about the project. */
export class ProbeBlocked extends Error {
  readonly code: string

  constructor(code: string) {
    super(`The probe could not be carried out: ${code}`)
    this.name = 'ProbeBlocked'
    this.code = code
  }
}

/** What a probe tried, and what it found. */
export class Report {
  /** Attacks that were tried. */
  attacks = 0
  readonly #findings = new Map<string, Finding>()
  readonly #secrets: readonly (readonly [text: string, name: string])[]

  constructor({ attacker, victim, links }: Pick<Target, 'attacker' | 'victim' | 'links'>) {
    this.#secrets = [
      [attacker.id, '{attacker}'],
      [victim.id, '{victim}'],
      [links.open, '{link}'],
      [links.expired, '{expired link}'],
    ]
  }

  /** Counts an attack; one that succeeded is a fault, of which the first evidence is kept. */
  attack(succeeded: boolean, finding: Omit<Finding, 'evidence'>, answer: Answer | Finding['evidence']): void {
    this.attacks += 1
    if (!succeeded || this.#findings.has(finding.fault)) return
    const seen = isResponse(answer)
      ? { method: answer.method, path: answer.path, status: answer.status }
      : answer
    const evidence = Object.fromEntries(
      Object.entries(seen).map(([name, value]) => [
        name,
        typeof value === 'string' ? this.#redacted(value) : value,
      ]),
    )
    this.#findings.set(finding.fault, { ...finding, evidence })
  }

  /** The faults that were found, each once. */
  get findings(): Finding[] {
    return [...this.#findings.values()]
  }

  #redacted(text: string): string {
    return this.#secrets.reduce((left, [secret, name]) => left.replaceAll(secret, name), text).slice(0, 300)
  }
}

function isResponse(seen: Answer | Finding['evidence']): seen is Answer {
  return 'headers' in seen && seen.headers instanceof Headers
}

/**
 * Asks the project as anybody could. Redirects are not followed, so that no other host is ever asked.
 *
 * Throws `ProbeBlocked` when there is no response, and when a limit still holds after a pause.
 */
export async function ask(
  target: Target,
  method: string,
  path: string,
  question: Question = {},
): Promise<Answer> {
  const answer = await send(target, method, path, question)
  if (answer.status !== 429 || question.limited) return answer
  const pause = Math.min(Number(answer.headers.get('retry-after')) || 1, LONGEST_PAUSE_S)
  await new Promise((resolve) => setTimeout(resolve, pause * 1000))
  const again = await send(target, method, path, question)
  if (again.status === 429) throw new ProbeBlocked('rate_limited')
  return again
}

async function send(
  { supabaseUrl, publishableKey, proof }: Target,
  method: string,
  path: string,
  { token, headers = {}, body }: Question,
): Promise<Answer> {
  const isText = typeof body === 'string'
  try {
    const response = await fetch(`${supabaseUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        apikey: publishableKey,
        [PROBE_HEADER]: proof,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && !isText && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return { method, path, status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError'
    throw new ProbeBlocked(late ? 'no_response' : 'unreachable')
  }
}

/** Whether a request was served. */
export function served({ status }: Answer): boolean {
  return status >= 200 && status < 300
}

/** The JSON of a response; null when it is none. */
export function jsonOf({ text }: Pick<Answer, 'text'>): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** How many rows a response of the Data API, or a list of Storage, holds; 0 when it is an error. */
export function rowsIn(answer: Answer): number {
  const body = served(answer) ? jsonOf(answer) : null
  return Array.isArray(body) ? body.length : 0
}

/** Stops the probe unless what must work does: otherwise everything would look safe. */
export function requireControl(works: boolean, code: string): void {
  if (!works) throw new ProbeBlocked(code)
}
