import postgres from 'postgres'

/**
 * Brings the database's secrets up to date. `supabase db push` stores them too, but only when there is a migration to
 * apply; a stack that is started again on other ports has none.
 */
export async function storeSecrets(databaseUrl: string, secrets: Record<string, string>): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    for (const [name, value] of Object.entries(secrets)) {
      await sql`
        select case
          when s.id is null then vault.create_secret(${value}, ${name})::text
          else vault.update_secret(s.id, ${value})::text
        end
        from (select) one
        left join vault.secrets s on s.name = ${name}`
    }
  } finally {
    await sql.end()
  }
}
