create table private.check_in_inputs (
  check_in_id uuid not null,
  transcript text,
  transcript_source text not null default 'student',
  crisis_level checkin.risk_level not null default 'none',
  crisis_rule text,
  waiting_crisis_level checkin.risk_level not null default 'none',
  crisis_probability numeric(3, 2),
  crisis_passages jsonb constraint check_in_inputs_crisis_passages_array check (jsonb_typeof(crisis_passages) = 'array'),
  mood_score double precision,
  conversation_duration double precision,
  missing jsonb not null default '{}' constraint check_in_inputs_missing_object check (jsonb_typeof(missing) = 'object'),
  created_at timestamptz not null default now(),
  constraint check_in_inputs_pkey primary key (check_in_id),
  constraint check_in_inputs_check_in_id_fkey foreign key (check_in_id) references checkin.check_ins (id) on delete cascade,
  constraint check_in_inputs_transcript_length check (char_length(transcript) between 1 and 100000),
  constraint check_in_inputs_transcript_source check (transcript_source in ('student', 'transcribed')),
  constraint check_in_inputs_crisis_probability_range check (crisis_probability between 0 and 1),
  constraint check_in_inputs_mood_score_range check (mood_score between 1 and 10),
  constraint check_in_inputs_conversation_duration_range check (conversation_duration between 0 and 86400)
);
select private.describe('private.check_in_inputs', 'What the student submitted besides media; of a submission that was rejected the crisis level alone.', $$
  check_in_id: The check-in.
  transcript: Transcript of what the student said, up to 100,000 characters.
  transcript_source: student if the app sent the transcript, transcribed if the service made it.
  crisis_level: Highest level that the crisis-language check, or another reading, found in words of this check-in, also in those of earlier or rejected submissions.
  crisis_rule: What decided the level of this transcript, by the name of the rule; null if nothing was found.
  waiting_crisis_level: Level that rules found in this transcript and that is not acted on before the sentence encoder has read it, or cannot; none where nothing waits.
  crisis_probability: How likely the sentence encoder finds a disclosure in this transcript, 0 to 1; null until it has read it, and without its weights.
  crisis_passages: The at most three most suspicious passages, as [from, to) in UTF-16 units of the transcript; null like crisis_probability. Example: [[412, 498], [36, 120]]
  mood_score: Self-reported mood, 1 to 10.
  conversation_duration: Length of the conversation, seconds.
  missing: Why a modality is missing: an object of reasons by modality. Example: {"visual": "no_consent"}
  created_at: When it was submitted.
$$);
create index check_in_inputs_transcript_created_at_idx on private.check_in_inputs (created_at) where transcript is not null;

select private.declare_data('private.check_in_inputs', '{transcript}', 'To analyse what the student said.', 'student', 'words',
  't.check_in_id in (select c.id from checkin.check_ins c where c.user_id = $1)', term => 'transcripts');
select private.declare_data('private.check_in_inputs',
  '{check_in_id, transcript_source, crisis_level, crisis_rule, waiting_crisis_level, crisis_probability, crisis_passages, mood_score,
    conversation_duration, missing, created_at}',
  'What the student submitted besides media, and what the crisis check found.', 'student', 'health',
  't.check_in_id in (select c.id from checkin.check_ins c where c.user_id = $1)', term => 'results');
select private.declare_audited('private.check_in_inputs', 'check_in_id', 'by_hand');

create table private.check_in_media (
  check_in_id uuid not null,
  path text not null,
  kind text not null,
  ordinal smallint not null,
  etag text not null,
  bytes bigint not null,
  info jsonb not null constraint check_in_media_info_object check (jsonb_typeof(info) = 'object'),
  created_at timestamptz not null default now(),
  constraint check_in_media_pkey primary key (check_in_id, kind, ordinal),
  constraint check_in_media_check_in_id_fkey foreign key (check_in_id) references checkin.check_ins (id) on delete cascade,
  constraint check_in_media_kind check (kind in ('audio', 'image'))
);
select private.describe('private.check_in_media', 'Media as it was when the check-in was submitted; a worker rejects objects that have changed since.', $$
  check_in_id: The check-in.
  path: Object in the bucket check-in-media, or check-in-images.
  kind: audio or image.
  ordinal: Index among the media of its kind, from 0.
  etag: Entity tag returned by the Storage API.
  bytes: Size, bytes.
  info: What the file's header says: container and duration, or format and dimensions. Example: {"container": "mp4", "codec": "aac", "durationS": 94.2, "sampleRateHz": 48000, "channels": 1}
  created_at: When it was submitted.
$$);
create index check_in_media_created_at_idx on private.check_in_media (created_at);

select private.declare_data('private.check_in_media', '{check_in_id, path, kind, ordinal, etag, bytes, info, created_at}',
  'To find the recordings and pictures, and to reject those that have changed.', 'student', 'voice_and_image',
  't.check_in_id in (select c.id from checkin.check_ins c where c.user_id = $1)', term => 'raw_media');
select private.declare_audited('private.check_in_media', 'check_in_id', 'by_hand');

create function private.start_check_in(student uuid, wanted public.assessment_type, trace_id text) returns setof checkin.check_ins
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.user_roles r where r.user_id = student and r.role = 'student') then
    return;
  end if;
  -- Locks the account first, as its deletion does.
  perform from auth.users u where u.id = student for key share;
  -- Again where the one that was in the way is submitted meanwhile.
  loop
    update checkin.check_ins c
    set status = 'expired'
    where c.user_id = student and c.type = wanted and c.status = 'created' and c.expires_at <= now();
    if not private.has_room_for_check_in(student) and not exists (
      select from checkin.check_ins c where c.user_id = student and c.type = wanted and c.status = 'created'
    ) then
      perform private.refuse(403, 'storage_full', 'The media of your check-ins take up all your space. Ask the operator.');
    end if;
    return query
      insert into checkin.check_ins as c (user_id, type, trace_id)
      values (student, wanted, start_check_in.trace_id)
      on conflict (user_id, type) where status = 'created' do nothing
      returning c.*;
    exit when found;
    return query
      update checkin.check_ins c
      set expires_at = default
      where c.user_id = student and c.type = wanted and c.status = 'created'
      returning c.*;
    exit when found;
  end loop;
end
$$;
comment on function private.start_check_in is 'Starts a check-in, or gives the one of this type back that the student has started and not submitted, which can be submitted for another 24 hours; no row for somebody who is no student. Error 403 storage_full for a new one without room. Called by the edge functions.';

create function private.current_check_in(student uuid, wanted public.assessment_type) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.check_in_view(c.id)
  from checkin.check_ins c
  where c.user_id = student
    and (c.status = 'processing' or (c.status = 'created' and c.expires_at > now()))
    and (wanted is null or c.type = wanted)
  -- Each start leaves 24 hours.
  order by coalesce(c.submitted_at, c.expires_at - interval '24 hours') desc
  limit 1
$$;
comment on function private.current_check_in is 'The check-in that the student started, went on with or submitted last, of this type or of any, while it can be submitted or is being processed; null when there is none. Called by the function checkins.';

create function private.purge_raw_media(cutoff timestamptz, at timestamptz, most integer) returns integer
language plpgsql set search_path = '' as $$
declare
  deleted integer;
begin
  with due as materialized (
    select m.ctid
    from private.check_in_media m
    join checkin.check_ins c on c.id = m.check_in_id
    where m.created_at < cutoff and c.completed_at < cutoff
    order by m.created_at
    limit most
    for update of m skip locked
  ),
  gone as (
    delete from private.check_in_media m where m.ctid = any (array(select ctid from due)) returning m.kind, m.path
  ),
  queued as materialized (
    select private.queue_object_removal(case kind when 'audio' then 'check-in-media' else 'check-in-images' end, path, 'retention')
    from gone
    order by path
  )
  select count(*) into deleted from queued;
  return deleted;
end
$$;
comment on function private.purge_raw_media is
  'Deletes the recordings and pictures of check-ins that ended before the cutoff, and queues their files for removal; returns how many. Called by private.purge_kind.';

create function private.purge_transcripts(cutoff timestamptz, at timestamptz, most integer) returns integer
language sql set search_path = '' as $$
  with gone as (
    update private.check_in_inputs i
    set transcript = null, crisis_rule = null, crisis_probability = null, crisis_passages = null
    where i.check_in_id = any (array(
      select n.check_in_id
      from private.check_in_inputs n
      join checkin.check_ins c on c.id = n.check_in_id
      where n.transcript is not null and n.created_at < cutoff and c.completed_at < cutoff
      order by n.created_at
      limit most
      for update of n skip locked
    ))
    returning 1
  )
  select count(*)::integer from gone
$$;
comment on function private.purge_transcripts is
  'Takes the transcript out of check-ins that ended before the cutoff; returns how many. Called by private.purge_kind.';

create function private.purge_results(cutoff timestamptz, at timestamptz, most integer) returns integer
language plpgsql set search_path = '' as $$
declare
  students uuid[];
  deleted integer;
begin
  -- Locks the student too, as the deletion of an account does.
  with due as materialized (
    select c.id
    from checkin.check_ins c
    join auth.users u on u.id = c.user_id
    where c.created_at < cutoff and c.status <> 'processing'
    order by c.created_at
    limit most
    for key share of u skip locked
    for update of c skip locked
  ),
  gone as (
    delete from checkin.check_ins c where c.id = any (array(select id from due)) returning c.user_id
  )
  select count(*), array_agg(distinct user_id order by user_id) into deleted, students from gone;
  perform private.refresh_last_result(student) from unnest(students) as student;
  return deleted;
end
$$;
comment on function private.purge_results is
  'Deletes check-ins from before the cutoff, and brings the last result of their students up to date; returns how many. Called by private.purge_kind.';

create function private.submit_check_in(check_in uuid, student uuid, inputs jsonb, media jsonb, jobs jsonb) returns text
language plpgsql set search_path = '' as $$
declare
  existing checkin.check_ins;
  -- What was found in an earlier submission still counts.
  earlier checkin.risk_level;
  -- What was agreed to when the caller looked may be withdrawn by now.
  agreed public.consent_kind[];
  allowance record;
  level constant checkin.risk_level := coalesce((inputs ->> 'crisis_level')::checkin.risk_level, 'none');
  acts_at_once boolean;
begin
  perform private.hold_consents(student);
  agreed := private.consents_in_force(student);
  select * into existing from checkin.check_ins where id = check_in and user_id = student for update;
  if existing is null then
    return 'not_found';
  end if;
  if existing.status in ('processing', 'complete') then
    return 'unchanged';
  end if;
  if existing.status = 'expired' or (existing.status = 'created' and existing.expires_at <= now()) then
    update checkin.check_ins set status = 'expired' where id = check_in;
    return 'expired';
  end if;
  if existing.submissions >= 3 then
    return 'too_many_submissions';
  end if;
  if existing.submissions = 0 then
    select * into allowance from private.consume_rate_limit(student, 'check-in-submission', student);
    if not allowance.allowed then
      perform nextval('private.limited_submissions');
      perform private.refuse_for(
        allowance.reset_s, format('You have submitted as many check-ins as a day allows. Try again in %s s.', allowance.reset_s)
      );
    end if;
  end if;

  -- What is said outright is acted on at once; the rest when its sentences have been read, if they will be.
  acts_at_once := coalesce((inputs ->> 'crisis_explicit')::boolean, false)
    or not 'text' = any (agreed)
    or not exists (select from jsonb_to_recordset(jobs) as j (kind private.job_kind) where j.kind = 'crisis');

  select i.crisis_level into earlier from private.check_in_inputs i where i.check_in_id = check_in;
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
    reasons = null,
    -- A risk that was found after an earlier submission still counts.
    risk_level = greatest(risk_level, case when acts_at_once then (inputs ->> 'crisis_level')::checkin.risk_level end)
  where id = check_in;

  insert into private.check_in_inputs (
    check_in_id, transcript, crisis_level, crisis_rule, waiting_crisis_level, mood_score, conversation_duration, missing
  )
  select
    check_in,
    case when 'text' = any (agreed) then i.transcript end,
    coalesce(greatest(case when acts_at_once then level end, earlier), 'none'),
    i.crisis_rule,
    case when acts_at_once then 'none' else level end,
    i.mood_score, i.conversation_duration,
    coalesce(i.missing, '{}')
  from jsonb_to_record(inputs) as i (
    transcript text,
    crisis_rule text,
    mood_score double precision,
    conversation_duration double precision,
    missing jsonb
  );

  -- The trigger on the check-in's level opens none when that was high before, and its review was closed.
  if acts_at_once then
    perform private.open_clinical_review(student, 'check_in', check_in, level);
  end if;

  insert into private.check_in_media (check_in_id, path, kind, ordinal, etag, bytes, info)
  select check_in, m.path, m.kind, m.ordinal, m.etag, m.bytes, m.info
  from jsonb_to_recordset(media) as m (path text, kind text, ordinal smallint, etag text, bytes bigint, info jsonb)
  where case m.kind when 'audio' then 'audio' else 'camera' end::public.consent_kind = any (agreed);

  insert into private.analysis_jobs (check_in_id, kind, ordinal, input, next_dispatch_at)
  select
    check_in, j.kind, j.ordinal, coalesce(j.input, '{}'),
    case when k.waits_for is null then '-infinity' else 'infinity' end::timestamptz
  from jsonb_to_recordset(jobs) as j (kind private.job_kind, ordinal smallint, input jsonb)
  join private.job_kinds k on k.kind = j.kind
  where k.consents <@ agreed;

  perform private.advance_check_in(check_in);
  perform private.broadcast_check_in(
    check_in, 'status', jsonb_build_object('check_in_id', check_in, 'status', 'processing')
  );
  return 'accepted';
end
$$;
comment on function private.submit_check_in is 'Submits a check-in for analysis; calling it again changes nothing. Returns accepted, unchanged, expired, too_many_submissions or not_found; error 429 rate_limited once as many were submitted as a day allows. Called by the function checkins.';

create function private.keep_crisis_level(check_in uuid, student uuid, level checkin.risk_level) returns void
language plpgsql set search_path = '' as $$
begin
  perform from auth.users where id = student for key share;
  update checkin.check_ins set risk_level = greatest(risk_level, level) where id = check_in and user_id = student;
  if not found then
    return;
  end if;
  insert into private.check_in_inputs as i (check_in_id, crisis_level)
  values (check_in, level)
  on conflict on constraint check_in_inputs_pkey do update
  set crisis_level = greatest(i.crisis_level, excluded.crisis_level);
  -- The trigger on the check-in's level opens none when that was high before, and its review was closed.
  perform private.open_clinical_review(student, 'check_in', check_in, level);
end
$$;
comment on function private.keep_crisis_level is 'Keeps the level of crisis language that was found in a check-in: on the check-in, and in the review that it opens. Called by the pipeline, and of words of a call that was refused.';

create function private.expire_check_ins() returns void
language sql security definer set search_path = '' as $$
  update checkin.check_ins
  set status = 'expired'
  where id in (
    -- Locks the student too, as the deletion of an account does; rows that are locked wait for the next run.
    select c.id
    from checkin.check_ins c
    join auth.users u on u.id = c.user_id
    where c.status = 'created' and c.expires_at <= now()
    for key share of u skip locked
    for update of c skip locked
  )
$$;
comment on function private.expire_check_ins is 'Expires check-ins that were started and never submitted. Called by cron.';
select cron.schedule('expire-check-ins', '*/5 * * * *', 'select private.expire_check_ins()');
