SET local check_function_bodies = off;

DROP TRIGGER "keep_a_security_administrator" ON "auth"."users";

ALTER TABLE "private"."crisis_contacts"
  DROP CONSTRAINT "crisis_contacts_pkey";

DROP FUNCTION "private"."call_function"(text, jsonb);

DROP FUNCTION "private"."check_call"(inet, text);

DROP FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid);

DROP FUNCTION "private"."queue_review_message"(text, uuid, text, text, text);

CREATE TABLE "private"."cron_heartbeats" (
  "job"             text                     NOT NULL,
  "every"           interval,
  "first_seen_at"   timestamp with time zone NOT NULL,
  "observed_at"     timestamp with time zone NOT NULL,
  "last_success_at" timestamp with time zone,
  "last_run_id"     bigint                   NOT NULL DEFAULT 0,
  "failures"        bigint                   NOT NULL DEFAULT 0,
  "beat_at"         timestamp with time zone,
  CONSTRAINT "cron_heartbeats_pkey" PRIMARY KEY (job)
);

CREATE TABLE "private"."metric_counts" (
  "id"          bigint           GENERATED ALWAYS AS IDENTITY NOT NULL,
  "name"        text             NOT NULL,
  "labels"      jsonb            NOT NULL,
  "occurrences" bigint           NOT NULL,
  "total"       double precision NOT NULL,
  CONSTRAINT "metric_counts_pkey" PRIMARY KEY (id)
);

ALTER TABLE "private"."metric_counts"
  SET (fillfactor=50);

CREATE TABLE "private"."review_reminder_rules" (
  "risk_level"     checkin.risk_level NOT NULL,
  "remind_after"   interval           NOT NULL,
  "escalate_after" interval           NOT NULL,
  CONSTRAINT "review_reminder_rules_pkey" PRIMARY KEY (risk_level),
  CONSTRAINT "review_reminder_rules_positive" CHECK (((remind_after > '00:00:00'::interval) AND (escalate_after > '00:00:00'::interval)))
);

CREATE TABLE "private"."score_calibrations" (
  "algorithm_version" text                     NOT NULL,
  "components"        text[]                   NOT NULL,
  "instrument"        text                     NOT NULL,
  "labels"            integer                  NOT NULL,
  "low"               double precision         NOT NULL,
  "high"              double precision         NOT NULL,
  "held_out_coverage" double precision         NOT NULL,
  "created_at"        timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "score_calibrations_coverage_range" CHECK (((held_out_coverage >= (0)::double precision) AND (held_out_coverage <= (1)::double precision))),
  CONSTRAINT "score_calibrations_instrument_known" CHECK ((instrument = ANY (ARRAY['mood'::text, 'who5'::text]))),
  CONSTRAINT "score_calibrations_labels_range" CHECK ((labels >= 100)),
  CONSTRAINT "score_calibrations_order" CHECK ((low <= high)),
  CONSTRAINT "score_calibrations_pkey" PRIMARY KEY (algorithm_version, components)
);

ALTER TABLE "checkin"."audio_analysis"
  ADD COLUMN "replicates" jsonb;

ALTER TABLE "checkin"."check_ins"
  ADD COLUMN "trace_id" text;

ALTER TABLE "checkin"."fusion_results"
  ADD COLUMN "score_interval" numeric(5,2)[];

ALTER TABLE "checkin"."fusion_results"
  ADD COLUMN "calibrated" boolean NOT NULL DEFAULT false;

ALTER TABLE "checkin"."text_analysis"
  ADD COLUMN "replicates" jsonb;

ALTER TABLE "checkin"."visual_analysis"
  ADD COLUMN "replicates" jsonb;

ALTER TABLE "private"."crisis_contacts"
  ADD COLUMN "rank" smallint NOT NULL DEFAULT 1;

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "open_since" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "reminders" smallint NOT NULL DEFAULT 0;

ALTER TABLE "public"."universities"
  ADD COLUMN "country" text;

CREATE OR REPLACE FUNCTION private.attested_address()
  RETURNS inet
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  told text := private.request_header('x-client-address');
  address text := split_part(told, ' ', 1);
begin
  if told is not null and told = any (
    select address || ' ' || encode(extensions.hmac('x-client-address ' || address, decrypted_secret, 'sha256'), 'hex')
    from vault.decrypted_secrets
    where name in ('pipeline_secret', 'pipeline_secret_next')
  ) then
    return address::inet;
  end if;
  return null;
exception
  when invalid_text_representation then
    return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.call_function (
  called   text,
  body     jsonb,
  trace_id text  DEFAULT NULL::text
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
    raise warning 'The vault has no functions_url or pipeline_secret: nothing is dispatched until it has both.';
    return;
  end if;
  perform net.http_post(
    url := functions_url || '/' || called,
    body := call_function.body,
    headers := jsonb_strip_nulls(jsonb_build_object(
      'content-type', 'application/json',
      'authorization', 'Bearer ' || pipeline_secret,
      'traceparent', private.traceparent(trace_id)
    )),
    timeout_milliseconds := 5000
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.check_call (
  address inet,
  called  text
)
  RETURNS TABLE (
    code      text,
    retry_s   integer,
    resources jsonb
  )
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return query
  select 'address_blocked', greatest(1, ceil(extract(epoch from b.until - now())))::integer, private.university_crisis_resources(null)
  from private.blocked_addresses b
  where address is not null and b.network = private.block_network(address) and b.until > now()
  union all
  select 'quarantined', 60, private.university_crisis_resources(null) from private.quarantines q
  where q.function_name in (called, '*')
  order by 1
  limit 1;
end
$function$;

CREATE OR REPLACE FUNCTION private.check_in_view (
  check_in uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_strip_nulls(jsonb_build_object(
      'id', c.id,
      'type', c.type,
      'status', c.status,
      'progress', c.progress,
      'created_at', c.created_at,
      'expires_at', c.expires_at,
      'error', case when c.status = 'failed' then jsonb_build_object(
        'code', c.error_code,
        'message', case
          when c.risk_level = 'high' then 'We could not score this check-in, and what you said matters. Please talk to someone now: the contacts below are there for you.'
          when c.error_code = 'nothing_to_score' then 'Nothing that was sent could be analysed. Record again in a quiet place and send the check-in once more.'
          else 'The analysis could not be finished. Send the check-in once more.'
        end
      ) end
    ))
    || jsonb_build_object('completed_at', c.completed_at)
    || case when r.check_in_id is null then '{}'::jsonb else jsonb_build_object('result', jsonb_build_object(
      'score', r.score,
      'uncertainty', r.uncertainty,
      'score_interval', r.score_interval,
      'calibrated', r.calibrated,
      'direction_of_change', r.direction_of_change,
      'significance', r.significance,
      'risk_level', r.risk_level,
      'summary', r.summary,
      'themes', r.themes,
      'drivers_positive', r.drivers_positive,
      'drivers_negative', r.drivers_negative,
      'drivers', r.drivers,
      'components', r.components,
      'baseline', r.baseline,
      'crisis_resources', private.crisis_resources(c.user_id),
      'algorithm_version', r.algorithm_version
    )) end
    || case when c.status = 'failed'
      then jsonb_build_object('crisis_resources', private.crisis_resources(c.user_id))
      else '{}'::jsonb
    end
  from checkin.check_ins c
  left join checkin.fusion_results r on r.check_in_id = c.id and c.status = 'complete'
  where c.id = check_in
$function$;

CREATE OR REPLACE FUNCTION private.claim_job (
  worker    text,
  kinds     private.job_kind[],
  announced uuid               DEFAULT NULL::uuid
)
  RETURNS SETOF private.analysis_jobs
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  free private.job_kind[];
  chosen private.analysis_jobs;
begin
  perform private.lock_queue();
  select array_agg(k.kind) into free
  from unnest(kinds) as k (kind)
  cross join private.pipeline_settings s
  where s.max_in_flight > (
    select count(*)
    from private.analysis_jobs r
    where private.worker_of(r.kind) = private.worker_of(k.kind) and r.status = 'running' and not private.is_waiting(r)
  );

  -- A fusion takes milliseconds, and ends a check-in. Otherwise check-ins are looked at in their turn, and the others' jobs not at all.
  if 'fusion' = any (free) then
    select j.* into chosen
    from private.analysis_jobs j
    join private.waiting_check_ins c using (check_in_id)
    cross join private.pipeline_settings s
    where j.kind = 'fusion'
      and j.status in ('queued', 'running')
      and (j.dispatched or j.next_dispatch_at <= now())
      and j.attempts < s.max_attempts
      and (announced is not null or j.attempts = 0)
    order by c.turn, j.check_in_id
    limit 1
    for update of j skip locked;
  end if;
  if chosen.id is null then
    select j.* into chosen
    from (select check_in_id, turn from private.waiting_check_ins order by turn, check_in_id) c
    cross join private.pipeline_settings s
    cross join lateral (
      select *
      from private.analysis_jobs
      where check_in_id = c.check_in_id
        and kind = any (free)
        and kind <> 'fusion'
        and status in ('queued', 'running')
        and (dispatched or next_dispatch_at <= now())
        and attempts < s.max_attempts
        -- What may have ended an isolate has the next one for itself.
        and (announced is not null or attempts = 0)
      order by kind, ordinal
      limit 1
      for update skip locked
    ) j
    order by c.turn, c.check_in_id
    limit 1;
  end if;

  -- The webhook has arrived: what it announced waits for that of the job that is claimed in its place, if there is one.
  update private.analysis_jobs
  set dispatched = chosen.dispatched is true and chosen.next_dispatch_at > now(),
    next_dispatch_at = case when chosen.dispatched then chosen.next_dispatch_at else '-infinity' end
  where id = (
    select id
    from private.analysis_jobs
    where id = announced and id is distinct from chosen.id and status = 'queued' and dispatched
    for update skip locked
  );

  if chosen.id is null then
    perform private.dispatch_jobs(w.worker) from (values (worker), ('pipeline-fusion')) as w (worker);
    return;
  end if;
  if chosen.status = 'running' then
    perform private.count_metric('workers_lost', jsonb_build_object('worker', private.worker_of(chosen.kind)));
  end if;
  return query
  update private.analysis_jobs j
  set status = 'running',
    attempts = j.attempts + 1,
    dispatched = false,
    -- The transaction may have waited for the queue's lock.
    next_dispatch_at = clock_timestamp() + case j.kind when 'transcription' then s.transcription_lease else s.lease end
  from private.pipeline_settings s
  where j.id = chosen.id
  returning j.*;
end
$function$;

CREATE OR REPLACE FUNCTION private.consume_rate_limit (
  requester   uuid,
  limit_scope text
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
  checked_at timestamptz;
  tightest record;
begin
  select * into strict rule from private.rate_limit_rules where scope = limit_scope;
  -- Returns the row locked, even if it existed before.
  insert into private.rate_limit_uses as u (subject, scope)
  values (requester, limit_scope)
  on conflict (subject, scope) do update set used_at = u.used_at
  returning used_at into strict recent;

  checked_at := clock_timestamp();
  recent := array(
    select t from unnest(recent) as t
    where t > checked_at - greatest(rule.period, case when rule.daily_requests is not null then interval '1 day' end)
    order by t
  );
  -- Of the two windows the one with fewer requests left; when both are used up, the one that takes longer.
  select w.requests, w.period, w.requests > u.used as allowed, w.requests - u.used as unused, u.first
  into strict tightest
  from (values (rule.requests, rule.period), (rule.daily_requests, interval '1 day')) as w (requests, period)
  cross join lateral (
    select count(*)::integer as used, min(t) as first from unnest(recent) as t where t > checked_at - w.period
  ) as u
  where w.requests is not null
  order by
    greatest(w.requests - u.used, 0),
    case when w.requests > u.used then w.period else -w.period end
  limit 1;

  allowed := tightest.allowed;
  if allowed then
    update private.rate_limit_uses
    set used_at = recent || checked_at
    where subject = requester and scope = limit_scope;
  else
    perform private.count_metric('rate_limited', jsonb_build_object('scope', limit_scope));
  end if;
  max_requests := tightest.requests;
  remaining := greatest(0, tightest.unused - allowed::integer);
  reset_s := greatest(1, ceil(extract(epoch from coalesce(tightest.first, checked_at) + tightest.period - checked_at)));
  period_s := extract(epoch from tightest.period);
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION private.count_ended_check_in()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  seconds double precision := greatest(0, extract(epoch from new.completed_at - new.submitted_at));
begin
  perform private.count_metric(
    'check_ins_ended',
    case new.status
      when 'complete' then jsonb_build_object(
        'outcome', 'complete',
        'le', (
          select coalesce(min(b.s)::text, '+Inf')
          from unnest(array[1, 2, 5, 10, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1800, 3600]) as b (s)
          where b.s >= seconds
        )
      )
      when 'failed' then jsonb_build_object('outcome', 'failed', 'reason', coalesce(new.error_code, 'unknown'))
      else jsonb_build_object('outcome', new.status)
    end,
    coalesce(seconds, 0)
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.count_metric (
  counted   text,
  of_labels jsonb            DEFAULT '{}'::jsonb,
  amount    double precision DEFAULT 0
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update private.metric_counts c
  set occurrences = c.occurrences + 1, total = c.total + amount
  where c.id = (
    select f.id
    from private.metric_counts f
    where f.name = counted and f.labels = of_labels
    order by f.id
    limit 1
    for update skip locked
  );
  if not found then
    insert into private.metric_counts (name, labels, occurrences, total) values (counted, of_labels, 1, amount);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.dispatch_jobs (
  worker text
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  kinds constant private.job_kind[] := array(
    select k from unnest(enum_range(null::private.job_kind)) k where private.worker_of(k) = dispatch_jobs.worker
  );
  places integer;
  sent integer;
begin
  perform private.lock_queue();
  select s.max_in_flight - count(j.id) into places
  from private.pipeline_settings s
  left join private.analysis_jobs j
    on j.kind = any (kinds)
    and (j.status = 'running' or (j.status = 'queued' and j.dispatched))
    and j.next_dispatch_at > now()
  group by s.max_in_flight;

  with due as (
    select j.id
    from private.analysis_jobs j
    join private.waiting_check_ins c using (check_in_id)
    cross join private.pipeline_settings s
    where j.status in ('queued', 'running')
      and j.kind = any (kinds)
      and j.next_dispatch_at <= now()
      and j.attempts < s.max_attempts
    order by c.turn, j.check_in_id, j.kind, j.ordinal
    limit greatest(places, 0)
    for update of j skip locked
  ),
  announced as (
    -- Not in step, so that jobs whose webhooks were lost together do not come back together.
    update private.analysis_jobs j
    set dispatched = true, next_dispatch_at = now() + s.dispatch_grace * (0.75 + random() / 2)
    from due, private.pipeline_settings s
    where j.id = due.id
    returning j.id, j.check_in_id, j.kind
  )
  select count(
    private.call_function(
      dispatch_jobs.worker,
      jsonb_build_object(
        'type', 'INSERT',
        'schema', 'private',
        'table', 'analysis_jobs',
        'record', jsonb_build_object('id', a.id, 'kind', a.kind)
      ),
      c.trace_id
    )
  )
  into sent
  from announced a
  join checkin.check_ins c on c.id = a.check_in_id;
  return sent;
end
$function$;

CREATE OR REPLACE FUNCTION private.emergency_phone (
  country text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case
    when country = any ('{AG,AI,AR,AS,BB,BM,BS,BZ,CA,CR,DM,DO,EC,FJ,FM,GD,GU,GY,JM,JO,KN,KY,LC,LR,MH,MP,MX,PA,PH,PR,PW,PY,SA,SV,TC,TO,US,UY,VC,VE,VG,VI,WS}') then '911'
    when country = any ('{BD,BH,FK,GB,GG,HK,IM,JE,KE,MO,MU,MW,MY,QA,SB,SC,SD,SH,SL,SO,SS,SZ,TT,UG,ZM,ZW}') then '999'
    when country = any ('{GF,GP,MA,MF,MQ,NC,NE,PF,PM,RE,WF,YT}') then '15'
    when country = any ('{AU,CC,CX}') then '000'
    when country = any ('{JP,KR,TW}') then '119'
    when country = any ('{IL,PS}') then '101'
    when country = any ('{MV,NP}') then '102'
    when country = any ('{AM,KG}') then '103'
    when country = any ('{IR,VN}') then '115'
    when country = any ('{CO,EG}') then '123'
    when country = 'NZ' then '111'
    when country = 'PE' then '116'
    when country = 'BO' then '118'
    when country = 'CN' then '120'
    when country = 'IQ' then '122'
    when country = 'CL' then '131'
    when country = 'TH' then '1669'
    when country = 'SN' then '18'
    when country = 'TN' then '190'
    when country = 'BR' then '192'
    when country = 'BN' then '991'
    when country = 'SG' then '995'
    when country = 'BW' then '997'
    when country = 'AE' then '998'
    else '112'
  end
$function$;

CREATE OR REPLACE FUNCTION private.end_left_sessions()
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  update public.assessment_sessions s
  set
    status = case when exists (select from public.session_scores r where r.session_id = s.id) then 'completed'::public.session_status else 'failed' end,
    updated_at = now()
  where s.id in (
    -- Locks the student too, as the deletion of an account does; rows that are locked wait for the next run.
    select l.id
    from public.assessment_sessions l
    join auth.users u on u.id = l.user_id
    where l.status = 'processing' and l.created_at <= now() - interval '24 hours'
    limit 10000
    for key share of u skip locked
    for update of l skip locked
  )
$function$;

CREATE OR REPLACE FUNCTION private.fail_session (
  session uuid,
  student uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  if private.lock_session(session, student) then
    update public.assessment_sessions set status = 'failed', updated_at = now() where id = session and status = 'processing';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.finish_job (
  job      uuid,
  attempt  smallint,
  findings jsonb
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  check_in uuid := private.lock_check_in_for_job(job);
  student uuid;
  ended private.analysis_jobs;
begin
  update private.analysis_jobs
  set status = 'done', error_code = null,
    outcome = case when kind in ('audio_slice', 'visual_group') then findings end
  where id = job and check_in_id = check_in and attempts = attempt and status = 'running'
  returning * into ended;
  if ended is null then
    return false;
  end if;

  select user_id into student from checkin.check_ins where id = check_in;
  if not private.consents_for(ended.kind) <@ private.consents_in_force(student) then
    update private.analysis_jobs set status = 'failed', error_code = 'no_consent', outcome = null where id = job;
    perform private.advance_check_in(check_in);
    return false;
  end if;
  findings := findings || jsonb_build_object('check_in_id', check_in, 'user_id', student, 'created_at', now());
  case ended.kind
    when 'audio_merge' then
      insert into checkin.audio_analysis select (jsonb_populate_record(null::checkin.audio_analysis, findings)).*;
    when 'visual_merge' then
      insert into checkin.visual_analysis select (jsonb_populate_record(null::checkin.visual_analysis, findings)).*;
    when 'transcription' then
      update private.check_in_inputs
      set transcript = nullif(left(findings ->> 'transcript', 100000), ''),
        transcript_source = 'transcribed',
        crisis_level = (findings ->> 'crisis_level')::checkin.risk_level,
        crisis_rule = findings ->> 'crisis_rule'
      where check_in_id = check_in;
      update checkin.check_ins
      set risk_level = greatest(risk_level, (findings ->> 'crisis_level')::checkin.risk_level)
      where id = check_in;
      if (findings ->> 'crisis_level')::checkin.risk_level = 'moderate' then
        perform private.open_clinical_review(student, 'check_in', check_in, 'moderate');
      end if;
    when 'text' then
      insert into checkin.text_analysis select (jsonb_populate_record(null::checkin.text_analysis, findings)).*;
      -- A language model may have raised what the check found.
      update private.check_in_inputs
      set crisis_level = greatest(crisis_level, (findings ->> 'crisis_level')::checkin.risk_level)
      where check_in_id = check_in;
      update checkin.check_ins
      set risk_level = greatest(risk_level, (findings ->> 'crisis_level')::checkin.risk_level)
      where id = check_in;
      if (findings ->> 'crisis_level')::checkin.risk_level = 'moderate' then
        perform private.open_clinical_review(student, 'check_in', check_in, 'moderate');
      end if;
    else
      null;
  end case;

  perform private.advance_check_in(check_in);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.fusion_input (
  check_in uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'audio', case when consent.audio then to_jsonb(a) end,
    'visual', case when consent.camera then to_jsonb(v) end,
    'text', case when consent.text then to_jsonb(t) end,
    'crisis', jsonb_build_object('level', coalesce(c.risk_level, 'none'), 'rule', i.crisis_rule),
    'mood_score', i.mood_score,
    'missing', i.missing
      || coalesce(
        (
          select jsonb_object_agg(failed.modality, failed.reason)
          from (
            select case
                when kind in ('audio_slice', 'audio_merge') then 'audio'
                when kind in ('visual_group', 'visual_merge') then 'visual'
                else 'text'
              end as modality, max(error_code) as reason
            from private.analysis_jobs
            where check_in_id = check_in and status = 'failed'
            group by 1
          ) failed
        ),
        '{}'
      )
      || case when consent.audio then '{}' else '{"audio": "no_consent"}'::jsonb end
      || case when consent.camera then '{}' else '{"visual": "no_consent"}'::jsonb end
      || case when consent.text then '{}' else '{"text": "no_consent"}'::jsonb end,
    'calibrations', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'algorithm_version', k.algorithm_version, 'components', k.components, 'low', k.low, 'high', k.high
      )), '[]')
      from private.score_calibrations k
    ),
    'baseline', b.state,
    'baseline_version', coalesce(b.version, 0)
  )
  from checkin.check_ins c
  join private.check_in_inputs i on i.check_in_id = c.id
  left join checkin.audio_analysis a on a.check_in_id = c.id
  left join checkin.visual_analysis v on v.check_in_id = c.id
  left join checkin.text_analysis t on t.check_in_id = c.id
  left join checkin.user_baselines b on b.user_id = c.user_id
  cross join lateral (
    select
      private.has_consent(c.user_id, 'audio') as audio,
      private.has_consent(c.user_id, 'camera') as camera,
      private.has_consent(c.user_id, 'text') as text
  ) consent
  where c.id = check_in
$function$;

CREATE OR REPLACE FUNCTION private.heartbeat_url (
  job text
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  address text;
begin
  select case s.name when 'heartbeat_url' then replace(s.decrypted_secret, '{job}', job) else s.decrypted_secret end
  into address
  from vault.decrypted_secrets s
  where s.name = 'heartbeat_url:' || job or (s.name = 'heartbeat_url' and strpos(s.decrypted_secret, '{job}') > 0)
  order by s.name <> 'heartbeat_url' desc
  limit 1;
  if address !~ '^(https://[^[:space:]/@]+|http://127\.0\.0\.1:\d+)/[^[:space:]]*$' then
    raise warning 'The heartbeat of % is not sent: Vault''s address is no https address.', job;
    return null;
  end if;
  return address;
end
$function$;

CREATE OR REPLACE FUNCTION private.interval_of_schedule (
  schedule text
)
  RETURNS interval
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case
    when schedule ~ '^\d+ seconds?$' then make_interval(secs => split_part(schedule, ' ', 1)::integer)
    when schedule = '* * * * *' then interval '1 minute'
    when schedule ~ '^\*/\d+ \* \* \* \*$' then make_interval(mins => substring(schedule from '\d+')::integer)
    when schedule ~ '^\d+(,\d+)* \* \* \* \*$' then interval '1 hour' / regexp_count(schedule, '\d+')
    when schedule ~ '^\d+ \d+ \* \* \*$' then interval '1 day'
    when schedule ~ '^\d+ \d+ \* \* \d$' then interval '7 days'
  end
$function$;

CREATE OR REPLACE FUNCTION private.is_last_security_administrator (
  account uuid
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if not exists (select from public.user_roles where user_id = account and role = 'security_admin') then
    return false;
  end if;
  -- One at a time: of two administrators who ban each other, or take each other's role, one succeeds.
  perform pg_advisory_xact_lock(85, 0);
  return not exists (
    select
    from public.user_roles r
    join auth.users u on u.id = r.user_id
    where r.role = 'security_admin'
      and r.user_id <> account
      and u.deleted_at is null
      and (u.banned_until is null or u.banned_until <= now())
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_a_security_administrator()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  losing uuid;
begin
  if tg_table_name = 'users' then
    losing := new.id;
  else
    losing := old.user_id;
  end if;
  if private.is_last_security_administrator(losing) then
    raise exception 'The last security administrator stays: make another one first.' using errcode = 'PT409';
  end if;
  return coalesce(new, old);
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
          then 'A student with an open review of lower priority: now their answers show signs of a crisis.'
        else 'A student with an open review has come to your university: we found signs that they need one.'
      end,
      new.id,
      to_char(new.opened_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
    )
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.observe_cron_jobs (
  at timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  sent integer;
begin
  with runs as materialized (
    select d.jobid, d.runid, d.status, d.end_time
    from cron.job_run_details d
    order by d.runid desc
    limit 5000
  )
  insert into private.cron_heartbeats as b (job, every, first_seen_at, observed_at, last_success_at, last_run_id, failures)
  select
    j.jobname,
    private.interval_of_schedule(j.schedule),
    at,
    at,
    max(r.end_time) filter (where r.status = 'succeeded'),
    coalesce(max(r.runid), 0),
    count(*) filter (where r.status = 'failed' and r.runid > coalesce(h.last_run_id, 0))
  from cron.job j
  left join runs r on r.jobid = j.jobid and r.status in ('succeeded', 'failed')
  left join private.cron_heartbeats h on h.job = j.jobname
  where j.active and j.jobname is not null
  group by j.jobid, j.jobname, j.schedule
  on conflict (job) do update
  set every = excluded.every,
    observed_at = excluded.observed_at,
    last_success_at = greatest(b.last_success_at, excluded.last_success_at),
    last_run_id = greatest(b.last_run_id, excluded.last_run_id),
    failures = b.failures + excluded.failures;

  with beating as (
    update private.cron_heartbeats b
    set beat_at = at
    where b.last_success_at > coalesce(b.beat_at, '-infinity')
    returning b.job
  )
  select count(net.http_get(a.url, timeout_milliseconds => 5000)) into sent
  from (select private.heartbeat_url(job) as url from beating offset 0) as a
  where a.url is not null;
end
$function$;

CREATE OR REPLACE FUNCTION private.open_clinical_review (
  student  uuid,
  found_in public.review_source,
  found_at uuid,
  level    checkin.risk_level   DEFAULT 'high'::checkin.risk_level
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.probe_run (
  header text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select r.id
  from public.security_test_runs r
  where r.id = split_part(header, ' ', 1)
    and r.status = 'running'
    and header = any (
      select r.id || ' ' || encode(extensions.hmac('x-security-probe ' || r.id, decrypted_secret, 'sha256'), 'hex')
      from vault.decrypted_secrets
      where name in ('pipeline_secret', 'pipeline_secret_next')
    )
$function$;

CREATE OR REPLACE FUNCTION private.queue_review_message (
  university    text,
  student       uuid,
  purpose       text,
  subject       text,
  body          text,
  contact_place integer DEFAULT 1
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.refuse_blocked()
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  help constant text := 'In danger, call the emergency services (112, 911, 999 or 000). Somebody to talk to: https://findahelpline.com';
begin
  if (select auth.role()) = 'service_role' then
    return;
  end if;
  if private.is_blocked(private.request_ip()) then
    raise exception 'Requests from this address are blocked for now.' using errcode = 'PT403', detail = help, hint = 'address_blocked';
  end if;
  if exists (select from auth.users where id = (select auth.uid()) and banned_until > now()) then
    raise exception 'This account is disabled.' using errcode = 'PT403', detail = help, hint = 'account_disabled';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.reject_request (
  rejection jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  case rejection ->> 'code'
    when 'access_blocked' then
      perform private.refuse(
        403, 'access_blocked',
        'A security policy blocks this. In danger, call the emergency services (112, 911, 999 or 000). Somebody to talk to: https://findahelpline.com'
      );
    when 'mfa_required' then
      perform private.refuse(403, 'mfa_required', 'This needs a second factor. Give the code of your authenticator app, then repeat the request.');
    else
      raise exception 'Too many requests.'
        using errcode = 'PT429', detail = rejection ->> 'reset_s', hint = 'Try again after as many seconds as the details say.';
  end case;
end
$function$;

CREATE OR REPLACE FUNCTION private.remind_of_reviews (
  at timestamp with time zone
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  reminded integer;
begin
  -- Materialized, so that a review is locked once. Whoever claims one at this moment has it locked: it is skipped.
  with due as materialized (
    select r.id
    from public.clinical_reviews r
    join private.review_reminder_rules t on t.risk_level = r.risk_level
    where r.status = 'open'
      and r.open_since + t.remind_after + r.reminders * t.escalate_after <= at
      and exists (select from private.review_contacts(r.university_id) c where c.place = r.reminders + 1)
    for update of r skip locked
  ),
  counted as (
    update public.clinical_reviews r
    set reminders = r.reminders + 1
    from due
    where r.id = due.id
    returning r.id, r.user_id, r.university_id, r.risk_level, r.open_since, r.reminders
  ),
  queued as materialized (
    select private.queue_review_message(
      c.university_id,
      c.user_id,
      'clinical_review_reminder',
      case c.risk_level when 'high' then 'High risk: nobody' else 'Nobody' end || ' has claimed a clinical review',
      format(
        E'A student''s review has been waiting for a counselor since %s UTC.%s\n\nReview: %s\n\nSign in to see who it is and to claim the review.',
        to_char(c.open_since at time zone 'UTC', 'YYYY-MM-DD HH24:MI'),
        case when c.reminders > 1 then ' The contacts before you were told, and nobody has claimed it.' else '' end,
        c.id
      ),
      c.reminders
    )
    from counted c
  )
  select count(*) into reminded from queued;
  return reminded;
end
$function$;

CREATE OR REPLACE FUNCTION private.restart_review_wait()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  new.open_since := now();
  new.reminders := 0;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.review_contacts (
  university text
)
  RETURNS TABLE (
    place integer,
    email text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.send_review_digests()
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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

CREATE OR REPLACE FUNCTION private.store_fusion_result (
  job              uuid,
  attempt          smallint,
  result           jsonb,
  next_baseline    jsonb,
  baseline_version integer
)
  RETURNS text
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  check_in uuid := private.lock_check_in_for_job(job);
  student uuid;
begin
  if not exists (
    select from private.analysis_jobs
    where id = job and check_in_id = check_in and attempts = attempt and status = 'running'
  ) then
    return 'stale';
  end if;
  select user_id into student from checkin.check_ins where id = check_in;
  -- Claimed while a withdrawal was about to end, the fusion has read what is deleted now.
  if exists (
    select
    from unnest(enum_range(null::public.consent_kind)) as k (kind)
    where k.kind <> all (private.consents_in_force(student))
      and private.is_made_of(result -> 'components', private.covered_modality(k.kind))
  ) then
    return 'consent_withdrawn';
  end if;
  -- A baseline that was deleted meanwhile does not come back with what was read of it.
  if baseline_version > 0 and not exists (select from checkin.user_baselines b where b.user_id = student) then
    return 'baseline_moved';
  end if;

  insert into checkin.user_baselines as b (user_id, version, check_ins, score_mean, score_sd, state)
  select student, 1, n.check_ins, n.score_mean, n.score_sd, n.state
  from jsonb_to_record(next_baseline) as n (
    check_ins integer, score_mean double precision, score_sd double precision, state jsonb
  )
  on conflict (user_id) do update
  set version = b.version + 1,
    check_ins = excluded.check_ins,
    score_mean = excluded.score_mean,
    score_sd = excluded.score_sd,
    state = excluded.state,
    updated_at = now()
  where b.version = store_fusion_result.baseline_version;
  if not found then
    return 'baseline_moved';
  end if;

  insert into checkin.fusion_results
  select (jsonb_populate_record(
    null::checkin.fusion_results,
    '{"calibrated": false}' || result || jsonb_build_object('check_in_id', check_in, 'user_id', student, 'created_at', now())
  )).*;
  delete from private.analysis_jobs where check_in_id = check_in;
  update checkin.check_ins
  set status = 'complete',
    progress = 1,
    completed_at = now(),
    risk_level = greatest(risk_level, (result ->> 'risk_level')::checkin.risk_level)
  where id = check_in;

  perform private.broadcast_check_in(
    check_in, 'progress', jsonb_build_object('check_in_id', check_in, 'status', 'complete', 'progress', 1)
  );
  perform private.broadcast_check_in(
    check_in, 'status', jsonb_build_object('check_in_id', check_in, 'status', 'complete')
  );
  perform private.broadcast_check_in(check_in, 'result', private.check_in_view(check_in));
  return 'stored';
end
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
  if not private.lock_session(session, student) then
    return false;
  end if;
  if not exists (
    select from unnest(private.consents_in_force(student)) as agreed where private.covered_modality(agreed) = result.modality
  ) then
    return null;
  end if;
  update public.assessment_sessions set status = 'processing', updated_at = now() where id = session and status = 'failed';
  delete from public.session_analyses where session_id = session and modality = result.modality;
  insert into public.session_analyses select result.*;
  -- What an analysis of words finds is crisis language.
  if result.risk_level = 'high' or (result.risk_level = 'moderate' and result.modality = 'text') then
    perform private.open_clinical_review(student, 'session', session, result.risk_level);
  end if;
  perform private.broadcast_session(
    session, 'analysis_complete', jsonb_build_object('analysis_type', result.modality)
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
  check_in uuid := (stored ->> 'check_in_id')::uuid;
  risk checkin.risk_level := (stored ->> 'risk_level')::checkin.risk_level;
  -- The part of the risk that the crisis check found.
  crisis checkin.risk_level := coalesce((stored ->> 'crisis_level')::checkin.risk_level, 'none');
  stored_id uuid;
begin
  perform from auth.users where id = student for key share;
  if not found then
    return null;
  end if;
  perform pg_advisory_xact_lock_shared(private.consent_lock(student));
  if not private.has_consent(student, 'text') then
    return null;
  end if;
  if check_in is not null then
    update checkin.check_ins
    set risk_level = greatest(risk_level, risk)
    where id = check_in and user_id = student;
    if not found then
      return null;
    end if;
  end if;

  insert into private.transcript_results as t (user_id, transcript_sha256, check_in_id, provider, risk_level, result)
  values (
    student,
    decode(stored ->> 'transcript_sha256', 'hex'),
    check_in,
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
  returning t.id into stored_id;

  if crisis >= 'moderate' or risk = 'high' then
    perform private.open_clinical_review(
      student,
      case when check_in is null then 'transcript' else 'check_in' end::public.review_source,
      coalesce(check_in, stored_id),
      risk
    );
  end if;
  return stored_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.submit_check_in (
  check_in uuid,
  student  uuid,
  inputs   jsonb,
  media    jsonb,
  jobs     jsonb
)
  RETURNS text
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  existing checkin.check_ins;
  -- What was agreed to when the caller looked may be withdrawn by now.
  agreed public.consent_kind[];
begin
  perform from auth.users where id = student for key share;
  perform pg_advisory_xact_lock_shared(private.consent_lock(student));
  agreed := private.consents_in_force(student);
  select * into existing from checkin.check_ins where id = check_in and user_id = student for update;
  if existing is null then
    return 'not_found';
  end if;
  if existing.status in ('processing', 'complete') then
    return 'unchanged';
  end if;
  if existing.status = 'expired' or (existing.status = 'created' and existing.expires_at <= now()) then
    update checkin.check_ins set status = 'expired' where id = check_in;
    return 'expired';
  end if;
  if existing.submissions >= 3 then
    return 'too_many_submissions';
  end if;

  delete from checkin.audio_analysis where check_in_id = check_in;
  delete from checkin.visual_analysis where check_in_id = check_in;
  delete from checkin.text_analysis where check_in_id = check_in;
  delete from private.check_in_inputs where check_in_id = check_in;
  delete from private.check_in_media where check_in_id = check_in;
  delete from private.analysis_jobs where check_in_id = check_in;

  update checkin.check_ins
  set status = 'processing',
    progress = 0,
    submissions = submissions + 1,
    submitted_at = now(),
    completed_at = null,
    error_code = null,
    -- A risk that was found after an earlier submission still counts.
    risk_level = greatest(risk_level, (inputs ->> 'crisis_level')::checkin.risk_level)
  where id = check_in;

  insert into private.check_in_inputs (
    check_in_id, transcript, crisis_level, crisis_rule, mood_score, conversation_duration, missing
  )
  select
    check_in,
    case when 'text' = any (agreed) then i.transcript end,
    coalesce(i.crisis_level, 'none'),
    i.crisis_rule,
    i.mood_score,
    i.conversation_duration,
    coalesce(i.missing, '{}')
  from jsonb_to_record(inputs) as i (
    transcript text,
    crisis_level checkin.risk_level,
    crisis_rule text,
    mood_score double precision,
    conversation_duration double precision,
    missing jsonb
  );

  -- High risk opens its review by the trigger on the check-in's level.
  if (inputs ->> 'crisis_level')::checkin.risk_level = 'moderate' then
    perform private.open_clinical_review(student, 'check_in', check_in, 'moderate');
  end if;

  insert into private.check_in_media (check_in_id, path, kind, ordinal, etag, bytes, info)
  select check_in, m.path, m.kind, m.ordinal, m.etag, m.bytes, m.info
  from jsonb_to_recordset(media) as m (
    path text, kind text, ordinal smallint, etag text, bytes bigint, info jsonb
  )
  where case m.kind when 'audio' then 'audio' else 'camera' end::public.consent_kind = any (agreed);

  insert into private.analysis_jobs (check_in_id, kind, ordinal, input)
  select check_in, j.kind, j.ordinal, coalesce(j.input, '{}')
  from jsonb_to_recordset(jobs) as j (kind private.job_kind, ordinal smallint, input jsonb)
  where private.consents_for(j.kind) <@ agreed;

  perform private.advance_check_in(check_in);
  perform private.broadcast_check_in(
    check_in, 'status', jsonb_build_object('check_in_id', check_in, 'status', 'processing')
  );
  return 'accepted';
end
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
  perform private.open_clinical_review(student, 'support_alert', alert, 'moderate');
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

CREATE OR REPLACE FUNCTION private.traceparent (
  trace_id text
)
  RETURNS text
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  select '00-' || trace_id || '-' || left(replace(gen_random_uuid()::text, '-', ''), 16) || '-01'
$function$;

CREATE OR REPLACE FUNCTION private.university_crisis_resources (
  university text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(
    (
      select case when u.crisis_phone is null then '[]'::jsonb
          else jsonb_build_array(jsonb_build_object('name', u.short_name || ' crisis line', 'phone', u.crisis_phone, 'website', null))
        end || u.resources
      from public.universities u
      where u.id = university and (u.crisis_phone is not null or u.resources <> '[]')
    ),
    '[]'
  ) || jsonb_build_array(
    jsonb_build_object(
      'name', 'Emergency services',
      'phone', private.emergency_phone((select u.country from public.universities u where u.id = university)),
      'website', null
    ),
    jsonb_build_object('name', 'Find a helpline in your country', 'phone', null, 'website', 'https://findahelpline.com')
  )
$function$;

ALTER TABLE "checkin"."check_ins"
  ADD CONSTRAINT "check_ins_trace_id_form" CHECK ((trace_id ~ '^[0-9a-f]{32}$'::text));

ALTER TABLE "checkin"."fusion_results"
  ADD CONSTRAINT "fusion_results_score_interval_order"
    CHECK (((cardinality(score_interval) = 2) AND ((0)::numeric <= score_interval[1]) AND (score_interval[1] <= score_interval[2]) AND (score_interval[2] <= (100)::numeric)));

ALTER TABLE "private"."crisis_contacts"
  ADD CONSTRAINT "crisis_contacts_pkey" PRIMARY KEY (university_id, rank);

ALTER TABLE "private"."crisis_contacts"
  ADD CONSTRAINT "crisis_contacts_rank_range" CHECK (((rank >= 1) AND (rank <= 9)));

ALTER TABLE "public"."universities"
  ADD CONSTRAINT "universities_country_form" CHECK ((country ~ '^[A-Z]{2}$'::text));

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
         SELECT 'wellbeing_rate_limited_total'::text AS name,
            jsonb_build_object('scope', r.scope) AS jsonb_build_object,
            max(c.occurrences) AS max
           FROM (private.rate_limit_rules r
             LEFT JOIN counted c ON (((c.name = 'rate_limited'::text) AND (c.labels = jsonb_build_object('scope', r.scope)))))
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

CREATE INDEX analysis_jobs_fusion_idx ON private.analysis_jobs USING btree (check_in_id)
  WHERE ((kind = 'fusion'::private.job_kind) AND (status = ANY (ARRAY['queued'::private.job_status, 'running'::private.job_status])));

CREATE INDEX analysis_jobs_running_idx ON private.analysis_jobs USING btree (kind)
  WHERE (status = 'running'::private.job_status);

CREATE INDEX metric_counts_name_labels_idx ON private.metric_counts USING btree (name, labels);

CREATE INDEX outbox_undelivered_idx ON private.outbox USING btree (ended_at)
  WHERE (status = ANY (ARRAY['dead'::private.message_status, 'unconfirmed'::private.message_status]));

CREATE INDEX assessment_sessions_processing_idx ON public.assessment_sessions USING btree (created_at)
  WHERE (status = 'processing'::public.session_status);

CREATE INDEX clinical_reviews_open_since_idx ON public.clinical_reviews USING btree (open_since)
  WHERE (status = 'open'::public.review_status);

CREATE TRIGGER keep_a_security_administrator
  BEFORE UPDATE ON auth.users
  FOR EACH ROW
  WHEN ((((new.banned_until > now()) AND ((old.banned_until IS NULL) OR (old.banned_until <= now()))) OR ((new.deleted_at IS NOT NULL) AND (old.deleted_at IS NULL))))
  EXECUTE FUNCTION private.keep_a_security_administrator();

CREATE TRIGGER count_ended_check_in
  AFTER UPDATE OF status ON checkin.check_ins
  FOR EACH ROW
  WHEN
    (((new.status = ANY (ARRAY['complete'::checkin.check_in_status, 'failed'::checkin.check_in_status, 'expired'::checkin.check_in_status])) AND (old.status IS DISTINCT FROM
    new.status)))
  EXECUTE FUNCTION private.count_ended_check_in();

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR DELETE OR UPDATE ON private.review_reminder_rules DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('risk_level');

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR DELETE OR UPDATE ON private.score_calibrations DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('components');

CREATE TRIGGER restart_review_wait
  BEFORE UPDATE ON public.clinical_reviews
  FOR EACH ROW
  WHEN (((new.status = 'open'::public.review_status) AND ((old.status <> 'open'::public.review_status) OR (new.university_id IS DISTINCT FROM old.university_id))))
  EXECUTE FUNCTION private.restart_review_wait();

CREATE TRIGGER keep_a_security_administrator_changed
  BEFORE UPDATE ON public.user_roles
  FOR EACH ROW
  WHEN (((old.role = 'security_admin'::public.app_role) AND ((new.role IS DISTINCT FROM old.role) OR (new.user_id IS DISTINCT FROM old.user_id))))
  EXECUTE FUNCTION private.keep_a_security_administrator();

CREATE TRIGGER keep_a_security_administrator
  BEFORE DELETE ON public.user_roles
  FOR EACH ROW
  WHEN ((old.role = 'security_admin'::public.app_role))
  EXECUTE FUNCTION private.keep_a_security_administrator();

COMMENT ON COLUMN "checkin"."audio_analysis"."replicates" IS 'Features without one window of the speech each, as {feature: [values]}: from them comes the standard error of the score. Null before version wb-1.2.0.';

COMMENT ON COLUMN "checkin"."check_ins"."trace_id" IS 'Trace (W3C Trace Context) of the request that started it, which every log line about it names until it has a score.';

COMMENT ON COLUMN "checkin"."fusion_results"."baseline" IS 'The baseline that the score was compared with, or the reason why it was not.';

COMMENT ON COLUMN "checkin"."fusion_results"."calibrated" IS 'Whether the interval was fitted to labels; if not, it says how repeatable the score is, not how accurate.';

COMMENT ON COLUMN "checkin"."fusion_results"."components" IS 'Array of {modality, score, standard_error, weight, quality, reason}.';

COMMENT ON COLUMN "checkin"."fusion_results"."score_interval" IS '90% interval of the score, {low, high}, 0 to 100; null in results of versions before wb-1.2.0.';

COMMENT ON COLUMN "checkin"."text_analysis"."replicates" IS 'Features without one window of the transcript each, as {feature: [values]}: from them comes the standard error of the score. Null before version wb-1.2.0.';

COMMENT ON COLUMN "checkin"."visual_analysis"."replicates" IS 'Features without one usable image each, as {feature: [values]}: from them comes the standard error of the score. Null before version wb-1.2.0.';

COMMENT ON COLUMN "private"."crisis_contacts"."rank" IS 'Its place in the order in which they are told of a review that nobody claims, 1 first.';

COMMENT ON COLUMN "private"."cron_heartbeats"."beat_at" IS 'When its heartbeat was last sent to the operator''s address; null if never.';

COMMENT ON COLUMN "private"."cron_heartbeats"."every" IS 'How often it runs; null for a schedule that private.interval_of_schedule does not know.';

COMMENT ON COLUMN "private"."cron_heartbeats"."failures" IS 'Runs that failed since the job was first observed.';

COMMENT ON COLUMN "private"."cron_heartbeats"."first_seen_at" IS 'When it was first observed.';

COMMENT ON COLUMN "private"."cron_heartbeats"."job" IS 'The job.';

COMMENT ON COLUMN "private"."cron_heartbeats"."last_run_id" IS 'The last of its runs that ended and was observed.';

COMMENT ON COLUMN "private"."cron_heartbeats"."last_success_at" IS 'When its last successful run ended; null before the first.';

COMMENT ON COLUMN "private"."cron_heartbeats"."observed_at" IS 'When it was last observed, which ends when the job is no longer scheduled.';

COMMENT ON COLUMN "private"."metric_counts"."id" IS 'The row.';

COMMENT ON COLUMN "private"."metric_counts"."labels" IS 'Which of it; never whose.';

COMMENT ON COLUMN "private"."metric_counts"."name" IS 'What is counted.';

COMMENT ON COLUMN "private"."metric_counts"."occurrences" IS 'How often it happened.';

COMMENT ON COLUMN "private"."metric_counts"."total" IS 'Sum of the amounts.';

COMMENT ON COLUMN "private"."review_reminder_rules"."escalate_after" IS 'How long after that the next contact is told, and so on, each once.';

COMMENT ON COLUMN "private"."review_reminder_rules"."remind_after" IS 'How long after the review became open the first contact is told again.';

COMMENT ON COLUMN "private"."review_reminder_rules"."risk_level" IS 'The level of the review.';

COMMENT ON COLUMN "private"."score_calibrations"."algorithm_version" IS 'Version of the fusion that made the scores; another version''s scores do not use it.';

COMMENT ON COLUMN "private"."score_calibrations"."components" IS 'Components that the scores were made of, in the order of checkin.fusion_results.components.';

COMMENT ON COLUMN "private"."score_calibrations"."created_at" IS 'When it was fitted.';

COMMENT ON COLUMN "private"."score_calibrations"."held_out_coverage" IS 'Share of one half of the labels that an interval fitted to the other half holds, 0 to 1.';

COMMENT ON COLUMN "private"."score_calibrations"."high" IS 'Upper end of the 90% interval minus the score, points.';

COMMENT ON COLUMN "private"."score_calibrations"."instrument" IS 'What the labels are: mood (1 to 10) or who5 (WHO-5, 0 to 100).';

COMMENT ON COLUMN "private"."score_calibrations"."labels" IS 'Labels that it was fitted to, one for each student.';

COMMENT ON COLUMN "private"."score_calibrations"."low" IS 'Lower end of the 90% interval minus the score, points.';

COMMENT ON COLUMN "public"."assessment_sessions"."status" IS 'processing until the app sets completed or failed; failed when nothing that was analysed can be scored, until another analysis comes. What is left processing ends after 24 hours.';

COMMENT ON COLUMN "public"."assessment_sessions"."updated_at" IS 'Set by the app when it updates the session, and by the service when it ends one.';

COMMENT ON COLUMN "public"."clinical_reviews"."open_since" IS 'Since when it has waited for a counselor: its opening, its release, or its move to another university.';

COMMENT ON COLUMN "public"."clinical_reviews"."reminders" IS 'How many contacts were reminded of it since then.';

COMMENT ON COLUMN "public"."universities"."assessment_frequency" IS 'How often the app invites students to check in: daily, twice_weekly, weekly, biweekly or monthly. The service sends no invitations.';

COMMENT ON COLUMN "public"."universities"."country" IS 'Where it is, ISO 3166-1 alpha-2, such as GB: decides the emergency number that its students are shown; 112 without.';

COMMENT ON COLUMN "public"."universities"."features_enabled" IS 'Features that the app shows to the university''s students: check_ins, sessions, text_model, support_circle, counselor_access, training. Nothing is refused that is absent.';

COMMENT ON FUNCTION "private"."call_function"(text, jsonb, text) IS 'Sends a database webhook to one of the project''s edge functions, within the trace that it belongs to, if any. Called by the queue and the outbox.';

COMMENT ON FUNCTION "private"."check_call"(inet, text) IS 'Why a call of a function is refused, for how many seconds, and the help that nothing keeps from anybody; no row when it is not. Called by the edge functions before each call.';

COMMENT ON FUNCTION "private"."count_ended_check_in"() IS 'Trigger: counts check-ins that end, those that are complete by the time from submission to score.';

COMMENT ON FUNCTION "private"."count_metric"(text, jsonb, double precision) IS 'Counts what happened, when its transaction commits, and never waits. Called where something happens that private.metrics counts.';

COMMENT ON FUNCTION "private"."emergency_phone"(text) IS 'The number to call in an emergency in a country (ISO 3166-1 alpha-2), that for an ambulance where there are several; 112, which mobile phones connect nearly everywhere, where no other is known. Each is among the emergency numbers of the country in libphonenumber''s ShortNumberMetadata (9.0, 2026). Called by private.university_crisis_resources.';

COMMENT ON FUNCTION "private"."end_left_sessions"() IS 'Ends sessions that the app has left processing for 24 hours: completed with a score, failed without. Called by cron.';

COMMENT ON FUNCTION "private"."fail_session"(uuid, uuid) IS 'Sets a session that is processing to failed: nothing that was analysed of it can be scored. Called by calculate-wellbeing-score.';

COMMENT ON FUNCTION "private"."heartbeat_url"(text) IS 'Where the heartbeat of a job goes: Vault''s heartbeat_url:JOB, else heartbeat_url with the job for {job}; null when there is none, or one without TLS. Called by private.observe_cron_jobs.';

COMMENT ON FUNCTION "private"."interval_of_schedule"(text) IS 'How often a job with a schedule of cron runs; null for the kinds of schedule that no job here has. Called by private.observe_cron_jobs.';

COMMENT ON FUNCTION "private"."is_last_security_administrator"(uuid) IS 'Whether nobody would administer security without this account. Called by private.keep_a_security_administrator and by the function api.';

COMMENT ON FUNCTION "private"."keep_a_security_administrator"() IS 'Trigger on auth.users and public.user_roles: one security administrator is left, neither banned nor deleted, and with the role.';

COMMENT ON FUNCTION "private"."observe_cron_jobs"(timestamp with time zone) IS 'Notes which scheduled jobs succeeded, and sends the heartbeat of each that did since its last one. Called by cron.';

COMMENT ON FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid, checkin.risk_level) IS 'Opens a review of the student, or adds the source to the one that is not closed; nothing below moderate. Called wherever high risk, or crisis language of moderate level, is stored.';

COMMENT ON FUNCTION "private"."queue_review_message"(text, uuid, text, text, text, integer) IS 'Queues an email to the university''s crisis contact, or another one in the order; a dead letter when there is none. Called wherever a crisis contact is told of a review.';

COMMENT ON FUNCTION "private"."remind_of_reviews"(timestamp with time zone) IS 'Tells the next contact of each review that nobody claims in time, one step at once; returns of how many reviews. Called by cron.';

COMMENT ON FUNCTION "private"."restart_review_wait"() IS 'Trigger, after private.guard_clinical_review: a review that is released, or comes to another university, waits anew.';

COMMENT ON FUNCTION "private"."review_contacts"(text) IS 'Whom a university names for clinical reviews, in order; its support address last. Called where somebody is told of a review.';

COMMENT ON FUNCTION "private"."send_review_digests"() IS 'Queues one message a university about its reviews in which risk showed since the crisis contact was told, a day ago or longer, and about new ones of lower priority. Called by cron.';

COMMENT ON FUNCTION "private"."store_session_analysis"(uuid, uuid, jsonb) IS 'Replaces the session''s analysis of a modality, opens a review on high risk and on crisis language of moderate level and broadcasts it, in one transaction; false when the session is not the student''s, null when the consent that it needs is not in force any more. Called by the analysis functions.';

COMMENT ON FUNCTION "private"."store_session_score"(uuid, uuid, jsonb) IS 'Replaces the session''s score, opens a review on high risk and on crisis language of moderate level and broadcasts it, in one transaction; false when the session is not the student''s, null when a consent was withdrawn since its input was read. Called by calculate-wellbeing-score.';

COMMENT ON FUNCTION "private"."store_transcript_result"(uuid, jsonb) IS 'Stores the result of a transcript and opens a review on high risk and on crisis language of moderate level, in one transaction; null when the check-in is not the student''s, the consent is not in force any more, or the account was deleted. Called by the function api.';

COMMENT ON FUNCTION "private"."traceparent"(text) IS 'The header of the W3C recommendation Trace Context that continues a trace; null without one. Called where a webhook is sent.';

COMMENT ON TABLE "private"."compliance_checks" IS 'The automated checks: each is a query for what is wrong. Its rows come with the service (sql/89_compliance_checks_*.sql).';

COMMENT ON TABLE "private"."cron_heartbeats" IS 'When each scheduled job last succeeded, from cron''s own record. The row of a job that is no longer scheduled stays, so that it is missed.';

COMMENT ON TABLE "private"."metric_counts" IS 'What private.metrics counts that no row tells later: several rows for one count, which are added up, so that no two transactions wait for one.';

COMMENT ON TABLE "private"."review_reminder_rules" IS 'When a university''s contacts are reminded of a review that nobody claims; an operator can change it without a deployment.';

COMMENT ON TABLE "private"."score_calibrations" IS 'Intervals fitted to labels of the operator''s own students by npm run calibrate, by version of the fusion and set of components. The fusion reads them.';

COMMENT ON TABLE "public"."clinical_reviews" IS 'High risk of a student, or crisis language that is less clear, for a counselor to handle: one review at a time. Opened in the transaction that stores the risk.';

COMMENT ON VIEW "private"."metrics" IS 'How the service is doing as a whole, as GET /api/metrics returns it: names, labels and values that docs/monitoring.md explains. No row is about a person or a university.';

REVOKE ALL ON FUNCTION "private"."call_function"(text, jsonb, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."call_function"(text, jsonb, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."call_function"(text, jsonb, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."check_call"(inet, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_call"(inet, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."check_call"(inet, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."count_ended_check_in"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_ended_check_in"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."count_ended_check_in"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."count_metric"(text, jsonb, double precision) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_metric"(text, jsonb, double precision) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."count_metric"(text, jsonb, double precision) TO "postgres";

REVOKE ALL ON FUNCTION "private"."emergency_phone"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."emergency_phone"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."emergency_phone"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."end_left_sessions"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_left_sessions"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."end_left_sessions"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."fail_session"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."fail_session"(uuid, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."fail_session"(uuid, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."heartbeat_url"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."heartbeat_url"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."heartbeat_url"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."interval_of_schedule"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."interval_of_schedule"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."interval_of_schedule"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."is_last_security_administrator"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_last_security_administrator"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_last_security_administrator"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."observe_cron_jobs"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."observe_cron_jobs"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."observe_cron_jobs"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid, checkin.risk_level) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid, checkin.risk_level) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid, checkin.risk_level) TO "postgres";

REVOKE ALL ON FUNCTION "private"."queue_review_message"(text, uuid, text, text, text, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_review_message"(text, uuid, text, text, text, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."queue_review_message"(text, uuid, text, text, text, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."remind_of_reviews"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remind_of_reviews"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."remind_of_reviews"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."restart_review_wait"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."restart_review_wait"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."restart_review_wait"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."review_contacts"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."review_contacts"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."review_contacts"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."traceparent"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."traceparent"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."traceparent"(text) TO "postgres";

REVOKE ALL ("country") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("country") ON TABLE "public"."universities" TO "authenticated";

SELECT cron.schedule_in_database('end-left-sessions', '7,27,47 * * * *', 'select private.end_left_sessions()', 'postgres', NULL, true);

SELECT cron.schedule_in_database('observe-cron-jobs', '* * * * *', 'select private.observe_cron_jobs(now())', 'postgres', NULL, true);

SELECT cron.schedule_in_database('remind-of-reviews', '* * * * *', 'select private.remind_of_reviews(now())', 'postgres', NULL, true);

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
  ('token_forgery', 'unauthorized_access', 'high', 5, '5 minutes', '{block_ip,send_alert}',
    'Access tokens with a signature that is not the project''s, from one address.'),
  ('access_refused', 'unauthorized_access', 'medium', 20, '10 minutes', '{send_alert}',
    'Requests of one account that were refused for want of a right.'),
  ('worker_secret', 'unauthorized_access', 'high', 5, '15 minutes', '{block_ip,send_alert}',
    'Calls of a worker with a wrong secret, from one address.'),
  ('flood', 'suspicious_activity', 'medium', 200, '5 minutes', '{send_alert}', 'Requests of one account, or one address, over a rate limit.'),
  ('link_guessing', 'suspicious_activity', 'medium', 30, '15 minutes', '{block_ip,send_alert}',
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
    max_contacts, request_pause, alert_pause, pattern_days, pattern_window_days, response_time, contacts_at_once, alert_valid,
    standstill_after, longest_student_pause, day_begins, day_ends}', 'nobody', null, 'Settings of the support circle.', null, null,
    null, null),
  ('relation', 'private', 'student_limits', '{only_row, sessions, session_bytes, consents, files, file_bytes, check_in_bytes}',
    'nobody', null, 'Settings: how much an account may store.', null, null, null, null),
  ('relation', 'private', 'pipeline_settings', '{only_row, lease, transcription_lease, dispatch_grace, retry_backoff, max_attempts,
    max_in_flight, fail_after}', 'nobody', null, 'Settings of the pipeline.', null, null, null, null),
  ('relation', 'private', 'messaging_settings', '{only_row, lease, retry_backoff, longest_backoff, max_attempts,
    review_digest_after}', 'nobody', null, 'Settings of the outbox.', null, null, null, null),
  ('relation', 'private', 'review_reminder_rules', '{risk_level, remind_after, escalate_after}', 'nobody', null,
    'Settings: when contacts are reminded of a review that nobody claims.', null, null, null, null),
  ('relation', 'private', 'metric_counts', '{id, name, labels, occurrences, total}', 'nobody', null,
    'How often things happened in the whole service, for its operator.', null, null, null, null),
  ('relation', 'private', 'cron_heartbeats', '{job, every, first_seen_at, observed_at, last_success_at, last_run_id, failures,
    beat_at}', 'nobody',
    null, 'When each scheduled job last succeeded.', null, null, null, null),
  ('relation', 'private', 'cohort_settings', '{only_row, smallest_cohort, aggregated_through}', 'nobody', null,
    'Settings and progress of the daily rollup.', null, null, null, null),
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
    verification_token_expires_at, verified_at, declined_at, phone_confirmed_at, confirmation_tries, created_at, updated_at}',
    'student', 'choices', 'Whom the student named, in which order, and what they agreed to.', 't.user_id = $1', 'delete', null,
    'declined_contacts'),
  ('relation', 'public', 'support_preferences', '{user_id, alerts_paused_until, pass_on_all_right}', 'student', 'choices',
    'What the student chose for alerts about them.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'buddy_verification_audit', '{id, buddy_contact_id, user_id, event_type, ip_address, user_agent, metadata,
    created_at}', 'support_contact', 'activity', 'Proof of what a contact agreed to, as mobile operators ask for it.', 't.user_id = $1',
    'delete', null, 'support_history'),
  ('relation', 'private', 'buddy_verification_sends', '{id, user_id, mailbox_hash, sent_at}', 'support_contact', 'activity',
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
  ('relation', 'private', 'inbound_texts', '{provider_message_id, number_hash, meaning, received_at}', 'support_contact',
    'activity', 'To count a text once that the provider reports twice.', null, 'keep',
    'What is known of a number that texted, as a hash; it leads to no account, and ends with its term.', 'inbound_texts'),
  -- Messages and queues
  ('queue', 'private', 'outbox', '{id, channel, purpose, user_id, contact_id, request_id, recipient, subject, body, status,
    attempts, send_at, lease_until, provider_called_at, provider, provider_message_id, provider_status, error_code, created_at,
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
  ('relation', 'private', 'detection_settings', '{only_row, trust_auth_addresses, log_changes, verified_all_at}', 'nobody', null,
    'Settings of detection.', null, null, null, null),
  ('relation', 'private', 'schema_snapshot', '{aspect, object, state}', 'nobody', null, 'What protected the data after the last migration.',
    null, null, null, null),
  ('relation', 'private', 'schema_snapshot_of', '{only_row, migration, taken_at}', 'nobody', null, 'Which migration that was.', null,
    null, null, null),
  ('relation', 'private', 'blocked_addresses', '{network, reason, incident_id, blocked_at, until, times}', 'caller', 'activity',
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


-- No policies: this file holds rows, not tables.

-- The automated checks of who reaches what. They are part of the schema, not settings: a migration that changes them ends with all of them.
-- Each query returns what is wrong, and no row when nothing is.
insert into private.compliance_checks as c (id, failure, title, expected, source, query)
values
  -- Who reaches what
  ('rls_enabled', 'non_compliant', 'Row-level security', 'Every table that an API exposes has row-level security on.', null, $q$
    select n.nspname || '.' || c.relname
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p')
      and not c.relrowsecurity
      and (
        n.nspname in ('public', 'checkin')
        or (n.nspname, c.relname) in (('storage', 'objects'), ('storage', 'buckets'), ('realtime', 'messages'))
      )
  $q$),
  ('policies_restrict', 'non_compliant', 'Policies that let everybody in', 'No policy for clients is simply true.', null, $q$
    select schemaname || '.' || tablename || ': ' || policyname
    from pg_policies
    where schemaname in ('public', 'checkin', 'storage', 'realtime')
      and permissive = 'PERMISSIVE'
      and roles <> '{service_role}'
      and ((cmd <> 'INSERT' and qual = 'true') or with_check = 'true')
  $q$),
  ('policies_name_roles', 'partial', 'Policies for unnamed roles', 'Every policy names the role it is for, and none is for anon.', null, $q$
    select schemaname || '.' || tablename || ': ' || policyname
    from pg_policies
    where schemaname in ('public', 'checkin') and ('public' = any (roles) or 'anon' = any (roles))
  $q$),
  ('policies_ask_account', 'partial', 'Policies and ended sessions',
    'Every policy asks private.current_account who the caller is, itself or through a function, so that a ban or a sign-out holds at once.',
    null, $q$
    with recursive asking (name) as (
      values ('current_account'::name)
      union
      select p.proname
      from asking a
      join pg_proc p on p.pronamespace = 'private'::regnamespace and p.prosrc ~ ('private\.' || a.name || '\(\)')
    )
    select p.schemaname || '.' || p.tablename || ': ' || p.policyname
    from pg_policies p
    cross join lateral unnest(array_remove(array[p.qual, p.with_check], null)) as condition
    where p.schemaname in ('public', 'checkin', 'storage', 'realtime')
      and p.roles <> '{service_role}'
      and condition not in ('true', 'false')
      and not exists (select from asking a where condition ~ ('private\.' || a.name || '\('))
  $q$),
  ('accounts_gated', 'non_compliant', 'Files and channels of banned accounts',
    'Whatever policies the tables of Storage and Realtime get, they let nobody in who is banned, signed out or without a role.', null, $q$
    select t.name
    from unnest(array['storage.objects', 'realtime.messages']) as t (name)
    where not exists (
      select
      from pg_policies
      where schemaname || '.' || tablename = t.name
        and permissive = 'RESTRICTIVE'
        and cmd = 'ALL'
        and 'authenticated' = any (roles)
        and qual like '%current_account%'
    )
  $q$),
  ('anon_reads_nothing', 'non_compliant', 'Tables without sign-in', 'Nobody reaches a table without signing in.', null, $q$
    select n.nspname || '.' || c.relname
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'checkin', 'private')
      and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and (
        has_any_column_privilege('anon', c.oid, 'select, insert, update, references')
        or has_table_privilege('anon', c.oid, 'delete, truncate, trigger')
      )
  $q$),
  ('private_closed', 'non_compliant', 'The schema private', 'No API role can name anything in the schema private, or reach a table of it.', null, $q$
    select r.name || ' may use the schema'
    from unnest(array['anon', 'authenticated', 'service_role']) as r (name)
    where has_schema_privilege(r.name, 'private', 'usage')
    union all
    select r.name || ' reaches ' || c.relname
    from unnest(array['authenticated', 'service_role']) as r (name)
    join pg_class c on c.relnamespace = 'private'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
    where has_any_column_privilege(r.name, c.oid, 'select, insert, update, references')
      or has_table_privilege(r.name, c.oid, 'delete, truncate, trigger')
  $q$),
  ('tables_not_emptied', 'non_compliant', 'Rights that row-level security does not limit',
    'No client may truncate a table, or add a trigger or a foreign key to it.', null, $q$
    select n.nspname || '.' || c.relname
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'checkin')
      and c.relkind in ('r', 'p')
      and has_table_privilege('authenticated', c.oid, 'truncate, references, trigger')
  $q$),
  ('definers_unexposed', 'non_compliant', 'Functions with more rights than their caller',
    'No function that an API exposes runs with the rights of its owner.', null, $q$
    select p.oid::regprocedure::text
    from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'checkin')
      and p.prosecdef
      and (has_function_privilege('anon', p.oid, 'execute') or has_function_privilege('authenticated', p.oid, 'execute'))
  $q$),
  ('anon_calls_nothing', 'non_compliant', 'Functions without sign-in',
    'Nobody calls a function without signing in, other than the one that checks each request.', null, $q$
    select p.oid::regprocedure::text
    from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'checkin')
      and p.oid is distinct from to_regprocedure('public.check_request()')
      and has_function_privilege('anon', p.oid, 'execute')
      and not exists (
        select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
      )
  $q$),
  ('search_paths_fixed', 'partial', 'Search paths of functions', 'Every function has an empty search path, so that nobody slips it another table.', null, $q$
    select p.oid::regprocedure::text
    from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'checkin', 'private')
      and not coalesce(p.proconfig @> array['search_path=""'], false)
      and not exists (
        select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
      )
  $q$),
  ('views_as_caller', 'non_compliant', 'Views that pass policies by',
    'Every view that clients read has the rights of its reader; they read no materialized view and no foreign table.', null, $q$
    select n.nspname || '.' || c.relname
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'checkin')
      and (
        c.relkind in ('m', 'f')
        or (c.relkind = 'v' and not coalesce(c.reloptions && array['security_invoker=true', 'security_invoker=on'], false))
      )
      and (has_any_column_privilege('anon', c.oid, 'select') or has_any_column_privilege('authenticated', c.oid, 'select'))
  $q$),
  ('roles_limited', 'non_compliant', 'Rights of the API roles', 'No API role passes row-level security by or makes roles.', null, $q$
    select rolname::text
    from pg_roles
    where rolname in ('anon', 'authenticated', 'authenticator') and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb)
  $q$),
  ('requests_checked', 'partial', 'The check of each request', 'The Data API calls public.check_request before it serves one.', null, $q$
    select 'authenticator has no pgrst.db_pre_request=public.check_request'
    where not exists (
      select from pg_roles where rolname = 'authenticator' and 'pgrst.db_pre_request=public.check_request' = any (rolconfig)
    )
  $q$),
  ('buckets_private', 'non_compliant', 'Buckets', 'No bucket is public.', null, $q$
    select id from storage.buckets where public
  $q$),
  ('buckets_limited', 'partial', 'Sizes of files', 'Every bucket limits the size of a file.', null, $q$
    select id from storage.buckets where file_size_limit is null
  $q$),
  ('extensions_apart', 'partial', 'Extensions', 'No extension lies in the schema that clients reach.', null, $q$
    select extname::text from pg_extension where extnamespace = 'public'::regnamespace
  $q$),
  ('tables_keyed', 'partial', 'Primary keys', 'Every table has one, so that each row can be named, restored and compared.', null, $q$
    select n.nspname || '.' || c.relname
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'checkin', 'private')
      and c.relkind in ('r', 'p')
      and not c.relispartition
      and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)
  $q$),

  -- Who acts
  ('staff_second_factor', 'non_compliant', 'Second factors of staff', 'Everybody on the staff signs in with a second factor.', null, $q$
    select r.role || ': ' || count(*) || ' without one'
    from (select distinct user_id, role from public.user_roles where role in ('counselor', 'university_admin', 'security_admin')) r
    join auth.users u on u.id = r.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
    where not exists (select from auth.mfa_factors f where f.user_id = r.user_id and f.status = 'verified')
    group by r.role
  $q$),
  ('staff_in_use', 'partial', 'Unused accounts of staff', 'Whoever is on the staff signed in within 90 days.', null, $q$
    select r.role || ': ' || count(*) || ' did not'
    from public.user_roles r
    join auth.users u on u.id = r.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
    where r.role in ('counselor', 'university_admin', 'security_admin')
      and r.created_at < now() - interval '90 days'
      and coalesce(u.last_sign_in_at, '-infinity') < now() - interval '90 days'
    group by r.role
  $q$),
  ('staff_confirmed', 'non_compliant', 'Addresses of staff', 'Everybody on the staff has confirmed their address.', null, $q$
    select r.role || ': ' || count(*) || ' have not'
    from public.user_roles r
    join auth.users u on u.id = r.user_id
    where r.role in ('counselor', 'university_admin', 'security_admin') and u.email_confirmed_at is null and u.phone_confirmed_at is null
    group by r.role
  $q$),
  ('passwords_hashed', 'non_compliant', 'Passwords', 'Passwords of staff are stored as bcrypt or Argon2 hashes.', null, $q$
    select r.role || ': ' || count(*) || ' are not'
    from public.user_roles r
    join auth.users u on u.id = r.user_id
    where r.role in ('counselor', 'university_admin', 'security_admin') and u.encrypted_password <> ''
      and u.encrypted_password !~ '^\$(2[aby]|argon2)'
    group by r.role
  $q$),
  ('security_admin_named', 'non_compliant', 'Security administrators', 'Somebody who can sign in is the security administrator.', null, $q$
    select 'there is none'
    where not exists (
      select
      from public.user_roles r
      join auth.users u on u.id = r.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
      where r.role = 'security_admin'
    )
  $q$),
  ('sign_in_limited', 'non_compliant', 'Guessing passwords', 'Sign-ins are limited to 20 in 5 minutes or fewer, and other calls have limits too.', null, $q$
    select 'sign-in: more than 20 in 5 minutes'
    from private.rate_limit_rules
    where scope = 'sign-in' and requests * interval '5 minutes' > 20 * period
    union all
    select s.scope || ': no limit'
    from unnest(array['sign-in', 'sign-up', 'refresh', 'data-api', 'unknown-link', 'audit']) as s (scope)
    where not exists (select from private.rate_limit_rules r where r.scope = s.scope)
  $q$),
  ('access_reviewed', 'partial', 'Reviews of access', 'Who has which role was reviewed within a year.', $q$
    exists (select from private.compliance_facts where fact = 'access_review')
  $q$, $q$
    select 'the last one was on ' || happened_at::date
    from private.compliance_facts
    where fact = 'access_review' and happened_at < now() - interval '1 year'
  $q$),

  -- Keys and connections
  ('keys_present', 'non_compliant', 'Secrets of the project', 'The vault has every secret that the service needs.', null, $q$
    select k.name
    from unnest(array['functions_url', 'pipeline_secret', 'number_hash_key', 'tombstone_key']) as k (name)
    where not exists (select from vault.secrets s where s.name = k.name)
  $q$),
  ('keys_renewed', 'partial', 'Age of the workers'' secret', 'It was renewed within a year.', $q$
    exists (select from vault.secrets where name = 'pipeline_secret')
  $q$, $q$
    select 'pipeline_secret is of ' || greatest(created_at, updated_at)::date
    from vault.secrets
    where name = 'pipeline_secret' and greatest(created_at, updated_at) < now() - interval '1 year'
  $q$),
  ('connections_encrypted', 'partial', 'Connections to the database', 'They can be encrypted, and passwords of its roles are never sent in a form that can be replayed.', null, $q$
    select name || ' is ' || setting
    from pg_settings
    where (name = 'ssl' and setting <> 'on') or (name = 'password_encryption' and setting <> 'scram-sha-256')
  $q$),
  ('encryption_at_rest', 'non_compliant', 'Disks and backups', 'That they are encrypted was confirmed within a year.', $q$
    exists (select from private.compliance_facts where fact = 'encryption_at_rest')
  $q$, $q$
    select 'last confirmed on ' || happened_at::date
    from private.compliance_facts
    where fact = 'encryption_at_rest' and happened_at < now() - interval '1 year'
  $q$)
on conflict on constraint compliance_checks_pkey do update
set failure = excluded.failure,
  title = excluded.title,
  expected = excluded.expected,
  source = excluded.source,
  query = excluded.query
where (c.failure, c.title, c.expected, c.source, c.query)
  is distinct from (excluded.failure, excluded.title, excluded.expected, excluded.source, excluded.query);


-- No policies: this file holds rows, not tables.

-- The automated checks of personal data, and of the proof of what was done with it. They are part of the schema, not settings: a migration that changes them ends with all of them.
-- Each query returns what is wrong, and no row when nothing is.
insert into private.compliance_checks as c (id, failure, title, expected, source, query)
values
  -- Personal data
  ('data_classified', 'partial', 'The inventory of personal data', 'Every column is classified.', null, $q$
    select name || ': ' || problem from private.personal_data_gaps()
  $q$),
  ('retention_kept', 'non_compliant', 'Data past its term', 'Nothing is kept two days longer than its term.', null, $q$
    with terms as (
      select kind, now() - keep - interval '2 days' as cutoff from private.retention_rules
    )
    select t.kind
    from terms t
    where case t.kind
      when 'raw_media' then exists (
        select
        from private.check_in_media m
        join checkin.check_ins c on c.id = m.check_in_id
        where m.created_at < t.cutoff and c.completed_at < t.cutoff
      )
      when 'transcripts' then exists (
        select
        from private.check_in_inputs i
        join checkin.check_ins c on c.id = i.check_in_id
        where i.transcript is not null and i.created_at < t.cutoff and c.completed_at < t.cutoff
      )
      when 'transcript_results' then exists (select from private.transcript_results r where r.created_at < t.cutoff)
      when 'results' then exists (
        select from (select c.status from checkin.check_ins c where c.created_at < t.cutoff order by c.created_at limit 1000) as oldest
        where status <> 'processing'
      )
      when 'sent_messages' then exists (
        select from private.outbox o where o.ended_at < t.cutoff and o.status in ('sent', 'cancelled')
      )
      when 'undelivered_messages' then exists (select from private.outbox o where o.ended_at < t.cutoff)
      when 'inbound_texts' then exists (select from private.inbound_texts i where i.received_at < t.cutoff)
      when 'exports' then exists (select from private.exports e where e.status = 'ready' and e.expires_at < now() - interval '2 days')
    end
  $q$),
  ('terms_short', 'partial', 'Terms of recordings and transcripts',
    'Recordings are kept for 90 days at most, transcripts for a year, what was not submitted for a week.', null, $q$
    select r.kind || ': ' || r.keep
    from private.retention_rules r
    join (
      values
        ('raw_media', interval '90 days'), ('transcripts', interval '1 year'), ('transcript_results', interval '1 year'),
        ('unfinished_uploads', interval '7 days')
    ) as most (kind, keep) on most.kind = r.kind
    where r.keep > most.keep
  $q$),
  ('records_kept', 'non_compliant', 'Terms of proof', 'The people of the audit log, and assessments, are kept for six years at least.', null, $q$
    select r.kind || ': ' || r.keep
    from private.retention_rules r
    where r.kind in ('audit_log', 'compliance_assessments') and r.keep < interval '6 years'
  $q$),
  ('erasures_in_time', 'non_compliant', 'Erasures', 'None takes longer than a day once it is final, unless the law holds it.', null, $q$
    select count(*) || ' late'
    from private.erasures e
    where e.final_at < now() - interval '24 hours' and not exists (select from private.legal_holds h where h.user_id = e.user_id)
    having count(*) > 0
  $q$),
  ('files_removed', 'partial', 'Removal of files', 'No file resists its removal for a day.', null, $q$
    select bucket || ': ' || count(*)
    from private.object_removals
    where attempts >= 5 and error_code is not null and created_at < now() - interval '24 hours'
    group by bucket
  $q$),
  ('exports_in_time', 'partial', 'Exports of personal data', 'Nobody waits for one longer than a day.', null, $q$
    select count(*) || ' late'
    from private.exports
    where status in ('queued', 'building') and created_at < now() - interval '24 hours'
    having count(*) > 0
  $q$),
  ('consent_before_use', 'non_compliant', 'Consent before use',
    'Each analysis was made while the consent to it was in force: the latest 1,000 check-ins of a week.', null, $q$
    with recent as materialized (
      select c.id, c.user_id
      from checkin.check_ins c
      where c.created_at > now() - interval '7 days'
      order by c.created_at desc
      limit 1000
    ),
    used as (
      select r.user_id, 'audio'::public.consent_kind as kind, a.created_at
      from recent r
      join checkin.audio_analysis a on a.check_in_id = r.id
      union all
      select r.user_id, 'camera', a.created_at
      from recent r
      join checkin.visual_analysis a on a.check_in_id = r.id
      union all
      select r.user_id, 'text', a.created_at
      from recent r
      join checkin.text_analysis a on a.check_in_id = r.id
    )
    select u.kind || ': ' || count(*) || ' without'
    from used u
    where not exists (
      select
      from public.consents c
      where c.user_id = u.user_id
        and c.kind = u.kind
        and c.granted_at <= u.created_at
        and (c.withdrawn_at is null or c.withdrawn_at >= u.created_at)
    )
    group by u.kind
  $q$),

  -- Proof of what was done
  ('audit_intact', 'non_compliant', 'The chain of the audit log', 'The latest 5,000 entries and all that was proved before are as they were written.', null, $q$
    select coalesce('entry ' || v.broken_at || ': ', '') || v.problem
    from (select coalesce(max(entries), 0) as entries from private.audit_head) h
    cross join lateral private.verify_audit_log(greatest(h.entries - 5000, 1)) v
    where not v.intact
    union all
    select 'entry ' || p.entries || ': was changed after it was proved'
    from private.audit_proof p
    where p.entries > 0
      and not exists (select from public.audit_logs e where e.id = p.entries and e.hash = p.hash)
  $q$),
  ('audit_verified', 'partial', 'Verification of the audit log', 'Every entry is verified within an hour.', null, $q$
    select 'entry ' || e.id || ' and those after it'
    from private.audit_proof p
    join public.audit_logs e on e.id = p.entries + 1
    where e.occurred_at < now() - interval '1 hour'
  $q$),
  ('audit_guarded', 'non_compliant', 'Guards of the audit log', 'Nobody changes, deletes or empties it.', null, $q$
    select g.relation || ': ' || g.name
    from (
      values
        ('public.audit_logs', 'chain_audit_entry'), ('public.audit_logs', 'prevent_audit_change'),
        ('public.audit_logs', 'prevent_audit_truncate'), ('private.audit_identities', 'prevent_audit_identity_change'),
        ('private.audit_identities', 'prevent_audit_identity_truncate')
    ) as g (relation, name)
    where not exists (
      select from pg_trigger t where t.tgrelid = to_regclass(g.relation) and t.tgname = g.name and t.tgenabled in ('O', 'A')
    )
  $q$),
  ('changes_audited', 'non_compliant', 'What the audit log hears of', 'Sign-ins, roles, settings and reviews are logged.', null, $q$
    select g.relation || ': ' || g.name
    from (
      values
        ('auth.sessions', 'audit_sign_in'), ('public.user_roles', 'audit_role_granted'), ('public.user_roles', 'audit_role_changed'),
        ('public.user_roles', 'audit_role_revoked'), ('public.universities', 'audit_university'),
        ('public.clinical_reviews', 'audit_review'), ('private.retention_rules', 'audit_settings'),
        ('private.rate_limit_rules', 'audit_settings'), ('private.required_consent_versions', 'audit_settings'),
        ('private.compliance_checks', 'audit_settings'), ('private.compliance_facts', 'audit_settings')
    ) as g (relation, name)
    where not exists (
      select from pg_trigger t where t.tgrelid = to_regclass(g.relation) and t.tgname = g.name and t.tgenabled in ('O', 'A')
    )
  $q$),
  ('assessments_intact', 'non_compliant', 'Earlier assessments', 'The latest 50 are as the audit log has them.', null, $q$
    select a.id
    from (select * from public.compliance_assessments order by ended_at desc limit 50) as a
    where a.hash <> private.assessment_hash(a)
      or not exists (
        select
        from public.audit_logs e
        where e.target_type = 'compliance_assessments' and e.target_id = a.id and e.details ->> 'sha256' = encode(a.hash, 'hex')
      )
  $q$)
on conflict on constraint compliance_checks_pkey do update
set failure = excluded.failure,
  title = excluded.title,
  expected = excluded.expected,
  source = excluded.source,
  query = excluded.query
where (c.failure, c.title, c.expected, c.source, c.query)
  is distinct from (excluded.failure, excluded.title, excluded.expected, excluded.source, excluded.query);


-- No policies: this file holds rows, not tables.

-- The automated checks of how the service runs, of what operators tell, and of people. They are part of the schema, not settings: a migration that changes them ends with all of them.
-- Each query returns what is wrong, and no row when nothing is.
insert into private.compliance_checks as c (id, failure, title, expected, source, query)
values
  -- The service
  ('high_risk_reviewed', 'non_compliant', 'High risk', 'A counselor claims each review within a day, and closes it within a week.', null, $q$
    select r.status || ': ' || count(*) || ' late'
    from public.clinical_reviews r
    where r.status <> 'closed'
      and (
        (r.status = 'open' and r.opened_at < now() - interval '24 hours')
        or (r.status = 'claimed' and r.claimed_at < now() - interval '7 days')
      )
    group by r.status
  $q$),
  ('crisis_contacts_named', 'partial', 'Whom to notify of high risk', 'Every university names an address.', null, $q$
    select u.id
    from public.universities u
    where u.support_email is null and not exists (select from private.crisis_contacts c where c.university_id = u.id)
  $q$),
  ('messages_delivered', 'partial', 'Dead letters', 'No message of the last week could not be sent.', null, $q$
    select purpose || ': ' || count(*) || ' ' || status
    from private.outbox
    where ended_at > now() - interval '7 days' and status in ('dead', 'unconfirmed')
    group by purpose, status
  $q$),
  ('messages_in_time', 'partial', 'Waiting messages', 'None waits longer than an hour after it is due.', null, $q$
    select status || ': ' || count(*)
    from private.outbox
    where (status = 'queued' and send_at < now() - interval '1 hour') or (status = 'sending' and lease_until < now() - interval '1 hour')
    group by status
  $q$),
  ('check_ins_in_time', 'partial', 'Waiting check-ins', 'None is analysed for longer than a day.', null, $q$
    select count(*) || ' late'
    from checkin.check_ins
    where status = 'processing' and submitted_at < now() - interval '24 hours'
    having count(*) > 0
  $q$),
  ('alerts_moving', 'non_compliant', 'Support alerts that stand still', 'None does.', null, $q$
    select kind || ': ' || count(*) from private.support_standstills where ended_at is null group by kind
  $q$),
  ('jobs_healthy', 'partial', 'Scheduled jobs', 'Those that others rest on are scheduled, and the last run of each succeeded.', null, $q$
    select n.name || ': not scheduled'
    from unnest(array[
      'dispatch-due-jobs', 'dispatch-due-messages', 'dispatch-due-object-removals', 'advance-erasures', 'verify-audit-log',
      'tick-support-alerts', 'purge-expired', 'assess-compliance'
    ]) as n (name)
    where not exists (select from cron.job j where j.jobname = n.name and j.active)
    union all
    select j.jobname || ': its last run failed'
    from (
      select distinct on (r.jobid) r.jobid, r.status
      from (select * from cron.job_run_details order by runid desc limit 5000) as r
      where r.status in ('succeeded', 'failed')
      order by r.jobid, r.runid desc
    ) as last
    join cron.job j on j.jobid = last.jobid
    where last.status = 'failed'
  $q$),

  -- What operators tell
  ('backup_recent', 'non_compliant', 'Backups', 'The last one is of the last 26 hours.', $q$
    exists (select from private.compliance_facts where fact = 'backup')
  $q$, $q$
    select 'the last one ended on ' || happened_at::date
    from private.compliance_facts
    where fact = 'backup' and happened_at < now() - interval '26 hours'
  $q$),
  ('restore_tested', 'partial', 'Restoring a backup', 'It was tried within half a year.', $q$
    exists (select from private.compliance_facts where fact = 'restore_test')
  $q$, $q$
    select 'last tried on ' || happened_at::date
    from private.compliance_facts
    where fact = 'restore_test' and happened_at < now() - interval '180 days'
  $q$),
  ('risk_analysed', 'non_compliant', 'Risk analysis', 'It was made or renewed within a year.', $q$
    exists (select from private.compliance_facts where fact = 'risk_analysis')
  $q$, $q$
    select 'it is of ' || happened_at::date
    from private.compliance_facts
    where fact = 'risk_analysis' and happened_at < now() - interval '1 year'
  $q$),
  ('impact_assessed', 'non_compliant', 'Data protection impact assessment', 'It was made or renewed within two years.', $q$
    exists (select from private.compliance_facts where fact = 'impact_assessment')
  $q$, $q$
    select 'it is of ' || happened_at::date
    from private.compliance_facts
    where fact = 'impact_assessment' and happened_at < now() - interval '2 years'
  $q$),
  ('incidents_exercised', 'partial', 'Exercises', 'An incident was exercised within a year.', $q$
    exists (select from private.compliance_facts where fact = 'incident_exercise')
  $q$, $q$
    select 'last on ' || happened_at::date
    from private.compliance_facts
    where fact = 'incident_exercise' and happened_at < now() - interval '1 year'
  $q$),

  -- Training, incidents, tests
  ('training_offered', 'non_compliant', 'Mandatory training', 'There is a published mandatory module on health data, assigned to all roles of staff.', null, $q$
    select 'there is none'
    where not exists (
      select
      from public.training_modules m
      join public.training_assignments a on a.module_id = m.id and a.role is not null
      where m.category = 'hipaa_compliance' and m.published and m.mandatory
      group by m.id
      having count(*) = 3
    )
  $q$),
  ('training_done', 'partial', 'Overdue training', 'Nobody is overdue.', null, $q$
    select module_id || ': ' || count(*) || ' overdue' from private.training_due where due_at <= now() group by module_id
  $q$),
  ('incidents_handled', 'partial', 'Open incidents', 'Severe ones are contained within a day, others within a week.', null, $q$
    select i.id
    from public.security_incidents i
    where i.status in ('open', 'investigating')
      and i.detected_at < now() - case when i.severity in ('high', 'critical') then interval '24 hours' else interval '7 days' end
  $q$),
  ('breaches_contained', 'non_compliant', 'Breaches', 'No breach of personal data is open 72 hours after it was known.', null, $q$
    select i.id
    from public.security_incidents i
    where i.status in ('open', 'investigating')
      and i.aware_at < now() - interval '72 hours'
  $q$),
  ('tests_recent', 'partial', 'Security tests', 'The last one ended within 30 days.', null, $q$
    select 'none in 30 days'
    where not exists (select from public.security_test_runs where status <> 'running' and ended_at > now() - interval '30 days')
  $q$),
  ('vulnerabilities_fixed', 'non_compliant', 'Vulnerabilities',
    'Severe ones are fixed within a week, others within 90 days, and nobody''s acceptance has ended.', $q$
    exists (select from public.security_test_runs where status <> 'running')
  $q$, $q$
    select v.id
    from public.vulnerabilities v
    where (
        v.status = 'open'
        and v.found_at < now() - case when v.severity in ('high', 'critical') then interval '7 days' else interval '90 days' end
      )
      or (v.status = 'accepted' and v.accepted_until < now())
  $q$)
on conflict on constraint compliance_checks_pkey do update
set failure = excluded.failure,
  title = excluded.title,
  expected = excluded.expected,
  source = excluded.source,
  query = excluded.query
where (c.failure, c.title, c.expected, c.source, c.query)
  is distinct from (excluded.failure, excluded.title, excluded.expected, excluded.source, excluded.query);


-- No policies: this file holds rows, not tables.

-- The controls. They are part of the schema, not settings: a migration that changes them ends with all of them.
insert into public.compliance_controls as c (id, framework, reference, title, requirement, checks)
values
  -- HIPAA: 45 CFR
  ('ctl_hipaa_164_308_a_1_ii_a', 'hipaa', '164.308(a)(1)(ii)(A)', 'Risk analysis',
    'The risks to the data of students are written down, and renewed every year.', '{risk_analysed, tests_recent}'),
  ('ctl_hipaa_164_308_a_1_ii_d', 'hipaa', '164.308(a)(1)(ii)(D)', 'Review of activity',
    'What people do is logged, and somebody looks at the log and at what stands out in it.', '{audit_verified, changes_audited, incidents_handled}'),
  ('ctl_hipaa_164_308_a_2', 'hipaa', '164.308(a)(2)', 'Responsible person', 'Somebody is responsible for security.', '{security_admin_named}'),
  ('ctl_hipaa_164_308_a_3', 'hipaa', '164.308(a)(3)', 'Staff',
    'Only staff who work with students'' data have access, for as long as they do.', '{staff_in_use, access_reviewed}'),
  ('ctl_hipaa_164_308_a_4', 'hipaa', '164.308(a)(4)', 'Granting access',
    'Each role reaches what it needs, and nothing is open by default.',
    '{anon_reads_nothing, anon_calls_nothing, private_closed, policies_name_roles, roles_limited}'),
  ('ctl_hipaa_164_308_a_5_i', 'hipaa', '164.308(a)(5)(i)', 'Training', 'All staff are trained, and again every year.', '{training_offered, training_done}'),
  ('ctl_hipaa_164_308_a_5_ii_c', 'hipaa', '164.308(a)(5)(ii)(C)', 'Sign-ins', 'Sign-ins are logged, and guessing is limited.', '{sign_in_limited, changes_audited}'),
  ('ctl_hipaa_164_308_a_6', 'hipaa', '164.308(a)(6)', 'Incidents', 'Incidents are detected, handled, and written down.', '{incidents_handled, incidents_exercised}'),
  ('ctl_hipaa_164_308_a_7', 'hipaa', '164.308(a)(7)', 'Contingency', 'Data can be restored, and the service goes on.', '{backup_recent, restore_tested, jobs_healthy}'),
  ('ctl_hipaa_164_308_a_8', 'hipaa', '164.308(a)(8)', 'Evaluation', 'The protection itself is tested, and what is found is mended.', '{tests_recent, vulnerabilities_fixed, assessments_intact}'),
  ('ctl_hipaa_164_308_b', 'hipaa', '164.308(b)', 'Contracts', 'There are contracts with everybody who processes the data on our behalf.', '{}'),
  ('ctl_hipaa_164_310_d_2_i', 'hipaa', '164.310(d)(2)(i)', 'Disposal', 'What is not needed any more is deleted, files too.', '{retention_kept, files_removed}'),
  ('ctl_hipaa_164_312_a_1', 'hipaa', '164.312(a)(1)', 'Access control',
    'Software lets each person reach only their own data, or that of those who agreed to it.',
    '{rls_enabled, policies_restrict, policies_ask_account, accounts_gated, tables_not_emptied, definers_unexposed, views_as_caller, search_paths_fixed, buckets_private, requests_checked}'),
  ('ctl_hipaa_164_312_a_2_i', 'hipaa', '164.312(a)(2)(i)', 'Accounts of persons', 'Everybody acts under an account that is theirs.', '{staff_confirmed}'),
  ('ctl_hipaa_164_312_a_2_iv', 'hipaa', '164.312(a)(2)(iv)', 'Encryption at rest', 'Disks and backups are encrypted.', '{encryption_at_rest}'),
  ('ctl_hipaa_164_312_b', 'hipaa', '164.312(b)', 'Audit', 'Access to health data is recorded in a log that nobody can change.', '{audit_guarded, audit_intact, changes_audited}'),
  ('ctl_hipaa_164_312_c_1', 'hipaa', '164.312(c)(1)', 'Integrity', 'Data is not altered or lost unnoticed.', '{audit_intact, tables_keyed}'),
  ('ctl_hipaa_164_312_d', 'hipaa', '164.312(d)', 'Authentication', 'Whoever sees health data proves who they are.', '{staff_second_factor, staff_confirmed, passwords_hashed}'),
  ('ctl_hipaa_164_312_e_1', 'hipaa', '164.312(e)(1)', 'Transmission', 'Data is encrypted on its way.', '{connections_encrypted, keys_present}'),
  ('ctl_hipaa_164_316_b_2_i', 'hipaa', '164.316(b)(2)(i)', 'Keeping proof', 'Documents and records of what was done are kept for six years.', '{records_kept, assessments_intact}'),
  ('ctl_hipaa_164_404', 'hipaa', '164.404', 'Notice of breaches', 'People are told of a breach without delay, within 60 days.', '{breaches_contained}'),
  ('ctl_hipaa_164_502_b', 'hipaa', '164.502(b)', 'Minimum necessary', 'No more data is used and shown than the purpose needs.', '{terms_short, buckets_limited}'),
  ('ctl_hipaa_164_508', 'hipaa', '164.508', 'Authorization', 'Recordings are used only with the student''s consent.', '{consent_before_use}'),
  ('ctl_hipaa_164_524', 'hipaa', '164.524', 'Access by the person', 'People get a copy of their data.', '{exports_in_time}'),

  -- GDPR
  ('ctl_gdpr_5_1_c', 'gdpr', 'Art. 5(1)(c)', 'Minimisation', 'No more is collected and kept than the purpose needs.', '{terms_short, buckets_limited}'),
  ('ctl_gdpr_5_1_e', 'gdpr', 'Art. 5(1)(e)', 'Storage limitation', 'Data is deleted when its term ends.', '{retention_kept, terms_short}'),
  ('ctl_gdpr_5_2', 'gdpr', 'Art. 5(2)', 'Accountability', 'It can be shown what was done, by whom, and that the rules were kept.', '{audit_guarded, audit_intact, changes_audited, assessments_intact, records_kept}'),
  ('ctl_gdpr_7', 'gdpr', 'Art. 7', 'Consent', 'Nothing is analysed without the student''s consent, and a withdrawal holds at once.', '{consent_before_use}'),
  ('ctl_gdpr_9', 'gdpr', 'Art. 9', 'Health data', 'Health data is processed with explicit consent, and only those reach it who have to.', '{consent_before_use, rls_enabled, policies_restrict}'),
  ('ctl_gdpr_13', 'gdpr', 'Art. 13', 'Information', 'People are told what is done with their data, in words that they understand.', '{}'),
  ('ctl_gdpr_15', 'gdpr', 'Art. 15', 'Access', 'People see what is stored of them, and who read it.', '{exports_in_time, changes_audited}'),
  ('ctl_gdpr_17', 'gdpr', 'Art. 17', 'Erasure', 'Whoever asks is erased, with everything, in time.', '{erasures_in_time, files_removed}'),
  ('ctl_gdpr_20', 'gdpr', 'Art. 20', 'Portability', 'People take their data along in a form that machines read.', '{exports_in_time}'),
  ('ctl_gdpr_22', 'gdpr', 'Art. 22', 'Decisions by persons', 'What matters is decided by a person: a counselor looks at each high risk.', '{high_risk_reviewed, crisis_contacts_named}'),
  ('ctl_gdpr_25', 'gdpr', 'Art. 25', 'Protection by design', 'Without anybody doing anything, data is closed.', '{anon_reads_nothing, anon_calls_nothing, private_closed, policies_name_roles, buckets_private, views_as_caller}'),
  ('ctl_gdpr_28', 'gdpr', 'Art. 28', 'Processors', 'There are contracts with everybody who processes data on our behalf.', '{}'),
  ('ctl_gdpr_30', 'gdpr', 'Art. 30', 'Records of processing', 'It is written down what is stored, of whom, what for and how long.', '{data_classified}'),
  ('ctl_gdpr_32_1_a', 'gdpr', 'Art. 32(1)(a)', 'Encryption and pseudonyms', 'Data is encrypted on its way and at rest, and keys are renewed.', '{encryption_at_rest, connections_encrypted, keys_present, keys_renewed}'),
  ('ctl_gdpr_32_1_b', 'gdpr', 'Art. 32(1)(b)', 'Confidentiality and resilience', 'Each person reaches what is theirs, staff prove who they are, and the service runs.',
    '{rls_enabled, policies_restrict, policies_ask_account, accounts_gated, definers_unexposed, staff_second_factor, sign_in_limited, jobs_healthy, check_ins_in_time, messages_delivered}'),
  ('ctl_gdpr_32_1_c', 'gdpr', 'Art. 32(1)(c)', 'Restoring', 'Data can be restored in time after an incident.', '{backup_recent, restore_tested}'),
  ('ctl_gdpr_32_1_d', 'gdpr', 'Art. 32(1)(d)', 'Testing', 'The protection is tested regularly.', '{tests_recent, vulnerabilities_fixed}'),
  ('ctl_gdpr_32_4', 'gdpr', 'Art. 32(4)', 'Instructed staff', 'Staff act as they were instructed, and are trained to.', '{training_offered, training_done}'),
  ('ctl_gdpr_33', 'gdpr', 'Art. 33', 'Notification of breaches', 'The authority is told of a breach within 72 hours.', '{breaches_contained, incidents_exercised}'),
  ('ctl_gdpr_35', 'gdpr', 'Art. 35', 'Impact assessment', 'The risks to students are assessed before their data is processed, and again when it changes.', '{impact_assessed}'),

  -- SOC 2: trust services criteria
  ('ctl_soc2_cc1_4', 'soc2', 'CC1.4', 'Competent staff', 'Staff are trained for what they do.', '{training_offered, training_done}'),
  ('ctl_soc2_cc2_1', 'soc2', 'CC2.1', 'Information to act on', 'Records that decisions rest on are complete and unchanged.', '{audit_intact, audit_verified, assessments_intact}'),
  ('ctl_soc2_cc3_2', 'soc2', 'CC3.2', 'Risk assessment', 'Risks are found, weighed and renewed.', '{risk_analysed}'),
  ('ctl_soc2_cc4_1', 'soc2', 'CC4.1', 'Ongoing evaluation', 'Whether controls work is looked at all the time, and separately.', '{tests_recent, assessments_intact}'),
  ('ctl_soc2_cc5_2', 'soc2', 'CC5.2', 'Controls in technology', 'Changes of what controls access are logged.', '{changes_audited, audit_guarded}'),
  ('ctl_soc2_cc6_1', 'soc2', 'CC6.1', 'Logical access',
    'Software protects data from whoever may not reach it.',
    '{rls_enabled, policies_restrict, policies_ask_account, tables_not_emptied, definers_unexposed, views_as_caller, search_paths_fixed, staff_second_factor, keys_present, keys_renewed, encryption_at_rest}'),
  ('ctl_soc2_cc6_2', 'soc2', 'CC6.2', 'Accounts', 'Accounts are made for confirmed people, and end when they are not used.', '{staff_confirmed, staff_in_use, accounts_gated}'),
  ('ctl_soc2_cc6_3', 'soc2', 'CC6.3', 'Roles', 'Access follows roles, which are reviewed.', '{private_closed, roles_limited, security_admin_named, access_reviewed}'),
  ('ctl_soc2_cc6_5', 'soc2', 'CC6.5', 'Disposal', 'Data is destroyed when it is not needed any more.', '{retention_kept, files_removed, erasures_in_time}'),
  ('ctl_soc2_cc6_6', 'soc2', 'CC6.6', 'Outer boundary', 'Whoever comes from outside is limited and reaches nothing without signing in.', '{anon_reads_nothing, anon_calls_nothing, sign_in_limited, requests_checked, passwords_hashed}'),
  ('ctl_soc2_cc6_7', 'soc2', 'CC6.7', 'Transmission', 'Data is protected on its way, and leaves only to whom it belongs.', '{connections_encrypted, buckets_private}'),
  ('ctl_soc2_cc7_1', 'soc2', 'CC7.1', 'Vulnerabilities', 'Weaknesses are found and mended.', '{vulnerabilities_fixed, extensions_apart}'),
  ('ctl_soc2_cc7_2', 'soc2', 'CC7.2', 'Monitoring', 'What is unusual is noticed.', '{jobs_healthy, audit_verified, alerts_moving}'),
  ('ctl_soc2_cc7_4', 'soc2', 'CC7.4', 'Response', 'Incidents are handled as was planned.', '{incidents_handled, breaches_contained}'),
  ('ctl_soc2_cc7_5', 'soc2', 'CC7.5', 'Recovery', 'After an incident, the service is restored as was exercised.', '{restore_tested, incidents_exercised}'),
  ('ctl_soc2_cc9_2', 'soc2', 'CC9.2', 'Vendors', 'Risks of vendors are managed by contracts and reviews.', '{}'),
  ('ctl_soc2_a1_2', 'soc2', 'A1.2', 'Backups', 'Data is backed up, and what others rest on is supervised.', '{backup_recent, jobs_healthy}'),
  ('ctl_soc2_a1_3', 'soc2', 'A1.3', 'Recovery tests', 'Restoring is tried.', '{restore_tested}'),
  ('ctl_soc2_c1_1', 'soc2', 'C1.1', 'Confidential information', 'It is known which data is confidential, and kept as long as it has to be.', '{data_classified, records_kept}'),
  ('ctl_soc2_pi1_3', 'soc2', 'PI1.3', 'Processing', 'What is submitted is processed wholly and in time, and risk is looked at.', '{check_ins_in_time, messages_in_time, messages_delivered, high_risk_reviewed}'),
  ('ctl_soc2_pi1_5', 'soc2', 'PI1.5', 'Stored records', 'Records are stored whole, so that each can be named and restored.', '{tables_keyed, buckets_limited}'),
  ('ctl_soc2_p2_1', 'soc2', 'P2.1', 'Choice and consent', 'People choose, and nothing is done without it.', '{consent_before_use}'),
  ('ctl_soc2_p4_2', 'soc2', 'P4.2', 'Retention', 'Personal data is kept for stated terms.', '{terms_short, retention_kept}'),
  ('ctl_soc2_p4_3', 'soc2', 'P4.3', 'Deletion', 'People are erased when they ask.', '{erasures_in_time}'),
  ('ctl_soc2_p5_1', 'soc2', 'P5.1', 'Access', 'People get their data.', '{exports_in_time}'),
  ('ctl_soc2_p6_3', 'soc2', 'P6.3', 'Breaches', 'Disclosures that were not allowed are recorded and told.', '{breaches_contained}')
on conflict on constraint compliance_controls_pkey do update
set framework = excluded.framework,
  reference = excluded.reference,
  title = excluded.title,
  requirement = excluded.requirement,
  checks = excluded.checks
where (c.framework, c.reference, c.title, c.requirement, c.checks)
  is distinct from (excluded.framework, excluded.reference, excluded.title, excluded.requirement, excluded.checks);
