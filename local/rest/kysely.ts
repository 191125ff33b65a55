import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type postgres from 'postgres'

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** What postgres.js cannot write, such as an object for an array, is what Postgres would refuse to read. */
function refuseUnwritable(error: unknown): never {
  if (!(error instanceof TypeError)) throw error
  throw Object.assign(new Error('a value does not fit its type', { cause: error }), { code: '22P02' })
}

/**
 * Kysely on a postgres.js pool or transaction. lite's own dialect reserves a connection for each query, and hangs for
 * good on one that died while it was reserved, as all do when the database restarts.
 */
// biome-ignore lint/suspicious/noExplicitAny: lite declares its database type so
export function kyselyOn(sql: postgres.ISql<any>): Kysely<any> {
  const connection: DatabaseConnection = {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const result = await sql
        .unsafe<(Row & postgres.Row)[]>(query.sql, [...query.parameters] as never[])
        .catch(refuseUnwritable)
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
