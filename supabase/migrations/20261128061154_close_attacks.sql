SET local check_function_bodies = off;

DROP POLICY "accounts are signed in, not banned and have a role" ON "storage"."objects";

DROP INDEX "private"."outbox_due_idx";

DROP VIEW "private"."metrics";

ALTER TABLE "private"."inbound_texts"
  DROP CONSTRAINT "inbound_texts_meaning_known";

ALTER TABLE "private"."security_events"
  DROP CONSTRAINT "security_events_kind_known";

ALTER TABLE "private"."security_events"
  DROP CONSTRAINT "security_events_source_known";

ALTER TABLE "private"."support_settings"
  DROP CONSTRAINT "support_settings_positive";

ALTER TABLE "public"."profiles"
  DROP CONSTRAINT "profiles_university_id_fkey";

DROP FUNCTION "private"."audit_failed_sign_in"(text, inet, text, text, text);

DROP FUNCTION "private"."block_address"(inet, timestamp WITH time zone, text, text);

DROP FUNCTION "private"."check_call"(inet, text);

DROP FUNCTION "private"."claim_messages"(integer);

DROP FUNCTION "private"."decide_verification"(text, boolean, text, text, text, boolean, jsonb, inet, text, text, timestamp WITH time zone);

DROP FUNCTION "private"."enforce_on_function"(uuid, uuid, inet, text, text, text);

DROP FUNCTION "private"."is_blocked"(inet);

DROP FUNCTION "private"."name_in_message"(text, text);

DROP FUNCTION "private"."resolved_at"(text);

DROP FUNCTION "private"."send_security_alert"(text, text, text);

ALTER TABLE "private"."detection_settings"
  DROP COLUMN "trust_auth_addresses";

ALTER TABLE "public"."buddy_contacts"
  DROP COLUMN "confirmation_tries";

CREATE TABLE "private"."code_tries" (
  "number_hash" text                     NOT NULL,
  "user_id"     uuid                     NOT NULL,
  "tries"       smallint                 NOT NULL,
  "tried_at"    timestamp with time zone NOT NULL,
  CONSTRAINT "code_tries_number_hash_form" CHECK ((number_hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT "code_tries_pkey" PRIMARY KEY (number_hash, user_id),
  CONSTRAINT "code_tries_tries_range" CHECK (((tries >= 1) AND (tries <= 5)))
);

CREATE TABLE "private"."first_texts" (
  "number_hash" text                     NOT NULL,
  "contact_id"  uuid,
  "message_id"  uuid,
  "code_hash"   text                     NOT NULL,
  "texts"       smallint                 NOT NULL DEFAULT 1,
  "queued_at"   timestamp with time zone NOT NULL,
  CONSTRAINT "first_texts_code_hash_form" CHECK ((code_hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT "first_texts_number_hash_form" CHECK ((number_hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT "first_texts_pkey" PRIMARY KEY (number_hash),
  CONSTRAINT "first_texts_texts_not_negative" CHECK ((texts >= 0))
);

CREATE TABLE "private"."refused_mailboxes" (
  "mailbox_hash" text                     NOT NULL,
  "refused_at"   timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "refused_mailboxes_mailbox_hash_form" CHECK ((mailbox_hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT "refused_mailboxes_pkey" PRIMARY KEY (mailbox_hash)
);

CREATE TABLE "private"."security_alerts" (
  "id"          bigint                   GENERATED ALWAYS AS IDENTITY NOT NULL,
  "rule"        text                     NOT NULL,
  "incident_id" text,
  "severity"    public.incident_severity,
  "alerted_at"  timestamp with time zone NOT NULL DEFAULT now(),
  "digest_at"   timestamp with time zone,
  "digested_at" timestamp with time zone,
  CONSTRAINT "security_alerts_digested" CHECK (((digested_at IS NULL) OR (digest_at IS NOT NULL))),
  CONSTRAINT "security_alerts_once" UNIQUE (incident_id, severity),
  CONSTRAINT "security_alerts_pkey" PRIMARY KEY (id),
  CONSTRAINT "security_alerts_severity_of_incident" CHECK (((incident_id IS NULL) = (severity IS NULL)))
);

CREATE TABLE "private"."text_costs" (
  "day"   date          NOT NULL,
  "kind"  text          NOT NULL,
  "texts" integer       NOT NULL,
  "cost"  numeric(12,4) NOT NULL,
  CONSTRAINT "text_costs_kind_known" CHECK ((kind = ANY (ARRAY['ordinary'::text, 'alert'::text, 'first'::text]))),
  CONSTRAINT "text_costs_pkey" PRIMARY KEY (day, kind)
);

CREATE TABLE "private"."text_destinations" (
  "prefix"  text         NOT NULL,
  "country" text         NOT NULL,
  "price"   numeric(8,4),
  CONSTRAINT "text_destinations_country_form" CHECK ((country ~ '^[A-Z]{2}(,[A-Z]{2})*$'::text)),
  CONSTRAINT "text_destinations_pkey" PRIMARY KEY (prefix),
  CONSTRAINT "text_destinations_prefix_form" CHECK ((prefix ~ '^[1-9][0-9]{0,5}$'::text)),
  CONSTRAINT "text_destinations_price_not_negative" CHECK ((price >= (0)::numeric))
);

ALTER TABLE "private"."blocked_addresses"
  ADD COLUMN "sessions_from" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "private"."buddy_verification_sends"
  ADD COLUMN "number_hash" text;

ALTER TABLE "private"."detection_settings"
  ADD COLUMN "blocked_contact" text;

ALTER TABLE "private"."detection_settings"
  ADD COLUMN "separate_networks" smallint NOT NULL DEFAULT 5;

ALTER TABLE "private"."detection_settings"
  ADD COLUMN "alerts_per_hour" smallint NOT NULL DEFAULT 3;

ALTER TABLE "private"."messaging_settings"
  ADD COLUMN "emails_per_minute" integer DEFAULT 300;

ALTER TABLE "private"."messaging_settings"
  ADD COLUMN "emails_per_day" integer;

ALTER TABLE "private"."messaging_settings"
  ADD COLUMN "texts_per_minute" integer DEFAULT 60;

ALTER TABLE "private"."messaging_settings"
  ADD COLUMN "texts_per_day" integer;

ALTER TABLE "private"."messaging_settings"
  ADD COLUMN "urgent_share" real NOT NULL DEFAULT 0.5;

ALTER TABLE "private"."outbox"
  ADD COLUMN "attempted_at" timestamp WITH time zone;

ALTER TABLE "private"."support_settings"
  ADD COLUMN "naming_period" interval NOT NULL DEFAULT '30 days'::interval;

ALTER TABLE "private"."support_settings"
  ADD COLUMN "students_to_address" smallint NOT NULL DEFAULT 15;

ALTER TABLE "private"."support_settings"
  ADD COLUMN "daily_verifications_to_mailbox" smallint NOT NULL DEFAULT 10;

ALTER TABLE "private"."support_settings"
  ADD COLUMN "daily_requests_to_number" smallint NOT NULL DEFAULT 6;

ALTER TABLE "private"."support_settings"
  ADD COLUMN "daily_answers_to_number" smallint NOT NULL DEFAULT 10;

ALTER TABLE "private"."support_settings"
  ADD COLUMN "agreement_wait" interval NOT NULL DEFAULT '24:00:00'::interval;

ALTER TABLE "private"."support_settings"
  ADD COLUMN "first_text_pause" interval NOT NULL DEFAULT '30 days'::interval;

ALTER TABLE "private"."support_settings"
  ADD COLUMN "max_first_texts" smallint NOT NULL DEFAULT 3;

ALTER TABLE "private"."support_settings"
  ADD COLUMN "daily_text_cost" numeric(10,2) NOT NULL DEFAULT 100;

ALTER TABLE "private"."support_settings"
  ADD COLUMN "daily_alert_text_cost" numeric(10,2) NOT NULL DEFAULT 50;

ALTER TABLE "private"."support_settings"
  ADD COLUMN "daily_first_text_cost" numeric(10,2) NOT NULL DEFAULT 25;

ALTER TABLE "public"."buddy_contacts"
  ADD COLUMN "phone_confirmed_by" text;

CREATE TYPE "private"."message_urgency" AS ENUM (
  'crisis',
  'support',
  'ordinary',
  'low'
);

ALTER TYPE "public"."audit_action" ADD VALUE 'account_imported' BEFORE 'legal_hold_set';


SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.activity_findings (
  at timestamp with time zone
)
  RETURNS SETOF private.finding
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with r as (
    select max(period) filter (where rule = 'mass_reading') as reading_period,
      max(threshold) filter (where rule = 'mass_reading') as reading,
      max(period) filter (where rule = 'mass_export') as export_period,
      max(threshold) filter (where rule = 'mass_export') as exports,
      max(period) filter (where rule = 'many_addresses') as address_period,
      max(threshold) filter (where rule = 'many_addresses') as addresses,
      max(period) filter (where rule = 'role_change') as role_period
    from private.detection_rules
  )
  select
    'mass_reading', 'reading:' || l.actor_id, 'One person reads many students',
    format('%s students and %s pages of lists within the period.', count(distinct l.subject_id), count(*) filter (where l.action = 'students_listed')),
    jsonb_build_object(
      'students', count(distinct l.subject_id),
      'pages', count(*) filter (where l.action = 'students_listed'),
      'audit_entries', jsonb_build_array(min(l.id), max(l.id))
    ),
    array[l.actor_id], array_agg(distinct l.ip) filter (where l.ip is not null), array['students'],
    null::public.incident_type, null::public.incident_severity
  from r
  join private.audit_log l on l.action in ('student_read', 'students_listed') and l.occurred_at > at - r.reading_period
  where l.actor_id is not null and l.occurred_at > private.resolved_at('reading:' || l.actor_id)
  group by l.actor_id, r.reading
  having count(distinct l.subject_id) >= r.reading or count(*) filter (where l.action = 'students_listed') >= r.reading
  union all
  select
    'mass_export', 'exports:' || host(l.ip), 'Exports of many accounts from one address',
    format('%s accounts exported their data from %s.', count(distinct l.actor_id), host(l.ip)),
    jsonb_build_object('accounts', count(distinct l.actor_id), 'audit_entries', jsonb_build_array(min(l.id), max(l.id))),
    array_agg(distinct l.actor_id) filter (where l.actor_id is not null), array[l.ip], array['exports'], null, null
  from r
  join private.audit_log l on l.action = 'data_exported' and l.occurred_at > at - r.export_period
  where l.ip is not null
    and private.network_kind(l.ip) is null
    and l.occurred_at > private.resolved_for_address('exports', l.ip)
  group by l.ip, r.exports
  having count(distinct l.actor_id) >= r.exports
  union all
  select
    'many_addresses', 'addresses:' || e.account, 'One account signs in from many addresses',
    format('Signed in from %s addresses within the period.', count(distinct private.block_network(e.address))),
    jsonb_build_object('networks', count(distinct private.block_network(e.address))),
    array[e.account], (array_agg(distinct e.address))[:100], array['sign_in'], null, null
  from r
  join private.security_events e on e.kind = 'sign_in_succeeded' and e.minute >= date_trunc('minute', at - r.address_period)
  where e.account is not null and private.network_kind(e.address) is null
    and e.last_at > private.resolved_at('addresses:' || e.account)
  group by e.account, r.addresses
  having count(distinct private.block_network(e.address)) >= r.addresses
  union all
  -- Roles are granted by operators, who are no account, or by a security administrator to somebody else.
  select
    'role_change', 'roles:' || l.actor_id, 'Somebody grants a role that is not theirs to grant',
    format('The role %s was granted by %s.', string_agg(distinct l.after ->> 'role', ', '),
      case when bool_or(l.actor_id = l.subject_id) then 'its holder' else 'no security administrator' end),
    jsonb_build_object('roles', jsonb_agg(distinct l.after -> 'role'), 'audit_entries', jsonb_build_array(min(l.id), max(l.id))),
    array[l.actor_id] || (array_agg(distinct l.subject_id) filter (where l.subject_id <> l.actor_id)),
    array_agg(distinct l.ip) filter (where l.ip is not null), array['roles'], null, null
  from r
  join private.audit_log l on l.action = 'role_granted' and l.occurred_at > at - r.role_period
  where l.actor_id is not null
    and (
      l.actor_id = l.subject_id
      or not exists (select from public.user_roles u where u.user_id = l.actor_id and u.role = 'security_admin')
    )
    and l.occurred_at > private.resolved_at('roles:' || l.actor_id)
  group by l.actor_id
$function$;

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
  if asked.id is null or not private.may_ask(contact, asked.phone) then
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
  -- Of an alert, a number that has not agreed; else a stop that was heard since the line above. Without a text there is no request.
  if queued is null then
    delete from public.buddy_check_in_requests where id = request;
    return null;
  end if;
  return request;
end
$function$;

CREATE OR REPLACE FUNCTION private.ask_number (
  asked public.buddy_contacts,
  at    timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  if private.is_known_pair(asked) then
    perform private.confirm_number(asked.id, 'code', at);
  else
    perform private.queue_first_text(asked.id, at);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.audit_failed_sign_in (
  reason        text,
  ip            inet,
  user_agent    text,
  request_id    text    DEFAULT NULL::text,
  tried         text    DEFAULT NULL::text,
  by_other_page boolean DEFAULT false
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  account uuid := private.account_of_address(tried);
begin
  perform private.audit(
    'sign_in_failed',
    actor => null,
    details => jsonb_build_object('reason', reason),
    ip => ip,
    user_agent => user_agent,
    request_id => request_id
  );
  perform private.note_security_event(
    'sign_in_failed',
    account,
    case when not by_other_page then ip end,
    jsonb_build_object('reason', reason),
    case when by_other_page and account is null then 'pages' else 'functions' end
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.auth_mail_findings (
  at timestamp with time zone
)
  RETURNS SETOF private.finding
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select
    'auth_mails', 'auth:mails', 'The mails that Auth may send in an hour are running out',
    format(
      '%s mails to %s accounts within the period. At email_sent nobody can confirm an address or choose a new password until the hour is over; sign-in goes on.',
      sum(e.occurrences), count(distinct e.account)
    ),
    jsonb_build_object('mails', sum(e.occurrences), 'accounts', count(distinct e.account)),
    null::uuid[], null::inet[], array['sign_in'], null::public.incident_type, null::public.incident_severity
  from private.detection_rules r
  join private.security_events e on e.kind = 'auth_mail_sent' and e.minute >= date_trunc('minute', at - r.period)
  where r.rule = 'auth_mails' and e.last_at > private.resolved_at('auth:mails')
  group by r.threshold
  having sum(e.occurrences) >= r.threshold
$function$;

CREATE OR REPLACE FUNCTION private.block_address (
  address       inet,
  until         timestamp with time zone,
  reason        text,
  incident      text                     DEFAULT NULL::text,
  sessions_from timestamp with time zone DEFAULT now()
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
#variable_conflict use_column
declare
  blocked private.blocked_addresses;
begin
  if private.network_kind(address) is not null then
    return jsonb_build_object('status', 'failed', 'detail', 'This network is known, and is never blocked.');
  end if;
  insert into private.blocked_addresses as b (network, reason, incident_id, until, sessions_from)
  values (
    private.block_network(address),
    left(reason, 500),
    incident,
    coalesce(block_address.until, now() + interval '1 hour'),
    block_address.sessions_from
  )
  on conflict on constraint blocked_addresses_pkey do update
  set
    reason = excluded.reason,
    incident_id = excluded.incident_id,
    blocked_at = case when b.until > now() then b.blocked_at else now() end,
    times = case when b.until > now() then b.times else least(b.times + 1, 1000) end,
    sessions_from = case
      when b.until > now() then least(b.sessions_from, excluded.sessions_from)
      else excluded.sessions_from
    end,
    until = greatest(
      b.until,
      coalesce(
        block_address.until,
        case when b.until > now() then b.until else now() + least(interval '1 hour' * power(2, least(b.times, 5)), interval '1 day') end
      )
    )
  returning * into blocked;
  return jsonb_build_object('status', 'done', 'until', blocked.until, 'times', blocked.times);
end
$function$;

CREATE OR REPLACE FUNCTION private.block_notice (
  address inet
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select 'This address is blocked until ' || to_char(
    coalesce((select b.until from private.blocked_addresses b where b.network = private.block_network(address)), now()) at time zone 'UTC',
    'YYYY-MM-DD HH24:MI'
  ) || ' UTC. Whoever was signed in before can go on.'
$function$;

CREATE OR REPLACE FUNCTION private.channels_with_rate_left()
  RETURNS private.message_channel[]
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select coalesce(array_agg(c.channel), '{}')
  from private.messaging_settings s
  cross join lateral (
    values
      ('email'::private.message_channel, s.emails_per_minute, s.emails_per_day),
      ('sms', s.texts_per_minute, s.texts_per_day)
  ) as c (channel, per_minute, per_day)
  where not exists (
    select
    from (values (c.per_minute, interval '1 minute'), (c.per_day, interval '1 day')) as r (most, period)
    where r.most is not null
      and r.most * (1 - s.urgent_share) <= (
        select count(*) from private.outbox o where o.channel = c.channel and o.attempted_at > now() - r.period
      )
  )
$function$;

CREATE OR REPLACE FUNCTION private.check_call (
  address inet,
  called  text
)
  RETURNS TABLE (
    code      text,
    retry_s   integer,
    until     timestamp with time zone,
    contact   text,
    resources jsonb
  )
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return query
  select
    'address_blocked',
    greatest(1, ceil(extract(epoch from b.until - now())))::integer,
    b.until,
    (select s.blocked_contact from private.detection_settings s),
    private.university_crisis_resources(null)
  from private.blocked_addresses b
  where address is not null and b.network = private.block_network(address) and b.until > now()
  union all
  select 'quarantined', 60, null, null, private.university_crisis_resources(null) from private.quarantines q
  where q.function_name in (called, '*')
  order by 1;
end
$function$;

CREATE OR REPLACE FUNCTION private.check_object_name()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if private.is_object_name(new.bucket_id) and private.is_object_name(new.name) then
    return new;
  end if;
  raise exception 'The name of the object has an empty level, one of dots alone, or a character that no name may have.'
    using errcode = 'insufficient_privilege';
end
$function$;

CREATE OR REPLACE FUNCTION private.claim_messages (
  most         integer,
  least_urgent private.message_urgency   DEFAULT 'low'::private.message_urgency,
  busy         private.message_channel[] DEFAULT '{}'::private.message_channel[]
)
  RETURNS SETOF private.outbox
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  -- For which there is no rate left only urgent messages are claimed.
  shared private.message_channel[] := '{}';
begin
  if least_urgent > 'support' then
    -- One claim at a time counts, so that each sees the others'. Urgent ones count nothing and never wait for this.
    perform pg_advisory_xact_lock(51, 0);
    shared := private.channels_with_rate_left();
  end if;
  return query
  -- Materialized, so that the plan cannot take the limit more than once.
  with due as materialized (
    select o.id, private.may_send(o) as allowed
    from private.outbox o
    where o.status = 'queued' and o.send_at <= now()
      and o.urgency <= case when shared = '{}' then least(least_urgent, 'support') else least_urgent end
      and (o.urgency <= 'support' or o.channel = any (shared))
      and o.channel <> all (busy)
      -- A text that is late, or too much for today, waits for the day: private.dispatch_due_messages.
      and (o.channel <> 'sms' or private.next_send_time(o, now()) <= now())
    order by o.urgency, o.send_at
    limit most
    for update skip locked
  )
  update private.outbox o
  set status = case when due.allowed then 'sending' else 'cancelled' end::private.message_status,
    attempts = o.attempts + due.allowed::integer,
    lease_until = case when due.allowed then now() + s.lease end,
    attempted_at = case when due.allowed then clock_timestamp() else o.attempted_at end,
    provider_called_at = null,
    error_code = case when due.allowed then o.error_code else 'not_reachable' end,
    ended_at = case when not due.allowed then now() end
  from due, private.messaging_settings s
  where o.id = due.id
  returning o.*;
end
$function$;

CREATE OR REPLACE FUNCTION private.confirm_by_code (
  token_hash text,
  code       text,
  at         timestamp with time zone
)
  RETURNS text
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  asked public.buddy_contacts := private.lock_contact(private.contact_of_token(token_hash));
  number text := private.hash_of_number(asked.phone);
  pause interval;
  wrong smallint;
begin
  if asked.verification_token is distinct from token_hash then
    return 'unknown';
  end if;
  if at >= asked.verification_token_expires_at then
    return 'expired';
  end if;
  if not asked.verified or asked.phone_confirmed_at is not null then
    return 'decided';
  end if;
  select s.first_text_pause into strict pause from private.support_settings s;
  -- Counted as wrong until it is found right, so that of codes that are given at once each counts; the same where no text went out.
  insert into private.code_tries as t (number_hash, user_id, tries, tried_at)
  values (number, asked.user_id, 1, at)
  on conflict on constraint code_tries_pkey do update
  set tries = case when t.tried_at <= at - pause then 1 else t.tries + 1 end,
    tried_at = case when t.tried_at <= at - pause then at else t.tried_at end
  where t.tries < 5 or t.tried_at <= at - pause
  returning t.tries into wrong;
  if not found then
    return 'too_many_tries';
  end if;
  if not exists (
    select
    from private.first_texts f
    join private.outbox o on o.id = f.message_id
    where f.number_hash = number
      and f.queued_at > at - pause
      and f.code_hash = private.hash_of_number(asked.phone || ' ' || code)
      -- Nobody has the code of a text that was not sent.
      and o.status in ('sending', 'sent', 'unconfirmed')
  ) then
    return case when wrong >= 5 then 'too_many_tries' else 'wrong_code' end;
  end if;
  delete from private.code_tries t where t.number_hash = number and t.user_id = asked.user_id;
  perform private.confirm_number(asked.id, 'code', at);
  return 'confirmed';
end
$function$;

CREATE OR REPLACE FUNCTION private.confirm_by_reply (
  number text,
  at     timestamp with time zone
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  asked public.buddy_contacts := private.lock_contact(
    (select f.contact_id from private.first_texts f where f.number_hash = private.hash_of_number(number))
  );
begin
  if asked.phone is distinct from number
    or asked.phone_confirmed_at is not null
    or not asked.verified
    or not asked.is_active
    -- Whoever has not been sent it, or another text after it, answers something else.
    or not exists (
      select
      from private.first_texts f
      join private.outbox o on o.id = f.message_id
      where f.contact_id = asked.id
        and o.status in ('sending', 'sent', 'unconfirmed')
        and not exists (
          select
          from private.buddy_links l
          join public.buddy_check_in_requests r on r.id = l.request_id
          where l.number_hash = f.number_hash and r.sent_at > coalesce(o.ended_at, o.provider_called_at)
        )
    )
  then
    return false;
  end if;
  perform private.confirm_number(asked.id, 'reply', at);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.confirm_number (
  contact      uuid,
  confirmed_by text,
  at           timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  number text;
begin
  update public.buddy_contacts c
  set phone_confirmed_at = at, phone_confirmed_by = confirmed_by
  where c.id = contact
  returning c.phone into number;
  update private.first_texts f
  set texts = 0
  where f.number_hash = private.hash_of_number(number);
  update public.buddy_verification_audit a
  set metadata = a.metadata || jsonb_build_object('number_confirmed', true, 'number_confirmed_at', at, 'number_confirmed_by', confirmed_by)
  where a.id = (
    select d.id from public.buddy_verification_audit d
    where d.buddy_contact_id = contact and d.event_type = 'verification_accepted'
    order by d.created_at desc
    limit 1
  );
  -- What the student asked for meanwhile.
  update private.outbox o
  set send_at = private.next_text_time(contact, at)
  where o.contact_id = contact and o.status = 'queued' and o.purpose = 'buddy_check_in';
end
$function$;

CREATE OR REPLACE FUNCTION private.count_text()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  insert into private.text_costs as c (day, kind, texts, cost)
  values (
    (now() at time zone 'UTC')::date, private.kind_of_text(new.purpose), 1, coalesce(private.price_of_text(new.recipient), 0)
  )
  on conflict on constraint text_costs_pkey do update
  set texts = c.texts + excluded.texts, cost = c.cost + excluded.cost;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.custom_access_token (
  event jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  told text := event #>> '{metadata,ip_address}';
  address inet := case
    when pg_input_is_valid(told, 'inet') then told::inet
    else (select s.ip from auth.sessions s where s.id = (event #>> '{claims,session_id}')::uuid)
  end;
  rejection jsonb;
  refused_until timestamptz;
  confirmed boolean;
begin
  if private.is_blocked(address, (event #>> '{claims,session_id}')::uuid) then
    return jsonb_build_object('error', jsonb_build_object('http_code', 403, 'message', private.block_notice(address)));
  end if;
  -- Every plan has this hook, so the limit of wrong codes holds here where Auth does not tell of those.
  if event ->> 'authentication_method' = 'totp' or event ->> 'authentication_method' like 'mfa/%' then
    refused_until := private.second_factor_refused_until((event ->> 'user_id')::uuid);
    if refused_until is not null then
      return private.second_factor_error(refused_until);
    end if;
    if private.is_raised_by_added_app((event #>> '{claims,session_id}')::uuid) then
      return '{"error": {"http_code": 403, "message": "Give a code of an app that you have set up already, then add this one."}}';
    end if;
  end if;
  rejection := private.enforce_at_sign_in(event, address);
  if rejection ->> 'code' <> 'mfa_required' then
    return jsonb_build_object(
      'error', jsonb_build_object(
        'http_code', case rejection ->> 'code' when 'rate_limited' then 429 else 403 end,
        'message', 'A security policy refuses this sign-in.'
      )
    );
  end if;
  select exists (select from auth.users where id = (event ->> 'user_id')::uuid and email_confirmed_at is not null) into confirmed;
  return jsonb_set(
    event,
    '{claims}',
    (event -> 'claims')
      || jsonb_build_object('email_verified', confirmed)
      || jsonb_strip_nulls(
        jsonb_build_object(
          'exp', private.custom_token_expiry((event ->> 'user_id')::uuid, (event #>> '{claims,exp}')::bigint)
        )
      )
      || case when rejection is null then '{}'::jsonb else '{"mfa_required": true}' end
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.decide_verification (
  token_hash     text,
  accepted       boolean,
  reason         text,
  unknown_person boolean,
  time_zone      text,
  texts_at_night boolean,
  wording        jsonb,
  ip             inet,
  agent          text,
  method         text,
  at             timestamp with time zone
)
  RETURNS text
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  asked public.buddy_contacts := private.lock_contact(private.contact_of_token(token_hash));
  state text;
begin
  -- Another link may have been sent before the contact was locked.
  if asked.verification_token is distinct from token_hash then
    return 'unknown';
  end if;
  state := private.verification_state(asked, at);
  if state = 'expired' then
    perform private.audit_expiry(asked, at);
  end if;
  if state <> 'open' then
    return state;
  end if;

  if not accepted then
    perform private.refuse_contact(asked, at);
    -- The mailbox alone, which is what the link shows to be theirs: somebody else's number may stand beside it.
    if unknown_person then
      insert into private.refused_mailboxes (mailbox_hash, refused_at)
      values (private.mailbox_hash(asked.email), at)
      on conflict do nothing;
    end if;
    perform private.audit_verification(
      asked, 'verification_declined', ip, agent,
      jsonb_build_object('method', method, 'reason', nullif(btrim(left(reason, 500)), '')), at
    );
    return 'declined';
  end if;

  -- An unknown zone is an error here rather than in every text that asks for the contact's time.
  perform at at time zone decide_verification.time_zone;
  update public.buddy_contacts
  set verified = true,
    verified_at = at,
    time_zone = decide_verification.time_zone,
    texts_at_night = coalesce(decide_verification.texts_at_night, false)
  where id = asked.id
  returning * into asked;
  perform private.audit_verification(
    asked, 'verification_accepted', ip, agent,
    jsonb_build_object(
      'method', method,
      'wording', wording,
      'number_ends_in', right(asked.phone, 4),
      'number_confirmed', false,
      'time_zone', decide_verification.time_zone,
      'texts_at_night', coalesce(decide_verification.texts_at_night, false)
    ),
    at
  );
  perform private.ask_number(asked, at);
  return 'accepted';
end
$function$;

CREATE OR REPLACE FUNCTION private.detect_incidents (
  at timestamp with time zone DEFAULT now()
)
  RETURNS TABLE (
    incident text,
    rule     text,
    opened   boolean
  )
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
#variable_conflict use_column
begin
  -- One run at a time: the next one finds the same.
  perform pg_advisory_xact_lock(84, 0);
  if not exists (
    select from private.schema_snapshot_of where migration is not distinct from private.last_migration()
  ) then
    perform private.take_schema_snapshot();
  end if;
  perform private.send_alert_digests(now());
  return query
  with found as materialized (
    select f as finding
    from (
      select private.sign_in_findings(at) as f
      union all
      select private.refusal_findings(at)
      union all
      select private.activity_findings(at)
      union all
      select private.second_factor_findings(at)
      union all
      select private.auth_mail_findings(at)
      union all
      select private.system_findings(at)
      union all
      select private.chain_findings(at)
    ) all_findings
  ),
  grouped as materialized (
    select g.*
    from (select array_agg(f.finding) as findings from found f) as a
    cross join lateral private.group_findings(a.findings) g
  ),
  incidents as materialized (
    select
      f.addresses,
      f.affected[1] as account,
      r.rule,
      r.respond,
      exists (select from public.security_incidents i where i.key = f.key and i.ended_at is null) as known,
      private.open_incident(
        coalesce(f.type, r.type),
        coalesce(f.severity, r.severity),
        f.title,
        f.description,
        f.evidence || jsonb_build_object(
          'rule', r.rule, 'threshold', r.threshold, 'period', r.period,
          'addresses', coalesce((select jsonb_agg(host(a)) from unnest(f.addresses[:100]) a), '[]')
        ),
        coalesce(f.affected, '{}'),
        f.key,
        f.systems
      ) as id
    from grouped f
    join private.detection_rules r on r.rule = f.rule and r.enabled
  ),
  responded as materialized (
    select i.id, i.rule, not i.known as opened, private.respond_automatically(i.id, i.respond, i.addresses, i.account)
    from incidents i
  )
  select r.id, r.rule, r.opened from responded r;
end
$function$;

CREATE OR REPLACE FUNCTION private.digest_of_incidents (
  rule      text,
  incidents text[],
  at        timestamp with time zone
)
  RETURNS TABLE (
    subject text,
    body    text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with counted as materialized (
    select i.id, i.severity, i.detected_at, i.last_seen_at, i.ended_at, i.affected_users, i.indicators
    from public.security_incidents i
    where i.id = any (incidents)
  ),
  facts as (
    select count(*) as number, count(*) filter (where c.ended_at is null) as active,
      min(c.detected_at) as first_at, max(c.last_seen_at) as last_at,
      array_agg(c.id order by c.severity desc, c.detected_at) as ids
    from counted c
  ),
  severities as (
    select string_agg(format('%s %s', s.number, s.severity), ', ' order by s.severity desc) as list
    from (select c.severity, count(*) as number from counted c group by c.severity) s
  ),
  networks as (
    select array_agg(distinct text(private.wide_network(a::inet))) as list
    from counted c
    cross join jsonb_array_elements_text(c.indicators -> 'addresses') as a
  ),
  accounts as (
    select array_agg(distinct a) as list from counted c cross join unnest(c.affected_users) a
  )
  select
    format('Security digest: %s more %s of the rule %s', f.number, case f.number when 1 then 'incident' else 'incidents' end, rule),
    concat_ws(
      E'\n',
      format(
        '%s of the rule "%s" from %s to %s UTC %s not mailed one by one, because this rule had alerted %s times within the hour.',
        case f.number when 1 then 'One more incident' else f.number || ' more incidents' end,
        rule,
        to_char(f.first_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI'),
        to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI'),
        case f.number when 1 then 'was' else 'were' end,
        (select d.alerts_per_hour from private.detection_settings d)
      ),
      'None is lost: each is recorded, and what the rule does at once was done for each.',
      '',
      'The rule counts: ' || (select r.about from private.detection_rules r where r.rule = digest_of_incidents.rule),
      'Severity: ' || (select s.list from severities s),
      format('Still active: %s of %s; last seen %s UTC', f.active, f.number, to_char(f.last_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')),
      (select format('Networks (%s): %s', cardinality(n.list), private.first_of(n.list, 10)) from networks n where n.list is not null),
      (select format('Accounts (%s): %s', cardinality(a.list), private.first_of(a.list, 10)) from accounts a where a.list is not null),
      'Incidents: ' || private.first_of(f.ids, 10),
      '',
      coalesce('Look at them on the security page: ' || private.pages_url() || '/api/security/dashboard.html', 'Look at them on the security page.'),
      'In SQL:',
      format(
        'select id, severity, status, title, last_seen_at from public.security_incidents where indicators ->> ''rule'' = %L and detected_at >= %L order by severity desc, detected_at;',
        rule, to_char(f.first_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"')
      )
    )
  from facts f
  where f.number > 0
$function$;

CREATE OR REPLACE FUNCTION private.digest_of_policy (
  policy text,
  since  timestamp with time zone,
  number bigint,
  at     timestamp with time zone
)
  RETURNS TABLE (
    subject text,
    body    text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with fired as materialized (
    select f.account, f.address
    from private.policy_firings f
    where f.policy_id = policy and f.action = 'send_alerts' and f.fired_at between since and at
  ),
  lists as (
    select
      array_agg(distinct f.account::text) filter (where f.account is not null) as accounts,
      array_agg(distinct text(private.wide_network(f.address))) filter (where f.address is not null) as networks
    from fired f
  )
  select
    left(format('Security digest: the policy "%s" applied %s more times', p.name, number), 200),
    concat_ws(
      E'\n',
      format(
        'The policy "%s" (%s) applied %s more times from %s to %s UTC, which was not mailed one by one, because it had alerted %s times within the hour.',
        p.name, p.id, number,
        to_char(since at time zone 'UTC', 'YYYY-MM-DD HH24:MI'), to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI'),
        (select d.alerts_per_hour from private.detection_settings d)
      ),
      'Each time it did what its other actions say.',
      '',
      case when l.networks is not null then format('Networks (%s): %s', cardinality(l.networks), private.first_of(l.networks, 10)) end,
      case when l.accounts is not null then format('Accounts (%s): %s', cardinality(l.accounts), private.first_of(l.accounts, 10)) end,
      '',
      coalesce('Look at it on the security page: ' || private.pages_url() || '/api/security/dashboard.html', 'Look at it on the security page.'),
      'In SQL:',
      format(
        'select account, address, fired_at from private.policy_firings where policy_id = %L and fired_at >= %L order by fired_at;',
        p.id, to_char(since at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"')
      )
    )
  from public.security_policies p
  cross join lists l
  where p.id = policy
$function$;

CREATE OR REPLACE FUNCTION private.dispatch_due_messages()
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- A sender that was lost before it called the provider sent nothing.
  perform private.record_delivery(
    o.id,
    o.attempts,
    case when o.provider_called_at is null then 'not_sent' else 'unconfirmed' end::private.delivery_outcome,
    o.provider,
    null,
    'sender_lost',
    null
  )
  from (
    select * from private.outbox where status = 'sending' and lease_until <= now() for update skip locked
  ) o;

  -- Of a text that came due by day, the sender or the provider may be back at night.
  with late as (
    select o.id, private.next_send_time(o, now()) as morning
    from private.outbox o
    where o.status = 'queued' and o.send_at <= now() and o.channel = 'sms'
    for update skip locked
  )
  update private.outbox o
  set send_at = late.morning
  from late
  where o.id = late.id and late.morning > now();

  perform private.call_function('deliver-messages', '{"type": "UPDATE", "schema": "private", "table": "outbox"}')
  where exists (select from private.outbox where status = 'queued' and send_at <= now())
    or exists (select from private.outbox where status in ('dead', 'unconfirmed') and reported_at is null);
end
$function$;

CREATE OR REPLACE FUNCTION private.end_sessions_without_second_factor (
  account uuid
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  delete from auth.sessions where user_id = account and coalesce(aal, 'aal1') = 'aal1'
$function$;

CREATE OR REPLACE FUNCTION private.enforce_on_function (
  account       uuid,
  session       uuid,
  address       inet,
  method        text,
  path          text,
  user_agent    text,
  by_other_page boolean DEFAULT false
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  rejection jsonb;
begin
  if not exists (select from private.enabled_policies) then
    return null;
  end if;
  rejection := private.enforce_policies(
    private.policy_facts(
      account, session, address,
      jsonb_build_object(
        'service', 'functions', 'function', split_part(path, '/', 2), 'method', method, 'path', left(path, 1000),
        'user_agent', left(user_agent, 500), 'sent_by', case when by_other_page then 'another page' end
      )
    ),
    'request',
    true
  );
  -- Help is never behind a block.
  return rejection || case when rejection ->> 'code' = 'access_blocked'
    then jsonb_build_object('crisis_resources', private.crisis_resources(account)) else '{}' end;
end
$function$;

CREATE OR REPLACE FUNCTION private.enforce_policies (
  facts jsonb,
  point public.enforcement_point,
  acts  boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  account constant uuid := facts ->> 'account';
  address constant inet := facts ->> 'address';
  policy private.enabled_policies;
  action jsonb;
  allowance record;
  rejection jsonb;
begin
  for policy in
    select p.*
    from private.enabled_policies p
    where point = any (p.enforcement_points) and jsonb_path_match(facts, p.condition, '{}', true)
    order by p.priority, p.policy_id
  loop
    if acts then
      perform private.count_policy_trigger(policy.policy_id);
    end if;
    continue when policy.dry_run;
    for action in select a from jsonb_array_elements(policy.actions) as a loop
      case action ->> 'action'
        when 'block_access' then
          rejection := coalesce(rejection, '{"code": "access_blocked"}');
        when 'require_mfa' then
          -- Without an account there is no code to give; a sign-in gives it afterwards.
          if account is not null and facts ->> 'aal' is distinct from 'aal2' then
            rejection := coalesce(rejection, '{"code": "mfa_required"}');
          end if;
        when 'apply_rate_limits' then
          if acts and rejection is null and coalesce(account::text, address::text) is not null then
            select * into strict allowance
            from private.consume_rate_limit(
              -- Pages of other sites use up an allowance of their own, not that of everybody behind their visitor's address.
              coalesce(
                account,
                left(encode(sha256(convert_to(concat_ws(' ', address, facts ->> 'sent_by'), 'UTF8')), 'hex'), 32)::uuid
              ),
              'policy ' || policy.policy_id
            );
            if not allowance.allowed then
              rejection := to_jsonb(allowance) || '{"code": "rate_limited"}';
            end if;
          end if;
        when 'log_events' then
          if acts then
            perform private.note_security_event('policy_triggered', account, address, jsonb_build_object(policy.policy_id, true));
          end if;
        else
          if acts then
            perform private.fire_policy_action(policy.policy_id, (action ->> 'action')::private.policy_action, account, address);
          end if;
      end case;
    end loop;
  end loop;
  return rejection;
end
$function$;

CREATE OR REPLACE FUNCTION private.erasures_signature (
  exported jsonb
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select encode(extensions.hmac('erasures ' || (exported - 'signature')::text, s.decrypted_secret, 'sha256'), 'hex')
  from vault.decrypted_secrets s
  where s.name = 'tombstone_key'
$function$;

CREATE OR REPLACE FUNCTION private.export_erasures()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with content (exported) as (select jsonb_build_object(
    'exported_at', now(),
    'receipts', (select coalesce(jsonb_agg(to_jsonb(r) order by r.completed_at, r.id), '[]') from private.erasure_receipts r),
    'pending', (
      select coalesce(
        jsonb_agg(jsonb_build_object('tombstone', private.tombstone_of(e.user_id), 'requested_at', e.requested_at) order by e.requested_at),
        '[]'
      )
      from private.erasures e
      where e.source = 'person' and e.erased_at is null
    )
  ))
  select exported || jsonb_build_object('signature', private.erasures_signature(exported)) from content
$function$;

CREATE OR REPLACE FUNCTION private.exported_columns()
  RETURNS TABLE (
    schema_name   text,
    relation_name text,
    column_name   text,
    place         smallint,
    type          text,
    meaning       text,
    store         private.data_store,
    whose         private.data_subject,
    purpose       text,
    belongs_to    text,
    retention     text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select p.schema_name, p.relation_name, a.attname::text, a.attnum, pg_catalog.format_type(a.atttypid, a.atttypmod),
    pg_catalog.col_description(a.attrelid, a.attnum), p.store, p.whose, p.purpose, l.belongs_to, p.retention
  from private.personal_data p
  join pg_catalog.pg_namespace n on n.nspname = p.schema_name
  join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = p.relation_name
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  -- The audit log itself names nobody; who an entry is about lies beside it. Of what others did, the person gets reads and reviews: a
  -- legal hold may be confidential. Of a message that went to an office, its address is not the person's.
  cross join lateral (
    select case
      when p.schema_name = 'public' and p.relation_name = 'audit_logs' then
        't.id in (select i.entry from private.audit_identities i where i.account_id = $1 and i.party = ''actor'')'
        ' or t.action in (''student_read'', ''review_changed'')'
        ' and t.id in (select i.entry from private.audit_identities i where i.account_id = $1)'
      when p.schema_name = 'private' and p.relation_name = 'audit_identities' then p.belongs_to || ' and t.party = ''actor'''
      when p.schema_name = 'private' and p.relation_name = 'outbox' and a.attname = 'recipient' then
        p.belongs_to || ' and (t.contact_id is not null or t.recipient = (select u.email from auth.users u where u.id = $1))'
      -- Who has its code agrees in the place of whoever has the number.
      when p.schema_name = 'private' and p.relation_name = 'outbox' and a.attname = 'body' then
        p.belongs_to || ' and t.purpose <> ''buddy_first_text'''
      else p.belongs_to
    end as belongs_to
  ) l
  left join private.exported_platform_columns() e on e.schema_name = p.schema_name and e.relation_name = p.relation_name
  where p.store <> 'bucket'
    and l.belongs_to is not null
    and case when p.columns = '{*}' then a.attname = any (e.columns)
      else a.attname = any (p.columns) and p.content is distinct from 'credentials'
    end
    and not exists (
      select
      from private.withheld_data() w
      where (w.schema_name, w.relation_name, w.column_name) = (p.schema_name, p.relation_name, a.attname)
    )
$function$;

CREATE OR REPLACE FUNCTION private.first_of (
  list text[],
  most integer
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select array_to_string(list[:most], ', ')
    || case when cardinality(list) > most then format(' and %s more', cardinality(list) - most) else '' end
$function$;

CREATE OR REPLACE FUNCTION private.group_findings (
  found private.finding[]
)
  RETURNS SETOF private.finding
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with numbered as (
    select row_number() over () as number, f.* from unnest(found) f
  ),
  -- What has a severity of its own, such as a sign-in that succeeded, stands alone.
  by_address as (
    select f.number, f.rule, f.title, f.affected, f.addresses[1] as address, f.systems, p.prefix,
      private.wide_network(f.addresses[1]) as wide
    from numbered f
    cross join lateral (
      select left(f.key, length(f.key) - length(host(f.addresses[1])) - 1) as prefix
    ) p
    where f.severity is null and cardinality(f.addresses) = 1 and f.key = p.prefix || ':' || host(f.addresses[1])
  ),
  active as (
    select i.key from public.security_incidents i where i.ended_at is null
  ),
  sizes as (
    select b.prefix, count(*) as addresses, count(distinct b.wide) as networks from by_address b group by b.prefix
  ),
  -- What is grouped stays so while the incident is active, also when it becomes less.
  placed as (
    select b.*,
      case
        when s.networks > d.separate_networks or b.prefix || ':many addresses' in (select a.key from active a)
          then b.prefix || ':many addresses'
        when s.addresses > d.separate_networks and count(*) over (partition by b.prefix, b.wide) > 1
            or b.prefix || ':' || text(b.wide) in (select a.key from active a)
          then b.prefix || ':' || text(b.wide)
      end as group_key
    from by_address b
    join sizes s using (prefix)
    cross join private.detection_settings d
  ),
  grouped as (
    select p.group_key, p.rule, count(*) as addresses, count(distinct p.wide) as networks,
      max(replace(p.title, ' from one address', '')) as title,
      (array_agg(distinct p.wide))[:100] as wides,
      array_agg(distinct p.address) as all_addresses,
      array(
        select distinct a from placed q cross join unnest(q.affected) a where q.group_key = p.group_key order by a limit 1000
      ) as affected,
      max(p.systems[1]) as system
    from placed p
    where p.group_key is not null
    group by p.group_key, p.rule
  )
  select
    g.rule, g.group_key,
    g.title || case g.networks when 1 then ' from many addresses of one network' else ' from many addresses' end,
    format(
      '%s addresses in %s, each over the threshold of the rule within its period.',
      g.addresses, case g.networks when 1 then text(g.wides[1]) else g.networks || ' networks' end
    ),
    jsonb_build_object('grouped_addresses', g.addresses, 'networks', to_jsonb(g.wides)),
    g.affected, g.all_addresses,
    array[g.system],
    null::public.incident_type, null::public.incident_severity
  from grouped g
  union all
  select f.rule, f.key, f.title, f.description, f.evidence, f.affected, f.addresses, f.systems, f.type, f.severity
  from numbered f
  where not exists (select from placed p where p.number = f.number and p.group_key is not null)
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
  -- Another form of a number the table refuses.
  if (tg_op = 'INSERT' or new.phone <> old.phone) and new.phone ~ '^[+][1-9]' and not private.texts_go_to(new.phone) then
    perform private.refuse(400, 'buddy_country_unsupported', 'Texts do not go to the country of this number.');
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
    new.phone_confirmed_by := null;
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

CREATE OR REPLACE FUNCTION private.guard_university_deletion()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  people bigint := (select count(*) from public.profiles where university_id = old.id);
  reviews bigint := (select count(*) from public.clinical_reviews where university_id = old.id and status <> 'closed');
begin
  if people + reviews > 0 then
    raise exception '% has % people and % reviews that are not closed.', old.id, people, reviews
      using errcode = 'restrict_violation',
        hint = 'Set public.profiles.university_id of its people to another university, which moves their reviews too, or delete their accounts; have the other reviews closed. Then delete it.';
  end if;
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION private.hear_text (
  provider_message_id text,
  number              text,
  meaning             text,
  at                  timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  sender text := private.hash_of_number(number);
  changed boolean := false;
  agreed boolean := false;
  replied boolean;
  answered bigint;
begin
  perform pg_advisory_xact_lock(private.recipient_lock(number));
  replied := exists (
    select from private.inbound_texts t
    where t.number_hash = sender and t.meaning = hear_text.meaning and t.received_at > at - interval '1 day'
  );
  select count(*) into answered from private.inbound_texts t where t.number_hash = sender and t.received_at > at - interval '1 day';
  insert into private.inbound_texts (provider_message_id, number_hash, meaning, received_at)
  values (hear_text.provider_message_id, sender, hear_text.meaning, at)
  on conflict do nothing;
  if not found then
    return jsonb_build_object('repeated', true);
  end if;

  if meaning = 'stop' then
    changed := private.opt_out_number(number, 'reply', at);
  elsif meaning in ('start', 'yes') then
    delete from private.text_opt_outs o where o.number_hash = sender;
    changed := found;
  end if;
  -- Other words than these lift no stop, as they take nobody off the provider's own list.
  agreed := meaning in ('yes', 'agree') and not private.has_opted_out(number) and private.confirm_by_reply(number, at);
  return jsonb_build_object(
    'repeated', false,
    'changed', changed,
    'agreed', agreed,
    'may_answer', private.texts_go_to(number) and answered < (select s.daily_answers_to_number from private.support_settings s),
    'opted_out', private.has_opted_out(number),
    'replied', replied,
    'support_email', (
      select u.support_email
      from public.buddy_contacts c
      join public.profiles p on p.user_id = c.user_id
      join public.universities u on u.id = p.university_id
      where c.phone = number and c.verified and c.is_active and u.support_email is not null
      order by c.verified_at desc
      limit 1
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.is_blocked (
  address inet,
  session uuid DEFAULT NULL::uuid
)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  barred_from timestamptz;
begin
  if address is null then
    return false;
  end if;
  select b.sessions_from
  into barred_from
  from private.blocked_addresses b
  where b.network = private.block_network(address) and b.until > now();
  if not found then
    return false;
  end if;
  return not exists (select from auth.sessions s where s.id = session and s.created_at < barred_from);
end
$function$;

CREATE OR REPLACE FUNCTION private.is_known_pair (
  asked public.buddy_contacts
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select exists (
    select
    from public.buddy_contacts c
    where c.phone = asked.phone
      and c.id <> asked.id
      and c.verified
      and c.is_active
      and c.phone_confirmed_by = 'code'
      and private.mailbox_hash(c.email) = private.mailbox_hash(asked.email)
  )
$function$;

CREATE OR REPLACE FUNCTION private.is_object_name (
  name text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  -- The platform's own characters: neither a percent sign, which a later decoding would read, nor a backslash, nor what looks like a
  -- dot or a slash.
  select char_length(name) <= 1024
    and name ~ '^[A-Za-z0-9_!.*''() &$@=;:+,?/-]+$'
    -- No level that is empty or has dots and spaces alone.
    and name !~ '(^|/)[. ]*(/|$)'
$function$;

CREATE OR REPLACE FUNCTION private.is_raised_by_added_app (
  session uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (
    select
    from auth.sessions s
    join auth.mfa_factors added on added.id = s.factor_id
    join auth.mfa_factors had on had.user_id = s.user_id and had.id <> added.id and had.status = 'verified'
    join auth.mfa_amr_claims c on c.session_id = s.id
    where s.id = session
      and added.xmin = pg_current_xact_id_if_assigned()::xid
      and added.updated_at > c.updated_at - interval '1 minute'
      and (c.authentication_method = 'totp' or c.authentication_method like 'mfa/%')
    group by s.id
    having bool_and(c.created_at = c.updated_at)
  )
$function$;

CREATE OR REPLACE FUNCTION private.is_refused (
  address text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select exists (select from private.refused_mailboxes r where r.mailbox_hash = private.mailbox_hash(address))
$function$;

CREATE OR REPLACE FUNCTION private.keep_unanswered_challenge()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if exists (select from auth.mfa_factors f where f.id = old.factor_id) then
    return null;
  end if;
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION private.kind_of_text (
  purpose text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case purpose when 'support_alert' then 'alert' when 'buddy_first_text' then 'first' else 'ordinary' end
$function$;

CREATE OR REPLACE FUNCTION private.lift_refusal (
  address text
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  hash constant text := private.mailbox_hash(address);
begin
  delete from private.refused_mailboxes r where r.mailbox_hash = hash;
  if not found then
    return false;
  end if;
  perform private.audit('settings_changed', target_type => 'refused_mailboxes', target_id => hash);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.may_ask (
  contact uuid,
  number  text
)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return exists (
    select
    from public.buddy_contacts c
    join auth.users u on u.id = c.user_id
    where c.id = contact
      and c.is_active
      and c.verified
      and c.phone = number
      and (u.banned_until is null or u.banned_until <= now())
      and private.has_consent(c.user_id, 'support_circle')
      and private.texts_go_to(c.phone)
      and not exists (select from private.text_opt_outs o where o.number_hash = private.hash_of_number(c.phone))
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.may_reach (
  contact   uuid,
  channel   private.message_channel,
  recipient text
)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if may_reach.channel = 'sms' then
    return private.may_ask(contact, recipient)
      and exists (select from public.buddy_contacts c where c.id = contact and c.phone_confirmed_at is not null);
  end if;
  return exists (
    select
    from public.buddy_contacts c
    join auth.users u on u.id = c.user_id
    where c.id = contact
      and c.is_active
      and c.email = may_reach.recipient
      and (u.banned_until is null or u.banned_until <= now())
      and private.has_consent(c.user_id, 'support_circle')
      and not private.is_refused(c.email)
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.may_send (
  message private.outbox
)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return case
      when message.contact_id is null then message.channel <> 'sms' or not private.has_opted_out(message.recipient)
      when message.purpose = 'buddy_first_text' then private.may_ask(message.contact_id, message.recipient)
        and exists (select from public.buddy_contacts c where c.id = message.contact_id and c.phone_confirmed_at is null)
      else private.may_reach(message.contact_id, message.channel, message.recipient)
        and not (
          message.purpose = 'support_alert'
          and exists (
            select
            from private.support_alert_plan p
            join public.support_alerts a on a.id = p.alert_id
            where p.request_id = message.request_id and a.status <> 'open'
          )
        )
    end;
end
$function$;

CREATE OR REPLACE FUNCTION private.mfa_verification_attempt (
  event jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  holder uuid := (event ->> 'user_id')::uuid;
  told text := event #>> '{metadata,ip_address}';
  failures timestamptz[];
  until timestamptz;
begin
  -- Whoever sets up the first app of an account knows its key. A further one that its owner began and left is there to be guessed.
  if not exists (select from auth.mfa_factors f where f.user_id = holder and f.status = 'verified') then
    return '{"decision": "continue"}';
  end if;
  -- Returns the row locked, for a right code too: of codes that are given at once, each meets those before it.
  insert into private.rate_limit_uses as u (subject, scope)
  values (holder, 'second-factor')
  on conflict (subject, scope) do update set used_at = u.used_at
  returning used_at into strict failures;
  until := private.second_factor_limited_until(holder, failures);
  if not coalesce((event ->> 'valid')::boolean, false) then
    -- Over the limit without the address, so that one account writes a row a minute, however many addresses it is tried from.
    perform private.note_security_event(
      'second_factor_failed',
      holder,
      case when until is null and pg_input_is_valid(told, 'inet') then told::inet end,
      jsonb_build_object('reason', case when until is null then 'wrong_code' else 'refused' end),
      'auth'
    );
    if until is null then
      update private.rate_limit_uses u
      set used_at = array(select t from unnest(u.used_at) as t where t > clock_timestamp() - interval '1 day' order by t) || clock_timestamp()
      where u.subject = holder and u.scope = 'second-factor'
      returning u.used_at into strict failures;
      until := private.second_factor_limited_until(holder, failures);
    end if;
  end if;
  if until is null then
    return '{"decision": "continue"}';
  end if;
  perform private.end_sessions_without_second_factor(holder);
  return private.second_factor_error(until);
end
$function$;

CREATE OR REPLACE FUNCTION private.move_student()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- Agreed to with the counselors of another university in view.
  update public.consents
  set withdrawn_at = greatest(now(), granted_at)
  where user_id = new.user_id and kind = 'counselor_access' and withdrawn_at is null;
  update public.students set university_id = new.university_id where user_id = new.user_id;

  -- Inserted before the old one is deleted: without a role the enrolment would go.
  insert into public.user_roles (user_id, role, university_id)
  select new.user_id, 'student', new.university_id
  where exists (select from public.user_roles r where r.user_id = new.user_id and r.role = 'student')
  on conflict on constraint user_roles_once do nothing;
  delete from public.user_roles r
  where r.user_id = new.user_id and r.role = 'student' and r.university_id is distinct from new.university_id;

  -- Who leaves for no university is still in danger: without a university nobody would see the review.
  update public.clinical_reviews
  set university_id = new.university_id, status = 'open', last_notified_at = now()
  where user_id = new.user_id and status <> 'closed' and new.university_id is not null;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.name_in_message (
  name      text,
  otherwise text,
  longest   integer DEFAULT 30
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case when short ~ '[[:alpha:]]' then short else otherwise end
  from (
    select regexp_replace(
        normalize(name, NFKC),
        '[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f\u2060-\u206f\u2800\ufe00-\ufe0f\ufeff\ufff0-\uffff\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+',
        ' ', 'g'
      ) as visible
  ) as v
  cross join lateral (
    select regexp_replace(visible, '([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]{2})[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+', '\1', 'g') as flat
  ) as f
  cross join lateral (
    select regexp_replace(flat, '\m([[:alpha:]])[.](?=[[:alpha:]]([.]|[^[:alnum:]]|$))', '\1. ', 'g') as spaced
  ) as i
  cross join lateral (
    select regexp_replace(spaced, '(https?:|www\.|//)[^[:space:]]*|[^[:space:]]*[[:alnum:]][.。][[:alnum:]][^[:space:]]*', ' ', 'gi') as linkless
  ) as l
  cross join (
    values ('[:alpha:]\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u06ed\u0711-\u109f\u135d-\u135f\u1712-\u17dd\u1885-\u1a7f\u1ab0-\u1abd\u1abf-\u1dff\u20d0-\u20dc\u302a-\u302f\u3099\u309a\ua66f\ua674-\ua67d\ua6f0-\uabed\ufe20-\ufe2f')
  ) as m (letters)
  cross join lateral (
    select regexp_replace(linkless, format('[[:digit:]]|[^%s .''’-]', m.letters), ' ', 'g') as lettered
  ) as t
  cross join lateral (
    select regexp_replace(
        lettered, format('(?<![%1$s])[.]|[.](?! |$)|(?<![%1$s])[''’-](?![[:alpha:]])', m.letters), ' ', 'g'
      ) as pointed
  ) as p
  cross join lateral (
    select btrim(left(btrim(regexp_replace(pointed, ' +', ' ', 'g')), longest), ' -''’') as short
  ) as s
$function$;

CREATE OR REPLACE FUNCTION private.next_send_time (
  message private.outbox,
  at      timestamp with time zone
)
  RETURNS timestamp WITH time zone
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  affordable timestamptz := at;
begin
  if message.channel = 'email' then
    return at;
  end if;
  -- Somebody may be in danger of whom an alert tells: no amount holds it back.
  if exists (
    select from private.text_budgets b where b.kind = private.kind_of_text(message.purpose) and b.kind <> 'alert' and b.cost >= b.most
  ) then
    affordable := date_trunc('day', at, 'UTC') + interval '1 day';
  end if;
  return case when message.contact_id is null then affordable else private.next_text_time(message.contact_id, affordable) end;
end
$function$;

CREATE OR REPLACE FUNCTION private.note_mails_of_auth()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.note_security_event(
    'auth_mail_sent',
    new.id,
    null,
    times => num_nonnulls(
      nullif(new.confirmation_sent_at, old.confirmation_sent_at),
      nullif(new.recovery_sent_at, old.recovery_sent_at),
      nullif(new.reauthentication_sent_at, old.reauthentication_sent_at),
      nullif(new.email_change_sent_at, old.email_change_sent_at),
      -- A change of address is mailed to both.
      case when new.email_change_sent_at is distinct from old.email_change_sent_at then nullif(new.email_change_token_current, '') end
    )
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.note_security_event (
  kind    text,
  account uuid    DEFAULT NULL::uuid,
  address inet    DEFAULT private.request_ip(),
  details jsonb   DEFAULT '{}'::jsonb,
  source  text    DEFAULT 'database'::text,
  times   integer DEFAULT 1
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
#variable_conflict use_column
declare
  most_rows constant integer := 500;
  this_minute timestamptz := date_trunc('minute', clock_timestamp());
  caller inet := private.block_network(address);
  full_up boolean;
begin
  -- A security test is no incident. Nobody else can be taken for one: the ids of its accounts are chosen by the database.
  if private.is_probe(account) or private.probe_run(private.request_header('x-security-probe')) is not null then
    return;
  end if;
  if not exists (
    select
    from private.security_events e
    where e.kind = note_security_event.kind
      and e.minute = this_minute
      and e.source = note_security_event.source
      and e.address is not distinct from caller
      and e.account is not distinct from note_security_event.account
  ) then
    select count(*) >= most_rows into full_up
    from (
      select from private.security_events e
      where e.kind = note_security_event.kind
        and e.minute = this_minute
        and (e.account is null) = (note_security_event.account is null)
      limit most_rows
    ) of_minute;
  end if;
  insert into private.security_events as e (kind, source, minute, address, account, occurrences, details)
  values (
    note_security_event.kind,
    note_security_event.source,
    this_minute,
    case when full_up then null else caller end,
    note_security_event.account,
    times,
    note_security_event.details
  )
  on conflict on constraint security_events_once_a_minute do update
  set
    occurrences = e.occurrences + excluded.occurrences,
    last_at = excluded.last_at,
    details = case when octet_length((e.details || excluded.details)::text) <= 2000 then e.details || excluded.details else e.details end;
end
$function$;

CREATE OR REPLACE FUNCTION private.number_free_at (
  number text,
  at     timestamp with time zone
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  -- Those that wait for a number to agree are no texts yet, and could be anybody's.
  select case when count(*) >= s.daily_requests_to_number then min(r.created_at) + interval '1 day' end
  from private.support_settings s
  join private.buddy_links l on l.number_hash = private.hash_of_number(number)
  join public.buddy_check_in_requests r on r.id = l.request_id
  where r.request_type = 'user_initiated'
    and r.delivery_status <> 'cancelled'
    and r.created_at > at - interval '1 day'
    and (
      r.sent_at is not null
      or exists (select from public.buddy_contacts c where c.id = r.buddy_contact_id and c.phone_confirmed_at is not null)
    )
  group by s.daily_requests_to_number
$function$;

CREATE OR REPLACE FUNCTION private.password_verification_attempt (
  event jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  told text := event #>> '{metadata,ip_address}';
  address inet := case when pg_input_is_valid(told, 'inet') then told::inet end;
begin
  if not coalesce((event ->> 'valid')::boolean, false) then
    perform private.note_security_event('sign_in_failed', (event ->> 'user_id')::uuid, address, '{"reason": "wrong_password"}', 'auth');
  end if;
  -- What Auth itself says of wrong credentials: of accounts that do not exist it asks nobody, so that another answer would tell which do.
  if private.is_blocked(address) then
    return '{"decision": "reject", "message": "Invalid login credentials", "should_logout_user": false}';
  end if;
  return '{"decision": "continue"}';
end
$function$;

CREATE OR REPLACE FUNCTION private.place_alert (
  rule     text,
  incident text
)
  RETURNS timestamp WITH time zone
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  worst public.incident_severity := (select i.severity from public.security_incidents i where i.id = incident);
  known private.security_alerts;
  alone boolean;
  digest timestamptz;
begin
  select * into known from private.security_alerts a where a.incident_id = incident and a.severity = worst;
  if found then
    return known.digest_at;
  end if;
  -- One that is critical waits for no digest, whoever made others happen before it.
  if worst = 'critical' then
    insert into private.security_alerts (rule, incident_id, severity) values (place_alert.rule, incident, worst);
    return null;
  end if;
  alone := pg_try_advisory_xact_lock(85, hashtext(rule));
  select
    coalesce(
      max(a.digest_at) filter (where a.digested_at is null),
      case
        when not alone or count(*) filter (where a.digest_at is null and a.alerted_at > now() - interval '1 hour') >= s.alerts_per_hour
          then coalesce(min(a.alerted_at) filter (where a.digest_at is null and a.alerted_at > now() - interval '1 hour'), now())
            + interval '1 hour'
      end
    )
  into digest
  from private.detection_settings s
  left join private.security_alerts a on a.rule = place_alert.rule and a.severity is not distinct from worst
    and (a.digested_at is null or a.alerted_at > now() - interval '1 hour')
  group by s.alerts_per_hour;
  insert into private.security_alerts (rule, incident_id, severity, digest_at)
  values (place_alert.rule, incident, worst, digest);
  return digest;
end
$function$;

CREATE OR REPLACE FUNCTION private.price_of_text (
  number text
)
  RETURNS numeric
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select d.price
  from private.text_destinations d
  where d.prefix in (
    substr(number, 2, 1), substr(number, 2, 2), substr(number, 2, 3), substr(number, 2, 4), substr(number, 2, 5), substr(number, 2, 6)
  )
  order by length(d.prefix) desc
  limit 1
$function$;

CREATE OR REPLACE FUNCTION private.purge_support_history (
  cutoff timestamp with time zone,
  most   integer
)
  RETURNS integer
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  deleted integer := 0;
  affected integer;
begin
  delete from public.support_alerts a
  where a.id = any (array(
    select d.id from public.support_alerts d where d.status <> 'open' and d.opened_at < cutoff limit most for update skip locked
  ));
  get diagnostics affected = row_count;
  deleted := deleted + affected;
  delete from public.buddy_check_in_requests r
  where r.id = any (array(
    select d.id from public.buddy_check_in_requests d where d.created_at < cutoff limit most for update skip locked
  ));
  get diagnostics affected = row_count;
  deleted := deleted + affected;
  -- The proof of what somebody agreed to lasts as long as they are a contact.
  delete from public.buddy_verification_audit a
  where a.id = any (array(
    select d.id from public.buddy_verification_audit d where d.buddy_contact_id is null and d.created_at < cutoff limit most for update skip locked
  ));
  get diagnostics affected = row_count;
  deleted := deleted + affected;
  delete from private.buddy_verification_sends s
  where s.id = any (array(
    select d.id from private.buddy_verification_sends d where d.sent_at < cutoff limit most for update skip locked
  ));
  get diagnostics affected = row_count;
  deleted := deleted + affected;
  delete from private.buddy_refusals f
  where f.ctid = any (array(
    select d.ctid from private.buddy_refusals d where d.refused_at < cutoff limit most for update skip locked
  ));
  get diagnostics affected = row_count;
  deleted := deleted + affected;
  delete from private.first_texts f
  where f.number_hash = any (array(
    select d.number_hash from private.first_texts d where d.queued_at < cutoff limit most for update skip locked
  ));
  get diagnostics affected = row_count;
  deleted := deleted + affected;
  delete from private.code_tries t
  where (t.number_hash, t.user_id) in (
    select d.number_hash, d.user_id from private.code_tries d where d.tried_at < cutoff limit most for update skip locked
  );
  get diagnostics affected = row_count;
  deleted := deleted + affected;
  delete from private.support_standstills s
  where s.id = any (array(
    select d.id from private.support_standstills d where d.ended_at < cutoff limit most for update skip locked
  ));
  get diagnostics affected = row_count;
  return deleted + affected;
end
$function$;

CREATE OR REPLACE FUNCTION private.queue_first_text (
  contact uuid,
  at      timestamp with time zone
)
  RETURNS uuid
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  asked public.buddy_contacts;
  code constant text := lpad((('x' || left(gen_random_uuid()::text, 8))::bit(32)::bigint % 1000000)::text, 6, '0');
  message constant uuid := gen_random_uuid();
  settings private.support_settings;
begin
  select * into asked from public.buddy_contacts c where c.id = contact;
  if asked.phone_confirmed_at is not null or not private.may_ask(contact, asked.phone) then
    return null;
  end if;
  select * into strict settings from private.support_settings;
  insert into private.first_texts as f (number_hash, contact_id, message_id, code_hash, queued_at)
  values (private.hash_of_number(asked.phone), contact, message, private.hash_of_number(asked.phone || ' ' || code), at)
  on conflict on constraint first_texts_pkey do update
  set contact_id = excluded.contact_id,
    message_id = excluded.message_id,
    code_hash = excluded.code_hash,
    texts = f.texts + 1,
    queued_at = at
  where f.queued_at <= at - settings.first_text_pause and f.texts < settings.max_first_texts;
  if not found then
    return null;
  end if;
  insert into private.outbox (id, channel, purpose, user_id, contact_id, recipient, body, send_at)
  values (
    message, 'sms', 'buddy_first_text', asked.user_id, contact, asked.phone,
    format(
      'Student wellbeing: a student called "%s" named this number as a support contact. Reply YES to agree, or type %s on the page from our email. Reply STOP to refuse and get no more texts.',
      private.student_in_message(asked.user_id), code
    ),
    private.next_text_time(contact, at)
  );
  return message;
end
$function$;

CREATE OR REPLACE FUNCTION private.queue_text (
  contact uuid,
  purpose text,
  body    text,
  request uuid,
  at      timestamp with time zone
)
  RETURNS uuid
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  queued uuid;
begin
  insert into private.outbox (channel, purpose, user_id, contact_id, request_id, recipient, body, send_at)
  select 'sms', queue_text.purpose, c.user_id, c.id, request, c.phone, queue_text.body,
    -- Until then it waits for the number to agree, and is cancelled unless it did.
    case when c.phone_confirmed_at is null then at + s.agreement_wait else private.next_text_time(c.id, at) end
  from public.buddy_contacts c
  cross join private.support_settings s
  where c.id = contact
    and private.may_ask(c.id, c.phone)
    and (c.phone_confirmed_at is not null or queue_text.purpose = 'buddy_check_in')
  returning id into queued;
  return queued;
end
$function$;

CREATE OR REPLACE FUNCTION private.read_verification (
  token_hash text,
  at         timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  contact uuid := private.contact_of_token(token_hash);
  asked public.buddy_contacts;
  state text;
begin
  select * into asked from public.buddy_contacts c where c.id = contact;
  state := private.verification_state(asked, at);
  if state = 'expired' then
    asked := private.lock_contact(contact);
    perform private.audit_expiry(asked, at) where asked.verification_token = token_hash;
  end if;
  return jsonb_build_object('state', state, 'resources', private.crisis_resources(asked.user_id))
    || case
      when asked.id is null then '{}'
      else jsonb_build_object(
        'contact_name', private.name_in_message(asked.name, 'there'),
        'student_name', private.student_in_message(asked.user_id),
        'number_confirmed', asked.phone_confirmed_at is not null
      )
    end
    || case
      when asked.verified is not true and asked.declined_at is null then '{}'
      else jsonb_build_object('decision', case when asked.verified then 'accepted' else 'declined' end)
    end;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_delivery (
  message     uuid,
  attempt     smallint,
  outcome     private.delivery_outcome,
  sent_by     text,
  sent_as     text,
  code        text,
  retry_after interval
)
  RETURNS private.message_status
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  stored private.outbox;
begin
  perform private.hear_provider_opt_out(o.recipient, code) from private.outbox o where o.id = message and o.channel = 'sms';

  -- An email has an idempotency key, so that sending it again cannot duplicate it; a text message has none.
  with attempted as (
    select
      o.id,
      case
        when outcome = 'sent' then 'sent'
        when outcome = 'unconfirmed' and o.channel = 'sms' then 'unconfirmed'
        when outcome in ('rejected', 'not_sent') and not private.may_send(o) then 'cancelled'
        when outcome = 'rejected' or o.attempts >= s.max_attempts then 'dead'
        else 'queued'
      end::private.message_status as next_status,
      now() + case
        -- Behind a full rate an urgent message waits no longer than the provider asks for, but only once.
        when o.urgency <= 'support' and o.attempts = 1 and retry_after is not null then retry_after
        else greatest(retry_after, least(s.retry_backoff * power(2, least(o.attempts - 1, 20)), s.longest_backoff))
      end as next_attempt_at
    from private.outbox o, private.messaging_settings s
    where o.id = message and o.attempts = attempt and o.status = 'sending'
    for update of o
  )
  update private.outbox o
  set status = a.next_status,
    send_at = case when a.next_status = 'queued' then a.next_attempt_at else o.send_at end,
    lease_until = null,
    provider = sent_by,
    provider_message_id = sent_as,
    error_code = code,
    ended_at = case when a.next_status <> 'queued' then now() end
  from attempted a
  where o.id = a.id
  returning o.* into stored;
  return stored.status;
end
$function$;

CREATE OR REPLACE FUNCTION private.refusal_findings (
  at timestamp with time zone
)
  RETURNS SETOF private.finding
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with counted as (
    select r.rule, r.threshold * p.most as threshold, k.key, p.most > 1 as by_pages, e.address, e.account, e.occurrences
    from private.detection_rules r
    join (
      values
        ('token_forgery', 'token_refused', 'address'),
        ('access_refused', 'access_refused', 'account'),
        ('flood', 'rate_limited', 'account'),
        ('worker_secret', 'worker_secret_refused', 'address'),
        ('link_guessing', 'link_refused', 'address')
    ) as w (rule, kind, by) on w.rule = r.rule
    join private.security_events e on e.kind = w.kind and e.minute >= date_trunc('minute', at - r.period)
    cross join lateral (
      select case e.source when 'pages' then 10 else 1 end as most
    ) p
    cross join lateral (
      select r.rule || ':' || case
        when e.source = 'pages' then 'pages'
        when w.by = 'account' and e.account is not null then e.account::text
        else coalesce(host(e.address), 'unknown')
      end as key
    ) k
    where (e.account is not null and w.by = 'account' or private.network_kind(e.address) is distinct from 'platform')
      and e.last_at > case
        when w.by = 'account' and e.account is not null or e.address is null then private.resolved_at(k.key)
        else private.resolved_for_address(r.rule, e.address)
      end
  )
  select
    c.rule, c.key,
    case c.rule
      when 'token_forgery' then 'Forged access tokens'
      when 'access_refused' then 'An account reaches for what it may not'
      when 'flood' then 'A flood of requests'
      when 'worker_secret' then 'The workers'' secret is guessed'
      else 'Links are guessed'
    end,
    format(
      '%s times within the period%s.', sum(c.occurrences),
      case when c.by_pages then ', by pages of other sites or by who pretends to be one; ten times the threshold counts' else '' end
    ),
    jsonb_build_object('count', sum(c.occurrences), 'by_pages', c.by_pages),
    array_agg(distinct c.account) filter (where c.account is not null),
    array_agg(distinct c.address) filter (where c.address is not null),
    array[case c.rule when 'worker_secret' then 'workers' when 'link_guessing' then 'links' else 'functions' end],
    null::public.incident_type, null::public.incident_severity
  from counted c
  group by c.rule, c.key, c.threshold, c.by_pages
  having sum(c.occurrences) >= c.threshold
$function$;

CREATE OR REPLACE FUNCTION private.refuse_blocked()
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  address constant inet := private.request_ip();
  help constant text := 'In danger, call the emergency services (112, 911, 999 or 000). Somebody to talk to: https://findahelpline.com';
begin
  if (select auth.role()) = 'service_role' then
    return;
  end if;
  if private.is_blocked(
    address, case when pg_input_is_valid(auth.jwt() ->> 'session_id', 'uuid') then (auth.jwt() ->> 'session_id')::uuid end
  ) then
    raise exception '%', private.block_notice(address)
      using errcode = 'PT403', hint = 'address_blocked',
        detail = concat_ws(' ', 'Ask ' || (select s.blocked_contact from private.detection_settings s) || '.', help);
  end if;
  if exists (select from auth.users where id = (select auth.uid()) and banned_until > now()) then
    raise exception 'This account is disabled.' using errcode = 'PT403', detail = help, hint = 'account_disabled';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.refuse_second_factor (
  account uuid
)
  RETURNS timestamp WITH time zone
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  until timestamptz := private.second_factor_refused_until(account);
begin
  if until is not null then
    perform private.end_sessions_without_second_factor(account);
  end if;
  return until;
end
$function$;

CREATE OR REPLACE FUNCTION private.replay_erasures (
  exported jsonb
)
  RETURNS TABLE (
    accounts  integer,
    held      integer,
    pending   integer,
    cancelled integer
  )
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  exported_at constant timestamptz := exported ->> 'exported_at';
  asked constant bytea[] := array(select (p ->> 'tombstone')::bytea from jsonb_array_elements(exported -> 'pending') p);
begin
  if not exists (select from vault.decrypted_secrets where name = 'tombstone_key') then
    raise exception 'The vault has no tombstone_key: restore the project''s own vault with the database.';
  end if;
  -- Who takes a receipt out of the file would bring somebody back, and who makes one of what is pending would end their time to cancel.
  if exported is not null and exported ->> 'signature' is distinct from private.erasures_signature(exported) then
    raise exception 'This file is not as npm run erasures -- export of this project wrote it.';
  end if;
  insert into private.erasure_receipts
  select r.*
  from jsonb_populate_recordset(null::private.erasure_receipts, exported -> 'receipts') r
  on conflict do nothing;
  -- The accounts first, in the order of private.advance_erasures.
  with gone as materialized (
    select u.id
    from auth.users u
    where private.tombstone_of(u.id) in (select r.tombstone from private.erasure_receipts r)
    order by u.id
    for update
  )
  insert into private.erasures as e (user_id, source, final_at)
  select g.id, 'restore', now()
  from gone g
  on conflict on constraint erasures_user_id_key do update
  set source = 'restore', final_at = greatest(now(), e.requested_at), next_attempt_at = now(), mail_receipt = false;
  get diagnostics accounts = row_count;
  select count(*) into held
  from private.erasures e
  join private.legal_holds h using (user_id)
  where e.source = 'restore';
  -- Nobody signs in meanwhile: the accounts go in this transaction.
  delete from auth.users u
  using private.erasures e
  where e.user_id = u.id and e.source = 'restore' and not exists (select from private.legal_holds h where h.user_id = u.id);

  -- Those that were cancelled after the backup are not among the pending ones.
  delete from private.erasures e
  where e.source = 'person' and e.erased_at is null and e.requested_at <= exported_at
    and private.tombstone_of(e.user_id) <> all (asked);
  get diagnostics cancelled = row_count;
  insert into private.erasures (user_id, source, final_at)
  select u.id, 'person', now()
  from auth.users u
  where private.tombstone_of(u.id) = any (asked)
  on conflict on constraint erasures_user_id_key do nothing;
  -- What was cancelled after the export is not known: so everybody has the whole time again, and is told.
  delete from private.outbox o where o.purpose = 'erasure_requested' and o.status = 'queued';
  with renewed as (
    update private.erasures e
    set final_at = now() + interval '72 hours', next_attempt_at = now() + interval '72 hours'
    where e.source = 'person' and e.erased_at is null
    returning e.user_id, e.final_at
  ),
  mailed as materialized (
    select private.mail_erasure(r.user_id, r.final_at) from renewed r
  )
  select count(*) into pending from mailed;
  perform private.resume_erasures();
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION private.request_check_in (
  student uuid,
  contact uuid,
  at      timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  free_at timestamptz;
  request uuid;
  asked public.buddy_contacts;
begin
  -- One after another for a student, so that of many at once a number is asked once.
  perform from auth.users where id = student for no key update;
  -- Whether its number has agreed is settled until this commits, so that no text waits for what has happened.
  select * into asked from public.buddy_contacts c where c.id = contact and c.user_id = student for share;
  if not found then
    return jsonb_build_object('outcome', 'buddy_not_found');
  end if;
  perform pg_advisory_xact_lock(57, hashtext(asked.phone));
  if not private.has_consent(student, 'support_circle') then
    return jsonb_build_object('outcome', 'consent_required');
  end if;
  if not private.may_ask(contact, asked.phone) then
    return jsonb_build_object('outcome', 'buddy_unavailable');
  end if;
  free_at := greatest(
    private.next_request_at(student, contact),
    case when asked.phone_confirmed_at is not null then private.number_free_at(asked.phone, at) end
  );
  if free_at > at then
    return jsonb_build_object(
      'outcome', 'rate_limited',
      -- A request that was made at the same time may have begun a moment after this one.
      'retry_after_s', least(greatest(1, ceil(extract(epoch from free_at - at))), 86400)::integer
    );
  end if;
  request := private.ask_contact(contact, 'user_initiated', null, at);
  -- A stop that was heard since the line above.
  if request is null then
    return jsonb_build_object('outcome', 'buddy_unavailable');
  end if;
  if asked.phone_confirmed_at is null then
    perform private.queue_first_text(contact, at);
    return jsonb_build_object('outcome', 'requested', 'request_id', request, 'send_at', null, 'waits_for', 'agreement');
  end if;
  return (
    select jsonb_build_object(
      'outcome', 'requested', 'request_id', request, 'send_at', t.send_at, 'waits_for', case when t.send_at > at then 'day' end
    )
    from private.outbox o
    cross join lateral (select private.next_send_time(o, o.send_at) as send_at) t
    where o.request_id = request
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.resolved_at (
  VARIADIC incident_keys text[]
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select coalesce(max(ended_at), '-infinity') from public.security_incidents where key = any (incident_keys)
$function$;

CREATE OR REPLACE FUNCTION private.resolved_for_address (
  prefix  text,
  address inet
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select private.resolved_at(
    prefix || ':' || host(address),
    prefix || ':' || text(private.wide_network(address)),
    prefix || ':many addresses'
  )
$function$;

CREATE OR REPLACE FUNCTION private.respond_automatically (
  incident  text,
  actions   text[],
  addresses inet[],
  account   uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  subject public.security_incidents;
  got_in boolean;
begin
  select * into strict subject from public.security_incidents where id = incident;
  if 'block_ip' = any (actions) then
    got_in := coalesce((subject.indicators ->> 'got_in')::boolean, false);
    perform private.record_response(
      incident, 'block_ip', host(a), false,
      -- The session of somebody who guessed a password began before the block.
      private.block_address(
        a, null, subject.title, incident, case when got_in then now() - (subject.indicators ->> 'period')::interval else now() end
      ),
      null
    )
    from (
      select a
      from unnest(addresses) a
      where private.network_kind(a) is null
        and not exists (
          select
          from private.blocked_addresses b
          where b.network = private.block_network(a)
            and b.until > now()
            -- One from before somebody got in lets their session pass.
            and (not got_in or b.sessions_from < b.blocked_at)
        )
        -- A block that was lifted stays lifted while its incident goes on.
        and not exists (
          select
          from jsonb_array_elements(subject.response) r
          where r ->> 'action' = 'block_ip'
            and (r ->> 'undone')::boolean
            and private.block_network((r ->> 'target')::inet) = private.block_network(a)
        )
      -- The next run takes the next ones, if there are more.
      limit 100
    ) as unblocked;
  end if;
  if 'disable_user' = any (actions) and account is not null then
    perform private.record_response(
      incident, 'disable_user', account::text, false, private.disable_account(account, subject.title, incident), null
    );
  end if;
  if 'send_alert' = any (actions) then
    perform private.record_response(
      incident, 'send_alert', null, false,
      private.send_security_alert(
        left(format('Security incident (%s): %s', subject.severity, subject.title), 200),
        format(E'%s\n\nIncident %s, detected at %s UTC. Deal with it on the security page.', subject.title, subject.id,
          to_char(subject.detected_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')),
        incident,
        subject.indicators ->> 'rule'
      ),
      null
    );
  end if;
  if 'audit_trail' = any (actions) then
    perform private.record_response(incident, 'audit_trail', null, false, private.seal_evidence(incident), null);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.second_factor_error (
  until timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'error', jsonb_build_object(
      'http_code', 429,
      'message', format(
        'Too many wrong codes. No code is taken before %s UTC. Then sign in again.',
        to_char(date_trunc('minute', until + interval '59.999 seconds') at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
      )
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.second_factor_findings (
  at timestamp with time zone
)
  RETURNS SETOF private.finding
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with attempts as (
    select e.account, e.last_at, e.occurrences, e.address, 'wrong codes' as seen
    from private.security_events e
    where e.kind = 'second_factor_failed' and e.minute >= date_trunc('minute', at - interval '1 day')
    union all
    select f.user_id, c.created_at, 1, private.block_network(c.ip_address), 'challenges without an answer'
    from auth.mfa_challenges c
    join auth.mfa_factors f on f.id = c.factor_id
    where c.verified_at is null
      and c.created_at > at - interval '1 day'
      -- As private.second_factor_limited_until counts: while the account has an app, and for whichever of its apps.
      and c.created_at > (select min(m.created_at) from auth.mfa_factors m where m.user_id = f.user_id and m.status = 'verified')
  ),
  -- One attempt may be seen in both ways, so the larger number counts.
  seen as (
    select
      a.account, a.seen, r.threshold, l.daily_requests,
      coalesce(sum(a.occurrences) filter (where a.last_at > at - r.period), 0) as recent,
      sum(a.occurrences) as of_day,
      array_remove(array_agg(distinct a.address::inet), null) as addresses
    from attempts a
    join private.detection_rules r on r.rule = 'second_factor_guessing'
    left join private.rate_limit_rules l on l.scope = 'second-factor'
    where a.account is not null and a.last_at > private.resolved_at('second_factor:' || a.account)
    group by a.account, a.seen, r.threshold, l.daily_requests
  ),
  guessed as (
    select distinct on (s.account) s.*
    from seen s
    where s.recent >= s.threshold or s.of_day >= s.daily_requests
    order by s.account, s.of_day desc
  )
  select
    'second_factor_guessing', 'second_factor:' || g.account, 'The second factor of an account is guessed',
    format('%s %s within a day, from %s addresses. Whoever does this has the password.', g.of_day, g.seen, cardinality(g.addresses)),
    -- Evidence alone: whoever guesses may have written the addresses that Auth was told, and nobody is blocked by them.
    jsonb_build_object('count', g.of_day, 'seen', g.seen, 'networks', cardinality(g.addresses), 'told_addresses', to_jsonb(g.addresses[:100])),
    array[g.account], null::inet[], array['sign_in'], null::public.incident_type, null::public.incident_severity
  from guessed g
$function$;

CREATE OR REPLACE FUNCTION private.second_factor_limited_until (
  account  uuid,
  failures timestamp with time zone[]
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select max(f.failed_at + w.period)
  from private.rate_limit_rules r
  cross join lateral (values (r.requests, r.period), (r.daily_requests, interval '1 day')) as w (requests, period)
  cross join lateral (
    select t as failed_at
    from unnest(failures) as t
    where t > (select min(m.created_at) from auth.mfa_factors m where m.user_id = account and m.status = 'verified')
    order by t desc
    offset w.requests - 1
    limit 1
  ) f
  where r.scope = 'second-factor' and w.requests is not null and f.failed_at + w.period > clock_timestamp()
$function$;

CREATE OR REPLACE FUNCTION private.second_factor_refused_until (
  account uuid
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select greatest(
    private.second_factor_limited_until(
      account,
      (select u.used_at from private.rate_limit_uses u where u.subject = account and u.scope = 'second-factor')
    ),
    private.second_factor_limited_until(
      account,
      (
        select array_agg(c.created_at)
        from auth.mfa_challenges c
        join auth.mfa_factors f on f.id = c.factor_id
        where f.user_id = account and c.verified_at is null and c.created_at > now() - interval '1 day'
      )
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.security_administrators()
  RETURNS TABLE (
    id    uuid,
    email text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select distinct u.id, u.email
  from public.user_roles r
  join auth.users u on u.id = r.user_id
  where r.role = 'security_admin'
    and u.email is not null
    and u.deleted_at is null
    and (u.banned_until is null or u.banned_until <= now())
$function$;

CREATE OR REPLACE FUNCTION private.send_alert_digests (
  at timestamp with time zone
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  written integer;
begin
  -- What a policy alerted of is in its own tables; an incident's alerts are deleted with it.
  delete from private.security_alerts a
  where a.incident_id is null and a.alerted_at < at - interval '1 day' and (a.digest_at is null or a.digested_at is not null);
  with due as (
    update private.security_alerts a
    set digested_at = at
    where a.digest_at <= at and a.digested_at is null
    returning a.rule, a.incident_id, a.alerted_at
  ),
  digests as materialized (
    select d.rule, array_agg(d.incident_id) filter (where d.incident_id is not null) as incidents,
      min(d.alerted_at) as since, count(*) as number
    from due d
    group by d.rule
  ),
  queued as (
    insert into private.outbox (channel, purpose, user_id, recipient, subject, body)
    select 'email', 'security_alert_digest', a.id, a.email, left(t.subject, 200), t.body
    from digests d
    cross join lateral (
      select i.subject, i.body from private.digest_of_incidents(d.rule, d.incidents, at) i
      union all
      select p.subject, p.body from private.digest_of_policy(d.rule, d.since, d.number, at) p where d.incidents is null
    ) as t
    cross join private.security_administrators() a
  )
  select count(*) into written from digests;
  return written;
end
$function$;

CREATE OR REPLACE FUNCTION private.send_security_alert (
  subject  text,
  text     text,
  incident text DEFAULT NULL::text,
  rule     text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  recipients integer;
  digest timestamptz;
begin
  if rule is not null then
    digest := private.place_alert(rule, incident);
  end if;
  if digest is not null then
    return jsonb_build_object(
      'status', 'done',
      'detail', format('in the digest of %s UTC', to_char(digest at time zone 'UTC', 'YYYY-MM-DD HH24:MI'))
    );
  end if;
  with administrators as (
    select * from private.security_administrators()
  ),
  queued as (
    insert into private.outbox (id, channel, purpose, user_id, recipient, subject, body)
    select
      md5(concat_ws('/', 'security_alert', incident, subject, text, a.id))::uuid,
      'email', 'security_alert', a.id, a.email, left(subject, 200), left(text, 20000)
    from administrators a
    on conflict do nothing
  )
  select count(*) into recipients from administrators;
  return jsonb_build_object(
    'status', case when recipients > 0 then 'done' else 'failed' end,
    'detail', format('%s security administrators', recipients)
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
  number text := private.hash_of_number(asked.phone);
  token text := private.new_link_token();
  sent record;
  by_all record;
begin
  select * into strict settings from private.support_settings;
  -- Students who ask the same mailbox, or about the same number, at once are counted one after the other.
  perform pg_advisory_xact_lock(551, hashtext(mailbox)), pg_advisory_xact_lock(552, hashtext(number));
  select
    count(*) filter (where s.mailbox_hash = mailbox) as to_mailbox,
    max(s.sent_at) filter (where s.mailbox_hash = mailbox) as last_to_mailbox,
    count(*) filter (where s.sent_at > at - interval '1 day') as today,
    min(s.sent_at) filter (where s.sent_at > at - interval '1 day') as first_today
  into sent
  from private.buddy_verification_sends s
  where s.user_id = student;
  select
    count(*) filter (where s.mailbox_hash = mailbox and s.sent_at > at - interval '1 day') as today,
    min(s.sent_at) filter (where s.mailbox_hash = mailbox and s.sent_at > at - interval '1 day') as first_today,
    count(distinct s.user_id) filter (where s.mailbox_hash = mailbox and s.user_id <> student) as others_of_mailbox,
    count(distinct s.user_id) filter (where s.number_hash = number and s.user_id <> student) as others_of_number
  into by_all
  from private.buddy_verification_sends s
  where (s.mailbox_hash = mailbox or s.number_hash = number) and s.sent_at > at - greatest(settings.naming_period, interval '1 day');

  outcome := case
    when asked.user_id is distinct from student then 'not_found'
    when asked.phone <> checked_phone then 'changed'
    when not private.has_consent(student, 'support_circle') then 'no_consent'
    when asked.verified then 'verified'
    when not asked.is_active then 'unavailable'
    when not private.texts_go_to(asked.phone) then 'country'
    when asked.email is null then 'no_email'
    -- One outcome for all of these: what others did with a mailbox or number is not told.
    when private.is_refused(asked.email)
      or greatest(by_all.others_of_mailbox, by_all.others_of_number) >= settings.students_to_address then 'unavailable'
    when exists (
      select from private.buddy_refusals r
      where r.user_id = student and r.address_hash in (mailbox, private.hash_of_number(asked.phone))
    ) then 'unavailable'
    when sent.to_mailbox >= settings.max_verifications then 'exhausted'
    when sent.last_to_mailbox > at - settings.verification_pause or sent.today >= settings.daily_verifications
      or by_all.today >= settings.daily_verifications_to_mailbox then 'too_soon'
    when sent.to_mailbox = 0 then 'sent'
    else 'resent'
  end;
  if outcome = 'too_soon' then
    retry_after_s := ceil(extract(epoch from greatest(
      sent.last_to_mailbox + settings.verification_pause,
      case when sent.today >= settings.daily_verifications then sent.first_today + interval '1 day' end,
      case when by_all.today >= settings.daily_verifications_to_mailbox then by_all.first_today + interval '1 day' end
    -- What was sent meanwhile by a request that began later.
    ) - greatest(at, sent.last_to_mailbox)));
  end if;
  if outcome in ('sent', 'resent') then
    -- An unknown zone is an error here rather than in every text that asks for the contact's time.
    perform at at time zone zone from unnest(zones) as zone;
    perform private.cancel_messages_to(contact);
    update public.buddy_contacts
    set verification_token = private.link_token_hash(token),
      verification_token_expires_at = at + settings.link_valid,
      number_time_zones = zones
    where id = contact;
    insert into private.buddy_verification_sends (user_id, mailbox_hash, number_hash, sent_at) values (student, mailbox, number, at);
    insert into private.outbox (channel, purpose, user_id, contact_id, recipient, subject, body)
    select 'email', 'buddy_verification', student, contact, asked.email, e.subject, e.body
    from private.verification_email(asked, token) e;
    perform private.audit_verification(asked, 'verification_' || outcome, ip, agent, '{}', at);
  end if;
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION private.sign_in_failures (
  since timestamp with time zone
)
  RETURNS TABLE (
    account  uuid,
    address  inet,
    direct   boolean,
    failures bigint,
    last_at  timestamp with time zone
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with seen as (
    select e.account, e.address, e.source, sum(e.occurrences) as failures, max(e.last_at) as last_at
    from private.security_events e
    where e.kind = 'sign_in_failed' and e.minute >= date_trunc('minute', since)
      and e.last_at > greatest(
        private.resolved_for_address('sign_in:address', e.address),
        private.resolved_at('sign_in:account:' || e.account)
      )
    group by e.account, e.address, e.source
  ),
  by_auth as (
    select s.account, max(s.failures) as most, sum(s.failures) as failures, max(s.last_at) as last_at
    from seen s
    where s.source = 'auth'
    group by s.account
  )
  select s.account, s.address, false, s.failures, s.last_at from seen s where s.source = 'functions'
  union all
  select
    a.account,
    null,
    true,
    a.failures - coalesce(f.failures, 0),
    a.last_at
  from by_auth a
  left join (select s.account, sum(s.failures) as failures from seen s where s.source = 'functions' group by s.account) f
    on f.account = a.account
  where a.failures > coalesce(f.failures, 0)
$function$;

CREATE OR REPLACE FUNCTION private.sign_in_findings (
  at timestamp with time zone
)
  RETURNS SETOF private.finding
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with rules as (
    select
      max(period) as longest,
      max(threshold) filter (where rule = 'brute_force_address') as by_address,
      max(threshold) filter (where rule = 'brute_force_account') as by_account,
      max(threshold) filter (where rule = 'credential_stuffing') as spread
    from private.detection_rules
    where rule in ('brute_force_address', 'brute_force_account', 'credential_stuffing')
  ),
  failures as materialized (
    select f.* from rules, private.sign_in_failures(at - longest) f
  ),
  successes as materialized (
    select e.account, e.address, max(e.last_at) as last_at
    from private.security_events e, rules
    where e.kind = 'sign_in_succeeded' and e.minute >= date_trunc('minute', at - longest)
    group by e.account, e.address
  ),
  -- Whoever gets in after a few attempts has mistyped.
  unresolved as materialized (
    select f.*
    from failures f
    where f.failures >= 5
      or not exists (select from successes s where s.account = f.account and s.last_at >= f.last_at)
  ),
  addresses as materialized (
    select u.address, sum(u.failures) as failures, count(distinct u.account) as accounts,
      array_agg(distinct u.account) filter (where u.account is not null) as affected, n.people,
      exists (
        select from successes s where s.address = u.address and s.account = any (array_agg(u.account) filter (where u.failures >= 5))
      ) as got_in
    from unresolved u
    cross join lateral (select count(distinct s.account) as people from successes s where s.address = u.address) n
    where u.address is not null and private.network_kind(u.address) is distinct from 'platform'
    group by u.address, n.people
    having sum(u.failures) >= (select by_address from rules)
        * (case private.network_kind(u.address) when 'campus' then 10 else 1 end) + n.people / 4
  ),
  accounts as materialized (
    select u.account, sum(u.failures) as failures, bool_or(u.direct) as direct,
      array_agg(distinct u.address) filter (where u.address is not null) as addresses
    from unresolved u
    where u.account is not null and not exists (
      select from addresses a
      where a.address = u.address
        -- What is one incident for many addresses says nothing of the account.
        and not exists (
          select from public.security_incidents i
          where i.ended_at is null
            and i.key in ('sign_in:address:many addresses', 'sign_in:address:' || text(private.wide_network(a.address)))
        )
    )
    group by u.account
    having sum(u.failures) >= (select by_account from rules)
  ),
  spread as (
    select count(*) as attempts, count(distinct u.account) as accounts,
      (array_agg(distinct u.account) filter (where u.account is not null))[:1000] as affected
    from unresolved u
    where not exists (select from addresses a where a.address = u.address)
      and not exists (select from accounts a where a.account = u.account)
      and u.last_at > private.resolved_at('sign_in:spread')
      and private.network_kind(u.address) is null
  )
  select
    'brute_force_address', 'sign_in:address:' || host(a.address),
    case when a.accounts >= 5 then 'Credential stuffing from one address' else 'Brute force from one address' end,
    format('%s sign-ins failed from %s, of %s accounts.', a.failures, host(a.address), a.accounts)
      || case when a.got_in then ' An account that was tried often was then signed in to.' else '' end,
    jsonb_build_object('failures', a.failures, 'accounts', a.accounts, 'people_who_signed_in', a.people, 'got_in', a.got_in),
    a.affected, array[a.address], array['sign_in'], null::public.incident_type,
    case when a.got_in then 'critical'::public.incident_severity end
  from addresses a
  union all
  select
    'brute_force_account', 'sign_in:account:' || a.account, 'Brute force on one account',
    format('%s sign-ins to one account failed%s.', a.failures, case when a.direct then ', some of them straight at Auth' else '' end),
    jsonb_build_object('failures', a.failures, 'straight_at_auth', a.direct),
    array[a.account], a.addresses, array['sign_in'], null, null
  from accounts a
  union all
  select
    'credential_stuffing', 'sign_in:spread', 'Credential stuffing from many addresses',
    format('%s pairs of address and account failed to sign in, few times each.', s.attempts),
    jsonb_build_object('attempts', s.attempts, 'accounts', s.accounts),
    s.affected, null, array['sign_in'], null, null
  from spread s
  where s.attempts >= (select rules.spread from rules) and s.attempts > (select count(distinct account) / 2 from successes)
$function$;

CREATE OR REPLACE FUNCTION private.signed_in_account()
  RETURNS uuid
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  claims jsonb := auth.jwt();
  account uuid := claims ->> 'sub';
begin
  if pg_input_is_valid(claims ->> 'session_id', 'uuid')
    and exists (
      select from auth.sessions
      where id = (claims ->> 'session_id')::uuid and user_id = account and (not_after is null or not_after > now())
    )
    and exists (
      select from auth.users
      where id = account and deleted_at is null and (banned_until is null or banned_until <= now())
    )
    and not private.is_blocked(private.request_ip(), (claims ->> 'session_id')::uuid)
  then
    return account;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.student_in_message (
  student uuid
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select private.name_in_message(
    (select p.first_name || ' ' || p.last_name from public.profiles p where p.user_id = student), 'A student'
  )
$function$;

CREATE OR REPLACE FUNCTION private.system_findings (
  at timestamp with time zone
)
  RETURNS SETOF private.finding
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select
    'schema_change', 'schema', 'What protects the data was changed outside a migration',
    left(string_agg(format('%s %s: %s', c.aspect, c.change, c.object), '; ' order by c.aspect, c.object), 2000),
    jsonb_build_object(
      'changes', count(*),
      'first', jsonb_agg(jsonb_build_object('aspect', c.aspect, 'object', c.object, 'change', c.change) order by c.aspect, c.object) -> 0
    ),
    null::uuid[], null::inet[], array['database'],
    case when bool_and(c.aspect in ('policy', 'grant', 'role')) then 'privilege_escalation'::public.incident_type end,
    null::public.incident_severity
  from private.schema_changes() c
  having count(*) > 0
  union all
  select
    'detection_weakened', 'settings:detection', 'Detection was weakened',
    format('Rules were switched off, or their thresholds raised: %s.', string_agg(distinct l.target_id, ', ')),
    jsonb_build_object('rules', jsonb_agg(distinct l.target_id), 'audit_entries', jsonb_build_array(min(l.id), max(l.id))),
    array_agg(distinct l.actor_id) filter (where l.actor_id is not null), null, array['detection'], null, null
  from private.audit_log l
  where l.action = 'settings_changed'
    and l.target_type = 'detection_rules'
    and l.occurred_at > at - (select period from private.detection_rules where rule = 'detection_weakened')
    and l.occurred_at > private.resolved_at('settings:detection')
    and l.before is not null
    and (
      l.after is null
      or (l.after ->> 'enabled') = 'false'
      or (l.after ->> 'threshold')::integer > (l.before ->> 'threshold')::integer
    )
  having count(*) > 0
  union all
  select
    'erasure_overdue', 'compliance:erasures', 'Erasures are overdue',
    format('%s accounts should have been erased by now.', count(*)),
    jsonb_build_object('erasures', count(*), 'oldest', min(e.final_at)),
    null, null, array['erasure'], null, null
  from private.erasures e
  where e.erased_at is null
    and e.final_at < at - (select period from private.detection_rules where rule = 'erasure_overdue')
    and not exists (select from private.legal_holds h where h.user_id = e.user_id)
  having count(*) >= (select threshold from private.detection_rules where rule = 'erasure_overdue')
  union all
  select
    'text_costs', format('texts:%s:%s', b.kind, (at at time zone 'UTC')::date), 'Texts cost much of what a day may cost',
    format('%s texts (%s) cost %s of %s US dollars. At that amount further ones wait for the next day.', b.texts, b.kind, round(b.cost, 2), b.most),
    jsonb_build_object('texts', b.texts, 'cost', b.cost, 'most', b.most),
    null, null, array['texts'], null, null
  from private.text_budgets b
  join private.detection_rules r on r.rule = 'text_costs'
  where b.cost * 100 >= r.threshold * b.most
    and private.resolved_at(format('texts:%s:%s', b.kind, (at at time zone 'UTC')::date)) = '-infinity'
  union all
  select
    'retention_stopped', 'compliance:retention', 'Retention has stopped',
    'What has been kept long enough is not deleted: the job purge-expired has not succeeded for too long.',
    jsonb_build_object('last_success', max(d.end_time)),
    null, null, array['retention'], null, null
  from cron.job j
  join cron.job_run_details d on d.jobid = j.jobid
  where j.jobname = 'purge-expired'
  having max(d.end_time) filter (where d.status = 'succeeded')
      < at - (select period from private.detection_rules where rule = 'retention_stopped')
    or (count(*) filter (where d.status = 'succeeded') = 0
      and min(d.end_time) < at - (select period from private.detection_rules where rule = 'retention_stopped'))
$function$;

CREATE OR REPLACE FUNCTION private.take_back_first_text()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update private.first_texts f
  set queued_at = now() - s.first_text_pause + interval '1 hour', contact_id = null, texts = greatest(f.texts - 1, 0)
  from private.support_settings s
  where f.message_id = new.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.take_policy_action (
  policy  text,
  action  private.policy_action,
  account uuid,
  address inet
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  policy_name constant text := (select p.name from public.security_policies p where p.id = policy);
begin
  case action
    when 'send_alerts' then
      return private.send_security_alert(
        'Security policy: ' || policy_name,
        format(
          E'The policy "%s" (%s) applied.\n\nAccount: %s\nAddress: %s\nTime: %s\n',
          policy_name, policy, coalesce(account::text, 'nobody signed in'), coalesce(host(address), 'not known'),
          to_char(now() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')
        ),
        null,
        policy
      );
    when 'disable_users' then
      if account is null then
        return '{"status": "failed", "detail": "Nobody is signed in."}';
      end if;
      return private.disable_account(account, 'Security policy: ' || policy_name);
    when 'create_audit_trails' then
      perform private.audit('policy_triggered', null, 'security_policies', policy, actor => account, ip => address);
      return '{"status": "done"}';
  end case;
end
$function$;

CREATE OR REPLACE FUNCTION private.texts_go_to (
  number text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.price_of_text(number) is not null
$function$;

CREATE OR REPLACE FUNCTION private.urgency_of (
  purpose text
)
  RETURNS private.message_urgency
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case purpose
    -- To crisis contacts.
    when 'clinical_review' then 'crisis'
    when 'clinical_review_reminder' then 'crisis'
    when 'clinical_review_digest' then 'crisis'
    when 'support_alert_escalation' then 'crisis'
    -- Of the support circle.
    when 'support_alert' then 'support'
    when 'support_alert_notice' then 'support'
    when 'support_all_right' then 'support'
    when 'support_standstill' then 'support'
    when 'buddy_check_in' then 'support'
    -- Of the account.
    when 'buddy_verification' then 'ordinary'
    when 'buddy_first_text' then 'ordinary'
    when 'second_factor_guessing' then 'ordinary'
    when 'erasure_requested' then 'ordinary'
    when 'erasure_receipt' then 'ordinary'
    when 'export' then 'ordinary'
    when 'training_reminder' then 'ordinary'
    -- What a stranger can cause.
    when 'security_alert' then 'low'
    when 'security_alert_digest' then 'low'
  end::private.message_urgency
$function$;

CREATE OR REPLACE FUNCTION private.verification_email (
  asked public.buddy_contacts,
  token text
)
  RETURNS TABLE (
    subject text,
    body    text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select
    format('%s would like you in their support circle', n.student),
    format(
      E'Hi %s,\n\n'
      '%s named you as somebody they trust, and asks whether you would be one of up to five people in their support circle'
      ' on the student wellbeing service%s.\n\n'
      'If you agree, one text asks whether the number that they gave us is yours and agrees too. After that you may now and then get'
      ' a text message that asks you to check in on them: because they ask for it, or'
      ' because they have seemed to be struggling for some days. You call or write to them as you would anyway. You learn'
      ' nothing else about them, and you are never responsible for them.\n\n'
      'Read more and decide here, within %s days:\n%s\n\n'
      'If you do not want this, or do not know who this is, say no on that page or ignore this email: nobody is texted who has not'
      ' agreed. If you say that you do not know who this is, no student can have us write to you again. You can also stop later, at any time, by replying STOP to a text.\n\n'
      'If somebody is in danger now, call the emergency services.',
      n.contact, n.student, coalesce(' of ' || n.university, ''),
      round(extract(epoch from s.link_valid) / 86400),
      private.pages_url() || '/api/buddy/verify?token=' || token
    )
  from private.support_settings s
  cross join lateral (
    select
      private.name_in_message(asked.name, 'there') as contact,
      private.student_in_message(asked.user_id) as student,
      (
        select private.name_in_message(regexp_replace(u.name, '[(][^)]*[)]', ' ', 'g'), 'their university', 60)
        from public.profiles p
        join public.universities u on u.id = p.university_id
        where p.user_id = asked.user_id
      ) as university
  ) n
$function$;

CREATE OR REPLACE FUNCTION private.warn_of_guessing()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  holder uuid := split_part(new.key, ':', 2)::uuid;
begin
  perform private.end_sessions_without_second_factor(holder);
  insert into private.outbox (channel, purpose, user_id, recipient, subject, body)
  select
    'email', 'second_factor_guessing', u.id, u.email,
    'Somebody has your password',
    E'Hello,\n\nsomebody signed in to your account with your password, and then tried to pass the second step without the right code of your authenticator app. They did not get in, and were signed out.\n\nIf it was you, there is nothing to do: after too many wrong codes none is taken for a while, then sign in again.\n\nIf it was not you, they have your password. Choose a new one now: where you are still signed in with your app, or by "forgot password" and a code of your app. Change it as well wherever else you use it. If no code is taken, ask your university for help.'
  from auth.users u
  where u.id = holder and u.email is not null and u.deleted_at is null;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.wide_network (
  address inet
)
  RETURNS cidr
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select network(set_masklen(n.block::inet, case family(n.block) when 4 then 24 else 48 end))
  from (select private.block_network(address) as block) n
$function$;

CREATE OR REPLACE FUNCTION private.withdraw_security_alerts (
  incident text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  withdrawn integer;
begin
  update private.outbox o
  set status = 'cancelled', ended_at = now()
  where o.purpose = 'security_alert' and o.status = 'queued' and strpos(o.body, incident) > 0;
  get diagnostics withdrawn = row_count;
  update private.security_alerts a
  set digested_at = now()
  where a.incident_id = incident and a.digest_at is not null and a.digested_at is null;
  return jsonb_build_object('status', 'done', 'detail', format('%s messages had not been sent', withdrawn));
end
$function$;

CREATE OR REPLACE FUNCTION private.withheld_data()
  RETURNS TABLE (
    schema_name   text,
    relation_name text,
    column_name   text,
    reason        text
  )
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  values
    ('public', 'buddy_contacts', 'verification_token', 'It would let somebody answer for the contact.'),
    ('public', 'buddy_verification_audit', 'ip_address', 'It is the contact''s own.'),
    ('public', 'buddy_verification_audit', 'user_agent', 'It is the contact''s own.'),
    ('private', 'buddy_verification_sends', 'mailbox_hash', 'It is the contact''s own.'),
    ('private', 'buddy_verification_sends', 'number_hash', 'It is the contact''s own.'),
    ('private', 'buddy_refusals', 'address_hash', 'It is the contact''s own.'),
    ('public', 'audit_logs', 'actor_hash', 'It proves the audit log, and means nothing by itself.'),
    ('public', 'audit_logs', 'subject_hash', 'It proves the audit log, and means nothing by itself.'),
    ('public', 'audit_logs', 'previous_hash', 'It proves the audit log, and means nothing by itself.'),
    ('public', 'audit_logs', 'hash', 'It proves the audit log, and means nothing by itself.'),
    ('public', 'audit_logs', 'target_id', 'It may name somebody else.'),
    ('public', 'audit_logs', 'before', 'It may name somebody else.'),
    ('public', 'audit_logs', 'after', 'It may name somebody else.'),
    ('public', 'audit_logs', 'details', 'It may name somebody else.'),
    ('private', 'audit_identities', 'salt', 'It proves the audit log, and means nothing by itself.'),
    ('private', 'legal_holds', 'user_id', 'The law may forbid to tell of a hold; one that may be told is in the app.'),
    ('private', 'legal_holds', 'reason', 'The law may forbid to tell of a hold; one that may be told is in the app.'),
    ('private', 'legal_holds', 'confidential', 'The law may forbid to tell of a hold; one that may be told is in the app.'),
    ('private', 'legal_holds', 'set_at', 'The law may forbid to tell of a hold; one that may be told is in the app.'),
    ('public', 'security_incidents', 'affected_users', 'It names others.'),
    ('public', 'security_incidents', 'response', 'It names others.'),
    ('public', 'security_incidents', 'timeline', 'It names others.'),
    ('public', 'security_incidents', 'owner', 'It names others.'),
    ('private', 'exports', 'token_hash', 'It belongs to a link that lets anybody download the data.')
$function$;

ALTER TABLE "private"."buddy_verification_sends"
  ADD CONSTRAINT "buddy_verification_sends_number_hash_form" CHECK ((number_hash ~ '^[0-9a-f]{64}$'::text));

ALTER TABLE "private"."code_tries"
  ADD CONSTRAINT "code_tries_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."detection_settings"
  ADD CONSTRAINT "detection_settings_blocked_contact_length" CHECK (((char_length(blocked_contact) >= 3) AND (char_length(blocked_contact) <= 254)));

ALTER TABLE "private"."detection_settings"
  ADD CONSTRAINT "detection_settings_positive" CHECK (((separate_networks > 0) AND (alerts_per_hour > 0)));

ALTER TABLE "private"."first_texts"
  ADD CONSTRAINT "first_texts_contact_id_fkey" FOREIGN KEY (contact_id) REFERENCES public.buddy_contacts(id) ON DELETE SET NULL;

ALTER TABLE "private"."inbound_texts"
  ADD CONSTRAINT "inbound_texts_meaning_known" CHECK ((meaning = ANY (ARRAY['stop'::text, 'start'::text, 'yes'::text, 'agree'::text, 'help'::text, 'other'::text])));

ALTER TABLE "private"."messaging_settings"
  ADD CONSTRAINT "messaging_settings_rates_positive" CHECK (((emails_per_minute > 0) AND (emails_per_day > 0) AND (texts_per_minute > 0) AND (texts_per_day > 0)));

ALTER TABLE "private"."messaging_settings"
  ADD CONSTRAINT "messaging_settings_urgent_share_range" CHECK (((urgent_share >= (0)::double precision) AND (urgent_share <= (0.9)::double precision)));

ALTER TABLE "private"."security_alerts"
  ADD CONSTRAINT "security_alerts_incident_id_fkey" FOREIGN KEY (incident_id) REFERENCES public.security_incidents(id) ON DELETE CASCADE;

ALTER TABLE "private"."security_events"
  ADD CONSTRAINT "security_events_kind_known"
    CHECK
    ((kind = ANY (ARRAY['sign_in_failed'::text, 'sign_in_succeeded'::text, 'token_refused'::text, 'access_refused'::text, 'rate_limited'::text, 'worker_secret_refused'::text,
    'link_refused'::text,
    'address_refused'::text,
    'students_read'::text,
    'data_exported'::text,
    'role_changed'::text, 'settings_changed'::text, 'policy_changed'::text, 'policy_triggered'::text, 'chain_broken'::text, 'second_factor_failed'::text, 'auth_mail_sent'::text])));

ALTER TABLE "private"."security_events"
  ADD CONSTRAINT "security_events_source_known" CHECK ((source = ANY (ARRAY['functions'::text, 'auth'::text, 'database'::text, 'pages'::text])));

ALTER TABLE "private"."support_settings"
  ADD CONSTRAINT "support_settings_positive"
    CHECK
    (((link_valid > '00:00:00'::interval) AND (verification_pause > '00:00:00'::interval) AND (max_verifications > 0) AND (daily_verifications > 0) AND (max_contacts >= 5) AND
    (request_pause > '00:00:00'::interval) AND (alert_pause > '00:00:00'::interval) AND (response_time > '00:00:00'::interval) AND (contacts_at_once > 0) AND
    (alert_valid > response_time) AND (longest_student_pause > '00:00:00'::interval) AND (standstill_after > '00:00:00'::interval) AND (naming_period > '00:00:00'::interval) AND
    (students_to_address > 0) AND (daily_verifications_to_mailbox > 0) AND (daily_requests_to_number > 0) AND (daily_answers_to_number > 0) AND
    (agreement_wait > '00:00:00'::interval) AND (first_text_pause > '00:00:00'::interval) AND (max_first_texts > 0) AND (daily_text_cost > (0)::numeric) AND
    (daily_alert_text_cost > (0)::numeric) AND (daily_first_text_cost > (0)::numeric)));

-- Before the constraints buddy_contacts_phone_confirmed_by_*: the last four digits, which the student knows too, are no agreement of a number any
-- more. Such contacts stay verified, and are asked by a first text with the student's next request.
update public.buddy_contacts set phone_confirmed_at = null where phone_confirmed_at is not null;

ALTER TABLE "public"."buddy_contacts"
  ADD CONSTRAINT "buddy_contacts_phone_confirmed_by_known" CHECK ((phone_confirmed_by = ANY (ARRAY['code'::text, 'reply'::text])));

ALTER TABLE "public"."buddy_contacts"
  ADD CONSTRAINT "buddy_contacts_phone_confirmed_by_somebody" CHECK (((phone_confirmed_at IS NULL) = (phone_confirmed_by IS NULL)));

ALTER TABLE "public"."profiles"
  ADD CONSTRAINT "profiles_university_id_fkey" FOREIGN KEY (university_id) REFERENCES public.universities(id) ON DELETE RESTRICT;

CREATE VIEW "private"."text_budgets" WITH (security_invoker=true) AS  SELECT b.kind,
    COALESCE(c.texts, 0) AS texts,
    COALESCE(c.cost, (0)::numeric) AS cost,
    b.most
   FROM ((private.support_settings s
     CROSS JOIN LATERAL ( VALUES ('ordinary'::text,s.daily_text_cost), ('alert'::text,s.daily_alert_text_cost), ('first'::text,s.daily_first_text_cost)) b(kind, most))
     LEFT JOIN private.text_costs c ON (((c.kind = b.kind) AND (c.day = ((now() AT TIME ZONE 'UTC'::text))::date))));

CREATE VIEW "private"."metrics" WITH (security_invoker=true) AS  WITH jobs AS MATERIALIZED (
         SELECT j.kind,
            j.status,
            j.created_at,
            j.next_dispatch_at
           FROM private.analysis_jobs j
          WHERE (j.status = ANY (ARRAY['queued'::private.job_status, 'running'::private.job_status]))
        ), check_ins AS MATERIALIZED (
         SELECT count(*) AS processing,
            min(c.submitted_at) AS since
           FROM checkin.check_ins c
          WHERE (c.status = 'processing'::checkin.check_in_status)
        ), messages AS MATERIALIZED (
         SELECT o.channel,
            o.status,
            o.send_at
           FROM private.outbox o
          WHERE (o.status = ANY (ARRAY['queued'::private.message_status, 'sending'::private.message_status]))
        ), reviews AS MATERIALIZED (
         SELECT r.risk_level,
            r.status,
                CASE r.status
                    WHEN 'open'::public.review_status THEN r.open_since
                    ELSE r.claimed_at
                END AS since
           FROM public.clinical_reviews r
          WHERE (r.status <> 'closed'::public.review_status)
        ), alerts AS MATERIALIZED (
         SELECT count(*) AS due,
            min(p.due_at) FILTER (WHERE isfinite(p.due_at)) AS since
           FROM private.alert_progress p
          WHERE (p.due_at <= now())
        ), erasures AS MATERIALIZED (
         SELECT
                CASE
                    WHEN (EXISTS ( SELECT
                       FROM private.legal_holds h
                      WHERE (h.user_id = e.user_id))) THEN 'held'::text
                    WHEN (e.final_at <= now()) THEN 'due'::text
                    ELSE 'cancellable'::text
                END AS state,
            e.final_at
           FROM private.erasures e
        ), terms(kind, oldest) AS (
         VALUES ('raw_media'::text,( SELECT min(m.created_at) AS min
                   FROM private.check_in_media m)), ('transcripts'::text,( SELECT min(i.created_at) AS min
                   FROM private.check_in_inputs i
                  WHERE (i.transcript IS NOT NULL))), ('transcript_results'::text,( SELECT min(t.created_at) AS min
                   FROM private.transcript_results t)), ('results'::text,LEAST(( SELECT min(c.created_at) AS min
                   FROM checkin.check_ins c), ( SELECT min(s.created_at) AS min
                   FROM public.assessment_sessions s))), ('security_events'::text,( SELECT min(e.minute) AS min
                   FROM private.security_events e))
        ), counted AS MATERIALIZED (
         SELECT c.name,
            c.labels,
            (sum(c.occurrences))::double precision AS occurrences,
            sum(c.total) AS total
           FROM private.metric_counts c
          GROUP BY c.name, c.labels
        ), rolled_back(scope, refused) AS (
         SELECT 'data-api'::text AS scope,
                CASE
                    WHEN limited_data_api_requests.is_called THEN limited_data_api_requests.last_value
                    ELSE (0)::bigint
                END AS refused
           FROM private.limited_data_api_requests
        UNION ALL
         SELECT 'audit'::text AS scope,
                CASE
                    WHEN limited_audit_entries.is_called THEN limited_audit_entries.last_value
                    ELSE (0)::bigint
                END AS refused
           FROM private.limited_audit_entries
        UNION ALL
         SELECT 'policies'::text AS scope,
                CASE
                    WHEN limited_by_policies.is_called THEN limited_by_policies.last_value
                    ELSE (0)::bigint
                END AS refused
           FROM private.limited_by_policies
        ), durations AS (
         SELECT (
                CASE b.le
                    WHEN '+Inf'::text THEN 'infinity'::text
                    ELSE b.le
                END)::double precision AS upper,
            b.le,
            COALESCE(d.occurrences, (0)::double precision) AS occurrences,
            d.total
           FROM (unnest('{1,2,5,10,20,30,45,60,90,120,180,300,600,1800,3600,+Inf}'::text[]) b(le)
             LEFT JOIN counted d ON (((d.name = 'check_ins_ended'::text) AND (d.labels = jsonb_build_object('outcome', 'complete', 'le', b.le)))))
        ), series(name, labels, value) AS (
         SELECT 'wellbeing_jobs'::text AS name,
            jsonb_build_object('kind', k.kind, 'state', s.state) AS jsonb_build_object,
            count(j.kind) FILTER (WHERE (s.state =
                CASE
                    WHEN (j.status = 'queued'::private.job_status) THEN 'waiting'::text
                    WHEN (j.next_dispatch_at <= now()) THEN 'lost'::text
                    ELSE 'running'::text
                END)) AS count
           FROM ((unnest(enum_range(NULL::private.job_kind)) k(kind)
             CROSS JOIN ( VALUES ('waiting'::text), ('running'::text), ('lost'::text)) s(state))
             LEFT JOIN jobs j ON ((j.kind = k.kind)))
          GROUP BY k.kind, s.state
        UNION ALL
         SELECT 'wellbeing_job_oldest_age_seconds'::text AS name,
            jsonb_build_object('kind', k.kind) AS jsonb_build_object,
            EXTRACT(epoch FROM (now() - min(j.created_at))) AS "extract"
           FROM (unnest(enum_range(NULL::private.job_kind)) k(kind)
             LEFT JOIN jobs j ON ((j.kind = k.kind)))
          GROUP BY k.kind
        UNION ALL
         SELECT 'wellbeing_workers_lost_total'::text AS name,
            jsonb_build_object('worker', w.worker) AS jsonb_build_object,
            max(c.occurrences) AS max
           FROM (( SELECT DISTINCT private.worker_of(k.kind) AS worker
                   FROM unnest(enum_range(NULL::private.job_kind)) k(kind)) w
             LEFT JOIN counted c ON (((c.name = 'workers_lost'::text) AND (c.labels = jsonb_build_object('worker', w.worker)))))
          GROUP BY w.worker
        UNION ALL
         SELECT 'wellbeing_jobs_failed_total'::text AS name,
            jsonb_build_object('kind', f.kind, 'error_code', f.error_code, 'cause',
                CASE
                    WHEN (f.error_code = ANY (private.service_faults(f.kind))) THEN 'service'::text
                    ELSE 'submission'::text
                END) AS jsonb_build_object,
            max(c.occurrences) AS max
           FROM (( SELECT k.kind,
                    unnest(private.service_faults(k.kind)) AS error_code
                   FROM unnest(enum_range(NULL::private.job_kind)) k(kind)
                UNION
                 SELECT ((counted.labels ->> 'kind'::text))::private.job_kind AS job_kind,
                    (counted.labels ->> 'error_code'::text)
                   FROM counted
                  WHERE (counted.name = 'jobs_failed'::text)) f(kind, error_code)
             LEFT JOIN counted c ON (((c.name = 'jobs_failed'::text) AND (c.labels = jsonb_build_object('kind', f.kind, 'error_code', f.error_code)))))
          GROUP BY f.kind, f.error_code
        UNION ALL
         SELECT 'wellbeing_check_ins_processing'::text AS name,
            '{}'::jsonb AS labels,
            check_ins.processing
           FROM check_ins
        UNION ALL
         SELECT 'wellbeing_check_in_oldest_age_seconds'::text AS name,
            '{}'::jsonb AS labels,
            EXTRACT(epoch FROM (now() - check_ins.since)) AS "extract"
           FROM check_ins
        UNION ALL
         SELECT 'wellbeing_check_ins_ended_total'::text AS name,
            jsonb_build_object('outcome', o.outcome, 'reason', o.reason) AS jsonb_build_object,
            sum(c.occurrences) AS sum
           FROM (( VALUES ('complete'::text,''::text), ('failed'::text,'analysis_failed'::text), ('failed'::text,'nothing_to_score'::text), ('expired'::text,''::text)
                UNION
                 SELECT 'failed'::text AS outcome,
                    (counted.labels ->> 'reason'::text)
                   FROM counted
                  WHERE ((counted.name = 'check_ins_ended'::text) AND ((counted.labels ->> 'outcome'::text) = 'failed'::text))) o(outcome, reason)
             LEFT JOIN counted c ON (((c.name = 'check_ins_ended'::text) AND ((c.labels ->> 'outcome'::text) = o.outcome) AND (COALESCE((c.labels ->> 'reason'::text), ''::text) = o.reason))))
          GROUP BY o.outcome, o.reason
        UNION ALL
         SELECT 'wellbeing_check_in_duration_seconds_bucket'::text AS name,
            jsonb_build_object('le', durations.le) AS jsonb_build_object,
            sum(durations.occurrences) OVER (ORDER BY durations.upper) AS sum
           FROM durations
        UNION ALL
         SELECT 'wellbeing_check_in_duration_seconds_sum'::text AS name,
            '{}'::jsonb AS labels,
            sum(durations.total) AS sum
           FROM durations
        UNION ALL
         SELECT 'wellbeing_check_in_duration_seconds_count'::text AS name,
            '{}'::jsonb AS labels,
            sum(durations.occurrences) AS sum
           FROM durations
        UNION ALL
         SELECT 'wellbeing_reviews'::text AS name,
            jsonb_build_object('risk_level', l.level, 'status', s.status) AS jsonb_build_object,
            count(r.since) AS count
           FROM ((unnest('{moderate,high}'::checkin.risk_level[]) l(level)
             CROSS JOIN unnest('{open,claimed}'::public.review_status[]) s(status))
             LEFT JOIN reviews r ON (((r.risk_level = l.level) AND (r.status = s.status))))
          GROUP BY l.level, s.status
        UNION ALL
         SELECT 'wellbeing_review_oldest_age_seconds'::text AS name,
            jsonb_build_object('risk_level', l.level, 'status', s.status) AS jsonb_build_object,
            EXTRACT(epoch FROM (now() - min(r.since))) AS "extract"
           FROM ((unnest('{moderate,high}'::checkin.risk_level[]) l(level)
             CROSS JOIN unnest('{open,claimed}'::public.review_status[]) s(status))
             LEFT JOIN reviews r ON (((r.risk_level = l.level) AND (r.status = s.status))))
          GROUP BY l.level, s.status
        UNION ALL
         SELECT 'wellbeing_support_alerts_open'::text AS name,
            '{}'::jsonb AS labels,
            count(*) AS count
           FROM public.support_alerts
          WHERE (support_alerts.status = 'open'::text)
        UNION ALL
         SELECT 'wellbeing_support_alerts_due'::text AS name,
            '{}'::jsonb AS labels,
            alerts.due
           FROM alerts
        UNION ALL
         SELECT 'wellbeing_support_alert_lag_seconds'::text AS name,
            '{}'::jsonb AS labels,
            EXTRACT(epoch FROM (now() - alerts.since)) AS "extract"
           FROM alerts
        UNION ALL
         SELECT 'wellbeing_support_standstills'::text AS name,
            '{}'::jsonb AS labels,
            count(*) AS count
           FROM private.support_standstills
          WHERE (support_standstills.ended_at IS NULL)
        UNION ALL
         SELECT 'wellbeing_messages'::text AS name,
            jsonb_build_object('channel', h.channel, 'state', s.state) AS jsonb_build_object,
            count(m.channel) FILTER (WHERE (s.state =
                CASE
                    WHEN (m.status = 'sending'::private.message_status) THEN 'sending'::text
                    WHEN (m.send_at <= now()) THEN 'due'::text
                    ELSE 'scheduled'::text
                END)) AS count
           FROM ((unnest(enum_range(NULL::private.message_channel)) h(channel)
             CROSS JOIN ( VALUES ('due'::text), ('scheduled'::text), ('sending'::text)) s(state))
             LEFT JOIN messages m ON ((m.channel = h.channel)))
          GROUP BY h.channel, s.state
        UNION ALL
         SELECT 'wellbeing_message_oldest_due_age_seconds'::text AS name,
            jsonb_build_object('channel', h.channel) AS jsonb_build_object,
            EXTRACT(epoch FROM (now() - min(m.send_at))) AS "extract"
           FROM (unnest(enum_range(NULL::private.message_channel)) h(channel)
             LEFT JOIN messages m ON (((m.channel = h.channel) AND (m.send_at <= now()))))
          GROUP BY h.channel
        UNION ALL
         SELECT 'wellbeing_messages_undelivered'::text AS name,
            jsonb_build_object('channel', h.channel, 'status', s.status) AS jsonb_build_object,
            count(o.id) AS count
           FROM ((unnest(enum_range(NULL::private.message_channel)) h(channel)
             CROSS JOIN unnest('{dead,unconfirmed}'::private.message_status[]) s(status))
             LEFT JOIN private.outbox o ON (((o.status = ANY (ARRAY['dead'::private.message_status, 'unconfirmed'::private.message_status])) AND (o.status = s.status) AND (o.channel = h.channel) AND (o.ended_at > (now() - '24:00:00'::interval)))))
          GROUP BY h.channel, s.status
        UNION ALL
         SELECT 'wellbeing_text_cost_dollars'::text AS name,
            jsonb_build_object('kind', text_budgets.kind) AS jsonb_build_object,
            text_budgets.cost
           FROM private.text_budgets
        UNION ALL
         SELECT 'wellbeing_text_cost_limit_dollars'::text AS name,
            jsonb_build_object('kind', text_budgets.kind) AS jsonb_build_object,
            text_budgets.most
           FROM private.text_budgets
        UNION ALL
         SELECT 'wellbeing_rate_limited_total'::text AS name,
            jsonb_build_object('scope', r.scope) AS jsonb_build_object,
            (COALESCE(max(c.occurrences), (0)::double precision) + (COALESCE(max(b.refused), (0)::bigint))::double precision)
           FROM ((( SELECT rate_limit_rules.scope
                   FROM private.rate_limit_rules
                UNION
                 SELECT rolled_back.scope
                   FROM rolled_back) r
             LEFT JOIN counted c ON (((c.name = 'rate_limited'::text) AND (c.labels = jsonb_build_object('scope', r.scope)))))
             LEFT JOIN rolled_back b ON ((b.scope = r.scope)))
          GROUP BY r.scope
        UNION ALL
         SELECT 'wellbeing_erasures'::text AS name,
            jsonb_build_object('state', s.state) AS jsonb_build_object,
            count(e.state) AS count
           FROM (( VALUES ('cancellable'::text), ('due'::text), ('held'::text)) s(state)
             LEFT JOIN erasures e ON ((e.state = s.state)))
          GROUP BY s.state
        UNION ALL
         SELECT 'wellbeing_erasure_oldest_due_age_seconds'::text AS name,
            '{}'::jsonb AS labels,
            EXTRACT(epoch FROM (now() - min(erasures.final_at))) AS "extract"
           FROM erasures
          WHERE (erasures.state = 'due'::text)
        UNION ALL
         SELECT 'wellbeing_object_removals'::text AS name,
            jsonb_build_object('state', s.state) AS jsonb_build_object,
            count(r.name) FILTER (WHERE (s.state =
                CASE
                    WHEN ((r.attempts >= 5) AND (r.error_code IS NOT NULL)) THEN 'failing'::text
                    ELSE 'waiting'::text
                END)) AS count
           FROM (( VALUES ('waiting'::text), ('failing'::text)) s(state)
             LEFT JOIN private.object_removals r ON (true))
          GROUP BY s.state
        UNION ALL
         SELECT 'wellbeing_retention_overdue_seconds'::text AS name,
            jsonb_build_object('kind', t.kind) AS jsonb_build_object,
            GREATEST((0)::numeric, EXTRACT(epoch FROM ((now() - r.keep) - t.oldest))) AS "greatest"
           FROM (terms t
             JOIN private.retention_rules r ON ((r.kind = t.kind)))
        UNION ALL
         SELECT 'wellbeing_retention_deleted_total'::text AS name,
            jsonb_build_object('kind', r.kind) AS jsonb_build_object,
            sum(c.deleted) AS sum
           FROM (private.retention_rules r
             LEFT JOIN private.retention_counts c ON ((c.kind = r.kind)))
          GROUP BY r.kind
        UNION ALL
         SELECT 'wellbeing_exports_unfinished'::text AS name,
            '{}'::jsonb AS labels,
            count(*) AS count
           FROM private.exports
          WHERE (exports.status = ANY (ARRAY['queued'::private.export_status, 'building'::private.export_status]))
        UNION ALL
         SELECT 'wellbeing_export_oldest_age_seconds'::text AS name,
            '{}'::jsonb AS labels,
            EXTRACT(epoch FROM (now() - min(exports.created_at))) AS "extract"
           FROM private.exports
          WHERE (exports.status = ANY (ARRAY['queued'::private.export_status, 'building'::private.export_status]))
        UNION ALL
         SELECT 'wellbeing_cron_job_interval_seconds'::text AS name,
            jsonb_build_object('cron_job', cron_heartbeats.job) AS jsonb_build_object,
            EXTRACT(epoch FROM cron_heartbeats.every) AS "extract"
           FROM private.cron_heartbeats
          WHERE (cron_heartbeats.every IS NOT NULL)
        UNION ALL
         SELECT 'wellbeing_cron_job_success_age_seconds'::text AS name,
            jsonb_build_object('cron_job', b.job) AS jsonb_build_object,
            GREATEST((0)::numeric, EXTRACT(epoch FROM (o.at - COALESCE(b.last_success_at, b.first_seen_at)))) AS "greatest"
           FROM (private.cron_heartbeats b
             CROSS JOIN ( SELECT max(cron_heartbeats.observed_at) AS at
                   FROM private.cron_heartbeats) o)
        UNION ALL
         SELECT 'wellbeing_cron_job_failures_total'::text AS name,
            jsonb_build_object('cron_job', cron_heartbeats.job) AS jsonb_build_object,
            cron_heartbeats.failures
           FROM private.cron_heartbeats
        UNION ALL
         SELECT 'wellbeing_cron_observation_age_seconds'::text AS name,
            '{}'::jsonb AS labels,
            COALESCE(EXTRACT(epoch FROM (now() - max(cron_heartbeats.observed_at))), 'Infinity'::numeric) AS "coalesce"
           FROM private.cron_heartbeats
        UNION ALL
         SELECT 'wellbeing_database_connections'::text AS name,
            '{}'::jsonb AS labels,
            sum(pg_stat_database.numbackends) AS sum
           FROM pg_stat_database
        UNION ALL
         SELECT 'wellbeing_database_connections_limit'::text AS name,
            '{}'::jsonb AS labels,
            (current_setting('max_connections'::text))::double precision AS current_setting
        )
 SELECT name,
    labels,
    COALESCE(value, (0)::double precision) AS value
   FROM series;

CREATE INDEX buddy_verification_sends_mailbox_hash_idx ON private.buddy_verification_sends USING btree (mailbox_hash, sent_at DESC);

CREATE INDEX buddy_verification_sends_number_hash_idx ON private.buddy_verification_sends USING btree (number_hash, sent_at DESC);

CREATE INDEX code_tries_tried_at_idx ON private.code_tries USING btree (tried_at);

CREATE INDEX code_tries_user_id_idx ON private.code_tries USING btree (user_id);

CREATE INDEX first_texts_contact_id_idx ON private.first_texts USING btree (contact_id)
  WHERE (contact_id IS NOT NULL);

CREATE INDEX first_texts_message_id_idx ON private.first_texts USING btree (message_id);

CREATE INDEX first_texts_queued_at_idx ON private.first_texts USING btree (queued_at);

CREATE INDEX outbox_attempted_at_idx ON private.outbox USING btree (channel, attempted_at)
  WHERE (attempted_at IS NOT NULL);

CREATE INDEX security_alerts_digest_at_idx ON private.security_alerts USING btree (digest_at)
  WHERE ((digest_at IS NOT NULL) AND (digested_at IS NULL));

CREATE INDEX security_alerts_rule_idx ON private.security_alerts USING btree (RULE, alerted_at);

CREATE TRIGGER keep_unanswered_challenge
  BEFORE DELETE ON auth.mfa_challenges
  FOR EACH ROW
  WHEN (((old.verified_at IS NULL) AND (old.created_at > (now() - '1 day'::interval))))
  EXECUTE FUNCTION private.keep_unanswered_challenge();

CREATE TRIGGER note_mails_of_auth
  AFTER UPDATE ON auth.users
  FOR EACH ROW
  WHEN ((((new.confirmation_sent_at IS DISTINCT FROM old.confirmation_sent_at) AND (new.confirmation_sent_at IS
    NOT NULL)) OR ((new.recovery_sent_at IS DISTINCT FROM old.recovery_sent_at) AND (new.recovery_sent_at IS
    NOT NULL)) OR ((new.reauthentication_sent_at IS DISTINCT FROM old.reauthentication_sent_at) AND (new.reauthentication_sent_at IS
    NOT NULL)) OR ((new.email_change_sent_at IS DISTINCT FROM old.email_change_sent_at) AND (new.email_change_sent_at IS NOT NULL))))
  EXECUTE FUNCTION private.note_mails_of_auth();

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER UPDATE OF blocked_contact, separate_networks, alerts_per_hour ON private.detection_settings DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('only_row');

CREATE TRIGGER count_text
  AFTER UPDATE OF provider_called_at ON private.outbox
  FOR EACH ROW
  WHEN (((new.channel = 'sms'::private.message_channel) AND (new.provider_called_at IS NOT NULL) AND (new.provider_called_at IS DISTINCT FROM old.provider_called_at)))
  EXECUTE FUNCTION private.count_text();

CREATE TRIGGER take_back_first_text
  AFTER UPDATE OF status ON private.outbox
  FOR EACH ROW
  WHEN (((new.purpose = 'buddy_first_text'::text) AND (new.status = 'cancelled'::private.message_status) AND (old.status <> 'cancelled'::private.message_status)))
  EXECUTE FUNCTION private.take_back_first_text();

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR DELETE OR UPDATE ON private.text_destinations DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('prefix');

CREATE TRIGGER warn_of_guessing
  AFTER INSERT ON public.security_incidents
  FOR EACH ROW
  WHEN ((new.key ~~ 'second\_factor:%'::text))
  EXECUTE FUNCTION private.warn_of_guessing();

CREATE TRIGGER guard_university_deletion
  BEFORE DELETE ON public.universities
  FOR EACH ROW
  EXECUTE FUNCTION private.guard_university_deletion();

CREATE TRIGGER check_object_name
  BEFORE INSERT OR UPDATE OF bucket_id, name ON storage.objects
  FOR EACH ROW
  EXECUTE FUNCTION private.check_object_name();

CREATE POLICY "accounts are let in, and names lead to the object itself" ON "storage"."objects"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING (((( SELECT private.current_account() AS current_account) IS NOT NULL) AND private.is_object_name(name)));

COMMENT ON COLUMN "private"."blocked_addresses"."sessions_from" IS 'Sessions that began before then pass: when it was blocked, or earlier where somebody who guessed passwords from there got in.';

COMMENT ON COLUMN "private"."blocked_addresses"."times" IS 'How often it was blocked, each time for twice as long, a day at most.';

COMMENT ON COLUMN "private"."buddy_verification_sends"."number_hash" IS 'private.hash_of_number of the number that the contact had then.';

COMMENT ON COLUMN "private"."code_tries"."number_hash" IS 'private.hash_of_number of the number.';

COMMENT ON COLUMN "private"."code_tries"."tried_at" IS 'When the first of them was given.';

COMMENT ON COLUMN "private"."code_tries"."tries" IS 'Wrong codes since the first within first_text_pause; five at most.';

COMMENT ON COLUMN "private"."code_tries"."user_id" IS 'The student.';

COMMENT ON COLUMN "private"."detection_rules"."rule" IS 'The rule; private.detect_incidents calls what counts it.';

COMMENT ON COLUMN "private"."detection_settings"."alerts_per_hour" IS 'Alerts of one rule, or one policy, that are mailed within an hour; those that follow come in one digest.';

COMMENT ON COLUMN "private"."detection_settings"."blocked_contact" IS 'Whom somebody asks whose address is blocked, such as the mail address of the help desk; null says nothing of it. An operator sets it.';

COMMENT ON COLUMN "private"."detection_settings"."separate_networks" IS 'Up to how many addresses of one rule are an incident each; more are one incident for each wider network, and of more wider networks one in all.';

COMMENT ON COLUMN "private"."export_volumes"."left_out" IS 'Objects that are not in it: removed between the request and the building, or under a name that could lead elsewhere.';

COMMENT ON COLUMN "private"."first_texts"."code_hash" IS 'private.hash_of_number of the number and the code, which the text alone has.';

COMMENT ON COLUMN "private"."first_texts"."contact_id" IS 'The contact that it was about, whom a YES confirms; null once it is deleted.';

COMMENT ON COLUMN "private"."first_texts"."message_id" IS 'The text, in the outbox.';

COMMENT ON COLUMN "private"."first_texts"."number_hash" IS 'private.hash_of_number of the number.';

COMMENT ON COLUMN "private"."first_texts"."queued_at" IS 'When it was queued; so long ago that another may follow in an hour, where it was cancelled before it was sent.';

COMMENT ON COLUMN "private"."first_texts"."texts" IS 'First texts since the number last agreed.';

COMMENT ON COLUMN "private"."inbound_texts"."meaning" IS 'How it was read: stop, start, yes, agree, help or other.';

COMMENT ON COLUMN "private"."messaging_settings"."emails_per_day" IS 'Emails that the provider takes in 24 hours; null when it has no such limit.';

COMMENT ON COLUMN "private"."messaging_settings"."emails_per_minute" IS 'Emails that the provider takes in a minute; null when it has no such limit.';

COMMENT ON COLUMN "private"."messaging_settings"."texts_per_day" IS 'Texts that the provider takes in 24 hours; null when it has no such limit.';

COMMENT ON COLUMN "private"."messaging_settings"."texts_per_minute" IS 'Texts that the provider takes in a minute; null when it has no such limit.';

COMMENT ON COLUMN "private"."messaging_settings"."urgent_share" IS 'Share of each of these rates that is kept for crisis and support messages; once the others have used the rest, they wait.';

COMMENT ON COLUMN "private"."outbox"."attempted_at" IS 'When a sender claimed it last; what counts against the rate of its provider.';

COMMENT ON COLUMN "private"."refused_mailboxes"."mailbox_hash" IS 'private.mailbox_hash of the address.';

COMMENT ON COLUMN "private"."refused_mailboxes"."refused_at" IS 'When they said so.';

COMMENT ON COLUMN "private"."security_alerts"."alerted_at" IS 'When.';

COMMENT ON COLUMN "private"."security_alerts"."digest_at" IS 'When its digest is due; null when it was mailed at once.';

COMMENT ON COLUMN "private"."security_alerts"."digested_at" IS 'When the digest was queued, or the alert was withdrawn.';

COMMENT ON COLUMN "private"."security_alerts"."id" IS 'The alert.';

COMMENT ON COLUMN "private"."security_alerts"."incident_id" IS 'The incident; null for a policy''s alert.';

COMMENT ON COLUMN "private"."security_alerts"."rule" IS 'Rule of detection, or policy, that alerted.';

COMMENT ON COLUMN "private"."security_alerts"."severity" IS 'Severity of the incident then: one that becomes worse alerts again, and alerts of another severity do not hold it back.';

COMMENT ON COLUMN "private"."security_events"."source" IS 'Who saw it: the edge functions, Auth by its hook, or the database; pages of what a page of another site had a browser send, which rules count all together, against no address.';

COMMENT ON COLUMN "private"."support_settings"."agreement_wait" IS 'How long the text of a request waits for the number to agree.';

COMMENT ON COLUMN "private"."support_settings"."daily_alert_text_cost" IS 'What the alert texts of a day are expected to cost; an incident opens at half, and they are sent whatever they cost.';

COMMENT ON COLUMN "private"."support_settings"."daily_answers_to_number" IS 'Texts of a number within 24 hours that are answered; a stop takes effect without an answer too.';

COMMENT ON COLUMN "private"."support_settings"."daily_first_text_cost" IS 'Daily limit for first texts, kept apart because any student can cause them: they never use up what requests need.';

COMMENT ON COLUMN "private"."support_settings"."daily_requests_to_number" IS 'Requests of all students to one number within 24 hours.';

COMMENT ON COLUMN "private"."support_settings"."daily_text_cost" IS 'What the texts of a day (UTC) may cost, US dollars, first texts and those of alerts apart; further ones wait for the next day.';

COMMENT ON COLUMN "private"."support_settings"."daily_verifications_to_mailbox" IS 'Verification emails to one mailbox within 24 hours, of all students.';

COMMENT ON COLUMN "private"."support_settings"."first_text_pause" IS 'Shortest time between two first texts to one number, for whichever student; so long its code is valid.';

COMMENT ON COLUMN "private"."support_settings"."max_first_texts" IS 'First texts to a number that does not agree, in all.';

COMMENT ON COLUMN "private"."support_settings"."naming_period" IS 'Within how long students are counted who name one mailbox or number.';

COMMENT ON COLUMN "private"."support_settings"."students_to_address" IS 'Students who may ask one mailbox, or about one number, within naming_period.';

COMMENT ON COLUMN "private"."text_costs"."cost" IS 'What they cost by private.text_destinations, US dollars.';

COMMENT ON COLUMN "private"."text_costs"."day" IS 'The day, UTC.';

COMMENT ON COLUMN "private"."text_costs"."kind" IS 'alert: texts of alerts; first: texts that ask a number whether it agrees; ordinary: all others.';

COMMENT ON COLUMN "private"."text_costs"."texts" IS 'How many texts were handed to the provider.';

COMMENT ON COLUMN "private"."text_destinations"."country" IS 'Country, ISO 3166, or those that share the prefix.';

COMMENT ON COLUMN "private"."text_destinations"."prefix" IS 'Calling code, with the area code where the price differs, without +.';

COMMENT ON COLUMN "private"."text_destinations"."price" IS 'US dollars that a text costs there, all parts of it; an estimate until an operator enters what the provider bills. Null: no texts go there.';

COMMENT ON COLUMN "public"."buddy_contacts"."phone_confirmed_at" IS 'When the number itself agreed; until then it gets no text but the first one.';

COMMENT ON COLUMN "public"."buddy_contacts"."phone_confirmed_by" IS 'How it agreed: reply (YES to the first text), or code (of the first text, on a page of this mailbox: the contact''s own, or before as another student''s contact, which is not told apart).';

COMMENT ON COLUMN "public"."buddy_contacts"."verified" IS 'Whether the contact agreed by email, with the number and address that the row has now.';

COMMENT ON FUNCTION "private"."activity_findings"(timestamp with time zone) IS 'What people did that is too much, or not theirs to do. Called by private.detect_incidents.';

COMMENT ON FUNCTION "private"."ask_contact"(uuid, text, integer, timestamp with time zone) IS 'Asks a contact by text to check on the student: the request, its link and the queued text; null when the contact may not be texted, which of an alert is also one whose number has not agreed. Called by the student''s request and by alerts.';

COMMENT ON FUNCTION "private"."ask_number"(public.buddy_contacts, timestamp with time zone) IS 'Lets the number of a contact who has just agreed by email agree too: at once where the same mailbox has confirmed it before, else by a first text. Called by private.decide_verification.';

COMMENT ON FUNCTION "private"."audit_failed_sign_in"(text, inet, text, text, text, boolean) IS 'Logs a sign-in that failed, without who was meant, and notes it for detection with the account of the email address that was tried. Where a page of another site had a browser send it, it says nothing against the address that it came from, and counts for the account alone. Called by the edge functions.';

COMMENT ON FUNCTION "private"."auth_mail_findings"(timestamp with time zone) IS 'Whether the mails that Auth may send are running out. Called by private.detect_incidents.';

COMMENT ON FUNCTION "private"."block_address"(inet, timestamp with time zone, text, text, timestamp with time zone) IS 'Blocks an address until a time; without one for an hour, and each further time for twice as long, a day at most; who signed in before passes. Nothing changes for one that is blocked as long. Returns {status, until | detail}. Called by detection and by public.respond_to_incident.';

COMMENT ON FUNCTION "private"."block_notice"(inet) IS 'What somebody is told whose address is blocked. Called by private.refuse_blocked and private.custom_access_token.';

COMMENT ON FUNCTION "private"."chain_findings"(timestamp with time zone) IS 'Whether the audit log is as it was written. Called by private.detect_incidents.';

COMMENT ON FUNCTION "private"."channels_with_rate_left"() IS 'Channels whose provider takes more messages now than are kept for urgent ones, by what was attempted on them. Called by private.claim_messages.';

COMMENT ON FUNCTION "private"."check_call"(inet, text) IS 'Why a call of a function is refused, for how many seconds, for a blocked address until when and whom to ask, and the help that nothing keeps from anybody; no row when it is not, a row for each reason. Called by the edge functions before each call.';

COMMENT ON FUNCTION "private"."check_object_name"() IS 'Trigger on storage.objects: no object gets a name that could lead elsewhere, not even with the secret key.';

COMMENT ON FUNCTION "private"."claim_messages"(integer, private.message_urgency, private.message_channel[]) IS 'Claims messages that are due, the most urgent first, for one attempt each; no two senders get the same one. None that are less urgent than least_urgent, none of the channels that are busy, and of those that are not urgent only while their provider''s rate lasts, which is exact for one message a call. Those that may no longer be sent come back cancelled. Called by deliver-messages.';

COMMENT ON FUNCTION "private"."confirm_by_code"(text, text, timestamp with time zone) IS 'Takes the code of the last first text to a contact''s number, for whichever student it was: confirmed, wrong_code, too_many_tries (five of a student for a number), or decided, expired or unknown of the link. Called by the edge functions.';

COMMENT ON FUNCTION "private"."confirm_by_reply"(text, timestamp with time zone) IS 'Confirms the contact that the last first text to a number was about, and no other, while that text is the last one that the number got; false when there is nothing to confirm. Called by private.hear_text.';

COMMENT ON FUNCTION "private"."confirm_number"(uuid, text, timestamp with time zone) IS 'Stores that the number of a contact agreed, and how, beside the proof that the contact did; texts that waited for it are sent. Called where it agrees; the caller has locked the contact.';

COMMENT ON FUNCTION "private"."count_text"() IS 'Trigger: counts what a text costs that is handed to the provider.';

COMMENT ON FUNCTION "private"."custom_access_token"(jsonb) IS 'Custom access token hook: adds the claim email_verified, and mfa_required where a policy wants a second factor, and lets tokens of some probes expire; refuses tokens to blocked addresses, but for sessions of before, and where a policy does. Called by Auth, as config.toml says.';

COMMENT ON FUNCTION "private"."decide_verification"(text, boolean, text, boolean, text, boolean, jsonb, inet, text, text, timestamp with time zone) IS 'Decides a verification, once a link: accepted, declined, expired, decided or unknown. Who accepts agrees by email; their number is then asked itself. "unknown_person": who declines does not know who asks, which counts for all students. "wording" is what was agreed to: {version, text}. Called by the edge functions.';

COMMENT ON FUNCTION "private"."digest_of_incidents"(text, text[], timestamp with time zone) IS 'Subject and text of the digest of a rule''s incidents; people are ids. Called by private.send_alert_digests.';

COMMENT ON FUNCTION "private"."digest_of_policy"(text, timestamp with time zone, bigint, timestamp with time zone) IS 'Subject and text of the digest of how often a policy applied; people are ids. Called by private.send_alert_digests.';

COMMENT ON FUNCTION "private"."end_sessions_without_second_factor"(uuid) IS 'Ends the sessions of an account in which no code was given: whoever guesses has one of them, and who gave a code keeps theirs. Called where no further code is taken.';

COMMENT ON FUNCTION "private"."enforce_on_function"(uuid, uuid, inet, text, text, text, boolean) IS 'Enforces the policies on a request to an edge function, as private.enforce_policies does; with crisis_resources where access is blocked. Called by the edge functions before each request.';

COMMENT ON FUNCTION "private"."erasures_signature"(jsonb) IS 'What proves that private.export_erasures of this project gave something, under the project''s own key. Called by it and by private.replay_erasures.';

COMMENT ON FUNCTION "private"."export_erasures"() IS 'What private.replay_erasures needs and a backup of before does not have: {exported_at, receipts, pending, signature}, which names nobody. Called by npm run erasures.';

COMMENT ON FUNCTION "private"."first_of"(text[], integer) IS 'The first entries of a list, and how many more there are. Called where a digest is written.';

COMMENT ON FUNCTION "private"."group_findings"(private.finding[]) IS 'Findings, with those of many addresses of one rule made into one: up to detection_settings.separate_networks are left alone, of more those of one wide network become one, and those of more wide networks one in all. Called by private.detect_incidents.';

COMMENT ON FUNCTION "private"."guard_contact"() IS 'Trigger: an active contact needs the student''s consent and gets the lowest free rank; who declined stays inactive; a change of phone or email needs a new verification, and a number is of a country that texts go to.';

COMMENT ON FUNCTION "private"."guard_university_deletion"() IS 'Trigger: a university is deleted only when it has no people, and no review that somebody still has to handle.';

COMMENT ON FUNCTION "private"."hear_text"(text, text, text, timestamp with time zone) IS 'Stores that a text came in, once, and does what it asks for: a stop forbids texts to the number and cancels those that wait, a start lifts that and restores no consent, a yes agrees to the last first text as well, and other words that agree do that alone. Returns {repeated} or {repeated, changed (whether it opted out or in), agreed, may_answer (whether the number is of a country that texts go to, and was not answered too often today), opted_out, replied (whether another of its meaning came within a day), support_email}. Called by the function buddy.';

COMMENT ON FUNCTION "private"."is_blocked"(inet, uuid) IS 'Whether an address is blocked now for a request of this session: one that began before the block passes. Called by private.refuse_blocked, private.signed_in_account, Auth''s hooks and the edge functions.';

COMMENT ON FUNCTION "private"."is_known_pair"(public.buddy_contacts) IS 'Whether this mailbox has confirmed this number already, as another student''s contact. Called by private.ask_number.';

COMMENT ON FUNCTION "private"."is_object_name"(text) IS 'Whether a name of an object, or of a bucket, leads to itself in every address that is made of it. Called by the trigger and the policy on storage.objects, and by npm run doctor.';

COMMENT ON FUNCTION "private"."is_raised_by_added_app"(uuid) IS 'Whether a session gets its second factor in this transaction by an app that is confirmed in it, while the account has another. Called by private.custom_access_token.';

COMMENT ON FUNCTION "private"."is_refused"(text) IS 'Whether no student may have an email sent to an address. Called before a verification is queued or sent.';

COMMENT ON FUNCTION "private"."keep_unanswered_challenge"() IS 'Trigger on auth.mfa_challenges: one that was not answered stays for a day, as it counts as a wrong code, unless its app is removed.';

COMMENT ON FUNCTION "private"."kind_of_text"(text) IS 'From which daily amount a text is paid. Called where one is sent.';

COMMENT ON FUNCTION "private"."lift_refusal"(text) IS 'Lets students ask at an address again whose owner said that they do not know who asked; false when they did not. The change is in the audit log. Called by an operator, when that person asks for it.';

COMMENT ON FUNCTION "private"."may_ask"(uuid, text) IS 'Whether the number of a support contact may be asked whether it agrees, and a request wait for it. Called wherever a text is queued or sent.';

COMMENT ON FUNCTION "private"."may_reach"(uuid, private.message_channel, text) IS 'Whether a support contact may be sent a message now, other than the text that asks whether the number agrees. Called wherever one is queued, claimed or handed to a provider.';

COMMENT ON FUNCTION "private"."mfa_verification_attempt"(jsonb) IS 'MFA verification hook: counts and notes wrong codes, and takes none of an account that had too many. Called by Auth, as config.toml says.';

COMMENT ON FUNCTION "private"."move_student"() IS 'Trigger: moves the student''s enrolment, role and open review to the new university of the profile, whose crisis contact is told, and withdraws the consent counselor_access. Roles of staff stay, and the review of a student who leaves for no university.';

COMMENT ON FUNCTION "private"."name_in_message"(text, text, integer) IS 'A name as messages and pages show it: letters and the few signs that names have, without digits and links, as many characters as "longest" at most; "otherwise" when no letter is left. Called wherever a message or a page shows a name.';

COMMENT ON FUNCTION "private"."next_send_time"(private.outbox, timestamp with time zone) IS 'The first moment from "at" on when a message may be sent: a text by day at its contact''s, and, unless it is of an alert, not before the next day once those of this day cost enough. Called where messages are claimed, and where a text is late.';

COMMENT ON FUNCTION "private"."note_mails_of_auth"() IS 'Trigger on auth.users: notes mails that Auth sends, by the times that it stores for them.';

COMMENT ON FUNCTION "private"."number_free_at"(text, timestamp with time zone) IS 'From when on students may ask a number again that was asked as often as possible in a day, by whomever; null when they may. Called by private.request_check_in.';

COMMENT ON FUNCTION "private"."password_verification_attempt"(jsonb) IS 'Password verification hook: notes failed sign-ins, also those that go straight to Auth, and refuses blocked addresses with the answer to wrong credentials. Called by Auth, as config.toml says.';

COMMENT ON FUNCTION "private"."place_alert"(text, text) IS 'When an alert of a rule or policy comes in a digest; null when it is mailed at once, as the first few within an hour are, and each that is critical. The same for the same incident, until it becomes worse. Called by private.send_security_alert.';

COMMENT ON FUNCTION "private"."price_of_text"(text) IS 'What a text to a number (E.164) costs, US dollars; null where none goes to its country. Called where a text is sent and where a number is named.';

COMMENT ON FUNCTION "private"."queue_first_text"(uuid, timestamp with time zone) IS 'Asks the number of a contact who agreed by email, in a text of fixed words, whether it agrees; null when it has, may not be asked, or was asked lately for whichever student. Called when a contact agrees, and when the student asks for a check-in.';

COMMENT ON FUNCTION "private"."queue_text"(uuid, text, text, uuid, timestamp with time zone) IS 'Queues a text to a contact for the next moment when it may arrive, or that of a request until the number agrees; null when the contact may not be texted. Called by private.ask_contact and by alerts.';

COMMENT ON FUNCTION "private"."read_verification"(text, timestamp with time zone) IS 'What the page of a link shows: {state: open, expired, decided or unknown, contact_name, student_name, number_confirmed, decision: accepted or declined, resources}. Changes nothing, except that the first look at an expired link is in the audit. Called by the edge functions.';

COMMENT ON FUNCTION "private"."refusal_findings"(timestamp with time zone) IS 'What the edge functions refused too often. Called by private.detect_incidents.';

COMMENT ON FUNCTION "private"."refuse_blocked"() IS 'Refuses requests from blocked addresses, but for sessions of before, and those of disabled accounts; says whom to ask and where help is. Called by public.check_request.';

COMMENT ON FUNCTION "private"."refuse_second_factor"(uuid) IS 'Until when no code of an account is taken, and then ends the sessions in which none was given; null when one is taken. Called by the edge functions before they pass on a code.';

COMMENT ON FUNCTION "private"."request_check_in"(uuid, uuid, timestamp with time zone) IS 'Asks a contact for a student: {outcome: requested, request_id, send_at, waits_for: day (at the contact''s), agreement (of the number, for a day at most; send_at is null) or null}, or why not: buddy_not_found, consent_required, buddy_unavailable, or rate_limited with retry_after_s. Called by the edge functions.';

COMMENT ON FUNCTION "private"."resolved_at"(text[]) IS 'When the last incident with one of these keys was resolved: what was seen by then counts no more. Called by private.detect_incidents.';

COMMENT ON FUNCTION "private"."resolved_for_address"(text, inet) IS 'When the last incident of an address was resolved, whether it was its own or one of many addresses. Called by private.detect_incidents.';

COMMENT ON FUNCTION "private"."second_factor_error"(timestamp with time zone) IS 'What a hook returns to Auth while no code is taken, with until when; null for null. Called by the hooks and the edge functions.';

COMMENT ON FUNCTION "private"."second_factor_findings"(timestamp with time zone) IS 'Accounts whose second factor is guessed: by wrong codes, or where no hook tells of those, by challenges without an answer. Called by private.detect_incidents.';

COMMENT ON FUNCTION "private"."second_factor_limited_until"(uuid, timestamp with time zone[]) IS 'Until when no code of an account is taken after wrong ones at these times; null when one is. Called by private.mfa_verification_attempt and private.second_factor_refused_until.';

COMMENT ON FUNCTION "private"."second_factor_refused_until"(uuid) IS 'Until when no code of an account is taken: for wrong ones that Auth''s hook has counted, or challenges that were not answered, whichever are more; null when one is. Called by private.custom_access_token and private.refuse_second_factor.';

COMMENT ON FUNCTION "private"."security_administrators"() IS 'Whom alerts are mailed to. Called where one is queued.';

COMMENT ON FUNCTION "private"."send_alert_digests"(timestamp with time zone) IS 'Mails to every security administrator what alerts of each rule and policy were not mailed one by one, once their hour is over; returns of how many. Called by private.detect_incidents every minute.';

COMMENT ON FUNCTION "private"."send_security_alert"(text, text, text, text) IS 'Queues an email to every security administrator, once for the same words about the same incident; those of a rule or policy that has alerted too often within the hour wait for its digest. Returns {status, detail}. Called by detection, policies and public.respond_to_incident, which alerts at once.';

COMMENT ON FUNCTION "private"."send_verification"(uuid, uuid, text, inet, text, timestamp with time zone, text[]) IS 'Emails a contact the link to decide: sent, resent, or why not (not_found, changed, no_consent, verified, unavailable, country, no_email, exhausted, too_soon). "checked_phone" is the number that was found valid, "zones" the time zones of its country. Called by the edge functions.';

COMMENT ON FUNCTION "private"."sign_in_failures"(timestamp with time zone) IS 'Failed sign-ins since a time by account and address, those straight at Auth (direct) beside those through the functions. Called by private.detect_incidents.';

COMMENT ON FUNCTION "private"."sign_in_findings"(timestamp with time zone) IS 'Attacks on sign-in. Called by private.detect_incidents.';

COMMENT ON FUNCTION "private"."signed_in_account"() IS 'The caller''s account, whether or not it has a role; null when nobody is signed in, the account is banned, the session has ended or the address is blocked for it. Called by private.current_account, and where people reach what is stored of them.';

COMMENT ON FUNCTION "private"."student_in_message"(uuid) IS 'The whole name of a student, for somebody who has yet to agree and must know who asks. Called by private.verification_email, private.queue_first_text and private.read_verification.';

COMMENT ON FUNCTION "private"."system_findings"(timestamp with time zone) IS 'What was done to the database and its settings, and duties that are overdue. Called by private.detect_incidents.';

COMMENT ON FUNCTION "private"."take_back_first_text"() IS 'Trigger: a first text that was cancelled before it was sent does not count, but for an hour.';

COMMENT ON FUNCTION "private"."texts_go_to"(text) IS 'Whether texts go to the country of a number (E.164). Called where a contact is named, asked and texted.';

COMMENT ON FUNCTION "private"."urgency_of"(text) IS 'How urgent messages of a purpose are; null for a purpose that is not listed, which the outbox refuses. Called for each message as it is stored.';

COMMENT ON FUNCTION "private"."warn_of_guessing"() IS 'Trigger on public.security_incidents: when the second factor of an account is guessed, ends the sessions without one and tells its owner, once for each incident.';

COMMENT ON FUNCTION "private"."wide_network"(inet) IS 'The network that one holder of many addresses is likely to have: 48 bits of IPv6, 24 of IPv4. Called where findings are grouped.';

COMMENT ON FUNCTION "private"."withdraw_security_alerts"(text) IS 'Cancels the alerts of an incident that are not sent yet, also in a digest. Called by private.respond_to_incident.';

COMMENT ON TABLE "private"."code_tries" IS 'Wrong codes that were given for a number on the pages of a student''s contacts.';

COMMENT ON TABLE "private"."first_texts" IS 'The last text that asked a number whether it agrees, for whichever student: a number has one row, so that it is asked rarely.';

COMMENT ON TABLE "private"."refused_mailboxes" IS 'Mailboxes of people who said that they do not know who asked: no student''s verification email goes to them. Of numbers, private.text_opt_outs says the same.';

COMMENT ON TABLE "private"."security_alerts" IS 'Alerts of rules and policies: which were mailed at once, and which come in a digest because there were too many within an hour.';

COMMENT ON TABLE "private"."text_costs" IS 'What texts cost, by day; each attempt counts, whatever became of it.';

COMMENT ON TABLE "private"."text_destinations" IS 'Where texts go to, and what one costs there. The longest prefix that a number begins with counts; to others none go. An operator can change it without a deployment.';

COMMENT ON TABLE "public"."buddy_contacts" IS 'The people whom a student names, at most five of them active. Who agreed by email gets one text, which asks the number; nothing else is texted before the number agrees.';

COMMENT ON TYPE "private"."message_urgency" IS 'How urgent a message is, the most urgent first. Senders claim in this order.';

COMMENT ON VIEW "private"."metrics" IS 'How the service is doing as a whole, as GET /api/metrics returns it: names, labels and values that docs/monitoring.md explains. No row is about a person or a university.';

COMMENT ON VIEW "private"."text_budgets" IS 'What today''s texts have cost so far, of what they may; the last text may go a little over it.';

REVOKE ALL ON FUNCTION "private"."ask_number"(public.buddy_contacts, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ask_number"(public.buddy_contacts, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."ask_number"(public.buddy_contacts, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_failed_sign_in"(text, inet, text, text, text, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_failed_sign_in"(text, inet, text, text, text, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_failed_sign_in"(text, inet, text, text, text, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "private"."auth_mail_findings"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."auth_mail_findings"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."auth_mail_findings"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."block_address"(inet, timestamp WITH time zone, text, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."block_address"(inet, timestamp WITH time zone, text, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."block_address"(inet, timestamp WITH time zone, text, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."block_notice"(inet) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."block_notice"(inet) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."block_notice"(inet) TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."block_notice"(inet) TO "supabase_auth_admin";

REVOKE ALL ON FUNCTION "private"."channels_with_rate_left"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."channels_with_rate_left"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."channels_with_rate_left"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."check_call"(inet, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_call"(inet, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."check_call"(inet, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."check_object_name"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_object_name"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."check_object_name"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."claim_messages"(integer, private.message_urgency, private.message_channel[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_messages"(integer, private.message_urgency, private.message_channel[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."claim_messages"(integer, private.message_urgency, private.message_channel[]) TO "postgres";

REVOKE ALL ON FUNCTION "private"."confirm_by_code"(text, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."confirm_by_code"(text, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."confirm_by_code"(text, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."confirm_by_reply"(text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."confirm_by_reply"(text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."confirm_by_reply"(text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."confirm_number"(uuid, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."confirm_number"(uuid, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."confirm_number"(uuid, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."count_text"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_text"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."count_text"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."decide_verification"(text, boolean, text, boolean, text, boolean, jsonb, inet, text, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."decide_verification"(text, boolean, text, boolean, text, boolean, jsonb, inet, text, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."decide_verification"(text, boolean, text, boolean, text, boolean, jsonb, inet, text, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."digest_of_incidents"(text, text[], timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."digest_of_incidents"(text, text[], timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."digest_of_incidents"(text, text[], timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."digest_of_policy"(text, timestamp WITH time zone, bigint, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."digest_of_policy"(text, timestamp WITH time zone, bigint, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."digest_of_policy"(text, timestamp WITH time zone, bigint, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."end_sessions_without_second_factor"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_sessions_without_second_factor"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."end_sessions_without_second_factor"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."enforce_on_function"(uuid, uuid, inet, text, text, text, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."enforce_on_function"(uuid, uuid, inet, text, text, text, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."enforce_on_function"(uuid, uuid, inet, text, text, text, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "private"."erasures_signature"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."erasures_signature"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."erasures_signature"(jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."first_of"(text[], integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."first_of"(text[], integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."first_of"(text[], integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."group_findings"(private.finding[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."group_findings"(private.finding[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."group_findings"(private.finding[]) TO "postgres";

REVOKE ALL ON FUNCTION "private"."guard_university_deletion"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."guard_university_deletion"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."guard_university_deletion"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."is_blocked"(inet, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_blocked"(inet, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_blocked"(inet, uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_blocked"(inet, uuid) TO "supabase_auth_admin";

REVOKE ALL ON FUNCTION "private"."is_known_pair"(public.buddy_contacts) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_known_pair"(public.buddy_contacts) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_known_pair"(public.buddy_contacts) TO "postgres";

REVOKE ALL ON FUNCTION "private"."is_object_name"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_object_name"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."is_object_name"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_object_name"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."is_raised_by_added_app"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_raised_by_added_app"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_raised_by_added_app"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_raised_by_added_app"(uuid) TO "supabase_auth_admin";

REVOKE ALL ON FUNCTION "private"."is_refused"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_refused"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_refused"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."keep_unanswered_challenge"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_unanswered_challenge"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."keep_unanswered_challenge"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."kind_of_text"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."kind_of_text"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."kind_of_text"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."lift_refusal"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lift_refusal"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."lift_refusal"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."may_ask"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."may_ask"(uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."may_ask"(uuid, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."mfa_verification_attempt"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mfa_verification_attempt"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."mfa_verification_attempt"(jsonb) TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."mfa_verification_attempt"(jsonb) TO "supabase_auth_admin";

REVOKE ALL ON FUNCTION "private"."name_in_message"(text, text, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."name_in_message"(text, text, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."name_in_message"(text, text, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."next_send_time"(private.outbox, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."next_send_time"(private.outbox, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."next_send_time"(private.outbox, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."note_mails_of_auth"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."note_mails_of_auth"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."note_mails_of_auth"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."number_free_at"(text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."number_free_at"(text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."number_free_at"(text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."place_alert"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."place_alert"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."place_alert"(text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."price_of_text"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."price_of_text"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."price_of_text"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."queue_first_text"(uuid, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_first_text"(uuid, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."queue_first_text"(uuid, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."refuse_second_factor"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refuse_second_factor"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."refuse_second_factor"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."resolved_at"(text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."resolved_at"(text[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."resolved_at"(text[]) TO "postgres";

REVOKE ALL ON FUNCTION "private"."resolved_for_address"(text, inet) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."resolved_for_address"(text, inet) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."resolved_for_address"(text, inet) TO "postgres";

REVOKE ALL ON FUNCTION "private"."second_factor_error"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."second_factor_error"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."second_factor_error"(timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."second_factor_error"(timestamp WITH time zone) TO "supabase_auth_admin";

REVOKE ALL ON FUNCTION "private"."second_factor_findings"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."second_factor_findings"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."second_factor_findings"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."second_factor_limited_until"(uuid, timestamp WITH time zone[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."second_factor_limited_until"(uuid, timestamp WITH time zone[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."second_factor_limited_until"(uuid, timestamp WITH time zone[]) TO "postgres";

REVOKE ALL ON FUNCTION "private"."second_factor_refused_until"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."second_factor_refused_until"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."second_factor_refused_until"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."second_factor_refused_until"(uuid) TO "supabase_auth_admin";

REVOKE ALL ON FUNCTION "private"."security_administrators"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."security_administrators"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."security_administrators"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."send_alert_digests"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."send_alert_digests"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."send_alert_digests"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."send_security_alert"(text, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."send_security_alert"(text, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."send_security_alert"(text, text, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."take_back_first_text"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_back_first_text"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."take_back_first_text"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."texts_go_to"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."texts_go_to"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."texts_go_to"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."urgency_of"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."urgency_of"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."urgency_of"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."warn_of_guessing"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."warn_of_guessing"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."warn_of_guessing"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."wide_network"(inet) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."wide_network"(inet) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."wide_network"(inet) TO "postgres";

ALTER TABLE "private"."outbox"
  ADD COLUMN "urgency" private.message_urgency GENERATED ALWAYS AS (private.urgency_of(purpose)) STORED;

COMMENT ON COLUMN "private"."outbox"."urgency" IS 'How urgent it is, by its purpose.';

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_purpose_known" CHECK ((urgency IS NOT NULL));

CREATE INDEX outbox_due_idx ON private.outbox USING btree (urgency, send_at)
  WHERE (status = 'queued'::private.message_status);

-- No policies: this file holds rows, not tables.

-- Rows that the schema needs. Each statement can be run again; every migration ends with them, because a diff contains no rows.
insert into private.audit_head default values on conflict do nothing;
insert into private.audit_proof default values on conflict do nothing;
insert into private.cohort_settings default values on conflict do nothing;
insert into private.pipeline_settings default values on conflict do nothing;
insert into private.messaging_settings default values on conflict do nothing;
insert into private.student_limits default values on conflict do nothing;
insert into private.export_settings default values on conflict do nothing;
insert into private.support_settings default values on conflict do nothing;
insert into public.security_tests (id, name, probes, schedule, next_run_at)
values ('tst_all_probes', 'All probes', enum_range(null::public.security_probe), 'daily', now() + interval '1 day')
on conflict do nothing;
-- Where universities of this service have been asked for; other countries of the calling code 1 cost several times as much.
insert into private.text_destinations (prefix, country, price)
values
  ('1', 'US,CA', 0.02),
  ('44', 'GB,GG,IM,JE', 0.10),
  ('353', 'IE', 0.17),
  ('49', 'DE', 0.22),
  ('43', 'AT', 0.22),
  ('41', 'CH,LI', 0.17),
  ('33', 'FR', 0.16),
  ('31', 'NL', 0.21),
  ('32', 'BE', 0.23),
  ('352', 'LU', 0.17),
  ('34', 'ES', 0.19),
  ('351', 'PT', 0.10),
  ('39', 'IT,VA', 0.19),
  ('46', 'SE', 0.13),
  ('47', 'NO,SJ', 0.17),
  ('45', 'DK', 0.11),
  ('358', 'FI,AX', 0.20),
  ('354', 'IS', 0.18),
  ('48', 'PL', 0.10),
  ('420', 'CZ', 0.14),
  ('421', 'SK', 0.19),
  ('36', 'HU', 0.20),
  ('386', 'SI', 0.33),
  ('385', 'HR', 0.18),
  ('30', 'GR', 0.20),
  ('372', 'EE', 0.18),
  ('371', 'LV', 0.17),
  ('370', 'LT', 0.13),
  ('356', 'MT', 0.17),
  ('357', 'CY', 0.20),
  ('61', 'AU,CX,CC', 0.11),
  ('64', 'NZ', 0.21),
  ('1242', 'BS', null),
  ('1246', 'BB', null),
  ('1264', 'AI', null),
  ('1268', 'AG', null),
  ('1284', 'VG', null),
  ('1340', 'VI', null),
  ('1345', 'KY', null),
  ('1441', 'BM', null),
  ('1473', 'GD', null),
  ('1649', 'TC', null),
  ('1658', 'JM', null),
  ('1664', 'MS', null),
  ('1670', 'MP', null),
  ('1671', 'GU', null),
  ('1684', 'AS', null),
  ('1721', 'SX', null),
  ('1758', 'LC', null),
  ('1767', 'DM', null),
  ('1784', 'VC', null),
  ('1787', 'PR', null),
  ('1809', 'DO', null),
  ('1829', 'DO', null),
  ('1849', 'DO', null),
  ('1868', 'TT', null),
  ('1869', 'KN', null),
  ('1876', 'JM', null),
  ('1939', 'PR', null)
on conflict do nothing;
select vault.create_secret(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'number_hash_key')
where not exists (select from vault.secrets where name = 'number_hash_key');
select vault.create_secret(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'tombstone_key')
where not exists (select from vault.secrets where name = 'tombstone_key');
insert into private.review_reminder_rules (risk_level, remind_after, escalate_after)
values ('high', '30 minutes', '30 minutes'), ('moderate', '8 hours', '8 hours')
on conflict do nothing;
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
  ('privacy', 60, '1 minute'),
  ('audit', 600, '1 hour')
on conflict do nothing;
-- Wrong codes of an authenticator app. Of a million, three are right at any time: docs/sign-in.md has what this leaves to a guesser.
insert into private.rate_limit_rules (scope, requests, period, daily_requests) values ('second-factor', 10, '15 minutes', 30)
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

insert into private.detection_settings default values on conflict do nothing;
insert into private.detection_rules (rule, type, severity, threshold, period, respond, about)
values
  ('brute_force_address', 'brute_force_attacks', 'high', 10, '15 minutes', '{block_ip,send_alert}',
    'Failed sign-ins from one address, without accounts that got in after fewer than five; one more for every four people who signed in from there.'),
  ('brute_force_account', 'brute_force_attacks', 'high', 10, '15 minutes', '{send_alert}',
    'Failed sign-ins of one account from several addresses, or straight at Auth.'),
  ('credential_stuffing', 'brute_force_attacks', 'high', 30, '15 minutes', '{send_alert}',
    'Pairs of address and account whose sign-in failed, beside those that the other rules count; more than half as many as signed in.'),
  ('second_factor_guessing', 'brute_force_attacks', 'high', 10, '15 minutes', '{send_alert}',
    'Wrong codes of one account, or challenges without an answer; as many in a day as the rate limit second-factor allows are enough too.'),
  ('auth_mails', 'suspicious_activity', 'medium', 50, '1 hour', '{send_alert}',
    'Mails that Auth has sent; half of those that it may send in an hour, email_sent in config.toml.'),
  ('token_forgery', 'unauthorized_access', 'high', 5, '5 minutes', '{send_alert}',
    'Access tokens with a signature that is not the project''s, from one address.'),
  ('access_refused', 'unauthorized_access', 'medium', 20, '10 minutes', '{send_alert}',
    'Requests of one account that were refused for want of a right.'),
  ('worker_secret', 'unauthorized_access', 'high', 5, '15 minutes', '{send_alert}',
    'Calls of a worker with a wrong secret, from one address.'),
  ('flood', 'suspicious_activity', 'medium', 200, '5 minutes', '{send_alert}', 'Requests of one account, or one address, over a rate limit.'),
  ('link_guessing', 'suspicious_activity', 'medium', 30, '15 minutes', '{send_alert}',
    'Links to nowhere that were opened from one address.'),
  ('many_addresses', 'suspicious_activity', 'medium', 8, '1 hour', '{send_alert}', 'Addresses from which one account signed in.'),
  ('mass_reading', 'data_exfiltration', 'high', 100, '1 hour', '{send_alert,audit_trail}',
    'Students whom one person read, or pages of lists of them.'),
  ('mass_export', 'data_breach', 'critical', 5, '1 hour', '{send_alert,audit_trail}', 'Accounts that were exported from one address.'),
  ('role_change', 'privilege_escalation', 'critical', 1, '1 day', '{send_alert,audit_trail}',
    'Roles that somebody granted to themselves, or without being a security administrator.'),
  ('schema_change', 'system_compromise', 'critical', 1, '1 day', '{send_alert,audit_trail}',
    'Row-level security, policies, grants, functions, triggers, views or jobs that differ from what the last migration left.'),
  ('broken_chain', 'system_compromise', 'critical', 1, '1 day', '{send_alert,audit_trail}', 'An audit log that is not as it was written.'),
  ('detection_weakened', 'suspicious_activity', 'high', 1, '1 day', '{send_alert}', 'Rules that were switched off or raised.'),
  ('text_costs', 'suspicious_activity', 'medium', 50, '1 day', '{send_alert}',
    'Per cent of what the texts of a day may cost, by day: ordinary ones, or those of alerts.'),
  ('erasure_overdue', 'compliance_violations', 'high', 1, '1 day', '{send_alert}', 'Accounts that are not erased a day after they should be.'),
  ('retention_stopped', 'compliance_violations', 'medium', 1, '2 hours', '{send_alert}', 'No successful run of retention.')
on conflict do nothing;
insert into private.known_networks (network, kind, note)
values
  ('127.0.0.0/8', 'platform', 'This machine.'),
  ('::1/128', 'platform', 'This machine.'),
  ('10.0.0.0/8', 'platform', 'Private: a proxy of the platform.'),
  ('172.16.0.0/12', 'platform', 'Private: a proxy of the platform.'),
  ('192.168.0.0/16', 'platform', 'Private: a proxy of the platform.'),
  ('fc00::/7', 'platform', 'Private: a proxy of the platform.')
on conflict do nothing;

-- Before it is on, staff add an authenticator app (docs/security-policies.md); the demonstration switches it off (seed/).
insert into public.security_policies (id, name, category, type, conditions, actions, priority)
values (
  'pol_staff_second_factor',
  'Staff give a second factor',
  'authentication',
  'preventive',
  '{"all": [
    {"field": "role", "op": "in", "value": ["counselor", "university_admin", "security_admin"]},
    {"field": "aal", "op": "ne", "value": "aal2"}
  ]}',
  '[{"action": "require_mfa"}]',
  100
)
on conflict do nothing;

select cron.schedule('dispatch-due-jobs', '5 seconds', 'select private.dispatch_due_jobs()');
select cron.schedule('expire-check-ins', '*/5 * * * *', 'select private.expire_check_ins()');
select cron.schedule('end-left-sessions', '7,27,47 * * * *', 'select private.end_left_sessions()');
select cron.schedule('dispatch-due-messages', '10 seconds', 'select private.dispatch_due_messages()');
select cron.schedule('dispatch-due-exports', '10 seconds', 'select private.dispatch_due_exports()');
select cron.schedule('dispatch-due-object-removals', '10 seconds', 'select private.dispatch_due_object_removals()');
select cron.schedule('advance-erasures', '10 seconds', 'select private.advance_erasures()');
select cron.schedule('daily-rollup', '12 * * * *', $$ select private.roll_up_days((now() at time zone 'UTC')::date - 1) $$);
select cron.schedule('verify-audit-log', '*/10 * * * *', 'select public.verify_audit_chain()');
select cron.schedule('send-review-digests', '22 * * * *', 'select private.send_review_digests()');
select cron.schedule('remind-of-reviews', '* * * * *', 'select private.remind_of_reviews(now())');
select cron.schedule('tick-support-alerts', '* * * * *', 'select private.tick_support_alerts(now())');
select cron.schedule('remind-of-training', '*/10 * * * *', 'select private.remind_of_training(now())');
select cron.schedule('advance-security-tests', '30 seconds', 'select private.advance_security_tests(now())');
select cron.schedule('roll-up-policy-triggers', '* * * * *', 'select private.roll_up_policy_triggers()');
select cron.schedule('find-standstills', '*/5 * * * *', 'select private.find_standstills(now())');
select cron.schedule(
  'assess-compliance', '37 2 * * *', 'select private.assess_compliance(f) from unnest(enum_range(null::public.compliance_framework)) as f'
);
select cron.schedule('detect-incidents', '* * * * *', 'select private.detect_incidents()');
select cron.schedule('purge-expired', '*/5 * * * *', 'select private.purge_expired()');
select cron.schedule('observe-cron-jobs', '* * * * *', 'select private.observe_cron_jobs(now())');
select cron.unschedule(jobname) from cron.job where jobname like 'purge-%' and jobname <> 'purge-expired';

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


-- No policies: this file holds rows, not tables.

-- The inventory of personal data. It is part of the schema, not a setting: each migration ends with all of it, so that it says what
-- the migrated database has. Terms of retention are settings, so those that exist are left as they are,
-- but for what may not be set.
insert into private.retention_rules as r (kind, keep, shortest, starts)
values
  ('raw_media', '30 days', '1 day', 'Recordings and pictures: from the end of the check-in.'),
  ('unfinished_uploads', '2 days', '1 day', 'Files that no check-in was submitted with, or that belong to no row: from the upload.'),
  ('transcripts', '90 days', '1 day', 'Transcripts of check-ins: from the end of the check-in.'),
  ('transcript_results', '90 days', '1 day', 'What the language model made of a transcript: from the analysis.'),
  ('results', '3 years', '30 days', 'Check-ins and sessions with their features and scores: from the start.'),
  ('clinical_reviews', '3 years', '30 days', 'Reviews: from their closing.'),
  ('worrying_days', '30 days', '30 days', 'Days with risk: from the day; no pattern looks back further.'),
  ('support_history', '3 years', '30 days', 'Alerts, requests, links, verifications: from when each began.'),
  ('declined_contacts', '30 days', '1 day', 'Contacts who declined, with phone and email: from their answer.'),
  ('inbound_texts', '1 year', '7 days', 'That a text came in, not what it said: from its arrival.'),
  ('sent_messages', '30 days', '7 days', 'Emails and texts that were sent or cancelled: from then.'),
  ('undelivered_messages', '90 days', '7 days', 'Emails and texts that could not be sent: from the last attempt.'),
  ('channel_messages', '3 days', '1 hour', 'Messages of Realtime: from their sending.'),
  ('rate_limit_uses', '1 day', '1 hour', 'How often somebody called: from the last call.'),
  ('logged_accesses', '1 day', '1 hour', 'That a read was logged and may happen: from the entry.'),
  ('sign_in_log', '90 days', '1 day', 'What Auth logs of sign-ins, and addresses of failed ones: from the sign-in.'),
  ('policy_firings', '1 day', '1 hour', 'What security policies did to whom: from then.'),
  ('security_events', '90 days', '1 day', 'What incidents are detected from, with addresses and accounts: from when it happened.'),
  ('security_incidents', '6 years', '1 year', 'Incidents with their timelines and evidence: from their end.'),
  ('security_test_runs', '3 years', '30 days', 'Runs of security tests and what they found: from their end.'),
  ('compliance_assessments', '6 years', '6 years', 'Assessments of compliance with their evidence: from their end.'),
  ('cron_runs', '7 days', '1 day', 'Runs of scheduled jobs: from their end.'),
  ('exports', '7 days', '7 days', 'Files of an export: from when it is ready.'),
  ('export_records', '90 days', '7 days', 'That somebody asked for an export: from its end.'),
  ('audit_log', '6 years', '6 years', 'Who the people of the audit log''s entries are: from their writing. The entries stay, without people.')
on conflict on constraint retention_rules_pkey do update
set shortest = excluded.shortest, keep = greatest(r.keep, excluded.shortest);

delete from private.personal_data;
insert into private.personal_data (
  store, schema_name, relation_name, columns, whose, content, purpose, belongs_to, erasure, reason, retention
)
values
  -- Accounts
  ('relation', 'public', 'profiles', '{first_name, last_name}', 'account', 'identity',
    'To address the person and to show staff whom they help.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'profiles', '{user_id, university_id, created_at, updated_at}', 'account', 'identity',
    'To know which university the account belongs to.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'user_roles', '{id, user_id, role, university_id, created_at}', 'account', 'identity',
    'To decide what the account may do.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'private', 'mailboxes', '{mailbox, user_id}', 'account', 'contact_details', 'To keep one person to one account.',
    't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'consents', '{id, user_id, kind, version, granted_at, withdrawn_at, renewed, keep_results, deleted}',
    'student', 'choices', 'To know what the student agreed to, in which version, and when.', 't.user_id = $1', 'delete', null,
    null),
  ('relation', 'public', 'students', '{user_id, university_id, faculty, year_of_study, residence, counselor_access, check_ins,
    last_check_in_at, last_score, last_uncertainty, last_direction_of_change, risk_level, created_at, updated_at}', 'student',
    'health', 'Enrolment and the result of the last check-in, for counselors with the student''s consent.', 't.user_id = $1',
    'delete', null, null),
  ('relation', 'private', 'logged_accesses', '{reader, action, arguments_sha256, logged_at}', 'staff', 'activity',
    'To let a read happen only after it was logged.', 't.reader = $1', 'delete', null, 'logged_accesses'),
  ('relation', 'private', 'rate_limit_uses', '{subject, scope, used_at}', 'account', 'activity',
    'To limit how often one person calls.', 't.subject = $1', 'delete', null, 'rate_limit_uses'),
  -- Universities and settings
  ('relation', 'public', 'universities', '{id, name, short_name, domain, country, logo_url, primary_color, secondary_color, features_enabled,
    assessment_frequency, privacy_settings, support_email, crisis_phone, resources, accepts_other_domains, created_at, updated_at}',
    'nobody', null, 'The universities'' names, branding, settings and public contacts.', null, null, null, null),
  ('relation', 'private', 'crisis_contacts', '{university_id, email, rank}', 'staff', 'contact_details',
    'To notify a university of high risk.', null, 'keep',
    'The address of an office, changed by the operator; kept as long as the university.', null),
  ('relation', 'private', 'listed_students', '{university_id, students}', 'nobody', null,
    'How many students each university''s counselors can list.', null, null, null, null),
  ('relation', 'private', 'support_settings', '{operator_email}', 'staff', 'contact_details',
    'To notify the operator of alerts that stand still.', null, 'keep', 'The operator''s own address, changed by the operator.',
    null),
  ('relation', 'private', 'support_settings', '{only_row, link_valid, verification_pause, max_verifications, daily_verifications,
    max_contacts, request_pause, naming_period, students_to_address, daily_verifications_to_mailbox, daily_requests_to_number,
    daily_answers_to_number, agreement_wait, first_text_pause, max_first_texts, daily_text_cost, daily_alert_text_cost,
    daily_first_text_cost, alert_pause, pattern_days, pattern_window_days, response_time, contacts_at_once, alert_valid,
    standstill_after, longest_student_pause, day_begins, day_ends}', 'nobody', null, 'Settings of the support circle.', null, null,
    null, null),
  ('relation', 'private', 'student_limits', '{only_row, sessions, session_bytes, consents, files, file_bytes, check_in_bytes}',
    'nobody', null, 'Settings: how much an account may store.', null, null, null, null),
  ('relation', 'private', 'pipeline_settings', '{only_row, lease, transcription_lease, dispatch_grace, retry_backoff, max_attempts,
    max_in_flight, fail_after}', 'nobody', null, 'Settings of the pipeline.', null, null, null, null),
  ('relation', 'private', 'messaging_settings', '{only_row, lease, retry_backoff, longest_backoff, max_attempts,
    review_digest_after, emails_per_minute, emails_per_day, texts_per_minute, texts_per_day, urgent_share}', 'nobody', null,
    'Settings of the outbox.', null, null, null, null),
  ('relation', 'private', 'review_reminder_rules', '{risk_level, remind_after, escalate_after}', 'nobody', null,
    'Settings: when contacts are reminded of a review that nobody claims.', null, null, null, null),
  ('relation', 'private', 'metric_counts', '{id, name, labels, occurrences, total}', 'nobody', null,
    'How often things happened in the whole service, for its operator.', null, null, null, null),
  ('relation', 'private', 'cron_heartbeats', '{job, every, first_seen_at, observed_at, last_success_at, last_run_id, failures,
    beat_at}', 'nobody',
    null, 'When each scheduled job last succeeded.', null, null, null, null),
  ('relation', 'private', 'cohort_settings', '{only_row, smallest_cohort, aggregated_through}', 'nobody', null,
    'Settings and progress of the daily rollup.', null, null, null, null),
  ('relation', 'public', 'scoring_days', '{day, algorithm_version}', 'nobody', null,
    'Versions of the scoring by day.', null, null, null, null),
  ('relation', 'private', 'score_calibrations', '{algorithm_version, components, instrument, labels, low, high, held_out_coverage,
    created_at}', 'nobody', null, 'Settings: intervals of scores, fitted to labels of which only their number is kept.', null, null, null,
    null),
  ('relation', 'private', 'rate_limit_rules', '{scope, requests, period, daily_requests}', 'nobody', null,
    'Settings: how often one person may call.', null, null, null, null),
  ('relation', 'private', 'retention_rules', '{kind, keep, starts, shortest}', 'nobody', null, 'Settings: how long data is kept.', null, null,
    null, null),
  ('relation', 'private', 'personal_data', '{store, schema_name, relation_name, columns, whose, content, purpose, belongs_to,
    erasure, reason, retention}', 'nobody', null, 'This inventory.', null, null, null, null),
  ('relation', 'private', 'retention_counts', '{day, kind, deleted}', 'nobody', null, 'How much retention deleted on each day.',
    null, null, null, null),
  ('relation', 'private', 'bucket_comparisons', '{compared_through}', 'student', 'activity',
    'How far the comparison of a bucket is: the name of a file, until the next one.',
    'starts_with(t.compared_through, $1::text || ''/'') or t.compared_through like ''%/students/'' || $1::text || ''/%''', 'keep',
    'Replaced with the next files that are compared, within a day.', null),
  ('relation', 'private', 'bucket_comparisons', '{bucket, began_at, objects, removed, ended_at}', 'nobody', null,
    'The last comparison of each bucket with the tables.', null, null, null, null),
  ('relation', 'private', 'required_consent_versions', '{kind, version}', 'nobody', null,
    'Settings: which version of a consent counts.', null, null, null, null),
  -- Check-ins
  ('relation', 'checkin', 'check_ins', '{id, user_id, type, status, progress, submissions, error_code, risk_level, created_at,
    expires_at, submitted_at, completed_at, trace_id}', 'student', 'health',
    'The student''s check-ins, their state and the highest risk that was found.', 't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'checkin', 'audio_analysis', '{check_in_id, user_id, f0_mean_hz, f0_sd_semitones, f0_range_semitones,
    f0_slope_semitones_per_s, intensity_mean_db, intensity_sd_db, intensity_range_db, voiced_fraction, speech_rate_syllables_per_s,
    articulation_rate_syllables_per_s, phonation_ratio, pause_rate_per_min, pause_mean_s, pause_sd_s, long_pause_rate_per_min,
    speech_run_mean_s, jitter_local, shimmer_local, hnr_db, cpps_db, alpha_ratio_db, hammarberg_index_db, voice_break_fraction,
    quality, quality_reason, replicates, snr_db, clipping_fraction, speech_s, duration_s, created_at}', 'student', 'health',
    'Features of the voice, from which the score is made and explained.', 't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'checkin', 'visual_analysis', '{check_in_id, user_id, emotion_happy, emotion_sad, emotion_angry, emotion_fear,
    emotion_surprise, emotion_disgust, emotion_neutral, emotion_stability, smile_intensity, mouth_openness, eye_openness,
    eye_closure_fraction, brow_lowering, expressivity, gaze_on_camera_fraction, gaze_down_fraction, head_pitch_mean_deg,
    head_yaw_sd_deg, quality, quality_reason, replicates, images_total, images_usable, created_at}', 'student', 'health',
    'Features of the face, from which the score is made and explained.', 't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'checkin', 'text_analysis', '{check_in_id, user_id, sentiment_compound, sentiment_positive, sentiment_negative,
    sentiment_variability, emotion_joy, emotion_sadness, emotion_anger, emotion_anxiety, lexical_diversity_mattr,
    mean_sentence_length_words, hesitation_rate, reading_grade, coping_rate, social_connection_rate, future_focus_rate,
    absolutist_rate, quality, quality_reason, replicates, language, words, themes, keywords, stated_mood, crisis_level, crisis_rule,
    transcript_source, created_at}', 'student', 'health', 'Features of the transcript, from which the score is made and explained.',
    't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'checkin', 'fusion_results', '{check_in_id, user_id, score, uncertainty, score_interval, calibrated, direction_of_change,
    significance, risk_level, summary, themes, drivers_positive, drivers_negative, drivers, components, baseline, algorithm_version, created_at}',
    'student', 'health', 'The score of each check-in, with what explains it.', 't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'checkin', 'user_baselines', '{user_id, version, check_ins, score_mean, score_sd, state, updated_at}', 'student',
    'health', 'The student''s usual score and features, with which a check-in is compared.', 't.user_id = $1', 'delete', null,
    null),
  ('relation', 'private', 'check_in_inputs', '{transcript}', 'student', 'words', 'To analyse what the student said.',
    't.check_in_id in (select c.id from checkin.check_ins c where c.user_id = $1)', 'delete', null, 'transcripts'),
  ('relation', 'private', 'check_in_inputs', '{check_in_id, transcript_source, crisis_level, crisis_rule, mood_score,
    conversation_duration, missing, created_at}', 'student', 'health',
    'What the student submitted besides media, and what the crisis check found.',
    't.check_in_id in (select c.id from checkin.check_ins c where c.user_id = $1)', 'delete', null, 'results'),
  ('relation', 'private', 'check_in_media', '{check_in_id, path, kind, ordinal, etag, bytes, info, created_at}', 'student',
    'voice_and_image', 'To find the recordings and pictures, and to reject those that have changed.',
    't.check_in_id in (select c.id from checkin.check_ins c where c.user_id = $1)', 'delete', null, 'raw_media'),
  ('queue', 'private', 'analysis_jobs', '{id, check_in_id, kind, ordinal, input, status, attempts, dispatched, next_dispatch_at,
    outcome, error_code, created_at}', 'student', 'health',
    'The analyses of a check-in that are to be done, with what they found so far; deleted when it ends.',
    't.check_in_id in (select c.id from checkin.check_ins c where c.user_id = $1)', 'delete', null, null),
  ('relation', 'private', 'student_days', '{day, user_id, ended, completed, score_sum}', 'student', 'health',
    'Totals of a student''s day, until the daily rollup has counted it.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'cohort_days', '{university_id, grain, faculty, year_of_study, residence, day, students, ended, completed,
    score_sum}', 'nobody', null, 'Figures of ten students or more a row.', null, null, null, null),
  ('relation', 'public', 'cohort_snapshots', '{university_id, grain, faculty, year_of_study, residence, seen_within_days, students,
    high_risk, moderate_risk, as_of}', 'nobody', null, 'Figures of ten students or more a row.', null, null, null, null),
  -- Sessions and transcripts
  ('relation', 'public', 'assessment_sessions', '{id, user_id, assessment_type, status, session_data, created_at, updated_at}',
    'student', 'health', 'The sessions of the app''s conversational assessment.', 't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'public', 'session_analyses', '{session_id, user_id, modality, analysis, measures, quality, quality_reason,
    risk_level, created_at}', 'student', 'health', 'The analyses of a session.', 't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'public', 'session_scores', '{session_id, user_id, final_score, confidence, risk_level, fusion_score,
    algorithm_version, created_at}', 'student', 'health', 'The score of a session.', 't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'private', 'transcript_results', '{id, user_id, transcript_sha256, check_in_id, provider, risk_level, result,
    created_at}', 'student', 'health', 'What the language model made of a transcript, so that a repeated call costs nothing.',
    't.user_id = $1', 'delete', null, 'transcript_results'),
  -- Risk and reviews
  ('relation', 'public', 'clinical_reviews', '{claimed_by}', 'staff', 'activity', 'To know which counselor helps.',
    't.claimed_by = $1', 'anonymize', null, 'clinical_reviews'),
  ('relation', 'public', 'clinical_reviews', '{closed_by}', 'staff', 'activity', 'To know which counselor helped.',
    't.closed_by = $1', 'anonymize', null, 'clinical_reviews'),
  ('relation', 'public', 'clinical_reviews', '{id, user_id, university_id, source, source_id, risk_level, status, opened_at,
    claimed_at, closed_at, last_risk_at, last_notified_at, open_since, reminders}', 'student', 'health', 'High risk, for a counselor to act on.',
    't.user_id = $1', 'delete', null, 'clinical_reviews'),
  ('relation', 'private', 'clinical_review_sources', '{review_id, source, source_id, seen_at}', 'student', 'health',
    'Where the risk of a review was found.', 't.review_id in (select r.id from public.clinical_reviews r where r.user_id = $1)',
    'delete', null, 'clinical_reviews'),
  ('relation', 'private', 'worrying_days', '{user_id, day, stored_at}', 'student', 'health',
    'Days of the last weeks with risk, to notice a lasting pattern.', 't.user_id = $1', 'delete', null, 'worrying_days'),
  -- Support circle
  ('relation', 'public', 'buddy_contacts', '{name, phone, email, relationship, time_zone, number_time_zones, texts_at_night}', 'support_contact',
    'contact_details', 'To ask the people whom the student named to check on them.', 't.user_id = $1', 'delete', null,
    'declined_contacts'),
  ('relation', 'public', 'buddy_contacts', '{id, user_id, notify_channel, is_active, priority_rank, verified, verification_token,
    verification_token_expires_at, verified_at, declined_at, phone_confirmed_at, phone_confirmed_by, created_at, updated_at}',
    'student', 'choices', 'Whom the student named, in which order, and what they agreed to.', 't.user_id = $1', 'delete', null,
    'declined_contacts'),
  ('relation', 'public', 'support_preferences', '{user_id, alerts_paused_until, pass_on_all_right}', 'student', 'choices',
    'What the student chose for alerts about them.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'buddy_verification_audit', '{id, buddy_contact_id, user_id, event_type, ip_address, user_agent, metadata,
    created_at}', 'support_contact', 'activity', 'Proof of what a contact agreed to, as mobile operators ask for it.', 't.user_id = $1',
    'delete', null, 'support_history'),
  ('relation', 'private', 'buddy_verification_sends', '{id, user_id, mailbox_hash, number_hash, sent_at}', 'support_contact', 'activity',
    'To limit how often an address is written to.', 't.user_id = $1', 'delete', null, 'support_history'),
  ('relation', 'private', 'buddy_refusals', '{user_id, address_hash, refused_at}', 'support_contact', 'choices',
    'Not to ask again who has declined.', 't.user_id = $1', 'delete', null, 'support_history'),
  ('relation', 'public', 'buddy_check_in_requests', '{id, buddy_contact_id, user_id, request_type, trigger_reason, sent_at,
    link_clicked_at, response_received_at, delivery_status, response_type, created_at}', 'student', 'activity',
    'Whom the student, or an alert, asked to check on them, and what they answered.', 't.user_id = $1', 'delete', null,
    'support_history'),
  ('relation', 'private', 'buddy_links', '{request_id, token_hash, number_hash, expires_at}', 'support_contact', 'credentials',
    'The link of a request, which allows one answer.',
    't.request_id in (select r.id from public.buddy_check_in_requests r where r.user_id = $1)', 'delete', null, 'support_history'),
  ('relation', 'public', 'support_alerts', '{id, user_id, status, worrying_days, step, step_began_at, crisis_contact_told_at,
    all_right_at, opened_at, ended_at}', 'student', 'health', 'Each time that a lasting pattern told the student''s contacts.',
    't.user_id = $1', 'delete', null, 'support_history'),
  ('relation', 'private', 'support_alert_plan', '{alert_id, position, step, contact_id, request_id}', 'student', 'choices',
    'Whom an alert asks.', 't.alert_id in (select a.id from public.support_alerts a where a.user_id = $1)', 'delete', null,
    'support_history'),
  ('relation', 'private', 'support_standstills', '{id, kind, alert_id, user_id, found_at, ended_at, reported_at}', 'student',
    'activity', 'Alerts of which nothing became in time, for the operator.', 't.user_id = $1', 'delete', null, 'support_history'),
  ('relation', 'private', 'text_opt_outs', '{number_hash, opted_out_at, heard_by}', 'support_contact', 'choices',
    'Never to text a number that said STOP.', null, 'keep',
    'The choice of whoever has the number, for all students; a hash under the project''s own key, which leads to no account. Kept until the number says START.',
    null),
  ('relation', 'private', 'first_texts', '{number_hash, contact_id, message_id, code_hash, texts, queued_at}', 'support_contact',
    'activity', 'To ask a number rarely whether it agrees, for whichever student.', null, 'keep',
    'What is known of a number that was asked, as a hash; it leads to no account once the contact is gone, and ends with its term.',
    'support_history'),
  ('relation', 'private', 'code_tries', '{number_hash, user_id, tries, tried_at}', 'student', 'credentials',
    'To let nobody guess the code of a number.', 't.user_id = $1', 'delete', null, 'support_history'),
  ('relation', 'private', 'refused_mailboxes', '{mailbox_hash, refused_at}', 'support_contact', 'choices',
    'Never to write to somebody again who does not know who asked.', null, 'keep',
    'The choice of whoever reads the mailbox, for all students; a hash under the project''s own key, which leads to no account. Kept until they ask for the opposite.',
    null),
  ('relation', 'private', 'text_destinations', '{prefix, country, price}', 'nobody', null, 'Settings: where texts go to.', null, null,
    null, null),
  ('relation', 'private', 'text_costs', '{day, kind, texts, cost}', 'nobody', null, 'What texts cost, by day.', null, null, null, null),
  ('relation', 'private', 'inbound_texts', '{provider_message_id, number_hash, meaning, received_at}', 'support_contact',
    'activity', 'To count a text once that the provider reports twice.', null, 'keep',
    'What is known of a number that texted, as a hash; it leads to no account, and ends with its term.', 'inbound_texts'),
  -- Messages and queues
  ('queue', 'private', 'outbox', '{id, channel, purpose, urgency, user_id, contact_id, request_id, recipient, subject, body,
    status, attempts, send_at, lease_until, attempted_at, provider_called_at, provider, provider_message_id, provider_status, error_code, created_at,
    ended_at, reported_at}', 'account', 'contact_details',
    'Emails and text messages that are to be sent, and proof that they were.',
    't.user_id = $1', 'delete', null, 'sent_messages'),
  ('queue', 'private', 'object_removals', '{bucket, name, reason, attempts, next_attempt_at, claim, error_code, created_at,
    reported_at}', 'account', 'activity', 'Names of files that are to be removed, until they are.',
    'private.account_of_object(t.bucket, t.name) = $1', 'keep',
    'Deleted with the file; an erasure ends only when none of the person''s is left.', null),
  ('queue', 'net', 'http_request_queue', '{*}', 'nobody', null, 'Webhooks that announce work by its id, until they are sent.', null,
    null, null, null),
  ('relation', 'net', '_http_response', '{*}', 'nobody', null,
    'How functions answered webhooks: numbers and codes. pg_net deletes them after 6 hours.', null, null, null, null),
  ('relation', 'cron', 'job', '{*}', 'nobody', null, 'Which jobs run when.', null, null, null, null),
  ('relation', 'cron', 'job_run_details', '{*}', 'nobody', null, 'When jobs ran, and how they ended.', null, null, null,
    'cron_runs'),
  ('relation', 'realtime', 'messages', '{*}', 'student', 'health', 'Progress and results, for the app that listens.',
    't.topic in (''support:'' || $1::text, ''account:'' || $1::text) or t.topic in (select ''check-in:'' || c.id from checkin.check_ins c where c.user_id = $1) or t.topic in (select ''assessment:'' || s.id from public.assessment_sessions s where s.user_id = $1)',
    'delete', null, 'channel_messages'),
  ('relation', 'realtime', 'subscription', '{*}', 'nobody', null,
    'Which changes connected clients listen to, while they are connected.', null, null, null, null),
  ('relation', 'realtime', 'schema_migrations', '{*}', 'nobody', null, 'The platform''s own migrations.', null, null, null, null),
  -- Exports
  ('relation', 'private', 'exports', '{id, user_id, include_name, status, error_code, token_hash, created_at, ended_at, expires_at}',
    'account', 'activity', 'What the person asked to take along, and until when it can be downloaded.', 't.user_id = $1', 'delete',
    null, 'export_records'),
  ('queue', 'private', 'export_volumes', '{export_id, ordinal, content, object_name, since, until, objects, status, attempts, due_at,
    bytes, left_out, error_code}', 'account', 'activity', 'The files of an export, and the work that is left.',
    't.export_id in (select e.id from private.exports e where e.user_id = $1)', 'delete', null, 'export_records'),
  ('relation', 'private', 'export_settings', '{only_row, lease, retry_backoff, max_attempts, max_in_flight, daily_requests,
    volume_bytes, rows_per_volume}', 'nobody', null, 'Settings of exports.', null, null, null, null),
  ('bucket', 'storage', 'exports', '{*}', 'account', 'health', 'Everything that is stored of a person, for them to download.',
    't.bucket_id = ''exports'' and starts_with(t.name, $1::text || ''/'')', 'delete', null, 'exports'),
  -- Erasure
  ('queue', 'private', 'erasures', '{id, user_id, source, requested_at, final_at, erased_at, email, phone, mail_receipt, counts,
    attempts, next_attempt_at, error_code}', 'account', 'contact_details',
    'To erase a person, to search for what is left, and to send the receipt.', 't.user_id = $1', 'keep',
    'Deleted by the erasure itself when nothing is found any more, a day after it is final at the latest.', null),
  ('relation', 'private', 'erasure_progress', '{only_row, last_run_at}', 'nobody', null, 'When erasures were last looked at.', null,
    null, null, null),
  ('relation', 'private', 'erasure_receipts', '{id, source, requested_at, completed_at, counts, tombstone, checksum}', 'nobody', null,
    'Proof of erasures, and numbers under the project''s own key that find somebody again in a restored backup.', null, null, null,
    null),
  ('relation', 'private', 'legal_holds', '{user_id, reason, confidential, set_at}', 'account', 'activity',
    'To keep what the law forbids to erase.', 't.user_id = $1', 'keep',
    'Only while a security administrator upholds it; until then nothing of the person is erased.', null),
  -- Audit log
  ('relation', 'public', 'audit_logs', '{id, occurred_at, action, actor_hash, subject_hash, actor_role, university_id, target_type,
    target_id, before, after, details, request_id, previous_hash, hash}', 'nobody', null,
    'Proof of what was done and when; of people it has only hashes, under salts that are deleted with them.', null, null, null,
    'audit_log'),
  ('relation', 'private', 'audit_identities', '{entry, party, account_id, ip, user_agent, salt}', 'account', 'activity',
    'Proof of who did what, and of who read whose data.', 't.account_id = $1', 'delete', null, 'audit_log'),
  ('relation', 'private', 'audit_head', '{only_row, entries, hash}', 'nobody', null, 'The last hash of the audit log.', null, null,
    null, null),
  ('relation', 'private', 'audit_proof', '{only_row, entries, hash, proved_at}', 'nobody', null,
    'How far the audit log was verified.', null, null, null, null),
  -- Files
  ('bucket', 'storage', 'check-in-media', '{*}', 'student', 'voice_and_image', 'Recordings of check-ins.',
    't.bucket_id = ''check-in-media'' and starts_with(t.name, $1::text || ''/'')', 'delete', null, 'raw_media'),
  ('bucket', 'storage', 'check-in-images', '{*}', 'student', 'voice_and_image', 'Pictures of check-ins.',
    't.bucket_id = ''check-in-images'' and starts_with(t.name, $1::text || ''/'')', 'delete', null, 'raw_media'),
  ('bucket', 'storage', 'university-files', '{*}', 'student', 'words',
    'What students keep in their own folders; files that a university shares belong to it.',
    't.bucket_id = ''university-files'' and t.path_tokens[2] = ''students'' and t.path_tokens[3] = $1::text', 'delete', null, null),
  ('bucket', 'storage', 'analysis-assets', '{*}', 'nobody', null, 'Weights of the analyses.', null, null, null, null),
  ('relation', 'storage', 'objects', '{*}', 'account', 'activity', 'The list of the files, with who uploaded each.',
    't.owner_id = $1::text', 'keep',
    'A row is deleted with its file, as its bucket says. A file that a university shares keeps the id of who uploaded it, which leads nowhere once the account is deleted.',
    null),
  ('relation', 'storage', 'buckets', '{*}', 'nobody', null, 'Which buckets there are.', null, null, null, null),
  ('relation', 'storage', 'migrations', '{*}', 'nobody', null, 'The platform''s own migrations.', null, null, null, null),
  ('relation', 'storage', 'buckets_analytics', '{*}', 'nobody', null, 'Not used.', null, null, null, null),
  ('relation', 'storage', 'buckets_vectors', '{*}', 'nobody', null, 'Not used.', null, null, null, null),
  ('relation', 'storage', 'vector_indexes', '{*}', 'nobody', null, 'Not used.', null, null, null, null),
  ('relation', 'storage', 'iceberg_namespaces', '{*}', 'nobody', null, 'Not used.', null, null, null, null),
  ('relation', 'storage', 'iceberg_tables', '{*}', 'nobody', null, 'Not used.', null, null, null, null),
  ('relation', 'storage', 'prefixes', '{*}', 'student', 'activity',
    'The folders of the files, as some versions of Storage keep them.',
    't.name = $1::text or starts_with(t.name, $1::text || ''/'')', 'keep', 'Storage itself deletes a folder with its last file.',
    null),
  ('relation', 'storage', 's3_multipart_uploads', '{*}', 'account', 'activity', 'Uploads in parts that are not finished.',
    't.owner_id = $1::text or private.account_of_object(t.bucket_id, t.key) = $1', 'delete', null, null),
  ('relation', 'storage', 's3_multipart_uploads_parts', '{*}', 'account', 'activity', 'Parts of uploads that are not finished.',
    't.owner_id = $1::text or private.account_of_object(t.bucket_id, t.key) = $1', 'delete', null, null),
  -- Auth
  ('relation', 'auth', 'users', '{*}', 'account', 'credentials', 'To sign in.', 't.id = $1', 'delete', null, null),
  ('relation', 'auth', 'identities', '{*}', 'account', 'identity', 'How the account signs in.', 't.user_id = $1', 'delete', null,
    null),
  ('relation', 'auth', 'sessions', '{*}', 'account', 'activity', 'Where the account is signed in, with address and browser.',
    't.user_id = $1', 'delete', null, null),
  ('relation', 'auth', 'mfa_factors', '{*}', 'account', 'credentials', 'Second factors.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'auth', 'one_time_tokens', '{*}', 'account', 'credentials', 'Hashes of the links in emails.', 't.user_id = $1',
    'delete', null, null),
  ('relation', 'auth', 'flow_state', '{*}', 'account', 'credentials', 'Sign-ins that have begun.', 't.user_id = $1', 'delete', null,
    null),
  ('relation', 'auth', 'oauth_authorizations', '{*}', 'account', 'activity', 'Apps that ask to sign in with the account.',
    't.user_id = $1', 'delete', null, null),
  ('relation', 'auth', 'oauth_consents', '{*}', 'account', 'choices', 'Apps that may sign in with the account.', 't.user_id = $1',
    'delete', null, null),
  ('relation', 'auth', 'webauthn_credentials', '{*}', 'account', 'credentials', 'Passkeys.', 't.user_id = $1', 'delete', null,
    null),
  ('relation', 'auth', 'webauthn_challenges', '{*}', 'account', 'credentials', 'Sign-ins with a passkey that have begun.',
    't.user_id = $1', 'delete', null, null),
  ('relation', 'auth', 'refresh_tokens', '{*}', 'account', 'credentials', 'To stay signed in.', 't.user_id = $1::text', 'delete',
    null, null),
  ('relation', 'auth', 'mfa_amr_claims', '{*}', 'account', 'activity', 'How each session was signed in.',
    't.session_id in (select s.id from auth.sessions s where s.user_id = $1)', 'delete', null, null),
  ('relation', 'auth', 'mfa_challenges', '{*}', 'account', 'credentials', 'Second factors that were asked for.',
    't.factor_id in (select f.id from auth.mfa_factors f where f.user_id = $1)', 'delete', null, null),
  ('relation', 'auth', 'audit_log_entries', '{*}', 'account', 'activity', 'What Auth logs of sign-ins.',
    'strpos(t.payload::text, $1::text) > 0', 'delete', null, 'sign_in_log'),
  ('relation', 'auth', 'instances', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null, null),
  ('relation', 'auth', 'schema_migrations', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null,
    null),
  ('relation', 'auth', 'saml_providers', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null,
    null),
  ('relation', 'auth', 'saml_relay_states', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null,
    null),
  ('relation', 'auth', 'sso_providers', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null,
    null),
  ('relation', 'auth', 'sso_domains', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null, null),
  ('relation', 'auth', 'oauth_clients', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null,
    null),
  ('relation', 'auth', 'oauth_client_states', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null,
    null),
  ('relation', 'auth', 'custom_oauth_providers', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null,
    null, null),
  -- Security
  ('relation', 'private', 'security_events', '{id, kind, source, minute, occurred_at, last_at, address, account, occurrences,
    details}', 'account', 'activity', 'To detect attacks.', 't.account = $1', 'delete', null, 'security_events'),
  ('relation', 'private', 'known_networks', '{network, kind, note}', 'nobody', null, 'Networks that are never blocked.', null, null,
    null, null),
  ('relation', 'public', 'security_incidents', '{id, type, severity, status, title, description, detected_at, affected_systems,
    indicators, metadata, key, aware_at, last_seen_at, ended_at}', 'nobody', null, 'What attacks and breaches there were.', null,
    null, null, 'security_incidents'),
  ('relation', 'public', 'security_incidents', '{affected_users, response, timeline}', 'account', 'activity',
    'To know whom an incident concerned and who dealt with it.', '$1::text = any (t.affected_users) or strpos(t.timeline::text, $1::text) > 0',
    'keep',
    'Ids, which lead to nobody once the account is erased: the record of a breach has to stay whole (GDPR article 33 (5)) until its term ends.',
    'security_incidents'),
  ('relation', 'public', 'security_incidents', '{owner}', 'staff', 'activity', 'To know who deals with it.', 't.owner = $1',
    'anonymize', null, 'security_incidents'),
  ('relation', 'private', 'detection_rules', '{rule, type, severity, threshold, period, respond, enabled, about}', 'nobody', null,
    'What is an incident.', null, null, null, null),
  ('relation', 'private', 'detection_settings', '{only_row, blocked_contact, log_changes, verified_all_at,
    separate_networks, alerts_per_hour}', 'nobody', null, 'Settings of detection.', null, null, null, null),
  ('relation', 'private', 'security_alerts', '{id, rule, incident_id, severity, alerted_at, digest_at, digested_at}', 'nobody', null,
    'Which alerts were mailed, and which come in a digest.', null, null, null, null),
  ('relation', 'private', 'schema_snapshot', '{aspect, object, state}', 'nobody', null, 'What protected the data after the last migration.',
    null, null, null, null),
  ('relation', 'private', 'schema_snapshot_of', '{only_row, migration, taken_at}', 'nobody', null, 'Which migration that was.', null,
    null, null, null),
  ('relation', 'private', 'blocked_addresses', '{network, reason, incident_id, blocked_at, until, times, sessions_from}', 'caller', 'activity',
    'To refuse addresses that attacks come from.', null, 'keep', 'No account leads to an address; deleted with its term.',
    'security_events'),
  ('relation', 'private', 'disabled_accounts', '{account, reason, incident_id, disabled_at, banned_until_before}', 'account',
    'activity', 'To enable an account again as it was.', 't.account = $1', 'delete', null, null),
  ('relation', 'private', 'quarantines', '{function_name, reason, incident_id, since}', 'nobody', null, 'Functions that are switched off.',
    null, null, null, null),
  ('relation', 'private', 'evidence', '{id, incident_id, content, sha256, sealed_at}', 'account', 'activity',
    'To prove what happened in an incident.', 'strpos(t.content::text, $1::text) > 0', 'keep',
    'Ids and addresses, sealed by a hash: evidence of a breach is kept as long as its incident.', 'security_incidents'),
  -- Training
  ('relation', 'public', 'training_modules', '{id, title, category, difficulty, estimated_duration, mandatory, content, assessments,
    published, version, created_at, updated_at}', 'nobody', null, 'What staff are trained with.', null, null, null, null),
  ('relation', 'private', 'training_versions', '{module_id, version, title, content, pass_score, questions_per_attempt, created_at}',
    'nobody', null, 'The modules as they were when somebody took them.', null, null, null, null),
  ('relation', 'private', 'training_questions', '{module_id, version, id, prompt, options, correct}', 'nobody', null,
    'The questions of the modules, with their answers.', null, null, null, null),
  ('relation', 'public', 'training_assignments', '{id, module_id, user_id, role, due_days, created_at}', 'staff', 'activity',
    'To know who has to take which module.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'training_assignments', '{assigned_by}', 'staff', 'activity', 'To know who assigned it.',
    't.assigned_by = $1', 'anonymize', null, null),
  ('relation', 'public', 'training_progress', '{user_id, module_id, version, sections_read, started_at, updated_at}', 'staff',
    'activity', 'To go on reading where one stopped.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'training_attempts', '{id, user_id, module_id, version, questions, started_at, expires_at, submitted_at,
    correct, score, passed}', 'staff', 'activity', 'To show how somebody was assessed.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'private', 'training_papers', '{attempt_id, questions, answers}', 'staff', 'words',
    'To show what was asked and answered.', 't.attempt_id in (select a.id from public.training_attempts a where a.user_id = $1)',
    'delete', null, null),
  ('relation', 'public', 'training_certificates', '{id, user_id, module_id, version, attempt_id, score, issued_at, expires_at}',
    'staff', 'activity', 'To show that somebody is trained.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'private', 'training_reminders', '{user_id, module_id, due_at, days_before, reached_at, message_id}', 'staff',
    'activity', 'To remind of each date once.', 't.user_id = $1', 'delete', null, null),
  -- Compliance
  ('relation', 'public', 'compliance_controls', '{id, framework, reference, title, requirement, checks, automated_status, automated_at,
    decision, decision_reason, decision_evidence, decided_at}', 'nobody', null,
    'What frameworks ask for, and how it stands.', null, null, null, null),
  ('relation', 'public', 'compliance_controls', '{decided_by}', 'staff', 'activity', 'To know who decided how a control stands.',
    't.decided_by = $1', 'anonymize', null, null),
  ('relation', 'public', 'compliance_assessments', '{id, framework, started_at, ended_at, controls, evidence, hash}', 'nobody', null,
    'Assessments with their evidence, which counts people and names none.', null, null, null, 'compliance_assessments'),
  ('relation', 'public', 'compliance_assessments', '{requested_by}', 'staff', 'activity', 'To know who asked for an assessment.',
    't.requested_by = $1', 'anonymize', null, 'compliance_assessments'),
  ('relation', 'private', 'compliance_checks', '{id, title, expected, failure, source, query}', 'nobody', null,
    'What is checked, and how.', null, null, null, null),
  ('relation', 'private', 'compliance_facts', '{fact, happened_at, reference, told_at}', 'nobody', null,
    'When backups, tests and reviews were done that the database cannot see.', null, null, null, null),
  -- Security tests
  ('relation', 'public', 'security_tests', '{id, name, probes, schedule, enabled, next_run_at, created_at}', 'nobody', null,
    'Which probes run, and when.', null, null, null, null),
  ('relation', 'public', 'security_tests', '{created_by}', 'staff', 'activity', 'To know who created it.', 't.created_by = $1',
    'anonymize', null, null),
  ('relation', 'public', 'security_test_runs', '{id, test_id, scheduled, status, created_at, ended_at}', 'nobody', null,
    'When a security test ran.', null, null, null, 'security_test_runs'),
  ('relation', 'public', 'security_test_runs', '{requested_by}', 'staff', 'activity', 'To know who began it.',
    't.requested_by = $1', 'anonymize', null, 'security_test_runs'),
  ('relation', 'public', 'security_test_results', '{run_id, probe, status, attempts, due_at, started_at, ended_at, checks, findings,
    error_code}', 'nobody', null, 'What probes found, without anybody''s data.', null, null, null, 'security_test_runs'),
  ('relation', 'private', 'probe_accounts', '{user_id, run_id, part, tokens_expired, created_at}', 'nobody', null,
    'Invented accounts of probes.', null, null, null, null),
  ('relation', 'public', 'vulnerabilities', '{id, probe, fault, title, severity, status, evidence, found_at, found_in, last_found_at,
    times_found, fixed_at, fixed_in, accepted_at, accepted_until, accepted_reason, regression_of}', 'nobody', null,
    'Faults that probes found.', null, null, null, null),
  ('relation', 'public', 'vulnerabilities', '{accepted_by}', 'staff', 'activity', 'To know who accepted it.',
    't.accepted_by = $1', 'anonymize', null, null),
  -- Security policies
  ('relation', 'public', 'security_policies', '{id, name, category, type, conditions, actions, enforcement_points, priority, enabled,
    dry_run, trigger_count, last_triggered, created_at, updated_at}', 'nobody', null, 'What is done when conditions hold.', null,
    null, null, null),
  ('relation', 'private', 'enabled_policies', '{policy_id, priority, enforcement_points, dry_run, actions, condition}', 'nobody',
    null, 'The enabled policies, compiled.', null, null, null, null),
  ('relation', 'private', 'policy_counts', '{key, policy_id, kind, by_account, within_s, threshold}', 'nobody', null,
    'What the enabled policies count.', null, null, null, null),
  ('relation', 'private', 'policy_triggers', '{policy_id, backend, triggered, last_triggered}', 'nobody', null,
    'How often policies applied since the last minute.', null, null, null, null),
  ('relation', 'private', 'policy_days', '{policy_id, day, triggered}', 'nobody', null, 'How often policies applied each day.', null,
    null, null, null),
  ('relation', 'private', 'policy_firings', '{id, policy_id, action, account, address, fired_at}', 'account', 'activity',
    'To alert once of one thing, and to disable and log no more often than needed.', 't.account = $1', 'delete', null,
    'policy_firings'),
  -- Platform
  ('relation', 'vault', 'secrets', '{*}', 'nobody', null, 'The project''s own secrets, encrypted.', null, null, null, null),
  ('relation', 'vault', 'local_key', '{*}', 'nobody', null, 'The key of the local stack''s vault.', null, null, null, null),
  ('relation', 'supabase_migrations', 'schema_migrations', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null,
    null),
  ('relation', 'supabase_migrations', 'seed_files', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null, null),
  ('relation', 'supabase_functions', 'hooks', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null, null),
  ('relation', 'supabase_functions', 'migrations', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null, null);

-- What somebody else can aim alerts, and blocks nobody: guesses at tokens of 128 bits and more.
update private.detection_rules
set respond = array_remove(respond, 'block_ip')
where rule in ('token_forgery', 'worker_secret', 'link_guessing');
