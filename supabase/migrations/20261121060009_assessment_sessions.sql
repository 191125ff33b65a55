SET local check_function_bodies = off;

DROP POLICY "people see their own profile" ON "public"."profiles";

DROP POLICY "students follow their own check-ins" ON "realtime"."messages";

CREATE TABLE "private"."crisis_contacts" (
  "university_id" text NOT NULL,
  "email"         text NOT NULL,
  CONSTRAINT "crisis_contacts_email_form" CHECK ((email ~ '^[^@[:space:]]+@[^@[:space:]]+$'::text)),
  CONSTRAINT "crisis_contacts_pkey" PRIMARY KEY (university_id)
);

CREATE TABLE "private"."messaging_settings" (
  "only_row"        boolean  NOT NULL DEFAULT true,
  "lease"           interval NOT NULL DEFAULT '00:01:00'::interval,
  "retry_backoff"   interval NOT NULL DEFAULT '00:00:15'::interval,
  "longest_backoff" interval NOT NULL DEFAULT '00:30:00'::interval,
  "max_attempts"    smallint NOT NULL DEFAULT 8,
  "keep_sent"       interval NOT NULL DEFAULT '30 days'::interval,
  CONSTRAINT "messaging_settings_only_row" CHECK (only_row),
  CONSTRAINT "messaging_settings_pkey" PRIMARY KEY (only_row),
  CONSTRAINT "messaging_settings_positive"
    CHECK
    (((lease > '00:00:00'::interval) AND (retry_backoff > '00:00:00'::interval) AND (longest_backoff >= retry_backoff) AND (max_attempts > 0) AND (keep_sent >
    '00:00:00'::interval)))
);

CREATE TABLE "private"."outbox" (
  "id" uuid NOT NULL DEFAULT gen_random_uuid(),
  CONSTRAINT "outbox_pkey" PRIMARY KEY (id)
);

CREATE TABLE "private"."rate_limit_rules" (
  "scope"    text     NOT NULL,
  "requests" integer  NOT NULL,
  "period"   interval NOT NULL DEFAULT '00:01:00'::interval,
  CONSTRAINT "rate_limit_rules_pkey" PRIMARY KEY (scope),
  CONSTRAINT "rate_limit_rules_positive" CHECK (((requests > 0) AND (period > '00:00:00'::interval)))
);

CREATE TABLE "private"."rate_limit_uses" (
  "user_id" uuid                       NOT NULL,
  "scope"   text                       NOT NULL,
  "taken"   timestamp with time zone[] NOT NULL DEFAULT '{}'::timestamp WITH time zone[],
  CONSTRAINT "rate_limit_uses_pkey" PRIMARY KEY (user_id, scope)
);

CREATE TABLE "private"."transcript_results" (
  "id"                uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "user_id"           uuid                     NOT NULL,
  "transcript_sha256" bytea                    NOT NULL,
  "check_in_id"       uuid,
  "provider"          text                     NOT NULL,
  "risk_level"        checkin.risk_level       NOT NULL,
  "result"            jsonb                    NOT NULL,
  "created_at"        timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "transcript_results_once" UNIQUE (user_id, transcript_sha256),
  CONSTRAINT "transcript_results_pkey" PRIMARY KEY (id),
  CONSTRAINT "transcript_results_transcript_sha256_length" CHECK ((octet_length(transcript_sha256) = 32))
);

CREATE TABLE "public"."clinical_reviews" (
  "id"            uuid NOT NULL DEFAULT gen_random_uuid(),
  "user_id"       uuid NOT NULL,
  "university_id" text,
  CONSTRAINT "clinical_reviews_pkey" PRIMARY KEY (id)
);

ALTER TABLE "public"."clinical_reviews"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."clinical_reviews" FROM "anon";

CREATE TABLE "public"."session_analyses" (
  "session_id" uuid NOT NULL,
  "user_id"    uuid NOT NULL
);

ALTER TABLE "public"."session_analyses"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."session_analyses" FROM "anon";

CREATE TABLE "public"."session_scores" (
  "session_id"        uuid                     NOT NULL,
  "user_id"           uuid                     NOT NULL,
  "final_score"       numeric(5,2)             NOT NULL,
  "confidence"        numeric(4,3)             NOT NULL,
  "risk_level"        checkin.risk_level       NOT NULL,
  "fusion_score"      jsonb                    NOT NULL,
  "algorithm_version" text                     NOT NULL,
  "created_at"        timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "session_scores_confidence_range" CHECK (((confidence >= (0)::numeric) AND (confidence <= (1)::numeric))),
  CONSTRAINT "session_scores_final_score_range" CHECK (((final_score >= (0)::numeric) AND (final_score <= (100)::numeric))),
  CONSTRAINT "session_scores_fusion_score_object" CHECK ((jsonb_typeof(fusion_score) = 'object'::text)),
  CONSTRAINT "session_scores_pkey" PRIMARY KEY (session_id)
);

ALTER TABLE "public"."session_scores"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."session_scores" FROM "anon";

CREATE TYPE "private"."delivery_outcome" AS ENUM (
  'sent',
  'not_sent',
  'maybe_sent',
  'refused'
);

CREATE TYPE "private"."message_channel" AS ENUM (
  'email',
  'sms'
);

ALTER TABLE "private"."outbox"
  ADD COLUMN "channel" private.message_channel NOT NULL;

ALTER TABLE "private"."outbox"
  ADD COLUMN "purpose" text NOT NULL;

ALTER TABLE "private"."outbox"
  ADD COLUMN "user_id" uuid;

ALTER TABLE "private"."outbox"
  ADD COLUMN "recipient" text;

ALTER TABLE "private"."outbox"
  ADD COLUMN "subject" text NOT NULL DEFAULT ''::text;

ALTER TABLE "private"."outbox"
  ADD COLUMN "body" text NOT NULL;

CREATE TYPE "private"."message_status" AS ENUM (
  'queued',
  'sending',
  'sent',
  'maybe_sent',
  'dead'
);

ALTER TABLE "private"."outbox"
  ADD COLUMN "status" private.message_status NOT NULL DEFAULT 'queued'::private.message_status;

ALTER TABLE "private"."outbox"
  ADD COLUMN "attempts" smallint NOT NULL DEFAULT 0;

ALTER TABLE "private"."outbox"
  ADD COLUMN "send_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "private"."outbox"
  ADD COLUMN "lease_until" timestamp WITH time zone;

ALTER TABLE "private"."outbox"
  ADD COLUMN "handed_over_at" timestamp WITH time zone;

ALTER TABLE "private"."outbox"
  ADD COLUMN "provider" text;

ALTER TABLE "private"."outbox"
  ADD COLUMN "provider_message_id" text;

ALTER TABLE "private"."outbox"
  ADD COLUMN "error_code" text;

ALTER TABLE "private"."outbox"
  ADD COLUMN "created_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "private"."outbox"
  ADD COLUMN "ended_at" timestamp WITH time zone;

ALTER TABLE "private"."outbox"
  ADD COLUMN "reported_at" timestamp WITH time zone;

CREATE TYPE "public"."modality" AS ENUM (
  'audio',
  'visual',
  'text'
);

ALTER TABLE "public"."session_analyses"
  ADD COLUMN "modality" public.modality NOT NULL;

ALTER TABLE "public"."session_analyses"
  ADD COLUMN "analysis" jsonb NOT NULL;

ALTER TABLE "public"."session_analyses"
  ADD COLUMN "measures" jsonb NOT NULL;

ALTER TABLE "public"."session_analyses"
  ADD COLUMN "quality" double precision NOT NULL;

ALTER TABLE "public"."session_analyses"
  ADD COLUMN "quality_reason" text;

ALTER TABLE "public"."session_analyses"
  ADD COLUMN "risk_level" checkin.risk_level NOT NULL DEFAULT 'none'::checkin.risk_level;

ALTER TABLE "public"."session_analyses"
  ADD COLUMN "created_at" timestamp WITH time zone NOT NULL DEFAULT now();

CREATE TYPE "public"."review_source" AS ENUM (
  'check_in',
  'session',
  'transcript'
);

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "source" public.review_source NOT NULL;

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "source_id" uuid NOT NULL;

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "risk_level" checkin.risk_level NOT NULL DEFAULT 'high'::checkin.risk_level;

CREATE TYPE "public"."review_status" AS ENUM (
  'open',
  'claimed',
  'closed'
);

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "status" public.review_status NOT NULL DEFAULT 'open'::public.review_status;

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "opened_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "claimed_at" timestamp WITH time zone;

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "claimed_by" uuid;

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "closed_at" timestamp WITH time zone;

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "closed_by" uuid;

CREATE OR REPLACE FUNCTION private.announce_session_error (
  session uuid,
  student uuid,
  failure jsonb
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  select private.broadcast_session(session, 'error', failure)
  from public.assessment_sessions
  where id = session and user_id = student
$function$;

CREATE OR REPLACE FUNCTION private.broadcast_session (
  session uuid,
  event   text,
  payload jsonb
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select realtime.send(payload || jsonb_build_object('session_id', session), event, 'assessment:' || session, true)
$function$;

CREATE OR REPLACE FUNCTION private.call_function (
  called text,
  body   jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  functions_url text;
  pipeline_secret text;
begin
  select decrypted_secret into functions_url from vault.decrypted_secrets where name = 'functions_url';
  select decrypted_secret into pipeline_secret from vault.decrypted_secrets where name = 'pipeline_secret';
  if functions_url is null or pipeline_secret is null then
    raise warning 'Vault holds no functions_url or pipeline_secret: work waits until it does.';
    return;
  end if;
  perform net.http_post(
    url := functions_url || '/' || called,
    body := call_function.body,
    headers := jsonb_build_object(
      'content-type', 'application/json',
      'authorization', 'Bearer ' || pipeline_secret
    ),
    timeout_milliseconds := 5000
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.claim_messages (
  most integer
)
  RETURNS SETOF private.outbox
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  -- Materialized, so that the plan cannot take the limit more than once.
  with due as materialized (
    select id
    from private.outbox
    where status = 'queued' and send_at <= now()
    order by send_at
    limit most
    for update skip locked
  )
  update private.outbox o
  set status = 'sending',
    attempts = o.attempts + 1,
    lease_until = now() + s.lease,
    handed_over_at = null
  from due, private.messaging_settings s
  where o.id = due.id
  returning o.*
$function$;

CREATE OR REPLACE FUNCTION private.forget_sent_messages()
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  delete from private.outbox o
  using private.messaging_settings s
  where o.status = 'sent' and o.ended_at < now() - s.keep_sent
$function$;

CREATE OR REPLACE FUNCTION private.forget_transcript_results()
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  delete from private.transcript_results where created_at < now() - interval '90 days'
$function$;

CREATE OR REPLACE FUNCTION private.give_back_claims()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update public.clinical_reviews
  set claimed_by = null
  where status = 'claimed' and claimed_by = old.user_id and university_id = old.university_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.guard_clinical_review()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  person uuid := (select auth.uid());
begin
  -- Nobody must wait for a counselor who is gone.
  if new.status = 'claimed' and old.claimed_by is not null and new.claimed_by is null then
    new.status := 'open';
    new.claimed_at := null;
    return new;
  end if;
  if old.status = 'claimed' and old.claimed_by is not null and person is not null and old.claimed_by <> person then
    raise exception 'Another counselor has claimed this review.' using errcode = 'check_violation';
  end if;
  -- An account that is deleted leaves the review without its name.
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
$function$;

CREATE OR REPLACE FUNCTION private.hand_over_message (
  message uuid,
  attempt smallint
)
  RETURNS boolean
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  with handed as (
    update private.outbox
    set handed_over_at = now()
    where id = message and attempts = attempt and status = 'sending' and lease_until > now()
    returning id
  )
  select exists (select from handed)
$function$;

CREATE OR REPLACE FUNCTION private.hold_session (
  session uuid,
  student uuid
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  perform from public.profiles where user_id = student for key share;
  perform from public.assessment_sessions where id = session and user_id = student for update;
  return found;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_crisis_contact()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  contact text;
begin
  select coalesce(c.email, nullif(btrim(u.support_email), '')) into contact
  from public.universities u
  left join private.crisis_contacts c on c.university_id = u.id
  where u.id = new.university_id;

  insert into private.outbox (channel, purpose, user_id, recipient, subject, body, status, error_code, ended_at)
  values (
    'email',
    'clinical_review',
    new.user_id,
    contact,
    'High risk: a student needs a clinical review',
    format(
      E'A student''s answers show signs of a crisis.\n\nReview: %s\nOpened: %s UTC\n\nSign in to see who it is and to claim the review. It stays open until a counselor claims it.',
      new.id,
      to_char(new.opened_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
    ),
    case when contact is null then 'dead' else 'queued' end::private.message_status,
    case when contact is null then 'no_recipient' end,
    case when contact is null then now() end
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.open_clinical_review (
  student  uuid,
  found_in public.review_source,
  found_at uuid
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  insert into public.clinical_reviews (user_id, university_id, source, source_id)
  select user_id, university_id, found_in, found_at
  from public.profiles
  where user_id = student
  for key share
  on conflict (source, source_id) where status <> 'closed' do nothing
$function$;

CREATE OR REPLACE FUNCTION private.owns_session_channel (
  topic text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (
    select from public.assessment_sessions
    where user_id = (select auth.uid())
      and id = case
        when topic ~ '^assessment:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(topic, 12)::uuid
      end
  )
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
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  -- An email carries an idempotency key, so that sending it again cannot double it; a text has none.
  with judged as (
    select
      o.id,
      case
        when outcome = 'sent' then 'sent'
        when outcome = 'maybe_sent' and o.channel = 'sms' then 'maybe_sent'
        when outcome = 'refused' or o.attempts >= s.max_attempts then 'dead'
        else 'queued'
      end::private.message_status as next_status,
      now() + greatest(
        retry_after,
        least(s.retry_backoff * power(2, least(o.attempts - 1, 20)), s.longest_backoff)
      ) as next_try
    from private.outbox o, private.messaging_settings s
    where o.id = message and o.attempts = attempt and o.status = 'sending'
    for update of o
  )
  update private.outbox o
  set status = j.next_status,
    send_at = case when j.next_status = 'queued' then j.next_try else o.send_at end,
    lease_until = null,
    provider = sent_by,
    provider_message_id = sent_as,
    error_code = code,
    ended_at = case when j.next_status <> 'queued' then now() end
  from judged j
  where o.id = j.id
  returning o.status
$function$;

CREATE OR REPLACE FUNCTION private.report_undelivered_messages()
  RETURNS TABLE (
    id         uuid,
    channel    private.message_channel,
    purpose    text,
    status     private.message_status,
    attempts   smallint,
    error_code text
  )
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  update private.outbox o
  set reported_at = now()
  where o.status in ('dead', 'maybe_sent') and o.reported_at is null
  returning o.id, o.channel, o.purpose, o.status, o.attempts, o.error_code
$function$;

CREATE OR REPLACE FUNCTION private.review_high_risk()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.open_clinical_review(new.user_id, 'check_in', new.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.ring (
  job  uuid,
  kind private.job_kind
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.call_function(
    private.worker_of(kind),
    jsonb_build_object(
      'type', 'INSERT',
      'schema', 'private',
      'table', 'analysis_jobs',
      'record', jsonb_build_object('id', job, 'kind', kind)
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.ring_due_messages()
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- A sender that was lost before it reached the provider sent nothing.
  perform private.record_delivery(
    o.id,
    o.attempts,
    case when o.handed_over_at is null then 'not_sent' else 'maybe_sent' end::private.delivery_outcome,
    o.provider,
    null,
    'sender_lost',
    null
  )
  from (
    select * from private.outbox where status = 'sending' and lease_until <= now() for update skip locked
  ) o;

  perform private.call_function('deliver-messages', '{"type": "UPDATE", "schema": "private", "table": "outbox"}')
  where exists (select from private.outbox where status = 'queued' and send_at <= now())
    or exists (select from private.outbox where status in ('dead', 'maybe_sent') and reported_at is null);
end
$function$;

CREATE OR REPLACE FUNCTION private.ring_messages()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.call_function('deliver-messages', '{"type": "INSERT", "schema": "private", "table": "outbox"}')
  where exists (select from new_messages where status = 'dead' or (status = 'queued' and send_at <= now()));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.send_again (
  message uuid
)
  RETURNS boolean
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  with again as (
    update private.outbox
    set status = 'queued', attempts = 0, send_at = now(), ended_at = null, reported_at = null
    where id = message and status in ('dead', 'maybe_sent') and recipient is not null
    returning id
  )
  select exists (select from again)
$function$;

CREATE OR REPLACE FUNCTION private.session_score_input (
  session uuid,
  student uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'consents', jsonb_build_object(
      'audio', private.has_consent(student, 'audio'),
      'visual', private.has_consent(student, 'camera'),
      'text', private.has_consent(student, 'text')
    ),
    'analyses', coalesce(
      (
        select jsonb_object_agg(
          a.modality,
          jsonb_build_object(
            'measures', a.measures,
            'quality', a.quality,
            'quality_reason', a.quality_reason,
            'risk_level', a.risk_level
          )
        )
        from public.session_analyses a
        where a.session_id = session
      ),
      '{}'
    ),
    'baseline', (select b.state from checkin.user_baselines b where b.user_id = student)
  )
  from public.assessment_sessions s
  where s.id = session and s.user_id = student
$function$;

CREATE OR REPLACE FUNCTION private.store_session_analysis (
  session uuid,
  student uuid,
  stored  jsonb
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  result public.session_analyses := jsonb_populate_record(
    null::public.session_analyses,
    stored || jsonb_build_object('session_id', session, 'user_id', student, 'created_at', now())
  );
begin
  if not private.hold_session(session, student) then
    return false;
  end if;
  delete from public.session_analyses where session_id = session and modality = result.modality;
  insert into public.session_analyses select result.*;
  if result.risk_level = 'high' then
    perform private.open_clinical_review(student, 'session', session);
  end if;
  perform private.broadcast_session(
    session, 'analysis_complete', jsonb_build_object('analysis_type', result.modality)
  );
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.store_session_score (
  session uuid,
  student uuid,
  stored  jsonb
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  result public.session_scores := jsonb_populate_record(
    null::public.session_scores,
    stored || jsonb_build_object('session_id', session, 'user_id', student, 'created_at', now())
  );
begin
  if not private.hold_session(session, student) then
    return false;
  end if;
  delete from public.session_scores where session_id = session;
  insert into public.session_scores select result.*;
  if result.risk_level = 'high' then
    perform private.open_clinical_review(student, 'session', session);
  end if;
  perform private.broadcast_session(
    session, 'score_calculated', jsonb_build_object('score', result.final_score)
  );
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.store_transcript_result (
  student uuid,
  stored  jsonb
)
  RETURNS uuid
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  checked_in uuid := (stored ->> 'check_in_id')::uuid;
  risk checkin.risk_level := (stored ->> 'risk_level')::checkin.risk_level;
  stored_as uuid;
begin
  perform from public.profiles where user_id = student for key share;
  if not found then
    return null;
  end if;
  if checked_in is not null then
    update checkin.check_ins
    set risk_level = greatest(risk_level, risk)
    where id = checked_in and user_id = student;
    if not found then
      return null;
    end if;
  end if;

  insert into private.transcript_results as t (user_id, transcript_sha256, check_in_id, provider, risk_level, result)
  values (
    student,
    decode(stored ->> 'transcript_sha256', 'hex'),
    checked_in,
    stored ->> 'provider',
    risk,
    stored -> 'result'
  )
  on conflict on constraint transcript_results_once do update
  set check_in_id = excluded.check_in_id,
    provider = excluded.provider,
    risk_level = excluded.risk_level,
    result = excluded.result,
    created_at = now()
  returning t.id into stored_as;

  if risk = 'high' and checked_in is not null then
    perform private.open_clinical_review(student, 'check_in', checked_in);
  elsif risk = 'high' then
    perform private.open_clinical_review(student, 'transcript', stored_as);
  end if;
  return stored_as;
end
$function$;

CREATE OR REPLACE FUNCTION private.students_in_review()
  RETURNS SETOF uuid
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select r.user_id
  from public.clinical_reviews r
  where r.status <> 'closed' and r.university_id in (select private.universities_counseled())
$function$;

CREATE OR REPLACE FUNCTION private.take_rate_limit (
  person uuid,
  wanted text
)
  RETURNS TABLE (
    allowed      boolean,
    max_requests integer,
    remaining    integer,
    reset_s      integer,
    period_s     integer
  )
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  rule private.rate_limit_rules;
  recent timestamptz[];
  moment timestamptz;
begin
  select * into strict rule from private.rate_limit_rules where scope = wanted;
  -- Locked first, as the deletion of an account does.
  perform from public.profiles where user_id = person for key share;
  if not found then
    return;
  end if;
  insert into private.rate_limit_uses (user_id, scope) values (person, wanted) on conflict do nothing;
  select taken into strict recent
  from private.rate_limit_uses
  where user_id = person and scope = wanted
  for update;

  moment := clock_timestamp();
  recent := array(select t from unnest(recent) as t where t > moment - rule.period order by t);
  allowed := cardinality(recent) < rule.requests;
  if allowed then
    recent := recent || moment;
    update private.rate_limit_uses set taken = recent where user_id = person and scope = wanted;
  end if;
  max_requests := rule.requests;
  remaining := greatest(0, rule.requests - cardinality(recent));
  reset_s := greatest(1, ceil(extract(epoch from recent[1] + rule.period - moment)));
  period_s := extract(epoch from rule.period);
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION private.universities_counseled()
  RETURNS SETOF text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select university_id from public.user_roles where user_id = (select auth.uid()) and role = 'counselor'
$function$;

ALTER TABLE "checkin"."audio_analysis"
  ADD CONSTRAINT "audio_analysis_finite"
    CHECK
    (((GREATEST(f0_mean_hz, f0_sd_semitones, f0_range_semitones, f0_slope_semitones_per_s, intensity_mean_db, intensity_sd_db, intensity_range_db, voiced_fraction,
    speech_rate_syllables_per_s,
    articulation_rate_syllables_per_s,
    phonation_ratio,
    pause_rate_per_min,
    pause_mean_s,
    pause_sd_s,
    long_pause_rate_per_min,
    speech_run_mean_s,
    jitter_local,
    shimmer_local,
    hnr_db,
    cpps_db,
    alpha_ratio_db,
    hammarberg_index_db,
    voice_break_fraction,
    quality,
    snr_db,
    clipping_fraction,
    speech_s,
    duration_s) < 'Infinity'::double precision) AND
    (LEAST(f0_mean_hz, f0_sd_semitones, f0_range_semitones, f0_slope_semitones_per_s, intensity_mean_db, intensity_sd_db, intensity_range_db, voiced_fraction,
    speech_rate_syllables_per_s,
    articulation_rate_syllables_per_s,
    phonation_ratio,
    pause_rate_per_min,
    pause_mean_s,
    pause_sd_s,
    long_pause_rate_per_min,
    speech_run_mean_s,
    jitter_local,
    shimmer_local,
    hnr_db, cpps_db, alpha_ratio_db, hammarberg_index_db, voice_break_fraction, quality, snr_db, clipping_fraction, speech_s, duration_s) > '-Infinity'::double precision)));

ALTER TABLE "checkin"."text_analysis"
  ADD CONSTRAINT "text_analysis_finite"
    CHECK
    (((GREATEST(sentiment_compound, sentiment_positive, sentiment_negative, sentiment_variability, emotion_joy, emotion_sadness, emotion_anger, emotion_anxiety,
    lexical_diversity_mattr,
    mean_sentence_length_words,
    hesitation_rate,
    reading_grade,
    coping_rate,
    social_connection_rate,
    future_focus_rate,
    absolutist_rate,
    quality,
    stated_mood) < 'Infinity'::double precision) AND
    (LEAST(sentiment_compound, sentiment_positive, sentiment_negative, sentiment_variability, emotion_joy, emotion_sadness, emotion_anger, emotion_anxiety, lexical_diversity_mattr,
    mean_sentence_length_words,
    hesitation_rate, reading_grade, coping_rate, social_connection_rate, future_focus_rate, absolutist_rate, quality, stated_mood) > '-Infinity'::double precision)));

ALTER TABLE "checkin"."user_baselines"
  ADD CONSTRAINT "user_baselines_score_mean_range" CHECK (((score_mean >= (0)::double precision) AND (score_mean <= (100)::double precision)));

ALTER TABLE "checkin"."user_baselines"
  ADD CONSTRAINT "user_baselines_score_sd_range" CHECK (((score_sd >= (0)::double precision) AND (score_sd <= (100)::double precision)));

ALTER TABLE "checkin"."visual_analysis"
  ADD CONSTRAINT "visual_analysis_finite"
    CHECK
    (((GREATEST(emotion_happy, emotion_sad, emotion_angry, emotion_fear, emotion_surprise, emotion_disgust, emotion_neutral, emotion_stability, smile_intensity, mouth_openness,
    eye_openness,
    eye_closure_fraction,
    brow_lowering,
    expressivity,
    gaze_on_camera_fraction,
    gaze_down_fraction,
    head_pitch_mean_deg,
    head_yaw_sd_deg,
    quality) < 'Infinity'::double precision) AND
    (LEAST(emotion_happy, emotion_sad, emotion_angry, emotion_fear, emotion_surprise, emotion_disgust, emotion_neutral, emotion_stability, smile_intensity, mouth_openness,
    eye_openness,
    eye_closure_fraction,
    brow_lowering, expressivity, gaze_on_camera_fraction, gaze_down_fraction, head_pitch_mean_deg, head_yaw_sd_deg, quality) > '-Infinity'::double precision)));

ALTER TABLE "private"."crisis_contacts"
  ADD CONSTRAINT "crisis_contacts_university_id_fkey" FOREIGN KEY (university_id) REFERENCES public.universities(id) ON DELETE CASCADE;

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_body_length" CHECK (((char_length(body) >= 1) AND (char_length(body) <= 20000)));

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_ended_at_when_ended"
    CHECK (((status = ANY (ARRAY['sent'::private.message_status, 'maybe_sent'::private.message_status, 'dead'::private.message_status])) = (ended_at IS NOT NULL)));

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_lease_while_sending" CHECK (((status = 'sending'::private.message_status) = (lease_until IS NOT NULL)));

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_purpose_form" CHECK ((purpose ~ '^[a-z_]{1,50}$'::text));

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_recipient_unless_dead" CHECK (((recipient IS NOT NULL) OR (status = 'dead'::private.message_status)));

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_subject_length" CHECK ((char_length(subject) <= 200));

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "private"."rate_limit_uses"
  ADD CONSTRAINT "rate_limit_uses_scope_fkey" FOREIGN KEY (scope) REFERENCES private.rate_limit_rules(scope) ON DELETE CASCADE;

ALTER TABLE "private"."rate_limit_uses"
  ADD CONSTRAINT "rate_limit_uses_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "private"."transcript_results"
  ADD CONSTRAINT "transcript_results_check_in_id_fkey" FOREIGN KEY (check_in_id) REFERENCES checkin.check_ins(id) ON DELETE CASCADE;

ALTER TABLE "private"."transcript_results"
  ADD CONSTRAINT "transcript_results_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "public"."clinical_reviews"
  ADD CONSTRAINT "clinical_reviews_claimed_at_unless_open" CHECK (((status = 'open'::public.review_status) = (claimed_at IS NULL)));

ALTER TABLE "public"."clinical_reviews"
  ADD CONSTRAINT "clinical_reviews_claimed_by_fkey" FOREIGN KEY (claimed_by) REFERENCES public.profiles(user_id) ON DELETE SET NULL;

ALTER TABLE "public"."clinical_reviews"
  ADD CONSTRAINT "clinical_reviews_closed_at_when_closed" CHECK (((status = 'closed'::public.review_status) = (closed_at IS NOT NULL)));

ALTER TABLE "public"."clinical_reviews"
  ADD CONSTRAINT "clinical_reviews_closed_by_fkey" FOREIGN KEY (closed_by) REFERENCES public.profiles(user_id) ON DELETE SET NULL;

ALTER TABLE "public"."clinical_reviews"
  ADD CONSTRAINT "clinical_reviews_university_id_fkey" FOREIGN KEY (university_id) REFERENCES public.universities(id) ON DELETE SET NULL;

ALTER TABLE "public"."clinical_reviews"
  ADD CONSTRAINT "clinical_reviews_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "public"."session_analyses"
  ADD CONSTRAINT "session_analyses_analysis_object" CHECK ((jsonb_typeof(analysis) = 'object'::text));

ALTER TABLE "public"."session_analyses"
  ADD CONSTRAINT "session_analyses_measures_object" CHECK ((jsonb_typeof(measures) = 'object'::text));

ALTER TABLE "public"."session_analyses"
  ADD CONSTRAINT "session_analyses_pkey" PRIMARY KEY (session_id, modality);

ALTER TABLE "public"."session_analyses"
  ADD CONSTRAINT "session_analyses_quality_range" CHECK (((quality >= (0)::double precision) AND (quality <= (1)::double precision)));

ALTER TABLE "public"."session_analyses"
  ADD CONSTRAINT "session_analyses_session_id_fkey" FOREIGN KEY (session_id) REFERENCES public.assessment_sessions(id) ON DELETE CASCADE;

ALTER TABLE "public"."session_analyses"
  ADD CONSTRAINT "session_analyses_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "public"."session_scores"
  ADD CONSTRAINT "session_scores_session_id_fkey" FOREIGN KEY (session_id) REFERENCES public.assessment_sessions(id) ON DELETE CASCADE;

ALTER TABLE "public"."session_scores"
  ADD CONSTRAINT "session_scores_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

CREATE VIEW "private"."undelivered_messages" WITH (security_invoker=true) AS  SELECT id,
    channel,
    purpose,
    status,
    attempts,
    provider,
    error_code,
    created_at,
    ended_at
   FROM private.outbox
  WHERE (status = ANY (ARRAY['dead'::private.message_status, 'maybe_sent'::private.message_status]));

CREATE VIEW "public"."open_clinical_reviews" WITH (security_invoker=true) AS  SELECT r.id,
    r.university_id,
    r.user_id,
    p.first_name,
    p.last_name,
    r.source,
    r.risk_level,
    r.status,
    r.opened_at,
    r.claimed_at,
    r.claimed_by
   FROM (public.clinical_reviews r
     JOIN public.profiles p ON ((p.user_id = r.user_id)))
  WHERE (r.status <> 'closed'::public.review_status);

REVOKE ALL ON TABLE "public"."open_clinical_reviews" FROM "anon";

CREATE INDEX outbox_due_idx ON private.outbox USING btree (send_at)
  WHERE (status = 'queued'::private.message_status);

CREATE INDEX outbox_ended_at_idx ON private.outbox USING btree (ended_at);

CREATE INDEX outbox_lease_until_idx ON private.outbox USING btree (lease_until)
  WHERE (status = 'sending'::private.message_status);

CREATE INDEX outbox_unreported_idx ON private.outbox USING btree (ended_at)
  WHERE ((status = ANY (ARRAY['dead'::private.message_status, 'maybe_sent'::private.message_status])) AND (reported_at IS NULL));

CREATE INDEX outbox_user_id_idx ON private.outbox USING btree (user_id);

CREATE INDEX rate_limit_uses_scope_idx ON private.rate_limit_uses USING btree (scope);

CREATE INDEX transcript_results_check_in_id_idx ON private.transcript_results USING btree (check_in_id);

CREATE INDEX transcript_results_created_at_idx ON private.transcript_results USING btree (created_at);

CREATE INDEX clinical_reviews_claimed_by_idx ON public.clinical_reviews USING btree (claimed_by);

CREATE INDEX clinical_reviews_closed_by_idx ON public.clinical_reviews USING btree (closed_by);

CREATE UNIQUE INDEX clinical_reviews_unclosed_source_idx ON public.clinical_reviews USING btree (source, source_id)
  WHERE (status <> 'closed'::public.review_status);

CREATE INDEX clinical_reviews_university_id_status_idx ON public.clinical_reviews USING btree (university_id, status, opened_at);

CREATE INDEX clinical_reviews_user_id_idx ON public.clinical_reviews USING btree (user_id);

CREATE INDEX session_analyses_user_id_idx ON public.session_analyses USING btree (user_id);

CREATE INDEX session_scores_user_id_created_at_idx ON public.session_scores USING btree (user_id, created_at DESC);

CREATE TRIGGER review_high_risk
  AFTER UPDATE OF risk_level ON checkin.check_ins
  FOR EACH ROW
  WHEN (((new.risk_level = 'high'::checkin.risk_level) AND (old.risk_level IS DISTINCT FROM new.risk_level)))
  EXECUTE FUNCTION private.review_high_risk();

CREATE TRIGGER ring_messages
  AFTER INSERT ON private.outbox REFERENCING NEW TABLE AS new_messages
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.ring_messages();

CREATE TRIGGER guard_clinical_review
  BEFORE UPDATE ON public.clinical_reviews
  FOR EACH ROW
  EXECUTE FUNCTION private.guard_clinical_review();

CREATE TRIGGER notify_crisis_contact
  AFTER INSERT ON public.clinical_reviews
  FOR EACH ROW
  EXECUTE FUNCTION private.notify_crisis_contact();

CREATE TRIGGER give_back_claims
  AFTER DELETE ON public.user_roles
  FOR EACH ROW
  WHEN ((old.role = 'counselor'::public.app_role))
  EXECUTE FUNCTION private.give_back_claims();

CREATE POLICY "counselors claim and close the reviews of their universities" ON "public"."clinical_reviews"
  FOR UPDATE
  TO "authenticated"
  USING (((university_id IN ( SELECT private.universities_counseled() AS universities_counseled)) AND (user_id <> ( SELECT auth.uid() AS uid))))
  WITH CHECK (((university_id IN ( SELECT private.universities_counseled() AS universities_counseled)) AND (user_id <> ( SELECT auth.uid() AS uid))));

CREATE POLICY "counselors see the reviews of their universities" ON "public"."clinical_reviews"
  FOR SELECT
  TO "authenticated"
  USING (((university_id IN ( SELECT private.universities_counseled() AS universities_counseled)) AND (user_id <> ( SELECT auth.uid() AS uid))));

CREATE POLICY "people see their own profile, counselors those in review" ON "public"."profiles"
  FOR SELECT
  TO "authenticated"
  USING (((user_id = ( SELECT auth.uid() AS uid)) OR (user_id IN ( SELECT private.students_in_review() AS students_in_review))));

CREATE POLICY "students see the analyses of their own sessions" ON "public"."session_analyses"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "students see the scores of their own sessions" ON "public"."session_scores"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "students follow their own check-ins and sessions" ON "realtime"."messages"
  FOR SELECT
  TO "authenticated"
  USING
    (((EXTENSION = 'broadcast'::text) AND (( SELECT private.owns_check_in_channel(( SELECT realtime.topic() AS topic)) AS owns_check_in_channel) OR ( SELECT
    private.owns_session_channel(( SELECT realtime.topic() AS topic)) AS owns_session_channel))));

CREATE POLICY "students send to their own sessions" ON "realtime"."messages"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (((extension = 'broadcast'::text) AND ( SELECT private.owns_session_channel(( SELECT realtime.topic() AS topic)) AS owns_session_channel)));

COMMENT ON COLUMN "checkin"."audio_analysis"."phonation_ratio" IS 'Share of the time from the first speech to the last that is speech, 0 to 1.';

COMMENT ON COLUMN "checkin"."audio_analysis"."speech_rate_syllables_per_s" IS 'Syllable nuclei per second, from the first speech to the last.';

COMMENT ON COLUMN "private"."crisis_contacts"."email" IS 'Address that is read at any hour.';

COMMENT ON COLUMN "private"."crisis_contacts"."university_id" IS 'The university.';

COMMENT ON COLUMN "private"."messaging_settings"."keep_sent" IS 'How long a message that was sent is kept.';

COMMENT ON COLUMN "private"."messaging_settings"."lease" IS 'How long a sender may hold a message; longer than the slowest provider.';

COMMENT ON COLUMN "private"."messaging_settings"."longest_backoff" IS 'The pause grows no longer than this.';

COMMENT ON COLUMN "private"."messaging_settings"."max_attempts" IS 'Tries before a message is dead.';

COMMENT ON COLUMN "private"."messaging_settings"."only_row" IS 'Always true: there is one row.';

COMMENT ON COLUMN "private"."messaging_settings"."retry_backoff" IS 'Pause after a failed try; doubles with every try.';

COMMENT ON COLUMN "private"."outbox"."attempts" IS 'Tries so far; a sender shows the number it was given, so that a late one changes nothing.';

COMMENT ON COLUMN "private"."outbox"."body" IS 'Plain text.';

COMMENT ON COLUMN "private"."outbox"."channel" IS 'Email or text message.';

COMMENT ON COLUMN "private"."outbox"."created_at" IS 'When it was written.';

COMMENT ON COLUMN "private"."outbox"."ended_at" IS 'When it was sent, or given up.';

COMMENT ON COLUMN "private"."outbox"."error_code" IS 'Why the last try failed.';

COMMENT ON COLUMN "private"."outbox"."handed_over_at" IS 'When the current try began to reach the provider; from then on it may have been sent.';

COMMENT ON COLUMN "private"."outbox"."id" IS 'The message; also its idempotency key at the provider.';

COMMENT ON COLUMN "private"."outbox"."lease_until" IS 'Until when the sender that has it may hold it.';

COMMENT ON COLUMN "private"."outbox"."provider" IS 'Which provider the last try went to.';

COMMENT ON COLUMN "private"."outbox"."provider_message_id" IS 'The provider''s name for the message.';

COMMENT ON COLUMN "private"."outbox"."purpose" IS 'What it is for, such as clinical_review.';

COMMENT ON COLUMN "private"."outbox"."recipient" IS 'Address or number (E.164); null when there is none to send to.';

COMMENT ON COLUMN "private"."outbox"."reported_at" IS 'When the log told that it is dead or may not have arrived.';

COMMENT ON COLUMN "private"."outbox"."send_at" IS 'Not before this.';

COMMENT ON COLUMN "private"."outbox"."status" IS 'State of the message.';

COMMENT ON COLUMN "private"."outbox"."subject" IS 'Subject of an email.';

COMMENT ON COLUMN "private"."outbox"."user_id" IS 'The student it is about; goes with the account.';

COMMENT ON COLUMN "private"."rate_limit_rules"."period" IS 'Length of the sliding window.';

COMMENT ON COLUMN "private"."rate_limit_rules"."requests" IS 'Requests within any one period.';

COMMENT ON COLUMN "private"."rate_limit_rules"."scope" IS 'What is limited, named after the function or call.';

COMMENT ON COLUMN "private"."rate_limit_uses"."scope" IS 'What was asked for.';

COMMENT ON COLUMN "private"."rate_limit_uses"."taken" IS 'When each request of the window was let through, oldest first.';

COMMENT ON COLUMN "private"."rate_limit_uses"."user_id" IS 'Who asked.';

COMMENT ON COLUMN "private"."transcript_results"."check_in_id" IS 'The check-in it belongs to, if the app said so.';

COMMENT ON COLUMN "private"."transcript_results"."created_at" IS 'When it was stored.';

COMMENT ON COLUMN "private"."transcript_results"."id" IS 'The analysis.';

COMMENT ON COLUMN "private"."transcript_results"."provider" IS 'Who answered: language-model, built-in or fallback.';

COMMENT ON COLUMN "private"."transcript_results"."result" IS 'The result as it was answered.';

COMMENT ON COLUMN "private"."transcript_results"."risk_level" IS 'Risk level; never below that of the crisis-language check.';

COMMENT ON COLUMN "private"."transcript_results"."transcript_sha256" IS 'SHA-256 of the transcript, so that a call that is repeated is told from a new one.';

COMMENT ON COLUMN "private"."transcript_results"."user_id" IS 'The student.';

COMMENT ON COLUMN "public"."clinical_reviews"."claimed_at" IS 'When a counselor took it; null while it is open.';

COMMENT ON COLUMN "public"."clinical_reviews"."claimed_by" IS 'Who took it.';

COMMENT ON COLUMN "public"."clinical_reviews"."closed_at" IS 'When it was closed.';

COMMENT ON COLUMN "public"."clinical_reviews"."closed_by" IS 'Who closed it.';

COMMENT ON COLUMN "public"."clinical_reviews"."id" IS 'The review.';

COMMENT ON COLUMN "public"."clinical_reviews"."opened_at" IS 'When it was opened.';

COMMENT ON COLUMN "public"."clinical_reviews"."risk_level" IS 'Level that opened the review.';

COMMENT ON COLUMN "public"."clinical_reviews"."source" IS 'What showed the risk.';

COMMENT ON COLUMN "public"."clinical_reviews"."source_id" IS 'The check-in, the session, or the analysis of a transcript.';

COMMENT ON COLUMN "public"."clinical_reviews"."status" IS 'State of the review.';

COMMENT ON COLUMN "public"."clinical_reviews"."university_id" IS 'University whose counselors see it.';

COMMENT ON COLUMN "public"."clinical_reviews"."user_id" IS 'The student.';

COMMENT ON COLUMN "public"."session_analyses"."analysis" IS 'The analysis as it was answered.';

COMMENT ON COLUMN "public"."session_analyses"."created_at" IS 'When the analysis was stored.';

COMMENT ON COLUMN "public"."session_analyses"."measures" IS 'What the score is calculated from: features by name, and details of the words.';

COMMENT ON COLUMN "public"."session_analyses"."modality" IS 'What was analysed.';

COMMENT ON COLUMN "public"."session_analyses"."quality" IS 'How far the measures can be trusted, 0 to 1.';

COMMENT ON COLUMN "public"."session_analyses"."quality_reason" IS 'What lowers the quality most; null when nothing does.';

COMMENT ON COLUMN "public"."session_analyses"."risk_level" IS 'Level of the crisis-language check of the words.';

COMMENT ON COLUMN "public"."session_analyses"."session_id" IS 'The session.';

COMMENT ON COLUMN "public"."session_analyses"."user_id" IS 'The student who owns it.';

COMMENT ON COLUMN "public"."session_scores"."algorithm_version" IS 'Version of the fusion.';

COMMENT ON COLUMN "public"."session_scores"."confidence" IS '0 uncertain to 1 certain.';

COMMENT ON COLUMN "public"."session_scores"."created_at" IS 'When the score was stored.';

COMMENT ON COLUMN "public"."session_scores"."final_score" IS 'Wellbeing, 0 to 100; higher is better.';

COMMENT ON COLUMN "public"."session_scores"."fusion_score" IS 'The score as it was answered.';

COMMENT ON COLUMN "public"."session_scores"."risk_level" IS 'Risk level; never below that of the crisis-language check.';

COMMENT ON COLUMN "public"."session_scores"."session_id" IS 'The session.';

COMMENT ON COLUMN "public"."session_scores"."user_id" IS 'The student who owns it.';

COMMENT ON FUNCTION "private"."announce_session_error"(uuid, uuid, jsonb) IS 'Tells the student''s devices that a call of the session failed: {error, analysis_type?}. Called by the analysis functions.';

COMMENT ON FUNCTION "private"."broadcast_session"(uuid, text, jsonb) IS 'Tells the student''s devices, when the transaction commits. Called by the analysis functions.';

COMMENT ON FUNCTION "private"."call_function"(text, jsonb) IS 'Database webhook to one of the project''s own functions. Called by the queue and the outbox.';

COMMENT ON FUNCTION "private"."claim_messages"(integer) IS 'Takes messages that are due, for one try each; no two senders get the same. Called by deliver-messages.';

COMMENT ON FUNCTION "private"."forget_sent_messages"() IS 'Deletes messages that were sent long ago. Called by cron.';

COMMENT ON FUNCTION "private"."forget_transcript_results"() IS 'Deletes results that nothing reads any more. Called by cron.';

COMMENT ON FUNCTION "private"."give_back_claims"() IS 'Trigger: who is no counselor any more leaves the claimed reviews to the others.';

COMMENT ON FUNCTION "private"."guard_clinical_review"() IS 'Trigger: only the allowed changes, each with the server''s time and the caller''s name; a claim is its counselor''s.';

COMMENT ON FUNCTION "private"."hand_over_message"(uuid, smallint) IS 'Notes that a message now goes to the provider; false when the try is no longer the current one. Called by deliver-messages.';

COMMENT ON FUNCTION "private"."hold_session"(uuid, uuid) IS 'Locks a student''s session; false when there is none. Called by the analysis functions.';

COMMENT ON FUNCTION "private"."notify_crisis_contact"() IS 'Trigger: writes the message to the university''s crisis contact.';

COMMENT ON FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid) IS 'Opens a review unless one of the same source is open or in work. Called wherever a high risk is stored.';

COMMENT ON FUNCTION "private"."owns_session_channel"(text) IS 'Whether a topic is the channel of one of the caller''s sessions. Called by the policies on realtime.messages.';

COMMENT ON FUNCTION "private"."record_delivery"(uuid, smallint, private.delivery_outcome, text, text, text, interval) IS 'Stores what a try ended with and what follows from it; null when the try is no longer the current one. Called by deliver-messages.';

COMMENT ON FUNCTION "private"."report_undelivered_messages"() IS 'Messages that ended without arriving for certain, each handed out once. Called by deliver-messages, which logs them.';

COMMENT ON FUNCTION "private"."review_high_risk"() IS 'Trigger: a check-in of high risk opens a clinical review.';

COMMENT ON FUNCTION "private"."ring"(uuid, private.job_kind) IS 'Tells the worker of a job that it is there. Called by the queue alone.';

COMMENT ON FUNCTION "private"."ring_due_messages"() IS 'Ends tries whose sender was lost, and rings for messages that are due or to report. Called by cron.';

COMMENT ON FUNCTION "private"."ring_messages"() IS 'Trigger: tells the sender that there are messages to send, or one that has no recipient to report.';

COMMENT ON FUNCTION "private"."send_again"(uuid) IS 'Queues a dead letter, or a text that may have been lost, as if it were new; false when there is no such message with a recipient. Called by an operator.';

COMMENT ON FUNCTION "private"."session_score_input"(uuid, uuid) IS 'All that the score of a session reads, in one snapshot; null when the session is not the student''s. Called by calculate-wellbeing-score.';

COMMENT ON FUNCTION "private"."store_session_analysis"(uuid, uuid, jsonb) IS 'Stores an analysis in place of the session''s earlier one, opens a review on high risk and announces it, in one transaction; false when the session is not the student''s. Called by the analysis functions.';

COMMENT ON FUNCTION "private"."store_session_score"(uuid, uuid, jsonb) IS 'Stores a score in place of the session''s earlier one, opens a review on high risk and announces it, in one transaction; false when the session is not the student''s. Called by calculate-wellbeing-score.';

COMMENT ON FUNCTION "private"."store_transcript_result"(uuid, jsonb) IS 'Stores what a transcript was found to say and opens a review on high risk, in one transaction; null when the check-in is not the student''s or the account was deleted. Called by the function api.';

COMMENT ON FUNCTION "private"."students_in_review"() IS 'Students whose review is not closed, at universities where the caller is a counselor. Called by policies.';

COMMENT ON FUNCTION "private"."take_rate_limit"(uuid, text) IS 'Takes one request of a person''s allowance: whether it may pass, the limit, what is left, and the seconds until one more is free; no row when the account was deleted. Called by the functions.';

COMMENT ON FUNCTION "private"."universities_counseled"() IS 'Universities where the caller is a counselor. Called by policies.';

COMMENT ON TABLE "private"."crisis_contacts" IS 'Where a university wants to hear of clinical reviews; its support_email where it names nothing.';

COMMENT ON TABLE "private"."messaging_settings" IS 'What an operator can tune of the outbox. Exactly one row.';

COMMENT ON TABLE "private"."outbox" IS 'Every email and text message, stored with what it tells about, then delivered.';

COMMENT ON TABLE "private"."rate_limit_rules" IS 'How often one person may call what; an operator can tune it without a deployment.';

COMMENT ON TABLE "private"."rate_limit_uses" IS 'Requests that were let through within the current window.';

COMMENT ON TABLE "private"."transcript_results" IS 'Transcripts that the language model, or the built-in analysis in its place, was asked about: the result, never the words.';

COMMENT ON TABLE "public"."clinical_reviews" IS 'Every sign of high risk, until a counselor has dealt with it. Opened in the transaction that stores the risk.';

COMMENT ON TABLE "public"."session_analyses" IS 'The last analysis of each modality of a session.';

COMMENT ON TABLE "public"."session_scores" IS 'The last score of each session.';

COMMENT ON TYPE "private"."delivery_outcome" IS 'What a try ended with; refused means that trying again cannot help.';

COMMENT ON TYPE "private"."message_channel" IS 'How a message reaches a person.';

COMMENT ON TYPE "private"."message_status" IS 'queued → sending → sent | maybe_sent | dead; sending → queued when the provider certainly did not send it.';

COMMENT ON TYPE "public"."modality" IS 'What an analysis reads: voice, face or words.';

COMMENT ON TYPE "public"."review_source" IS 'What showed the risk: a check-in, an assessment session, or a transcript by itself.';

COMMENT ON TYPE "public"."review_status" IS 'open → claimed → closed; claimed → open when it is handed back.';

COMMENT ON VIEW "private"."undelivered_messages" IS 'Dead letters, and texts of which nobody can tell whether they arrived; without recipient and text.';

COMMENT ON VIEW "public"."open_clinical_reviews" IS 'Reviews that wait for a counselor or are in work, with the student''s name.';

REVOKE ALL ON FUNCTION "private"."announce_session_error"(uuid, uuid, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."announce_session_error"(uuid, uuid, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."announce_session_error"(uuid, uuid, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."broadcast_session"(uuid, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."broadcast_session"(uuid, text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."broadcast_session"(uuid, text, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."call_function"(text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."call_function"(text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."call_function"(text, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."claim_messages"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_messages"(integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."claim_messages"(integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."forget_sent_messages"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."forget_sent_messages"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."forget_sent_messages"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."forget_transcript_results"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."forget_transcript_results"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."forget_transcript_results"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."give_back_claims"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."give_back_claims"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."give_back_claims"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."guard_clinical_review"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."guard_clinical_review"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."guard_clinical_review"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."hand_over_message"(uuid, smallint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hand_over_message"(uuid, smallint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."hand_over_message"(uuid, smallint) TO "postgres";

REVOKE ALL ON FUNCTION "private"."hold_session"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hold_session"(uuid, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."hold_session"(uuid, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."notify_crisis_contact"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notify_crisis_contact"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."notify_crisis_contact"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."owns_session_channel"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."owns_session_channel"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."owns_session_channel"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."owns_session_channel"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."record_delivery"(uuid, smallint, private.delivery_outcome, text, text, text, interval) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_delivery"(uuid, smallint, private.delivery_outcome, text, text, text, interval) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."record_delivery"(uuid, smallint, private.delivery_outcome, text, text, text, interval) TO "postgres";

REVOKE ALL ON FUNCTION "private"."report_undelivered_messages"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."report_undelivered_messages"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."report_undelivered_messages"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."review_high_risk"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."review_high_risk"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."review_high_risk"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."ring_due_messages"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ring_due_messages"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."ring_due_messages"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."ring_messages"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ring_messages"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."ring_messages"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."send_again"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."send_again"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."send_again"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."session_score_input"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."session_score_input"(uuid, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."session_score_input"(uuid, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."store_session_analysis"(uuid, uuid, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."store_session_analysis"(uuid, uuid, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."store_session_analysis"(uuid, uuid, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."store_session_score"(uuid, uuid, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."store_session_score"(uuid, uuid, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."store_session_score"(uuid, uuid, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."store_transcript_result"(uuid, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."store_transcript_result"(uuid, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."store_transcript_result"(uuid, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."students_in_review"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."students_in_review"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."students_in_review"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."students_in_review"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."take_rate_limit"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_rate_limit"(uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."take_rate_limit"(uuid, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."universities_counseled"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."universities_counseled"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."universities_counseled"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."universities_counseled"() TO "postgres";

REVOKE ALL ON TABLE "public"."clinical_reviews" FROM "authenticated";

REVOKE ALL ("status") ON TABLE "public"."clinical_reviews" FROM "authenticated";

GRANT UPDATE ("status") ON TABLE "public"."clinical_reviews" TO "authenticated";

GRANT SELECT ON TABLE "public"."clinical_reviews" TO "authenticated";

REVOKE ALL ON TABLE "public"."clinical_reviews" FROM "service_role";

REVOKE ALL ("claimed_by") ON TABLE "public"."clinical_reviews" FROM "service_role";

GRANT UPDATE ("claimed_by") ON TABLE "public"."clinical_reviews" TO "service_role";

REVOKE ALL ("closed_by") ON TABLE "public"."clinical_reviews" FROM "service_role";

GRANT UPDATE ("closed_by") ON TABLE "public"."clinical_reviews" TO "service_role";

REVOKE ALL ("status") ON TABLE "public"."clinical_reviews" FROM "service_role";

GRANT UPDATE ("status") ON TABLE "public"."clinical_reviews" TO "service_role";

GRANT SELECT ON TABLE "public"."clinical_reviews" TO "service_role";

REVOKE ALL ON TABLE "public"."session_analyses" FROM "authenticated";

GRANT SELECT ON TABLE "public"."session_analyses" TO "authenticated";

REVOKE ALL ON TABLE "public"."session_analyses" FROM "service_role";

GRANT SELECT ON TABLE "public"."session_analyses" TO "service_role";

REVOKE ALL ON TABLE "public"."session_scores" FROM "authenticated";

GRANT SELECT ON TABLE "public"."session_scores" TO "authenticated";

REVOKE ALL ON TABLE "public"."session_scores" FROM "service_role";

GRANT SELECT ON TABLE "public"."session_scores" TO "service_role";

REVOKE ALL ON TABLE "public"."open_clinical_reviews" FROM "authenticated";

GRANT SELECT ON TABLE "public"."open_clinical_reviews" TO "authenticated";

REVOKE ALL ON TABLE "public"."open_clinical_reviews" FROM "service_role";

GRANT SELECT ON TABLE "public"."open_clinical_reviews" TO "service_role";

SELECT cron.schedule_in_database('forget-sent-messages', '27 3 * * *', 'select private.forget_sent_messages()', 'postgres', NULL, true);

SELECT cron.schedule_in_database('forget-transcript-results', '37 3 * * *', 'select private.forget_transcript_results()', 'postgres', NULL, true);

SELECT cron.schedule_in_database('ring-due-messages', '10 seconds', 'select private.ring_due_messages()', 'postgres', NULL, true);

-- Rows that the schema cannot do without. Each statement can be run again; every migration ends with them,
-- because a diff carries no rows.
insert into private.pipeline_settings default values on conflict do nothing;
insert into private.messaging_settings default values on conflict do nothing;
insert into private.rate_limit_rules (scope, requests)
values
  ('analyze-audio', 10),
  ('analyze-visual', 5),
  ('analyze-text', 20),
  ('calculate-wellbeing-score', 10),
  ('textmodel', 20),
  ('check-in-start', 10),
  ('check-in-complete', 10),
  ('check-in-get', 120)
on conflict do nothing;

select cron.schedule('ring-due-jobs', '10 seconds', 'select private.ring_due_jobs()');
select cron.schedule('expire-check-ins', '*/5 * * * *', 'select private.expire_check_ins()');
select cron.schedule('ring-due-messages', '10 seconds', 'select private.ring_due_messages()');
select cron.schedule('forget-sent-messages', '27 3 * * *', 'select private.forget_sent_messages()');
select cron.schedule('forget-transcript-results', '37 3 * * *', 'select private.forget_transcript_results()');
select cron.schedule(
  'forget-cron-runs',
  '17 3 * * *',
  $$ delete from cron.job_run_details where end_time < now() - interval '7 days' $$
);
