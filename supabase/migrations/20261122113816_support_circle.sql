SET local check_function_bodies = off;

DROP POLICY "students receive broadcasts of their check-ins and sessions" ON "realtime"."messages";

DROP TRIGGER "notify_crisis_contact" ON "public"."clinical_reviews";

ALTER TABLE "private"."messaging_settings"
  DROP CONSTRAINT "messaging_settings_positive";

ALTER TABLE "private"."outbox"
  DROP CONSTRAINT "outbox_ended_at_when_ended";

DROP FUNCTION "private"."claim_messages"(integer);

DROP FUNCTION "private"."mark_provider_call"(uuid, smallint);

DROP FUNCTION "private"."record_delivery"(uuid, smallint, private.delivery_outcome, text, text, text, interval);

CREATE TABLE "private"."buddy_links" (
  "request_id"  uuid                     NOT NULL,
  "token_hash"  text                     NOT NULL,
  "number_hash" text                     NOT NULL,
  "expires_at"  timestamp with time zone NOT NULL,
  CONSTRAINT "buddy_links_pkey" PRIMARY KEY (request_id),
  CONSTRAINT "buddy_links_token_hash_form" CHECK ((token_hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT "buddy_links_token_hash_key" UNIQUE (token_hash)
);

CREATE TABLE "private"."buddy_refusals" (
  "user_id"      uuid                     NOT NULL,
  "address_hash" text                     NOT NULL,
  "refused_at"   timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "buddy_refusals_address_hash_form" CHECK ((address_hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT "buddy_refusals_pkey" PRIMARY KEY (user_id, address_hash)
);

CREATE TABLE "private"."buddy_verification_sends" (
  "id"           uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "user_id"      uuid                     NOT NULL,
  "mailbox_hash" text                     NOT NULL,
  "sent_at"      timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "buddy_verification_sends_mailbox_hash_form" CHECK ((mailbox_hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT "buddy_verification_sends_pkey" PRIMARY KEY (id)
);

CREATE TABLE "private"."inbound_texts" (
  "provider_message_id" text                     NOT NULL,
  "number_hash"         text                     NOT NULL,
  "meaning"             text                     NOT NULL,
  "received_at"         timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "inbound_texts_meaning_known" CHECK ((meaning = ANY (ARRAY['stop'::text, 'start'::text, 'help'::text, 'other'::text]))),
  CONSTRAINT "inbound_texts_pkey" PRIMARY KEY (provider_message_id)
);

CREATE TABLE "private"."support_alert_plan" (
  "alert_id"   uuid     NOT NULL,
  "position"   smallint NOT NULL,
  "step"       smallint NOT NULL,
  "contact_id" uuid,
  "request_id" uuid,
  CONSTRAINT "support_alert_plan_pkey" PRIMARY KEY (alert_id, "position"),
  CONSTRAINT "support_alert_plan_position_range" CHECK ((("position" >= 1) AND ("position" <= 5))),
  CONSTRAINT "support_alert_plan_step_range" CHECK (((step >= 1) AND (step <= "position")))
);

CREATE TABLE "private"."support_settings" (
  "only_row"              boolean                NOT NULL DEFAULT true,
  "link_valid"            interval               NOT NULL DEFAULT '7 days'::interval,
  "verification_pause"    interval               NOT NULL DEFAULT '01:00:00'::interval,
  "max_verifications"     smallint               NOT NULL DEFAULT 3,
  "daily_verifications"   smallint               NOT NULL DEFAULT 10,
  "max_contacts"          smallint               NOT NULL DEFAULT 50,
  "request_pause"         interval               NOT NULL DEFAULT '24:00:00'::interval,
  "alert_pause"           interval               NOT NULL DEFAULT '72:00:00'::interval,
  "pattern_days"          smallint               NOT NULL DEFAULT 3,
  "pattern_window_days"   smallint               NOT NULL DEFAULT 7,
  "response_time"         interval               NOT NULL DEFAULT '06:00:00'::interval,
  "contacts_at_once"      smallint               NOT NULL DEFAULT 2,
  "alert_valid"           interval               NOT NULL DEFAULT '48:00:00'::interval,
  "standstill_after"      interval               NOT NULL DEFAULT '00:05:00'::interval,
  "longest_student_pause" interval               NOT NULL DEFAULT '14 days'::interval,
  "day_begins"            time without time zone NOT NULL DEFAULT '08:00:00'::time WITHOUT time zone,
  "day_ends"              time without time zone NOT NULL DEFAULT '21:00:00'::time WITHOUT time zone,
  "keep_declined"         interval               NOT NULL DEFAULT '30 days'::interval,
  "operator_email"        text,
  CONSTRAINT "support_settings_day" CHECK ((day_begins < day_ends)),
  CONSTRAINT "support_settings_only_row" CHECK (only_row),
  CONSTRAINT "support_settings_operator_email_form" CHECK ((operator_email ~ '^[^@[:space:]]+@[^@[:space:]]+$'::text)),
  CONSTRAINT "support_settings_pattern" CHECK (((pattern_days >= 1) AND (pattern_days <= pattern_window_days) AND (pattern_window_days <= 30))),
  CONSTRAINT "support_settings_pkey" PRIMARY KEY (only_row),
  CONSTRAINT "support_settings_positive"
    CHECK
    (((link_valid > '00:00:00'::interval) AND (verification_pause > '00:00:00'::interval) AND (max_verifications > 0) AND (daily_verifications > 0) AND (max_contacts >= 5) AND
    (request_pause > '00:00:00'::interval) AND (alert_pause > '00:00:00'::interval) AND (response_time > '00:00:00'::interval) AND (contacts_at_once > 0) AND
    (alert_valid > response_time) AND (longest_student_pause > '00:00:00'::interval) AND (keep_declined > '00:00:00'::interval) AND (standstill_after > '00:00:00'::interval)))
);

CREATE TABLE "private"."support_standstills" (
  "id"          uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "kind"        text                     NOT NULL,
  "alert_id"    uuid,
  "user_id"     uuid,
  "found_at"    timestamp with time zone NOT NULL,
  "ended_at"    timestamp with time zone,
  "reported_at" timestamp with time zone,
  CONSTRAINT "support_standstills_pkey" PRIMARY KEY (id)
);

CREATE TABLE "private"."text_opt_outs" (
  "number_hash"  text                     NOT NULL,
  "opted_out_at" timestamp with time zone NOT NULL DEFAULT now(),
  "heard_by"     text                     NOT NULL,
  CONSTRAINT "text_opt_outs_heard_by_known" CHECK ((heard_by = ANY (ARRAY['reply'::text, 'page'::text, 'provider'::text]))),
  CONSTRAINT "text_opt_outs_number_hash_form" CHECK ((number_hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT "text_opt_outs_pkey" PRIMARY KEY (number_hash)
);

CREATE TABLE "private"."worrying_days" (
  "user_id"   uuid                     NOT NULL,
  "day"       date                     NOT NULL,
  "stored_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "worrying_days_pkey" PRIMARY KEY (user_id, day)
);

CREATE TABLE "public"."buddy_check_in_requests" (
  "id"                   uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "buddy_contact_id"     uuid,
  "user_id"              uuid                     NOT NULL,
  "request_type"         text                     NOT NULL,
  "trigger_reason"       text,
  "sent_at"              timestamp with time zone,
  "link_clicked_at"      timestamp with time zone,
  "response_received_at" timestamp with time zone,
  "delivery_status"      text                     NOT NULL DEFAULT 'queued'::text,
  "response_type"        text,
  "created_at"           timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "buddy_check_in_requests_delivery_status_known"
    CHECK ((delivery_status = ANY (ARRAY['queued'::text, 'sent'::text, 'delivered'::text, 'undelivered'::text, 'failed'::text, 'unconfirmed'::text, 'cancelled'::text]))),
  CONSTRAINT "buddy_check_in_requests_pkey" PRIMARY KEY (id),
  CONSTRAINT "buddy_check_in_requests_request_type_known" CHECK ((request_type = ANY (ARRAY['user_initiated'::text, 'system_initiated'::text]))),
  CONSTRAINT "buddy_check_in_requests_response_at" CHECK (((response_type IS NULL) = (response_received_at IS NULL))),
  CONSTRAINT "buddy_check_in_requests_response_type_known" CHECK ((response_type = ANY (ARRAY['called'::text, 'messaged'::text, 'unavailable'::text])))
);

ALTER TABLE "public"."buddy_check_in_requests"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."buddy_check_in_requests" FROM "anon";

CREATE TABLE "public"."buddy_contacts" (
  "id"                            uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "name"                          text                     NOT NULL,
  "phone"                         text                     NOT NULL,
  "email"                         text,
  "relationship"                  text,
  "notify_channel"                text                     NOT NULL DEFAULT 'sms'::text,
  "is_active"                     boolean                  NOT NULL DEFAULT true,
  "priority_rank"                 smallint,
  "verified"                      boolean                  NOT NULL DEFAULT false,
  "verification_token"            text,
  "verification_token_expires_at" timestamp with time zone,
  "verified_at"                   timestamp with time zone,
  "declined_at"                   timestamp with time zone,
  "phone_confirmed_at"            timestamp with time zone,
  "confirmation_tries"            smallint                 NOT NULL DEFAULT 0,
  "time_zone"                     text,
  "texts_at_night"                boolean                  NOT NULL DEFAULT false,
  "created_at"                    timestamp with time zone NOT NULL DEFAULT now(),
  "updated_at"                    timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "buddy_contacts_declined_inactive" CHECK (((declined_at IS NULL) OR (NOT is_active))),
  CONSTRAINT "buddy_contacts_email_form" CHECK ((email ~ '^[^@[:space:]<>"]{1,64}@[^@[:space:]<>"]{1,190}$'::text)),
  CONSTRAINT "buddy_contacts_name_length" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 255))),
  CONSTRAINT "buddy_contacts_notify_channel_known" CHECK ((notify_channel = 'sms'::text)),
  CONSTRAINT "buddy_contacts_phone_form" CHECK ((phone ~ '^\+[1-9][0-9]{6,14}$'::text)),
  CONSTRAINT "buddy_contacts_pkey" PRIMARY KEY (id),
  CONSTRAINT "buddy_contacts_rank_range" CHECK (((priority_rank >= 1) AND (priority_rank <= 5))),
  CONSTRAINT "buddy_contacts_rank_while_active" CHECK ((is_active = (priority_rank IS NOT NULL))),
  CONSTRAINT "buddy_contacts_relationship_length" CHECK ((char_length(relationship) <= 100)),
  CONSTRAINT "buddy_contacts_token_expires" CHECK (((verification_token IS NULL) = (verification_token_expires_at IS NULL))),
  CONSTRAINT "buddy_contacts_token_form" CHECK ((verification_token ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT "buddy_contacts_verified" CHECK (((NOT verified) OR ((verified_at IS NOT NULL) AND (email IS NOT NULL) AND (declined_at IS NULL)))),
  "user_id"                       uuid                     NOT NULL DEFAULT auth.uid(),
  CONSTRAINT "buddy_contacts_rank_once" UNIQUE (user_id, priority_rank) DEFERRABLE
);

ALTER TABLE "public"."buddy_contacts"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."buddy_contacts" FROM "anon";

CREATE TABLE "public"."buddy_verification_audit" (
  "id"               uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "buddy_contact_id" uuid,
  "user_id"          uuid                     NOT NULL,
  "event_type"       text                     NOT NULL,
  "ip_address"       inet,
  "user_agent"       text,
  "metadata"         jsonb                    NOT NULL DEFAULT '{}'::jsonb,
  "created_at"       timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "buddy_verification_audit_event_type_known"
    CHECK
    ((event_type = ANY (ARRAY['verification_sent'::text, 'verification_resent'::text, 'verification_accepted'::text, 'verification_declined'::text,
    'verification_expired'::text]))),
  CONSTRAINT "buddy_verification_audit_metadata_size" CHECK (((jsonb_typeof(metadata) = 'object'::text) AND (pg_column_size(metadata) <= 8192))),
  CONSTRAINT "buddy_verification_audit_pkey" PRIMARY KEY (id),
  CONSTRAINT "buddy_verification_audit_user_agent_length" CHECK ((char_length(user_agent) <= 500))
);

ALTER TABLE "public"."buddy_verification_audit"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."buddy_verification_audit" FROM "anon";

CREATE TABLE "public"."support_alerts" (
  "id"                     uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "user_id"                uuid                     NOT NULL,
  "status"                 text                     NOT NULL DEFAULT 'open'::text,
  "worrying_days"          smallint                 NOT NULL,
  "step"                   smallint                 NOT NULL DEFAULT 0,
  "step_began_at"          timestamp with time zone NOT NULL DEFAULT now(),
  "crisis_contact_told_at" timestamp with time zone,
  "all_right_at"           timestamp with time zone,
  "opened_at"              timestamp with time zone NOT NULL DEFAULT now(),
  "ended_at"               timestamp with time zone,
  CONSTRAINT "support_alerts_ended_at_when_ended" CHECK (((status = 'open'::text) = (ended_at IS NULL))),
  CONSTRAINT "support_alerts_pkey" PRIMARY KEY (id),
  CONSTRAINT "support_alerts_status_known" CHECK ((status = ANY (ARRAY['open'::text, 'answered'::text, 'escalated'::text, 'resolved'::text, 'expired'::text]))),
  CONSTRAINT "support_alerts_step_range" CHECK (((step >= 0) AND (step <= 5))),
  CONSTRAINT "support_alerts_worrying_days_range" CHECK (((worrying_days >= 1) AND (worrying_days <= 30)))
);

ALTER TABLE "public"."support_alerts"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."support_alerts" FROM "anon";

CREATE TABLE "public"."support_preferences" (
  "alerts_paused_until" timestamp with time zone,
  "pass_on_all_right"   boolean                  NOT NULL DEFAULT true,
  "user_id"             uuid                     NOT NULL DEFAULT auth.uid(),
  CONSTRAINT "support_preferences_pkey" PRIMARY KEY (user_id)
);

ALTER TABLE "public"."support_preferences"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."support_preferences" FROM "anon";

ALTER TABLE "private"."messaging_settings"
  ADD COLUMN "keep_inbound" interval NOT NULL DEFAULT '1 year'::interval;

ALTER TABLE "private"."outbox"
  ADD COLUMN "contact_id" uuid;

ALTER TABLE "private"."outbox"
  ADD COLUMN "request_id" uuid;

ALTER TABLE "private"."outbox"
  ADD COLUMN "provider_status" text;

ALTER TYPE "public"."review_source" ADD VALUE 'support_alert' AFTER 'transcript';


SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.advance_alert (
  alert uuid,
  at    timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  due text;
begin
  loop
    select p.action into due
    from private.alert_progress p
    where p.alert_id = alert and p.due_at <= at
    order by p.priority
    limit 1;
    exit when not found;
    case due
      when 'resolve' then
        perform private.end_alert(alert, 'resolved', at);
      when 'answer' then
        perform private.end_alert(alert, 'answered', at);
      when 'expire' then
        perform private.tell_crisis_contact(alert, 'nobody of their support circle has responded in time', at);
        perform private.end_alert(alert, 'expired', at);
      when 'ask_next' then
        perform private.ask_next_contacts(alert, at);
      when 'tell_crisis_contact' then
        perform private.tell_crisis_contact(
          alert, 'the texts to their support circle wait until they may be sent', at
        );
    end case;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION private.answer_alert (
  request  uuid,
  response text,
  at       timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  alert uuid;
begin
  select a.id into alert
  from private.support_alert_plan p
  join public.support_alerts a on a.id = p.alert_id
  where p.request_id = request and a.status = 'open'
  for update of a;
  if not found then
    return;
  end if;
  if response in ('called', 'messaged') then
    perform private.end_alert(alert, 'answered', at);
  else
    perform private.advance_alert(alert, at);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.answer_request (
  token_hash text,
  response   text,
  at         timestamp with time zone
)
  RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  link private.buddy_links;
  state text;
  kind text;
begin
  select * into link from private.buddy_links l where l.token_hash = answer_request.token_hash;
  if not found then
    return 'unknown';
  end if;
  -- Alert, text, request: the order in which escalation and delivery lock them.
  perform
  from private.support_alert_plan step
  join public.support_alerts a on a.id = step.alert_id
  where step.request_id = link.request_id
  for update of a;
  perform from private.outbox o where o.request_id = link.request_id for update;
  select r.request_type into kind from public.buddy_check_in_requests r where r.id = link.request_id for update;
  if not found then
    return 'unknown';
  end if;
  state := private.state_of_link(link, at);
  if state <> 'open' then
    return state;
  end if;
  update public.buddy_check_in_requests
  set response_type = response, response_received_at = at, link_clicked_at = coalesce(link_clicked_at, at)
  where id = link.request_id;
  if kind = 'system_initiated' then
    perform private.answer_alert(link.request_id, response, at);
  end if;
  return 'stored';
end
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
  perform private.queue_text(
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
  return request;
end
$function$;

CREATE OR REPLACE FUNCTION private.ask_next_contacts (
  alert uuid,
  at    timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  student uuid;
  next_step smallint;
  asked text;
begin
  select a.user_id, (select min(p.step) from private.support_alert_plan p where p.alert_id = a.id and p.step > a.step)
  into student, next_step
  from public.support_alerts a
  where a.id = alert;
  if next_step is null then
    perform private.tell_crisis_contact(
      alert,
      case
        when exists (select from private.support_alert_plan p where p.alert_id = alert and p.request_id is not null)
          then 'nobody of their support circle has responded'
        else 'nobody of their support circle can be reached'
      end,
      at
    );
    perform private.end_alert(alert, 'escalated', at);
    return;
  end if;

  update public.support_alerts set step = next_step, step_began_at = at where id = alert;
  update private.support_alert_plan p
  set request_id = private.ask_contact(p.contact_id, 'system_initiated', a.worrying_days, at)
  from public.support_alerts a
  where a.id = alert and p.alert_id = alert and p.step = next_step and p.contact_id is not null;
  select string_agg('- ' || private.name_in_message(c.name, 'a contact'), E'\n' order by p.position)
  into asked
  from private.support_alert_plan p
  join public.buddy_contacts c on c.id = p.contact_id
  where p.alert_id = alert and p.step = next_step and p.request_id is not null;
  if asked is null then
    return;
  end if;
  perform private.mail_student(
    alert,
    format(
      E'We are asking these people by text message to check in on you:\n%s\n\nThe text tells them that we noticed concerning patterns over %s days, and nothing else about you. If none of them responds within %s hours, we ask the next ones, and after them the crisis contact of your university.',
      asked,
      (select worrying_days from public.support_alerts where id = alert),
      (select extract(epoch from response_time)::integer / 3600 from private.support_settings)
    ),
    at
  );
  perform private.broadcast_alert(alert);
end
$function$;

CREATE OR REPLACE FUNCTION private.audit_expiry (
  asked public.buddy_contacts,
  at    timestamp with time zone
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  select private.audit_verification(asked, 'verification_expired', null, null, '{}', at)
  where not asked.verified
    and asked.declined_at is null
    and not exists (
      select from public.buddy_verification_audit a
      where a.buddy_contact_id = asked.id
        and a.event_type = 'verification_expired'
        and a.created_at >= asked.verification_token_expires_at
    )
$function$;

CREATE OR REPLACE FUNCTION private.audit_verification (
  asked   public.buddy_contacts,
  event   text,
  ip      inet,
  agent   text,
  details jsonb,
  at      timestamp with time zone
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  insert into public.buddy_verification_audit (buddy_contact_id, user_id, event_type, ip_address, user_agent, metadata, created_at)
  values (asked.id, asked.user_id, event, ip, left(agent, 500), jsonb_strip_nulls(details), at)
$function$;

CREATE OR REPLACE FUNCTION private.broadcast_alert (
  alert uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform realtime.send(
    jsonb_build_object(
      'alert_id', a.id,
      'status', a.status,
      'worrying_days', a.worrying_days,
      'step', a.step,
      'asked', (
        select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by p.position), '[]')
        from private.support_alert_plan p
        join public.buddy_contacts c on c.id = p.contact_id
        where p.alert_id = a.id and p.request_id is not null
      ),
      'crisis_contact_told_at', a.crisis_contact_told_at,
      'opened_at', a.opened_at,
      'ended_at', a.ended_at
    ),
    'support_alert',
    'support:' || a.user_id,
    true
  )
  from public.support_alerts a
  where a.id = alert;
end
$function$;

CREATE OR REPLACE FUNCTION private.cancel_all_to (
  contact uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.cancel_messages_to(contact);
  update private.buddy_links l
  set expires_at = now()
  from public.buddy_check_in_requests r
  where r.id = l.request_id and r.buddy_contact_id = contact and l.expires_at > now() and r.response_type is null;
end
$function$;

CREATE OR REPLACE FUNCTION private.cancel_all_to_changed_contact()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.cancel_all_to(old.id);
  return coalesce(new, old);
end
$function$;

CREATE OR REPLACE FUNCTION private.cancel_messages_to (
  contact uuid
)
  RETURNS integer
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with cancelled as (
    update private.outbox o
    set status = 'cancelled', lease_until = null, ended_at = now(), error_code = 'not_reachable'
    where o.contact_id = contact
      and (o.status = 'queued' or (o.status = 'sending' and o.provider_called_at is null))
    returning o.id
  )
  select count(*)::integer from cancelled
$function$;

CREATE OR REPLACE FUNCTION private.cancel_texts_to (
  number text
)
  RETURNS integer
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with cancelled as (
    update private.outbox o
    set status = 'cancelled', lease_until = null, ended_at = now(), error_code = 'not_reachable'
    where o.channel = 'sms' and o.recipient = number
      and (o.status = 'queued' or (o.status = 'sending' and o.provider_called_at is null))
    returning o.id
  )
  select count(*)::integer from cancelled
$function$;

CREATE OR REPLACE FUNCTION private.claim_messages (
  most integer
)
  RETURNS SETOF private.outbox
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  return query
  -- Materialized, so that the plan cannot take the limit more than once.
  with due as materialized (
    select o.id, private.may_send(o.contact_id, o.channel, o.recipient) as allowed
    from private.outbox o
    where o.status = 'queued' and o.send_at <= now()
    order by o.send_at
    limit most
    for update skip locked
  )
  update private.outbox o
  set status = case when due.allowed then 'sending' else 'cancelled' end::private.message_status,
    attempts = o.attempts + due.allowed::integer,
    lease_until = case when due.allowed then now() + s.lease end,
    provider_called_at = null,
    error_code = case when due.allowed then o.error_code else 'not_reachable' end,
    ended_at = case when not due.allowed then now() end
  from due, private.messaging_settings s
  where o.id = due.id
  returning o.*;
end
$function$;

CREATE OR REPLACE FUNCTION private.collect_worrying_days()
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  insert into private.worrying_days (user_id, day)
  select c.user_id, (coalesce(c.submitted_at, c.completed_at) at time zone 'UTC')::date
  from private.support_settings s
  join checkin.check_ins c on coalesce(c.submitted_at, c.completed_at) > now() - make_interval(days => s.pattern_window_days)
  left join checkin.fusion_results f on f.check_in_id = c.id
  where c.status in ('complete', 'failed')
    and (c.risk_level >= 'moderate' or (f.direction_of_change = 'worse' and f.significance = 'high'))
  on conflict do nothing
$function$;

CREATE OR REPLACE FUNCTION private.contact_of_token (
  token_hash text
)
  RETURNS uuid
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select c.id
  from public.buddy_contacts c
  where c.verification_token = token_hash and private.has_consent(c.user_id, 'support_circle')
$function$;

CREATE OR REPLACE FUNCTION private.count_click (
  token_hash text,
  at         timestamp with time zone
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  update public.buddy_check_in_requests r
  set link_clicked_at = at
  from private.buddy_links l
  where l.token_hash = count_click.token_hash and r.id = l.request_id
    and r.link_clicked_at is null
    and private.state_of_link(l, at) = 'open'
$function$;

CREATE OR REPLACE FUNCTION private.decide_verification (
  token_hash     text,
  accepted       boolean,
  reason         text,
  last_digits    text,
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
  own_digits text := right(asked.phone, 4);
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
    perform private.audit_verification(
      asked, 'verification_declined', ip, agent,
      jsonb_build_object('method', method, 'reason', nullif(btrim(left(reason, 500)), '')), at
    );
    return 'declined';
  end if;

  if asked.confirmation_tries >= 3 then
    return 'too_many_tries';
  end if;
  if last_digits is distinct from own_digits and not (method = 'link' and last_digits is null) then
    update public.buddy_contacts
    set confirmation_tries = confirmation_tries + 1
    where id = asked.id;
    return case when asked.confirmation_tries < 2 then 'wrong_digits' else 'too_many_tries' end;
  end if;
  -- An unknown zone is an error here rather than in every text that asks for the contact's time.
  perform at at time zone decide_verification.time_zone;
  update public.buddy_contacts
  set verified = true,
    verified_at = at,
    phone_confirmed_at = case when last_digits is not null then at end,
    time_zone = decide_verification.time_zone,
    texts_at_night = coalesce(decide_verification.texts_at_night, false)
  where id = asked.id;
  perform private.audit_verification(
    asked, 'verification_accepted', ip, agent,
    jsonb_build_object(
      'method', method,
      'wording', wording,
      'number_ends_in', own_digits,
      'number_confirmed', last_digits is not null,
      'time_zone', decide_verification.time_zone,
      'texts_at_night', coalesce(decide_verification.texts_at_night, false)
    ),
    at
  );
  return 'accepted';
end
$function$;

CREATE OR REPLACE FUNCTION private.delivery_status_of (
  status          private.message_status,
  provider_status text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case
      when provider_status is not null then provider_status
      when status = 'sending' then 'queued'
      when status = 'dead' then 'failed'
      else status::text
    end
$function$;

CREATE OR REPLACE FUNCTION private.detach_contact()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update public.buddy_verification_audit set buddy_contact_id = null where buddy_contact_id = old.id;
  update public.buddy_check_in_requests set buddy_contact_id = null where buddy_contact_id = old.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.end_alert (
  alert  uuid,
  status text,
  at     timestamp with time zone
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update public.support_alerts a
  set status = end_alert.status, ended_at = at
  where a.id = alert and a.status = 'open';
  if not found then
    return false;
  end if;
  -- What the provider was called for may have been sent already.
  update private.outbox o
  set status = 'cancelled', lease_until = null, ended_at = at, error_code = 'alert_ended'
  from private.support_alert_plan p
  where p.alert_id = alert
    and o.request_id = p.request_id
    and o.purpose = 'support_alert'
    and (o.status = 'queued' or (o.status = 'sending' and o.provider_called_at is null));
  perform private.broadcast_alert(alert);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.end_support_circle()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.lock_contacts_of(new.user_id);
  perform private.cancel_all_to(c.id) from public.buddy_contacts c where c.user_id = new.user_id;
  update public.buddy_contacts
  set verification_token = null, verification_token_expires_at = null
  where user_id = new.user_id and verification_token is not null;
  perform private.end_alert(a.id, 'resolved', now())
  from public.support_alerts a
  where a.user_id = new.user_id and a.status = 'open';
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.find_standstills (
  at timestamp with time zone
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  found_now text[];
begin
  update private.support_standstills s
  set ended_at = at
  where s.ended_at is null
    and not exists (
      select
      from private.standstills_at(at) f
      where f.kind = s.kind and f.alert_id is not distinct from s.alert_id and f.user_id is not distinct from s.user_id
    );
  with stored as (
    insert into private.support_standstills as s (kind, alert_id, user_id, found_at)
    select distinct f.kind, f.alert_id, f.user_id, at
    from private.standstills_at(at) f
    on conflict (kind, alert_id, user_id) where ended_at is null do nothing
    returning s.kind, s.alert_id
  )
  select array_agg(format('%s%s', t.kind, ': alert ' || t.alert_id) order by t.kind, t.alert_id) into found_now
  from stored t;

  if found_now is not null then
    raise warning 'Support alerts stand still: %', found_now[1:100];
    insert into private.outbox (channel, purpose, recipient, subject, body)
    select
      'email',
      'support_standstill',
      s.operator_email,
      'Support alerts stand still',
      format(
        E'%s, found at %s UTC:\n\n%s\n\nWhat each means and what to do is in docs/support-alerts.md.',
        case cardinality(found_now) when 1 then 'One standstill' else cardinality(found_now) || ' standstills' end,
        to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI'),
        array_to_string(found_now[1:100], E'\n')
      )
    from private.support_settings s
    where s.operator_email is not null;
  end if;
  perform private.call_function('deliver-messages', '{"type": "UPDATE", "schema": "private", "table": "outbox"}')
  where exists (select from private.support_standstills where reported_at is null);
  return coalesce(cardinality(found_now), 0);
end
$function$;

CREATE OR REPLACE FUNCTION private.follow_delivery()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update public.buddy_check_in_requests r
  set delivery_status = private.delivery_status_of(new.status, new.provider_status),
    sent_at = coalesce(r.sent_at, case when new.status = 'sent' then new.ended_at end)
  where r.id = new.request_id;
  return null;
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

CREATE OR REPLACE FUNCTION private.guard_pause()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.refuse(
    400, 'invalid_value', format('Alerts can be paused for %s days at most.', round(extract(epoch from s.longest_student_pause) / 86400))
  )
  from private.support_settings s
  where new.alerts_paused_until > now() + s.longest_student_pause;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.has_opted_out (
  number text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (select from private.text_opt_outs o where o.number_hash = private.hash_of_number(number))
$function$;

CREATE OR REPLACE FUNCTION private.hash_of_number (
  number text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select encode(sha256(convert_to(decrypted_secret || ':' || number, 'UTF8')), 'hex')
  from vault.decrypted_secrets
  where name = 'number_hash_key'
$function$;

CREATE OR REPLACE FUNCTION private.hear_provider_opt_out (
  number text,
  code   text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- Twilio: the recipient replied STOP to this sender or service.
  if code = '21610' and number is not null then
    perform private.opt_out_number(number, 'provider', now());
  end if;
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
  replied boolean;
begin
  perform pg_advisory_xact_lock(private.recipient_lock(number));
  replied := exists (
    select from private.inbound_texts t
    where t.number_hash = sender and t.meaning = hear_text.meaning and t.received_at > at - interval '1 day'
  );
  insert into private.inbound_texts (provider_message_id, number_hash, meaning, received_at)
  values (hear_text.provider_message_id, sender, hear_text.meaning, at)
  on conflict do nothing;
  if not found then
    return jsonb_build_object('repeated', true);
  end if;

  if meaning = 'stop' then
    changed := private.opt_out_number(number, 'reply', at);
  elsif meaning = 'start' then
    delete from private.text_opt_outs o where o.number_hash = sender;
    changed := found;
  end if;
  return jsonb_build_object(
    'repeated', false,
    'changed', changed,
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

CREATE OR REPLACE FUNCTION private.link_token_hash (
  token text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select encode(sha256(convert_to(token, 'UTF8')), 'hex')
$function$;

CREATE OR REPLACE FUNCTION private.lock_contact (
  contact uuid
)
  RETURNS public.buddy_contacts
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  locked public.buddy_contacts;
  student uuid := (select c.user_id from public.buddy_contacts c where c.id = contact);
begin
  perform from auth.users u where u.id = student for key share;
  perform private.lock_contacts_of(student);
  select * into locked from public.buddy_contacts c where c.id = contact for update;
  return locked;
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_contacts_of (
  student uuid
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  select pg_advisory_xact_lock(54, hashtext(student::text))
$function$;

CREATE OR REPLACE FUNCTION private.lock_own_contacts()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if auth.uid() is not null then
    perform private.lock_contacts_of(auth.uid());
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.mail_student (
  alert uuid,
  told  text,
  at    timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  insert into private.outbox (channel, purpose, user_id, recipient, subject, body, send_at)
  select
    'email',
    'support_alert_notice',
    a.user_id,
    u.email,
    'About your support circle',
    format(
      E'Hi %s,\n\nYour check-ins of %s of the last %s days made us think that you might not be well, and you agreed that your support circle is told then.\n\n%s\n\nIf you are all right, say so in the app under "Support circle": nobody else is asked then.\n\nSomebody to talk to now:\n%s',
      private.name_in_message(p.first_name, 'there'),
      a.worrying_days,
      s.pattern_window_days,
      told,
      (
        select string_agg(format('- %s: %s', r ->> 'name', coalesce(r ->> 'phone', r ->> 'website')), E'\n')
        from jsonb_array_elements(private.crisis_resources(a.user_id)) as r
      )
    ),
    at
  from public.support_alerts a
  cross join private.support_settings s
  join auth.users u on u.id = a.user_id and u.email <> ''
  left join public.profiles p on p.user_id = a.user_id
  where a.id = alert;
end
$function$;

CREATE OR REPLACE FUNCTION private.mailbox_hash (
  address text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select private.hash_of_number(private.mailbox_of(address))
$function$;

CREATE OR REPLACE FUNCTION private.mark_provider_call (
  message uuid,
  attempt smallint
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  allowed boolean;
begin
  -- One statement after the other: each sees what was committed before it began.
  perform pg_advisory_xact_lock_shared(private.recipient_lock(o.recipient)) from private.outbox o where o.id = message;
  perform from public.buddy_contacts c where c.id = (select o.contact_id from private.outbox o where o.id = message) for share;
  select private.may_send(o.contact_id, o.channel, o.recipient) into allowed
  from private.outbox o
  where o.id = message and o.attempts = attempt and o.status = 'sending' and o.lease_until > now()
  for update;
  update private.outbox o
  set provider_called_at = case when allowed then now() end,
    status = case when allowed then 'sending' else 'cancelled' end::private.message_status,
    lease_until = case when allowed then o.lease_until end,
    error_code = case when allowed then o.error_code else 'not_reachable' end,
    ended_at = case when not allowed then now() end
  where o.id = message and allowed is not null;
  return coalesce(allowed, false);
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
  return exists (
    select
    from public.buddy_contacts c
    join auth.users u on u.id = c.user_id
    where c.id = contact
      and c.is_active
      and (u.banned_until is null or u.banned_until <= now())
      and private.has_consent(c.user_id, 'support_circle')
      and case may_reach.channel
        when 'email' then c.email = may_reach.recipient
        when 'sms' then
          c.verified and c.phone = may_reach.recipient
          and not exists (select from private.text_opt_outs o where o.number_hash = private.hash_of_number(c.phone))
      end
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.may_send (
  contact   uuid,
  channel   private.message_channel,
  recipient text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select case
      when contact is not null then private.may_reach(contact, channel, recipient)
      else channel <> 'sms' or not private.has_opted_out(recipient)
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
              '(https?:|www\.|//)[^[:space:]]*|[^[:space:]]*[[:alnum:]]\.[[:alpha:]][^[:space:]]*|[<>"{}|\\^`@#]', ' ', 'gi'
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

CREATE OR REPLACE FUNCTION private.new_link_token()
  RETURNS text
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  select replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
$function$;

CREATE OR REPLACE FUNCTION private.next_request_at (
  student uuid,
  contact uuid
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select max(r.created_at) + s.request_pause
  from public.buddy_contacts c
  join public.buddy_check_in_requests r on r.user_id = c.user_id
  join private.buddy_links l on l.request_id = r.id
  cross join private.support_settings s
  where c.id = contact and c.user_id = student
    and r.request_type = 'user_initiated'
    and r.delivery_status <> 'cancelled'
    and (r.buddy_contact_id = c.id or l.number_hash = private.hash_of_number(c.phone))
  group by s.request_pause
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
  return (select case
      when c.texts_at_night or here.clock::time between s.day_begins and s.day_ends then at
      else (
        (here.clock::date + (here.clock::time > s.day_ends)::integer) + s.day_begins
      ) at time zone zone
    end
  from public.buddy_contacts c
  cross join private.support_settings s
  cross join lateral (select coalesce(c.time_zone, 'UTC') as zone) as place
  cross join lateral (select at at time zone zone as clock) as here
  where c.id = contact);
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_crisis_contact()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
          then 'A student whose support circle did not respond has an open review: now their answers show signs of a crisis.'
        else 'A student with an open review has come to your university: we found signs that they need one.'
      end,
      new.id,
      to_char(new.opened_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
    )
  );
  return null;
end
$function$;


SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.open_clinical_review (
  student  uuid,
  found_in public.review_source,
  found_at uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  review uuid;
begin
  -- The update locks the review and returns it; it changes only what an alert opened and a higher risk joins.
  insert into public.clinical_reviews as r (user_id, university_id, source, source_id, risk_level)
  select p.user_id, p.university_id, found_in, found_at,
    case found_in when 'support_alert' then 'moderate' else 'high' end::checkin.risk_level
  from public.profiles p
  where p.user_id = student
  for share
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
$function$;

CREATE OR REPLACE FUNCTION private.open_support_alert (
  student       uuid,
  worrying_days integer,
  at            timestamp with time zone
)
  RETURNS uuid
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  alert uuid;
begin
  insert into public.support_alerts (user_id, worrying_days, opened_at, step_began_at)
  values (student, open_support_alert.worrying_days, at, at)
  returning id into alert;
  insert into private.support_alert_plan (alert_id, position, step, contact_id)
  select alert, c.position, (c.position - 1) / s.contacts_at_once + 1, c.id
  from private.support_settings s
  cross join (
    select id, row_number() over (order by priority_rank) as position
    from public.buddy_contacts
    where user_id = student and is_active and verified and private.may_reach(id, 'sms', phone)
  ) as c;
  perform private.advance_alert(alert, at);
  return alert;
end
$function$;

CREATE OR REPLACE FUNCTION private.open_support_alerts (
  at timestamp with time zone
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  student record;
  opened integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('private.open_support_alerts', 0)) then
    return 0;
  end if;
  for student in select * from private.students_to_alert(at) loop
    begin
      perform private.open_support_alert(student.user_id, student.worrying_days, at);
      opened := opened + 1;
    exception when others then
      raise warning 'The support alert of student % was not opened: %', student.user_id, sqlstate;
    end;
  end loop;
  return opened;
end
$function$;

CREATE OR REPLACE FUNCTION private.opt_out_number (
  number   text,
  heard_by text,
  at       timestamp with time zone
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  is_new boolean;
begin
  -- A text that is being handed over is recorded before this goes on, and none is handed over after it.
  perform pg_advisory_xact_lock(private.recipient_lock(number));
  insert into private.text_opt_outs (number_hash, opted_out_at, heard_by)
  values (private.hash_of_number(number), at, opt_out_number.heard_by)
  on conflict do nothing;
  is_new := found;
  perform private.cancel_texts_to(number);
  return is_new;
end
$function$;

CREATE OR REPLACE FUNCTION private.owns_support_channel (
  topic text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(topic = 'support:' || (select private.current_account()), false)
$function$;

CREATE OR REPLACE FUNCTION private.pages_url()
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select rtrim(coalesce(max(decrypted_secret) filter (where name = 'pages_url'), max(decrypted_secret) filter (where name = 'functions_url')), '/')
  from vault.decrypted_secrets
  where name in ('pages_url', 'functions_url')
$function$;

CREATE OR REPLACE FUNCTION private.personal_data_of (
  student uuid,
  page    integer
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with paging as (
    select 50 as size, greatest(page, 0)::bigint * 50 as skipped
  ),
  consents as (
    select to_jsonb(c) as consent, row_number() over (order by c.granted_at, c.id) as place
    from public.consents c
    where c.user_id = student
    order by place
    limit (select size from paging) offset (select skipped from paging)
  ),
  check_ins as (
    select c, row_number() over (order by c.created_at, c.id) as place
    from checkin.check_ins c
    where c.user_id = student
    order by place
    limit (select size from paging) offset (select skipped from paging)
  ),
  transcripts as (
    select to_jsonb(t) - 'user_id' as transcript, row_number() over (order by t.created_at, t.id) as place
    from private.transcript_results t
    where t.user_id = student
    order by place
    limit (select size from paging) offset (select skipped from paging)
  ),
  verifications as (
    select to_jsonb(a) - array['ip_address', 'user_agent'] as verification, row_number() over (order by a.created_at, a.id) as place
    from public.buddy_verification_audit a
    where a.user_id = student
    order by place
    limit (select size from paging) offset (select skipped from paging)
  ),
  sessions as (
    select s, row_number() over (order by s.created_at, s.id) as place
    from public.assessment_sessions s
    where s.user_id = student
    order by place
    limit (select size from paging) offset (select skipped from paging)
  )
  select jsonb_build_object(
    'exported_at', now(),
    'page', greatest(page, 0),
    'next_page', (
      select case
        when p.size + p.skipped < greatest(
          (select count(*) from public.consents c where c.user_id = student),
          (select count(*) from checkin.check_ins c where c.user_id = student),
          (select count(*) from private.transcript_results t where t.user_id = student),
          (select count(*) from public.buddy_verification_audit a where a.user_id = student),
          (select count(*) from public.assessment_sessions s where s.user_id = student)
        ) then greatest(page, 0) + 1
      end
      from paging p
    ),
    'profile', (select to_jsonb(p) from public.profiles p where p.user_id = student),
    'enrolment', (select to_jsonb(s) from public.students s where s.user_id = student),
    'roles', (select coalesce(jsonb_agg(to_jsonb(r) - 'id' order by r.created_at, r.id), '[]') from public.user_roles r where r.user_id = student),
    'support_alerts', (select coalesce(jsonb_agg(to_jsonb(a) - 'user_id' order by a.opened_at), '[]') from public.support_alerts a where a.user_id = student),
    'baseline', (select to_jsonb(b) from checkin.user_baselines b where b.user_id = student),
    'consents', (select coalesce(jsonb_agg(c.consent order by c.place), '[]') from consents c),
    'check_ins', (
      select coalesce(
        jsonb_agg(
          to_jsonb(i.c) || jsonb_build_object(
            'audio_analysis', to_jsonb(a), 'visual_analysis', to_jsonb(v), 'text_analysis', to_jsonb(t), 'result', to_jsonb(f)
          )
          order by i.place
        ),
        '[]'
      )
      from check_ins i
      left join checkin.audio_analysis a on a.check_in_id = (i.c).id
      left join checkin.visual_analysis v on v.check_in_id = (i.c).id
      left join checkin.text_analysis t on t.check_in_id = (i.c).id
      left join checkin.fusion_results f on f.check_in_id = (i.c).id
    ),
    'transcripts', (select coalesce(jsonb_agg(t.transcript order by t.place), '[]') from transcripts t),
    'contacts', (
      select coalesce(jsonb_agg(to_jsonb(c) - 'verification_token' order by c.created_at, c.id), '[]')
      from public.buddy_contacts c
      where c.user_id = student
    ),
    'contact_verifications', (select coalesce(jsonb_agg(v.verification order by v.place), '[]') from verifications v),
    'support_preferences', (select to_jsonb(p) from public.support_preferences p where p.user_id = student),
    'sessions', (
      select coalesce(
        jsonb_agg(
          to_jsonb(i.s) || jsonb_build_object(
            'analyses', (
              select coalesce(jsonb_agg(to_jsonb(a) order by a.modality), '[]')
              from public.session_analyses a
              where a.session_id = (i.s).id
            ),
            'score', (select to_jsonb(r) from public.session_scores r where r.session_id = (i.s).id)
          )
          order by i.place
        ),
        '[]'
      )
      from sessions i
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.purge_declined_contacts()
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  delete from public.buddy_contacts c
  using private.support_settings s
  where c.declined_at < now() - s.keep_declined
$function$;

CREATE OR REPLACE FUNCTION private.purge_inbound_texts()
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  delete from private.inbound_texts t
  using private.messaging_settings s
  where t.received_at < now() - s.keep_inbound
$function$;

CREATE OR REPLACE FUNCTION private.purge_sent_messages()
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  delete from private.outbox o
  using private.messaging_settings s
  where o.status in ('sent', 'cancelled') and o.ended_at < now() - s.keep_sent
$function$;

CREATE OR REPLACE FUNCTION private.purge_worrying_days()
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  delete from private.worrying_days w
  using private.support_settings s
  where w.day <= (now() at time zone 'UTC')::date - s.pattern_window_days
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
  select 'sms', queue_text.purpose, c.user_id, c.id, request, c.phone, queue_text.body, private.next_text_time(c.id, at)
  from public.buddy_contacts c
  where c.id = contact and private.may_reach(c.id, 'sms', c.phone)
  returning id into queued;
  return queued;
end
$function$;

CREATE OR REPLACE FUNCTION private.read_request (
  token_hash text,
  at         timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(
    (
      select jsonb_build_object(
        'state', state,
        'request_type', r.request_type,
        'contact_name', private.name_in_message(c.name, 'there'),
        'student_name', private.name_in_message(p.first_name, 'your friend'),
        'worrying_days', a.worrying_days,
        'response_type', r.response_type,
        'resources', private.crisis_resources(r.user_id)
      )
      from private.buddy_links l
      join public.buddy_check_in_requests r on r.id = l.request_id
      join public.profiles p on p.user_id = r.user_id
      left join public.buddy_contacts c on c.id = r.buddy_contact_id
      left join private.support_alert_plan step on step.request_id = r.id
      left join public.support_alerts a on a.id = step.alert_id
      cross join lateral (select private.state_of_link(l, at) as state) as now_is
      where l.token_hash = read_request.token_hash
    ),
    jsonb_build_object('state', 'unknown', 'resources', private.crisis_resources(null))
  )
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
        'tries_left', 3 - asked.confirmation_tries
      )
    end
    || case
      when state <> 'decided' then '{}'
      else jsonb_build_object('decision', case when asked.verified then 'accepted' else 'declined' end)
    end;
end
$function$;

CREATE OR REPLACE FUNCTION private.recipient_lock (
  recipient text
)
  RETURNS bigint
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select hashtextextended('recipient ' || recipient, 0)
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
        when outcome = 'rejected' and not private.may_send(o.contact_id, o.channel, o.recipient) then 'cancelled'
        when outcome = 'rejected' or o.attempts >= s.max_attempts then 'dead'
        else 'queued'
      end::private.message_status as next_status,
      now() + greatest(
        retry_after,
        least(s.retry_backoff * power(2, least(o.attempts - 1, 20)), s.longest_backoff)
      ) as next_attempt_at
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

CREATE OR REPLACE FUNCTION private.record_text_status (
  message             uuid,
  provider_message_id text,
  status              text,
  error_code          text
)
  RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  ranking constant text[] := array['sent', 'failed', 'undelivered', 'delivered'];
  stored text;
begin
  perform private.hear_provider_opt_out(o.recipient, record_text_status.error_code)
  from private.outbox o
  where o.id = message and o.channel = 'sms';

  update private.outbox o
  set status = 'sent',
    -- The sender may not have recorded yet that it handed the text over, and then will not.
    provider = coalesce(o.provider, 'twilio'),
    provider_message_id = coalesce(o.provider_message_id, record_text_status.provider_message_id),
    provider_status = record_text_status.status,
    error_code = record_text_status.error_code,
    lease_until = null,
    ended_at = case when o.status in ('sent', 'unconfirmed', 'dead') then o.ended_at else now() end
  where o.id = message and o.channel = 'sms'
    and array_position(ranking, record_text_status.status) > coalesce(array_position(ranking, o.provider_status), 0);

  select o.provider_status into stored from private.outbox o where o.id = message and o.channel = 'sms';
  return stored;
end
$function$;

CREATE OR REPLACE FUNCTION private.refuse (
  status  integer,
  code    text,
  message text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  raise exception '%', message using errcode = 'PT' || status, hint = code;
end
$function$;

CREATE OR REPLACE FUNCTION private.refuse_contact (
  asked public.buddy_contacts,
  at    timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  insert into private.buddy_refusals (user_id, address_hash, refused_at)
  select asked.user_id, address_hash, at
  from (
    values (private.mailbox_hash(asked.email)), (case when asked.verified then private.hash_of_number(asked.phone) end)
  ) as refused (address_hash)
  where address_hash is not null
  on conflict do nothing;
  update public.buddy_contacts
  set declined_at = at, is_active = false, verified = false
  where id = asked.id;
end
$function$;

CREATE OR REPLACE FUNCTION private.reorder_contacts (
  contact_ids uuid[]
)
  RETURNS uuid[]
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  student uuid := (select private.current_account());
begin
  if exists (
    select from unnest(contact_ids) as named
    where not exists (select from public.buddy_contacts c where c.id = named and c.user_id = student)
  ) then
    raise exception 'Only your own contacts can be ordered.' using errcode = 'insufficient_privilege';
  end if;
  -- In this order, as the deletion of the account takes them.
  perform from auth.users u where u.id = student for key share;
  perform private.lock_contacts_of(student);
  if (select array_agg(id order by id) from unnest(contact_ids) as id)
    is distinct from (select array_agg(c.id order by c.id) from public.buddy_contacts c where c.user_id = student and c.is_active)
  then
    perform private.refuse(400, 'invalid_value', 'Name each of your active contacts once, in the new order.');
  end if;
  update public.buddy_contacts c
  set priority_rank = o.place
  from unnest(contact_ids) with ordinality as o (id, place)
  where c.id = o.id and c.user_id = student and c.is_active;
  return contact_ids;
end
$function$;

CREATE OR REPLACE FUNCTION private.report_all_right (
  at timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  student uuid := private.current_account();
  alert uuid;
  contacts uuid[];
begin
  update public.support_alerts
  set all_right_at = at
  where user_id = student and status = 'open'
  returning id into alert;
  if not found then
    return null;
  end if;
  perform private.end_alert(alert, 'resolved', at);
  select array_agg(p.contact_id order by p.position) into contacts
  from private.support_alert_plan p
  join public.buddy_check_in_requests r on r.id = p.request_id
  left join private.outbox o on o.request_id = r.id and o.purpose = 'support_alert'
  left join public.support_preferences c on c.user_id = student
  where p.alert_id = alert
    and (r.sent_at is not null or o.status in ('sending', 'sent', 'unconfirmed'))
    and coalesce(c.pass_on_all_right, true);
  return jsonb_build_object(
    'alert_id', alert,
    'status', 'resolved',
    'contacts_told', (
      select count(
        private.queue_text(
          c.id,
          'support_all_right',
          format(
            'Hi %s, %s says they are all right. Thank you for being there. Reply STOP to opt out.',
            private.name_in_message(c.name, 'there'),
            private.name_in_message(p.first_name, 'your friend')
          ),
          null,
          at
        )
      )
      from public.buddy_contacts c
      left join public.profiles p on p.user_id = c.user_id
      where c.id = any (contacts)
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.report_standstills()
  RETURNS TABLE (
    id       uuid,
    kind     text,
    alert_id uuid
  )
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  update private.support_standstills s
  set reported_at = now()
  where s.reported_at is null
  returning s.id, s.kind, s.alert_id
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
begin
  -- One after another for a student, so that of many at once a number is asked once.
  perform from auth.users where id = student for no key update;
  if not exists (select from public.buddy_contacts where id = contact and user_id = student) then
    return jsonb_build_object('outcome', 'buddy_not_found');
  end if;
  if not private.has_consent(student, 'support_circle') then
    return jsonb_build_object('outcome', 'consent_required');
  end if;
  if not exists (select from public.buddy_contacts c where c.id = contact and private.may_reach(c.id, 'sms', c.phone)) then
    return jsonb_build_object('outcome', 'buddy_unavailable');
  end if;
  free_at := private.next_request_at(student, contact);
  if free_at > at then
    return jsonb_build_object(
      'outcome', 'rate_limited',
      'retry_after_s', greatest(1, ceil(extract(epoch from free_at - at)))::integer
    );
  end if;
  request := private.ask_contact(contact, 'user_initiated', null, at);
  -- A stop that was heard since the line above.
  if request is null then
    return jsonb_build_object('outcome', 'buddy_unavailable');
  end if;
  return (
    select jsonb_build_object('outcome', 'requested', 'request_id', request, 'send_at', o.send_at, 'waits', o.send_at > at)
    from private.outbox o
    where o.request_id = request
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.send_verification (
  student       uuid,
  contact       uuid,
  checked_phone text,
  ip            inet,
  agent         text,
  at            timestamp with time zone
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
    perform private.cancel_messages_to(contact);
    update public.buddy_contacts
    set verification_token = private.link_token_hash(token),
      verification_token_expires_at = at + settings.link_valid,
      confirmation_tries = 0
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

CREATE OR REPLACE FUNCTION private.standstills_at (
  at timestamp with time zone
)
  RETURNS TABLE (
    kind     text,
    alert_id uuid,
    user_id  uuid
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with clock as (
    select s.*, at - s.standstill_after as late, (at at time zone 'UTC')::date as today
    from private.support_settings s
  ),
  -- Materialized, so that no plan computes it for each alert.
  asked as materialized (
    select a.id as alert_id, a.user_id, r.id as request_id, r.created_at, r.sent_at, r.response_type, r.response_received_at,
      r.delivery_status, r.buddy_contact_id, o.id as message_id, o.status, o.send_at, o.lease_until, o.ended_at as message_ended_at,
      r.created_at = max(r.created_at) over (partition by a.id) as is_newest,
      greatest(
        case when r.response_type is not null then r.response_received_at end,
        case when o.status in ('dead', 'cancelled') or r.delivery_status in ('undelivered', 'failed') then o.ended_at end,
        case when not (c.is_active and c.verified) then c.updated_at end,
        n.opted_out_at
      ) as over_at
    from public.support_alerts a
    join public.buddy_check_in_requests r
      on r.user_id = a.user_id and r.request_type = 'system_initiated' and r.created_at >= a.opened_at
    left join private.outbox o on o.request_id = r.id and o.purpose = 'support_alert'
    left join public.buddy_contacts c on c.id = r.buddy_contact_id
    left join private.buddy_links l on l.request_id = r.id
    left join private.text_opt_outs n on n.number_hash = l.number_hash
    where a.status = 'open'
  ),
  happened as materialized (
    select q.alert_id,
      count(*) as requests,
      max(q.created_at) as asked_at,
      min(q.response_received_at) filter (where q.response_type in ('called', 'messaged')) as answered_at,
      count(*) filter (where q.is_newest and q.over_at is null) as awaited,
      max(q.over_at) filter (where q.is_newest) as over_at,
      coalesce(
        min(q.sent_at) filter (where q.is_newest and q.delivery_status not in ('undelivered', 'failed')),
        min(q.message_ended_at) filter (where q.is_newest and q.status = 'unconfirmed')
      ) as first_sent_at,
      bool_or(
        (q.status = 'queued' and (q.send_at < late or q.send_at > at + interval '24 hours'))
        or (q.status = 'sending' and q.lease_until < late)
      ) as is_stuck,
      bool_or(
        q.message_id is null and q.delivery_status = 'queued' and q.buddy_contact_id is not null and q.created_at < late
      ) as is_lost
    from clock
    cross join asked q
    group by q.alert_id
  ),
  facts as (
    select a.id as alert_id, a.user_id, a.opened_at, a.step, a.step_began_at, a.crisis_contact_told_at,
      coalesce(h.requests, 0) as requests, h.asked_at, h.answered_at, coalesce(h.awaited, 0) as awaited, h.over_at,
      h.first_sent_at, h.is_stuck, h.is_lost
    from public.support_alerts a
    left join happened h on h.alert_id = a.id
    where a.status = 'open'
  )
  select found.kind, f.alert_id, f.user_id
  from clock k
  cross join facts f
  cross join lateral (
    select max(p.step) as steps, count(p.request_id) as asked
    from private.support_alert_plan p
    where p.alert_id = f.alert_id
  ) as plan
  cross join lateral (
    values
      ('past_its_end', f.opened_at + k.alert_valid < k.late),
      ('answer_without_effect', f.answered_at < k.late),
      ('nobody_asked', f.requests = 0 and f.opened_at < k.late),
      ('nobody_awaited', f.requests > 0 and f.awaited = 0 and f.over_at < k.late),
      ('next_not_asked', f.answered_at is null and f.first_sent_at + k.response_time < k.late),
      (
        'crisis_contact_not_told',
        f.first_sent_at is null and f.crisis_contact_told_at is null and f.asked_at + k.response_time < k.late
      ),
      ('text_stuck', f.is_stuck),
      ('text_lost', f.is_lost),
      ('plan_wrong', f.asked_at < k.late and (f.step > coalesce(plan.steps, 0) or f.requests > plan.asked)),
      (
        'clock_wrong',
        f.opened_at > at + k.standstill_after or f.step_began_at > at + k.standstill_after
          or f.step_began_at < f.opened_at or f.step_began_at <> f.asked_at
      )
  ) as found (kind, is_so)
  where found.is_so

  union all
  select 'status_wrong', a.id, a.user_id
  from clock k
  join public.support_alerts a on a.ended_at > at - interval '7 days'
  where a.ended_at < a.opened_at
    or a.ended_at > at + k.standstill_after
    or case a.status
      when 'answered' then not exists (
        select
        from public.buddy_check_in_requests r
        where r.user_id = a.user_id and r.request_type = 'system_initiated' and r.created_at >= a.opened_at
          and r.response_type in ('called', 'messaged') and r.response_received_at <= a.ended_at + k.standstill_after
      )
      when 'resolved' then a.all_right_at is null
        and not exists (
          select
          from public.consents c
          where c.user_id = a.user_id and c.kind = 'support_circle' and c.withdrawn_at <= a.ended_at + k.standstill_after
        )
      when 'expired' then a.ended_at < a.opened_at + k.alert_valid
      else a.crisis_contact_told_at is null
    end

  union all
  select 'crisis_contact_not_told', a.id, a.user_id
  from public.support_alerts a
  where a.ended_at > at - interval '7 days'
    and a.crisis_contact_told_at is not null
    and not (
      exists (select from private.clinical_review_sources s where s.source = 'support_alert' and s.source_id = a.id)
      and exists (
        select
        from private.outbox o
        where o.user_id = a.user_id and o.purpose = 'support_alert_escalation' and o.status <> 'dead'
          and o.created_at >= a.opened_at - interval '1 day'
      )
    )

  union all
  select 'crisis_mail_stuck', null, o.user_id
  from clock k
  join private.outbox o on o.purpose = 'support_alert_escalation'
    and ((o.status = 'queued' and o.send_at < k.late) or (o.status = 'sending' and o.lease_until < k.late))

  union all
  select 'pattern_without_alert', null, w.user_id
  from clock k
  join private.worrying_days w on w.stored_at < k.late
    and w.day > k.today - k.pattern_window_days
    and w.day <= (k.late at time zone 'UTC')::date
  join auth.users u on u.id = w.user_id and (u.banned_until is null or u.banned_until < k.late)
  where exists (
      select
      from public.consents c
      where c.user_id = w.user_id and c.kind = 'support_circle' and c.withdrawn_at is null and c.granted_at < k.late
    )
    and not exists (
      select from public.support_preferences p where p.user_id = w.user_id and p.alerts_paused_until > k.late
    )
    and not exists (
      select from public.support_alerts a where a.user_id = w.user_id and a.opened_at > k.late - k.alert_pause
    )
  group by w.user_id, k.pattern_days
  having count(*) >= k.pattern_days

  union all
  -- Only while cron itself has worked for that long: after a pause of the project, the first runs have yet to come.
  select 'tick_not_running', null, null
  from clock k
  where exists (
      select from cron.job_run_details d where d.start_time between k.late - k.standstill_after and k.late
    )
    and not exists (
      select
      from cron.job_run_details d
      join cron.job j on j.jobid = d.jobid
      where j.jobname = 'tick-support-alerts' and j.active and d.status = 'succeeded' and d.end_time between k.late and at
    )
$function$;

CREATE OR REPLACE FUNCTION private.state_of_link (
  link private.buddy_links,
  at   timestamp with time zone
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select case
      when not private.has_consent(r.user_id, 'support_circle')
        or r.delivery_status = 'cancelled'
        or not exists (
          select from public.buddy_contacts c where c.id = r.buddy_contact_id and c.is_active and c.verified
        ) then 'cancelled'
      when link.expires_at <= at then 'expired'
      when r.response_type is not null then 'answered'
      else 'open'
    end
  from public.buddy_check_in_requests r
  where r.id = link.request_id
$function$;

CREATE OR REPLACE FUNCTION private.stop_by_link (
  token_hash text,
  at         timestamp with time zone
)
  RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  asked record;
begin
  select private.state_of_link(l, at) as state, r.buddy_contact_id as contact
  into asked
  from private.buddy_links l
  join public.buddy_check_in_requests r on r.id = l.request_id
  where l.token_hash = stop_by_link.token_hash;
  if not found then
    return 'unknown';
  end if;
  if asked.state not in ('open', 'answered') then
    return asked.state;
  end if;
  perform private.withdraw_contact(asked.contact, 'page', at);
  return 'stopped';
end
$function$;

CREATE OR REPLACE FUNCTION private.store_day_of_change()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.store_worrying_day(new.user_id, coalesce(c.submitted_at, new.created_at))
  from checkin.check_ins c
  where c.id = new.check_in_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.store_day_of_risk()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.store_worrying_day(new.user_id, coalesce(new.submitted_at, new.completed_at));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.store_worrying_day (
  student uuid,
  moment  timestamp with time zone
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  insert into private.worrying_days (user_id, day)
  select student, (moment at time zone 'UTC')::date
  from private.support_settings s
  where moment > now() - make_interval(days => s.pattern_window_days)
  on conflict do nothing
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
    (select p.first_name || ' ' || p.last_name from public.profiles p where p.user_id = student), 'A student whom you know'
  )
$function$;

CREATE OR REPLACE FUNCTION private.students_to_alert (
  at timestamp with time zone
)
  RETURNS TABLE (
    user_id       uuid,
    worrying_days integer
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with worried as materialized (
    select w.user_id, count(*)::integer as days
    from private.support_settings s
    cross join lateral (select (at at time zone 'UTC')::date as today) as clock
    join private.worrying_days w on w.day > clock.today - s.pattern_window_days and w.day <= clock.today
    group by w.user_id, s.pattern_days
    having count(*) >= s.pattern_days
  )
  select w.user_id, w.days
  from worried w
  cross join private.support_settings s
  join auth.users u on u.id = w.user_id and (u.banned_until is null or u.banned_until <= now())
  where exists (
      select from public.consents c
      where c.user_id = w.user_id and c.kind = 'support_circle' and c.withdrawn_at is null
    )
    and not exists (
      select from public.support_preferences p where p.user_id = w.user_id and p.alerts_paused_until > at
    )
    and not exists (
      select from public.support_alerts a
      where a.user_id = w.user_id and (a.status = 'open' or a.opened_at > at - s.alert_pause)
    )
$function$;

CREATE OR REPLACE FUNCTION private.tell_crisis_contact (
  alert  uuid,
  reason text,
  at     timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  student uuid;
begin
  update public.support_alerts
  set crisis_contact_told_at = at
  where id = alert and crisis_contact_told_at is null
  returning user_id into student;
  if not found then
    return;
  end if;
  perform private.open_clinical_review(student, 'support_alert', alert);
  perform private.queue_review_message(
    p.university_id,
    student,
    'support_alert_escalation',
    'Support circle: a student needs a clinical review',
    format(
      E'A lasting pattern in a student''s check-ins worries us, and %s.\n\nReview: %s\n\nSign in to see who it is and to claim the review. It stays open until a counselor claims it.',
      reason,
      (select r.id from public.clinical_reviews r where r.user_id = student and r.status <> 'closed')
    )
  )
  -- Also for an account without a profile: it becomes a dead letter, which operators are told of.
  from (select) as once
  left join public.profiles p on p.user_id = student;
  perform private.mail_student(
    alert, 'We have told the crisis contact of your university; a counselor may get in touch with you.', at
  );
  perform private.broadcast_alert(alert);
end
$function$;

CREATE OR REPLACE FUNCTION private.texts_in_flight (
  number text
)
  RETURNS integer
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select count(*)::integer
  from private.outbox o
  where o.channel = 'sms' and o.recipient = number and o.status = 'sending'
    and o.provider_called_at is not null and o.lease_until > now()
$function$;

CREATE OR REPLACE FUNCTION private.tick_support_alerts (
  at timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  alert uuid;
begin
  perform private.open_support_alerts(at);
  for alert in
    select a.id
    from public.support_alerts a
    where a.status = 'open'
      and exists (select from private.alert_progress p where p.alert_id = a.id and p.due_at <= at)
    order by a.opened_at
    for update of a skip locked
  loop
    begin
      perform private.advance_alert(alert, at);
    exception when others then
      raise warning 'The support alert % was not advanced: %', alert, sqlstate;
    end;
  end loop;
end
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
      'If you agree, you may now and then get a text message that asks you to check in on them: because they ask for it, or'
      ' because they have seemed to be struggling for some days. You call or write to them as you would anyway. You learn'
      ' nothing else about them, and you are never responsible for them.\n\n'
      'Read more and decide here, within %s days:\n%s\n\n'
      'If you do not want this, or do not know who this is, say no on that page or ignore this email: nobody is texted who has not'
      ' agreed. You can also stop later, at any time, by replying STOP to a text.\n\n'
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
        select private.name_in_message(u.name, u.short_name)
        from public.profiles p
        join public.universities u on u.id = p.university_id
        where p.user_id = asked.user_id
      ) as university
  ) n
$function$;

CREATE OR REPLACE FUNCTION private.verification_state (
  asked public.buddy_contacts,
  at    timestamp with time zone
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case
      when asked.id is null then 'unknown'
      when at >= asked.verification_token_expires_at then 'expired'
      when asked.verified or asked.declined_at is not null then 'decided'
      else 'open'
    end
$function$;

CREATE OR REPLACE FUNCTION private.withdraw_contact (
  contact  uuid,
  heard_by text,
  at       timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  asked public.buddy_contacts := private.lock_contact(contact);
begin
  if asked.id is null or asked.declined_at is not null then
    return;
  end if;
  perform private.refuse_contact(asked, at);
  perform private.audit_verification(
    asked, 'verification_declined', null, null, jsonb_build_object('method', heard_by, 'withdrawn', asked.verified), at
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.reorder_buddies (
  contact_ids uuid[]
)
  RETURNS uuid[]
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.reorder_contacts(contact_ids)
  AS reorder_contacts;
END;

REVOKE ALL ON FUNCTION "public"."reorder_buddies"(uuid[]) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.report_all_right()
  RETURNS jsonb
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.report_all_right(now())
  AS report_all_right;
END;

REVOKE ALL ON FUNCTION "public"."report_all_right"() FROM PUBLIC, "anon", "service_role";

ALTER TABLE "private"."buddy_refusals"
  ADD CONSTRAINT "buddy_refusals_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."buddy_verification_sends"
  ADD CONSTRAINT "buddy_verification_sends_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."messaging_settings"
  ADD CONSTRAINT "messaging_settings_positive"
    CHECK
    (((lease > '00:00:00'::interval) AND (retry_backoff > '00:00:00'::interval) AND (longest_backoff >= retry_backoff) AND (max_attempts > 0) AND (keep_sent > '00:00:00'::interval)
    AND (keep_inbound > '00:00:00'::interval) AND (review_digest_after > '00:00:00'::interval)));

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_ended_at_when_ended"
    CHECK
    (((status = ANY (ARRAY['sent'::private.message_status, 'unconfirmed'::private.message_status, 'dead'::private.message_status, 'cancelled'::private.message_status])) = (ended_at
    IS NOT NULL)));

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_provider_status_known" CHECK ((provider_status = ANY (ARRAY['sent'::text, 'delivered'::text, 'undelivered'::text, 'failed'::text])));

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_provider_status_when_sent" CHECK (((provider_status IS NULL) OR (status = 'sent'::private.message_status)));

ALTER TABLE "private"."support_standstills"
  ADD CONSTRAINT "support_standstills_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."worrying_days"
  ADD CONSTRAINT "worrying_days_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."buddy_links"
  ADD CONSTRAINT "buddy_links_request_id_fkey" FOREIGN KEY (request_id) REFERENCES public.buddy_check_in_requests(id) ON DELETE CASCADE;

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_request_id_fkey" FOREIGN KEY (request_id) REFERENCES public.buddy_check_in_requests(id) ON DELETE SET NULL;

ALTER TABLE "private"."support_alert_plan"
  ADD CONSTRAINT "support_alert_plan_request_id_fkey" FOREIGN KEY (request_id) REFERENCES public.buddy_check_in_requests(id) ON DELETE SET NULL;

ALTER TABLE "public"."buddy_check_in_requests"
  ADD CONSTRAINT "buddy_check_in_requests_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_contact_id_fkey" FOREIGN KEY (contact_id) REFERENCES public.buddy_contacts(id) ON DELETE CASCADE;

ALTER TABLE "private"."support_alert_plan"
  ADD CONSTRAINT "support_alert_plan_contact_id_fkey" FOREIGN KEY (contact_id) REFERENCES public.buddy_contacts(id) ON DELETE SET NULL;

ALTER TABLE "public"."buddy_verification_audit"
  ADD CONSTRAINT "buddy_verification_audit_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."support_alert_plan"
  ADD CONSTRAINT "support_alert_plan_alert_id_fkey" FOREIGN KEY (alert_id) REFERENCES public.support_alerts(id) ON DELETE CASCADE;

ALTER TABLE "private"."support_standstills"
  ADD CONSTRAINT "support_standstills_alert_id_fkey" FOREIGN KEY (alert_id) REFERENCES public.support_alerts(id) ON DELETE CASCADE;

ALTER TABLE "public"."support_alerts"
  ADD CONSTRAINT "support_alerts_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

CREATE VIEW "private"."alert_progress" WITH (security_invoker=true) AS  SELECT a.id AS alert_id,
    due.priority,
    due.action,
    due.due_at
   FROM (((public.support_alerts a
     CROSS JOIN private.support_settings s)
     CROSS JOIN LATERAL ( SELECT COALESCE(bool_or((r.response_type = ANY (ARRAY['called'::text, 'messaged'::text]))), false) AS answered,
            count(*) FILTER (WHERE ((p.step = a.step) AND t.is_awaited)) AS awaited,
            COALESCE(min(r.sent_at) FILTER (WHERE ((p.step = a.step) AND (NOT t.has_failed))), min(o.ended_at) FILTER (WHERE ((p.step = a.step) AND (o.status = 'unconfirmed'::private.message_status)))) AS first_sent_at
           FROM ((((private.support_alert_plan p
             JOIN public.buddy_check_in_requests r ON ((r.id = p.request_id)))
             LEFT JOIN private.outbox o ON (((o.request_id = r.id) AND (o.purpose = 'support_alert'::text))))
             CROSS JOIN LATERAL ( SELECT ((r.delivery_status = ANY (ARRAY['undelivered'::text, 'failed'::text, 'cancelled'::text])) OR COALESCE((o.status = ANY (ARRAY['dead'::private.message_status, 'cancelled'::private.message_status])), (r.sent_at IS NULL))) AS has_failed) f)
             CROSS JOIN LATERAL ( SELECT f.has_failed,
                    ((NOT f.has_failed) AND (r.response_type IS NULL) AND (EXISTS ( SELECT
                           FROM public.buddy_contacts c
                          WHERE ((c.id = p.contact_id) AND c.is_active AND c.verified))) AND (NOT (EXISTS ( SELECT
                           FROM (private.buddy_links l
                             JOIN private.text_opt_outs n ON ((n.number_hash = l.number_hash)))
                          WHERE (l.request_id = r.id))))) AS is_awaited) t)
          WHERE (p.alert_id = a.id)) told)
     CROSS JOIN LATERAL ( VALUES (1,'resolve'::text,
                CASE
                    WHEN (NOT private.has_consent(a.user_id, 'support_circle'::public.consent_kind)) THEN '-infinity'::timestamp with time zone
                    ELSE NULL::timestamp with time zone
                END), (2,'answer'::text,
                CASE
                    WHEN told.answered THEN '-infinity'::timestamp with time zone
                    ELSE NULL::timestamp with time zone
                END), (3,'expire'::text,(a.opened_at + s.alert_valid)), (4,'ask_next'::text,
                CASE
                    WHEN (told.awaited = 0) THEN '-infinity'::timestamp with time zone
                    ELSE (told.first_sent_at + s.response_time)
                END), (5,'tell_crisis_contact'::text,
                CASE
                    WHEN ((told.first_sent_at IS NULL) AND (a.crisis_contact_told_at IS NULL)) THEN (a.step_began_at + s.response_time)
                    ELSE NULL::timestamp with time zone
                END)) due(priority, action, due_at))
  WHERE ((a.status = 'open'::text) AND (due.due_at IS NOT NULL));

CREATE INDEX buddy_links_number_hash_idx ON private.buddy_links USING btree (number_hash);

CREATE INDEX buddy_verification_sends_user_id_idx ON private.buddy_verification_sends USING btree (user_id, mailbox_hash, sent_at DESC);

CREATE INDEX inbound_texts_number_hash_idx ON private.inbound_texts USING btree (number_hash, received_at DESC);

CREATE INDEX inbound_texts_received_at_idx ON private.inbound_texts USING btree (received_at);

CREATE INDEX outbox_contact_id_idx ON private.outbox USING btree (contact_id)
  WHERE (contact_id IS NOT NULL);

CREATE INDEX outbox_pending_recipient_idx ON private.outbox USING btree (recipient)
  WHERE (status = ANY (ARRAY['queued'::private.message_status, 'sending'::private.message_status]));

CREATE INDEX outbox_request_id_idx ON private.outbox USING btree (request_id)
  WHERE (request_id IS NOT NULL);

CREATE INDEX support_alert_plan_contact_id_idx ON private.support_alert_plan USING btree (contact_id);

CREATE INDEX support_alert_plan_request_id_idx ON private.support_alert_plan USING btree (request_id);

CREATE INDEX support_standstills_alert_id_idx ON private.support_standstills USING btree (alert_id);

CREATE UNIQUE INDEX support_standstills_lasting_idx ON private.support_standstills USING btree (kind, alert_id, user_id) NULLS NOT DISTINCT
  WHERE (ended_at IS NULL);

CREATE INDEX support_standstills_unreported_idx ON private.support_standstills USING btree (found_at)
  WHERE (reported_at IS NULL);

CREATE INDEX support_standstills_user_id_idx ON private.support_standstills USING btree (user_id);

CREATE INDEX worrying_days_day_idx ON private.worrying_days USING btree (day);

CREATE INDEX buddy_check_in_requests_buddy_contact_id_idx ON public.buddy_check_in_requests USING btree (buddy_contact_id);

CREATE INDEX buddy_check_in_requests_user_id_idx ON public.buddy_check_in_requests USING btree (user_id, created_at DESC);

CREATE INDEX buddy_contacts_declined_at_idx ON public.buddy_contacts USING btree (declined_at)
  WHERE (declined_at IS NOT NULL);

CREATE INDEX buddy_contacts_phone_idx ON public.buddy_contacts USING btree (phone);

CREATE UNIQUE INDEX buddy_contacts_verification_token_idx ON public.buddy_contacts USING btree (verification_token);

CREATE INDEX buddy_verification_audit_buddy_contact_id_idx ON public.buddy_verification_audit USING btree (buddy_contact_id);

CREATE INDEX buddy_verification_audit_user_id_idx ON public.buddy_verification_audit USING btree (user_id, created_at DESC);

CREATE INDEX support_alerts_ended_at_idx ON public.support_alerts USING btree (ended_at);

CREATE INDEX support_alerts_open_idx ON public.support_alerts USING btree (opened_at)
  WHERE (status = 'open'::text);

CREATE UNIQUE INDEX support_alerts_open_student_idx ON public.support_alerts USING btree (user_id)
  WHERE (status = 'open'::text);

CREATE INDEX support_alerts_user_id_idx ON public.support_alerts USING btree (user_id, opened_at DESC);

CREATE TRIGGER store_day_of_risk_at_insert
  AFTER INSERT ON checkin.check_ins
  FOR EACH ROW
  WHEN (((new.status = ANY (ARRAY['complete'::checkin.check_in_status, 'failed'::checkin.check_in_status])) AND (new.risk_level >= 'moderate'::checkin.risk_level)))
  EXECUTE FUNCTION private.store_day_of_risk();

CREATE TRIGGER store_day_of_risk
  AFTER UPDATE OF status, risk_level ON checkin.check_ins
  FOR EACH ROW
  WHEN
    (((new.status = ANY (ARRAY['complete'::checkin.check_in_status, 'failed'::checkin.check_in_status])) AND (new.risk_level >= 'moderate'::checkin.risk_level) AND ((new.status IS
    DISTINCT FROM old.status) OR (new.risk_level IS DISTINCT FROM old.risk_level))))
  EXECUTE FUNCTION private.store_day_of_risk();

CREATE TRIGGER store_day_of_change
  AFTER INSERT ON checkin.fusion_results
  FOR EACH ROW
  WHEN (((new.direction_of_change = 'worse'::checkin.direction_of_change) AND (new.significance = 'high'::checkin.significance)))
  EXECUTE FUNCTION private.store_day_of_change();

CREATE TRIGGER follow_delivery
  AFTER UPDATE OF status, provider_status ON private.outbox
  FOR EACH ROW
  WHEN (((new.request_id IS
    NOT NULL) AND (private.delivery_status_of(new.status, new.provider_status) IS DISTINCT FROM private.delivery_status_of(old.status, old.provider_status))))
  EXECUTE FUNCTION private.follow_delivery();

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR DELETE OR UPDATE ON private.support_settings DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('only_row');

CREATE TRIGGER cancel_all_to_changed_contact
  AFTER UPDATE ON public.buddy_contacts
  FOR EACH ROW
  WHEN (((old.is_active AND (NOT new.is_active)) OR ((old.phone IS DISTINCT FROM new.phone) OR (old.email IS DISTINCT FROM new.email))))
  EXECUTE FUNCTION private.cancel_all_to_changed_contact();

CREATE TRIGGER cancel_all_to_deleted_contact
  BEFORE DELETE ON public.buddy_contacts
  FOR EACH ROW
  EXECUTE FUNCTION private.cancel_all_to_changed_contact();

CREATE TRIGGER detach_contact
  AFTER DELETE ON public.buddy_contacts
  FOR EACH ROW
  EXECUTE FUNCTION private.detach_contact();

CREATE TRIGGER guard_contact
  BEFORE INSERT OR UPDATE ON public.buddy_contacts
  FOR EACH ROW
  EXECUTE FUNCTION private.guard_contact();

CREATE TRIGGER lock_own_contacts
  BEFORE INSERT OR UPDATE OF is_active ON public.buddy_contacts
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.lock_own_contacts();

CREATE TRIGGER touch_updated_at
  BEFORE UPDATE ON public.buddy_contacts
  FOR EACH ROW
  EXECUTE FUNCTION private.touch_updated_at();

CREATE TRIGGER notify_crisis_contact
  AFTER INSERT ON public.clinical_reviews
  FOR EACH ROW
  WHEN ((new.risk_level = 'high'::checkin.risk_level))
  EXECUTE FUNCTION private.notify_crisis_contact();

CREATE TRIGGER notify_of_higher_risk
  AFTER UPDATE OF risk_level ON public.clinical_reviews
  FOR EACH ROW
  WHEN (((new.status <> 'closed'::public.review_status) AND (new.risk_level > old.risk_level)))
  EXECUTE FUNCTION private.notify_crisis_contact();

CREATE TRIGGER end_support_circle
  AFTER UPDATE ON public.consents
  FOR EACH ROW
  WHEN (((new.kind = 'support_circle'::public.consent_kind) AND (old.withdrawn_at IS NULL) AND (new.withdrawn_at IS NOT NULL)))
  EXECUTE FUNCTION private.end_support_circle();

CREATE TRIGGER guard_pause
  BEFORE INSERT OR UPDATE OF alerts_paused_until ON public.support_preferences
  FOR EACH ROW
  EXECUTE FUNCTION private.guard_pause();

CREATE POLICY "students see their own requests" ON "public"."buddy_check_in_requests"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students see the verifications of their contacts" ON "public"."buddy_verification_audit"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students see the alerts about them" ON "public"."support_alerts"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students receive broadcasts of their own channels" ON "realtime"."messages"
  FOR SELECT
  TO "authenticated"
  USING
    (((EXTENSION = 'broadcast'::text) AND (( SELECT private.owns_check_in_channel(( SELECT realtime.topic() AS topic)) AS owns_check_in_channel) OR ( SELECT
    private.owns_session_channel(( SELECT realtime.topic() AS topic)) AS owns_session_channel) OR
    ( SELECT private.owns_support_channel(( SELECT realtime.topic() AS topic)) AS owns_support_channel))));

COMMENT ON COLUMN "private"."buddy_links"."expires_at" IS 'When the link expires.';

COMMENT ON COLUMN "private"."buddy_links"."number_hash" IS 'private.hash_of_number of the number that was asked, so that a contact who is deleted and added again is the same.';

COMMENT ON COLUMN "private"."buddy_links"."request_id" IS 'The request.';

COMMENT ON COLUMN "private"."buddy_links"."token_hash" IS 'private.link_token_hash of the token in the link.';

COMMENT ON COLUMN "private"."buddy_refusals"."address_hash" IS 'private.hash_of_number of the mailbox and, of somebody who had agreed, of the number.';

COMMENT ON COLUMN "private"."buddy_refusals"."refused_at" IS 'When they declined or withdrew.';

COMMENT ON COLUMN "private"."buddy_refusals"."user_id" IS 'The student.';

COMMENT ON COLUMN "private"."buddy_verification_sends"."id" IS 'The email.';

COMMENT ON COLUMN "private"."buddy_verification_sends"."mailbox_hash" IS 'SHA-256 of the mailbox that the address leads to, under the project''s own key.';

COMMENT ON COLUMN "private"."buddy_verification_sends"."sent_at" IS 'When it was queued.';

COMMENT ON COLUMN "private"."buddy_verification_sends"."user_id" IS 'The student.';

COMMENT ON COLUMN "private"."clinical_review_sources"."source_id" IS 'The check-in, the session, the transcript result or the alert.';

COMMENT ON COLUMN "private"."inbound_texts"."meaning" IS 'How it was read: stop, start, help or other.';

COMMENT ON COLUMN "private"."inbound_texts"."number_hash" IS 'private.hash_of_number of the sender.';

COMMENT ON COLUMN "private"."inbound_texts"."provider_message_id" IS 'The provider''s id of the text.';

COMMENT ON COLUMN "private"."inbound_texts"."received_at" IS 'When it came.';

COMMENT ON COLUMN "private"."messaging_settings"."keep_inbound" IS 'How long it is known that a text came in; a request of the provider that is repeated later than that counts again.';

COMMENT ON COLUMN "private"."messaging_settings"."keep_sent" IS 'How long a message that was sent or cancelled is kept.';

COMMENT ON COLUMN "private"."outbox"."contact_id" IS 'The support contact it goes to: it is sent only while private.may_reach allows it, and deleted with the contact.';

COMMENT ON COLUMN "private"."outbox"."ended_at" IS 'When it became sent, unconfirmed, dead or cancelled.';

COMMENT ON COLUMN "private"."outbox"."error_code" IS 'Why the last attempt, the delivery after it, or the message as a whole failed.';

COMMENT ON COLUMN "private"."outbox"."provider_status" IS 'What the provider said became of a text after it took it: sent, delivered, undelivered or failed; null until it says.';

COMMENT ON COLUMN "private"."outbox"."request_id" IS 'The request of which it is the text.';

COMMENT ON COLUMN "private"."support_alert_plan"."alert_id" IS 'The alert.';

COMMENT ON COLUMN "private"."support_alert_plan"."contact_id" IS 'The contact; null once it is deleted.';

COMMENT ON COLUMN "private"."support_alert_plan"."position" IS 'Place in the order, 1 first.';

COMMENT ON COLUMN "private"."support_alert_plan"."request_id" IS 'The request that was made to the contact; null until then.';

COMMENT ON COLUMN "private"."support_alert_plan"."step" IS 'Step in which the contact is asked.';

COMMENT ON COLUMN "private"."support_settings"."alert_pause" IS 'Shortest time between the openings of two alerts about a student.';

COMMENT ON COLUMN "private"."support_settings"."alert_valid" IS 'When an alert ends at the latest.';

COMMENT ON COLUMN "private"."support_settings"."contacts_at_once" IS 'Contacts who are told in one step of an alert.';

COMMENT ON COLUMN "private"."support_settings"."daily_verifications" IS 'Verification emails of a student within 24 hours, to whomever.';

COMMENT ON COLUMN "private"."support_settings"."day_begins" IS 'From when texts may arrive, in the contact''s time zone.';

COMMENT ON COLUMN "private"."support_settings"."day_ends" IS 'Until when texts may arrive, in the contact''s time zone.';

COMMENT ON COLUMN "private"."support_settings"."keep_declined" IS 'How long a contact who declined is kept.';

COMMENT ON COLUMN "private"."support_settings"."link_valid" IS 'How long a link to a contact is valid: the verification''s and those of requests and alerts.';

COMMENT ON COLUMN "private"."support_settings"."longest_student_pause" IS 'How far ahead a student may pause alerts.';

COMMENT ON COLUMN "private"."support_settings"."max_contacts" IS 'Contacts that a student may keep, inactive ones included.';

COMMENT ON COLUMN "private"."support_settings"."max_verifications" IS 'Verification emails of a student to one address in all, also after the contact was deleted.';

COMMENT ON COLUMN "private"."support_settings"."only_row" IS 'Always true: there is one row.';

COMMENT ON COLUMN "private"."support_settings"."operator_email" IS 'Who is told of alerts that stand still; null: only the log says so.';

COMMENT ON COLUMN "private"."support_settings"."pattern_days" IS 'Worrying days within the window that open an alert.';

COMMENT ON COLUMN "private"."support_settings"."pattern_window_days" IS 'Length of the window, days, today included.';

COMMENT ON COLUMN "private"."support_settings"."request_pause" IS 'Shortest time between two requests of a student to one number.';

COMMENT ON COLUMN "private"."support_settings"."response_time" IS 'How long the contacts of a step have to respond after the first of their texts was sent.';

COMMENT ON COLUMN "private"."support_settings"."standstill_after" IS 'How late something may be before private.find_standstills raises it.';

COMMENT ON COLUMN "private"."support_settings"."verification_pause" IS 'Shortest time between two verification emails of a student to one address.';

COMMENT ON COLUMN "private"."support_standstills"."alert_id" IS 'The alert that stands still; null where there is none.';

COMMENT ON COLUMN "private"."support_standstills"."ended_at" IS 'When it was no longer found; null while it lasts.';

COMMENT ON COLUMN "private"."support_standstills"."found_at" IS 'When it was found.';

COMMENT ON COLUMN "private"."support_standstills"."id" IS 'The finding.';

COMMENT ON COLUMN "private"."support_standstills"."kind" IS 'What is wrong; docs/support-alerts.md lists the kinds.';

COMMENT ON COLUMN "private"."support_standstills"."reported_at" IS 'When the log reported it.';

COMMENT ON COLUMN "private"."support_standstills"."user_id" IS 'The student whom it concerns; null where it concerns all.';

COMMENT ON COLUMN "private"."text_opt_outs"."heard_by" IS 'How: a reply, a page, or the provider''s own list (Twilio''s error 21610).';

COMMENT ON COLUMN "private"."text_opt_outs"."number_hash" IS 'private.hash_of_number of the number.';

COMMENT ON COLUMN "private"."text_opt_outs"."opted_out_at" IS 'When the stop was heard.';

COMMENT ON COLUMN "private"."worrying_days"."day" IS 'The day.';

COMMENT ON COLUMN "private"."worrying_days"."stored_at" IS 'When the check-in that made it one was scored.';

COMMENT ON COLUMN "private"."worrying_days"."user_id" IS 'The student.';

COMMENT ON COLUMN "public"."buddy_check_in_requests"."buddy_contact_id" IS 'The contact; null once it is deleted.';

COMMENT ON COLUMN "public"."buddy_check_in_requests"."created_at" IS 'When it was made.';

COMMENT ON COLUMN "public"."buddy_check_in_requests"."delivery_status" IS 'queued, sent (accepted by the provider), delivered, undelivered, failed, unconfirmed (it may have been sent) or cancelled (never sent).';

COMMENT ON COLUMN "public"."buddy_check_in_requests"."id" IS 'The request.';

COMMENT ON COLUMN "public"."buddy_check_in_requests"."link_clicked_at" IS 'When a person seems to have opened the link first; an estimate.';

COMMENT ON COLUMN "public"."buddy_check_in_requests"."request_type" IS 'user_initiated by the student''s button, or system_initiated by an alert.';

COMMENT ON COLUMN "public"."buddy_check_in_requests"."response_received_at" IS 'When the contact answered.';

COMMENT ON COLUMN "public"."buddy_check_in_requests"."response_type" IS 'called, messaged or unavailable; null until the contact answers.';

COMMENT ON COLUMN "public"."buddy_check_in_requests"."sent_at" IS 'When the provider accepted the text; null until then.';

COMMENT ON COLUMN "public"."buddy_check_in_requests"."trigger_reason" IS 'Of an alert: the pattern, without score or risk.';

COMMENT ON COLUMN "public"."buddy_check_in_requests"."user_id" IS 'The student.';

COMMENT ON COLUMN "public"."buddy_contacts"."confirmation_tries" IS 'Wrong last digits that were given for the newest verification; three at most.';

COMMENT ON COLUMN "public"."buddy_contacts"."created_at" IS 'When the row was created.';

COMMENT ON COLUMN "public"."buddy_contacts"."declined_at" IS 'When the contact declined, or withdrew later.';

COMMENT ON COLUMN "public"."buddy_contacts"."email" IS 'Email address that the verification goes to.';

COMMENT ON COLUMN "public"."buddy_contacts"."id" IS 'The contact.';

COMMENT ON COLUMN "public"."buddy_contacts"."is_active" IS 'Whether the contact may be reached; only active contacts count to the five.';

COMMENT ON COLUMN "public"."buddy_contacts"."name" IS 'Name, as the student writes it.';

COMMENT ON COLUMN "public"."buddy_contacts"."notify_channel" IS 'How the contact is reached: sms.';

COMMENT ON COLUMN "public"."buddy_contacts"."phone" IS 'Phone number, E.164.';

COMMENT ON COLUMN "public"."buddy_contacts"."phone_confirmed_at" IS 'When the contact confirmed the last digits of the number.';

COMMENT ON COLUMN "public"."buddy_contacts"."priority_rank" IS 'Order in which contacts are told, 1 first; null while inactive. public.reorder_buddies changes all at once.';

COMMENT ON COLUMN "public"."buddy_contacts"."relationship" IS 'What they are to the student, such as friend.';

COMMENT ON COLUMN "public"."buddy_contacts"."texts_at_night" IS 'Whether the contact allows texts at night.';

COMMENT ON COLUMN "public"."buddy_contacts"."time_zone" IS 'Time zone that the contact chose, an IANA name.';

COMMENT ON COLUMN "public"."buddy_contacts"."updated_at" IS 'When the row was last changed.';

COMMENT ON COLUMN "public"."buddy_contacts"."verification_token" IS 'SHA-256 of the token of the newest verification email, hexadecimal; null when there is none that can be used.';

COMMENT ON COLUMN "public"."buddy_contacts"."verification_token_expires_at" IS 'When that token expires.';

COMMENT ON COLUMN "public"."buddy_contacts"."verified" IS 'Whether the contact agreed, with the number and address that the row has now.';

COMMENT ON COLUMN "public"."buddy_contacts"."verified_at" IS 'When the contact agreed.';

COMMENT ON COLUMN "public"."buddy_verification_audit"."buddy_contact_id" IS 'The contact; null once it is deleted.';

COMMENT ON COLUMN "public"."buddy_verification_audit"."created_at" IS 'When it happened.';

COMMENT ON COLUMN "public"."buddy_verification_audit"."event_type" IS 'verification_sent, verification_resent, verification_accepted, verification_declined or verification_expired.';

COMMENT ON COLUMN "public"."buddy_verification_audit"."id" IS 'The entry.';

COMMENT ON COLUMN "public"."buddy_verification_audit"."ip_address" IS 'Address that the decision came from; of a sent verification, the student''s.';

COMMENT ON COLUMN "public"."buddy_verification_audit"."metadata" IS 'Of an acceptance: the wording agreed to, its version, the method and the last digits of the number; of a contact who declined: the reason, if one was given.';

COMMENT ON COLUMN "public"."buddy_verification_audit"."user_agent" IS 'Browser or app that it came from.';

COMMENT ON COLUMN "public"."buddy_verification_audit"."user_id" IS 'The student.';

COMMENT ON COLUMN "public"."clinical_reviews"."risk_level" IS 'Highest risk level found.';

COMMENT ON COLUMN "public"."clinical_reviews"."source_id" IS 'The check-in, the session, the transcript result or the alert where it was found first.';

COMMENT ON COLUMN "public"."support_alerts"."all_right_at" IS 'When the student said that they are all right; null otherwise.';

COMMENT ON COLUMN "public"."support_alerts"."crisis_contact_told_at" IS 'When the university''s crisis contact was told; null while it was not.';

COMMENT ON COLUMN "public"."support_alerts"."ended_at" IS 'When it ended.';

COMMENT ON COLUMN "public"."support_alerts"."id" IS 'The alert.';

COMMENT ON COLUMN "public"."support_alerts"."opened_at" IS 'When it was opened.';

COMMENT ON COLUMN "public"."support_alerts"."status" IS 'open → answered (a contact called or messaged) | escalated (nobody was left: the crisis contact knows) | resolved (the student is all right, or withdrew) | expired.';

COMMENT ON COLUMN "public"."support_alerts"."step" IS 'Step of the plan that is being asked: 1 is the first contacts; 0 when there was nobody to ask.';

COMMENT ON COLUMN "public"."support_alerts"."step_began_at" IS 'When that step began.';

COMMENT ON COLUMN "public"."support_alerts"."user_id" IS 'The student.';

COMMENT ON COLUMN "public"."support_alerts"."worrying_days" IS 'Worrying days of the pattern that opened it.';

COMMENT ON COLUMN "public"."support_preferences"."alerts_paused_until" IS 'Until when no alert is opened; at most 14 days ahead when it is set.';

COMMENT ON COLUMN "public"."support_preferences"."pass_on_all_right" IS 'Whether "I am all right" is passed on, in one text, to the contacts who were told of the alert.';

COMMENT ON FUNCTION "private"."advance_alert"(uuid, timestamp with time zone) IS 'Does everything that is due of an open alert, which the caller has locked. Called by alerts.';

COMMENT ON FUNCTION "private"."answer_alert"(uuid, text, timestamp with time zone) IS 'Lets an answer take effect that is stored with its request: called and messaged end the alert, and when all are unavailable the next are asked. Called by private.answer_request.';

COMMENT ON FUNCTION "private"."answer_request"(text, text, timestamp with time zone) IS 'Stores a contact''s answer, the first one only, and lets it end or escalate an alert: stored, or the state of a link that takes none. Called by function buddy.';

COMMENT ON FUNCTION "private"."ask_contact"(uuid, text, integer, timestamp with time zone) IS 'Asks a contact by text to check on the student: the request, its link and the queued text; null when the contact may not be texted. Called by the student''s request and by alerts.';

COMMENT ON FUNCTION "private"."ask_next_contacts"(uuid, timestamp with time zone) IS 'Asks the contacts of the next step of an alert''s plan; when there is none, tells the crisis contact and ends the alert. Called by private.advance_alert.';

COMMENT ON FUNCTION "private"."audit_expiry"(public.buddy_contacts, timestamp with time zone) IS 'Stores, once a link, that it expired before a decision. Called by private.read_verification and private.decide_verification, which lock the contact.';

COMMENT ON FUNCTION "private"."audit_verification"(public.buddy_contacts, text, inet, text, jsonb, timestamp with time zone) IS 'Stores what became of a verification. Called by the functions that send and decide it.';

COMMENT ON FUNCTION "private"."broadcast_alert"(uuid) IS 'Broadcasts an alert to its student when the transaction commits. Called wherever an alert opens, asks somebody, tells the crisis contact or ends.';

COMMENT ON FUNCTION "private"."cancel_all_to"(uuid) IS 'Cancels what is queued to a contact and ends the links that wait for an answer. Called when a contact may no longer be reached as before.';

COMMENT ON FUNCTION "private"."cancel_all_to_changed_contact"() IS 'Trigger: nothing more goes to a contact who was deactivated, declined, got another number or address, or is deleted.';

COMMENT ON FUNCTION "private"."cancel_messages_to"(uuid) IS 'Cancels the emails and texts that wait to be sent to a support contact; returns how many. Called when the contact or the student withdraws.';

COMMENT ON FUNCTION "private"."cancel_texts_to"(text) IS 'Cancels the texts of all students that wait to be sent to a number; returns how many. Called when its owner opts out.';

COMMENT ON FUNCTION "private"."claim_messages"(integer) IS 'Claims messages that are due, for one attempt each; no two senders get the same one. Those that may no longer be sent come back cancelled. Called by deliver-messages.';

COMMENT ON FUNCTION "private"."collect_worrying_days"() IS 'Stores the worrying days of check-ins that were stored without the triggers; reads all check-ins. Called by the migration that added the table and by the seed.';

COMMENT ON FUNCTION "private"."contact_of_token"(text) IS 'The contact whom the link of a verification leads to; null when it leads nowhere. Called by private.read_verification and private.decide_verification.';

COMMENT ON FUNCTION "private"."count_click"(text, timestamp with time zone) IS 'Stores when a person seems to have opened an open link first. Called by function buddy.';

COMMENT ON FUNCTION "private"."decide_verification"(text, boolean, text, text, text, boolean, jsonb, inet, text, text, timestamp with time zone) IS 'Decides a verification, once a link: accepted, declined, wrong_digits, too_many_tries, expired, decided or unknown. Whoever accepts by the form gives the last four digits of the number, three times at most a link; the method "link" may leave them out. "wording" is what was agreed to: {version, text}. Called by the edge functions.';

COMMENT ON FUNCTION "private"."delivery_status_of"(private.message_status, text) IS 'The delivery_status of a request, from the state of its text. Called by the trigger that follows texts.';

COMMENT ON FUNCTION "private"."detach_contact"() IS 'Trigger: what is kept of a contact who is deleted names no contact any more.';

COMMENT ON FUNCTION "private"."end_alert"(uuid, text, timestamp with time zone) IS 'Ends an open alert as answered, escalated, resolved or expired, and cancels its texts that were not sent; false when it has ended before. Called by alerts, and when a student withdraws consent.';

COMMENT ON FUNCTION "private"."end_support_circle"() IS 'Trigger: with the consent ends what is under way: queued messages, links, verifications and an alert. Contacts stay as they are, for a new consent.';

COMMENT ON FUNCTION "private"."find_standstills"(timestamp with time zone) IS 'Stores what stands still, and raises what is new to the operators by email and, through deliver-messages, in the log; returns how many are new. Called by cron.';

COMMENT ON FUNCTION "private"."follow_delivery"() IS 'Trigger: keeps delivery_status and sent_at of a request in step with its text.';

COMMENT ON FUNCTION "private"."guard_contact"() IS 'Trigger: an active contact needs the student''s consent and gets the lowest free rank; who declined stays inactive; a change of phone or email needs a new verification.';

COMMENT ON FUNCTION "private"."guard_pause"() IS 'Trigger: alerts are paused for as long as private.support_settings allows.';

COMMENT ON FUNCTION "private"."has_opted_out"(text) IS 'Whether a phone number (E.164) is not to be texted. Called by private.may_send and the function buddy.';

COMMENT ON FUNCTION "private"."hash_of_number"(text) IS 'SHA-256 of a phone number (E.164) under the project''s own key in Vault, so that stored hashes cannot be tried out. Called where a number must be known again after its contact is gone.';

COMMENT ON FUNCTION "private"."hear_provider_opt_out"(text, text) IS 'Takes over that a number is on the provider''s own list of opt-outs, where the code of an error says so. Called by what records a delivery or a status.';

COMMENT ON FUNCTION "private"."hear_text"(text, text, text, timestamp with time zone) IS 'Stores that a text came in, once, and does what it asks for: a stop forbids texts to the number and cancels those that wait, a start lifts that and restores no consent. Returns {repeated} or {repeated, changed (whether it opted out or in), opted_out, replied (whether another of its meaning came within a day), support_email}. Called by the function buddy.';

COMMENT ON FUNCTION "private"."link_token_hash"(text) IS 'What is stored of a link''s token: its SHA-256, hexadecimal. Called where a link is made, and by the edge functions where one is opened.';

COMMENT ON FUNCTION "private"."lock_contact"(uuid) IS 'Locks a contact and returns it as it is then; null when there is none. Called by the functions that decide about contacts.';

COMMENT ON FUNCTION "private"."lock_contacts_of"(uuid) IS 'Lets one transaction at a time give ranks to a student''s contacts or send their verifications. Called before a contact is locked.';

COMMENT ON FUNCTION "private"."lock_own_contacts"() IS 'Trigger: of a student''s parallel calls each sees the ranks that the others took. The constraint on the ranks alone holds for the service''s own changes.';

COMMENT ON FUNCTION "private"."mail_student"(uuid, text, timestamp with time zone) IS 'Queues an email that tells the student what an alert does. Called by private.ask_next_contacts and private.tell_crisis_contact.';

COMMENT ON FUNCTION "private"."mailbox_hash"(text) IS 'Hash of the mailbox that an address leads to, under the project''s own key. Called where an address must be known again after its contact is gone.';

COMMENT ON FUNCTION "private"."mark_provider_call"(uuid, smallint) IS 'Stores that the sender is about to call the provider; false when the attempt is no longer the current one, and when the recipient may no longer be reached, which cancels the message. Called by deliver-messages.';

COMMENT ON FUNCTION "private"."may_reach"(uuid, private.message_channel, text) IS 'Whether a support contact may be sent a message now. Called wherever one is queued, claimed or handed to a provider.';

COMMENT ON FUNCTION "private"."may_send"(uuid, private.message_channel, text) IS 'Whether a message of the outbox may be sent now. Called when one is claimed, and again right before the provider is called.';

COMMENT ON FUNCTION "private"."name_in_message"(text, text) IS 'A name as messages and pages show it: without links, line breaks and control characters, 40 characters at most; "otherwise" when nothing is left. Called wherever a message or a page shows a name.';

COMMENT ON FUNCTION "private"."new_link_token"() IS 'A new token of a link: 64 characters. Called wherever a contact is sent a link.';

COMMENT ON FUNCTION "private"."next_request_at"(uuid, uuid) IS 'From when on a student may ask a contact again; null when they did not ask them yet. Called by private.request_check_in.';

COMMENT ON FUNCTION "private"."next_text_time"(uuid, timestamp with time zone) IS 'The first moment from "at" on when a contact may be texted: in the day of their time zone, or at once where they allow nights. Called by private.queue_text and by the student''s request.';

COMMENT ON FUNCTION "private"."notify_crisis_contact"() IS 'Trigger: tells the university''s crisis contact at once of a review with high risk, and another university''s of any when the student moves. Of one that an alert opens, private.tell_crisis_contact tells.';

COMMENT ON FUNCTION "private"."open_support_alert"(uuid, integer, timestamp with time zone) IS 'Opens an alert about a student, freezes whom it asks, and asks the first of them. Called by private.open_support_alerts, which allows one in 72 hours.';

COMMENT ON FUNCTION "private"."open_support_alerts"(timestamp with time zone) IS 'Opens an alert about each student with a lasting pattern; returns how many. Called by private.tick_support_alerts.';

COMMENT ON FUNCTION "private"."opt_out_number"(text, text, timestamp with time zone) IS 'Stops all texts to a number (E.164), for whichever student; true when it was not stopped before. Called wherever its owner says so.';

COMMENT ON FUNCTION "private"."owns_support_channel"(text) IS 'Whether a topic is the channel of the alerts about the caller. Called by the policies on realtime.messages.';

COMMENT ON FUNCTION "private"."pages_url"() IS 'Where people see the pages: the address that links in messages begin with; null until Vault has it. Called wherever a contact is sent a link.';

COMMENT ON FUNCTION "private"."purge_declined_contacts"() IS 'Deletes contacts who declined longer ago than keep_declined. Called by cron.';

COMMENT ON FUNCTION "private"."purge_inbound_texts"() IS 'Deletes what is known of texts that came in longer ago than keep_inbound. Called by cron.';

COMMENT ON FUNCTION "private"."purge_sent_messages"() IS 'Deletes messages that were sent or cancelled longer ago than keep_sent. Called by cron.';

COMMENT ON FUNCTION "private"."purge_worrying_days"() IS 'Deletes the days that no pattern can count any more. Called by cron.';

COMMENT ON FUNCTION "private"."queue_text"(uuid, text, text, uuid, timestamp with time zone) IS 'Queues a text to a contact for the next moment when it may arrive; null when the contact may not be texted. Called by private.ask_contact and by alerts.';

COMMENT ON FUNCTION "private"."read_request"(text, timestamp with time zone) IS 'What the page of a link shows: {state: open | answered | expired | cancelled | unknown, request_type, contact_name, student_name, worrying_days, response_type, resources}. Called by function buddy.';

COMMENT ON FUNCTION "private"."read_verification"(text, timestamp with time zone) IS 'What the page of a link shows: {state: open, expired, decided or unknown, contact_name, student_name, tries_left, decision: accepted or declined, resources}. Changes nothing, except that the first look at an expired link is in the audit. Called by the edge functions.';

COMMENT ON FUNCTION "private"."recipient_lock"(text) IS 'Number of the advisory lock of an address or phone number. Called by what sends to it or forbids that.';

COMMENT ON FUNCTION "private"."record_delivery"(uuid, smallint, private.delivery_outcome, text, text, text, interval) IS 'Stores the outcome of an attempt and the state that follows from it; null when the attempt is no longer the current one. Called by deliver-messages.';

COMMENT ON FUNCTION "private"."record_text_status"(uuid, text, text, text) IS 'Stores what the provider says became of a text: sent, delivered, undelivered or failed. That it speaks of the text proves that it has it, which settles one whose sender was lost. Returns what is known now; null when there is no such text. Called by the function buddy.';

COMMENT ON FUNCTION "private"."refuse"(integer, text, text) IS 'Raises an error with a status, a code of docs/errors.md and a message without values of rows. Called by rules that clients run into.';

COMMENT ON FUNCTION "private"."refuse_contact"(public.buddy_contacts, timestamp with time zone) IS 'Ends a contact who declined or withdrew; the number counts only of somebody who had agreed with it. Called by private.decide_verification and private.withdraw_contact, which lock the contact.';

COMMENT ON FUNCTION "private"."reorder_contacts"(uuid[]) IS 'Implementation of public.reorder_buddies, which calls it.';

COMMENT ON FUNCTION "private"."report_all_right"(timestamp with time zone) IS 'Implementation of public.report_all_right, which calls it.';

COMMENT ON FUNCTION "private"."report_standstills"() IS 'Standstills that the log has not reported, each returned once. Called by deliver-messages, which logs them.';

COMMENT ON FUNCTION "private"."request_check_in"(uuid, uuid, timestamp with time zone) IS 'Asks a contact for a student: {outcome: requested, request_id, send_at, waits (for the contact''s day)}, or why not: buddy_not_found, consent_required, buddy_unavailable, or rate_limited with retry_after_s. Called by the edge functions.';

COMMENT ON FUNCTION "private"."send_verification"(uuid, uuid, text, inet, text, timestamp with time zone) IS 'Emails a contact the link to decide: sent, resent, or why not (not_found, changed, no_consent, verified, unavailable, no_email, exhausted, too_soon). "checked_phone" is the number that was found valid. Called by the edge functions.';

COMMENT ON FUNCTION "private"."standstills_at"(timestamp with time zone) IS 'Alerts, and patterns without an alert, of which nothing became in time: the kind of fault, the alert and the student, each null where it does not apply. Called by private.find_standstills.';

COMMENT ON FUNCTION "private"."state_of_link"(private.buddy_links, timestamp with time zone) IS 'open, answered, expired, or cancelled because the student or the contact ended it. Called by the functions of the pages.';

COMMENT ON FUNCTION "private"."stop_by_link"(text, timestamp with time zone) IS 'Ends being a contact, by the form of a page: stopped, or the state of a link that is over. Called by function buddy.';

COMMENT ON FUNCTION "private"."store_day_of_change"() IS 'Trigger: a score that is clearly worse than the student''s usual makes its day a worrying one.';

COMMENT ON FUNCTION "private"."store_day_of_risk"() IS 'Trigger: a check-in that ends with moderate risk or more makes its day a worrying one.';

COMMENT ON FUNCTION "private"."store_worrying_day"(uuid, timestamp with time zone) IS 'Stores that the day (UTC) of a moment was a worrying one, unless it is too long ago to count. Called by the triggers on check-ins and their results.';

COMMENT ON FUNCTION "private"."student_in_message"(uuid) IS 'The whole name of a student, for somebody who has yet to agree and must know who asks. Called by private.verification_email and private.read_verification.';

COMMENT ON FUNCTION "private"."students_to_alert"(timestamp with time zone) IS 'Students with a lasting pattern about whom an alert is to be opened, and how many worrying days they had. Called by private.open_support_alerts.';

COMMENT ON FUNCTION "private"."tell_crisis_contact"(uuid, text, timestamp with time zone) IS 'Opens a clinical review and tells the university''s crisis contact by email, once an alert; "reason" ends a sentence of that mail. Called by private.advance_alert and private.ask_next_contacts.';

COMMENT ON FUNCTION "private"."texts_in_flight"(text) IS 'Texts to a number whose provider is being called. Called by the function buddy, which waits for them before it confirms a stop.';

COMMENT ON FUNCTION "private"."tick_support_alerts"(timestamp with time zone) IS 'Opens alerts and does what is due of those that are open; what another run works on waits for the next. Called by cron.';

COMMENT ON FUNCTION "private"."verification_email"(public.buddy_contacts, text) IS 'The email that asks a contact whether they agree; its link alone decides nothing. Called by private.send_verification.';

COMMENT ON FUNCTION "private"."verification_state"(public.buddy_contacts, timestamp with time zone) IS 'State of a link that leads to this contact: open, decided, expired or unknown. Called by private.read_verification and private.decide_verification.';

COMMENT ON FUNCTION "private"."withdraw_contact"(uuid, text, timestamp with time zone) IS 'Ends a contact who stops on a page, as if they had declined; nothing more goes to them. Called by the edge functions.';

COMMENT ON FUNCTION "public"."reorder_buddies"(uuid[]) IS 'Ranks the caller''s active contacts in the order given, which names each of them once. Called by students after drag-and-drop.';

COMMENT ON FUNCTION "public"."report_all_right"() IS 'Ends the open alert about the caller, and passes that on to the contacts who were texted unless the caller switched it off: {alert_id, status, contacts_told}, or null when no alert is open. Called by students.';

COMMENT ON TABLE "private"."buddy_links" IS 'The link of each request. It allows one answer.';

COMMENT ON TABLE "private"."buddy_refusals" IS 'Who declined or withdrew, by student, so that they are not asked again when the contact is deleted and added again.';

COMMENT ON TABLE "private"."buddy_verification_sends" IS 'Each verification email, by student and address, so that deleting a contact and adding it again lifts no limit.';

COMMENT ON TABLE "private"."inbound_texts" IS 'Texts that came in, each once however often the provider reports it; not what they said.';

COMMENT ON TABLE "private"."support_alert_plan" IS 'Whom an alert asks, frozen when it opens.';

COMMENT ON TABLE "private"."support_settings" IS 'Settings of the support circle that an operator can change without a deployment. Exactly one row.';

COMMENT ON TABLE "private"."support_standstills" IS 'What private.find_standstills found: alerts, or patterns, of which nothing became in time.';

COMMENT ON TABLE "private"."text_opt_outs" IS 'Numbers that are never texted, for whichever student. A START removes the row.';

COMMENT ON TABLE "private"."worrying_days" IS 'Days (UTC) of the last weeks on which a check-in of the student showed moderate or high risk, or was clearly worse than usual; so that looking for patterns reads no check-ins.';

COMMENT ON TABLE "public"."buddy_check_in_requests" IS 'Each time that a contact was asked by text to check on the student.';

COMMENT ON TABLE "public"."buddy_contacts" IS 'The people whom a student names, at most five of them active. Nobody is texted before they agreed by email.';

COMMENT ON TABLE "public"."buddy_verification_audit" IS 'What became of each verification, as proof of what a contact agreed to.';

COMMENT ON TABLE "public"."support_alerts" IS 'Each time that a lasting pattern told a student''s contacts. Who is asked, in which order, is fixed when it opens.';

COMMENT ON TABLE "public"."support_preferences" IS 'What a student chose for the alerts about them; the defaults hold without a row.';

COMMENT ON TYPE "private"."message_status" IS 'queued → sending → sent | unconfirmed | dead; sending → queued when the provider certainly did not send it; queued | sending → cancelled when its recipient may no longer be reached.';

COMMENT ON TYPE "public"."review_source" IS 'Where the risk was found: in a check-in, an assessment session or a single transcript; support_alert: nobody of the student''s circle responded to a lasting pattern.';

COMMENT ON VIEW "private"."alert_progress" IS 'What comes next in each open alert and when: resolve, answer, expire, ask_next (the next step of the plan, or the crisis contact) and tell_crisis_contact (every text still waits).';

REVOKE ALL ON FUNCTION "private"."advance_alert"(uuid, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."advance_alert"(uuid, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."advance_alert"(uuid, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."answer_alert"(uuid, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."answer_alert"(uuid, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."answer_alert"(uuid, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."answer_request"(text, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."answer_request"(text, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."answer_request"(text, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."ask_contact"(uuid, text, integer, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ask_contact"(uuid, text, integer, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."ask_contact"(uuid, text, integer, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."ask_next_contacts"(uuid, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ask_next_contacts"(uuid, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."ask_next_contacts"(uuid, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_expiry"(public.buddy_contacts, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_expiry"(public.buddy_contacts, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_expiry"(public.buddy_contacts, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_verification"(public.buddy_contacts, text, inet, text, jsonb, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_verification"(public.buddy_contacts, text, inet, text, jsonb, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_verification"(public.buddy_contacts, text, inet, text, jsonb, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."broadcast_alert"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."broadcast_alert"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."broadcast_alert"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."cancel_all_to"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."cancel_all_to"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."cancel_all_to"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."cancel_all_to_changed_contact"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."cancel_all_to_changed_contact"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."cancel_all_to_changed_contact"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."cancel_messages_to"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."cancel_messages_to"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."cancel_messages_to"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."cancel_texts_to"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."cancel_texts_to"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."cancel_texts_to"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."claim_messages"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_messages"(integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."claim_messages"(integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."collect_worrying_days"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."collect_worrying_days"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."collect_worrying_days"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."contact_of_token"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."contact_of_token"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."contact_of_token"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."count_click"(text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_click"(text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."count_click"(text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."decide_verification"(text, boolean, text, text, text, boolean, jsonb, inet, text, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."decide_verification"(text, boolean, text, text, text, boolean, jsonb, inet, text, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."decide_verification"(text, boolean, text, text, text, boolean, jsonb, inet, text, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."delivery_status_of"(private.message_status, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."delivery_status_of"(private.message_status, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."delivery_status_of"(private.message_status, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."detach_contact"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."detach_contact"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."detach_contact"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."end_alert"(uuid, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_alert"(uuid, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."end_alert"(uuid, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."end_support_circle"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_support_circle"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."end_support_circle"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."find_standstills"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."find_standstills"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."find_standstills"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."follow_delivery"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."follow_delivery"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."follow_delivery"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."guard_contact"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."guard_contact"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."guard_contact"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."guard_pause"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."guard_pause"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."guard_pause"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."has_opted_out"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."has_opted_out"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."has_opted_out"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."hash_of_number"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hash_of_number"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."hash_of_number"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."hear_provider_opt_out"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hear_provider_opt_out"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."hear_provider_opt_out"(text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."hear_text"(text, text, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hear_text"(text, text, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."hear_text"(text, text, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."link_token_hash"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."link_token_hash"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."link_token_hash"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."lock_contact"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_contact"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."lock_contact"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."lock_contacts_of"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_contacts_of"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."lock_contacts_of"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."lock_own_contacts"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_own_contacts"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."lock_own_contacts"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."mail_student"(uuid, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mail_student"(uuid, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."mail_student"(uuid, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."mailbox_hash"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mailbox_hash"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."mailbox_hash"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."mark_provider_call"(uuid, smallint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mark_provider_call"(uuid, smallint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."mark_provider_call"(uuid, smallint) TO "postgres";

REVOKE ALL ON FUNCTION "private"."may_reach"(uuid, private.message_channel, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."may_reach"(uuid, private.message_channel, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."may_reach"(uuid, private.message_channel, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."may_send"(uuid, private.message_channel, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."may_send"(uuid, private.message_channel, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."may_send"(uuid, private.message_channel, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."name_in_message"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."name_in_message"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."name_in_message"(text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."new_link_token"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."new_link_token"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."new_link_token"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."next_request_at"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."next_request_at"(uuid, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."next_request_at"(uuid, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."next_text_time"(uuid, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."next_text_time"(uuid, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."next_text_time"(uuid, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."open_support_alert"(uuid, integer, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."open_support_alert"(uuid, integer, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."open_support_alert"(uuid, integer, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."open_support_alerts"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."open_support_alerts"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."open_support_alerts"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."opt_out_number"(text, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."opt_out_number"(text, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."opt_out_number"(text, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."owns_support_channel"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."owns_support_channel"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."owns_support_channel"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."owns_support_channel"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."pages_url"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."pages_url"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."pages_url"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."purge_declined_contacts"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."purge_declined_contacts"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."purge_declined_contacts"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."purge_inbound_texts"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."purge_inbound_texts"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."purge_inbound_texts"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."purge_worrying_days"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."purge_worrying_days"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."purge_worrying_days"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."queue_text"(uuid, text, text, uuid, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_text"(uuid, text, text, uuid, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."queue_text"(uuid, text, text, uuid, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."read_request"(text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."read_request"(text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."read_request"(text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."read_verification"(text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."read_verification"(text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."read_verification"(text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."recipient_lock"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."recipient_lock"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."recipient_lock"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."record_delivery"(uuid, smallint, private.delivery_outcome, text, text, text, interval) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_delivery"(uuid, smallint, private.delivery_outcome, text, text, text, interval) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."record_delivery"(uuid, smallint, private.delivery_outcome, text, text, text, interval) TO "postgres";

REVOKE ALL ON FUNCTION "private"."record_text_status"(uuid, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_text_status"(uuid, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."record_text_status"(uuid, text, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."refuse"(integer, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refuse"(integer, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."refuse"(integer, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."refuse_contact"(public.buddy_contacts, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refuse_contact"(public.buddy_contacts, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."refuse_contact"(public.buddy_contacts, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."reorder_contacts"(uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."reorder_contacts"(uuid[]) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."reorder_contacts"(uuid[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."reorder_contacts"(uuid[]) TO "postgres";

REVOKE ALL ON FUNCTION "private"."report_all_right"(timestamp WITH time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."report_all_right"(timestamp WITH time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."report_all_right"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."report_all_right"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."report_standstills"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."report_standstills"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."report_standstills"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."request_check_in"(uuid, uuid, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."request_check_in"(uuid, uuid, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."request_check_in"(uuid, uuid, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."send_verification"(uuid, uuid, text, inet, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."send_verification"(uuid, uuid, text, inet, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."send_verification"(uuid, uuid, text, inet, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."standstills_at"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."standstills_at"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."standstills_at"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."state_of_link"(private.buddy_links, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."state_of_link"(private.buddy_links, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."state_of_link"(private.buddy_links, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."stop_by_link"(text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."stop_by_link"(text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."stop_by_link"(text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."store_day_of_change"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."store_day_of_change"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."store_day_of_change"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."store_day_of_risk"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."store_day_of_risk"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."store_day_of_risk"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."store_worrying_day"(uuid, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."store_worrying_day"(uuid, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."store_worrying_day"(uuid, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."student_in_message"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."student_in_message"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."student_in_message"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."students_to_alert"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."students_to_alert"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."students_to_alert"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."tell_crisis_contact"(uuid, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_crisis_contact"(uuid, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."tell_crisis_contact"(uuid, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."texts_in_flight"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."texts_in_flight"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."texts_in_flight"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."tick_support_alerts"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tick_support_alerts"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."tick_support_alerts"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."verification_email"(public.buddy_contacts, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."verification_email"(public.buddy_contacts, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."verification_email"(public.buddy_contacts, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."verification_state"(public.buddy_contacts, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."verification_state"(public.buddy_contacts, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."verification_state"(public.buddy_contacts, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."withdraw_contact"(uuid, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."withdraw_contact"(uuid, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."withdraw_contact"(uuid, text, timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."reorder_buddies"(uuid[]) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."reorder_buddies"(uuid[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."reorder_buddies"(uuid[]) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."report_all_right"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."report_all_right"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."report_all_right"() TO "postgres";

REVOKE ALL ON TABLE "public"."buddy_check_in_requests" FROM "authenticated";

GRANT SELECT ON TABLE "public"."buddy_check_in_requests" TO "authenticated";

REVOKE ALL ON TABLE "public"."buddy_check_in_requests" FROM "service_role";

GRANT SELECT ON TABLE "public"."buddy_check_in_requests" TO "service_role";

REVOKE ALL ON TABLE "public"."buddy_contacts" FROM "authenticated";

REVOKE ALL ("email") ON TABLE "public"."buddy_contacts" FROM "authenticated";

GRANT INSERT ("email"), UPDATE ("email") ON TABLE "public"."buddy_contacts" TO "authenticated";

REVOKE ALL ("is_active") ON TABLE "public"."buddy_contacts" FROM "authenticated";

GRANT UPDATE ("is_active") ON TABLE "public"."buddy_contacts" TO "authenticated";

REVOKE ALL ("name") ON TABLE "public"."buddy_contacts" FROM "authenticated";

GRANT INSERT ("name"), UPDATE ("name") ON TABLE "public"."buddy_contacts" TO "authenticated";

REVOKE ALL ("notify_channel") ON TABLE "public"."buddy_contacts" FROM "authenticated";

GRANT INSERT ("notify_channel"), UPDATE ("notify_channel") ON TABLE "public"."buddy_contacts" TO "authenticated";

REVOKE ALL ("phone") ON TABLE "public"."buddy_contacts" FROM "authenticated";

GRANT INSERT ("phone"), UPDATE ("phone") ON TABLE "public"."buddy_contacts" TO "authenticated";

REVOKE ALL ("relationship") ON TABLE "public"."buddy_contacts" FROM "authenticated";

GRANT INSERT ("relationship"), UPDATE ("relationship") ON TABLE "public"."buddy_contacts" TO "authenticated";

GRANT DELETE, SELECT ON TABLE "public"."buddy_contacts" TO "authenticated";

REVOKE ALL ON TABLE "public"."buddy_contacts" FROM "service_role";

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE "public"."buddy_contacts" TO "service_role";

REVOKE ALL ON TABLE "public"."buddy_verification_audit" FROM "authenticated";

REVOKE ALL ("buddy_contact_id") ON TABLE "public"."buddy_verification_audit" FROM "authenticated";

GRANT SELECT ("buddy_contact_id") ON TABLE "public"."buddy_verification_audit" TO "authenticated";

REVOKE ALL ("created_at") ON TABLE "public"."buddy_verification_audit" FROM "authenticated";

GRANT SELECT ("created_at") ON TABLE "public"."buddy_verification_audit" TO "authenticated";

REVOKE ALL ("event_type") ON TABLE "public"."buddy_verification_audit" FROM "authenticated";

GRANT SELECT ("event_type") ON TABLE "public"."buddy_verification_audit" TO "authenticated";

REVOKE ALL ("id") ON TABLE "public"."buddy_verification_audit" FROM "authenticated";

GRANT SELECT ("id") ON TABLE "public"."buddy_verification_audit" TO "authenticated";

REVOKE ALL ("metadata") ON TABLE "public"."buddy_verification_audit" FROM "authenticated";

GRANT SELECT ("metadata") ON TABLE "public"."buddy_verification_audit" TO "authenticated";

REVOKE ALL ("user_id") ON TABLE "public"."buddy_verification_audit" FROM "authenticated";

GRANT SELECT ("user_id") ON TABLE "public"."buddy_verification_audit" TO "authenticated";

REVOKE ALL ON TABLE "public"."buddy_verification_audit" FROM "service_role";

GRANT SELECT ON TABLE "public"."buddy_verification_audit" TO "service_role";

REVOKE ALL ON TABLE "public"."support_alerts" FROM "authenticated";

GRANT SELECT ON TABLE "public"."support_alerts" TO "authenticated";

REVOKE ALL ON TABLE "public"."support_alerts" FROM "service_role";

GRANT SELECT ON TABLE "public"."support_alerts" TO "service_role";

REVOKE ALL ON TABLE "public"."support_preferences" FROM "authenticated";

REVOKE ALL ("alerts_paused_until") ON TABLE "public"."support_preferences" FROM "authenticated";

GRANT INSERT ("alerts_paused_until"), UPDATE ("alerts_paused_until") ON TABLE "public"."support_preferences" TO "authenticated";

REVOKE ALL ("pass_on_all_right") ON TABLE "public"."support_preferences" FROM "authenticated";

GRANT INSERT ("pass_on_all_right"), UPDATE ("pass_on_all_right") ON TABLE "public"."support_preferences" TO "authenticated";

GRANT SELECT ON TABLE "public"."support_preferences" TO "authenticated";

REVOKE ALL ON TABLE "public"."support_preferences" FROM "service_role";

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE "public"."support_preferences" TO "service_role";

SELECT cron.schedule_in_database('find-standstills', '*/5 * * * *', 'select private.find_standstills(now())', 'postgres', NULL, true);

SELECT cron.schedule_in_database('purge-declined-contacts', '57 3 * * *', 'select private.purge_declined_contacts()', 'postgres', NULL, true);

SELECT cron.schedule_in_database('purge-inbound-texts', '32 3 * * *', 'select private.purge_inbound_texts()', 'postgres', NULL, true);

SELECT cron.schedule_in_database('purge-worrying-days', '7 3 * * *', 'select private.purge_worrying_days()', 'postgres', NULL, true);

SELECT cron.schedule_in_database('tick-support-alerts', '* * * * *', 'select private.tick_support_alerts(now())', 'postgres', NULL, true);

ALTER TABLE "public"."buddy_contacts"
  ADD CONSTRAINT "buddy_contacts_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

CREATE UNIQUE INDEX buddy_contacts_active_phone_idx ON public.buddy_contacts USING btree (user_id, phone)
  WHERE is_active;

CREATE INDEX buddy_contacts_user_id_idx ON public.buddy_contacts USING btree (user_id);

CREATE POLICY "students change their own contacts" ON "public"."buddy_contacts"
  FOR UPDATE
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)))
  WITH CHECK ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students delete their own contacts" ON "public"."buddy_contacts"
  FOR DELETE
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students name their own contacts" ON "public"."buddy_contacts"
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students see their own contacts" ON "public"."buddy_contacts"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)));

COMMENT ON COLUMN "public"."buddy_contacts"."user_id" IS 'The student.';

REVOKE ALL ("user_id") ON TABLE "public"."buddy_contacts" FROM "authenticated";

GRANT INSERT ("user_id") ON TABLE "public"."buddy_contacts" TO "authenticated";

ALTER TABLE "public"."support_preferences"
  ADD CONSTRAINT "support_preferences_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

CREATE POLICY "students change their own preferences" ON "public"."support_preferences"
  FOR UPDATE
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)))
  WITH CHECK ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students see their own preferences" ON "public"."support_preferences"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students set their own preferences" ON "public"."support_preferences"
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((user_id = ( SELECT private.current_account() AS current_account)));

COMMENT ON COLUMN "public"."support_preferences"."user_id" IS 'The student.';

REVOKE ALL ("user_id") ON TABLE "public"."support_preferences" FROM "authenticated";

GRANT INSERT ("user_id") ON TABLE "public"."support_preferences" TO "authenticated";

-- No policies: this file holds rows, not tables.

-- The CLI's diff does not see statistics targets.
alter table public.buddy_contacts
  alter column user_id set statistics 0,
  alter column phone set statistics 0,
  alter column email set statistics 0;
alter table public.support_preferences alter column user_id set statistics 0;
alter table public.buddy_verification_audit alter column user_id set statistics 0;
alter table public.buddy_check_in_requests alter column user_id set statistics 0;
alter table public.support_alerts alter column user_id set statistics 0;

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
