import { App } from '@supabase/lite'
import postgres from 'postgres'
import type { Config } from '../config.ts'
import type { Caller } from '../http/caller.ts'
import { listen } from '../postgres/connections.ts'
import { type Arguments, isUnnamedArgument } from './call.ts'
import { RestConnection } from './connection.ts'
import { type RestContext, restContext } from './driver.ts'
import { restError } from './errors.ts'
import { filterWithoutOperator, isFilter, quoteFilterValues } from './filters.ts'
import { readPreferences } from './preferences.ts'
import type { ServerSettings } from './settings.ts'

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
    let server: ServerSettings
    try {
      server = await connection.serverSettings()
      await connection.introspect({ useCache: true })
    } catch {
      const message = 'Could not query the database for the schema cache. Retrying.'
      return restError(503, { code: 'PGRST002', message })
    }
    const schemas = server.db_schemas ?? settings.schemas
    const schema = headers.get(profile) ?? schemas[0] ?? 'public'
    if (!schemas.includes(schema)) {
      return restError(406, {
        code: 'PGRST106',
        message: `Invalid schema: ${schema}`,
        hint: `Only the following schemas are exposed: ${schemas.join(', ')}`,
      })
    }
    Object.assign(app.config.api, {
      schemas,
      max_rows: server.db_max_rows ?? settings.max_rows,
      aggregates_enabled: server.db_aggregates_enabled,
    })
    headers.delete('authorization')
    headers.set(profile, schema)
    headers.set('apikey', 'gateway')
    url.searchParams.delete('apikey')
    const unread = filterWithoutOperator(url)
    const isCall = url.pathname.startsWith('/rest/v1/rpc/')
    if (unread !== undefined && !isCall) {
      const message = `"failed to parse filter (${unread})" (line 1, column 1)`
      return restError(400, { code: 'PGRST100', message, details: message })
    }
    const { method } = request
    const inserts = method === 'POST' && !isCall
    const preferences = readPreferences(headers.get('prefer'), inserts, server.db_tx_end)
    if (preferences.header === '') headers.delete('prefer')
    else headers.set('prefer', preferences.header)
    const context: RestContext = {
      role: caller.role,
      claims: caller.claims,
      method,
      path: url.pathname.replace(/^\/rest\/v1/, ''),
      headers: Object.fromEntries(request.headers),
      schema,
      preferences,
      operands: new Map(),
    }
    let inner: Request
    if (isCall && method !== 'OPTIONS') {
      const { given, body } = await takeArguments(request, url, headers)
      context.given = given
      headers.set('content-profile', schema)
      context.operands = quoteFilterValues(url)
      inner = new Request(url, { method: methodOfCall(method), headers, ...(body === null ? {} : { body }) })
    } else {
      context.operands = quoteFilterValues(url)
      const body = request.body && (await request.arrayBuffer())
      inner = new Request(url, { method, headers, body })
    }
    callers.set(inner, caller)
    const response = await restContext.run(context, () => app.fetch(inner))
    return method === 'HEAD' ? new Response(null, response) : response
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

const methodOfCall = (method: string) => (method === 'GET' || method === 'HEAD' ? 'POST' : method)

/**
 * The arguments of a call. Those of GET and HEAD are taken out of the address, and lite gets a POST without any: it
 * makes of them what they look like, and knows neither HEAD nor `or` beside them.
 */
async function takeArguments(
  request: Request,
  url: URL,
  headers: Headers,
): Promise<{ given: Arguments; body: string | null }> {
  if (methodOfCall(request.method) === request.method) {
    const type = request.headers.get('content-type')
    const body = await request.text()
    const given = { body, type }
    // lite takes no other bodies than JSON for a call.
    if (!isUnnamedArgument(given)) return { given, body: request.method === 'POST' ? body : null }
    headers.set('content-type', 'application/json')
    return { given, body: '{}' }
  }
  const parameters = new URLSearchParams()
  for (const [name, value] of [...url.searchParams]) {
    if (isFilter(name, value)) continue
    parameters.append(name, value)
    url.searchParams.delete(name, value)
  }
  const [, from, to] = /^(\d+)-(\d*)$/.exec(headers.get('range') ?? '') ?? []
  if (from !== undefined && !url.searchParams.has('offset')) {
    url.searchParams.set('offset', from)
    if (to && !url.searchParams.has('limit'))
      url.searchParams.set('limit', String(Number(to) - Number(from) + 1))
  }
  headers.set('content-type', 'application/json')
  return { given: { parameters }, body: '{}' }
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
