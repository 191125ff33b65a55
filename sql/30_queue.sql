-- No policies: API roles cannot reach the schema private.

create type private.job_kind as enum (
  'audio_slice', 'audio_merge', 'visual_group', 'visual_merge', 'transcription', 'text', 'fusion'
);
comment on type private.job_kind is 'One step of a check-in''s analysis, small enough for one request to a worker.';

create type private.job_status as enum ('queued', 'running', 'done', 'failed');
comment on type private.job_status is 'queued → running → done | failed; running → queued when an attempt fails or its lease expires.';

create table private.pipeline_settings (
  only_row boolean not null default true,
  lease interval not null default '60 seconds',
  transcription_lease interval not null default '180 seconds',
  dispatch_grace interval not null default '10 seconds',
  retry_backoff interval not null default '5 seconds',
  max_attempts smallint not null default 3,
  fail_after interval not null default '24 hours',
  constraint pipeline_settings_pkey primary key (only_row),
  constraint pipeline_settings_only_row check (only_row),
  constraint pipeline_settings_positive check (
    lease > interval '0' and transcription_lease > interval '0' and dispatch_grace > interval '0'
    and retry_backoff > interval '0' and max_attempts > 0 and fail_after > interval '0'
  )
);
comment on table private.pipeline_settings is 'Settings of the pipeline that an operator can change without a deployment. Exactly one row.';
comment on column private.pipeline_settings.only_row is 'Always true: there is one row.';
comment on column private.pipeline_settings.lease is 'How long a worker may keep a job before another may claim it; longer than the slowest request.';
comment on column private.pipeline_settings.transcription_lease is 'The lease of a transcription, which waits for a provider; longer than TRANSCRIPTION_TIMEOUT_MS.';
comment on column private.pipeline_settings.dispatch_grace is 'How long a queued job waits for its worker before it is dispatched again.';
comment on column private.pipeline_settings.retry_backoff is 'Delay after a failed attempt; doubles with every attempt.';
comment on column private.pipeline_settings.max_attempts is 'Attempts before a job has failed.';
comment on column private.pipeline_settings.fail_after is 'How old an unfinished job may be, attempted or not, before it has failed.';

create table private.analysis_jobs (
  id uuid not null default gen_random_uuid(),
  check_in_id uuid not null,
  kind private.job_kind not null,
  ordinal smallint not null default 0,
  input jsonb not null default '{}',
  status private.job_status not null default 'queued',
  attempts smallint not null default 0,
  dispatches smallint not null default 0,
  next_dispatch_at timestamptz not null,
  lease_until timestamptz,
  outcome jsonb,
  error_code text,
  created_at timestamptz not null default now(),
  constraint analysis_jobs_pkey primary key (id),
  constraint analysis_jobs_check_in_id_fkey foreign key (check_in_id) references checkin.check_ins (id) on delete cascade,
  constraint analysis_jobs_once unique (check_in_id, kind, ordinal),
  constraint analysis_jobs_lease_while_running check ((status = 'running') = (lease_until is not null))
);
comment on table private.analysis_jobs is 'The queue: the analysis steps of check-ins that are being processed. The webhook only announces a job; the worker claims it here.';
comment on column private.analysis_jobs.id is 'The job.';
comment on column private.analysis_jobs.check_in_id is 'The check-in.';
comment on column private.analysis_jobs.kind is 'Which step it is.';
comment on column private.analysis_jobs.ordinal is 'Number of the slice or group, from 0.';
comment on column private.analysis_jobs.input is 'The slice or group to analyse.';
comment on column private.analysis_jobs.status is 'State of the job.';
comment on column private.analysis_jobs.attempts is 'Attempts so far. A worker passes the number that it was given, so that a late one changes nothing.';
comment on column private.analysis_jobs.dispatches is 'How often the job was dispatched again since the last attempt.';
comment on column private.analysis_jobs.next_dispatch_at is 'When to dispatch the job again if no worker has claimed it.';
comment on column private.analysis_jobs.lease_until is 'When the lease of the worker that runs it expires.';
comment on column private.analysis_jobs.outcome is 'What the step found, for the merge.';
comment on column private.analysis_jobs.error_code is 'Why the last attempt failed.';
comment on column private.analysis_jobs.created_at is 'When it was queued.';
create index analysis_jobs_next_dispatch_at_idx on private.analysis_jobs (next_dispatch_at) where status in ('queued', 'running');

create function private.worker_of(kind private.job_kind)
returns text
language sql
immutable
set search_path = ''
as $$
  select case
    when kind in ('audio_slice', 'audio_merge') then 'pipeline-audio'
    when kind in ('visual_group', 'visual_merge') then 'pipeline-visual'
    when kind = 'transcription' then 'pipeline-transcription'
    when kind = 'text' then 'pipeline-text'
    else 'pipeline-fusion'
  end
$$;
comment on function private.worker_of is 'Edge function that runs a kind of job. Called by private.dispatch_job.';

create function private.dispatch_job(job uuid, kind private.job_kind)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.call_function(
    private.worker_of(kind),
    jsonb_build_object(
      'type', 'INSERT',
      'schema', 'private',
      'table', 'analysis_jobs',
      'record', jsonb_build_object('id', job, 'kind', kind)
    )
  );
end
$$;
comment on function private.dispatch_job is 'Sends the webhook that announces a job to its worker. Called by the queue alone.';

create function private.schedule_first_dispatch()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.next_dispatch_at := coalesce(new.next_dispatch_at, now() + (select dispatch_grace from private.pipeline_settings));
  return new;
end
$$;
comment on function private.schedule_first_dispatch is 'Trigger: sets when to dispatch a new job again in case the first webhook is lost.';

create function private.dispatch_new_jobs()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.dispatch_job(id, kind) from new_jobs;
  return null;
end
$$;
comment on function private.dispatch_new_jobs is 'Trigger: dispatches each job that was just queued.';

create function private.claim_job(job uuid)
returns setof private.analysis_jobs
language sql
set search_path = ''
as $$
  update private.analysis_jobs j
  set status = 'running',
    attempts = j.attempts + 1,
    dispatches = 0,
    lease_until = now() + case j.kind when 'transcription' then s.transcription_lease else s.lease end,
    next_dispatch_at = now() + case j.kind when 'transcription' then s.transcription_lease else s.lease end
  from private.pipeline_settings s
  where j.id = (
      select id
      from private.analysis_jobs
      where id = job and (status = 'queued' or (status = 'running' and lease_until <= now()))
      for update skip locked
    )
    and j.attempts < s.max_attempts
  returning j.*
$$;
comment on function private.claim_job is
  'Claims a job for one attempt; no row when another worker has it or it has ended. Called by the workers.';

create function private.dispatch_due_jobs()
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  ended integer;
  dispatched integer;
begin
  -- Out of attempts, or too old. Locks the student, then the check-in, then the job, as everything else does.
  with exhausted as materialized (
    select j.id, j.check_in_id
    from private.analysis_jobs j, private.pipeline_settings s
    where (j.status = 'queued' or (j.status = 'running' and j.lease_until <= now()))
      and (j.attempts >= s.max_attempts or j.created_at <= now() - s.fail_after)
  ),
  locked as materialized (
    select c.id
    from checkin.check_ins c
    join auth.users u on u.id = c.user_id
    where c.status = 'processing' and c.id in (select check_in_id from exhausted)
    order by c.id
    for key share of u skip locked
    for update of c skip locked
  ),
  failed as (
    update private.analysis_jobs j
    set status = 'failed', lease_until = null, error_code = coalesce(j.error_code, case when j.attempts = 0 then 'not_run' else 'worker_lost' end)
    from locked, exhausted
    where j.id = exhausted.id and j.check_in_id = locked.id
      and (j.status = 'queued' or (j.status = 'running' and j.lease_until <= now()))
    returning j.check_in_id, j.kind
  )
  select count(
    case when g.fusion then private.fail_check_in(g.check_in_id, 'analysis_failed')
      else private.advance_check_in(g.check_in_id)
    end
  )
  into ended
  from (select check_in_id, bool_or(kind = 'fusion') as fusion from failed group by check_in_id) g;

  with due as (
    select j.id
    from private.analysis_jobs j
    where j.next_dispatch_at <= now()
      and (j.status = 'queued' or (j.status = 'running' and j.lease_until <= now()))
    order by j.next_dispatch_at
    limit 100
    for update skip locked
  ),
  redispatched as (
    update private.analysis_jobs j
    set dispatches = least(j.dispatches + 1, 10),
      next_dispatch_at = now() + least(s.dispatch_grace * power(2, j.dispatches), interval '5 minutes')
    from due, private.pipeline_settings s
    where j.id = due.id
    returning j.id, j.kind
  )
  select count(private.dispatch_job(id, kind)) into dispatched from redispatched;
  return dispatched;
end
$$;
comment on function private.dispatch_due_jobs is
  'Dispatches jobs again that no worker claimed or whose worker was lost, with backoff; fails those that are out of attempts; returns how many it dispatched. Called by cron.';

create trigger schedule_first_dispatch
before insert on private.analysis_jobs
for each row execute function private.schedule_first_dispatch();

create trigger dispatch_new_jobs
after insert on private.analysis_jobs
referencing new table as new_jobs
for each statement execute function private.dispatch_new_jobs();
