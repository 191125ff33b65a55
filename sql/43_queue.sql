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
      count(*) filter (where status in ('done', 'failed')) as ended,
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
  'Takes a job for one try; no row when another worker has it or it has ended. Called by the workers.';

-- Every change of a job locks the student's profile, then the check-in, then the job, as the deletion of an account
-- does: one order, no deadlock.
create function private.lock_check_in_for_job(job uuid)
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
comment on function private.lock_check_in_for_job is 'Locks the check-in of a job while it is processing; null when there is none.';

create function private.finish_job(job uuid, attempt smallint, findings jsonb)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  check_in uuid := private.lock_check_in_for_job(job);
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
  check_in uuid := private.lock_check_in_for_job(job);
  ended private.analysis_jobs;
begin
  update private.analysis_jobs j
  set status = case when retry and j.attempts < s.max_attempts then 'queued' else 'failed' end::private.job_status,
    lease_until = null,
    error_code = code,
    next_dispatch_at = now() + s.retry_backoff * power(2, j.attempts - 1)
  from private.pipeline_settings s
  where j.id = job and j.check_in_id = check_in and j.attempts = attempt and j.status = 'running'
  returning j.* into ended;
  if ended is null then
    return false;
  end if;
  if ended.status = 'failed' then
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

create function private.fail_check_in_for_job(job uuid, attempt smallint, code text, risk checkin.risk_level)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  check_in uuid := private.lock_check_in_for_job(job);
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
comment on function private.fail_check_in_for_job is 'Ends the check-in of a fusion job that has nothing to score, keeping the risk that was found. Called by the fusion worker.';
