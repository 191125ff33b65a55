import {
  type AnyAST,
  type ConnectionContextOptions,
  fuzzyMatch,
  type IntrospectResult,
  RelationNotFoundError,
  type VarsContext,
} from '@supabase/lite'
import { PostgresConnection } from '@supabase/lite/postgres'
import postgres from 'postgres'
import { lastingPool } from '../postgres/connections.ts'
import { kyselyOn, pgTypes, type RestContext, restContext } from './driver.ts'
import { databaseErrorResponse, isAway, isDatabaseError, restError } from './errors.ts'

class Rollback extends Error {
  readonly response: unknown
  constructor(response: unknown) {
    super('rollback')
    this.response = response
  }
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** lite's Postgres connection, with the transaction of PostgREST around each request instead of lite's own. */
export class RestConnection extends PostgresConnection {
  #schema: Promise<IntrospectResult> | undefined
  #lastSchema: IntrospectResult | undefined
  #roleSettings: Promise<(role: string) => Settings> | undefined
  readonly #extraSearchPath: string[]

  constructor(databaseUrl: string, extraSearchPath: string[]) {
    const postgresOptions = {
      max: 8,
      idle_timeout: 60,
      types: pgTypes,
      onnotice: () => {},
      connection: { application_name: 'postgrest' },
    }
    super({ url: databaseUrl, postgresOptions })
    // In place of lite's own, which has not connected yet.
    this.driver = lastingPool(() => postgres(databaseUrl, postgresOptions))
    this.kysely = kyselyOn(this.driver)
    this.#extraSearchPath = extraSearchPath
  }

  override async close(): Promise<void> {
    await this.driver.end({ timeout: 2 })
  }

  /** Marks what is known of tables, functions and roles as old; the next request reads it anew. */
  reload(): void {
    this.#schema = undefined
    this.#roleSettings = undefined
  }

  /**
   * lite parses its cached introspection from JSON for every request, and returns an empty one when the database is
   * away; here it stays an object, and the last good one is kept.
   */
  override introspect(options?: { useCache?: boolean }): Promise<IntrospectResult> {
    if (!options?.useCache) return super.introspect(options)
    this.#schema ??= this.#readSchema().then((schema) => {
      if (schema.columns.length > 0) this.#lastSchema = schema
      else this.#schema = undefined
      if (!this.#lastSchema) throw new Error('the schema cannot be read')
      return this.#lastSchema
    })
    this.#schema.catch(() => {
      this.#schema = undefined
    })
    return this.#schema
  }

  async #readSchema(): Promise<IntrospectResult> {
    // lite writes an unreachable database to the console as an error; this asks first.
    await this.driver`select 1`
    return super.introspect({ useCache: false })
  }

  /** lite writes every unknown table to the console as an error; this remembers it for the response instead. */
  override async onPostgrestAST(ast: AnyAST): Promise<AnyAST> {
    returnDefaults(ast)
    try {
      return await super.onPostgrestAST(ast)
    } catch (error) {
      const context = restContext.getStore()
      if (!context || !(error instanceof RelationNotFoundError)) throw error
      context.missing = error
      return ast
    }
  }

  /**
   * Runs a request's queries in one transaction as the caller's role. lite would first grant ALL on every table with
   * RLS to anon and authenticated, and would commit when it returns an error; PostgREST does neither.
   */
  override async withContext<T>(
    _vars: VarsContext | undefined,
    run: (db: RestConnection['kysely']) => Promise<T>,
    options?: ConnectionContextOptions,
  ): Promise<T> {
    const context = restContext.getStore()
    if (!context) return super.withContext(undefined, run, options)
    // `run` returns a Response, so a Response of ours is a T.
    if (context.missing) return (await this.#unknownTable(context.missing)) as T
    const readOnly = context.method === 'GET' || context.method === 'HEAD' || options?.rpc?.readOnly === true
    try {
      const settings = (await this.#settingsOf(context)).flat()
      const preRequest = await this.#preRequest()
      const outcome: { response?: T } = {}
      await this.driver.begin(readOnly ? 'read only' : 'read write', async (transaction) => {
        const calls = settings.flatMap((_, i) => (i % 2 ? [`set_config($${i}, $${i + 1}, true)`] : []))
        await transaction.unsafe(`select ${calls.join(', ')}`, settings)
        if (preRequest) await transaction.unsafe(`select ${preRequest}()`)
        outcome.response = await run(kyselyOn(transaction))
        if (outcome.response instanceof Response && outcome.response.status >= 400)
          throw new Rollback(outcome.response)
      })
      return outcome.response as T
    } catch (error) {
      if (error instanceof Rollback) return error.response as T
      if (isAway(error)) {
        const message = 'Database client error. Retrying the connection.'
        return restError(503, { code: 'PGRST001', message }) as T
      }
      if (isDatabaseError(error)) return databaseErrorResponse(error, context) as T
      throw error
    }
  }

  async #unknownTable({ schema, relation }: RelationNotFoundError): Promise<Response> {
    const { tables, views } = await this.introspect({ useCache: true })
    const names = [...tables, ...views].filter((table) => table.schema === schema).map(({ name }) => name)
    const similar = fuzzyMatch(relation, names)
    return restError(404, {
      code: 'PGRST205',
      message: `Could not find the table '${schema}.${relation}' in the schema cache`,
      hint: similar ? `Perhaps you meant the table '${schema}.${similar}'` : null,
    })
  }

  #readRoleSettings(): Promise<(role: string) => Settings> {
    this.#roleSettings ??= this.driver.unsafe(roleSettingsQuery).then(readRoleSettings)
    this.#roleSettings.catch(() => {
      this.#roleSettings = undefined
    })
    return this.#roleSettings
  }

  /** The function that PostgREST's setting `db-pre-request` names, which the caller's role runs before each request. */
  async #preRequest(): Promise<string | undefined> {
    const settings = (await this.#readRoleSettings())('authenticator')
    const name = settings.findLast(([setting]) => setting === PRE_REQUEST)?.[1]
    return name?.split('.').map(quoted).join('.')
  }

  async #settingsOf(context: RestContext): Promise<Settings> {
    const roleSettings = await this.#readRoleSettings()
    const searchPath = [context.schema, ...this.#extraSearchPath.filter((name) => name !== context.schema)]
    return [
      ...roleSettings(context.role).filter(([name]) => name !== PRE_REQUEST),
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
}

/**
 * With `Prefer: missing=default` a column that a row leaves out gets its default, and is returned as it is stored. lite
 * returns null for it, by the length of the list of columns; it reads the list only as something to go through.
 */
export function returnDefaults({ $meta: preferences }: AnyAST): void {
  if (preferences?.missing !== 'default' || !preferences.columns) return
  Object.assign(preferences, { columns: new Set(preferences.columns) })
}

/** Names and values of settings, in the order in which they are applied. */
export type Settings = [name: string, value: string][]

const PRE_REQUEST = 'pgrst.db_pre_request'
const applied = new Set([
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  PRE_REQUEST,
])

export const roleSettingsQuery = `
  select rolname as role, setting from pg_roles, unnest(rolconfig) as setting
  where rolname in ('authenticator', 'anon', 'authenticated', 'service_role')`

/** The limits that a request as each role runs under: those of `authenticator`, then the role's own. */
export function readRoleSettings(rows: unknown[]): (role: string) => Settings {
  const byRole = new Map<string, Settings>()
  for (const row of rows) {
    if (typeof row !== 'object' || row === null || !('role' in row) || !('setting' in row)) continue
    const setting = String(row.setting)
    const separator = setting.indexOf('=')
    const name = setting.slice(0, separator)
    if (!applied.has(name)) continue
    const role = String(row.role)
    byRole.set(role, [...(byRole.get(role) ?? []), [name, setting.slice(separator + 1)]])
  }
  return (role) => [...(byRole.get('authenticator') ?? []), ...(byRole.get(role) ?? [])]
}
