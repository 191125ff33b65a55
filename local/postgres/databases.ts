import postgres from 'postgres'

/**
 * Creates a database as a copy of `template` (default: an empty one) and answers the same connection string
 * with the new name. The copy is owned by role `postgres`, as the platform's is. Nobody may be connected to
 * the template meanwhile.
 */
export async function createDatabase(
  adminUrl: string,
  name: string,
  template = 'template0',
): Promise<string> {
  await withServer(adminUrl, async (sql) => {
    // Copying the files is several times quicker than logging them when a template is small and unused.
    await sql`create database ${sql(name)} template ${sql(template)} strategy file_copy owner postgres`
  })
  return databaseUrl(adminUrl, name)
}

/** Drops a database if it exists, ending the sessions that use it. */
export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await withServer(adminUrl, async (sql) => {
    await sql`drop database if exists ${sql(name)} with (force)`
  })
}

/** The connection string of another database of the same server. */
export function databaseUrl(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${encodeURIComponent(name)}`
  return other.href
}

async function withServer(url: string, use: (sql: postgres.Sql) => Promise<void>): Promise<void> {
  const sql = postgres(databaseUrl(url, 'template1'), { max: 1, onnotice: () => {} })
  try {
    await use(sql)
  } finally {
    await sql.end()
  }
}
