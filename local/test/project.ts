import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A Supabase project as `supabase init` lays it out: one table with policies, one function, one bucket. */
const FILES = {
  'supabase/config.toml': `
project_id = "notebook"

[db.vault]
greeting = "env(GREETING)"
functions_url = "env(FUNCTIONS_URL)"
unset = "env(SET_NOWHERE)"

[edge_runtime]
policy = "oneshot"

[auth]
site_url = "http://127.0.0.1:3000"

[storage.buckets.drawings]
public = false
file_size_limit = "1KiB"
`,
  'supabase/migrations/20260101000000_notes.sql': `
create table public.notes (
  id bigint generated always as identity primary key,
  author uuid not null default auth.uid() references auth.users on delete cascade,
  body text not null
);
alter table public.notes enable row level security;
create policy own on public.notes to authenticated using (author = (select auth.uid()));
create policy draw on storage.objects to authenticated
  using (bucket_id = 'drawings' and owner_id = (select auth.uid()::text))
  with check (bucket_id = 'drawings');
grant select, insert on public.notes to authenticated;
`,
  'supabase/seed.sql': `
insert into auth.users (id, email) values ('00000000-0000-4000-8000-000000000001', 'seeded@example.edu');
insert into public.notes (author, body) values ('00000000-0000-4000-8000-000000000001', 'a seeded note');
`,
  'supabase/functions/hello/index.ts': `
Deno.serve(async (request) => {
  if (request.url.endsWith('/wait')) {
    await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
  }
  const names = ['GREETING', 'FROM_FILE', 'INBOX_URL', 'HOME']
  const seen = names.filter((name) => Deno.env.get(name) !== undefined)
  return Response.json({ greeting: Deno.env.get('GREETING'), path: new URL(request.url).pathname, seen })
})
`,
  'supabase/functions/.env': 'FROM_FILE=yes\nGREETING=of the file\n',
}

/** Writes that project to a temporary folder. */
export function createProject(): { root: string; remove: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'notebook-'))
  for (const [name, content] of Object.entries(FILES)) {
    const file = join(root, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) }
}
