-- Every change of a job locks the student's account, then the consents, then the check-in, then the job, in the order in which the
-- deletion of an account does, so that they cannot deadlock.
create function private.lock_check_in_for_job(job uuid) returns uuid
language plpgsql set search_path = '' as $$
declare
  found private.analysis_jobs;
  student uuid;
  locked uuid;
begin
  select * into found from private.analysis_jobs where id = job;
  if found.unread_id is not null then
    perform private.lock_unread_transcript(found.unread_id);
    return null;
  end if;
  select c.user_id into student from checkin.check_ins c where c.id = found.check_in_id;
  perform private.hold_consents(student);
  select c.id into locked
  from checkin.check_ins c
  where c.id = found.check_in_id and c.status = 'processing'
  for update;
  return locked;
end
$$;
comment on function private.lock_check_in_for_job is 'Locks the check-in of a job if it is processing, and returns it; null otherwise, and where the job reads words without one, which it locks too. Called by the functions that end a job.';

create function private.finish_job(job uuid, attempt smallint, findings jsonb) returns boolean
language plpgsql set search_path = '' as $$
declare
  check_in uuid := private.lock_check_in_for_job(job);
  student uuid;
  ended private.analysis_jobs;
  level constant checkin.risk_level := findings ->> 'crisis_level';
  -- What rules find in a transcription and is not said outright waits for the reading of its sentences.
  acts_at_once constant boolean := coalesce((findings ->> 'crisis_explicit')::boolean, false);
begin
  update private.analysis_jobs j
  set status = 'done', error_code = null, outcome = case when k.keeps_outcome then findings end
  from private.job_kinds k
  where j.id = job and (j.check_in_id = check_in or j.unread_id is not null) and j.attempts = attempt and j.status = 'running'
    and k.kind = j.kind
  returning j.* into ended;
  if ended is null then
    return false;
  end if;
  if ended.unread_id is not null then
    return private.store_reading(ended.unread_id, findings);
  end if;

  select user_id into student from checkin.check_ins where id = check_in;
  if not private.consents_for(ended.kind) <@ private.consents_in_force(student) then
    update private.analysis_jobs set status = 'failed', error_code = 'no_consent', outcome = null where id = job;
    perform private.let_rules_stand(check_in);
    perform private.advance_check_in(check_in);
    return false;
  end if;
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
        crisis_rule = findings ->> 'crisis_rule',
        -- The reading of its sentences is queued below.
        waiting_crisis_level = case when acts_at_once then 'none' else coalesce(level, 'none') end
      where check_in_id = check_in;
    when 'text' then
      -- The crisis check has a job of its own, which may have ended before.
      insert into checkin.text_analysis
      select (jsonb_populate_record(
        null::checkin.text_analysis,
        findings || (
          select jsonb_build_object('crisis_level', i.crisis_level, 'crisis_rule', i.crisis_rule)
          from private.check_in_inputs i
          where i.check_in_id = check_in
        )
      )).*;
    when 'crisis' then
      update private.check_in_inputs
      set waiting_crisis_level = 'none',
        crisis_rule = findings ->> 'crisis_rule',
        crisis_probability = (findings ->> 'probability')::numeric,
        crisis_passages = nullif(findings -> 'passages', 'null')
      where check_in_id = check_in;
      if findings ->> 'probability' is null then
        perform private.count_metric('crisis_unread');
      end if;
    else
      null;
  end case;
  if ended.kind = 'crisis' or (ended.kind = 'transcription' and acts_at_once) then
    perform private.keep_crisis_level(check_in, student, level);
  end if;
  if ended.kind = 'crisis' then
    update checkin.text_analysis t
    set crisis_level = i.crisis_level, crisis_rule = i.crisis_rule
    from private.check_in_inputs i
    where t.check_in_id = check_in and i.check_in_id = check_in;
  end if;

  perform private.advance_check_in(check_in);
  return true;
end
$$;
comment on function private.finish_job is 'Stores what a job found and the end of the job in one transaction; false when the attempt is no longer the current one, and when a consent that it needs is not in force any more: then nothing of it is stored. Called by the workers.';

create function private.fail_job(job uuid, attempt smallint, code text, retry boolean) returns boolean
language plpgsql set search_path = '' as $$
declare
  check_in uuid := private.lock_check_in_for_job(job);
  ended private.analysis_jobs;
begin
  update private.analysis_jobs j
  set status = case when retry and j.attempts < s.max_attempts then 'queued' else 'failed' end::private.job_status,
    dispatched = false,
    error_code = code,
    next_dispatch_at = now() + private.retry_delay(s.retry_backoff, j.attempts)
  from private.pipeline_settings s
  where j.id = job and (j.check_in_id = check_in or j.unread_id is not null) and j.attempts = attempt and j.status = 'running'
  returning j.* into ended;
  if ended is null then
    return false;
  end if;
  if ended.status = 'failed' then
    if ended.unread_id is not null then
      -- Its rules have been acted on.
      delete from private.unread_transcripts where id = ended.unread_id;
    elsif ended.kind = 'fusion' then
      perform private.fail_check_in(check_in, 'analysis_failed');
    else
      perform private.let_rules_stand(check_in);
      perform private.advance_check_in(check_in);
    end if;
  end if;
  return true;
end
$$;
comment on function private.fail_job is 'Ends an attempt that failed: the job is queued again with backoff, or has failed. False when the attempt is no longer the current one. Called by the workers.';

-- The caller has locked the check-in's row, and advances it after this: whoever holds the queue's lock waits for no row.
create function private.let_rules_stand(check_in uuid) returns void
language plpgsql set search_path = '' as $$
declare
  level checkin.risk_level;
  student uuid;
begin
  select i.waiting_crisis_level, c.user_id into level, student
  from private.check_in_inputs i
  join checkin.check_ins c on c.id = i.check_in_id
  where i.check_in_id = check_in
    and i.waiting_crisis_level > 'none'
    and not exists (
      select
      from private.analysis_jobs j
      cross join private.pipeline_settings s
      where j.check_in_id = check_in and j.kind = 'crisis' and j.status in ('queued', 'running')
        and j.created_at > now() - s.reading_wait
    );
  if level is null then
    return;
  end if;
  update private.check_in_inputs set waiting_crisis_level = 'none' where check_in_id = check_in;
  perform private.keep_crisis_level(check_in, student, level);
  update checkin.text_analysis t set crisis_level = greatest(t.crisis_level, level) where t.check_in_id = check_in;
end
$$;
comment on function private.let_rules_stand is 'Acts on what rules found in a check-in''s words, where the reading of its sentences, for which it waited, has failed for good or is late. Called by the pipeline with the check-in locked, and by the withdrawal of a consent.';

-- By itself, so that it goes on where the dispatch is paused and where the worker is quarantined or does not start.
create function private.let_waiting_rules_stand() returns void
language sql security definer set search_path = '' as $$
  with waiting as materialized (
    select c.id
    from checkin.check_ins c
    join private.check_in_inputs i on i.check_in_id = c.id and i.waiting_crisis_level > 'none'
    join auth.users u on u.id = c.user_id
    where c.status = 'processing'
    order by c.id
    for key share of u skip locked
    for update of c skip locked
  )
  select private.let_rules_stand(id) from waiting
$$;
comment on function private.let_waiting_rules_stand is 'Acts on what rules found in words whose reading is late; rows that are locked wait for the next run. Called by cron.';
select cron.schedule('let-waiting-rules-stand', '15 seconds', 'select private.let_waiting_rules_stand()');

-- The caller has locked the check-in's row.
create function private.advance_check_in(check_in uuid) returns void
language plpgsql set search_path = '' as $$
declare
  reached double precision;
  workers text[];
begin
  insert into private.analysis_jobs (check_in_id, kind)
  select check_in, next.kind
  from private.job_kinds step
  cross join unnest(step.next_kinds) as next (kind)
  where exists (
      select from private.analysis_jobs j
      where j.check_in_id = check_in and j.kind = step.kind and j.status = 'done'
    )
    and not exists (
      select from private.analysis_jobs j
      where j.check_in_id = check_in and j.kind = step.kind and j.status in ('queued', 'running')
    )
  on conflict on constraint analysis_jobs_once do nothing;

  with ready as (
    update private.analysis_jobs j
    set next_dispatch_at = '-infinity'
    from private.job_kinds k
    where j.check_in_id = check_in
      and j.status = 'queued'
      and j.next_dispatch_at = 'infinity'
      and k.kind = j.kind
      and not exists (
        select
        from private.analysis_jobs o
        join private.job_kinds w on w.kind = o.kind
        where o.check_in_id = check_in and o.status in ('queued', 'running') and w.modality = k.waits_for
      )
    returning k.worker
  )
  select array_agg(distinct worker) into workers from ready;
  perform private.dispatch_jobs(w.worker) from unnest(workers) as w (worker);

  insert into private.analysis_jobs (check_in_id, kind)
  select check_in, 'fusion'
  where not exists (
    select from private.analysis_jobs j
    where j.check_in_id = check_in and j.status in ('queued', 'running')
  )
  on conflict on constraint analysis_jobs_once do nothing;

  -- Steps that are not queued yet count as undone, so that progress never goes back.
  with jobs as (
    select j.kind, j.status, k.next_kinds
    from private.analysis_jobs j
    join private.job_kinds k on k.kind = j.kind
    where j.check_in_id = check_in
  ),
  steps as (
    select
      count(*) filter (where j.status in ('done', 'failed')) as ended,
      count(*) + (
        select count(*)
        from private.job_kinds k
        where k.kind not in (select q.kind from jobs q)
          and (k.kind = 'fusion' or k.kind in (select unnest(q.next_kinds) from jobs q))
      ) as total
    from jobs j
  )
  update checkin.check_ins c
  set progress = greatest(c.progress, round((steps.ended::numeric / steps.total), 3))
  from steps
  where c.id = check_in and c.status = 'processing'
  returning c.progress into reached;

  perform private.broadcast_check_in(
    check_in, 'progress', jsonb_build_object('check_in_id', check_in, 'status', 'processing', 'progress', reached)
  );
end
$$;
comment on function private.advance_check_in is 'Queues the steps that have become possible, dispatches those that waited for another modality, and broadcasts the progress. Called by the pipeline with the check-in locked.';

create function private.fail_check_in(check_in uuid, code text, reasons jsonb default null) returns void
language plpgsql set search_path = '' as $$
begin
  delete from private.analysis_jobs where check_in_id = check_in;
  update checkin.check_ins
  set status = 'failed', error_code = code, reasons = fail_check_in.reasons, completed_at = now()
  where id = check_in and status = 'processing';
  if found then
    perform private.broadcast_check_in(
      check_in, 'status', jsonb_build_object('check_in_id', check_in, 'status', 'failed')
    );
    perform private.broadcast_check_in(check_in, 'result', private.check_in_view(check_in));
  end if;
end
$$;
comment on function private.fail_check_in is 'Fails a check-in that cannot be scored, with why each part could not be used. Called by the pipeline with the check-in locked.';
