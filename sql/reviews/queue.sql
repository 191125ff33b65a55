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
-- review does not allow is an error of private.guard_clinical_review.
create function private.change_review(review uuid, new_status public.review_status) returns jsonb
language sql security definer set search_path = '' as $$
  update public.clinical_reviews r
  set status = new_status
  where r.id = review
    and (new_status, r.status) <> ('claimed', 'claimed')
    and r.university_id in (select private.universities_counseled())
    and r.user_id <> (select private.current_account())
  returning jsonb_build_object('id', r.id, 'status', r.status, 'claimed_by', r.claimed_by)
$$;
comment on function private.change_review is 'Changes the status of a review; null when the caller is no counselor of the student''s university, or claims what is claimed. Called by public.claim_review, public.reopen_review and public.close_review.';

create function public.claim_review(review_id uuid) returns jsonb
language sql set search_path = ''
begin atomic select private.change_review(review_id, 'claimed'); end;
comment on function public.claim_review is 'Claims an open review: {id, status, claimed_by}, or null when a colleague was faster; an error when it is closed. Called by counselors of the student''s university.';

create function public.reopen_review(review_id uuid) returns jsonb
language sql set search_path = ''
begin atomic select private.change_review(review_id, 'open'); end;
comment on function public.reopen_review is 'Returns a claimed review to the queue: {id, status, claimed_by}. Called by the counselor who claimed it; null for other universities.';

create function public.close_review(review_id uuid) returns jsonb
language sql set search_path = ''
begin atomic select private.change_review(review_id, 'closed'); end;
comment on function public.close_review is 'Closes a claimed review: {id, status, claimed_by}. Called by the counselor who claimed it; null for other universities.';

create function private.students_in_review() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select r.user_id
  from public.clinical_reviews r
  where r.status <> 'closed' and r.university_id in (select private.universities_counseled())
$$;
comment on function private.students_in_review is 'Students with a review that is not closed, at universities where the caller is a counselor. Called by private.student_record.';

create function private.guard_clinical_review() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid := private.actor();
begin
  -- A review must not wait for a counselor whose account is gone.
  if new.status = 'claimed' and old.claimed_by is not null and new.claimed_by is null then
    new.status := 'open';
    new.claimed_at := null;
    return new;
  end if;
  if old.status = 'claimed' and old.claimed_by is not null and person is not null and old.claimed_by <> person then
    raise exception 'Another counselor has claimed this review.' using errcode = 'check_violation';
  end if;
  -- The deletion of an account only clears claimed_by or closed_by.
  if new.status = old.status then
    return new;
  end if;
  if (old.status, new.status) not in (('open', 'claimed'), ('claimed', 'open'), ('claimed', 'closed')) then
    raise exception 'A review that is % cannot become %.', old.status, new.status using errcode = 'check_violation';
  end if;
  case new.status
    when 'open' then
      new.claimed_at := null;
      new.claimed_by := null;
    when 'claimed' then
      new.claimed_at := now();
      new.claimed_by := coalesce(person, new.claimed_by);
    when 'closed' then
      new.closed_at := now();
      new.closed_by := coalesce(person, new.closed_by);
  end case;
  return new;
end
$$;
comment on function private.guard_clinical_review is 'Trigger: allows only valid transitions, each with the server''s time and the caller''s account; only the counselor who claimed a review may release or close it.';

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

