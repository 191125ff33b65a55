import type { ConnectionContextOptions, IntrospectResult, VarsContext } from '@supabase/lite'
import { PostgresConnection } from '@supabase/lite/postgres'
import { CompiledQuery } from 'kysely'
import { type RestContext, restContext } from './context.ts'
import { databaseErrorResponse, isDatabaseError } from './errors.ts'
import { pgTypes } from './types.ts'

class Rollback extends Error {
  readonly answer: unknown
  constructor(answer: unknown) {
    super('rollback')
    this.answer = answer
  }
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** lite's Postgres connection, with the transaction of PostgREST around each request instead of lite's own. */
export class RestConnection extends PostgresConnection {
  #schema: Promise<IntrospectResult> | undefined
  #roleSettings: Promise<Map<string, [string, string][]>> | undefined
  readonly #extraSearchPath: string[]

  constructor(databaseUrl: string, extraSearchPath: string[]) {
    super({
      url: databaseUrl,
      postgresOptions: {
        max: 8,
        idle_timeout: 60,
        types: pgTypes,
        onnotice: () => {},
        connection: { application_name: 'postgrest' },
      },
    })
    this.#extraSearchPath = extraSearchPath
  }

  /** Forgets what is known of tables, functions and roles; the next request reads it anew. */
  reload(): void {
    this.#schema = undefined
    this.#roleSettings = undefined
  }

  /** lite parses its cached introspection from JSON for every request; here it stays an object. */
  override introspect(options?: { useCache?: boolean }): Promise<IntrospectResult> {
    if (!options?.useCache) return super.introspect(options)
    this.#schema ??= super.introspect({ useCache: false }).then((schema) => {
      if (schema.columns.length === 0) this.#schema = undefined
      return schema
    })
    return this.#schema
  }

  /**
   * Runs a request's queries in one transaction as the caller's role. lite would first grant ALL on every table with
   * RLS to anon and authenticated, and would commit when it answers an error; PostgREST does neither.
   */
  override async withContext<T>(
    _vars: VarsContext | undefined,
    run: (db: RestConnection['kysely']) => Promise<T>,
    options?: ConnectionContextOptions,
  ): Promise<T> {
    const context = restContext.getStore()
    if (!context) return super.withContext(undefined, run, options)
    const settings = await this.#settingsOf(context)
    const readOnly = context.method === 'GET' || context.method === 'HEAD' || options?.rpc?.readOnly === true
    try {
      return await this.kysely
        .transaction()
        .setAccessMode(readOnly ? 'read only' : 'read write')
        .execute(async (transaction) => {
          const calls = settings.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true)`)
          await transaction.executeQuery(CompiledQuery.raw(`select ${calls.join(', ')}`, settings.flat()))
          const answer = await run(transaction)
          if (answer instanceof Response && answer.status >= 400) throw new Rollback(answer)
          return answer
        })
    } catch (error) {
      // `run` answers a Response or throws, so both of these are a T.
      if (error instanceof Rollback) return error.answer as T
      // lite renames columns in this one error.
      if (isDatabaseError(error) && error.code !== '42703')
        return databaseErrorResponse(error, context.role) as T
      throw error
    }
  }

  async #settingsOf(context: RestContext): Promise<[string, string][]> {
    this.#roleSettings ??= this.#readRoleSettings()
    const searchPath = [context.schema, ...this.#extraSearchPath.filter((name) => name !== context.schema)]
    return [
      ...((await this.#roleSettings).get(context.role) ?? []),
      ['search_path', searchPath.map(quoted).join(', ')],
      ['request.jwt.claims', JSON.stringify(context.claims)],
      ['request.method', context.method],
      ['request.path', context.path],
      ['request.headers', JSON.stringify(context.headers)],
      ['request.cookies', '{}'],
      ['response.status', ''],
      ['response.headers', ''],
      ['role', context.role],
    ]
  }

  /** Settings of roles that PostgREST applies, such as `statement_timeout`. */
  async #readRoleSettings(): Promise<Map<string, [string, string][]>> {
    const { rows } = await this.kysely.executeQuery(
      CompiledQuery.raw(
        `select rolname, unnest(rolconfig) as setting from pg_roles
         where rolname in ('anon', 'authenticated', 'service_role')`,
      ),
    )
    const settings = new Map<string, [string, string][]>()
    for (const row of rows) {
      const { rolname, setting } = { rolname: '', setting: '', ...(row as object) }
      const [name, value] = [setting.slice(0, setting.indexOf('=')), setting.slice(setting.indexOf('=') + 1)]
      if (!['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'].includes(name))
        continue
      settings.set(rolname, [...(settings.get(rolname) ?? []), [name, value]])
    }
    return settings
  }
}
