create schema tests;
grant usage on schema tests to anon, authenticated;

-- With a session, whose id is that of the account.
create function tests.new_student(email text)
returns uuid
language sql
security definer
set search_path = ''
as $$
  with account as (
    insert into auth.users (id, email, aud, role, raw_user_meta_data, email_confirmed_at)
    values (gen_random_uuid(), email, 'authenticated', 'authenticated', '{}', now())
    returning id
  )
  insert into auth.sessions (id, user_id) select id, id from account returning user_id
$$;

-- From here to the next call, statements run as the platform runs a request of this person.
create function tests.act_as(person uuid)
returns void
language plpgsql
as $$
begin
  perform set_config('role', 'authenticated', true);
  perform set_config(
    'request.jwt.claims',
    jsonb_build_object('sub', person, 'session_id', person, 'role', 'authenticated', 'aud', 'authenticated')::text,
    true
  );
  perform set_config('request.jwt.claim.sub', person::text, true);
end
$$;

-- From here to the next call, somebody who is connected to the database says that they are this person of the staff; null: nobody.
create function tests.act_for(person uuid)
returns void
language plpgsql
as $$
begin
  perform set_config('app.acting_for', coalesce((select email from auth.users where id = person), ''), true);
end
$$;

create function tests.act_as_nobody()
returns void
language plpgsql
as $$
begin
  perform set_config('role', 'anon', true);
  perform set_config('request.jwt.claims', '{"role": "anon"}', true);
  perform set_config('request.jwt.claim.sub', '', true);
end
$$;

create function tests.act_as_owner()
returns void
language plpgsql
as $$
begin
  perform set_config('role', 'none', true);
  perform set_config('request.jwt.claims', '', true);
  perform set_config('request.jwt.claim.sub', '', true);
end
$$;

-- The stories' staff sign in with a password alone; security-policies/enforcement.test.sql is about the second factor.
update public.security_policies set enabled = false where id = 'pol_staff_second_factor';

insert into public.universities (id, name, short_name, domain)
values
  ('hillside', 'Hillside University (invented)', 'Hillside', 'hillside.example.edu'),
  ('lakeview', 'Lakeview College (invented)', 'Lakeview', 'lakeview.example.edu');

-- An early version of every text, beside those that the service is shipped with.
insert into public.consent_texts (kind, version, language, title, body)
select kind, '1', 'en', 'An early text', 'It is invented.' from unnest(enum_range(null::public.consent_kind)) kind;

create temporary table people (name text primary key, id uuid not null);
grant select on people to anon, authenticated;
insert into people
values
  ('ada', tests.new_student('ada@hillside.example.edu')),
  ('ben', tests.new_student('ben@students.lakeview.example.edu')),
  ('eve', tests.new_student('eve@elsewhere.example.com'));

create function tests.id_of(person text)
returns uuid
language sql
stable
as $$
  select id from people where name = person
$$;

-- Agrees as the person themselves, whoever acts at the moment: nobody else can.
create function tests.give_consent(person uuid, kinds text, version text default '2026-11')
returns void
language plpgsql
security definer
as $$
declare
  acting text := current_setting('request.jwt.claims', true);
  subject text := current_setting('request.jwt.claim.sub', true);
begin
  perform set_config('request.jwt.claims', jsonb_build_object('sub', person)::text, true);
  perform set_config('request.jwt.claim.sub', person::text, true);
  insert into public.consents (user_id, kind, version) select person, kind, version from unnest(kinds::public.consent_kind[]) kind;
  perform set_config('request.jwt.claims', coalesce(acting, ''), true);
  perform set_config('request.jwt.claim.sub', coalesce(subject, ''), true);
end
$$;

-- What lies in the past, or came from elsewhere: past the triggers that let nobody store it now.
create function tests.past(statement text)
returns void
language plpgsql
as $$
begin
  perform set_config('session_replication_role', 'replica', true);
  execute statement;
  perform set_config('session_replication_role', 'origin', true);
end
$$;
