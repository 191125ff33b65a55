create table private.review_reminder_rules (
  risk_level checkin.risk_level not null,
  remind_after interval not null,
  escalate_after interval not null,
  constraint review_reminder_rules_pkey primary key (risk_level),
  constraint review_reminder_rules_positive check (remind_after > interval '0' and escalate_after > interval '0')
);
select private.describe('private.review_reminder_rules', 'When a university''s contacts are reminded of a review that nobody claims; an operator can change it without a deployment. Intervals are above 0.', $$
  risk_level: The level of the review.
  remind_after: How long after the review became open the first contact is told again.
  escalate_after: How long after that the next contact is told, and so on, each once.
$$);

insert into private.review_reminder_rules (risk_level, remind_after, escalate_after)
values ('high', '30 minutes', '30 minutes'), ('moderate', '8 hours', '8 hours');

select private.declare_data('private.review_reminder_rules', '{risk_level, remind_after, escalate_after}',
  'Settings: when contacts are reminded of a review that nobody claims.');
select private.declare_audited('private.review_reminder_rules', 'risk_level');

create function private.next_review_contact(review public.clinical_reviews) returns integer
language sql immutable set search_path = '' as $$
  select greatest(review.contacts_told, 1) + (review.reminders > 0)::integer
$$;
comment on function private.next_review_contact is 'The place of the contact who is reminded next of a review that waits: first again the one who was told last, then the one after. Called by private.remind_of_reviews.';

create function private.tell_of_waiting_review(
  university text, student uuid, review uuid, level checkin.risk_level, subject text, body text, contact_place integer
) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if level = 'high' then
    perform private.tell_on_call(university, student, review, 'clinical_review_reminder', subject, body, contact_place);
  else
    perform private.queue_review_message(university, student, 'clinical_review_reminder', subject, body, contact_place);
  end if;
end
$$;
comment on function private.tell_of_waiting_review is 'Tells the next contact of a review that waits, and of one with high risk the counselors on call too. Called by private.remind_of_reviews and private.advance_claims.';

create function private.remind_of_reviews(at timestamptz) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  reminded integer;
begin
  -- Materialized, so that a review is locked once. Whoever claims one at this moment has it locked, or its student's account is being
  -- deleted: it is skipped.
  with due as materialized (
    select r.id
    from public.clinical_reviews r
    join auth.users u on u.id = r.user_id
    join private.review_reminder_rules t on t.risk_level = r.risk_level
    where r.status = 'open'
      and r.open_since + t.remind_after + r.reminders * t.escalate_after <= at
      and exists (select from private.review_contacts(r.university_id) c where c.place = private.next_review_contact(r))
    for key share of u skip locked
    for update of r skip locked
  ),
  counted as (
    update public.clinical_reviews r
    set reminders = r.reminders + 1, contacts_told = private.next_review_contact(r)
    from due
    where r.id = due.id
    returning r.id, r.user_id, r.university_id, r.risk_level, r.open_since, r.contacts_told
  ),
  queued as materialized (
    select private.tell_of_waiting_review(
      c.university_id, c.user_id, c.id, c.risk_level,
      case c.risk_level when 'high' then 'High risk: nobody' else 'Nobody' end || ' has claimed a clinical review',
      format(
        E'A student''s review has been waiting for a counselor since %s UTC.%s\n\n%s\n\nSign in to see who it is and to claim the review.',
        private.utc_minute(c.open_since),
        case when c.contacts_told > 1 then ' Others were told before, and nobody has claimed it.' else '' end,
        private.review_reference(c.id, c.university_id)
      ),
      c.contacts_told
    )
    from counted c
  )
  select count(*) into reminded from queued;
  return reminded;
end
$$;
comment on function private.remind_of_reviews is 'Tells the next contact of each review that nobody claims in time, one step at once; returns of how many reviews. Called by cron.';
select cron.schedule('remind-of-reviews', '* * * * *', 'select private.remind_of_reviews(now())');

create function private.restart_review_wait() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.reminders := 0;
  -- A claim that lapses says both itself.
  if new.open_since is distinct from old.open_since then
    return new;
  end if;
  new.open_since := now();
  new.contacts_told := (new.university_id is distinct from old.university_id or new.risk_level > old.risk_level)::integer;
  return new;
end
$$;
comment on function private.restart_review_wait is 'Trigger, after private.guard_clinical_review: a review that is released, reopened or lapses, comes to another university or rises in risk waits anew.';

create trigger restart_review_wait
before update on public.clinical_reviews
for each row
when (
  new.status = 'open'
  and (old.status <> 'open' or new.university_id is distinct from old.university_id or new.risk_level > old.risk_level)
)
execute function private.restart_review_wait();
