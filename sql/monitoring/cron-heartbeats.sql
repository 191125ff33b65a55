create table private.cron_heartbeats (
  job text not null,
  every interval,
  first_seen_at timestamptz not null,
  observed_at timestamptz not null,
  last_success_at timestamptz,
  last_run_id bigint not null default 0,
  failures bigint not null default 0,
  beat_at timestamptz,
  constraint cron_heartbeats_pkey primary key (job)
);
select private.describe('private.cron_heartbeats', 'When each scheduled job last succeeded, from cron''s own record. The row of a job that is no longer scheduled stays, so that it is missed.', $$
  job: The job.
  every: How often it runs; null for a schedule that private.interval_of_schedule does not know.
  first_seen_at: When it was first observed.
  observed_at: When it was last observed, which ends when the job is no longer scheduled.
  last_success_at: When its last successful run ended; null before the first.
  last_run_id: The last of its runs that ended and was observed.
  failures: Runs that failed since the job was first observed.
  beat_at: When its heartbeat was last sent to the operator's address; null if never.
$$);

select private.declare_term('cron_runs', '7 days', 'Runs of scheduled jobs: from their end.', shortest => '1 day');
select private.declare_data('private.cron_heartbeats',
  '{job, every, first_seen_at, observed_at, last_success_at, last_run_id, failures, beat_at}',
  'When each scheduled job last succeeded.');
select private.declare_unaudited('private.cron_heartbeats', 'A copy of what cron records of its jobs.');

create function private.interval_of_schedule(schedule text) returns interval
language sql immutable set search_path = '' as $$
  select case
    when schedule ~ '^\d+ seconds?$' then make_interval(secs => split_part(schedule, ' ', 1)::integer)
    when schedule = '* * * * *' then interval '1 minute'
    when schedule ~ '^\*/\d+ \* \* \* \*$' then make_interval(mins => substring(schedule from '\d+')::integer)
    when schedule ~ '^\d+(,\d+)* \* \* \* \*$' then interval '1 hour' / regexp_count(schedule, '\d+')
    when schedule ~ '^\d+ \d+ \* \* \*$' then interval '1 day'
    when schedule ~ '^\d+ \d+ \* \* \d$' then interval '7 days'
  end
$$;
comment on function private.interval_of_schedule is 'How often a job with a schedule of cron runs; null for the kinds of schedule that no job here has. Called by private.observe_cron_jobs.';

-- A plain address is for this machine, where the tests listen.
create function private.heartbeat_url(job text) returns text
language plpgsql stable set search_path = '' as $$
declare
  address text;
begin
  select case s.name when 'heartbeat_url' then replace(s.decrypted_secret, '{job}', job) else s.decrypted_secret end
  into address
  from vault.decrypted_secrets s
  where s.name = 'heartbeat_url:' || job or (s.name = 'heartbeat_url' and strpos(s.decrypted_secret, '{job}') > 0)
  order by s.name <> 'heartbeat_url' desc
  limit 1;
  if address !~ '^(https://[^[:space:]/@]+|http://127\.0\.0\.1:\d+)/[^[:space:]]*$' then
    raise warning 'The heartbeat of % is not sent: Vault''s address is no https address.', job;
    return null;
  end if;
  return address;
end
$$;
comment on function private.heartbeat_url is 'Where the heartbeat of a job goes: Vault''s heartbeat_url:JOB, else heartbeat_url with the job for {job}; null when there is none, or one without TLS. Called by private.observe_cron_jobs.';

-- Cron's record has no index but that of its ids: a few thousand runs are those of more than an hour.
create function private.observe_cron_jobs(at timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  sent integer;
begin
  with runs as materialized (
    select d.jobid, d.runid, d.status, d.end_time
    from cron.job_run_details d
    order by d.runid desc
    limit 5000
  ),
  -- Cron numbers its runs from 1 again in a project into which a backup was restored.
  observed as (
    select h.job, case when h.last_run_id <= (select max(runid) from runs) then h.last_run_id else 0 end as run_id
    from private.cron_heartbeats h
  )
  insert into private.cron_heartbeats as b (job, every, first_seen_at, observed_at, last_success_at, last_run_id, failures)
  select
    j.jobname,
    private.interval_of_schedule(j.schedule),
    at, at,
    max(r.end_time) filter (where r.status = 'succeeded'),
    greatest(max(r.runid), o.run_id, 0),
    count(*) filter (where r.status = 'failed' and r.runid > coalesce(o.run_id, 0))
  from cron.job j
  left join runs r on r.jobid = j.jobid and r.status in ('succeeded', 'failed')
  left join observed o on o.job = j.jobname
  where j.active and j.jobname is not null
  group by j.jobid, j.jobname, j.schedule, o.run_id
  on conflict (job) do update
  set every = excluded.every,
    observed_at = excluded.observed_at,
    last_success_at = greatest(b.last_success_at, excluded.last_success_at),
    last_run_id = excluded.last_run_id,
    failures = b.failures + excluded.failures;

  with beating as (
    update private.cron_heartbeats b
    set beat_at = at
    where b.last_success_at > coalesce(b.beat_at, '-infinity')
    returning b.job
  )
  select count(net.http_get(a.url, timeout_milliseconds => 5000)) into sent
  from (select private.heartbeat_url(job) as url from beating offset 0) as a
  where a.url is not null;
end
$$;
comment on function private.observe_cron_jobs is 'Notes which scheduled jobs succeeded, and sends the heartbeat of each that did since its last one. Called by cron.';
select cron.schedule('observe-cron-jobs', '* * * * *', 'select private.observe_cron_jobs(now())');
