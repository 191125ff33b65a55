-- Cluster-wide roles of a Supabase project, with the attributes that the hosted platform gives them.
-- Every role that signs in has the local password.

do $$
declare
  wanted record;
begin
  for wanted in
    select *
    from (values
      ('postgres', 'login createdb createrole replication bypassrls'),
      ('anon', 'nologin noinherit'),
      ('authenticated', 'nologin noinherit'),
      ('service_role', 'nologin noinherit bypassrls'),
      ('authenticator', 'login noinherit'),
      ('dashboard_user', 'nologin createdb createrole replication'),
      ('supabase_auth_admin', 'login noinherit'),
      ('supabase_storage_admin', 'login noinherit'),
      ('supabase_realtime_admin', 'login noinherit'),
      ('supabase_functions_admin', 'login noinherit'),
      ('supabase_read_only_user', 'login bypassrls')
    ) as roles (name, attributes)
  loop
    if to_regrole(wanted.name) is null then
      execute format('create role %I %s', wanted.name, wanted.attributes);
      if wanted.attributes like '%login%' and wanted.attributes not like '%nologin%' then
        execute format('alter role %I password %L', wanted.name, 'postgres');
      end if;
    end if;
  end loop;
end
$$;

grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role, authenticator to postgres with admin option;
grant pg_monitor, pg_read_all_data, pg_signal_backend, pg_create_subscription to postgres with admin option;
grant pg_read_all_data to supabase_read_only_user;
grant authenticator to supabase_storage_admin;
grant anon, authenticated, service_role to supabase_realtime_admin;

-- The platform lets postgres manage policies and triggers of these owners' tables through an extension that is
-- not available here (supautils). Membership gives that right; guard.sql takes back what it gives beyond it.
grant supabase_auth_admin, supabase_storage_admin, supabase_realtime_admin, supabase_functions_admin to postgres;

-- The platform lets postgres set this through the same extension, as restores and bulk loads do.
grant set on parameter session_replication_role to postgres;

-- The platform lets postgres configure PostgREST through its role; here those settings that the local one reads.
grant set on parameter pgrst.db_aggregates_enabled, pgrst.db_extra_search_path, pgrst.db_max_rows,
  pgrst.db_pre_request, pgrst.db_schemas, pgrst.db_tx_end to postgres;

alter role supabase_admin set search_path = "$user", public, auth, extensions;
alter role postgres set search_path = "$user", public, extensions;
alter role supabase_auth_admin set search_path = auth;
alter role supabase_auth_admin set idle_in_transaction_session_timeout = '60s';
alter role supabase_storage_admin set search_path = storage;
alter role supabase_realtime_admin set search_path = realtime;
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';
