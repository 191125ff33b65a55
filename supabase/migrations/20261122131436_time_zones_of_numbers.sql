SET local check_function_bodies = off;

DROP FUNCTION "private"."send_verification"(uuid, uuid, text, inet, text, timestamp WITH time zone);

ALTER TABLE "public"."buddy_contacts"
  ADD COLUMN "number_time_zones" text[];

CREATE OR REPLACE FUNCTION private.ask_contact (
  contact       uuid,
  request_type  text,
  worrying_days integer,
  at            timestamp with time zone
)
  RETURNS uuid
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  asked public.buddy_contacts;
  token text := private.new_link_token();
  request uuid;
  queued uuid;
  student text;
  buddy text;
  link text;
begin
  select * into asked from public.buddy_contacts where id = contact;
  if asked.id is null or not private.may_reach(contact, 'sms', asked.phone) then
    return null;
  end if;
  select private.name_in_message(p.first_name, 'a friend of yours') into student
  from public.profiles p where p.user_id = asked.user_id;
  buddy := private.name_in_message(asked.name, 'there');
  link := private.pages_url() || case request_type when 'user_initiated' then '/buddy/checkin/' else '/buddy/alert/' end || token;

  insert into public.buddy_check_in_requests (buddy_contact_id, user_id, request_type, trigger_reason, created_at)
  values (
    contact, asked.user_id, ask_contact.request_type,
    case when request_type = 'system_initiated' then format('A pattern over %s days.', worrying_days) end, at
  )
  returning id into request;
  insert into private.buddy_links (request_id, token_hash, number_hash, expires_at)
  select request, private.link_token_hash(token), private.hash_of_number(asked.phone), at + s.link_valid
  from private.support_settings s;
  queued := private.queue_text(
    contact,
    case request_type when 'user_initiated' then 'buddy_check_in' else 'support_alert' end,
    case request_type
      when 'user_initiated' then format(
        'Hi %s, %s would like you to check in on them today. Let them know you are there: %s Reply STOP to opt out.',
        buddy, student, link
      )
      else format(
        'Hi %s, we have noticed concerning patterns for %s over %s days. Please check in on them: %s This is an automated alert. Reply STOP to opt out.',
        buddy, student, worrying_days, link
      )
    end,
    request,
    at
  );
  -- A stop that was heard since the contact was found reachable: without a text there is no request.
  if queued is null then
    delete from public.buddy_check_in_requests where id = request;
    return null;
  end if;
  return request;
end
$function$;

CREATE OR REPLACE FUNCTION private.guard_contact()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  activated boolean := new.is_active and (tg_op = 'INSERT' or not old.is_active);
begin
  -- Row-level security refuses this next; until then, nothing may be learned of another student.
  if new.user_id <> auth.uid() then
    return new;
  end if;
  if activated then
    if not private.has_consent(new.user_id, 'support_circle') then
      perform private.refuse(403, 'consent_required', 'Agree to the support circle first: consent support_circle.');
    end if;
    if new.declined_at is not null then
      perform private.refuse(409, 'buddy_unavailable', 'This person declined, and cannot be asked again.');
    end if;
    if new.priority_rank is null then
      select min(rank) into new.priority_rank
      from generate_series(1, 5) as rank
      where not exists (select from public.buddy_contacts c where c.user_id = new.user_id and c.priority_rank = rank);
    end if;
    if new.priority_rank is null then
      perform private.refuse(409, 'buddy_limit', 'A support circle has at most five active people. Deactivate one first.');
    end if;
  end if;
  if tg_op = 'INSERT' then
    perform private.refuse(409, 'buddy_limit', format('At most %s people are kept. Delete some first.', s.max_contacts))
    from private.support_settings s
    where (select count(*) from public.buddy_contacts c where c.user_id = new.user_id) >= s.max_contacts;
    return new;
  end if;

  if not new.is_active then
    new.priority_rank := null;
  end if;
  if (new.phone, new.email) is distinct from (old.phone, old.email) then
    new.verified := false;
    new.verified_at := null;
    new.phone_confirmed_at := null;
    new.confirmation_tries := 0;
    new.time_zone := null;
    new.number_time_zones := null;
    new.texts_at_night := false;
    new.verification_token := null;
    new.verification_token_expires_at := null;
  end if;
  -- Somebody who declined can still read what they decided.
  if old.is_active and not new.is_active and new.declined_at is null then
    new.verification_token := null;
    new.verification_token_expires_at := null;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.name_in_message (
  name      text,
  otherwise text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select coalesce(
    nullif(
      btrim(
        left(
          regexp_replace(
            regexp_replace(
              regexp_replace(normalize(name, NFKC), '[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]+', ' ', 'g'),
              '(https?:|www\.|//)[^[:space:]]*|[^[:space:]]*[[:alnum:]][.。][[:alnum:]][^[:space:]]*|[<>"{}|\\^`@#]', ' ', 'gi'
            ),
            '[[:space:]]+', ' ', 'g'
          ),
          40
        )
      ),
      ''
    ),
    otherwise
  )
$function$;

CREATE OR REPLACE FUNCTION private.next_text_time (
  contact uuid,
  at      timestamp with time zone
)
  RETURNS timestamp WITH time zone
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return (
    select case
        when c.texts_at_night then at
        else (
          select min(candidate.moment)
          from (
            select at as moment
            union all
            select ((at at time zone zone)::date + day + s.day_begins) at time zone zone
            from unnest(home.zones) as zone
            cross join generate_series(0, 2) as day
          ) as candidate
          where candidate.moment >= at
            and not exists (
              select from unnest(home.zones) as zone
              where (candidate.moment at time zone zone)::time not between s.day_begins and s.day_ends
            )
        )
      end
    from public.buddy_contacts c
    cross join private.support_settings s
    cross join lateral (
      select case when c.time_zone is null then coalesce(c.number_time_zones, '{UTC}') else array[c.time_zone] end as zones
    ) as home
    where c.id = contact
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.send_verification (
  student       uuid,
  contact       uuid,
  checked_phone text,
  ip            inet,
  agent         text,
  at            timestamp with time zone,
  zones         text[]                   DEFAULT NULL::text[]
)
  RETURNS TABLE (
    outcome       text,
    retry_after_s integer
  )
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  asked public.buddy_contacts := private.lock_contact(contact);
  settings private.support_settings;
  mailbox text := private.mailbox_hash(asked.email);
  token text := private.new_link_token();
  sent record;
begin
  select * into strict settings from private.support_settings;
  select
    count(*) filter (where s.mailbox_hash = mailbox) as to_mailbox,
    max(s.sent_at) filter (where s.mailbox_hash = mailbox) as last_to_mailbox,
    count(*) filter (where s.sent_at > at - interval '1 day') as today,
    min(s.sent_at) filter (where s.sent_at > at - interval '1 day') as first_today
  into sent
  from private.buddy_verification_sends s
  where s.user_id = student;

  outcome := case
    when asked.user_id is distinct from student then 'not_found'
    when asked.phone <> checked_phone then 'changed'
    when not private.has_consent(student, 'support_circle') then 'no_consent'
    when asked.verified then 'verified'
    when not asked.is_active then 'unavailable'
    when asked.email is null then 'no_email'
    when exists (
      select from private.buddy_refusals r
      where r.user_id = student and r.address_hash in (mailbox, private.hash_of_number(asked.phone))
    ) then 'unavailable'
    when sent.to_mailbox >= settings.max_verifications then 'exhausted'
    when sent.last_to_mailbox > at - settings.verification_pause or sent.today >= settings.daily_verifications then 'too_soon'
    when sent.to_mailbox = 0 then 'sent'
    else 'resent'
  end;
  if outcome = 'too_soon' then
    retry_after_s := ceil(extract(epoch from greatest(
      sent.last_to_mailbox + settings.verification_pause,
      case when sent.today >= settings.daily_verifications then sent.first_today + interval '1 day' end
    ) - at));
  end if;
  if outcome in ('sent', 'resent') then
    -- An unknown zone is an error here rather than in every text that asks for the contact's time.
    perform at at time zone zone from unnest(zones) as zone;
    perform private.cancel_messages_to(contact);
    update public.buddy_contacts
    set verification_token = private.link_token_hash(token),
      verification_token_expires_at = at + settings.link_valid,
      confirmation_tries = 0,
      number_time_zones = zones
    where id = contact;
    insert into private.buddy_verification_sends (user_id, mailbox_hash, sent_at) values (student, mailbox, at);
    insert into private.outbox (channel, purpose, user_id, contact_id, recipient, subject, body)
    select 'email', 'buddy_verification', student, contact, asked.email, e.subject, e.body
    from private.verification_email(asked, token) e;
    perform private.audit_verification(asked, 'verification_' || outcome, ip, agent, '{}', at);
  end if;
  return next;
end
$function$;

COMMENT ON COLUMN "public"."buddy_contacts"."number_time_zones" IS 'Time zones of the number''s country, IANA names, known since the contact was asked. Of a contact who named none, texts wait until it is day in all of them.';

COMMENT ON FUNCTION "private"."next_text_time"(uuid, timestamp with time zone) IS 'The first moment from "at" on when a contact may be texted: in the day of their time zone, or of all zones of their number''s country where they named none, or at once where they allow nights. Called by private.queue_text and by the student''s request.';

COMMENT ON FUNCTION "private"."send_verification"(uuid, uuid, text, inet, text, timestamp with time zone, text[]) IS 'Emails a contact the link to decide: sent, resent, or why not (not_found, changed, no_consent, verified, unavailable, no_email, exhausted, too_soon). "checked_phone" is the number that was found valid, "zones" the time zones of its country. Called by the edge functions.';

REVOKE ALL ON FUNCTION "private"."send_verification"(uuid, uuid, text, inet, text, timestamp WITH time zone, text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."send_verification"(uuid, uuid, text, inet, text, timestamp WITH time zone, text[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."send_verification"(uuid, uuid, text, inet, text, timestamp WITH time zone, text[]) TO "postgres";

-- No policies: this file holds rows, not tables.

-- Rows that the schema needs. Each statement can be run again; every migration ends with them, because a diff contains no rows.
insert into private.audit_head default values on conflict do nothing;
insert into private.audit_proof default values on conflict do nothing;
insert into private.cohort_settings default values on conflict do nothing;
insert into private.pipeline_settings default values on conflict do nothing;
insert into private.messaging_settings default values on conflict do nothing;
insert into private.student_limits default values on conflict do nothing;
insert into private.support_settings default values on conflict do nothing;
select vault.create_secret(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'number_hash_key')
where not exists (select from vault.secrets where name = 'number_hash_key');
insert into private.rate_limit_rules (scope, requests, daily_requests)
values
  ('data-api', 100, null),
  ('file-upload', 10, 200),
  ('bulk', 5, null),
  ('analyze-audio', 10, 500),
  ('analyze-visual', 5, 500),
  ('analyze-text', 20, 500),
  ('calculate-wellbeing-score', 10, 500),
  ('textmodel', 20, 200),
  ('check-in-start', 10, 10),
  ('check-in-complete', 10, 60),
  ('check-in-get', 120, null)
on conflict do nothing;
insert into private.rate_limit_rules (scope, requests, period)
values
  ('sign-in', 10, '5 minutes'),
  ('sign-up', 5, '1 hour'),
  ('refresh', 30, '5 minutes'),
  ('unknown-link', 60, '5 minutes'),
  ('audit', 600, '1 hour')
on conflict do nothing;
insert into private.mailboxes (mailbox, user_id)
select distinct on (private.mailbox_of(email)) private.mailbox_of(email), id
from auth.users
where email is not null and email_confirmed_at is not null
order by private.mailbox_of(email), email_confirmed_at, id
on conflict do nothing;
insert into public.students (user_id, university_id, counselor_access)
select p.user_id, p.university_id, private.has_consent(p.user_id, 'counselor_access')
from public.profiles p
where exists (select from public.user_roles r where r.user_id = p.user_id and r.role = 'student')
on conflict do nothing;

select cron.schedule('dispatch-due-jobs', '5 seconds', 'select private.dispatch_due_jobs()');
select cron.schedule('expire-check-ins', '*/5 * * * *', 'select private.expire_check_ins()');
select cron.schedule('dispatch-due-messages', '10 seconds', 'select private.dispatch_due_messages()');
select cron.schedule('daily-rollup', '12 * * * *', $$ select private.roll_up_days((now() at time zone 'UTC')::date - 1) $$);
select cron.schedule('purge-rate-limit-uses', '47 3 * * *', 'select private.purge_rate_limit_uses()');
select cron.schedule('purge-sent-messages', '27 3 * * *', 'select private.purge_sent_messages()');
select cron.schedule('purge-declined-contacts', '57 3 * * *', 'select private.purge_declined_contacts()');
select cron.schedule('purge-inbound-texts', '32 3 * * *', 'select private.purge_inbound_texts()');
select cron.schedule('purge-transcript-results', '37 3 * * *', 'select private.purge_transcript_results()');
select cron.schedule('verify-audit-log', '*/10 * * * *', 'select public.verify_audit_chain()');
select cron.schedule('send-review-digests', '22 * * * *', 'select private.send_review_digests()');
select cron.schedule('tick-support-alerts', '* * * * *', 'select private.tick_support_alerts(now())');
select cron.schedule('find-standstills', '*/5 * * * *', 'select private.find_standstills(now())');
select cron.schedule('purge-worrying-days', '7 3 * * *', 'select private.purge_worrying_days()');
select cron.schedule(
  'purge-cron-runs',
  '17 3 * * *',
  $$ delete from cron.job_run_details where end_time < now() - interval '7 days' $$
);

-- PostgREST reads its settings from this role, which is the cluster's: not set again, so that databases do not wait for each other.
do $$
begin
  if not exists (
    select from pg_roles where rolname = 'authenticator' and 'pgrst.db_pre_request=public.check_request' = any (rolconfig)
  ) then
    alter role authenticator set pgrst.db_pre_request = 'public.check_request';
  end if;
  notify pgrst, 'reload config';
end
$$;
