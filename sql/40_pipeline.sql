create type private.job_kind as enum (
  'audio_slice', 'audio_merge', 'visual_group', 'visual_merge', 'transcription', 'text', 'fusion'
);
comment on type private.job_kind is 'One step of a check-in''s analysis, small enough for one request of a worker.';

create type private.job_status as enum ('queued', 'running', 'done', 'given_up');
comment on type private.job_status is 'queued → running → done | given_up; running → queued when a try fails or its lease runs out.';

create table private.pipeline_settings (
  only_row boolean not null default true,
  lease interval not null default '60 seconds',
  transcription_lease interval not null default '180 seconds',
  ring_grace interval not null default '10 seconds',
  retry_backoff interval not null default '5 seconds',
  max_attempts smallint not null default 3,
  give_up_after interval not null default '24 hours',
  constraint pipeline_settings_pkey primary key (only_row),
  constraint pipeline_settings_only_row check (only_row),
  constraint pipeline_settings_positive check (
    lease > interval '0' and transcription_lease > interval '0' and ring_grace > interval '0'
    and retry_backoff > interval '0' and max_attempts > 0 and give_up_after > interval '0'
  )
);
comment on table private.pipeline_settings is 'What an operator can tune without a deployment. Exactly one row.';
comment on column private.pipeline_settings.only_row is 'Always true: there is one row.';
comment on column private.pipeline_settings.lease is 'How long a worker may hold a job before another may take it; longer than the slowest request.';
comment on column private.pipeline_settings.transcription_lease is 'The same for a transcription, which waits for a provider: longer than TRANSCRIPTION_TIMEOUT_MS.';
comment on column private.pipeline_settings.ring_grace is 'How long a queued job waits for its worker before it is rung again.';
comment on column private.pipeline_settings.retry_backoff is 'Pause after a failed try; doubles with every try.';
comment on column private.pipeline_settings.max_attempts is 'Tries before a job is given up.';
comment on column private.pipeline_settings.give_up_after is 'How long a job may wait for its end, tried or not, before it is given up.';

create table private.check_in_inputs (
  check_in_id uuid not null,
  transcript text,
  transcript_source text not null default 'student',
  crisis_level checkin.risk_level not null default 'none',
  crisis_rule text,
  mood_score double precision,
  conversation_duration double precision,
  missing jsonb not null default '{}',
  constraint check_in_inputs_pkey primary key (check_in_id),
  constraint check_in_inputs_check_in_id_fkey foreign key (check_in_id) references checkin.check_ins (id) on delete cascade,
  constraint check_in_inputs_transcript_length check (char_length(transcript) between 1 and 100000),
  constraint check_in_inputs_transcript_source check (transcript_source in ('student', 'transcribed')),
  constraint check_in_inputs_mood_score_range check (mood_score between 1 and 10),
  constraint check_in_inputs_conversation_duration_range check (conversation_duration between 0 and 86400)
);
comment on table private.check_in_inputs is 'What the student handed in besides media.';
comment on column private.check_in_inputs.check_in_id is 'The check-in.';
comment on column private.check_in_inputs.transcript is 'Words that were spoken, up to 100,000 characters.';
comment on column private.check_in_inputs.transcript_source is 'student, or transcribed by the service.';
comment on column private.check_in_inputs.crisis_level is 'Level of the crisis-language check of the transcript.';
comment on column private.check_in_inputs.crisis_rule is 'Rule of the crisis-language check that matched.';
comment on column private.check_in_inputs.mood_score is 'Self-reported mood, 1 to 10.';
comment on column private.check_in_inputs.conversation_duration is 'Length of the conversation, seconds.';
comment on column private.check_in_inputs.missing is 'Why a modality is missing: object of modality to reason.';

create table private.check_in_media (
  check_in_id uuid not null,
  path text not null,
  kind text not null,
  ordinal smallint not null,
  etag text not null,
  bytes bigint not null,
  info jsonb not null,
  constraint check_in_media_pkey primary key (check_in_id, kind, ordinal),
  constraint check_in_media_check_in_id_fkey foreign key (check_in_id) references checkin.check_ins (id) on delete cascade,
  constraint check_in_media_kind check (kind in ('audio', 'image'))
);
comment on table private.check_in_media is 'Media as it was when the check-in was handed in; a worker refuses what has changed since.';
comment on column private.check_in_media.check_in_id is 'The check-in.';
comment on column private.check_in_media.path is 'Object in the bucket check-in-media.';
comment on column private.check_in_media.kind is 'audio or image.';
comment on column private.check_in_media.ordinal is 'Number among its kind, from 0.';
comment on column private.check_in_media.etag is 'Entity tag that the Storage API gave.';
comment on column private.check_in_media.bytes is 'Size, bytes.';
comment on column private.check_in_media.info is 'What the header says: container and duration, or format and dimensions.';

create table private.analysis_jobs (
  id uuid not null default gen_random_uuid(),
  check_in_id uuid not null,
  kind private.job_kind not null,
  ordinal smallint not null default 0,
  input jsonb not null default '{}',
  status private.job_status not null default 'queued',
  attempts smallint not null default 0,
  rings smallint not null default 0,
  ring_at timestamptz not null,
  lease_until timestamptz,
  outcome jsonb,
  error_code text,
  created_at timestamptz not null default now(),
  constraint analysis_jobs_pkey primary key (id),
  constraint analysis_jobs_check_in_id_fkey foreign key (check_in_id) references checkin.check_ins (id) on delete cascade,
  constraint analysis_jobs_once unique (check_in_id, kind, ordinal),
  constraint analysis_jobs_lease_while_running check ((status = 'running') = (lease_until is not null))
);
comment on table private.analysis_jobs is 'The queue: work of check-ins that are being processed. The webhook is only its doorbell.';
comment on column private.analysis_jobs.id is 'The job.';
comment on column private.analysis_jobs.check_in_id is 'The check-in.';
comment on column private.analysis_jobs.kind is 'Which step it is.';
comment on column private.analysis_jobs.ordinal is 'Number of the slice or group, from 0.';
comment on column private.analysis_jobs.input is 'Slice or group to analyse.';
comment on column private.analysis_jobs.status is 'State of the job.';
comment on column private.analysis_jobs.attempts is 'Tries so far; a worker shows the number it was given, so that a late one changes nothing.';
comment on column private.analysis_jobs.rings is 'How often the doorbell was rung again since the last try.';
comment on column private.analysis_jobs.ring_at is 'When to ring again if nothing has happened.';
comment on column private.analysis_jobs.lease_until is 'Until when the worker that runs it may hold it.';
comment on column private.analysis_jobs.outcome is 'What the step found, for the merge.';
comment on column private.analysis_jobs.error_code is 'Why the last try failed.';
comment on column private.analysis_jobs.created_at is 'When it was queued.';
create index analysis_jobs_ring_at_idx on private.analysis_jobs (ring_at) where status in ('queued', 'running');

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
comment on function private.worker_of is 'Edge function that runs a kind of job.';

create function private.ring(job uuid, kind private.job_kind)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  functions_url text;
  pipeline_secret text;
begin
  select decrypted_secret into functions_url from vault.decrypted_secrets where name = 'functions_url';
  select decrypted_secret into pipeline_secret from vault.decrypted_secrets where name = 'pipeline_secret';
  if functions_url is null or pipeline_secret is null then
    raise warning 'Vault holds no functions_url or pipeline_secret: jobs wait until it does.';
    return;
  end if;
  perform net.http_post(
    url := functions_url || '/' || private.worker_of(kind),
    body := jsonb_build_object(
      'type', 'INSERT',
      'schema', 'private',
      'table', 'analysis_jobs',
      'record', jsonb_build_object('id', job, 'kind', kind)
    ),
    headers := jsonb_build_object(
      'content-type', 'application/json',
      'authorization', 'Bearer ' || pipeline_secret
    ),
    timeout_milliseconds := 5000
  );
end
$$;
comment on function private.ring is 'Database webhook: tells the worker of a job that it is there. Called by the queue alone.';

create function private.schedule_first_ring()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.ring_at := coalesce(new.ring_at, now() + (select ring_grace from private.pipeline_settings));
  return new;
end
$$;
comment on function private.schedule_first_ring is 'Trigger: when to ring again if the first ring is lost.';

create trigger schedule_first_ring
before insert on private.analysis_jobs
for each row execute function private.schedule_first_ring();

create function private.ring_new_jobs()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.ring(id, kind) from new_jobs;
  return null;
end
$$;
comment on function private.ring_new_jobs is 'Trigger: rings for each job that was just queued.';

create trigger ring_new_jobs
after insert on private.analysis_jobs
referencing new table as new_jobs
for each statement execute function private.ring_new_jobs();

create function private.broadcast_check_in(check_in uuid, event text, payload jsonb)
returns void
language sql
security definer
set search_path = ''
as $$
  select realtime.send(payload, event, 'check-in:' || check_in, true)
$$;
comment on function private.broadcast_check_in is 'Tells the student''s devices, when the transaction commits. Called by the pipeline.';

create function private.crisis_resources(student uuid)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(
    (
      select case when u.crisis_phone is null then '[]'::jsonb
          else jsonb_build_array(jsonb_build_object('name', u.short_name || ' crisis line', 'phone', u.crisis_phone, 'website', null))
        end || u.resources
      from public.profiles p
      join public.universities u on u.id = p.university_id
      where p.user_id = student and (u.crisis_phone is not null or u.resources <> '[]')
    ),
    '[]'
  ) || jsonb_build_array(
    jsonb_build_object('name', 'Emergency services', 'phone', '112', 'website', null),
    jsonb_build_object('name', 'Find a helpline in your country', 'phone', null, 'website', 'https://findahelpline.com')
  )
$$;
comment on function private.crisis_resources is 'Help shown with every result: array of {name, phone, website}.';

create function private.check_in_view(check_in uuid)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object(
      'id', c.id,
      'type', c.type,
      'status', c.status,
      'progress', c.progress,
      'created_at', c.created_at,
      'expires_at', c.expires_at,
      'error', case when c.status = 'failed' then jsonb_build_object(
        'code', c.error_code,
        'message', case
          when c.risk_level = 'high' then 'We could not score this check-in, and what you said matters. Please talk to someone now: the contacts below are there for you.'
          when c.error_code = 'nothing_to_score' then 'Nothing that was sent could be analysed. Record again in a quiet place and send the check-in once more.'
          else 'The analysis could not be finished. Send the check-in once more.'
        end
      ) end
    ))
    || jsonb_build_object('completed_at', c.completed_at)
    || case when r.check_in_id is null then '{}'::jsonb else jsonb_build_object('result', jsonb_build_object(
      'score', r.score,
      'uncertainty', r.uncertainty,
      'direction_of_change', r.direction_of_change,
      'significance', r.significance,
      'risk_level', r.risk_level,
      'summary', r.summary,
      'themes', r.themes,
      'drivers_positive', r.drivers_positive,
      'drivers_negative', r.drivers_negative,
      'drivers', r.drivers,
      'components', r.components,
      'baseline', r.baseline,
      'crisis_resources', private.crisis_resources(c.user_id),
      'algorithm_version', r.algorithm_version
    )) end
    || case when c.status = 'failed'
      then jsonb_build_object('crisis_resources', private.crisis_resources(c.user_id))
      else '{}'::jsonb
    end
  from checkin.check_ins c
  left join checkin.fusion_results r on r.check_in_id = c.id and c.status = 'complete'
  where c.id = check_in
$$;
comment on function private.check_in_view is 'A check-in as the API answers it and the channel announces it.';

create function private.submit_check_in(
  check_in uuid,
  student uuid,
  inputs jsonb,
  media jsonb,
  jobs jsonb
)
returns text
language plpgsql
set search_path = ''
as $$
declare
  held checkin.check_ins;
begin
  perform from public.profiles where user_id = student for key share;
  select * into held from checkin.check_ins where id = check_in and user_id = student for update;
  if held is null then
    return 'not_found';
  end if;
  if held.status in ('processing', 'complete') then
    return 'unchanged';
  end if;
  if held.status = 'expired' or (held.status = 'created' and held.expires_at <= now()) then
    update checkin.check_ins set status = 'expired' where id = check_in;
    return 'expired';
  end if;
  if held.submissions >= 3 then
    return 'too_many_submissions';
  end if;

  delete from checkin.audio_analysis where check_in_id = check_in;
  delete from checkin.visual_analysis where check_in_id = check_in;
  delete from checkin.text_analysis where check_in_id = check_in;
  delete from private.check_in_inputs where check_in_id = check_in;
  delete from private.check_in_media where check_in_id = check_in;
  delete from private.analysis_jobs where check_in_id = check_in;

  update checkin.check_ins
  set status = 'processing',
    progress = 0,
    submissions = submissions + 1,
    submitted_at = now(),
    completed_at = null,
    error_code = null,
    -- What was found when it was handed in before keeps counting.
    risk_level = greatest(risk_level, (inputs ->> 'crisis_level')::checkin.risk_level)
  where id = check_in;

  insert into private.check_in_inputs (
    check_in_id, transcript, crisis_level, crisis_rule, mood_score, conversation_duration, missing
  )
  select
    check_in,
    i.transcript,
    coalesce(i.crisis_level, 'none'),
    i.crisis_rule,
    i.mood_score,
    i.conversation_duration,
    coalesce(i.missing, '{}')
  from jsonb_to_record(inputs) as i (
    transcript text,
    crisis_level checkin.risk_level,
    crisis_rule text,
    mood_score double precision,
    conversation_duration double precision,
    missing jsonb
  );

  insert into private.check_in_media (check_in_id, path, kind, ordinal, etag, bytes, info)
  select check_in, m.path, m.kind, m.ordinal, m.etag, m.bytes, m.info
  from jsonb_to_recordset(media) as m (
    path text, kind text, ordinal smallint, etag text, bytes bigint, info jsonb
  );

  insert into private.analysis_jobs (check_in_id, kind, ordinal, input)
  select check_in, j.kind, j.ordinal, coalesce(j.input, '{}')
  from jsonb_to_recordset(jobs) as j (kind private.job_kind, ordinal smallint, input jsonb);

  perform private.advance_check_in(check_in);
  perform private.broadcast_check_in(
    check_in, 'status', jsonb_build_object('check_in_id', check_in, 'status', 'processing')
  );
  return 'accepted';
end
$$;
comment on function private.submit_check_in is
  'Hands a check-in in for analysis, once however often it is called: accepted, unchanged, expired, too_many_submissions or not_found. Called by the function checkins.';

-- The caller holds the lock on the check-in's row.
create function private.advance_check_in(check_in uuid)
returns void
language plpgsql
set search_path = ''
as $$
declare
  share double precision;
begin
  insert into private.analysis_jobs (check_in_id, kind)
  select check_in, step.next_kind
  from (values
    ('audio_slice'::private.job_kind, 'audio_merge'::private.job_kind),
    ('visual_group', 'visual_merge'),
    ('transcription', 'text')
  ) as step (kind, next_kind)
  where exists (
      select from private.analysis_jobs j
      where j.check_in_id = check_in and j.kind = step.kind and j.status = 'done'
    )
    and not exists (
      select from private.analysis_jobs j
      where j.check_in_id = check_in and j.kind = step.kind and j.status in ('queued', 'running')
    )
  on conflict on constraint analysis_jobs_once do nothing;

  insert into private.analysis_jobs (check_in_id, kind)
  select check_in, 'fusion'
  where not exists (
    select from private.analysis_jobs j
    where j.check_in_id = check_in and j.status in ('queued', 'running')
  )
  on conflict on constraint analysis_jobs_once do nothing;

  -- Steps that are yet to be queued count as undone, so that progress never falls.
  with steps as (
    select
      count(*) filter (where status in ('done', 'given_up')) as ended,
      count(*)
        + (bool_or(kind = 'audio_slice') and not bool_or(kind = 'audio_merge'))::int
        + (bool_or(kind = 'visual_group') and not bool_or(kind = 'visual_merge'))::int
        + (bool_or(kind = 'transcription') and not bool_or(kind = 'text'))::int
        + (not bool_or(kind = 'fusion'))::int as total
    from private.analysis_jobs
    where check_in_id = check_in
  )
  update checkin.check_ins c
  set progress = greatest(c.progress, round((steps.ended::numeric / steps.total), 3))
  from steps
  where c.id = check_in and c.status = 'processing'
  returning c.progress into share;

  perform private.broadcast_check_in(
    check_in, 'progress', jsonb_build_object('check_in_id', check_in, 'status', 'processing', 'progress', share)
  );
end
$$;
comment on function private.advance_check_in is
  'Queues the steps that have become possible and announces the progress. Called by the pipeline with the check-in locked.';

create function private.claim_job(job uuid)
returns setof private.analysis_jobs
language sql
set search_path = ''
as $$
  update private.analysis_jobs j
  set status = 'running',
    attempts = j.attempts + 1,
    rings = 0,
    lease_until = now() + case j.kind when 'transcription' then s.transcription_lease else s.lease end,
    ring_at = now() + case j.kind when 'transcription' then s.transcription_lease else s.lease end
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
  'Takes a job for one try; no row when another worker has it or it has ended. Called by the workers.';

-- Every change of a job locks the student's profile, then the check-in, then the job, as the deletion of an account
-- does: one order, no deadlock.
create function private.hold_check_in_of(job uuid)
returns uuid
language plpgsql
set search_path = ''
as $$
declare
  held uuid;
begin
  perform
  from public.profiles
  where user_id = (
    select c.user_id
    from checkin.check_ins c
    join private.analysis_jobs j on j.check_in_id = c.id
    where j.id = job
  )
  for key share;

  select c.id into held
  from checkin.check_ins c
  where c.id = (select check_in_id from private.analysis_jobs where id = job) and c.status = 'processing'
  for update;
  return held;
end
$$;
comment on function private.hold_check_in_of is 'Locks the check-in of a job while it is processing; null when there is none.';

create function private.finish_job(job uuid, attempt smallint, findings jsonb)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  check_in uuid := private.hold_check_in_of(job);
  student uuid;
  ended private.analysis_jobs;
begin
  update private.analysis_jobs
  set status = 'done', lease_until = null, error_code = null,
    outcome = case when kind in ('audio_slice', 'visual_group') then findings end
  where id = job and check_in_id = check_in and attempts = attempt and status = 'running'
  returning * into ended;
  if ended is null then
    return false;
  end if;

  select user_id into student from checkin.check_ins where id = check_in;
  findings := findings || jsonb_build_object('check_in_id', check_in, 'user_id', student, 'created_at', now());
  case ended.kind
    when 'audio_merge' then
      insert into checkin.audio_analysis select (jsonb_populate_record(null::checkin.audio_analysis, findings)).*;
    when 'visual_merge' then
      insert into checkin.visual_analysis select (jsonb_populate_record(null::checkin.visual_analysis, findings)).*;
    when 'transcription' then
      update private.check_in_inputs
      set transcript = nullif(left(findings ->> 'transcript', 100000), ''),
        transcript_source = 'transcribed',
        crisis_level = (findings ->> 'crisis_level')::checkin.risk_level,
        crisis_rule = findings ->> 'crisis_rule'
      where check_in_id = check_in;
      update checkin.check_ins
      set risk_level = greatest(risk_level, (findings ->> 'crisis_level')::checkin.risk_level)
      where id = check_in;
    when 'text' then
      insert into checkin.text_analysis select (jsonb_populate_record(null::checkin.text_analysis, findings)).*;
    else
      null;
  end case;

  perform private.advance_check_in(check_in);
  return true;
end
$$;
comment on function private.finish_job is
  'Stores what a job found and the job''s end in one transaction; false when the try is no longer the current one. Called by the workers.';

create function private.fail_job(job uuid, attempt smallint, code text, retry boolean)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  check_in uuid := private.hold_check_in_of(job);
  ended private.analysis_jobs;
begin
  update private.analysis_jobs j
  set status = case when retry and j.attempts < s.max_attempts then 'queued' else 'given_up' end::private.job_status,
    lease_until = null,
    error_code = code,
    ring_at = now() + s.retry_backoff * power(2, j.attempts - 1)
  from private.pipeline_settings s
  where j.id = job and j.check_in_id = check_in and j.attempts = attempt and j.status = 'running'
  returning j.* into ended;
  if ended is null then
    return false;
  end if;
  if ended.status = 'given_up' then
    if ended.kind = 'fusion' then
      perform private.fail_check_in(check_in, 'analysis_failed');
    else
      perform private.advance_check_in(check_in);
    end if;
  end if;
  return true;
end
$$;
comment on function private.fail_job is
  'Ends a try that failed: queued again with backoff, or given up. Called by the workers.';

create function private.fail_check_in(check_in uuid, code text)
returns void
language plpgsql
set search_path = ''
as $$
begin
  delete from private.analysis_jobs where check_in_id = check_in;
  update checkin.check_ins
  set status = 'failed', error_code = code, completed_at = now()
  where id = check_in and status = 'processing';
  if found then
    perform private.broadcast_check_in(
      check_in, 'status', jsonb_build_object('check_in_id', check_in, 'status', 'failed')
    );
    perform private.broadcast_check_in(check_in, 'result', private.check_in_view(check_in));
  end if;
end
$$;
comment on function private.fail_check_in is 'Ends a check-in that cannot be scored. Called by the pipeline with the check-in locked.';

create function private.give_up_check_in(job uuid, attempt smallint, code text, risk checkin.risk_level)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  check_in uuid := private.hold_check_in_of(job);
begin
  if not exists (
    select from private.analysis_jobs
    where id = job and check_in_id = check_in and attempts = attempt and status = 'running'
  ) then
    return false;
  end if;
  update checkin.check_ins set risk_level = greatest(risk_level, risk) where id = check_in;
  perform private.fail_check_in(check_in, code);
  return true;
end
$$;
comment on function private.give_up_check_in is 'Ends the check-in of a fusion job that has nothing to score, keeping the risk that was found. Called by the fusion worker.';

create function private.fusion_input(check_in uuid)
returns jsonb
language sql
stable
set search_path = ''
as $$
  select jsonb_build_object(
    'audio', case when held.audio then to_jsonb(a) end,
    'visual', case when held.camera then to_jsonb(v) end,
    'text', case when held.text then to_jsonb(t) end,
    'crisis', jsonb_build_object('level', coalesce(c.risk_level, 'none'), 'rule', i.crisis_rule),
    'mood_score', i.mood_score,
    'missing', i.missing
      || coalesce(
        (
          select jsonb_object_agg(g.modality, g.reason)
          from (
            select case
                when kind in ('audio_slice', 'audio_merge') then 'audio'
                when kind in ('visual_group', 'visual_merge') then 'visual'
                else 'text'
              end as modality, max(error_code) as reason
            from private.analysis_jobs
            where check_in_id = check_in and status = 'given_up'
            group by 1
          ) g
        ),
        '{}'
      )
      || case when held.audio then '{}' else '{"audio": "no_consent"}'::jsonb end
      || case when held.camera then '{}' else '{"visual": "no_consent"}'::jsonb end
      || case when held.text then '{}' else '{"text": "no_consent"}'::jsonb end,
    'baseline', b.state,
    'baseline_version', coalesce(b.version, 0)
  )
  from checkin.check_ins c
  join private.check_in_inputs i on i.check_in_id = c.id
  left join checkin.audio_analysis a on a.check_in_id = c.id
  left join checkin.visual_analysis v on v.check_in_id = c.id
  left join checkin.text_analysis t on t.check_in_id = c.id
  left join checkin.user_baselines b on b.user_id = c.user_id
  cross join lateral (
    select
      private.has_consent(c.user_id, 'audio') as audio,
      private.has_consent(c.user_id, 'camera') as camera,
      private.has_consent(c.user_id, 'text') as text
  ) held
  where c.id = check_in
$$;
comment on function private.fusion_input is 'All that the fusion of a check-in reads, in one snapshot; only what consents are in force for. Called by the fusion worker.';

create function private.complete_check_in(
  job uuid,
  attempt smallint,
  result jsonb,
  next_baseline jsonb,
  baseline_version integer
)
returns text
language plpgsql
set search_path = ''
as $$
declare
  check_in uuid := private.hold_check_in_of(job);
  student uuid;
begin
  if not exists (
    select from private.analysis_jobs
    where id = job and check_in_id = check_in and attempts = attempt and status = 'running'
  ) then
    return 'stale';
  end if;
  select user_id into student from checkin.check_ins where id = check_in;

  insert into checkin.user_baselines as b (user_id, version, check_ins, score_mean, score_sd, state)
  select student, 1, n.check_ins, n.score_mean, n.score_sd, n.state
  from jsonb_to_record(next_baseline) as n (
    check_ins integer, score_mean double precision, score_sd double precision, state jsonb
  )
  on conflict (user_id) do update
  set version = b.version + 1,
    check_ins = excluded.check_ins,
    score_mean = excluded.score_mean,
    score_sd = excluded.score_sd,
    state = excluded.state,
    updated_at = now()
  where b.version = complete_check_in.baseline_version;
  if not found then
    return 'baseline_moved';
  end if;

  insert into checkin.fusion_results
  select (jsonb_populate_record(
    null::checkin.fusion_results,
    result || jsonb_build_object('check_in_id', check_in, 'user_id', student, 'created_at', now())
  )).*;
  delete from private.analysis_jobs where check_in_id = check_in;
  update checkin.check_ins
  set status = 'complete',
    progress = 1,
    completed_at = now(),
    risk_level = greatest(risk_level, (result ->> 'risk_level')::checkin.risk_level)
  where id = check_in;

  perform private.broadcast_check_in(
    check_in, 'progress', jsonb_build_object('check_in_id', check_in, 'status', 'complete', 'progress', 1)
  );
  perform private.broadcast_check_in(
    check_in, 'status', jsonb_build_object('check_in_id', check_in, 'status', 'complete')
  );
  perform private.broadcast_check_in(check_in, 'result', private.check_in_view(check_in));
  return 'stored';
end
$$;
comment on function private.complete_check_in is
  'Stores score, baseline and end of a check-in in one transaction: stored, baseline_moved (read again) or stale. Called by the fusion worker.';

create function private.ring_due_jobs()
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  ended integer;
  rung integer;
begin
  -- Out of tries, or waiting for too long: locked check-in first, as everywhere.
  with hopeless as materialized (
    select j.id, j.check_in_id
    from private.analysis_jobs j, private.pipeline_settings s
    where (j.status = 'queued' or (j.status = 'running' and j.lease_until <= now()))
      and (j.attempts >= s.max_attempts or j.created_at <= now() - s.give_up_after)
  ),
  held as materialized (
    select c.id
    from checkin.check_ins c
    where c.status = 'processing' and c.id in (select check_in_id from hopeless)
    order by c.id
    for update skip locked
  ),
  given_up as (
    update private.analysis_jobs j
    set status = 'given_up', lease_until = null, error_code = coalesce(j.error_code, 'worker_lost')
    from held, hopeless
    where j.id = hopeless.id and j.check_in_id = held.id
      and (j.status = 'queued' or (j.status = 'running' and j.lease_until <= now()))
    returning j.check_in_id, j.kind
  )
  select count(
    case when g.fusion then private.fail_check_in(g.check_in_id, 'analysis_failed')
      else private.advance_check_in(g.check_in_id)
    end
  )
  into ended
  from (select check_in_id, bool_or(kind = 'fusion') as fusion from given_up group by check_in_id) g;

  with due as (
    select j.id
    from private.analysis_jobs j
    where j.ring_at <= now()
      and (j.status = 'queued' or (j.status = 'running' and j.lease_until <= now()))
    order by j.ring_at
    limit 100
    for update skip locked
  ),
  due_again as (
    update private.analysis_jobs j
    set rings = least(j.rings + 1, 10),
      ring_at = now() + least(s.ring_grace * power(2, j.rings), interval '5 minutes')
    from due, private.pipeline_settings s
    where j.id = due.id
    returning j.id, j.kind
  )
  select count(private.ring(id, kind)) into rung from due_again;
  return rung;
end
$$;
comment on function private.ring_due_jobs is
  'Rings again for jobs whose worker did not come or was lost, with backoff; gives up those out of tries; returns how often it rang. Called by cron.';

create function private.expire_check_ins()
returns void
language sql
security definer
set search_path = ''
as $$
  update checkin.check_ins
  set status = 'expired'
  where id in (
    select id
    from checkin.check_ins
    where status = 'created' and expires_at <= now()
    for update skip locked
  )
$$;
comment on function private.expire_check_ins is 'Ends check-ins that were started and never handed in. Called by cron.';
