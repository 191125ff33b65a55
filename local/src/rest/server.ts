import { App } from '@supabase/lite'
import postgres from 'postgres'
import type { Config } from '../config.ts'
import type { Caller } from '../gateway/caller.ts'
import { listen } from '../postgres/connections.ts'
import { RestConnection } from './connection.ts'
import { restContext } from './driver.ts'
import { restError } from './errors.ts'

repairWarnings()

export interface RestServer {
  /** Handles a request to `/rest/v1/*` as the caller. */
  fetch(request: Request, caller: Caller): Promise<Response>
  /** Reads tables, functions and roles anew, as `notify pgrst, 'reload schema'` does. */
  reload(): void
  stop(): Promise<void>
}

const writes = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * PostgREST: lite's parser and SQL on our connection. lite's own keys and tokens are off; the gateway has already
 * read the caller.
 */
export async function startRest(
  databaseUrl: string,
  adminUrl: string,
  settings: Config['api'],
): Promise<RestServer> {
  await watchSchema(adminUrl)
  const connection = new RestConnection(databaseUrl, settings.extra_search_path)
  const callers = new WeakMap<Request, Caller>()
  const app = new App({
    connection,
    api: { enabled: true, schemas: settings.schemas, max_rows: settings.max_rows },
    auth: { enabled: false },
    options: {
      server: {
        disableStudio: true,
        apiKeys: {
          resolver: async (_key, context) => {
            const caller = callers.get(context.req.raw)
            if (!caller) return null
            return { type: caller.role === 'service_role' ? 'secret' : 'publishable', claims: caller.claims }
          },
        },
      },
    },
  })
  const listener = listen(databaseUrl, 'pgrst', () => connection.reload())

  async function fetch(request: Request, caller: Caller): Promise<Response> {
    const url = new URL(request.url)
    const headers = new Headers(request.headers)
    const profile = writes.has(request.method) ? 'content-profile' : 'accept-profile'
    const schema = headers.get(profile) ?? settings.schemas[0] ?? 'public'
    if (!settings.schemas.includes(schema)) {
      return restError(406, {
        code: 'PGRST106',
        message: `Invalid schema: ${schema}`,
        hint: `Only the following schemas are exposed: ${settings.schemas.join(', ')}`,
      })
    }
    try {
      await connection.introspect({ useCache: true })
    } catch {
      const message = 'Could not query the database for the schema cache. Retrying.'
      return restError(503, { code: 'PGRST002', message })
    }
    headers.delete('authorization')
    headers.set(profile, schema)
    headers.set('apikey', 'gateway')
    url.searchParams.delete('apikey')
    // The parameters of a function are its arguments.
    if (!url.pathname.startsWith('/rest/v1/rpc/')) {
      const unread = filterWithoutOperator(url)
      if (unread !== undefined) {
        const message = `"failed to parse filter (${unread})" (line 1, column 1)`
        return restError(400, { code: 'PGRST100', message, details: message })
      }
      quoteFilterValues(url)
    }
    const inner = new Request(new Request(url, request), { headers })
    callers.set(inner, caller)
    const context = {
      role: caller.role,
      claims: caller.claims,
      method: request.method,
      path: url.pathname.replace(/^\/rest\/v1/, ''),
      headers: Object.fromEntries(request.headers),
      schema,
    }
    return restContext.run(context, () => app.fetch(inner))
  }

  return {
    fetch,
    reload: () => connection.reload(),
    async stop() {
      await listener.stop()
      await connection.close()
    },
  }
}

/** Parameters whose values are no filters. */
const others = new Set(['select', 'order', 'limit', 'offset', 'on_conflict', 'columns', 'and', 'or'])

/** Operators whose operand is one value, which PostgREST takes as it is. */
const singleValue = /^((?:not\.)?(?:eq|neq|gt|gte|lt|lte|match|imatch)\.)(.*)$/s

/**
 * Puts the values of a query's filters into quotes. lite takes what is in quotes as it is; of the rest it makes null,
 * booleans, numbers and objects by their looks, so that a text `null`, `true` or `1.0` is never found.
 */
export function quoteFilterValues(url: URL): void {
  const parameters = [...url.searchParams].map(([name, value]): [string, string] => {
    const last = name.slice(name.lastIndexOf('.') + 1)
    return [name, others.has(last) ? value : value.replace(singleValue, '$1"$2"')]
  })
  url.search = new URLSearchParams(parameters).toString()
}

/** Names that every object of JavaScript has. */
const inherited = Object.getOwnPropertyNames(Object.prototype).join('|')
const inheritedOperator = new RegExp(`^(?:not\\.)?(?:${inherited})(?![\\w-])`)

/** The first filter whose operator is such a name: lite would find it among its operators, and fail. */
export function filterWithoutOperator(url: URL): string | undefined {
  return [...url.searchParams]
    .filter(([name]) => !others.has(name.slice(name.lastIndexOf('.') + 1)))
    .find(([, value]) => inheritedOperator.test(value))?.[1]
}

/**
 * Makes the database tell PostgREST when its schema changed, with the event triggers that the platform has for it
 * (`pgrst_ddl_watch`, `pgrst_drop_watch`).
 */
export async function watchSchema(adminUrl: string): Promise<void> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} })
  try {
    await sql.begin(async (transaction) => {
      await transaction`select pg_advisory_xact_lock(hashtext('pgrst_watch'))`
      await transaction.unsafe(`
        create schema if not exists extensions;
        create or replace function extensions.pgrst_watch() returns event_trigger language plpgsql as $$
        begin
          notify pgrst, 'reload schema';
        end
        $$;`)
      for (const [name, event] of [
        ['pgrst_ddl_watch', 'ddl_command_end'],
        ['pgrst_drop_watch', 'sql_drop'],
      ]) {
        const present = await transaction`select 1 from pg_event_trigger where evtname = ${name ?? ''}`
        if (present.length > 0) continue
        await transaction.unsafe(
          `create event trigger ${name} on ${event} execute function extensions.pgrst_watch()`,
        )
      }
    })
  } finally {
    await sql.end()
  }
}

/**
 * Repairs `process.emitWarning`, which lite replaces with one that throws for warnings that are `Error` objects, such
 * as Node's own about too many listeners.
 */
export function repairWarnings(): void {
  const litesOwn = process.emitWarning
  process.emitWarning = (warning: string | Error, ...details: unknown[]) => {
    const forwarded =
      typeof warning === 'string'
        ? [warning, ...details]
        : [warning.stack ?? warning.message, { type: warning.name }]
    Reflect.apply(litesOwn, process, forwarded)
  }
}
