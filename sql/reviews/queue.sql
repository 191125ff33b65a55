-- Clients have no right to select from the table: the planner's estimates are made from all rows, whatever a policy hides.
create function private.reviews_in_queue() returns setof public.clinical_reviews
language sql stable security definer set search_path = '' as $$
  select r.*
  from public.clinical_reviews r
  where r.status <> 'closed'
    and r.university_id in (select private.universities_counseled())
    and r.user_id <> (select private.current_account())
  order by r.risk_level desc, r.opened_at
  limit 1000
$$;
comment on function private.reviews_in_queue is 'Implementation of public.review_queue, which calls it.';

create function public.review_queue() returns table (
  id uuid, university_id text, source public.review_source, risk_level checkin.risk_level, status public.review_status,
  opened_at timestamptz, claimed_at timestamptz, claimed_by uuid, last_risk_at timestamptz
)
language sql stable set search_path = ''
begin atomic
  select q.id, q.university_id, q.source, q.risk_level, q.status, q.opened_at, q.claimed_at, q.claimed_by,
    q.last_risk_at
  from private.reviews_in_queue() q;
end;
comment on function public.review_queue is 'Open and claimed reviews without their students, highest risk and oldest first, at most 1000: for a badge or a live view. Called by counselors of the students'' universities; no row for others.';

-- Nobody handles a review about themselves. Of two who claim one, the later gets null; every other change that the state of the
-- review does not allow is an error of private.guard_clinical_review. The account is locked first, as its deletion does, since mail
-- about the review names it.
create function private.lock_review(review uuid) returns public.clinical_reviews
language sql security definer set search_path = '' as $$
  select from auth.users u where u.id = (select r.user_id from public.clinical_reviews r where r.id = review) for key share;
  select r.*
  from public.clinical_reviews r
  where r.id = review
    and r.university_id in (select private.universities_counseled())
    and r.user_id <> (select private.current_account())
  for update
$$;
comment on function private.lock_review is 'A review that the caller may handle as a counselor of the student''s university, locked; null when there is none. Called by the functions that change one.';

create function private.change_review(
  review uuid, new_status public.review_status, outcome public.review_outcome default null, note text default null
) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  handled public.clinical_reviews := private.lock_review(review);
begin
  perform private.require_name();
  if handled is null or (new_status, handled.status) in (('claimed', 'claimed'), ('closed', 'closed')) then
    return null;
  end if;
  if btrim(note) <> '' then
    perform private.add_review_note(review, note);
  end if;
  update public.clinical_reviews r
  set status = new_status, outcome = change_review.outcome
  where r.id = review
  returning * into handled;
  return jsonb_build_object('id', handled.id, 'status', handled.status, 'claimed_by', handled.claimed_by);
exception
  when unique_violation then
    raise exception 'The student has a newer review that is not closed.' using errcode = 'check_violation';
end
$$;
comment on function private.change_review is 'Changes the status of a review; null when the caller is no counselor of the student''s university, or claims what is claimed. Called by public.claim_review, public.reopen_review and public.close_review.';

create function public.claim_review(review_id uuid) returns jsonb
language sql set search_path = ''
begin atomic select private.change_review(review_id, 'claimed'); end;
comment on function public.claim_review is 'Claims an open review: {id, status, claimed_by}, or null when a colleague was faster; an error when it is closed. Called by counselors of the student''s university.';

create function public.reopen_review(review_id uuid) returns jsonb
language sql set search_path = ''
begin atomic select private.change_review(review_id, 'open'); end;
comment on function public.reopen_review is 'Returns a claimed review to the queue, or reopens a closed one within 24 hours of its closing: {id, status, claimed_by}. Called by the counselor who claimed it, and of a closed one by any counselor of the student''s university; null for others.';

create function public.close_review(
  review_id uuid, outcome public.review_outcome default null, note text default null
) returns jsonb
language sql set search_path = ''
begin atomic select private.change_review(review_id, 'closed', outcome, note); end;
comment on function public.close_review is 'Closes a claimed review with its outcome and a last note: {id, status, claimed_by}. Called by the counselor who claimed it; null for other universities.';

create function private.hand_over_review(review uuid, counselor uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  handled public.clinical_reviews := private.lock_review(review);
begin
  perform private.require_name();
  if handled is null then
    return null;
  end if;
  if handled.status <> 'claimed' then
    raise exception 'A review that is % is not handed over.', handled.status
      using errcode = 'check_violation', hint = 'Claim it first, with claim_review.';
  end if;
  if counselor is null or counselor = handled.claimed_by then
    raise exception 'Name another counselor of the student''s university.' using errcode = 'check_violation';
  end if;
  update public.clinical_reviews r set claimed_by = counselor where r.id = review returning * into handled;
  perform private.queue_review_mail(
    private.email_of(counselor), handled.user_id, 'clinical_review_handed_over',
    case handled.risk_level when 'high' then 'High risk: a' else 'A' end || ' colleague handed you a clinical review',
    format(
      E'%s handed you a student''s review at %s UTC. It is yours now.\n\n%s\n\nSign in to see who it is and to read the notes.',
      private.name_in_message(private.name_of((select private.current_account())), 'A counselor of your university', 60),
      private.utc_minute(handled.claimed_at),
      private.review_reference(handled.id, handled.university_id)
    )
  );
  return jsonb_build_object('id', handled.id, 'status', handled.status, 'claimed_by', handled.claimed_by);
end
$$;
comment on function private.hand_over_review is 'Implementation of public.hand_over_review, which calls it.';

create function public.hand_over_review(review_id uuid, counselor_id uuid) returns jsonb
language sql set search_path = ''
begin atomic select private.hand_over_review(review_id, counselor_id); end;
comment on function public.hand_over_review is 'Hands a claimed review to another counselor of the student''s university, who is told by email: {id, status, claimed_by}. Called by the counselor who claimed it; null for other universities.';

create function private.counselors_beside_caller() returns table (user_id uuid, university_id text, first_name text, last_name text)
language sql stable security definer set search_path = '' as $$
  select r.user_id, r.university_id, p.first_name, p.last_name
  from public.user_roles r
  join public.profiles p on p.user_id = r.user_id
  join auth.users u on u.id = r.user_id
  where r.role = 'counselor'
    and r.university_id in (select private.universities_counseled())
    and (u.banned_until is null or u.banned_until <= now())
  order by p.last_name, p.first_name, r.user_id
  limit 1000
$$;
comment on function private.counselors_beside_caller is 'Implementation of public.list_counselors, which calls it.';

create function public.list_counselors() returns table (user_id uuid, university_id text, first_name text, last_name text)
language sql stable set search_path = ''
begin atomic select c.user_id, c.university_id, c.first_name, c.last_name from private.counselors_beside_caller() c; end;
comment on function public.list_counselors is 'The counselors of the caller''s universities, by name, to hand a review over to. Called by counselors; no row for others.';

create function private.students_in_review() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select r.user_id
  from public.clinical_reviews r
  where r.status <> 'closed' and r.university_id in (select private.universities_counseled())
$$;
comment on function private.students_in_review is 'Students with a review that is not closed, at universities where the caller is a counselor. Called by private.student_record.';

create function private.reopens_until(review public.clinical_reviews) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select review.closed_at + interval '24 hours'
  where review.status = 'closed'
    and review.university_id is not distinct from private.university_of(review.user_id)
    and not exists (
      select from public.clinical_reviews r where r.user_id = review.user_id and r.status <> 'closed'
    )
$$;
comment on function private.reopens_until is 'Until when a closed review can be reopened; null where it cannot: it is not closed, the student has moved to another university or has a newer review that is not closed. Called by private.guard_clinical_review and private.review_context.';

create function private.guard_clinical_review() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid := private.current_account();
  moves boolean := new.university_id is distinct from old.university_id;
  context text;
begin
  if not moves
    and (new.status, new.claimed_by, new.outcome, new.risk_level) is distinct from (old.status, old.claimed_by, old.outcome, old.risk_level)
    -- A claim whose counselor is gone ends by itself.
    and (new.claimed_by is not null or new.status <> old.status or old.status <> 'claimed')
    and person is null and private.by_hand()
  then
    get diagnostics context = pg_context;
    if not private.written_by(context, '^(?!guard_clinical_review$)') then
      perform private.refuse_caller(
        'Handle a review with claim_review, hand_over_review and close_review, under your own name: nothing tells here who you are.'
      );
    end if;
  end if;
  if old.status = 'closed' and new.status = 'closed' and new.outcome is distinct from old.outcome then
    raise exception 'The outcome of a closed review stays.' using errcode = 'check_violation', hint = 'Within 24 hours of its closing reopen_review opens it again.';
  end if;
  -- Nobody would see it.
  if moves and new.university_id is null and new.status <> 'closed' then
    raise exception 'A review that is not closed stays with a university.' using errcode = 'restrict_violation';
  end if;
  -- A review must not wait for a counselor whose account is gone.
  if new.status = 'claimed' and old.claimed_by is not null and new.claimed_by is null then
    new.status := 'open';
  elsif old.status = 'claimed'
    and old.claimed_by <> person
    and not moves
    and (new.status, new.claimed_by) is distinct from (old.status, old.claimed_by)
  then
    raise exception 'Another counselor has claimed this review.' using errcode = 'check_violation';
  end if;
  if new.status = old.status then
    if new.status = 'claimed' and new.claimed_by <> old.claimed_by then
      if new.claimed_by = new.user_id or not private.has_role(new.claimed_by, 'counselor', new.university_id) then
        raise exception 'Only a counselor of the student''s university takes a review over.' using errcode = 'check_violation';
      end if;
      new.claimed_at := now();
    elsif new.status <> 'claimed' or new.risk_level <= old.risk_level then
      return new;
    end if;
    new.note_due_since := now();
    new.claim_reminded_at := null;
    return new;
  end if;
  if (old.status, new.status) not in (('open', 'claimed'), ('claimed', 'open'), ('claimed', 'closed'), ('closed', 'open')) then
    raise exception 'A review that is % cannot become %.', old.status, new.status using errcode = 'check_violation';
  end if;
  new.claim_reminded_at := null;
  case new.status
    when 'open' then
      if old.status = 'closed' and new.university_id is distinct from private.university_of(new.user_id) then
        raise exception 'The student has moved to another university.' using errcode = 'check_violation';
      end if;
      if private.reopens_until(old) <= now() then
        raise exception 'A review is reopened within 24 hours of its closing.' using errcode = 'check_violation';
      end if;
      new.claimed_at := null;
      new.claimed_by := null;
      new.closed_at := null;
      new.closed_by := null;
      new.outcome := null;
      new.note_due_since := null;
    when 'claimed' then
      new.claimed_at := now();
      new.claimed_by := coalesce(person, new.claimed_by);
      new.first_claimed_at := coalesce(new.first_claimed_at, now());
      new.note_due_since := now();
    when 'closed' then
      new.closed_at := now();
      new.closed_by := coalesce(person, new.closed_by);
      new.first_response_at := coalesce(new.first_response_at, now());
      new.note_due_since := null;
  end case;
  return new;
end
$$;
comment on function private.guard_clinical_review is 'Trigger: allows only valid transitions, each with the server''s time and the caller''s account; only the counselor who claimed a review may release it, close it or hand it over, and one that is closed opens again within 24 hours.';

create trigger guard_clinical_review before update on public.clinical_reviews
for each row execute function private.guard_clinical_review();

create function private.release_claims() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.clinical_reviews
  set claimed_by = null
  where status = 'claimed' and claimed_by = old.user_id and university_id = old.university_id;
  return null;
end
$$;
comment on function private.release_claims is 'Trigger: reopens the reviews claimed by somebody who is no longer a counselor.';

create trigger release_claims after delete on public.user_roles
for each row when (old.role = 'counselor') execute function private.release_claims();

create function private.release_claims_of_banned() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.clinical_reviews set claimed_by = null where status = 'claimed' and claimed_by = new.id;
  return null;
end
$$;
comment on function private.release_claims_of_banned is 'Trigger: what somebody had claimed waits for a colleague once they cannot sign in any more.';

create trigger release_claims_of_banned after update on auth.users
for each row when (new.banned_until > now() and new.banned_until is distinct from old.banned_until)
execute function private.release_claims_of_banned();

-- To each counselor by themselves: Realtime asks who may listen when a channel is joined, and this at each change, so that whoever has
-- lost the role since hears nothing more, and the student, if they counsel there too, nothing of their own.
create function private.broadcast_review(review public.clinical_reviews, university text, status public.review_status) returns void
language sql security definer set search_path = '' as $$
  select realtime.send(
    jsonb_build_object(
      'review_id', review.id, 'status', broadcast_review.status, 'university_id', university, 'source', review.source,
      'risk_level', review.risk_level, 'opened_at', review.opened_at, 'claimed_at', review.claimed_at, 'last_risk_at', review.last_risk_at
    ),
    'changed', 'reviews:' || r.user_id, true
  )
  from public.user_roles r
  join auth.users u on u.id = r.user_id
  where r.role = 'counselor' and r.university_id = university and r.user_id <> review.user_id
    and (u.banned_until is null or u.banned_until <= now())
$$;
comment on function private.broadcast_review is 'Broadcasts to the counselors of a university, each on their own channel, that a review changed, with what a queue shows of it and no person: {review_id, status, university_id, source, risk_level, opened_at, claimed_at, last_risk_at}; the status is null once it left their queue otherwise than by a closing. Called where a review is opened, changed, written about or removed.';

create function private.announce_review() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    perform private.broadcast_review(old, old.university_id, null) where old.status <> 'closed';
    return null;
  end if;
  perform private.broadcast_review(new, new.university_id, new.status);
  if tg_op = 'UPDATE' and old.university_id is distinct from new.university_id then
    perform private.broadcast_review(old, old.university_id, null);
  end if;
  return null;
end
$$;
comment on function private.announce_review is 'Trigger: tells the counselors'' queues that a review was opened, changed, moved or removed.';

create trigger announce_review after insert or delete on public.clinical_reviews
for each row execute function private.announce_review();

create trigger announce_changed_review after update on public.clinical_reviews
for each row when (
  (new.status, new.claimed_by, new.risk_level, new.last_risk_at, new.university_id)
  is distinct from (old.status, old.claimed_by, old.risk_level, old.last_risk_at, old.university_id)
)
execute function private.announce_review();
