import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { migratedDatabase } from '../../../../harness/stack/project.ts'

/** A connection on which it is as late as `clock` was last told, and later by as much as has passed `since` then, if told that. */
export type Timeline = {
  sql: postgres.Sql
  clock(at: Date, since?: Date): Promise<void>
  end(): Promise<void>
}

/** A database with the declared schema, whose clock tests set; nothing in it runs by itself. */
export type HistoryDatabase = { connect(): Promise<Timeline>; drop(): Promise<void> }

/**
 * Builds a database in which `now()` is what a connection says, so that the service's own functions run at any time.
 */
export async function buildHistoryDatabase(name: string): Promise<HistoryDatabase> {
  const built = await migratedDatabase(name)
  const admin = postgres(built.adminUrl, { max: 1, onnotice: () => {} })
  await admin.unsafe(`
    create or replace function pg_catalog.now() returns timestamptz language sql stable as
    $$ select coalesce(
        nullif(current_setting('tests.now', true), '')::timestamptz
          + coalesce(transaction_timestamp() - nullif(current_setting('tests.since', true), '')::timestamptz, '0'),
        transaction_timestamp()
      ) $$;
    -- Nobody listens to webhooks here.
    alter table private.outbox disable trigger dispatch_messages;
    select vault.create_secret('https://pages.example.edu', 'pages_url');`)
  await admin.end()
  const owner = postgres(built.url, { max: 1, onnotice: () => {} })
  await owner.unsafe(readFileSync(join(import.meta.dirname, 'histories.sql'), 'utf8'))
  await owner.end()
  return {
    async connect() {
      const sql = postgres(built.url, {
        max: 1,
        onnotice: () => {},
        // The tables have no statistics here, and are read as large ones are.
        connection: { options: '-c enable_seqscan=off -c enable_mergejoin=off -c enable_hashjoin=off' },
      })
      return {
        sql,
        async clock(at, since) {
          await sql`
            select
              set_config('tests.now', ${at.toISOString()}, false),
              set_config('tests.since', ${since?.toISOString() ?? ''}, false)`
        },
        end: () => sql.end(),
      }
    },
    drop: () => built.drop(),
  }
}
