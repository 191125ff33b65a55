-- A claim without a note or a closing lapses: whoever claimed it is reminded, then the review is open again and the next contact is told.

create table private.review_claim_terms (
  id bigint generated always as identity,
  university_id text,
  risk_level checkin.risk_level not null,
  remind_after interval not null,
  lapse_after interval,
  constraint review_claim_terms_pkey primary key (id),
  constraint review_claim_terms_once unique nulls not distinct (university_id, risk_level),
  constraint review_claim_terms_university_id_fkey foreign key (university_id) references public.universities (id) on delete cascade,
  constraint review_claim_terms_risk_level check (risk_level in ('moderate', 'high')),
  constraint review_claim_terms_range check (
    remind_after between interval '15 minutes' and interval '14 days' and lapse_after between interval '5 minutes' and interval '14 days'
  )
);
select private.describe('private.review_claim_terms', 'How long whoever claimed a review has for a note or a closing, by risk level; a university''s own row comes before the one for all.', $$
  id: The row.
  university_id: The university; null for all that have no row of their own.
  risk_level: The level of the review: moderate or high.
  remind_after: How long after the claim whoever claimed it is reminded: 15 minutes to 14 days.
  lapse_after: How long after that the claim lapses: 5 minutes to 14 days; null for a quarter of remind_after.
$$);

insert into private.review_claim_terms (university_id, risk_level, remind_after)
values (null, 'high', '4 hours'), (null, 'moderate', '2 days');

select private.declare_data('private.review_claim_terms', '{id, university_id, risk_level, remind_after, lapse_after}',
  'Settings: when the claim of a review lapses.');
select private.declare_audited('private.review_claim_terms', 'risk_level');

-- In seconds: added to a moment, a day would be as long as the session's time zone makes it, 23 to 25 hours.
create function private.claim_terms(university text, level checkin.risk_level)
returns table (remind_after interval, lapse_after interval)
language sql stable security definer set search_path = '' as $$
  select make_interval(secs => t.seconds), make_interval(secs => coalesce(extract(epoch from t.lapse_after)::double precision, t.seconds / 4))
  from (
    select extract(epoch from c.remind_after)::double precision as seconds, c.lapse_after
    from private.review_claim_terms c
    where c.risk_level = level and (c.university_id = university or c.university_id is null)
    order by c.university_id nulls last
    limit 1
  ) as t
$$;
comment on function private.claim_terms is 'How long a university gives whoever claims a review of that level: until they are reminded, and from then until the claim lapses. Called by private.advance_claims.';

create function private.set_claim_terms(university text, level checkin.risk_level, reminder interval, lapse interval) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_administrator(university);
  insert into private.review_claim_terms (university_id, risk_level, remind_after, lapse_after)
  values (university, level, reminder, lapse)
  on conflict on constraint review_claim_terms_once do update
  set remind_after = excluded.remind_after, lapse_after = excluded.lapse_after;
end
$$;
comment on function private.set_claim_terms is 'Implementation of public.set_claim_terms, which calls it.';

create function public.set_claim_terms(
  university_id text, risk_level checkin.risk_level, remind_after interval, lapse_after interval default null
) returns void
language sql set search_path = ''
begin atomic select private.set_claim_terms(university_id, risk_level, remind_after, lapse_after); end;
comment on function public.set_claim_terms is 'Sets how long a university gives whoever claims a review of that level for a note or a closing, 15 minutes to 14 days, and how long after the reminder the claim lapses, 5 minutes to 14 days; by default a quarter. Called by administrators of the university and security administrators; an error for others.';

create function private.advance_claims(at timestamptz) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  lapsed integer;
  reminded integer;
begin
  -- Materialized, so that a review is locked once. Whoever writes a note at this moment has it locked, or its student's account is
  -- being deleted: it is skipped.
  with due as materialized (
    select r.id, r.claimed_by as counselor, greatest(
        1, (select c.place from private.review_contacts(r.university_id) c where c.place = r.contacts_told + 1)
      ) as contact
    from public.clinical_reviews r
    join auth.users u on u.id = r.user_id
    cross join lateral private.claim_terms(r.university_id, r.risk_level) t
    where r.status = 'claimed' and r.claim_reminded_at + t.lapse_after <= at
    for key share of u skip locked
    for update of r skip locked
  ),
  opened as (
    update public.clinical_reviews r
    set status = 'open', open_since = at, contacts_told = due.contact
    from due
    where r.id = due.id
    returning r.id, r.user_id, r.university_id, r.risk_level, due.counselor, due.contact
  ),
  told as materialized (
    select
      private.tell_of_waiting_review(
        o.university_id, o.user_id, o.id, o.risk_level,
        case o.risk_level when 'high' then 'High risk: a' else 'A' end || ' clinical review waits again',
        format(
          E'A counselor claimed a student''s review and wrote no note in time. It has been open again since %s UTC.\n\n%s\n\nSign in to see who it is and to claim the review.',
          private.utc_minute(at), private.review_reference(o.id, o.university_id)
        ),
        o.contact
      ),
      private.queue_review_mail(
        private.email_of(o.counselor), o.user_id, 'clinical_review_claim',
        'Your claim of a clinical review has lapsed',
        format(
          E'You claimed a student''s review and wrote no note. It has been open again since %s UTC, and the next contact of your university was told.\n\n%s',
          private.utc_minute(at), private.review_reference(o.id, o.university_id)
        )
      )
    from opened o
  )
  select count(*) into lapsed from told;

  with due as materialized (
    select r.id, t.lapse_after
    from public.clinical_reviews r
    join auth.users u on u.id = r.user_id
    cross join lateral private.claim_terms(r.university_id, r.risk_level) t
    where r.status = 'claimed' and r.claim_reminded_at is null and r.note_due_since + t.remind_after <= at
    for key share of u skip locked
    for update of r skip locked
  ),
  marked as (
    update public.clinical_reviews r
    set claim_reminded_at = at
    from due
    where r.id = due.id
    returning r.id, r.user_id, r.university_id, r.risk_level, r.claimed_by, r.note_due_since, due.lapse_after
  ),
  told as materialized (
    select private.queue_review_mail(
      private.email_of(m.claimed_by), m.user_id, 'clinical_review_claim',
      case m.risk_level when 'high' then 'High risk: a' else 'A' end || ' review that you claimed has no note',
      format(
        E'You have had a student''s review since %s UTC, and it has no note of yours. Write one, close it, or hand it over; otherwise it opens again at %s UTC and the next contact is told.\n\n%s',
        private.utc_minute(m.note_due_since), private.utc_minute(at + m.lapse_after), private.review_reference(m.id, m.university_id)
      )
    )
    from marked m
  )
  select count(*) into reminded from told;
  return lapsed + reminded;
end
$$;
comment on function private.advance_claims is 'Reminds whoever claimed a review and wrote no note in time, and opens it again when they were reminded long enough ago, one step at once; returns of how many reviews. Called by cron.';
select cron.schedule('advance-claims', '* * * * *', 'select private.advance_claims(now())');

create function private.tell_of_claim() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.queue_review_mail(
    told.email, new.user_id, 'clinical_review_claimed', 'A clinical review was claimed',
    format(
      E'%s claimed the student''s review of which you were told, at %s UTC. You need do nothing.\n\n%s',
      private.name_in_message(private.name_of(new.claimed_by), 'A counselor', 60),
      private.utc_minute(new.claimed_at),
      private.review_reference(new.id, new.university_id)
    )
  )
  from (
    select c.email, c.place from private.review_contacts(new.university_id) c where c.place <= new.contacts_told
    union all
    select o.email, null from private.counselors_on_call(new.university_id, new.user_id, new.open_since) o
    where new.risk_level = 'high'
      and not exists (
        select from private.review_contacts(new.university_id) c
        where c.place <= new.contacts_told and lower(c.email) = lower(o.email)
      )
  ) as told
  where lower(told.email) is distinct from lower(private.email_of(new.claimed_by));
  return null;
end
$$;
comment on function private.tell_of_claim is 'Trigger: tells who was told of a review, contacts and of high risk the counselors on call, that somebody has claimed it, but for who did.';

create trigger tell_of_claim after update of status on public.clinical_reviews
for each row when (new.status = 'claimed' and old.status = 'open') execute function private.tell_of_claim();
