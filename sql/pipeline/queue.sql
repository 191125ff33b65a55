create type private.job_kind as enum (
  'audio_slice', 'audio_merge', 'visual_group', 'visual_merge', 'transcription', 'text', 'crisis', 'fusion'
);
comment on type private.job_kind is 'One step of an analysis, small enough for what any isolate has left of its CPU.';

create view private.job_kinds
with (security_invoker = true)
as
select kind, worker, modality, consents::public.consent_kind[], next_kinds::private.job_kind[], keeps_outcome, waits_for_provider,
  own_faults::text[], waits_for
from (
  values
    ('audio_slice'::private.job_kind, 'pipeline-audio', 'audio', '{audio}', '{audio_merge}', true, false, '{}', null),
    ('audio_merge', 'pipeline-audio', 'audio', '{audio}', '{}', false, false, '{}', null),
    ('visual_group', 'pipeline-visual', 'visual', '{camera}', '{visual_merge}', true, false, '{}', null),
    ('visual_merge', 'pipeline-visual', 'visual', '{camera}', '{}', false, false, '{}', null),
    ('transcription', 'pipeline-transcription', 'text', '{audio, text}', '{text, crisis}', false, true, '{transcription_refused}', 'audio'),
    ('text', 'pipeline-text', 'text', '{text}', '{}', false, false, '{}', null),
    ('crisis', 'pipeline-crisis', null, '{text}', '{}', false, false, '{}', null),
    ('fusion', 'pipeline-fusion', null, '{}', '{}', false, false, '{}', null)
) as k (kind, worker, modality, consents, next_kinds, keeps_outcome, waits_for_provider, own_faults, waits_for);
comment on view private.job_kinds is
  'What is particular to each kind of job, one row each. functions/_shared/pipeline/job-kinds.ts has the same kinds and workers.';
comment on column private.job_kinds.kind is 'The kind.';
comment on column private.job_kinds.worker is 'Edge function that runs it.';
comment on column private.job_kinds.modality is 'Modality that is missing from the score when it fails; null where there is no score without it, and where the score misses nothing.';
comment on column private.job_kinds.consents is 'Consents that it needs; a score is made of what is consented to.';
comment on column private.job_kinds.next_kinds is 'Kinds that are queued once, when all jobs of this one have ended and one is done.';
comment on column private.job_kinds.keeps_outcome is 'Whether the job keeps what it found, for the next kind.';
comment on column private.job_kinds.waits_for_provider is 'Whether it waits for a provider, so that its lease is pipeline_settings.transcription_lease.';
comment on column private.job_kinds.own_faults is 'Error codes with which it alone fails for the service''s own reasons.';
comment on column private.job_kinds.waits_for is 'Modality whose analysis has to end before the job may begin; null for none.';

create type private.job_status as enum ('queued', 'running', 'done', 'failed');
comment on type private.job_status is 'queued → running → done | failed; running → queued when an attempt fails or its lease expires.';

create table private.pipeline_settings (
  only_row boolean not null default true,
  lease interval not null default '20 seconds',
  transcription_lease interval not null default '180 seconds',
  dispatch_grace interval not null default '5 seconds',
  retry_backoff interval not null default '2 seconds',
  max_attempts smallint not null default 5,
  max_in_flight smallint not null default 8,
  fail_after interval not null default '24 hours',
  reading_wait interval not null default '2 minutes',
  constraint pipeline_settings_pkey primary key (only_row),
  constraint pipeline_settings_only_row check (only_row),
  constraint pipeline_settings_positive check (
    lease > interval '0' and transcription_lease > interval '0' and dispatch_grace > interval '0'
    and retry_backoff > interval '0' and max_attempts > 0 and max_in_flight > 0 and fail_after > interval '0'
    and reading_wait > interval '0'
  )
);
select private.describe('private.pipeline_settings', 'Settings of the pipeline that an operator can change without a deployment. Exactly one row. Intervals and numbers are above 0.', $$
  only_row: Always true: there is one row.
  lease: How long a worker may keep a job before another may claim it; longer than the slowest job.
  transcription_lease: The lease of a job that waits for a provider; longer than TRANSCRIPTION_TIMEOUT_MS.
  dispatch_grace: How long a webhook may be under way before a job is dispatched again; a quarter more or less, at random.
  retry_backoff: Delay after a failed attempt; doubles with every attempt.
  max_attempts: Attempts before a job has failed.
  max_in_flight: Jobs of one worker that are dispatched or run at the same time.
  fail_after: How old an unfinished job may be, attempted or not, before it has failed.
  reading_wait: How long what rules found in words waits for the reading of their sentences before it is acted on without it.
$$);

insert into private.pipeline_settings default values;

select private.declare_data('private.pipeline_settings',
  '{only_row, lease, transcription_lease, dispatch_grace, retry_backoff, max_attempts, max_in_flight, fail_after,
    reading_wait}',
  'Settings of the pipeline.');
select private.declare_audited('private.pipeline_settings', 'only_row');

-- What they belong to has its tables later: pipeline/unread-transcripts.sql names them.
create table private.unread_transcripts (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  session_id uuid,
  check_in_id uuid,
  transcript_result_id uuid,
  transcript text not null,
  trace_id text,
  created_at timestamptz not null default now(),
  constraint unread_transcripts_pkey primary key (id),
  constraint unread_transcripts_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint unread_transcripts_check_in_id_fkey foreign key (check_in_id) references checkin.check_ins (id) on delete cascade,
  constraint unread_transcripts_result_once unique (transcript_result_id),
  constraint unread_transcripts_of_one check (num_nonnulls(session_id, check_in_id, transcript_result_id) <= 1),
  constraint unread_transcripts_transcript_length check (char_length(transcript) between 1 and 100000),
  constraint unread_transcripts_trace_id_form check (trace_id ~ '^[0-9a-f]{32}$')
);
select private.describe('private.unread_transcripts', 'Words of sessions, of transcripts that were analysed by themselves and of calls that were refused, until the sentence encoder has read them: then they are deleted.', $$
  id: The transcript.
  user_id: The student.
  session_id: The session in which they said it; null of other words.
  check_in_id: The check-in of which a submission was refused, or that was submitted with other words; null of other words.
  transcript_result_id: The analysis that was stored of a transcript by itself; null of other words.
  transcript: What the student said, up to 100,000 characters.
  trace_id: Trace (W3C Trace Context) of the request that sent it.
  created_at: When it was sent.
$$);
create index unread_transcripts_user_id_idx on private.unread_transcripts (user_id);
create index unread_transcripts_session_id_idx on private.unread_transcripts (session_id);
create index unread_transcripts_check_in_id_idx on private.unread_transcripts (check_in_id);

select private.declare_data('private.unread_transcripts', '{transcript}', 'To look for crisis language in it, once.', 'student', 'words',
  't.user_id = $1', term => 'transcripts', store => 'queue');
select private.declare_data('private.unread_transcripts', '{id, user_id, session_id, check_in_id, transcript_result_id, trace_id, created_at}',
  'What a transcript that is to be read belongs to.', 'student', 'health', 't.user_id = $1', term => 'transcripts', store => 'queue');
select private.declare_purge('transcripts', 'private.unread_transcripts', 'd.created_at < $1', oldest => 'created_at');
select private.declare_audited('private.unread_transcripts', 'id', 'by_hand');

create table private.analysis_jobs (
  id uuid not null default gen_random_uuid(),
  check_in_id uuid,
  unread_id uuid,
  kind private.job_kind not null,
  ordinal smallint not null default 0,
  input jsonb not null default '{}',
  status private.job_status not null default 'queued',
  attempts smallint not null default 0,
  dispatched boolean not null default false,
  next_dispatch_at timestamptz not null default '-infinity',
  outcome jsonb,
  error_code text,
  created_at timestamptz not null default now(),
  constraint analysis_jobs_pkey primary key (id),
  constraint analysis_jobs_check_in_id_fkey foreign key (check_in_id) references checkin.check_ins (id) on delete cascade,
  constraint analysis_jobs_unread_id_fkey foreign key (unread_id) references private.unread_transcripts (id) on delete cascade,
  constraint analysis_jobs_of_one check (num_nonnulls(check_in_id, unread_id) = 1),
  constraint analysis_jobs_once unique (check_in_id, kind, ordinal),
  constraint analysis_jobs_unread_once unique (unread_id)
);
select private.describe('private.analysis_jobs', 'The queue: the analysis steps of check-ins that are being processed, and transcripts that are to be read. A webhook only announces that there is work; the worker claims here what is next.', $$
  id: The job.
  check_in_id: The check-in; null of words without one.
  unread_id: The transcript that is to be read; null of a check-in.
  kind: Which step it is.
  ordinal: Number of the slice or group, from 0.
  input: The slice or group to analyse. Example: {"index": 0, "startS": 0, "endS": 15}
  status: State of the job.
  attempts: Attempts so far. A worker passes the number that it was given, so that a late one changes nothing.
  dispatched: Whether a webhook that announces the job is under way, until next_dispatch_at.
  next_dispatch_at: When the job may be dispatched: -infinity for at once, infinity while another modality's analysis has to end first, after a failed attempt the end of its backoff, while it runs the end of its worker's lease; once dispatched, when its webhook counts as lost.
  outcome: What the step found, for the merge. Example: {"images": [{"usable": false, "reason": "no_face"}]}
  error_code: Why the last attempt failed.
  created_at: When it was queued.
$$);
create index analysis_jobs_next_dispatch_at_idx on private.analysis_jobs (next_dispatch_at) where status in ('queued', 'running');
create index analysis_jobs_running_idx on private.analysis_jobs (kind) where status = 'running';
create index analysis_jobs_fusion_idx on private.analysis_jobs (check_in_id) where kind = 'fusion' and status in ('queued', 'running');

select private.declare_data('private.analysis_jobs',
  '{id, check_in_id, unread_id, kind, ordinal, input, status, attempts, dispatched, next_dispatch_at, outcome, error_code, created_at}',
  'The analyses that are to be done, with what they found so far; deleted when a check-in ends, or a transcript was read.',
  'student', 'health', $$t.check_in_id in (select c.id from checkin.check_ins c where c.user_id = $1)
    or t.unread_id in (select u.id from private.unread_transcripts u where u.user_id = $1)$$, store => 'queue');
select private.declare_audited('private.analysis_jobs', 'id', 'by_hand');

create function private.worker_of(kind private.job_kind) returns text
language sql stable set search_path = '' as $$
  select k.worker from private.job_kinds k where k.kind = worker_of.kind
$$;
comment on function private.worker_of is 'Edge function that runs a kind of job. Called by the queue alone.';

create function private.service_faults(kind private.job_kind) returns text[]
language sql stable set search_path = '' as $$
  select '{media_missing, not_run, worker_error, worker_lost}'::text[] || k.own_faults
  from private.job_kinds k
  where k.kind = service_faults.kind
$$;
comment on function private.service_faults is 'Error codes with which a kind of job fails for the service''s own reasons; the others are those of what was sent. Called by the fusion and where failed jobs are counted.';

create function private.consents_for(kind private.job_kind) returns public.consent_kind[]
language sql stable set search_path = '' as $$
  select k.consents from private.job_kinds k where k.kind = consents_for.kind
$$;
comment on function private.consents_for is 'Consents that a kind of job needs; a score is made of what is consented to. Called where jobs are queued and ended, and by the withdrawal.';

create view private.waiting_work with (security_invoker = true) as
select w.subject_id, w.trace_id, w.since + interval '1 minute' * count(*) over (partition by w.user_id) as place
from (
  select c.id as subject_id, c.user_id, c.trace_id, c.submitted_at as since from checkin.check_ins c where c.status = 'processing'
  union all
  select u.id, u.user_id, u.trace_id, u.created_at from private.unread_transcripts u
) as w;
comment on view private.waiting_work is 'Check-ins that are being processed, transcripts that are to be read, and their places in the queue, the earliest first. Each is put back by a minute for every one that its student has, so that many of one do not delay another''s; nobody waits for ever.';

create function private.is_waiting(job private.analysis_jobs) returns boolean
language sql stable set search_path = '' as $$
  select job.status in ('queued', 'running') and (job.dispatched or job.next_dispatch_at <= now())
$$;
comment on function private.is_waiting is 'Whether a job may be claimed: it is queued and not backing off, or its worker''s lease expired. Called by the queue alone.';

create function private.lock_queue() returns void
language sql set search_path = '' as $$
  select pg_advisory_xact_lock(30, 0)
$$;
comment on function private.lock_queue is 'Lets one transaction at a time claim or dispatch, so that each counts what the others have in flight. Whoever holds it waits for no row. Called by the queue alone.';

create function private.dispatch_jobs(worker text) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  kinds constant private.job_kind[] := array(
    select k.kind from private.job_kinds k where k.worker = dispatch_jobs.worker
  );
  places integer;
  sent integer;
begin
  perform private.lock_queue();
  select s.max_in_flight - count(j.id) into places
  from private.pipeline_settings s
  left join private.analysis_jobs j
    on j.kind = any (kinds)
    and (j.status = 'running' or (j.status = 'queued' and j.dispatched))
    and j.next_dispatch_at > now()
  group by s.max_in_flight;

  with due as (
    select j.id
    from private.analysis_jobs j
    join private.waiting_work w on w.subject_id = coalesce(j.check_in_id, j.unread_id)
    cross join private.pipeline_settings s
    where j.status in ('queued', 'running')
      and j.kind = any (kinds)
      and j.next_dispatch_at <= now()
      and j.attempts < s.max_attempts
    order by w.place, w.subject_id, j.kind, j.ordinal
    limit greatest(places, 0)
    for update of j skip locked
  ),
  announced as (
    -- Not in step, so that jobs whose webhooks were lost together do not come back together.
    update private.analysis_jobs j
    set dispatched = true, next_dispatch_at = now() + s.dispatch_grace * (0.75 + random() / 2)
    from due, private.pipeline_settings s
    where j.id = due.id
    returning j.id, coalesce(j.check_in_id, j.unread_id) as subject_id, j.kind
  )
  select count(
    private.call_function(
      dispatch_jobs.worker,
      jsonb_build_object(
        'type', 'INSERT',
        'schema', 'private',
        'table', 'analysis_jobs',
        'record', jsonb_build_object('id', a.id, 'kind', a.kind)
      ),
      w.trace_id
    )
  )
  into sent
  from announced a
  join private.waiting_work w on w.subject_id = a.subject_id;
  return sent;
end
$$;
comment on function private.dispatch_jobs is 'Sends webhooks that announce the next jobs to their worker, as many as may be in flight; returns how many. Called by the queue alone.';

create function private.dispatch_new_jobs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.dispatch_jobs(w.worker)
  from (select distinct private.worker_of(kind) as worker from new_jobs where kind <> 'fusion') w;
  return null;
end
$$;
comment on function private.dispatch_new_jobs is 'Trigger: dispatches jobs that were just queued, but a fusion, which whoever ended the last step claims or dispatches next.';

create function private.claim_job(worker text, kinds private.job_kind[], announced uuid default null)
returns setof private.analysis_jobs
language plpgsql set search_path = '' as $$
declare
  free private.job_kind[];
  chosen private.analysis_jobs;
begin
  perform private.lock_queue();
  select array_agg(k.kind) into free
  from unnest(kinds) as k (kind)
  cross join private.pipeline_settings s
  where s.max_in_flight > (
    select count(*)
    from private.analysis_jobs r
    where private.worker_of(r.kind) = private.worker_of(k.kind) and r.status = 'running' and not private.is_waiting(r)
  );

  -- A fusion takes milliseconds, and ends a check-in. Otherwise work is looked at by its place, and the others' jobs not at all.
  if 'fusion' = any (free) then
    select j.* into chosen
    from private.analysis_jobs j
    join private.waiting_work w on w.subject_id = j.check_in_id
    cross join private.pipeline_settings s
    where j.kind = 'fusion'
      and j.status in ('queued', 'running')
      and (j.dispatched or j.next_dispatch_at <= now())
      and j.attempts < s.max_attempts
      and (announced is not null or j.attempts = 0)
    order by w.place, w.subject_id
    limit 1
    for update of j skip locked;
  end if;
  if chosen.id is null then
    select j.* into chosen
    from (select subject_id, place from private.waiting_work order by place, subject_id) w
    cross join private.pipeline_settings s
    cross join lateral (
      select *
      from private.analysis_jobs
      where (check_in_id = w.subject_id or unread_id = w.subject_id)
        and kind = any (free)
        and kind <> 'fusion'
        and status in ('queued', 'running')
        and (dispatched or next_dispatch_at <= now())
        and attempts < s.max_attempts
        -- What may have ended an isolate has the next one for itself.
        and (announced is not null or attempts = 0)
      order by kind, ordinal
      limit 1
      for update skip locked
    ) j
    order by w.place, w.subject_id
    limit 1;
  end if;

  -- The webhook has arrived: what it announced waits for that of the job that is claimed in its place, if there is one.
  update private.analysis_jobs
  set dispatched = chosen.dispatched is true and chosen.next_dispatch_at > now(),
    next_dispatch_at = case when chosen.dispatched then chosen.next_dispatch_at else '-infinity' end
  where id = (
    select id
    from private.analysis_jobs
    where id = announced and id is distinct from chosen.id and status = 'queued' and dispatched
    for update skip locked
  );

  if chosen.id is null then
    perform private.dispatch_jobs(w.worker) from (values (worker), ('pipeline-fusion')) as w (worker);
    return;
  end if;
  if chosen.status = 'running' then
    perform private.count_metric('workers_lost', jsonb_build_object('worker', private.worker_of(chosen.kind)));
  end if;
  return query
  update private.analysis_jobs j
  set status = 'running',
    attempts = j.attempts + 1,
    dispatched = false,
    -- The transaction may have waited for the queue's lock.
    next_dispatch_at = clock_timestamp() + case when k.waits_for_provider then s.transcription_lease else s.lease end
  from private.pipeline_settings s, private.job_kinds k
  where j.id = chosen.id and k.kind = chosen.kind
  returning j.*;
end
$$;
comment on function private.claim_job(text, private.job_kind[], uuid) is 'Claims for one attempt the next job of a worker that is of one of the kinds; announced is the job of the webhook that woke the worker, null when it goes on. No row when there is none or enough are running; then others are dispatched that may be. Called by the workers.';

create function private.decline_job(announced uuid) returns void
language sql set search_path = '' as $$
  update private.analysis_jobs
  set dispatched = false, next_dispatch_at = '-infinity'
  where id = announced and status = 'queued' and dispatched
$$;
comment on function private.decline_job is 'Notes that a webhook reached a worker that is busy: the job waits for the next claim or dispatch. Called by the workers.';

create function private.release_job(job uuid, attempt smallint) returns void
language plpgsql set search_path = '' as $$
declare
  worker text;
begin
  update private.analysis_jobs
  set status = 'queued', dispatched = false, next_dispatch_at = '-infinity'
  where id = job and attempts = attempt and status = 'running'
  returning private.worker_of(kind) into worker;
  if worker is not null then
    perform private.dispatch_jobs(worker);
  end if;
end
$$;
comment on function private.release_job is 'Gives back a job whose worker is about to be ended, so that another claims it at once. Called by the workers.';

create function private.dispatch_due_jobs() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  failed uuid[];
  to_advance uuid[];
  sent integer;
begin
  -- Out of attempts, or too old. Locks the student, then the check-in, then the job, as everything else does.
  with exhausted as materialized (
    select j.id, j.check_in_id
    from private.analysis_jobs j, private.pipeline_settings s
    where (j.status = 'queued' or private.is_waiting(j))
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
  ended as (
    update private.analysis_jobs j
    set status = 'failed', error_code = coalesce(j.error_code, case when j.attempts = 0 then 'not_run' else 'worker_lost' end)
    from locked, exhausted
    where j.id = exhausted.id and j.check_in_id = locked.id
      and (j.status = 'queued' or private.is_waiting(j))
    returning j.check_in_id, j.kind
  )
  select array_agg(e.check_in_id) filter (where e.fusion), array_agg(e.check_in_id) filter (where not e.fusion)
  into failed, to_advance
  from (select check_in_id, bool_or(kind = 'fusion') as fusion from ended group by check_in_id) e;
  perform private.end_unread_transcripts();
  -- What waits for rows of students comes first, as advancing takes the queue's lock.
  perform private.fail_check_in(f.id, 'analysis_failed') from unnest(failed) as f (id);
  perform private.let_rules_stand(a.id) from unnest(to_advance) as a (id);
  perform private.advance_check_in(a.id) from unnest(to_advance) as a (id);

  select coalesce(sum(private.dispatch_jobs(w.worker)), 0) into sent
  from (
    select distinct private.worker_of(kind) as worker
    from private.analysis_jobs
    where next_dispatch_at <= now() and status in ('queued', 'running')
  ) w;
  return sent;
end
$$;
comment on function private.dispatch_due_jobs is 'Dispatches jobs whose webhook or worker was lost; fails those that are out of attempts; returns how many it dispatched. Called by cron.';
select cron.schedule('dispatch-due-jobs', '5 seconds', 'select private.dispatch_due_jobs()');

create trigger dispatch_new_jobs after insert on private.analysis_jobs referencing new table as new_jobs
for each statement execute function private.dispatch_new_jobs();
