import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listen } from '../../src/postgres/connections.ts'
import { applyPlatform } from '../../src/postgres/databases.ts'
import { startTestCluster } from './cluster.ts'

let cluster: Awaited<ReturnType<typeof startTestCluster>>
beforeAll(async () => {
  cluster = await startTestCluster()
})
afterAll(() => cluster.stop())

/** Runs `use` as role postgres in a database of its own. */
async function asPostgres<T>(
  use: (sql: postgres.Sql, urls: { url: string; adminUrl: string }) => Promise<T>,
) {
  const urls = await cluster.database()
  const sql = postgres(urls.url, { max: 1, onnotice: () => {} })
  try {
    return await use(sql, urls)
  } finally {
    await sql.end()
  }
}

describe('applyPlatform', () => {
  it('changes nothing when applied again, also by several at once', async () => {
    await asPostgres(async (sql, { adminUrl }) => {
      await sql`insert into auth.users (id, email) values (gen_random_uuid(), 'ada@example.edu')`
      await sql`select vault.create_secret('s3cret', 'kept')`
      await Promise.all([applyPlatform(adminUrl), applyPlatform(adminUrl)])
      expect(await sql`select email from auth.users`).toMatchObject([{ email: 'ada@example.edu' }])
      expect(await sql`select decrypted_secret from vault.decrypted_secrets`).toMatchObject([
        { decrypted_secret: 's3cret' },
      ])
    })
  })

  it('provides the roles with the attributes of the platform', async () => {
    await asPostgres(async (sql) => {
      const roles = await sql`
        select rolname, rolcanlogin, rolinherit, rolbypassrls from pg_roles
        where rolname in ('anon', 'authenticated', 'service_role', 'authenticator') order by rolname`
      expect([...roles]).toEqual([
        { rolname: 'anon', rolcanlogin: false, rolinherit: false, rolbypassrls: false },
        { rolname: 'authenticated', rolcanlogin: false, rolinherit: false, rolbypassrls: false },
        { rolname: 'authenticator', rolcanlogin: true, rolinherit: false, rolbypassrls: false },
        { rolname: 'service_role', rolcanlogin: false, rolinherit: false, rolbypassrls: true },
      ])
    })
  })

  it('grants nothing on new tables to the roles of the API', async () => {
    await asPostgres(async (sql) => {
      await sql`create table public.fresh ()`
      const [row] = await sql`
        select bool_or(has_table_privilege(name, 'public.fresh', privilege)) as granted
        from unnest(array['anon', 'authenticated', 'service_role']) as name,
          unnest(array['select', 'insert', 'update', 'delete', 'truncate']) as privilege`
      expect(row).toEqual({ granted: false })
    })
  })

  it.each([
    ['request.jwt.claim.sub', '11111111-1111-4111-8111-111111111111'],
    ['request.jwt.claims', '{"sub":"11111111-1111-4111-8111-111111111111"}'],
  ])('reads the signed-in user from %s', async (setting, value) => {
    await asPostgres(async (sql) => {
      await sql`select set_config(${setting}, ${value}, false)`
      const [row] = await sql`select auth.uid() as id`
      expect(row).toEqual({ id: '11111111-1111-4111-8111-111111111111' })
    })
  })

  it('lets postgres hang triggers and policies on platform tables, and remove them', async () => {
    await asPostgres(async (sql) => {
      await sql.unsafe(`
        create function public.noop() returns trigger language plpgsql as 'begin return new; end';
        create trigger noop after insert on auth.users for each row execute function public.noop();
        create policy p on storage.objects for select to authenticated using (true);
        create policy p on realtime.messages for select to authenticated using (true);
        drop trigger noop on auth.users;
        drop policy p on storage.objects;
        drop policy p on realtime.messages;`)
    })
  })

  it.each([
    'alter table storage.objects add column extra text',
    'drop table auth.sessions cascade',
    'create or replace function auth.uid() returns uuid language sql as $$ select null::uuid $$',
    'create table realtime.mine ()',
  ])('rejects postgres what the platform rejects: %s', async (statement) => {
    await asPostgres(async (sql) => {
      await expect(sql.unsafe(statement)).rejects.toMatchObject({ code: '42501' })
    })
  })

  it('shows a user only the stored objects that a policy allows', async () => {
    await asPostgres(async (sql) => {
      await sql.unsafe(`
        insert into storage.buckets (id, name) values ('media', 'media');
        insert into storage.objects (bucket_id, name) values ('media', 'a/1.wav'), ('media', 'b/2.wav');
        create policy own on storage.objects for select to authenticated
          using (bucket_id = 'media' and (storage.foldername(name))[1] = 'a');`)
      const seen = await sql.begin(async (transaction) => {
        await transaction`set local role authenticated`
        return transaction`select name, path_tokens from storage.objects`
      })
      expect([...seen]).toEqual([{ name: 'a/1.wav', path_tokens: ['a', '1.wav'] }])
    })
  })

  it('keeps a broadcast from SQL and notifies its id, unless it is rolled back', async () => {
    await asPostgres(async (sql, { adminUrl }) => {
      const notified: string[] = []
      const listening = Promise.withResolvers<void>()
      const second = Promise.withResolvers<void>()
      const listener = listen(adminUrl, 'realtime_messages', (id) => {
        if (id === undefined) return listening.resolve()
        notified.push(id)
        if (notified.length === 2) second.resolve()
      })
      await listening.promise
      await sql`select realtime.send('{"step":1}', 'status', 'board:1')`
      await sql
        .begin(async (transaction) => {
          await transaction`select realtime.send('{}', 'status', 'board:1')`
          throw new Error('undo')
        })
        .catch(() => {})
      await sql`select realtime.send('{"step":2}', 'status', 'board:1', false)`
      await second.promise
      await listener.stop()
      const rows = await sql`
        select id, topic, event, extension, private, payload ->> 'step' as step
        from realtime.messages order by inserted_at`
      expect(rows.map(({ id }) => id)).toEqual(notified)
      expect(rows).toMatchObject([
        { topic: 'board:1', event: 'status', extension: 'broadcast', private: true, step: '1' },
        { private: false, step: '2' },
      ])
    })
  })

  it('broadcasts a row change from a trigger', async () => {
    await asPostgres(async (sql) => {
      await sql.unsafe(`
        create table public.steps (id int primary key);
        create function public.tell() returns trigger language plpgsql as $$
        begin
          perform realtime.broadcast_changes('steps', tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
          return null;
        end $$;
        create trigger tell after insert on public.steps for each row execute function public.tell();
        insert into public.steps values (5);`)
      const [row] = await sql`select event, payload from realtime.messages`
      expect(row).toMatchObject({
        event: 'INSERT',
        payload: {
          operation: 'INSERT',
          schema: 'public',
          table: 'steps',
          record: { id: 5 },
          old_record: null,
        },
      })
    })
  })

  it('changes a secret in the vault, stored encrypted', async () => {
    await asPostgres(async (sql) => {
      const [created] = await sql`select vault.create_secret('first', 'key', 'what for') as id`
      await sql`select vault.update_secret(${created?.id}, 'second')`
      const [row] = await sql`select name, description, secret, decrypted_secret from vault.decrypted_secrets`
      expect(row).toMatchObject({ name: 'key', description: 'what for', decrypted_secret: 'second' })
      expect(row?.secret).not.toContain('second')
    })
  })

  it('creates the extensions that migrations ask for, twice, and pgTAP', async () => {
    await asPostgres(async (sql) => {
      const statements = `
        create extension if not exists pg_cron with schema pg_catalog;
        create extension if not exists pg_net with schema extensions;
        create extension if not exists supabase_vault with schema vault;
        create extension if not exists citext with schema extensions;
        create extension if not exists pg_trgm with schema extensions;
        create extension if not exists pgtap with schema extensions;`
      await sql.unsafe(statements)
      await sql.unsafe(statements)
      await sql`select from extensions.no_plan()`
      const [row] = await sql`select extensions.ok(true, 'works') as line`
      expect(row).toEqual({ line: 'ok 1 - works' })
    })
  })
})
