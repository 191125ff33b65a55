-- What becomes of a university's emails and texts. Of messages about students the rule of ten holds, as of every other figure.

create function private.message_audience(purpose text) returns text
language sql immutable set search_path = '' as $$
  select case
    when purpose in ('training_reminder', 'staff_invitation', 'crisis_contact_test', 'uncovered_hours') then 'staff'
    when purpose in (
      'clinical_review', 'clinical_review_reminder', 'clinical_review_digest', 'clinical_review_claim', 'clinical_review_handed_over',
      'clinical_review_claimed', 'support_alert_escalation'
    ) then 'reviews'
    else 'students'
  end
$$;
comment on function private.message_audience is 'Whom messages of a purpose go to: staff, of themselves; reviews: staff, of a student; students: students and their contacts, which holds for every purpose that is not listed. Called by private.message_delivery.';

create function private.message_delivery(university text, date_range text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  days constant integer := case date_range when '7d' then 7 when '30d' then 30 end;
  zone constant text := (select u.time_zone from public.universities u where u.id = university);
  today constant date := private.university_date(university, now());
  -- What was sent is not kept for longer.
  first_day constant date := greatest(
    today - days, private.university_date(university, now() - (select r.keep from private.retention_rules r where r.kind = 'sent_messages')) + 1
  );
begin
  perform private.require_administrator(university);
  if days is null or zone is null then
    return null;
  end if;
  return (
    with messages as materialized (
      select
        o.channel, o.purpose, private.message_audience(o.purpose) as audience, o.user_id, o.error_code,
        (o.created_at at time zone zone)::date as day,
        case
          when o.status in ('queued', 'sending') then 'waiting'
          when o.status = 'dead' or o.provider_status in ('undelivered', 'failed') then 'failed'
          else o.status::text
        end as state
      from private.outbox o
      left join public.profiles p on p.user_id = o.user_id
      where o.created_at >= private.moment_at(first_day, zone)
        and (
          p.university_id = university
          or exists (select from private.staff_invitations i where i.message_id = o.id and i.university_id = university)
          or exists (
            select from private.crisis_contacts c where c.university_id = university and o.id in (c.test_email_id, c.test_text_id)
          )
        )
    ),
    kinds as (
      select
        m.audience, m.purpose, m.channel, count(*) as messages,
        count(*) filter (where m.state = 'waiting') as waiting,
        count(*) filter (where m.state = 'sent') as sent,
        count(*) filter (where m.state = 'unconfirmed') as unconfirmed,
        count(*) filter (where m.state = 'failed') as failed,
        count(*) filter (where m.state = 'cancelled') as cancelled
      from messages m
      where m.day < today
      group by m.audience, m.purpose, m.channel
      having m.audience = 'staff' or count(distinct m.user_id) >= (select s.smallest_cohort from private.cohort_settings s)
    ),
    -- Up to now: whoever is responsible for the contacts on call hears at once that one is not reached.
    failures as (
      select m.day, m.audience, m.purpose, m.channel, m.error_code, count(*) as messages
      from messages m
      where m.state = 'failed' and m.audience <> 'students'
      group by m.day, m.audience, m.purpose, m.channel, m.error_code
    )
    select jsonb_build_object(
      'university_id', university,
      'date_range', date_range,
      'from', first_day,
      'to', today - 1,
      'kinds', (select coalesce(jsonb_agg(to_jsonb(k) order by k.audience, k.purpose, k.channel), '[]') from kinds k),
      'failures', (
        select coalesce(jsonb_agg(to_jsonb(f) order by f.day desc, f.audience, f.purpose, f.channel, f.error_code), '[]') from failures f
      )
    )
  );
end
$$;
comment on function private.message_delivery is 'Implementation of public.message_delivery, which calls it.';

create function public.message_delivery(university_id text, date_range text default '7d') returns jsonb
language sql stable set search_path = ''
begin atomic select private.message_delivery(university_id, date_range); end;
comment on function public.message_delivery is 'What became of a university''s emails and texts of the last 7d or 30d, without recipient and content: kinds by purpose and channel, of days that are over; of messages about students those of ten students or more. And failures of messages to staff, by day, up to now. Null for another range. Called by administrators of the university and security administrators; an error for others.';
