import type { PostgrestSingleResponse, SupabaseClient } from '@supabase/supabase-js'
import type { Device } from './device.ts'
import { type ErrorCode, WellbeingError } from './errors.ts'
import { errorOf, errorOfInvoke } from './explain.ts'
import type { paths } from './generated/api.ts'
import type { Database } from './generated/database.ts'
import { pause } from './pause.ts'
import type { Wording } from './wording.ts'

export type Supabase = SupabaseClient<Database>
export type Tables = Database['public']['Tables']
export type Row<Table extends keyof Tables> = Tables[Table]['Row']

type Method = 'get' | 'post' | 'delete'
type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: { responses: object } } ? P : never
}[keyof paths]
type Operation<M extends Method, P extends keyof paths> = paths[P] extends { [K in M]: infer Found }
  ? Found
  : never

/** What a call responds with. */
export type Reply<M extends Method, P extends keyof paths> =
  Operation<M, P> extends { responses: infer Responses }
    ? Responses extends
        | { 200: { content: { 'application/json': infer Body } } }
        | { 202: { content: { 'application/json': infer Body } } }
      ? Body
      : never
    : never

/** What a call is sent. */
export type Body<M extends Method, P extends keyof paths> =
  Operation<M, P> extends { requestBody?: { content: { 'application/json': infer Sent extends object } } }
    ? Sent
    : never

type Params<M extends Method, P extends keyof paths> =
  Operation<M, P> extends { parameters: infer Given } ? Omit<Given, 'header' | 'cookie'> : never

export type Request<M extends Method, P extends keyof paths> = {
  params?: Partial<Params<M, P>>
  body?: Body<M, P>
  signal?: AbortSignal
  /** Whether a call of which nobody knows whether it took effect may be made again. Default: of `get` alone. */
  repeatable?: boolean
}

/** A query of `supabase-js`, which has not been sent yet. */
type Query<Data> = { retry(enabled: boolean): PromiseLike<PostgrestSingleResponse<Data>> }

/** Calls of the service: each is repeated where that helps, and rejects with a `WellbeingError` in the person's words. */
export type Calls = {
  readonly supabase: Supabase
  /** A call of a function. */
  call<M extends Method, P extends PathWith<M>>(
    method: M,
    path: P,
    request?: Request<M, P>,
  ): Promise<Reply<M, P>>
  /** A query of tables, or a function of the database. */
  query<Data>(query: () => Query<Data>, options?: { repeatable?: boolean }): Promise<Data>
  /** What happened, in the person's words. */
  explain(error: unknown): Promise<WellbeingError>
  /** The account that is signed in on this device, also offline. Rejects with `session_ended` where none is. */
  userId(): Promise<string>
}

/** Longest wait for a response, milliseconds. */
const TIMEOUT_MS = 60_000
/** How long it waits before each further attempt, milliseconds, unless the service says. */
const WAITS_MS = [500, 2000]
/** The longest wait that a call makes by itself, seconds; longer ones are for the caller. */
const LONGEST_WAIT_S = 5

/** Errors after which nobody knows whether the call took effect; all others say that it did not. */
const EFFECT_UNKNOWN: ErrorCode[] = [
  'offline',
  'service_unavailable',
  'request_timeout',
  'internal_error',
  'unknown',
]

const VERBS = { get: 'GET', post: 'POST', delete: 'DELETE' } as const

/** Under it the queue keeps who is signed in, for when a session cannot be renewed without a network. */
export const PERSON_KEY = 'wellbeing.person'

export function createCalls(
  supabase: Supabase,
  wording: Wording,
  { items, connection }: Pick<Device, 'items' | 'connection'>,
): Calls {
  const explain = (error: unknown) => wording.translate(errorOf(error))

  /** Attempts a call up to three times; renews the session once where the service no longer takes the token. */
  async function attempt<Result>(
    send: () => Promise<Result>,
    { repeatable, signal }: { repeatable: boolean; signal?: AbortSignal | undefined },
  ): Promise<Result> {
    let renewed = false
    for (let attempts = 0; ; attempts++) {
      try {
        return await send()
      } catch (caught) {
        const error = signal?.aborted ? endedByCaller(caught) : errorOf(caught)
        if (error.code === 'session_ended' && !renewed) {
          renewed = true
          await renewSession(error)
          continue
        }
        const waitMs = error.retryAfterS === null ? WAITS_MS[attempts] : error.retryAfterS * 1000
        const helps = error.retryable && (repeatable || !EFFECT_UNKNOWN.includes(error.code))
        const unreachable = error.code === 'offline' && connection?.isOnline() === false
        if (!helps || unreachable || attempts >= WAITS_MS.length) throw error
        if (waitMs === undefined || waitMs > LONGEST_WAIT_S * 1000) throw error
        await pause(waitMs, signal)
      }
    }
  }

  /** Throws the given error where nobody is signed in any more, another one where that is not known. */
  async function renewSession(ended: WellbeingError): Promise<void> {
    const { data } = await supabase.auth.getSession()
    if (!data.session) throw ended
    const { error } = await supabase.auth.refreshSession()
    if (!error) return
    const refused = errorOf(error)
    // Whatever is wrong with the token, its session or its account, signing in again is what helps.
    throw refused.code === 'unknown' ? ended : refused
  }

  return {
    supabase,
    explain,
    call(method, path, { params, body, signal, repeatable = method === 'get' } = {}) {
      const address = addressOf(path, params ?? {})
      return attempt(
        async () => {
          const { data, error } = await supabase.functions.invoke(address, {
            method: VERBS[method],
            timeout: TIMEOUT_MS,
            ...(body && { body: { ...body } }),
            ...(signal && { signal }),
          })
          if (error) throw await errorOfInvoke(error)
          return data
        },
        { repeatable, signal },
      ).catch(async (error) => {
        throw await explain(error)
      })
    },
    query(query, { repeatable = false } = {}) {
      return attempt(
        async () => {
          // Postgrest's own attempts would keep a device without a network waiting.
          const answer = await query().retry(false)
          if (answer.error !== null) throw Object.assign(answer.error, { status: answer.status })
          return answer.data
        },
        { repeatable },
      ).catch(async (error) => {
        throw await explain(error)
      })
    },
    async userId() {
      const { data, error } = await supabase.auth.getSession()
      if (data.session) return data.session.user.id
      const reported = error
        ? errorOf(error)
        : new WellbeingError('session_ended', { message: 'Nobody is signed in.' })
      const kept = reported.retryable ? await items.getItem(PERSON_KEY).catch(() => null) : null
      if (kept === null) throw await explain(reported)
      return kept
    },
  }
}

/** The address of a call, below the functions' own: `{name}` of a path is a parameter. */
function addressOf(path: string, params: { path?: object; query?: object }): string {
  const named = new Map<string, unknown>(Object.entries(params.path ?? {}))
  const filled = path
    .slice(1)
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(named.get(name))))
  const query = Object.entries(params.query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${encodeURIComponent(String(value))}`,
  )
  return query.length > 0 ? `${filled}?${query.join('&')}` : filled
}

function endedByCaller(cause: unknown): WellbeingError {
  return new WellbeingError('aborted', { message: 'The caller ended the wait.', cause })
}
