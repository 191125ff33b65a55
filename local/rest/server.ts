import { App } from '@supabase/lite'
import type { Caller } from '../gateway/caller.ts'
import type { GatewayConfig } from '../gateway/config.ts'
import { listen } from '../postgres/listen.ts'
import { RestConnection } from './connection.ts'
import { restContext } from './context.ts'
import { restError } from './errors.ts'
import { filterWithoutOperator, quoteFilterValues } from './filter-values.ts'
import { watchSchema } from './schema-watch.ts'
import { repairWarnings } from './warnings.ts'

repairWarnings()

export interface RestServer {
  /** Answers a request to `/rest/v1/*` as the caller. */
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
  settings: GatewayConfig['api'],
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
