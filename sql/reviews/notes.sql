create function private.add_review_note(review uuid, note text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  handled public.clinical_reviews := private.lock_review(review);
  written private.clinical_review_notes;
begin
  perform private.require_name();
  if handled is null then
    return null;
  end if;
  if handled.status = 'closed' then
    raise exception 'A review that is closed takes no note.'
      using errcode = 'check_violation', hint = 'Within 24 hours of its closing reopen_review opens it again.';
  end if;
  insert into private.clinical_review_notes (review_id, author, note)
  values (review, private.current_account(), btrim(add_review_note.note))
  returning * into written;
  update public.clinical_reviews r
  set first_response_at = coalesce(r.first_response_at, written.created_at),
    note_due_since = case when r.claimed_by <> written.author then r.note_due_since end,
    claim_reminded_at = case when r.claimed_by <> written.author then r.claim_reminded_at end
  where r.id = review;
  return jsonb_build_object('id', written.id, 'created_at', written.created_at);
end
$$;
comment on function private.add_review_note is 'Implementation of public.add_review_note, which calls it. Called by private.change_review too.';

create function public.add_review_note(review_id uuid, note text) returns jsonb
language sql set search_path = ''
begin atomic select private.add_review_note(review_id, note); end;
comment on function public.add_review_note is 'Writes a note of 1 to 4,000 characters on a review that is not closed: {id, created_at}. Called by counselors of the student''s university; null for others.';

-- With the review, with the student, or once its author is gone, and in no other way.
create function private.guard_review_note() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    if new.author is distinct from private.current_account() then
      raise exception 'A note is written by add_review_note, under one''s own name.' using errcode = 'insufficient_privilege';
    end if;
    return new;
  elsif tg_op = 'DELETE' then
    if exists (
      select
      from public.clinical_reviews r
      where r.id = old.review_id
        and not exists (select from private.erasures e where e.user_id = r.user_id and e.erased_at is not null)
    ) then
      raise exception 'Notes on a review are kept as long as the review.' using errcode = 'restrict_violation';
    end if;
    return old;
  end if;
  if (new.id, new.review_id, new.note, new.created_at) is distinct from (old.id, old.review_id, old.note, old.created_at)
    or new.author is not null and new.author is distinct from old.author
  then
    raise exception 'A note on a review is not changed: write another one.' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
comment on function private.guard_review_note is 'Trigger: a note on a review is its author''s, and neither changed nor deleted, but for its author once their account is gone, and with the review or the student.';

create trigger guard_review_note before insert or update or delete on private.clinical_review_notes
for each row execute function private.guard_review_note();

create function private.audit_review_note() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.audit_at_end(
    'review_changed', r.university_id, 'clinical_reviews', r.id::text, details => '{"note_added": true}', subject => r.user_id
  )
  from public.clinical_reviews r
  where r.id = new.review_id;
  perform private.broadcast_review(r, r.university_id, r.status)
  from public.clinical_reviews r
  where r.id = new.review_id;
  return null;
end
$$;
comment on function private.audit_review_note is 'Trigger: logs, and tells the counselors'' queues, that a note was written on a review, and nothing of the note.';

create trigger audit_review_note after insert on private.clinical_review_notes
for each row execute function private.audit_review_note();
select private.declare_audit_triggers('private.clinical_review_notes', '{audit_review_note}');
