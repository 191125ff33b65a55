import postgres from 'postgres'

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
