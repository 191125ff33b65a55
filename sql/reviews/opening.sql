create function private.arrival_of(stored jsonb) returns timestamptz
language sql stable set search_path = '' as $$
  select now() - make_interval(secs => coalesce((stored ->> 'analyzed_for_ms')::double precision, 0) / 1000)
$$;
comment on function private.arrival_of is 'When the words of a call arrived whose result is stored: by how long their analysis took, so that no two clocks are compared. Called by the functions that store it.';

-- Locks the student's profile against a move to another university, which would leave the new review behind. The callers hold the
-- lock of the account, which its deletion takes first.
create function private.open_clinical_review(
  student uuid, found_in public.review_source, found_at uuid, level checkin.risk_level default 'high', arrived timestamptz default null
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  review uuid;
  counselor uuid;
begin
  if level < 'moderate' then
    return;
  end if;
  -- The update locks the review and returns it; it changes only what opened at a lower level and a higher risk joins.
  insert into public.clinical_reviews as r (user_id, university_id, source, source_id, risk_level, last_notified_at, contacts_told)
  select p.user_id, p.university_id, found_in, found_at, level,
    -- Of lower priority: told with the next digest, where nobody else tells of it.
    case when level = 'moderate' and found_in <> 'support_alert' then now() - s.review_digest_after - interval '1 hour' else now() end,
    case when level = 'moderate' and found_in <> 'support_alert' then 0 else 1 end
  from public.profiles p, private.messaging_settings s
  where p.user_id = student
  for share of p
  on conflict (user_id) where status <> 'closed' do update
  set risk_level = greatest(r.risk_level, excluded.risk_level),
    contacts_told = case when excluded.risk_level > r.risk_level then greatest(r.contacts_told, 1) else r.contacts_told end
  returning r.id into review;
  if review is null then
    return;
  end if;

  -- What is found in a check-in while it is analysed arrived with its submission.
  arrived := coalesce(
    arrived, (select c.submitted_at from checkin.check_ins c where c.id = found_at and c.status = 'processing'), now()
  );
  update private.clinical_review_sources s
  set risk_level = level, arrived_at = arrived
  where s.review_id = review and s.source = found_in and s.source_id = found_at and s.risk_level < level;

  -- One check-in or session finds the same risk several times: in the words, then in the score.
  insert into private.clinical_review_sources as s (review_id, source, source_id, risk_level, arrived_at)
  values (review, found_in, found_at, level, arrived)
  on conflict on constraint clinical_review_sources_pkey do update
  set seen_at = now()
  where s.seen_at < now() - interval '1 hour';
  if not found then
    return;
  end if;
  -- Who has claimed it has not seen this risk: the term for a note begins anew.
  update public.clinical_reviews
  set last_risk_at = now(),
    note_due_since = case when status = 'claimed' then now() end,
    claim_reminded_at = null
  where id = review
  returning case when status = 'claimed' then claimed_by end into counselor;
  if counselor is not null then
    perform private.queue_review_mail(
      private.email_of(counselor), student, 'clinical_review_claim', 'Risk showed again in a review that you claimed',
      format(
        E'Risk showed again in a student''s review that you claimed, at %s UTC. Look at it, and write a note, close it or hand it over.\n\n%s',
        private.utc_minute(now()), private.review_reference(review, (select r.university_id from public.clinical_reviews r where r.id = review))
      )
    );
  end if;
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
comment on function private.open_clinical_review is 'Opens a review of the student, or adds the source to the one that is not closed; nothing below moderate. `arrived` is when what shows the risk arrived. Called wherever high risk, or crisis language of moderate level, is stored.';

create function private.review_high_risk() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.open_clinical_review(
    new.user_id, 'check_in', new.id, arrived => case when old.status = 'processing' then new.submitted_at end
  );
  return null;
end
$$;
comment on function private.review_high_risk is 'Trigger: a check-in with high risk opens a clinical review.';

create function private.review_contacts(university text) returns table (place integer, email text, phone text)
language sql stable set search_path = '' as $$
  with named as (
    select k.email, k.phone, k.rank from private.crisis_contacts k where k.university_id = university
    union all
    select btrim(u.support_email), null, 32767
    from public.universities u
    where u.id = university
      and btrim(u.support_email) <> ''
      and not exists (select from private.crisis_contacts k where k.university_id = u.id and lower(k.email) = lower(btrim(u.support_email)))
  )
  select row_number() over (order by c.rank)::integer, c.email, c.phone
  from (
    select n.email, n.phone, n.rank from named n
    union all
    select s.review_fallback_email, null, 32767
    from private.messaging_settings s
    where s.review_fallback_email is not null and not exists (select from named)
  ) as c
$$;
comment on function private.review_contacts is 'Whom a university names for clinical reviews, in order, its support address last; the operator''s own address where it names nobody, and for students without a university. Called where somebody is told of a review.';

create function private.review_reference(review uuid, university text) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return concat_ws(
    E'\n',
    'University: ' || private.university_in_message(university),
    'Review: ' || review,
    'Open it: ' || private.staff_link('/reviews/' || review)
  );
end
$$;
comment on function private.review_reference is 'The lines of a message to staff that say at which university a review is and where it opens; nothing of the student. Called wherever somebody is told of a review.';

create function private.queue_review_mail(recipient text, student uuid, purpose text, subject text, body text) returns void
language sql security definer set search_path = '' as $$
  insert into private.outbox (channel, purpose, user_id, recipient, subject, body, status, error_code, ended_at)
  select
    'email', purpose, student, recipient, subject, body,
    case when recipient is null then 'dead' else 'queued' end::private.message_status,
    case when recipient is null then 'no_recipient' end,
    case when recipient is null then now() end
$$;
comment on function private.queue_review_mail is 'Queues an email about a review; a dead letter without a recipient. Called wherever somebody is told of a review.';

create function private.queue_review_message(
  university text, student uuid, purpose text, subject text, body text, contact_place integer default 1
) returns void
language sql security definer set search_path = '' as $$
  select private.queue_review_mail(
    (select c.email from private.review_contacts(university) c where c.place = contact_place), student, purpose, subject, body
  )
$$;
comment on function private.queue_review_message is 'Queues an email to the university''s crisis contact, or another one in the order; a dead letter when there is none. Called wherever a crisis contact is told of a review.';

create function private.counselors_on_call(university text, student uuid, since timestamptz)
returns table (user_id uuid, email text)
language sql stable security definer set search_path = '' as $$
  select distinct s.user_id, private.email_of(s.user_id)
  from private.shifts_within(university, since, now() + interval '1 microsecond') s
  where s.user_id is distinct from student and private.email_of(s.user_id) is not null
$$;
comment on function private.counselors_on_call is 'The counselors who are on call at a university, or were since a moment, but for the student whose review it is. Called where they are told of one.';

-- A text names no student either, and is one segment: the address of the app may have some 80 characters.
create function private.tell_on_call(
  university text, student uuid, review uuid, purpose text, subject text, body text, contact_place integer default 1
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  contact record;
begin
  perform private.queue_review_message(university, student, purpose, subject, body, contact_place);
  select c.email, c.phone into contact from private.review_contacts(university) c where c.place = contact_place;
  insert into private.outbox (channel, purpose, user_id, recipient, body)
  select
    'sms', tell_on_call.purpose, student, contact.phone,
    format(
      'Student wellbeing: high risk at %s, a review waits. %s',
      private.name_in_message((select u.short_name from public.universities u where u.id = university), university, 20),
      coalesce(private.staff_link('/reviews/' || review), 'Review ' || review)
    )
  where contact.phone is not null and private.texts_go_to(contact.phone);
  perform private.queue_review_mail(c.email, student, purpose, subject, body)
  from private.counselors_on_call(university, student, now()) c
  where lower(c.email) is distinct from lower(contact.email);
end
$$;
comment on function private.tell_on_call is 'Tells of a review with high risk: the university''s crisis contact, or another one in the order, by email and, where they have a number, by text; and every counselor on call, by email. Called wherever high risk is told of at once.';

-- The message does not name the student: an email must not reveal who is in crisis.
create function private.notify_crisis_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  subject constant text := case new.risk_level when 'high' then 'High risk: a' else 'A' end || ' student needs a clinical review';
  body constant text := format(
    E'%s\n\n%s\nOpened: %s UTC\n\nSign in to see who it is and to claim the review. It stays open until a counselor claims it.',
    case
      when tg_op = 'INSERT' then 'A student''s answers show signs of a crisis.'
      when new.risk_level <> old.risk_level
        then 'A student with an open review of lower priority: now their answers show signs of a crisis.'
      else 'A student with an open review has come to your university: we found signs that they need one.'
    end,
    private.review_reference(new.id, new.university_id),
    private.utc_minute(new.opened_at)
  );
begin
  if new.risk_level = 'high' then
    perform private.tell_on_call(new.university_id, new.user_id, new.id, 'clinical_review', subject, body);
  else
    perform private.queue_review_message(new.university_id, new.user_id, 'clinical_review', subject, body);
  end if;
  return null;
end
$$;
comment on function private.notify_crisis_contact is 'Trigger: tells the university''s crisis contact and counselors on call at once of a review with high risk, and another university''s of any when the student moves. Of one that an alert opens, private.tell_crisis_contact tells.';

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
    set last_notified_at = now(), contacts_told = greatest(r.contacts_told, 1)
    from due
    where r.id = due.id
    returning r.id, r.university_id, r.opened_at
  )
  select private.queue_review_message(
    university_id, null, 'clinical_review_digest',
    'Open reviews: students who showed risk, or showed it again',
    format(
      E'Risk showed in %s whose review is not closed.\n\n%s\n\nSign in to see who it is.',
      case count(*) when 1 then 'one student' else count(*) || ' students' end,
      concat_ws(
        E'\n',
        'University: ' || private.university_in_message(told.university_id),
        array_to_string(
          (array_agg(concat_ws(' ', 'Review:', id, private.staff_link('/reviews/' || id)) order by opened_at))[1:100], E'\n'
        ),
        case when count(*) > 100 then 'The list in the app has the others.' end
      )
    )
  )
  from told
  group by university_id
$$;
comment on function private.send_review_digests is 'Queues one message a university about its reviews in which risk showed since the crisis contact was told, a day ago or longer, and about new ones of lower priority. Called by cron.';
select cron.schedule('send-review-digests', '22 * * * *', 'select private.send_review_digests()');

create trigger review_high_risk after update of risk_level on checkin.check_ins
for each row when (new.risk_level = 'high' and old.risk_level is distinct from new.risk_level)
execute function private.review_high_risk();

create trigger notify_crisis_contact after insert on public.clinical_reviews
for each row when (new.risk_level = 'high') execute function private.notify_crisis_contact();

create trigger notify_of_higher_risk after update of risk_level on public.clinical_reviews
for each row when (new.status <> 'closed' and new.risk_level > old.risk_level) execute function private.notify_crisis_contact();

create trigger notify_other_university
after update of university_id on public.clinical_reviews
for each row
when (new.status <> 'closed' and new.university_id is not null and new.university_id is distinct from old.university_id)
execute function private.notify_crisis_contact();
