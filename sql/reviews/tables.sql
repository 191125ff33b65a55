create type public.review_status as enum ('open', 'claimed', 'closed');
comment on type public.review_status is 'open → claimed → closed; claimed → open when it is released.';

create type public.review_source as enum ('check_in', 'session', 'transcript', 'support_alert');
comment on type public.review_source is 'Where the risk was found: in a check-in, an assessment session or a single transcript; support_alert: nobody of the student''s circle responded to a lasting pattern.';

create table public.clinical_reviews (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  university_id text,
  source public.review_source not null,
  source_id uuid not null,
  risk_level checkin.risk_level not null default 'high',
  status public.review_status not null default 'open',
  opened_at timestamptz not null default now(),
  claimed_at timestamptz,
  claimed_by uuid,
  closed_at timestamptz,
  closed_by uuid,
  last_risk_at timestamptz not null default now(),
  last_notified_at timestamptz not null default now(),
  open_since timestamptz not null default now(),
  reminders smallint not null default 0,
  constraint clinical_reviews_pkey primary key (id),
  constraint clinical_reviews_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint clinical_reviews_university_id_fkey foreign key (university_id) references public.universities (id) on delete set null,
  constraint clinical_reviews_claimed_by_fkey foreign key (claimed_by) references auth.users (id) on delete set null,
  constraint clinical_reviews_closed_by_fkey foreign key (closed_by) references auth.users (id) on delete set null,
  constraint clinical_reviews_claimed_at_unless_open check ((status = 'open') = (claimed_at is null)),
  constraint clinical_reviews_closed_at_when_closed check ((status = 'closed') = (closed_at is not null))
);
comment on table public.clinical_reviews is
  'High risk of a student, or crisis language that is less clear, for a counselor to handle: one review at a time. Opened in the transaction that stores the risk.';
comment on column public.clinical_reviews.id is 'The review.';
comment on column public.clinical_reviews.user_id is 'The student.';
comment on column public.clinical_reviews.university_id is 'University whose counselors see it.';
comment on column public.clinical_reviews.source is 'Where the risk was found first.';
comment on column public.clinical_reviews.source_id is 'The check-in, the session, the transcript result or the alert where it was found first.';
comment on column public.clinical_reviews.risk_level is 'Highest risk level found.';
comment on column public.clinical_reviews.status is 'State of the review.';
comment on column public.clinical_reviews.opened_at is 'When it was opened.';
comment on column public.clinical_reviews.claimed_at is 'When a counselor claimed it; null while it is open.';
comment on column public.clinical_reviews.claimed_by is 'The counselor who claimed it.';
comment on column public.clinical_reviews.closed_at is 'When it was closed.';
comment on column public.clinical_reviews.closed_by is 'The counselor who closed it.';
comment on column public.clinical_reviews.last_risk_at is 'When risk showed last; later than opened_at when it showed again.';
comment on column public.clinical_reviews.last_notified_at is 'When the crisis contact was last told of it.';
comment on column public.clinical_reviews.open_since is 'Since when it has waited for a counselor: its opening, its release, its move to another university, or its rise to a higher risk.';
comment on column public.clinical_reviews.reminders is 'How many contacts were reminded of it since then.';
create unique index clinical_reviews_unclosed_student_idx on public.clinical_reviews (user_id) where status <> 'closed';
create index clinical_reviews_open_since_idx on public.clinical_reviews (open_since) where status = 'open';
create index clinical_reviews_user_id_idx on public.clinical_reviews (user_id);
create index clinical_reviews_university_id_status_idx on public.clinical_reviews (university_id, status, opened_at);
create index clinical_reviews_claimed_by_idx on public.clinical_reviews (claimed_by);
create index clinical_reviews_closed_by_idx on public.clinical_reviews (closed_by);

select private.declare_term('clinical_reviews', '3 years', 'Reviews: from their closing.', shortest => '30 days');
select private.declare_data('public.clinical_reviews', '{claimed_by}', 'To know which counselor helps.', 'staff', 'activity',
  't.claimed_by = $1', erasure => 'anonymize', term => 'clinical_reviews');
select private.declare_data('public.clinical_reviews', '{closed_by}', 'To know which counselor helped.', 'staff', 'activity',
  't.closed_by = $1', erasure => 'anonymize', term => 'clinical_reviews');
select private.declare_data('public.clinical_reviews',
   '{id, user_id, university_id, source, source_id, risk_level, status, opened_at, claimed_at, closed_at, last_risk_at,
    last_notified_at, open_since, reminders}', 'High risk, for a counselor to act on.', 'student', 'health', 't.user_id = $1',
  term => 'clinical_reviews');
select private.declare_purge('clinical_reviews', 'public.clinical_reviews', 'd.status = ''closed'' and d.closed_at < $1');

create table private.clinical_review_sources (
  review_id uuid not null,
  source public.review_source not null,
  source_id uuid not null,
  seen_at timestamptz not null default now(),
  constraint clinical_review_sources_pkey primary key (review_id, source, source_id),
  constraint clinical_review_sources_review_id_fkey foreign key (review_id) references public.clinical_reviews (id) on delete cascade
);
comment on table private.clinical_review_sources is 'Where the risk of a review was found, the first source included; the latest 100 of each review.';
comment on column private.clinical_review_sources.review_id is 'The review.';
comment on column private.clinical_review_sources.source is 'What kind of source it is.';
comment on column private.clinical_review_sources.source_id is 'The check-in, the session, the transcript result or the alert.';
comment on column private.clinical_review_sources.seen_at is 'When risk was found there, to the hour if repeatedly.';

select private.declare_data('private.clinical_review_sources', '{review_id, source, source_id, seen_at}',
  'Where the risk of a review was found.', 'student', 'health',
  't.review_id in (select r.id from public.clinical_reviews r where r.user_id = $1)', term => 'clinical_reviews');

create table private.crisis_contacts (
  university_id text not null,
  email text not null,
  rank smallint not null default 1,
  constraint crisis_contacts_pkey primary key (university_id, rank),
  constraint crisis_contacts_university_id_fkey foreign key (university_id) references public.universities (id) on delete cascade,
  constraint crisis_contacts_rank_range check (rank between 1 and 9),
  constraint crisis_contacts_email_form check (email ~ '^[^@[:space:]]+@[^@[:space:]]+$')
);
comment on table private.crisis_contacts is 'Whom to notify of clinical reviews at each university; without a row, its support_email is notified.';
comment on column private.crisis_contacts.university_id is 'The university.';
comment on column private.crisis_contacts.email is 'Email address that is monitored around the clock.';
comment on column private.crisis_contacts.rank is 'Its place in the order in which they are told of a review that nobody claims, 1 first.';

select private.declare_data('private.crisis_contacts', '{university_id, email, rank}', 'To notify a university of high risk.',
  'staff', 'contact_details', erasure => 'keep',
  reason => 'The address of an office, changed by the operator; kept as long as the university.');
select private.declare_audited('private.crisis_contacts', 'university_id', 'email');

create view public.open_clinical_reviews
with (security_invoker = true)
as
select
  r.id,
  r.university_id,
  r.user_id,
  p.first_name,
  p.last_name,
  r.source,
  r.risk_level,
  r.status,
  r.opened_at,
  r.claimed_at,
  r.claimed_by,
  r.last_risk_at
from public.clinical_reviews r
left join public.profiles p on p.user_id = r.user_id
where r.status <> 'closed';
comment on view public.open_clinical_reviews is
  'Open and claimed reviews. Only operators and public.list_open_reviews, which requires an entry in the access log, see the names.';

-- Clients have no right to select from the table: the planner's estimates are made from all rows, whatever a policy hides.
create function private.reviews_in_queue()
returns table (
  id uuid,
  university_id text,
  source public.review_source,
  risk_level checkin.risk_level,
  status public.review_status,
  opened_at timestamptz,
  claimed_at timestamptz,
  claimed_by uuid,
  last_risk_at timestamptz
)
language sql stable security definer set search_path = '' as $$
  select r.id, r.university_id, r.source, r.risk_level, r.status, r.opened_at, r.claimed_at, r.claimed_by,
    r.last_risk_at
  from public.clinical_reviews r
  where r.status <> 'closed'
    and r.university_id in (select private.universities_counseled())
    and r.user_id <> (select private.current_account())
  order by r.risk_level desc, r.opened_at
  limit 1000
$$;
comment on function private.reviews_in_queue is 'Implementation of public.review_queue, which calls it.';

create function public.review_queue()
returns table (
  id uuid,
  university_id text,
  source public.review_source,
  risk_level checkin.risk_level,
  status public.review_status,
  opened_at timestamptz,
  claimed_at timestamptz,
  claimed_by uuid,
  last_risk_at timestamptz
)
language sql stable set search_path = ''
begin atomic
  select q.id, q.university_id, q.source, q.risk_level, q.status, q.opened_at, q.claimed_at, q.claimed_by,
    q.last_risk_at
  from private.reviews_in_queue() q;
end;
comment on function public.review_queue is
  'Open and claimed reviews without their students, highest risk and oldest first, at most 1000: for a badge or a live view. Called by counselors of the students'' universities; no row for others.';

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
comment on function private.change_review is
  'Changes the status of a review; null when the caller is no counselor of the student''s university, or claims what is claimed. Called by public.claim_review, public.reopen_review and public.close_review.';

create function public.claim_review(review_id uuid) returns jsonb
language sql set search_path = ''
begin atomic select private.change_review(review_id, 'claimed'); end;
comment on function public.claim_review is
  'Claims an open review: {id, status, claimed_by}, or null when a colleague was faster; an error when it is closed. Called by counselors of the student''s university.';

create function public.reopen_review(review_id uuid) returns jsonb
language sql set search_path = ''
begin atomic select private.change_review(review_id, 'open'); end;
comment on function public.reopen_review is
  'Returns a claimed review to the queue: {id, status, claimed_by}. Called by the counselor who claimed it; null for other universities.';

create function public.close_review(review_id uuid) returns jsonb
language sql set search_path = ''
begin atomic select private.change_review(review_id, 'closed'); end;
comment on function public.close_review is
  'Closes a claimed review: {id, status, claimed_by}. Called by the counselor who claimed it; null for other universities.';

create function private.students_in_review() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select r.user_id
  from public.clinical_reviews r
  where r.status <> 'closed' and r.university_id in (select private.universities_counseled())
$$;
comment on function private.students_in_review is
  'Students with a review that is not closed, at universities where the caller is a counselor. Called by private.student_record.';

-- Locks the student's profile against a move to another university, which would leave the new review behind. The callers hold the
-- lock of the account, which its deletion takes first.
create function private.open_clinical_review(
  student uuid,
  found_in public.review_source,
  found_at uuid,
  level checkin.risk_level default 'high'
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  review uuid;
begin
  if level < 'moderate' then
    return;
  end if;
  -- The update locks the review and returns it; it changes only what opened at a lower level and a higher risk joins.
  insert into public.clinical_reviews as r (user_id, university_id, source, source_id, risk_level, last_notified_at)
  select p.user_id, p.university_id, found_in, found_at, level,
    -- Of lower priority: told with the next digest, where nobody else tells of it.
    case when level = 'moderate' and found_in <> 'support_alert' then now() - s.review_digest_after - interval '1 hour' else now() end
  from public.profiles p, private.messaging_settings s
  where p.user_id = student
  for share of p
  on conflict (user_id) where status <> 'closed' do update
  set risk_level = greatest(r.risk_level, excluded.risk_level)
  returning r.id into review;
  if review is null then
    return;
  end if;

  -- One check-in or session finds the same risk several times: in the words, then in the score.
  insert into private.clinical_review_sources as s (review_id, source, source_id)
  values (review, found_in, found_at)
  on conflict on constraint clinical_review_sources_pkey do update
  set seen_at = now()
  where s.seen_at < now() - interval '1 hour';
  if not found then
    return;
  end if;
  update public.clinical_reviews set last_risk_at = now() where id = review;
  delete from private.clinical_review_sources s
  using (
    select source, source_id
    from private.clinical_review_sources
    where review_id = review
    order by seen_at desc
    offset 100
  ) oldest
  where s.review_id = review and s.source = oldest.source and s.source_id = oldest.source_id;
end
$$;
comment on function private.open_clinical_review is
  'Opens a review of the student, or adds the source to the one that is not closed; nothing below moderate. Called wherever high risk, or crisis language of moderate level, is stored.';

create function private.review_high_risk() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.open_clinical_review(new.user_id, 'check_in', new.id);
  return null;
end
$$;
comment on function private.review_high_risk is 'Trigger: a check-in with high risk opens a clinical review.';

create function private.review_contacts(university text)
returns table (place integer, email text)
language sql stable set search_path = '' as $$
  select row_number() over (order by c.rank)::integer, c.email
  from (
    select k.email, k.rank from private.crisis_contacts k where k.university_id = university
    union all
    select btrim(u.support_email), 32767
    from public.universities u
    where u.id = university
      and btrim(u.support_email) <> ''
      and not exists (select from private.crisis_contacts k where k.university_id = u.id and lower(k.email) = lower(btrim(u.support_email)))
  ) as c
$$;
comment on function private.review_contacts is
  'Whom a university names for clinical reviews, in order; its support address last. Called where somebody is told of a review.';

create function private.queue_review_message(
  university text, student uuid, purpose text, subject text, body text, contact_place integer default 1
) returns void
language sql security definer set search_path = '' as $$
  insert into private.outbox (channel, purpose, user_id, recipient, subject, body, status, error_code, ended_at)
  select
    'email',
    queue_review_message.purpose,
    student,
    contact,
    queue_review_message.subject,
    queue_review_message.body,
    case when contact is null then 'dead' else 'queued' end::private.message_status,
    case when contact is null then 'no_recipient' end,
    case when contact is null then now() end
  from (
    select (select c.email from private.review_contacts(university) c where c.place = contact_place) as contact
  ) as known
$$;
comment on function private.queue_review_message is
  'Queues an email to the university''s crisis contact, or another one in the order; a dead letter when there is none. Called wherever a crisis contact is told of a review.';

-- The message does not name the student: an email must not reveal who is in crisis.
create function private.notify_crisis_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.queue_review_message(
    new.university_id,
    new.user_id,
    'clinical_review',
    'High risk: a student needs a clinical review',
    format(
      E'%s\n\nReview: %s\nOpened: %s UTC\n\nSign in to see who it is and to claim the review. It stays open until a counselor claims it.',
      case
        when tg_op = 'INSERT' then 'A student''s answers show signs of a crisis.'
        when new.risk_level <> old.risk_level
          then 'A student with an open review of lower priority: now their answers show signs of a crisis.'
        else 'A student with an open review has come to your university: we found signs that they need one.'
      end,
      new.id,
      to_char(new.opened_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
    )
  );
  return null;
end
$$;
comment on function private.notify_crisis_contact is
  'Trigger: tells the university''s crisis contact at once of a review with high risk, and another university''s of any when the student moves. Of one that an alert opens, private.tell_crisis_contact tells.';

create function private.send_review_digests() returns void
language sql security definer set search_path = '' as $$
  -- Materialized, so that a review is locked once.
  with due as materialized (
    select r.id
    from public.clinical_reviews r, private.messaging_settings s
    where r.status <> 'closed'
      and r.last_risk_at > r.last_notified_at
      and r.last_notified_at <= now() - s.review_digest_after
    for update of r skip locked
  ), told as (
    update public.clinical_reviews r
    set last_notified_at = now()
    from due
    where r.id = due.id
    returning r.id, r.university_id, r.opened_at
  )
  select private.queue_review_message(
    university_id,
    null,
    'clinical_review_digest',
    'Open reviews: students who showed risk, or showed it again',
    format(
      E'Risk showed in %s whose review is not closed.\n\n%s\n\nSign in to see who it is.',
      case count(*) when 1 then 'one student' else count(*) || ' students' end,
      array_to_string((array_agg(format('Review: %s', id) order by opened_at))[1:100], E'\n')
        || case when count(*) > 100 then E'\nThe list in the app has the others.' else '' end
    )
  )
  from told
  group by university_id
$$;
comment on function private.send_review_digests is
  'Queues one message a university about its reviews in which risk showed since the crisis contact was told, a day ago or longer, and about new ones of lower priority. Called by cron.';
select cron.schedule('send-review-digests', '22 * * * *', 'select private.send_review_digests()');

create function private.guard_clinical_review() returns trigger
language plpgsql set search_path = '' as $$
declare
  person uuid := (select auth.uid());
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
comment on function private.guard_clinical_review is
  'Trigger: allows only valid transitions, each with the server''s time and the caller''s account; only the counselor who claimed a review may release or close it.';

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

create trigger review_high_risk
after update of risk_level on checkin.check_ins
for each row
when (new.risk_level = 'high' and old.risk_level is distinct from new.risk_level)
execute function private.review_high_risk();

create trigger notify_crisis_contact
after insert on public.clinical_reviews
for each row
when (new.risk_level = 'high')
execute function private.notify_crisis_contact();

create trigger notify_of_higher_risk
after update of risk_level on public.clinical_reviews
for each row
when (new.status <> 'closed' and new.risk_level > old.risk_level)
execute function private.notify_crisis_contact();

create trigger notify_other_university
after update of university_id on public.clinical_reviews
for each row
when (new.status <> 'closed' and new.university_id is not null and new.university_id is distinct from old.university_id)
execute function private.notify_crisis_contact();

create trigger guard_clinical_review
before update on public.clinical_reviews
for each row execute function private.guard_clinical_review();

create trigger release_claims
after delete on public.user_roles
for each row when (old.role = 'counselor')
execute function private.release_claims();

create function private.audit_review() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Who claimed or closed it is who did this; an entry holds no account.
  perform private.audit(
    'review_changed', new.university_id, 'clinical_reviews', new.id::text,
    private.changed_columns(to_jsonb(old), to_jsonb(new)) - array['claimed_by', 'closed_by'],
    private.changed_columns(to_jsonb(new), to_jsonb(old)) - array['claimed_by', 'closed_by'],
    subject => new.user_id
  );
  return null;
end
$$;
comment on function private.audit_review is 'Trigger: logs clinical reviews that are claimed, released or closed.';

create constraint trigger audit_review
after update on public.clinical_reviews
deferrable initially deferred
for each row when (new.status <> old.status)
execute function private.audit_review();
select private.declare_audit_triggers('public.clinical_reviews', '{audit_review}');
