import {
  type AnyAST,
  type ConnectionContextOptions,
  type FunctionInfo,
  fuzzyMatch,
  type IntrospectResult,
  RelationNotFoundError,
  type VarsContext,
} from '@supabase/lite'
import { PostgresConnection } from '@supabase/lite/postgres'
import { connect } from '../postgres/connections.ts'
import { isAway, isDatabaseError } from '../postgres/errors.ts'
import { quoted, takeCall } from './call.ts'
import { kyselyOn, pgTypes, type RestContext, restContext } from './driver.ts'
import { databaseErrorResponse, restError } from './errors.ts'
import { restoreOperands } from './filters.ts'
import { readForeignKeysAcrossSchemas, schemaOf } from './schema.ts'
import { resolveSelfReferences } from './self-references.ts'
import { type RoleSettings, readRoleSettings, type ServerSettings, type Settings } from './settings.ts'
import { readRows } from './values.ts'

class Rollback extends Error {
  readonly response: unknown
  constructor(response: unknown) {
    super('rollback')
    this.response = response
  }
}

/** The address of the database for PostgREST's own role, which takes that of each request. */
function ofAuthenticator(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.username = 'authenticator'
  return url.href
}

/** What is known of the database, and of its schemas as far as requests have asked for them. */
interface Schemas {
  database: IntrospectResult
  across: ReadonlySet<string>
  byName: Map<string, IntrospectResult>
}

/** lite's Postgres connection, with the transaction of PostgREST around each request instead of lite's own. */
export class RestConnection extends PostgresConnection {
  #schemas: Promise<Schemas> | undefined
  #lastSchemas: Schemas | undefined
  #roleSettings: Promise<RoleSettings> | undefined
  readonly #extraSearchPath: string[]
  /** Connected as PostgREST is; lite's introspection shows only what its role may reach, and PostgREST's own all. */
  readonly #requests: PostgresConnection['driver']

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
    this.driver = connect(databaseUrl, postgresOptions)
    this.kysely = kyselyOn(this.driver)
    const url = ofAuthenticator(databaseUrl)
    this.#requests = connect(url, postgresOptions)
    this.#extraSearchPath = extraSearchPath
  }

  override async close(): Promise<void> {
    await Promise.all([this.driver.end({ timeout: 2 }), this.#requests.end({ timeout: 2 })])
  }

  /** Marks what is known of tables, functions and roles as old; the next request reads it anew. */
  reload(): void {
    this.#schemas = undefined
    this.#roleSettings = undefined
  }

  /**
   * lite parses its cached introspection from JSON for every request, and returns an empty one when the database is
   * away; here it stays an object, the last good one is kept, and a request sees its own schema of it.
   */
  override async introspect(options?: { useCache?: boolean }): Promise<IntrospectResult> {
    if (!options?.useCache) return super.introspect(options)
    this.#schemas ??= this.#readSchemas().then((read) => {
      if (read.database.columns.length > 0) this.#lastSchemas = read
      else this.#schemas = undefined
      if (!this.#lastSchemas) throw new Error('the schema cannot be read')
      return this.#lastSchemas
    })
    this.#schemas.catch(() => {
      this.#schemas = undefined
    })
    const schemas = await this.#schemas
    const context = restContext.getStore()
    if (!context) return schemas.database
    const known =
      schemas.byName.get(context.schema) ?? schemaOf(schemas.database, context.schema, schemas.across)
    schemas.byName.set(context.schema, known)
    // A copy, in which a called function is replaced.
    context.introspection ??= { ...known, functions: [...(known.functions ?? [])] }
    return context.introspection
  }

  async #readSchemas(): Promise<Schemas> {
    // lite writes an unreachable database to the console as an error; this asks first.
    const across = await readForeignKeysAcrossSchemas(this.driver)
    return { database: await super.introspect({ useCache: false }), across, byName: new Map() }
  }

  /** lite writes every unknown table to the console as an error; this remembers it for the response instead. */
  override async onPostgrestAST(ast: AnyAST): Promise<AnyAST> {
    const context = restContext.getStore()
    if (!context) return super.onPostgrestAST(ast)
    restoreOperands(ast, context.operands)
    const known = await this.introspect({ useCache: true })
    readRows(ast, known.columns)
    context.rejection = resolveSelfReferences(ast, known)
    if (context.given) this.#takeCall(ast, known.functions ?? [], context)
    try {
      return await super.onPostgrestAST(ast)
    } catch (error) {
      if (!(error instanceof RelationNotFoundError)) throw error
      context.missing = error
      return ast
    }
  }

  #takeCall(ast: AnyAST, functions: FunctionInfo[], context: RestContext): void {
    const { given, schema, preferences } = context
    if (!given) return
    const call = takeCall(ast, schema, functions, given)
    if (call instanceof Response) {
      context.rejection = call
      return
    }
    context.call = call
    if (!call) return
    if (preferences.maxAffected !== undefined && !call.setReturning) {
      context.rejection = restError(400, {
        code: 'PGRST128',
        message:
          'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
      })
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
    if (context.rejection) return context.rejection as T
    if (context.missing) return (await this.#unknownTable(context.missing)) as T
    // As PostgREST does, also where a stable function is called by POST.
    const readOnly = ['GET', 'HEAD'].includes(context.method) || context.call?.volatile === false
    try {
      const { limitsOf, server } = await this.#readRoleSettings()
      const settings = [...limitsOf(context.role), ...(await this.#settingsOf(context, server))].flat()
      const outcome: { response?: T } = {}
      await this.#requests.begin(readOnly ? 'read only' : 'read write', async (transaction) => {
        const calls = settings.flatMap((_, i) => (i % 2 ? [`set_config($${i}, $${i + 1}, true)`] : []))
        await transaction.unsafe(`select ${calls.join(', ')}`, settings, { prepare: true })
        if (server.db_pre_request) {
          await transaction.unsafe(`select ${server.db_pre_request.split('.').map(quoted).join('.')}()`)
        }
        outcome.response = await run(kyselyOn(transaction))
        if (!(outcome.response instanceof Response)) return
        const response = finished(outcome.response, context)
        outcome.response = response as T
        if (response.status >= 400) throw new Rollback(response)
        if (!context.preferences.rollback) return
        await transaction`set constraints all immediate`
        throw new Rollback(response)
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

  #readRoleSettings(): Promise<RoleSettings> {
    this.#roleSettings ??= readRoleSettings(this.driver)
    this.#roleSettings.catch(() => {
      this.#roleSettings = undefined
    })
    return this.#roleSettings
  }

  /** What `alter role authenticator set pgrst.…` says. */
  async serverSettings(): Promise<ServerSettings> {
    return (await this.#readRoleSettings()).server
  }

  async #settingsOf(context: RestContext, server: ServerSettings): Promise<Settings> {
    const extraSearchPath = server.db_extra_search_path ?? this.#extraSearchPath
    const searchPath = [context.schema, ...extraSearchPath.filter((name) => name !== context.schema)]
    const { timezone = '' } = context.preferences
    const { timezones = [] } = await this.introspect({ useCache: true })
    return [
      ...(timezones.includes(timezone) ? [['timezone', timezone] satisfies Settings[number]] : []),
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

/** The response with what was preferred and lite does not see to: `timezone`, and `max-affected` of functions. */
function finished(response: Response, { call, introspection, preferences }: RestContext): Response {
  const { maxAffected, timezone } = preferences
  if (call && maxAffected !== undefined && response.status < 400) {
    const [, from, to] = /^(\d+)-(\d+)\//.exec(response.headers.get('content-range') ?? '') ?? []
    const rows = from === undefined ? 0 : Number(to) - Number(from) + 1
    if (rows > maxAffected) {
      return restError(400, {
        code: 'PGRST124',
        message: 'Query result exceeds max-affected preference constraint',
        details: `The query affects ${rows} rows`,
      })
    }
  }
  const isUncounted = response.headers.get('content-range')?.endsWith('/*')
  if (
    call?.setReturning &&
    call.volatile &&
    isUncounted &&
    /\bcount=/.test(preferences.header) &&
    response.status < 400
  ) {
    return restError(501, {
      code: 'PGRST127',
      message: 'The local stack does not count more rows of a volatile function than it returns',
    })
  }
  if (timezone !== undefined && introspection?.timezones?.includes(timezone)) {
    const others = response.headers.get('preference-applied')
    response.headers.set(
      'preference-applied',
      [...(others ? [others] : []), `timezone=${timezone}`].join(', '),
    )
  }
  return response
}
