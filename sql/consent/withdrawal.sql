-- What withdrawing a consent does, however it is withdrawn: with public.withdraw_consent or by updating the consent's row.

create function private.covered_bucket(kind public.consent_kind) returns text
language sql immutable set search_path = '' as $$
  select case kind when 'audio' then 'check-in-media' when 'camera' then 'check-in-images' end
$$;
comment on function private.covered_bucket is 'Bucket of the media that a consent covers; null when it covers none. Called by the withdrawal.';

create function private.covered_modality(kind public.consent_kind) returns public.modality
language sql immutable set search_path = '' as $$
  select case kind when 'audio' then 'audio' when 'camera' then 'visual' when 'text' then 'text' end::public.modality
$$;
comment on function private.covered_modality is 'Modality whose analysis a consent covers; null when it covers none. Called by the withdrawal.';

create function private.is_made_of(components jsonb, part public.modality) returns boolean
language sql immutable set search_path = '' as $$
  -- Of a text that is too short for a score, themes, a stated mood and what it says of a crisis count all the same.
  select coalesce(
    jsonb_path_exists(
      components,
      format('$[*] ? (@.modality == "%s" && (@.score != null || @.modality == "text" && @.quality != null))', part)::jsonpath
    ),
    false
  )
$$;
comment on function private.is_made_of is 'Whether a modality went into a score with these components. Called where scores are stored, and by the withdrawal.';

create function private.end_work_without_consent(student uuid, withdrawn public.consent_kind) returns integer
language plpgsql set search_path = '' as $$
declare
  check_ins uuid[];
  ended integer;
begin
  check_ins := array(
    select c.id from checkin.check_ins c where c.user_id = student and c.status = 'processing' order by c.id for update
  );
  -- Also steps that are done, whose findings a merge would read; a transcript that is made belongs to the consent text.
  update private.analysis_jobs j
  set status = 'failed', error_code = 'no_consent', outcome = null, dispatched = false
  where j.check_in_id = any (check_ins)
    and withdrawn = any (private.consents_for(j.kind))
    and (j.status in ('queued', 'running') or j.kind <> 'transcription')
    and j.status <> 'failed';
  get diagnostics ended = row_count;
  -- A score that is being made has read what is deleted now. Its worker is late from here on, and another makes it.
  update private.analysis_jobs j
  set status = 'queued', dispatched = false, next_dispatch_at = '-infinity'
  where j.check_in_id = any (check_ins) and j.kind = 'fusion' and j.status = 'running';
  return ended;
end
$$;
comment on function private.end_work_without_consent is 'Ends the jobs of a student''s check-ins that need a consent which is being withdrawn, done ones included, and has scores made anew; returns how many ended. Called by the withdrawal.';

create function private.refresh_last_result(student uuid) returns void
language sql set search_path = '' as $$
  update public.students s
  set last_score = last.score,
    last_uncertainty = last.uncertainty,
    last_direction_of_change = last.direction_of_change,
    risk_level = coalesce(ended.risk_level, 'none')
  from (select student as user_id) as this
  left join lateral (
    select f.score, f.uncertainty, f.direction_of_change
    from checkin.fusion_results f
    where f.user_id = this.user_id
    order by f.created_at desc
    limit 1
  ) last on true
  left join lateral (
    select c.risk_level
    from checkin.check_ins c
    where c.user_id = this.user_id and c.status in ('complete', 'failed')
    order by c.completed_at desc
    limit 1
  ) ended on true
  where s.user_id = this.user_id;
  select private.refresh_latest_risk(student)
$$;
comment on function private.refresh_last_result is 'Takes the student''s last result anew from the results that are left. Called where results are deleted.';

create function private.delete_covered(student uuid, withdrawn public.consent_kind, keep_results boolean) returns jsonb
language plpgsql set search_path = '' as $$
declare
  covered constant public.modality := private.covered_modality(withdrawn);
  files integer := 0;
  analyses integer := 0;
  transcripts integer := 0;
  results integer := 0;
  exports integer := 0;
  affected integer;
  topics text[];
begin
  if covered is null then
    return '{}';
  end if;
  perform pg_advisory_xact_lock(private.consent_lock(student));
  -- All of them, before what belongs to them: retention, which skips what is locked, neither waits for this nor takes the last result anew
  -- from one that is deleted here.
  perform from checkin.check_ins c where c.user_id = student order by c.id for update;
  perform private.end_work_without_consent(student, withdrawn);

  delete from private.check_in_media m
  using checkin.check_ins c
  where c.user_id = student and m.check_in_id = c.id
    and m.kind = case withdrawn when 'audio' then 'audio' when 'camera' then 'image' end;
  -- The objects under the student's folder: "0" is the character after "/".
  with queued as materialized (
    select private.queue_object_removal(o.bucket_id, o.name, 'consent_withdrawn')
    from storage.objects o
    where o.bucket_id = private.covered_bucket(withdrawn)
      and o.name collate "C" >= student::text || '/' and o.name collate "C" < student::text || '0'
    order by o.name
  )
  select count(*) into files from queued;

  if not keep_results then
    with deleted as (
      delete from public.session_scores r
      where r.user_id = student
        and exists (select from public.session_analyses a where a.session_id = r.session_id and a.modality = covered)
      returning r.session_id
    )
    select array_agg('assessment:' || d.session_id) into topics from deleted d;
    results := coalesce(cardinality(topics), 0);
    perform private.purge_messages(topics, 'score_calculated') where results > 0;
  end if;
  delete from public.session_analyses where user_id = student and modality = covered;
  get diagnostics analyses = row_count;
  case withdrawn
    when 'audio' then delete from checkin.audio_analysis where user_id = student;
    when 'camera' then delete from checkin.visual_analysis where user_id = student;
    else delete from checkin.text_analysis where user_id = student;
  end case;
  get diagnostics affected = row_count;
  analyses := analyses + affected;
  -- Of check-ins that failed, also what was announced of them.
  with told as (
    update checkin.check_ins c
    set reasons = (
      select coalesce(jsonb_agg(r.reason order by r.place), '[]')
      from jsonb_array_elements(c.reasons) with ordinality as r (reason, place)
      where r.reason ->> 'modality' <> covered::text
    )
    where c.user_id = student and c.reasons @> jsonb_build_array(jsonb_build_object('modality', covered))
    returning c.id
  )
  select array_agg('check-in:' || t.id) into topics from told t;
  perform private.purge_messages(topics, 'result') where topics is not null;

  if withdrawn = 'text' then
    update private.check_in_inputs i
    set transcript = null, crisis_rule = null, crisis_probability = null, crisis_passages = null
    from checkin.check_ins c
    where c.user_id = student and i.check_in_id = c.id and i.transcript is not null;
    get diagnostics transcripts = row_count;
    delete from private.unread_transcripts where user_id = student;
    get diagnostics affected = row_count;
    transcripts := transcripts + affected;
  end if;

  if keep_results then
    -- What was usual of the features goes with them; the usual score is a result.
    update checkin.user_baselines b
    set version = b.version + 1,
      state = jsonb_set(
        b.state, '{features}',
        (
          select coalesce(jsonb_object_agg(f.key, f.value), '{}')
          from jsonb_each(b.state -> 'features') f
          where not starts_with(f.key, covered || '.')
        )
      )
    where b.user_id = student and jsonb_typeof(b.state -> 'features') = 'object';
  else
    if withdrawn = 'text' then
      delete from private.transcript_results where user_id = student;
      get diagnostics affected = row_count;
      results := results + affected;
      -- One that failed has no risk but that of words.
      with failed as (
        update checkin.check_ins c
        set risk_level = null
        where c.user_id = student and c.status = 'failed' and c.risk_level is not null
        returning c.id
      ),
      unread as (
        update private.check_in_inputs i set crisis_level = 'none' from failed f where i.check_in_id = f.id
      )
      select count(*) into affected from failed;
      results := results + affected;
    end if;
    -- Risk stays where somebody is to act on it: in the review that it opened, and where it was found in words that are still covered.
    with deleted as (
      delete from checkin.fusion_results f
      where f.user_id = student and private.is_made_of(f.components, covered)
      returning f.check_in_id
    ),
    cleared as (
      update checkin.check_ins c
      set risk_level = (
        select nullif(i.crisis_level, 'none') from private.check_in_inputs i where i.check_in_id = c.id and withdrawn <> 'text'
      )
      from deleted d
      where c.id = d.check_in_id
      returning c.id
    )
    select array_agg('check-in:' || c.id) into topics from cleared c;
    affected := coalesce(cardinality(topics), 0);
    results := results + affected;
    perform private.purge_messages(topics, 'result') where affected > 0;
    delete from checkin.user_baselines where user_id = student and affected > 0;
    -- What was found in a session was deleted above.
    delete from private.worrying_days where user_id = student and analyses + results > 0;
    perform private.collect_worrying_days(student) where analyses + results > 0;
    perform private.refresh_last_result(student) where analyses + results > 0;
  end if;

  perform private.let_rules_stand(c.id)
  from (select id from checkin.check_ins where user_id = student and status = 'processing' order by id) c;
  perform private.advance_check_in(c.id)
  from (select id from checkin.check_ins where user_id = student and status = 'processing' order by id) c;
  -- An export has a copy of what was deleted.
  if files + analyses + transcripts + results > 0 then
    select count(*) filter (where private.end_export(e.id, 'cancelled')) into exports
    from private.exports e
    where e.user_id = student and e.status in ('queued', 'building', 'ready');
  end if;
  return jsonb_build_object(
    'files', files, 'analyses', analyses, 'transcripts', transcripts, 'results', results, 'exports', exports
  );
end
$$;
comment on function private.delete_covered is 'Deletes what a consent covered that is being withdrawn: queues media for removal, deletes features and transcripts, results too unless they are kept, and exports, which have a copy; running work of that kind ends. Returns {files, analyses, transcripts, results, exports}: how many. Called by private.guard_consent.';

-- Before the consent's row is locked, as the deletion of an account locks the account first.
create function private.lock_own_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from auth.users where id = (select auth.uid()) for key share;
  return null;
end
$$;
comment on function private.lock_own_account is 'Trigger: locks the caller''s account before a consent changes, in the order in which everything else does.';

-- A withdrawal is final and the server sets its time; consenting again adds a row.
create function private.guard_consent() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if old.withdrawn_at is not null then
    raise exception 'This consent was withdrawn; grant a new one instead.' using errcode = 'check_violation';
  end if;
  if new.withdrawn_at is null then
    new.keep_results := false;
    new.deleted := null;
  else
    new.withdrawn_at := greatest(now(), new.granted_at);
    if not new.renewed then
      new.deleted := private.delete_covered(new.user_id, new.kind, new.keep_results);
    end if;
  end if;
  return new;
end
$$;
comment on function private.guard_consent is 'Trigger: a withdrawal gets the server''s time, cannot be undone, and deletes what the consent covered; what was deleted is stored with it.';

-- Of two devices of a student one waits for the other, by the lock of the account. Nobody else learns here what the student agreed to: whether they may
-- agree at all is asked after it.
create function private.supersede_consent() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  held text;
begin
  perform from auth.users where id = new.user_id for no key update;
  perform from public.consent_texts t
  where t.kind = new.kind and t.version = new.version and t.effective_from <= now()
  for share;
  if not found then
    perform private.refuse(
      400, 'consent_version_unknown', 'There is no text of this version to agree to. Show one of consent_texts, and send its version.'
    );
  end if;
  if not private.is_current_version(new.kind, new.version) then
    perform private.refuse(
      409, 'consent_version_outdated', 'A later text has to be agreed to: consent_status names the version that is required.'
    );
  end if;
  select c.version into held from public.consents c where c.user_id = new.user_id and c.kind = new.kind and c.withdrawn_at is null;
  if private.version_numbers(held) = private.version_numbers(new.version) then
    raise exception 'You have agreed to this version already.'
      using errcode = 'unique_violation', constraint = 'consents_in_force_idx', hint = 'consent_given',
        detail = 'Nothing has to be done. The function grant_consents says so without an error.';
  elsif private.version_numbers(held) > private.version_numbers(new.version) then
    perform private.refuse(409, 'consent_version_outdated', 'You have agreed to a later version already, which stays.');
  end if;
  update public.consents c
  set withdrawn_at = now(), renewed = true
  where c.user_id = new.user_id and c.kind = new.kind and c.withdrawn_at is null;
  return new;
end
$$;
comment on function private.supersede_consent is 'Trigger: a consent is to a version that has a text and counts, and ends the one to an earlier version, which withdraws nothing; to the same version or an earlier one it is refused.';

create function private.ask_again() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.students s
  set counselor_access = not s.counselor_access
  where s.counselor_access <> private.has_consent(s.user_id, 'counselor_access');
  return null;
end
$$;
comment on function private.ask_again is 'Trigger: when another version of counselor_access is required, counselors see the students who agreed to it and no others.';

-- Finds the row by the caller, so that nobody needs the consent's id.
create function private.withdraw_own_consent(withdrawn public.consent_kind, keep boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  ended public.consents;
begin
  update public.consents c
  set withdrawn_at = now(), keep_results = keep
  where c.user_id = (select private.current_account()) and c.kind = withdrawn and c.withdrawn_at is null
  returning * into ended;
  if ended.id is null then
    return null;
  end if;
  return jsonb_build_object('kind', ended.kind, 'withdrawn_at', ended.withdrawn_at, 'deleted', ended.deleted);
end
$$;
comment on function private.withdraw_own_consent is 'Implementation of public.withdraw_consent, which calls it.';

create function public.withdraw_consent(kind public.consent_kind, keep_results boolean default false) returns jsonb
language sql set search_path = ''
begin atomic select private.withdraw_own_consent(kind, keep_results); end;
comment on function public.withdraw_consent is 'Withdraws the caller''s consent of this kind and deletes what it covered: {kind, withdrawn_at, deleted: {files, analyses, transcripts, results, exports}}; null when there was none. With keep_results past scores stay. Called by students; the same as setting withdrawn_at (and keep_results) of the row.';

create function private.grant_own_consents(kinds public.consent_kind[], version text) returns setof public.consents
language plpgsql security definer set search_path = '' as $$
declare
  student constant uuid := private.current_account();
  agreed constant text := grant_own_consents.version;
begin
  if student is null or student is distinct from auth.uid() then
    raise exception 'Only the student agrees, signed in: nobody does for them.' using errcode = 'insufficient_privilege';
  end if;
  if coalesce(cardinality(kinds), 0) = 0 or array_position(kinds, null) is not null or agreed is null then
    perform private.refuse(400, 'invalid_value', 'Name the kinds of consent, and the version of their texts.');
  end if;
  -- What another device sends at the same time comes before this or after it.
  perform from auth.users u where u.id = student for no key update;
  insert into public.consents (user_id, kind, version)
  select distinct student, k.kind, agreed
  from unnest(kinds) as k (kind)
  where not exists (
    select
    from public.consents c
    where c.user_id = student and c.kind = k.kind and c.withdrawn_at is null and private.is_current_version(c.kind, c.version)
      and private.version_numbers(c.version) = private.version_numbers(agreed)
  );
  return query
  select c.* from public.consents c where c.user_id = student and c.withdrawn_at is null and c.kind = any (kinds) order by c.kind;
end
$$;
comment on function private.grant_own_consents is 'Implementation of public.grant_consents, which calls it.';

create function public.grant_consents(kinds public.consent_kind[], version text) returns setof public.consents
language sql set search_path = ''
begin atomic select g.* from private.grant_own_consents(kinds, version) g; end;
comment on function public.grant_consents is 'Grants the caller''s consents of these kinds to this version of their texts, all or none, and returns their rows: a later version than the one in force renews, the same changes nothing, an earlier one is refused (consent_version_outdated), and so is one without a text in effect (consent_version_unknown). Called by students, as often as they like.';

create function private.own_consent_status()
returns table (
  kind public.consent_kind, in_force boolean, version text, required_version text, granted_at timestamptz, newest_version text
)
language sql stable security definer set search_path = '' as $$
  select k.kind, c.version is not null and private.is_current_version(k.kind, c.version), c.version, r.version, c.granted_at,
    (
      select t.version
      from public.consent_texts t
      where t.kind = k.kind and t.effective_from <= now()
      order by private.version_numbers(t.version) desc
      limit 1
    )
  from unnest(enum_range(null::public.consent_kind)) as k (kind)
  left join public.consents c
    on c.user_id = (select private.current_account()) and c.kind = k.kind and c.withdrawn_at is null
  left join private.required_consent_versions r on r.kind = k.kind
  where (select private.current_account()) is not null
  order by k.kind
$$;
comment on function private.own_consent_status is 'Implementation of public.consent_status, which calls it.';

create function public.consent_status()
returns table (
  kind public.consent_kind, in_force boolean, version text, required_version text, granted_at timestamptz, newest_version text
)
language sql stable set search_path = ''
begin atomic
  select s.kind, s.in_force, s.version, s.required_version, s.granted_at, s.newest_version from private.own_consent_status() s;
end;
comment on function public.consent_status is 'Every kind of consent, whether the caller''s is in force, the version agreed to, the version that is required at least, and the newest that has a text; asks again where version is set and in_force is false. Called by students.';

create trigger lock_own_account before update on public.consents for each statement execute function private.lock_own_account();

create trigger guard_consent before update on public.consents for each row execute function private.guard_consent();

-- Its name comes after that of require_student, which lets nobody else agree.
create trigger supersede_consent before insert on public.consents
for each row when (new.version is not null) execute function private.supersede_consent();

create trigger ask_again after insert or update or delete on private.required_consent_versions
for each statement execute function private.ask_again();
