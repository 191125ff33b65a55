import { AsyncLocalStorage } from 'node:async_hooks'
import type { IntrospectResult, RelationNotFoundError } from '@supabase/lite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type KyselyPlugin,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  RawNode,
  ValuesNode,
} from 'kysely'
import type postgres from 'postgres'
import type { PostgresType } from 'postgres'
import type { Claims } from '../http/jwt.ts'
import { isoTimestamp } from '../postgres/timestamps.ts'
import type { Arguments, Call } from './call.ts'
import type { Operands } from './filters.ts'
import type { Preferences } from './preferences.ts'

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** What postgres.js cannot write, such as an object for an array, is what Postgres would fail to read. */
function throwUnwritable(error: unknown): never {
  if (!(error instanceof TypeError)) throw error
  throw Object.assign(new Error('a value does not fit its type', { cause: error }), { code: '22P02' })
}

/** The statement with the request's function call in the place that lite has for it. */
function withCall({ sql, parameters }: CompiledQuery) {
  const call = restContext.getStore()?.call
  if (!call || !sql.includes(call.placeholder)) return { text: sql, parameters: [...parameters] }
  const text = sql.replace(call.placeholder, () => call.sql(parameters.length + 1))
  return { text, parameters: [...parameters, ...call.parameters] }
}

/** An insert of rows that name no column, which Kysely writes with empty lists. */
const insertOfDefaults: KyselyPlugin = {
  transformQuery({ node }) {
    if (node.kind !== 'InsertQueryNode' || node.columns?.length !== 0 || !node.values) return node
    const rows = ValuesNode.is(node.values) ? node.values.values.length : 1
    const source = RawNode.createWithSql(`select from generate_series(1, ${rows})`)
    return { ...node, columns: undefined, values: source }
  },
  transformResult: async ({ result }) => result,
}

/**
 * Kysely on a postgres.js pool or transaction. lite's own dialect reserves a connection for each query, and hangs for
 * good on one that died while it was reserved, as all do when the database restarts.
 */
// biome-ignore lint/suspicious/noExplicitAny: lite declares its database type so
export function kyselyOn(sql: postgres.ISql<any>): Kysely<any> {
  const connection: DatabaseConnection = {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const { text, parameters } = withCall(query)
      const result = await sql
        .unsafe<(Row & postgres.Row)[]>(text, parameters as never[])
        .catch(throwUnwritable)
      const rows = [...result]
      return changing.has(result.command) ? { rows, numAffectedRows: BigInt(result.count) } : { rows }
    },
    // biome-ignore lint/correctness/useYield: streaming is not supported
    async *streamQuery() {
      throw new Error('streaming queries are not supported')
    },
  }
  const noTransactions = async () => {
    throw new Error('transactions are begun by the connection')
  }
  return new Kysely({
    plugins: [insertOfDefaults],
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => connection,
        releaseConnection: async () => {},
        beginTransaction: noTransactions,
        commitTransaction: noTransactions,
        rollbackTransaction: noTransactions,
        destroy: async () => {},
      }),
    },
  })
}

const same = <T>(value: T) => value

/** A value as text for Postgres to read or reject; JSON of any kind may stand where a time belongs. */
const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** How Postgres values become JSON where lite's own parsers differ from PostgREST. */
export const pgTypes: Record<string, PostgresType> = {
  timestamp: { to: 1114, from: [1114], serialize: asText, parse: isoTimestamp },
  timestamptz: { to: 1184, from: [1184], serialize: asText, parse: isoTimestamp },
  // A day without an hour, which postgres.js would make midnight.
  date: { to: 1082, from: [1082], serialize: asText, parse: same },
  // lite returns 1.50 as a string because its digits do not survive; PostgREST returns a number.
  numeric: { to: 1700, from: [1700], serialize: asText, parse: numericOrText },
  // postgres.js would keep the digits as a string; PostgREST returns a number.
  int8: { to: 20, from: [20], serialize: asText, parse: numericOrText },
  // What arrives as text is JSON already: an operand of a filter.
  json: { to: 114, from: [114], serialize: asText, parse: JSON.parse },
  jsonb: { to: 3802, from: [3802], serialize: asText, parse: JSON.parse },
  bytea: { to: 17, from: [17], serialize: asText, parse: same },
  // Of a text that is no boolean postgres.js would make false.
  bool: { to: 16, from: [16], serialize: asText, parse: (text: string) => text === 't' },
}

function numericOrText(text: string): number | string {
  const value = Number(text)
  return Number.isFinite(value) ? value : text
}

/** What the database must know about the request that a REST query runs for. */
export interface RestContext {
  role: string
  claims: Claims
  method: string
  path: string
  headers: Record<string, string>
  schema: string
  preferences: Preferences
  /** Operands of `or` and `and`, which lite parses marks for. */
  operands: Operands
  /** What the called function is given. */
  given?: Arguments
  /** What is known of the schema, for this request alone. */
  introspection?: IntrospectResult
  /** The function call that takes the place of lite's. */
  call?: Call
  /** Sent instead of what lite would make of the request. */
  rejection?: Response
  /** The table that the request names and that does not exist. */
  missing?: RelationNotFoundError
}

export const restContext = new AsyncLocalStorage<RestContext>()
