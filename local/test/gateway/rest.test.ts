import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dataOf, keys, startStack, type TestStack } from './stack.ts'

let stack: TestStack

const schema = `
  create type public.mood as enum ('good', 'bad');
  create table public.notes (
    id bigint generated always as identity primary key,
    owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
    body text not null check (length(body) < 100),
    mood public.mood,
    score numeric(6, 2),
    tags text[] not null default '{}',
    details jsonb,
    created_at timestamptz not null default now(),
    noted_on timestamp
  );
  create table public.comments (
    id bigint generated always as identity primary key,
    note_id bigint not null references public.notes (id) on delete cascade,
    body text not null
  );
  alter table public.notes enable row level security;
  alter table public.comments enable row level security;
  create policy notes_own on public.notes to authenticated
    using (owner = (select auth.uid())) with check (owner = (select auth.uid()));
  create policy comments_own on public.comments to authenticated
    using (exists (select from public.notes n where n.id = note_id));
  grant select, insert, update, delete on public.notes, public.comments to authenticated, service_role;

  create table public.closed (id int primary key);
  alter table public.closed enable row level security;

  create schema archive;
  grant usage on schema archive to authenticated, service_role;
  create table archive.results (id int primary key, owner uuid not null, at timestamptz not null);
  alter table archive.results enable row level security;
  create policy results_own on archive.results for select to authenticated using (owner = (select auth.uid()));
  grant select on archive.results to authenticated;
  grant select, insert on archive.results to service_role;
  create function archive.latest() returns setof archive.results language sql stable
    as 'select * from archive.results order by at desc limit 1';

  create table public.kept (id int primary key, body text not null, note text not null default 'none');
  grant select, insert, update on public.kept to authenticated;
  create view public.kept_view with (security_invoker) as select id, upper(body) from public.kept;
  grant select on public.kept_view to authenticated;

  create schema secret;
  create table secret.things (id int);

  create function public.add(a int, b int) returns int language sql immutable as 'select a + b';
  create function public.whoami() returns jsonb language sql stable
    as 'select auth.jwt() || jsonb_build_object(''db_role'', current_user)';
  create function public.fail(message text) returns void language plpgsql
    as 'begin raise exception ''%'', message using hint = ''try less''; end';
  create function public.teapot() returns void language plpgsql
    as 'begin raise sqlstate ''PT418'' using message = ''short and stout''; end';
`

beforeAll(async () => {
  const config = { api: { schemas: ['public', 'archive'], max_rows: 3 } }
  stack = await startStack(schema, { ownServer: true, config })
})
afterAll(() => stack?.stop())

describe('rows', () => {
  it('are inserted, read, changed and deleted by their owner', async () => {
    const { client, id } = await stack.user('owner')
    const note = dataOf(
      await client
        .from('notes')
        .insert({ body: 'first', mood: 'good', tags: ['a', 'b'], details: { x: [1] } })
        .select()
        .single(),
    )
    expect(note).toMatchObject({
      owner: id,
      body: 'first',
      mood: 'good',
      tags: ['a', 'b'],
      details: { x: [1] },
    })
    dataOf(await client.from('notes').update({ body: 'second' }).eq('id', note.id).select())
    expect(dataOf(await client.from('notes').select('body').eq('id', note.id).single())).toEqual({
      body: 'second',
    })
    expect((await client.from('notes').delete().eq('id', note.id)).status).toBe(204)
    expect(dataOf(await client.from('notes').select())).toEqual([])
  })

  it('of somebody else are neither seen, changed nor made', async () => {
    const alice = await stack.user('alice')
    const mallory = await stack.user('mallory')
    const note = dataOf(await alice.client.from('notes').insert({ body: 'mine' }).select().single())
    expect(dataOf(await mallory.client.from('notes').select())).toEqual([])
    expect(
      dataOf(await mallory.client.from('notes').update({ body: 'yours' }).eq('id', note.id).select()),
    ).toEqual([])
    const forged = await mallory.client.from('notes').insert({ body: 'forged', owner: alice.id })
    expect(forged).toMatchObject({ status: 403, error: { code: '42501' } })
    expect(forged.error?.message).toBe('new row violates row-level security policy for table "notes"')
    expect(dataOf(await alice.client.from('notes').select('body'))).toEqual([{ body: 'mine' }])
  })

  it('are closed to anonymous callers and to tables without grants', async () => {
    expect(await stack.client().from('notes').select()).toMatchObject({
      status: 401,
      error: { code: '42501' },
    })
    const { client } = await stack.user('grants')
    const rejected = await client.from('closed').select()
    expect(rejected).toMatchObject({ status: 403, error: { code: '42501' } })
    expect(rejected.error?.message).toBe('permission denied for table closed')
  })

  it('are all visible with the secret key', async () => {
    const { client } = await stack.user('watched')
    const { id } = dataOf(await client.from('notes').insert({ body: 'seen' }).select('id').single())
    expect(dataOf(await stack.admin.from('notes').select('body').eq('id', id))).toEqual([{ body: 'seen' }])
  })

  it('come with those that refer to them', async () => {
    const { client } = await stack.user('embed')
    const { id } = dataOf(await client.from('notes').insert({ body: 'with comments' }).select('id').single())
    dataOf(
      await client
        .from('comments')
        .insert([
          { note_id: id, body: 'one' },
          { note_id: id, body: 'two' },
        ])
        .select(),
    )
    const note = dataOf(await client.from('notes').select('body, comments(body)').eq('id', id).single())
    expect(note).toEqual({ body: 'with comments', comments: [{ body: 'one' }, { body: 'two' }] })
  })

  it('are counted, filtered, ordered, and limited to max_rows', async () => {
    const { client } = await stack.user('many')
    dataOf(
      await client
        .from('notes')
        .insert(['a', 'b', 'c', 'd', 'e'].map((body) => ({ body })))
        .select(),
    )
    const { count, data } = await client
      .from('notes')
      .select('body', { count: 'exact' })
      .order('body', { ascending: false })
    expect(count).toBe(5)
    expect(data).toEqual([{ body: 'e' }, { body: 'd' }, { body: 'c' }])
    expect(
      dataOf(await client.from('notes').select('body').in('body', ['a', 'e']).order('body')),
    ).toHaveLength(2)
  })

  it('are unchanged when a single one was asked for and several were changed', async () => {
    const { client } = await stack.user('single')
    dataOf(
      await client
        .from('notes')
        .insert([{ body: 'x' }, { body: 'y' }])
        .select(),
    )
    const { error } = await client.from('notes').update({ body: 'z' }).neq('body', '').select().single()
    expect(error?.code).toBe('PGRST116')
    expect(dataOf(await client.from('notes').select('body').eq('body', 'z'))).toEqual([])
  })
})

describe('a filter', () => {
  it.each([
    'null',
    'true',
    '007',
    '1.0',
    '1e3',
    '"quoted"',
    '{"a":1}',
    '{a}',
    ' spaced ',
    'unknown',
    'eq.x',
    '',
  ])('takes %j for the text that it is', async (body) => {
    const { client } = await stack.user('texts')
    dataOf(await client.from('notes').insert({ body }).select())
    const notes = () => client.from('notes').select('body')
    for (const query of [notes().eq('body', body), notes().gte('body', body).lte('body', body)]) {
      expect(dataOf(await query)).toEqual([{ body }])
    }
    expect(dataOf(await notes().neq('body', body))).toEqual([])
    expect(dataOf(await notes().not('body', 'eq', body))).toEqual([])
  })

  it.each(['hasOwnProperty', 'constructor.1', 'not.toString.x', '__proto__.1'])(
    'is not read from %s, which every object has',
    async (value) => {
      const response = await fetch(`${stack.url}/rest/v1/notes?id=${value}`, {
        headers: { apikey: keys.secret },
      })
      expect([response.status, await response.json()]).toMatchObject([400, { code: 'PGRST100' }])
    },
  )

  it('fits columns of other types', async () => {
    const { client } = await stack.user('typed')
    dataOf(
      await client
        .from('notes')
        .insert({ body: 'x', mood: 'good', score: 1.5, tags: ['a'] })
        .select(),
    )
    const notes = () => client.from('notes').select('body')
    for (const query of [
      notes().eq('score', 1.5),
      notes().eq('score', '1.50'),
      notes().gt('id', 0),
      notes().eq('mood', 'good'),
      notes().eq('tags', '{a}'),
      notes().gte('created_at', '2001-01-01'),
    ]) {
      expect(dataOf(await query)).toEqual([{ body: 'x' }])
    }
    expect((await notes().eq('id', 'null')).error?.code).toBe('22P02')
  })
})

describe('a value that does not fit its column', () => {
  it.each<[string, Record<string, unknown>]>([
    ['an object for an array', { tags: { a: 1 } }],
    ['a number for an array', { tags: 1 }],
    ['a number for a time', { created_at: 1 }],
    ['an object for a time', { created_at: {} }],
    ['a list for a number', { score: [1] }],
    ['an object for an enum', { mood: {} }],
  ])('is rejected: %s', async (_, values) => {
    const { token } = await stack.user('unfit')
    const response = await fetch(`${stack.url}/rest/v1/notes`, {
      method: 'POST',
      headers: {
        apikey: keys.publishable,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ body: 'x', ...values }),
    })
    expect(response.status).toBe(400)
    expect((await response.json()).code).toMatch(/^22/)
  })
})

describe('a column that is left out', () => {
  it('gets its default where that is preferred, and is returned as it is stored', async () => {
    const { client } = await stack.user('defaults')
    const rows = [{ body: 'x' }, { body: 'y', tags: ['a'] }]
    const inserted = await client.from('notes').insert(rows, { defaultToNull: false }).select('body, tags')
    expect(dataOf(inserted)).toEqual([
      { body: 'x', tags: [] },
      { body: 'y', tags: ['a'] },
    ])
    expect(dataOf(await client.from('notes').select('body, tags').order('body'))).toEqual(inserted.data)
  })
})

describe('queries', () => {
  it('of many shapes return what PostgREST does', async () => {
    const { client, id } = await stack.user('queries')
    const notes = () => client.from('notes')
    const rows = dataOf(
      await notes()
        .insert([
          {
            body: 'apple pie',
            mood: 'good',
            score: 2.5,
            tags: ['a', 'b'],
            details: { size: { x: 3 }, ok: true },
          },
          { body: 'bread', mood: 'bad', score: null, tags: [], details: null },
        ])
        .select('id, body'),
    )
    const [apple, bread] = rows
    dataOf(
      await client
        .from('comments')
        .insert([
          { note_id: apple?.id, body: 'yes' },
          { note_id: apple?.id, body: 'no' },
        ])
        .select(),
    )
    const bodies = async (query: PromiseLike<{ data: { body: unknown }[] | null; error: unknown }>) => {
      const { data, error } = await query
      if (error) throw error
      return data?.map(({ body }) => body)
    }
    expect(await bodies(notes().select('body').or('score.gt.2,body.eq.bread').order('id'))).toEqual([
      'apple pie',
      'bread',
    ])
    expect(await bodies(notes().select('body').contains('tags', ['a']))).toEqual(['apple pie'])
    expect(await bodies(notes().select('body').eq('details->size->>x', '3'))).toEqual(['apple pie'])
    expect(await bodies(notes().select('body').is('score', null))).toEqual(['bread'])
    expect(await bodies(notes().select('body').not('mood', 'eq', 'good'))).toEqual(['bread'])
    expect(await bodies(notes().select('body').ilike('body', '%PIE'))).toEqual(['apple pie'])
    expect(await bodies(notes().select('body').textSearch('body', 'pies', { config: 'english' }))).toEqual([
      'apple pie',
    ])
    expect(await bodies(notes().select('body, comments!inner(body)').eq('comments.body', 'yes'))).toEqual([
      'apple pie',
    ])
    expect(await bodies(notes().select('body').order('body', { ascending: false }).range(0, 0))).toEqual([
      'bread',
    ])
    expect(
      dataOf(await notes().select('size:details->size->x, comments(count)').eq('id', apple?.id).single()),
    ).toEqual({
      size: 3,
      comments: [{ count: 2 }],
    })
    expect(dataOf(await client.from('comments').select('body, notes(body, owner)').eq('body', 'no'))).toEqual(
      [{ body: 'no', notes: { body: 'apple pie', owner: id } }],
    )
    expect((await notes().select('*', { count: 'exact', head: true })).count).toBe(2)
    expect(dataOf(await notes().select().eq('id', -1).limit(1))).toEqual([])
    expect((await notes().select().eq('id', -1).maybeSingle()).data).toBeNull()
    const kept = await client.from('kept').upsert({ id: 1, body: 'one' }).select().single()
    expect(kept.data).toMatchObject({ id: 1, body: 'one', note: 'none' })
    const changed = await client
      .from('kept')
      .upsert(
        [
          { id: 1, body: 'two' },
          { id: 2, body: 'new' },
        ],
        { onConflict: 'id' },
      )
      .select()
    expect(changed.data).toMatchObject([
      { id: 1, body: 'two' },
      { id: 2, body: 'new' },
    ])
    const ignored = await client
      .from('kept')
      .upsert({ id: 1, body: 'three' }, { ignoreDuplicates: true })
      .select()
    expect(ignored.data).toEqual([])
    expect(dataOf(await client.from('kept_view').select('id, upper').order('id'))).toEqual([
      { id: 1, upper: 'TWO' },
      { id: 2, upper: 'NEW' },
    ])
    expect(dataOf(await client.rpc('add', { a: 1, b: 2 }, { get: true }))).toBe(3)
    const { error } = await notes().update({ body: 'x' }).eq('nowhere', 1)
    expect(error).toMatchObject({ code: '42703' })
    expect((await notes().insert({ nowhere: 1 })).error?.code).toBe('PGRST204')
    expect((await client.rpc('nothing')).error?.code).toBe('PGRST202')
    expect(bread?.body).toBe('bread')
  })
})

describe('values', () => {
  it('have the times of PostgREST: a T, microseconds and the offset', async () => {
    const { client, id } = await stack.user('times')
    const at = '2026-11-21T01:09:00.123456+00:00'
    const note = dataOf(
      await client
        .from('notes')
        .insert({ body: 't', created_at: at, noted_on: '2026-11-21T01:09:00' })
        .select()
        .single(),
    )
    expect(note.created_at).toBe(at)
    expect(note.noted_on).toBe('2026-11-21T01:09:00')
    dataOf(await stack.admin.schema('archive').from('results').insert({ id: 1, owner: id, at }).select())
    expect(dataOf(await client.schema('archive').rpc('latest'))).toEqual([{ id: 1, owner: id, at }])
  })

  it('have numbers as numbers', async () => {
    const { client } = await stack.user('numbers')
    const note = dataOf(await client.from('notes').insert({ body: 'n', score: 1.5 }).select('score').single())
    expect(note.score).toBe(1.5)
  })
})

describe('schemas', () => {
  it('are exposed as config.toml lists them', async () => {
    const { client } = await stack.user('schemas')
    expect(dataOf(await client.schema('archive').from('results').select())).toEqual([])
    expect(await client.schema('secret').from('things').select()).toMatchObject({
      status: 406,
      error: { code: 'PGRST106' },
    })
  })

  it('are read anew when a table is added', async () => {
    await stack.sql.unsafe(
      'create table public.late (id int primary key); grant select on public.late to service_role',
    )
    await expect.poll(async () => (await stack.admin.from('late').select()).error).toBeNull()
  })

  it('name a table that is not there', async () => {
    const { error, status } = await stack.admin.from('nothing').select()
    expect({ status, code: error?.code }).toEqual({ status: 404, code: 'PGRST205' })
  })
})

describe('functions of the database', () => {
  it('return scalars and run as the caller with the claims of the token', async () => {
    const { client, id, email } = await stack.user('caller')
    expect(dataOf(await client.rpc('add', { a: 1, b: 2 }))).toBe(3)
    expect(dataOf(await client.rpc('whoami'))).toMatchObject({ sub: id, email, db_role: 'authenticated' })
    expect(dataOf(await stack.client().rpc('whoami'))).toEqual({ role: 'anon', db_role: 'anon' })
    expect(dataOf(await stack.admin.rpc('whoami'))).toEqual({ role: 'service_role', db_role: 'service_role' })
  })

  it('return what they raise', async () => {
    expect(await stack.client().rpc('fail', { message: 'too much' })).toMatchObject({
      status: 400,
      error: { code: 'P0001', message: 'too much', hint: 'try less' },
    })
    expect(await stack.client().rpc('teapot')).toMatchObject({
      status: 418,
      error: { message: 'short and stout' },
    })
  })
})

describe('constraints', () => {
  it('have the status and code of PostgREST', async () => {
    const { client } = await stack.user('constraints')
    const tooLong = await client.from('notes').insert({ body: 'x'.repeat(200) })
    expect(tooLong).toMatchObject({ status: 400, error: { code: '23514' } })
    const orphan = await stack.admin.from('comments').insert({ note_id: -1, body: 'x' })
    expect(orphan).toMatchObject({ status: 409, error: { code: '23503' } })
    const badEnum = await client.from('notes').insert({ body: 'x', mood: 'meh' })
    expect(badEnum).toMatchObject({ status: 400, error: { code: '22P02' } })
  })
})

describe('tokens and keys', () => {
  it('are rejected when they do not hold', async () => {
    const ask = (headers: Record<string, string>) => fetch(`${stack.url}/rest/v1/notes`, { headers })
    expect((await ask({})).status).toBe(401)
    const forged = await ask({ apikey: keys.publishable, authorization: 'Bearer aaaa.bbbb.cccc' })
    expect(forged.status).toBe(401)
    expect(await forged.json()).toMatchObject({ code: 'PGRST301' })
  })

  it('let no token choose the role of a key it does not have', async () => {
    const { token } = await stack.user('roles')
    const [header = '', payload = '', signature = ''] = token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...claims, role: 'service_role' })).toString('base64url')
    const response = await fetch(`${stack.url}/rest/v1/notes`, {
      headers: { apikey: keys.publishable, authorization: `Bearer ${header}.${forged}.${signature}` },
    })
    expect(response.status).toBe(401)
  })

  it('serve browsers: CORS and a request id', async () => {
    const preflight = await fetch(`${stack.url}/rest/v1/notes`, {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:3000', 'access-control-request-headers': 'apikey, prefer' },
    })
    expect(preflight.status).toBe(200)
    expect(preflight.headers.get('access-control-allow-headers')).toBe('apikey, prefer')
    const response = await fetch(`${stack.url}/rest/v1/rpc/add?a=1&b=2`, {
      headers: { apikey: keys.publishable },
    })
    expect(await response.json()).toBe(3)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('sb-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('the setting pgrst.db_pre_request', () => {
  it('names a function that runs before each request, as the caller and with the headers', async () => {
    const add = (word: string) =>
      fetch(`${stack.url}/rest/v1/rpc/add?a=1&b=2`, { headers: { apikey: keys.publishable, 'x-word': word } })
    await stack.sql.unsafe(`
      create function public.check_word() returns void language plpgsql as $$
      begin
        if current_user = 'anon' and current_setting('request.headers')::json ->> 'x-word' <> 'please' then
          raise sqlstate 'PT400' using message = 'What is the word?';
        end if;
      end
      $$;
      alter role authenticator set pgrst.db_pre_request = 'public.check_word';
      notify pgrst, 'reload config'`)
    await expect.poll(async () => (await add('now')).status).toBe(400)
    expect(await (await add('please')).json()).toBe(3)
    await stack.sql.unsafe(`
      alter role authenticator reset pgrst.db_pre_request;
      notify pgrst, 'reload config'`)
    await expect.poll(async () => (await add('now')).status).toBe(200)
  })
})
