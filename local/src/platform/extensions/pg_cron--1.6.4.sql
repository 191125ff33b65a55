-- The SQL interface of pg_cron 1.6. The jobs are run by the stack's own scheduler instead of a worker inside
-- Postgres; it is told of changes by a notification on the channel cron_job_changed.

create schema cron;

create sequence cron.jobid_seq;
create table cron.job (
  jobid bigint not null default nextval('cron.jobid_seq'),
  schedule text not null,
  command text not null,
  nodename text not null default 'localhost',
  nodeport integer not null default inet_server_port(),
  -- The name of pg_cron's home database (cron.database_name); the scheduler of a database reads it as that one.
  database text not null default 'postgres',
  username text not null default current_user,
  active boolean not null default true,
  jobname text,
  constraint job_pkey primary key (jobid),
  constraint jobname_username_uniq unique (jobname, username)
);
comment on table cron.job is 'Scheduled jobs; change them with cron.schedule, cron.alter_job and cron.unschedule.';
alter table cron.job enable row level security;
create policy cron_job_policy on cron.job using (username = current_user);

create sequence cron.runid_seq;
create table cron.job_run_details (
  jobid bigint,
  runid bigint not null default nextval('cron.runid_seq'),
  job_pid integer,
  database text,
  username text,
  command text,
  status text,
  return_message text,
  start_time timestamptz,
  end_time timestamptz,
  constraint job_run_details_pkey primary key (runid)
);
comment on table cron.job_run_details is 'Runs of jobs. Nobody deletes old ones: schedule a job that does.';
alter table cron.job_run_details enable row level security;
create policy cron_job_run_details_policy on cron.job_run_details using (username = current_user);

create function cron.job_cache_invalidate()
returns trigger
language plpgsql
as $$
begin
  perform pg_notify('cron_job_changed', '');
  return null;
end
$$;
create trigger cron_job_cache_invalidate
  after insert or update or delete or truncate on cron.job
  for each statement execute function cron.job_cache_invalidate();

create function cron.local_check_schedule(schedule text)
returns void
language plpgsql
immutable
as $$
declare
  month constant text := '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|\d{1,2})';
  day constant text := '(sun|mon|tue|wed|thu|fri|sat|\d)';
  number constant text := '\d{1,2}';
  fields text[] := regexp_split_to_array(btrim(lower(schedule)), '\s+');
  units text[] := array[number, number, '(\$|\d{1,2})', month, day];
begin
  if lower(schedule) ~ '^\s*[1-9]\d?\s+seconds?\s*$' and substring(schedule, '\d+')::integer < 60 then
    return;
  end if;
  if lower(schedule) ~ '^\s*@(yearly|annually|monthly|weekly|daily|midnight|hourly)\s*$' then
    return;
  end if;
  if cardinality(fields) = 5 and (
    select bool_and(
      field ~ replace('^(\*|U(-U)?)(/\d+)?(,(\*|U(-U)?)(/\d+)?)*$', 'U', unit)
      and not exists (
        select from regexp_matches(field, '(?<![/\d])(\d+)', 'g') as given
        where given[1]::integer not between case when place in (3, 4) then 1 else 0 end
          and (array[59, 23, 31, 12, 7])[place]
      )
    )
    from unnest(fields, units) with ordinality as parts (field, unit, place)
  ) then
    return;
  end if;
  raise exception 'invalid schedule: %', schedule
    using hint = 'Use cron format (e.g. 5 4 * * *), or interval format ''[1-59] seconds''';
end
$$;

-- A job belongs to whoever calls cron.schedule, which only the caller's own rights show: hence a plain function
-- that passes the name on to one with the right to write cron.job.
create function cron.local_put_job(
  caller text,
  job_name text,
  schedule text,
  command text,
  database text,
  username text,
  active boolean
)
returns bigint
language plpgsql
security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  id bigint;
begin
  perform cron.local_check_schedule(local_put_job.schedule);
  if coalesce(local_put_job.username, caller) <> caller
    and not (select rolsuper from pg_catalog.pg_roles where rolname = caller) then
    raise exception 'must be superuser to create a job for another role' using errcode = '42501';
  end if;
  insert into cron.job as j (jobname, schedule, command, database, username, active)
  values (
    local_put_job.job_name,
    local_put_job.schedule,
    local_put_job.command,
    coalesce(local_put_job.database, 'postgres'),
    coalesce(local_put_job.username, caller),
    coalesce(local_put_job.active, true)
  )
  on conflict (jobname, username) do update set
    schedule = excluded.schedule,
    command = excluded.command,
    database = excluded.database,
    active = excluded.active
  returning j.jobid into id;
  return id;
end
$$;

create function cron.schedule(schedule text, command text)
returns bigint
language sql
strict
as $$
  select cron.local_put_job(current_user, null, schedule, command, null, null, true)
$$;
comment on function cron.schedule(text, text) is 'Schedules a job without a name; returns its id.';

create function cron.schedule(job_name text, schedule text, command text)
returns bigint
language sql
strict
as $$
  select cron.local_put_job(current_user, job_name, schedule, command, null, null, true)
$$;
comment on function cron.schedule(text, text, text) is
  'Schedules a job, or changes the caller''s job of that name; returns its id.';

create function cron.schedule_in_database(
  job_name text,
  schedule text,
  command text,
  database text,
  username text default null,
  active boolean default true
)
returns bigint
language sql
as $$
  select cron.local_put_job(current_user, job_name, schedule, command, database, username, active)
$$;
comment on function cron.schedule_in_database(text, text, text, text, text, boolean) is
  'Schedules a job that runs in another database.';

create function cron.local_remove_job(caller text, job_id bigint, job_name text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from cron.job
  where (jobid = job_id or jobname = job_name)
    and (username = caller or (select rolsuper from pg_catalog.pg_roles where rolname = caller));
  if not found then
    raise exception 'could not find valid entry for job ''%''', coalesce(job_name, job_id::text);
  end if;
  return true;
end
$$;

create function cron.unschedule(job_id bigint)
returns boolean
language sql
strict
as $$
  select cron.local_remove_job(current_user, job_id, null)
$$;
comment on function cron.unschedule(bigint) is 'Removes a job by its id.';

create function cron.unschedule(job_name text)
returns boolean
language sql
strict
as $$
  select cron.local_remove_job(current_user, null, job_name)
$$;
comment on function cron.unschedule(text) is 'Removes a job by its name.';

create function cron.local_change_job(
  caller text,
  job_id bigint,
  schedule text,
  command text,
  database text,
  username text,
  active boolean
)
returns void
language plpgsql
security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  privileged boolean := (select rolsuper from pg_catalog.pg_roles where rolname = caller);
begin
  if local_change_job.schedule is not null then
    perform cron.local_check_schedule(local_change_job.schedule);
  end if;
  if local_change_job.username is not null and local_change_job.username <> caller and not privileged then
    raise exception 'must be superuser to alter username' using errcode = '42501';
  end if;
  update cron.job as j
  set
    schedule = coalesce(local_change_job.schedule, j.schedule),
    command = coalesce(local_change_job.command, j.command),
    database = coalesce(local_change_job.database, j.database),
    username = coalesce(local_change_job.username, j.username),
    active = coalesce(local_change_job.active, j.active)
  where j.jobid = job_id and (j.username = caller or privileged);
  if not found then
    raise exception 'Job % does not exist or you don''t own it', job_id;
  end if;
end
$$;

create function cron.alter_job(
  job_id bigint,
  schedule text default null,
  command text default null,
  database text default null,
  username text default null,
  active boolean default null
)
returns void
language sql
as $$
  select cron.local_change_job(current_user, job_id, schedule, command, database, username, active)
$$;
comment on function cron.alter_job(bigint, text, text, text, text, boolean) is
  'Changes a job; what is null stays as it is.';

grant usage on schema cron to postgres with grant option;
grant select on cron.job to public;
grant select, delete on cron.job_run_details to public;
grant select on cron.job to postgres with grant option;
grant all on cron.job_run_details to postgres with grant option;
revoke trigger on cron.job_run_details from postgres;
grant all on all sequences in schema cron to postgres with grant option;
