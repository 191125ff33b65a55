-- Schemas, default privileges and the extensions that every project starts with.

do $$
begin
  execute format('alter database %I owner to postgres', current_database());
end
$$;

create schema if not exists auth authorization supabase_admin;
create schema if not exists storage authorization supabase_admin;
create schema if not exists realtime authorization supabase_admin;
create schema if not exists extensions authorization postgres;
create schema if not exists vault authorization supabase_admin;
create schema if not exists graphql_public authorization supabase_admin;

grant usage on schema public to postgres, anon, authenticated, service_role;
grant usage on schema extensions to anon, authenticated, service_role;
grant all on schema extensions to dashboard_user;
grant usage on schema graphql_public to postgres, anon, authenticated, service_role;
grant all on schema auth to supabase_auth_admin, dashboard_user;
grant usage on schema auth to postgres, anon, authenticated, service_role;
grant all on schema storage to supabase_storage_admin with grant option;
grant usage on schema storage to postgres with grant option;
grant usage on schema storage to anon, authenticated, service_role;
grant all on schema storage to dashboard_user;
grant all on schema realtime to supabase_realtime_admin with grant option;
grant usage on schema realtime to postgres with grant option;
grant usage on schema realtime to anon, authenticated, service_role;

-- New tables, sequences and functions in public are granted to nobody, as in projects since October 2026.

create extension if not exists pgcrypto with schema extensions;
create extension if not exists "uuid-ossp" with schema extensions;
create extension if not exists supabase_vault with schema vault;

do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
    alter publication supabase_realtime owner to postgres;
  end if;
end
$$;
