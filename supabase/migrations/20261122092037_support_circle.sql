SET local check_function_bodies = off;

ALTER TABLE "private"."outbox"
  DROP CONSTRAINT "outbox_ended_at_when_ended";

CREATE TABLE "private"."buddy_links" (
  "request_id"  uuid                     NOT NULL,
  "token_hash"  text                     NOT NULL,
  "number_hash" text                     NOT NULL,
  "expires_at"  timestamp with time zone NOT NULL,
  CONSTRAINT "buddy_links_pkey" PRIMARY KEY (request_id),
  CONSTRAINT "buddy_links_token_hash_form" CHECK ((token_hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT "buddy_links_token_hash_key" UNIQUE (token_hash)
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
  CONSTRAINT "support_alert_plan_position_range" CHECK (((("position" >= 1) AND ("position" <= 5)) AND ((step >= 1) AND (step <= "position"))))
);

CREATE TABLE "private"."support_settings" (
  "only_row"              boolean                NOT NULL DEFAULT true,
  "link_valid"            interval               NOT NULL DEFAULT '7 days'::interval,
  "verification_pause"    interval               NOT NULL DEFAULT '01:00:00'::interval,
  "max_verifications"     smallint               NOT NULL DEFAULT 3,
  "request_pause"         interval               NOT NULL DEFAULT '24:00:00'::interval,
  "alert_pause"           interval               NOT NULL DEFAULT '72:00:00'::interval,
  "pattern_days"          smallint               NOT NULL DEFAULT 3,
  "pattern_window_days"   smallint               NOT NULL DEFAULT 7,
  "response_time"         interval               NOT NULL DEFAULT '06:00:00'::interval,
  "contacts_at_once"      smallint               NOT NULL DEFAULT 2,
  "alert_valid"           interval               NOT NULL DEFAULT '48:00:00'::interval,
  "longest_student_pause" interval               NOT NULL DEFAULT '14 days'::interval,
  "day_begins"            time without time zone NOT NULL DEFAULT '08:00:00'::time WITHOUT time zone,
  "day_ends"              time without time zone NOT NULL DEFAULT '21:00:00'::time WITHOUT time zone,
  "keep_declined"         interval               NOT NULL DEFAULT '30 days'::interval,
  "operator_email"        text,
  CONSTRAINT "support_settings_day" CHECK ((day_begins < day_ends)),
  CONSTRAINT "support_settings_only_row" CHECK (only_row),
  CONSTRAINT "support_settings_operator_email_form" CHECK ((operator_email ~ '^[^@[:space:]]+@[^@[:space:]]+$'::text)),
  CONSTRAINT "support_settings_pattern" CHECK ((((pattern_days >= 1) AND (pattern_days <= pattern_window_days)) AND (pattern_window_days <= 30))),
  CONSTRAINT "support_settings_pkey" PRIMARY KEY (only_row),
  CONSTRAINT "support_settings_positive"
    CHECK
    (((link_valid > '00:00:00'::interval) AND (verification_pause > '00:00:00'::interval) AND (max_verifications > 0) AND (request_pause > '00:00:00'::interval) AND (alert_pause >
    '00:00:00'::interval) AND (response_time > '00:00:00'::interval) AND (contacts_at_once > 0) AND (alert_valid > response_time) AND (longest_student_pause > '00:00:00'::interval)
    AND (keep_declined > '00:00:00'::interval)))
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
  "user_id" uuid NOT NULL,
  "day"     date NOT NULL,
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

ALTER TABLE "private"."outbox"
  ADD COLUMN "contact_id" uuid;

ALTER TABLE "private"."outbox"
  ADD COLUMN "request_id" uuid;



SET local check_function_bodies = off;

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

CREATE OR REPLACE FUNCTION private.may_reach (
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
  select exists (
    select
    from public.buddy_contacts c
    join auth.users u on u.id = c.user_id
    where c.id = contact
      and c.is_active
      and (u.banned_until is null or u.banned_until <= now())
      and private.has_consent(c.user_id, 'support_circle')
      and case channel
        when 'email' then c.email = recipient
        when 'sms' then
          c.verified and c.phone = recipient
          and not exists (select from private.text_opt_outs o where o.number_hash = private.hash_of_number(c.phone))
      end
  )
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

CREATE OR REPLACE FUNCTION private.next_text_time (
  contact uuid,
  at      timestamp with time zone
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select case
      when c.texts_at_night or here.clock::time between s.day_begins and s.day_ends then at
      else (
        (here.clock::date + (here.clock::time > s.day_ends)::integer) + s.day_begins
      ) at time zone zone
    end
  from public.buddy_contacts c
  cross join private.support_settings s
  cross join lateral (select coalesce(c.time_zone, 'UTC') as zone) as place
  cross join lateral (select at at time zone zone as clock) as here
  where c.id = contact
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

CREATE OR REPLACE FUNCTION private.queue_text (
  contact uuid,
  purpose text,
  body    text,
  request uuid,
  at      timestamp with time zone
)
  RETURNS uuid
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  insert into private.outbox (channel, purpose, user_id, contact_id, request_id, recipient, body, send_at)
  select 'sms', queue_text.purpose, c.user_id, c.id, request, c.phone, queue_text.body, private.next_text_time(c.id, at)
  from public.buddy_contacts c
  where c.id = contact and private.may_reach(c.id, 'sms', c.phone)
  returning id
$function$;

ALTER TABLE "private"."buddy_verification_sends"
  ADD CONSTRAINT "buddy_verification_sends_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;


SET local check_function_bodies = off;

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_ended_at_when_ended"
    CHECK
    (((status = ANY (ARRAY['sent'::private.message_status, 'unconfirmed'::private.message_status, 'dead'::private.message_status, 'cancelled'::private.message_status])) = (ended_at
    IS NOT NULL)));

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

ALTER TABLE "public"."buddy_check_in_requests"
  ADD CONSTRAINT "buddy_check_in_requests_buddy_contact_id_fkey" FOREIGN KEY (buddy_contact_id) REFERENCES public.buddy_contacts(id) ON DELETE SET NULL;

ALTER TABLE "public"."buddy_verification_audit"
  ADD CONSTRAINT "buddy_verification_audit_buddy_contact_id_fkey" FOREIGN KEY (buddy_contact_id) REFERENCES public.buddy_contacts(id) ON DELETE SET NULL;

ALTER TABLE "public"."buddy_verification_audit"
  ADD CONSTRAINT "buddy_verification_audit_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."support_alert_plan"
  ADD CONSTRAINT "support_alert_plan_alert_id_fkey" FOREIGN KEY (alert_id) REFERENCES public.support_alerts(id) ON DELETE CASCADE;

ALTER TABLE "public"."support_alerts"
  ADD CONSTRAINT "support_alerts_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

CREATE INDEX buddy_links_number_hash_idx ON private.buddy_links USING btree (number_hash);

CREATE INDEX buddy_verification_sends_user_id_idx ON private.buddy_verification_sends USING btree (user_id, mailbox_hash, sent_at DESC);

CREATE INDEX inbound_texts_received_at_idx ON private.inbound_texts USING btree (received_at);

CREATE INDEX outbox_contact_id_idx ON private.outbox USING btree (contact_id)
  WHERE (contact_id IS NOT NULL);

CREATE INDEX outbox_request_id_idx ON private.outbox USING btree (request_id)
  WHERE (request_id IS NOT NULL);

CREATE INDEX support_alert_plan_contact_id_idx ON private.support_alert_plan USING btree (contact_id);

CREATE INDEX support_alert_plan_request_id_idx ON private.support_alert_plan USING btree (request_id);

CREATE INDEX worrying_days_day_idx ON private.worrying_days USING btree (day);

CREATE INDEX buddy_check_in_requests_buddy_contact_id_idx ON public.buddy_check_in_requests USING btree (buddy_contact_id);

CREATE INDEX buddy_check_in_requests_user_id_idx ON public.buddy_check_in_requests USING btree (user_id, created_at DESC);

CREATE INDEX buddy_contacts_declined_at_idx ON public.buddy_contacts USING btree (declined_at)
  WHERE (declined_at IS NOT NULL);

CREATE INDEX buddy_contacts_phone_idx ON public.buddy_contacts USING btree (phone);

CREATE UNIQUE INDEX buddy_contacts_verification_token_idx ON public.buddy_contacts USING btree (verification_token);

CREATE INDEX buddy_verification_audit_buddy_contact_id_idx ON public.buddy_verification_audit USING btree (buddy_contact_id);

CREATE INDEX buddy_verification_audit_user_id_idx ON public.buddy_verification_audit USING btree (user_id, created_at DESC);

CREATE INDEX support_alerts_open_idx ON public.support_alerts USING btree (opened_at)
  WHERE (status = 'open'::text);

CREATE UNIQUE INDEX support_alerts_open_student_idx ON public.support_alerts USING btree (user_id)
  WHERE (status = 'open'::text);

CREATE INDEX support_alerts_user_id_idx ON public.support_alerts USING btree (user_id, opened_at DESC);

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

COMMENT ON COLUMN "private"."buddy_links"."expires_at" IS 'When the link expires.';

COMMENT ON COLUMN "private"."buddy_links"."number_hash" IS 'private.hash_of_number of the number that was asked, so that a contact who is deleted and added again is the same.';

COMMENT ON COLUMN "private"."buddy_links"."request_id" IS 'The request.';

COMMENT ON COLUMN "private"."buddy_links"."token_hash" IS 'private.link_token_hash of the token in the link.';

COMMENT ON COLUMN "private"."buddy_verification_sends"."id" IS 'The email.';

COMMENT ON COLUMN "private"."buddy_verification_sends"."mailbox_hash" IS 'SHA-256 of the mailbox that the address leads to, under the project''s own key.';

COMMENT ON COLUMN "private"."buddy_verification_sends"."sent_at" IS 'When it was queued.';

COMMENT ON COLUMN "private"."buddy_verification_sends"."user_id" IS 'The student.';

COMMENT ON COLUMN "private"."inbound_texts"."meaning" IS 'How it was read: stop, start, help or other.';

COMMENT ON COLUMN "private"."inbound_texts"."number_hash" IS 'private.hash_of_number of the sender.';

COMMENT ON COLUMN "private"."inbound_texts"."provider_message_id" IS 'The provider''s id of the text.';

COMMENT ON COLUMN "private"."inbound_texts"."received_at" IS 'When it came.';

COMMENT ON COLUMN "private"."outbox"."contact_id" IS 'The support contact it goes to: it is sent only while private.may_reach allows it, and deleted with the contact.';

COMMENT ON COLUMN "private"."outbox"."ended_at" IS 'When it became sent, unconfirmed, dead or cancelled.';

COMMENT ON COLUMN "private"."outbox"."request_id" IS 'The request of which it is the text.';

COMMENT ON COLUMN "private"."support_alert_plan"."alert_id" IS 'The alert.';

COMMENT ON COLUMN "private"."support_alert_plan"."contact_id" IS 'The contact; null once it is deleted.';

COMMENT ON COLUMN "private"."support_alert_plan"."position" IS 'Place in the order, 1 first.';

COMMENT ON COLUMN "private"."support_alert_plan"."request_id" IS 'The request that was made to the contact; null until then.';

COMMENT ON COLUMN "private"."support_alert_plan"."step" IS 'Step in which the contact is asked.';

COMMENT ON COLUMN "private"."support_settings"."alert_pause" IS 'Shortest time between the openings of two alerts about a student.';

COMMENT ON COLUMN "private"."support_settings"."alert_valid" IS 'When an alert ends at the latest.';

COMMENT ON COLUMN "private"."support_settings"."contacts_at_once" IS 'Contacts who are told in one step of an alert.';

COMMENT ON COLUMN "private"."support_settings"."day_begins" IS 'From when texts may arrive, in the contact''s time zone.';

COMMENT ON COLUMN "private"."support_settings"."day_ends" IS 'Until when texts may arrive, in the contact''s time zone.';

COMMENT ON COLUMN "private"."support_settings"."keep_declined" IS 'How long a contact who declined is kept.';

COMMENT ON COLUMN "private"."support_settings"."link_valid" IS 'How long a link to a contact is valid: the verification''s and those of requests and alerts.';

COMMENT ON COLUMN "private"."support_settings"."longest_student_pause" IS 'How far ahead a student may pause alerts.';

COMMENT ON COLUMN "private"."support_settings"."max_verifications" IS 'Verification emails of a student to one address in all, also after the contact was deleted.';

COMMENT ON COLUMN "private"."support_settings"."only_row" IS 'Always true: there is one row.';

COMMENT ON COLUMN "private"."support_settings"."operator_email" IS 'Who is told of alerts that stand still; null: only the log says so.';

COMMENT ON COLUMN "private"."support_settings"."pattern_days" IS 'Worrying days within the window that open an alert.';

COMMENT ON COLUMN "private"."support_settings"."pattern_window_days" IS 'Length of the window, days, today included.';

COMMENT ON COLUMN "private"."support_settings"."request_pause" IS 'Shortest time between two requests of a student to one number.';

COMMENT ON COLUMN "private"."support_settings"."response_time" IS 'How long the contacts of a step have to respond after the first of their texts was sent.';

COMMENT ON COLUMN "private"."support_settings"."verification_pause" IS 'Shortest time between two verification emails of a student to one address.';

COMMENT ON COLUMN "private"."text_opt_outs"."heard_by" IS 'How: a reply, a page, or the provider''s own list (Twilio''s error 21610).';

COMMENT ON COLUMN "private"."text_opt_outs"."number_hash" IS 'private.hash_of_number of the number.';

COMMENT ON COLUMN "private"."text_opt_outs"."opted_out_at" IS 'When the stop was heard.';

COMMENT ON COLUMN "private"."worrying_days"."day" IS 'The day.';

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

COMMENT ON COLUMN "public"."buddy_verification_audit"."metadata" IS 'Of an acceptance: the wording agreed to, its version, the method and the last digits of the number; of a refusal: the reason, if one was given.';

COMMENT ON COLUMN "public"."buddy_verification_audit"."user_agent" IS 'Browser or app that it came from.';

COMMENT ON COLUMN "public"."buddy_verification_audit"."user_id" IS 'The student.';

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

COMMENT ON FUNCTION "private"."ask_contact"(uuid, text, integer, timestamp with time zone) IS 'Asks a contact by text to check on the student: the request, its link and the queued text; null when the contact may not be texted. Called by the student''s request and by alerts.';

COMMENT ON FUNCTION "private"."hash_of_number"(text) IS 'SHA-256 of a phone number (E.164) under the project''s own key in Vault, so that stored hashes cannot be tried out. Called where a number must be known again after its contact is gone.';

COMMENT ON FUNCTION "private"."link_token_hash"(text) IS 'What is stored of a link''s token: its SHA-256, hexadecimal.';

COMMENT ON FUNCTION "private"."may_reach"(uuid, private.message_channel, text) IS 'Whether a support contact may be sent a message now. Called wherever one is queued, claimed or handed to a provider.';

COMMENT ON FUNCTION "private"."name_in_message"(text, text) IS 'A name as messages and pages show it: without links, line breaks and control characters, 40 characters at most; "otherwise" when nothing is left.';

COMMENT ON FUNCTION "private"."new_link_token"() IS 'A new token of a link: 64 characters. Called wherever a contact is sent a link.';

COMMENT ON FUNCTION "private"."next_text_time"(uuid, timestamp with time zone) IS 'The first moment from "at" on when a contact may be texted: in the day of their time zone, or at once where they allow nights.';

COMMENT ON FUNCTION "private"."pages_url"() IS 'Where people see the pages: the address that links in messages begin with. Null until Vault has it.';

COMMENT ON FUNCTION "private"."queue_text"(uuid, text, text, uuid, timestamp with time zone) IS 'Queues a text to a contact for the next moment when it may arrive; null when the contact may not be texted.';

COMMENT ON TABLE "private"."buddy_links" IS 'The link of each request. It allows one answer.';

COMMENT ON TABLE "private"."buddy_verification_sends" IS 'Each verification email, by student and address, so that deleting a contact and adding it again lifts no limit.';

COMMENT ON TABLE "private"."inbound_texts" IS 'Texts that came in, each once however often the provider reports it; not what they said.';

COMMENT ON TABLE "private"."support_alert_plan" IS 'Whom an alert asks, frozen when it opens.';

COMMENT ON TABLE "private"."support_settings" IS 'Settings of the support circle that an operator can change without a deployment. Exactly one row.';

COMMENT ON TABLE "private"."text_opt_outs" IS 'Numbers that are never texted, for whichever student. A START removes the row.';

COMMENT ON TABLE "private"."worrying_days" IS 'Days (UTC) of the last weeks on which a check-in of the student showed moderate or high risk, or was clearly worse than usual; so that looking for patterns reads no check-ins.';

COMMENT ON TABLE "public"."buddy_check_in_requests" IS 'Each time that a contact was asked by text to check on the student.';

COMMENT ON TABLE "public"."buddy_contacts" IS 'The people whom a student names, at most five of them active. Nobody is texted before they agreed by email.';

COMMENT ON TABLE "public"."buddy_verification_audit" IS 'What became of each verification, as proof of what a contact agreed to.';

COMMENT ON TABLE "public"."support_alerts" IS 'Each time that a lasting pattern told a student''s contacts. Who is asked, in which order, is fixed when it opens.';

COMMENT ON TABLE "public"."support_preferences" IS 'What a student chose for the alerts about them; the defaults hold without a row.';

COMMENT ON TYPE "private"."message_status" IS 'queued → sending → sent | unconfirmed | dead; sending → queued when the provider certainly did not send it; queued | sending → cancelled when its recipient may no longer be reached.';

REVOKE ALL ON FUNCTION "private"."ask_contact"(uuid, text, integer, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ask_contact"(uuid, text, integer, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."ask_contact"(uuid, text, integer, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."hash_of_number"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hash_of_number"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."hash_of_number"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."link_token_hash"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."link_token_hash"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."link_token_hash"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."may_reach"(uuid, private.message_channel, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."may_reach"(uuid, private.message_channel, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."may_reach"(uuid, private.message_channel, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."name_in_message"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."name_in_message"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."name_in_message"(text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."new_link_token"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."new_link_token"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."new_link_token"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."next_text_time"(uuid, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."next_text_time"(uuid, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."next_text_time"(uuid, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."pages_url"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."pages_url"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."pages_url"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."queue_text"(uuid, text, text, uuid, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_text"(uuid, text, text, uuid, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."queue_text"(uuid, text, text, uuid, timestamp WITH time zone) TO "postgres";

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

GRANT SELECT ON TABLE "public"."buddy_verification_audit" TO "authenticated";

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

-- Hand-added: planner statistics of account columns are off.
ALTER TABLE public.buddy_contacts
  ALTER COLUMN user_id SET STATISTICS 0,
  ALTER COLUMN phone SET STATISTICS 0,
  ALTER COLUMN email SET STATISTICS 0;
ALTER TABLE public.support_preferences ALTER COLUMN user_id SET STATISTICS 0;
ALTER TABLE public.buddy_verification_audit ALTER COLUMN user_id SET STATISTICS 0;
ALTER TABLE public.buddy_check_in_requests ALTER COLUMN user_id SET STATISTICS 0;
ALTER TABLE public.support_alerts ALTER COLUMN user_id SET STATISTICS 0;

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
select cron.schedule('purge-transcript-results', '37 3 * * *', 'select private.purge_transcript_results()');
select cron.schedule('verify-audit-log', '*/10 * * * *', 'select public.verify_audit_chain()');
select cron.schedule('send-review-digests', '22 * * * *', 'select private.send_review_digests()');
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
