create table private.transcript_results (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  transcript_sha256 bytea not null,
  check_in_id uuid,
  provider text not null,
  risk_level checkin.risk_level not null,
  result jsonb not null constraint transcript_results_result_object check (jsonb_typeof(result) = 'object'),
  created_at timestamptz not null default now(),
  constraint transcript_results_pkey primary key (id),
  constraint transcript_results_once unique (user_id, transcript_sha256),
  constraint transcript_results_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint transcript_results_check_in_id_fkey foreign key (check_in_id) references checkin.check_ins (id) on delete cascade,
  constraint transcript_results_transcript_sha256_length check (octet_length(transcript_sha256) = 32)
);
select private.describe('private.transcript_results', 'Results of analysing transcripts with the language model, or with the built-in analysis in its place. Never the transcript itself.', $$
  id: The analysis.
  user_id: The student.
  transcript_sha256: SHA-256 of the transcript, to recognise a repeated call.
  check_in_id: The check-in it belongs to; null if the app named none.
  provider: What made the result: language-model, built-in or fallback.
  risk_level: Risk level; never below the result of the crisis-language check.
  result: The result as it was returned. Example: {"text_score": 58.2, "uncertainty": 0.4, "themes": ["exams"], "risk_level": "low", "direction_of_change": "same"}
  created_at: When it was stored.
$$);
create index transcript_results_check_in_id_idx on private.transcript_results (check_in_id);
create index transcript_results_created_at_idx on private.transcript_results (created_at);

select private.declare_term('transcript_results', '90 days', 'What the language model made of a transcript: from the analysis.',
  shortest => '1 day');
select private.declare_data('private.transcript_results',
  '{id, user_id, transcript_sha256, check_in_id, provider, risk_level, result, created_at}',
  'What the language model made of a transcript, so that a repeated call costs nothing.', 'student', 'health', 't.user_id = $1',
  term => 'transcript_results');
select private.declare_purge('transcript_results', 'private.transcript_results', 'd.created_at < $1', oldest => 'created_at');
select private.declare_audited('private.transcript_results', 'id', 'by_hand');

create function private.store_transcript_result(student uuid, stored jsonb) returns uuid
language plpgsql set search_path = '' as $$
declare
  check_in uuid := (stored ->> 'check_in_id')::uuid;
  risk checkin.risk_level := (stored ->> 'risk_level')::checkin.risk_level;
  -- The part of the risk that the crisis check found.
  crisis checkin.risk_level := coalesce((stored ->> 'crisis_level')::checkin.risk_level, 'none');
  stored_id uuid;
begin
  if not private.hold_consents(student) then
    return null;
  end if;
  -- In a statement of its own, which sees what was withdrawn before the lock.
  if not private.has_consent(student, 'text') then
    return null;
  end if;
  if check_in is not null then
    perform from checkin.check_ins where id = check_in and user_id = student for update;
    if not found then
      return null;
    end if;
  end if;

  insert into private.transcript_results as t (user_id, transcript_sha256, check_in_id, provider, risk_level, result)
  values (
    student,
    decode(stored ->> 'transcript_sha256', 'hex'),
    check_in,
    stored ->> 'provider',
    risk,
    stored -> 'result'
  )
  on conflict on constraint transcript_results_once do update
  set check_in_id = excluded.check_in_id,
    provider = excluded.provider,
    risk_level = excluded.risk_level,
    result = excluded.result,
    created_at = now()
  returning t.id into stored_id;

  if crisis >= 'moderate' or risk = 'high' then
    perform private.open_clinical_review(
      student,
      case when check_in is null then 'transcript' else 'check_in' end::public.review_source,
      coalesce(check_in, stored_id),
      risk,
      private.arrival_of(stored)
    );
  end if;
  -- Below the review, which knows when the words arrived; the trigger on the level finds it open.
  update checkin.check_ins set risk_level = greatest(risk_level, risk) where id = check_in;
  perform private.queue_reading(student, stored, transcript_result => stored_id);
  return stored_id;
end
$$;
comment on function private.store_transcript_result is 'Stores the result of a transcript, opens a review on high risk and on crisis language of moderate level and queues the reading of its words, in one transaction; null when the check-in is not the student''s, the consent is not in force any more, or the account was deleted. Called by the function api.';
