SET local check_function_bodies = off;

DROP TRIGGER "restart_review_wait" ON "public"."clinical_reviews";

DROP VIEW "private"."metrics";

CREATE SEQUENCE "private"."limited_audit_entries" AS bigint INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1 NO CYCLE;

CREATE SEQUENCE "private"."limited_by_policies" AS bigint INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1 NO CYCLE;

CREATE SEQUENCE "private"."limited_data_api_requests" AS bigint INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1 NO CYCLE;

CREATE OR REPLACE FUNCTION private.audit (
  action      public.audit_action,
  university  text                DEFAULT NULL::text,
  target_type text                DEFAULT NULL::text,
  target_id   text                DEFAULT NULL::text,
  before      jsonb               DEFAULT NULL::jsonb,
  after       jsonb               DEFAULT NULL::jsonb,
  details     jsonb               DEFAULT '{}'::jsonb,
  actor       uuid                DEFAULT auth.uid(),
  ip          inet                DEFAULT private.request_ip(),
  user_agent  text                DEFAULT private.request_header('user-agent'::text),
  request_id  text                DEFAULT private.request_header('x-request-id'::text),
  subject     uuid                DEFAULT NULL::uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  allowance record;
  people private.audit_identities[];
  written bigint;
  event text := case
    when audit.action = 'signed_in' then 'sign_in_succeeded'
    when audit.action in ('role_granted', 'role_revoked') then 'role_changed'
    when audit.action in ('students_listed', 'student_read', 'reviews_listed') then 'students_read'
    when audit.action in ('data_exported', 'settings_changed') then audit.action::text
  end;
begin
  -- What one account adds is bounded, so that the log stays short enough to verify.
  if actor is not null and (select auth.role()) = 'authenticated' then
    select * into strict allowance from private.consume_rate_limit(actor, 'audit');
    if not allowance.allowed then
      perform nextval('private.limited_audit_entries');
      raise exception 'Too many reads and changes that are logged.'
        using errcode = 'PT429', detail = allowance.reset_s::text, hint = 'Try again after as many seconds as the details say.';
    end if;
  end if;
  people := array(
    select row(0, p.party, p.account, p.ip, p.user_agent, extensions.gen_random_bytes(16))::private.audit_identities
    from (
      values
        ('actor'::private.audit_party, actor, audit.ip, left(audit.user_agent, 500)),
        ('subject', audit.subject, null, null)
    ) as p (party, account, ip, user_agent)
    where num_nonnulls(p.account, p.ip, p.user_agent) > 0
  );
  -- The trigger chain_audit_entry overwrites the first four.
  insert into public.audit_logs (
    id, occurred_at, previous_hash, hash,
    action, actor_hash, subject_hash, actor_role, university_id, target_type, target_id, before, after, details, request_id
  )
  select
    0, now(), '', '',
    audit.action,
    (
      select private.audit_identity_hash(p.salt, p.account_id, p.ip, p.user_agent)
      from unnest(people) p
      where p.party = 'actor'
    ),
    (
      select private.audit_identity_hash(p.salt, p.account_id, p.ip, p.user_agent)
      from unnest(people) p
      where p.party = 'subject'
    ),
    coalesce(nullif((select auth.role()), ''), session_user), left(university, 100), audit.target_type, audit.target_id,
    audit.before, audit.after, audit.details, left(audit.request_id, 64)
  returning id into written;
  insert into private.audit_identities
  select written, p.party, p.account_id, p.ip, p.user_agent, p.salt from unnest(people) p;
  if event is not null then
    perform private.note_security_event(event, actor, ip, jsonb_build_object('action', audit.action));
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.count_failed_job()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.count_metric(
    'jobs_failed', jsonb_build_object('kind', new.kind, 'error_code', coalesce(new.error_code, 'unknown'))
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.enforce_at_sign_in (
  event   jsonb,
  address inet
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  told text := event -> 'claims' ->> 'session_id';
  session uuid := case when pg_input_is_valid(told, 'uuid') then told::uuid end;
  rejection jsonb;
begin
  if not exists (select from private.enabled_policies where 'sign_in' = any (enforcement_points)) then
    return null;
  end if;
  rejection := private.enforce_policies(
    private.policy_facts(
      (event ->> 'user_id')::uuid, session, address,
      jsonb_build_object(
        'service', 'auth',
        'aal', event -> 'claims' ->> 'aal',
        'sign_in_method', event ->> 'authentication_method',
        'user_agent', left((select s.user_agent from auth.sessions s where s.id = session), 500)
      )
    ),
    'sign_in',
    true
  );
  if rejection ->> 'code' = 'rate_limited' then
    perform nextval('private.limited_by_policies');
  end if;
  return rejection;
end
$function$;

CREATE OR REPLACE FUNCTION private.enforce_on_rest()
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  account constant uuid := (select auth.uid());
  writes constant boolean := current_setting('transaction_read_only') = 'off';
  rejection jsonb;
  allowance record;
begin
  if (select auth.role()) = 'service_role' then
    return;
  end if;
  -- The functions have enforced and counted the request that they serve.
  if private.attested_address() is null then
    if exists (select from private.enabled_policies) then
      rejection := private.enforce_policies(private.facts_of_request(), 'request', writes);
      if rejection ->> 'code' = 'rate_limited' then
        perform nextval('private.limited_by_policies');
      end if;
    end if;
    if rejection is null and writes and account is not null then
      select * into allowance from private.consume_user_rate_limit(account, 'data-api');
      if not allowance.allowed then
        perform nextval('private.limited_data_api_requests');
        rejection := to_jsonb(allowance) || '{"code": "rate_limited"}';
      end if;
    end if;
    if rejection is not null then
      perform private.reject_request(rejection);
    end if;
  end if;
  perform set_config('private.allowed_request', private.mark_of_request(), true);
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
        crisis_level = greatest(crisis_level, (findings ->> 'crisis_level')::checkin.risk_level),
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
    'crisis', jsonb_build_object('level', i.crisis_level, 'rule', i.crisis_rule),
    'known_risk', coalesce(c.risk_level, 'none'),
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
    'failed_by_service', exists (
      select
      from private.analysis_jobs j
      where j.check_in_id = check_in
        and j.status = 'failed'
        and j.error_code = any (private.service_faults(j.kind))
        and private.consents_for(j.kind) <@ private.consents_in_force(c.user_id)
    ),
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

CREATE OR REPLACE FUNCTION private.keep_crisis_level (
  check_in uuid,
  student  uuid,
  level    checkin.risk_level
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  perform from auth.users where id = student for key share;
  -- High risk opens its review by the trigger on the check-in's level.
  update checkin.check_ins set risk_level = greatest(risk_level, level) where id = check_in and user_id = student;
  if not found then
    return;
  end if;
  insert into private.check_in_inputs as i (check_in_id, crisis_level)
  values (check_in, level)
  on conflict on constraint check_in_inputs_pkey do update
  set crisis_level = greatest(i.crisis_level, excluded.crisis_level);
  if level = 'moderate' then
    perform private.open_clinical_review(student, 'check_in', check_in, 'moderate');
  end if;
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
  ),
  -- Cron numbers its runs from 1 again in a project into which a backup was restored.
  observed as (
    select h.job, case when h.last_run_id <= (select max(runid) from runs) then h.last_run_id else 0 end as run_id
    from private.cron_heartbeats h
  )
  insert into private.cron_heartbeats as b (job, every, first_seen_at, observed_at, last_success_at, last_run_id, failures)
  select
    j.jobname,
    private.interval_of_schedule(j.schedule),
    at,
    at,
    max(r.end_time) filter (where r.status = 'succeeded'),
    greatest(max(r.runid), o.run_id, 0),
    count(*) filter (where r.status = 'failed' and r.runid > coalesce(o.run_id, 0))
  from cron.job j
  left join runs r on r.jobid = j.jobid and r.status in ('succeeded', 'failed')
  left join observed o on o.job = j.jobname
  where j.active and j.jobname is not null
  group by j.jobid, j.jobname, j.schedule, o.run_id
  on conflict (job) do update
  set every = excluded.every,
    observed_at = excluded.observed_at,
    last_success_at = greatest(b.last_success_at, excluded.last_success_at),
    last_run_id = excluded.last_run_id,
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

CREATE OR REPLACE FUNCTION private.service_faults (
  kind private.job_kind
)
  RETURNS text[]
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select '{media_missing, not_run, worker_error, worker_lost}'::text[]
    || case when kind = 'transcription' then '{transcription_refused}' else '{}' end::text[]
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
  -- What was found in an earlier submission still counts.
  earlier checkin.risk_level;
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

  select i.crisis_level into earlier from private.check_in_inputs i where i.check_in_id = check_in;
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
    coalesce(greatest(i.crisis_level, earlier), 'none'),
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

CREATE TRIGGER count_failed_job
  AFTER UPDATE OF status ON private.analysis_jobs
  FOR EACH ROW
  WHEN (((new.status = 'failed'::private.job_status) AND (old.status IS DISTINCT FROM new.status)))
  EXECUTE FUNCTION private.count_failed_job();

CREATE TRIGGER restart_review_wait
  BEFORE UPDATE ON public.clinical_reviews
  FOR EACH ROW
  WHEN
    (((new.status = 'open'::public.review_status) AND ((old.status <> 'open'::public.review_status) OR (new.university_id IS DISTINCT FROM old.university_id) OR (new.risk_level >
    old.risk_level))))
  EXECUTE FUNCTION private.restart_review_wait();

COMMENT ON COLUMN "private"."check_in_inputs"."crisis_level" IS 'Highest level that the crisis-language check, or the second reading, found in words of this check-in, also in those of earlier or rejected submissions.';

COMMENT ON COLUMN "private"."check_in_inputs"."crisis_rule" IS 'Rule of the crisis-language check that matched in this transcript; null if none.';

COMMENT ON COLUMN "public"."clinical_reviews"."open_since" IS 'Since when it has waited for a counselor: its opening, its release, its move to another university, or its rise to a higher risk.';

COMMENT ON FUNCTION "private"."count_failed_job"() IS 'Trigger: counts jobs that failed for good, which are deleted when their check-in ends.';

COMMENT ON FUNCTION "private"."fail_check_in_for_job"(uuid, smallint, text, checkin.risk_level) IS 'Fails the check-in of a fusion job that has nothing to score, with nothing_to_score or, where a step failed for the service''s own reasons, analysis_failed; keeps the risk that was found. Called by the fusion worker.';

COMMENT ON FUNCTION "private"."keep_crisis_level"(uuid, uuid, checkin.risk_level) IS 'Keeps the crisis language of a submission that was rejected: the level of the check-in, and the review that it opens. Called by the function checkins.';

COMMENT ON FUNCTION "private"."restart_review_wait"() IS 'Trigger, after private.guard_clinical_review: a review that is released, comes to another university or rises in risk waits anew.';

COMMENT ON FUNCTION "private"."service_faults"(private.job_kind) IS 'Error codes with which a kind of job fails for the service''s own reasons; the others are those of what was sent. Called by the fusion and where failed jobs are counted.';

COMMENT ON SEQUENCE "private"."limited_audit_entries" IS 'Requests that the rate limit audit refused.';

COMMENT ON SEQUENCE "private"."limited_by_policies" IS 'Requests of REST and sign-ins that a limit of a security policy refused.';

COMMENT ON SEQUENCE "private"."limited_data_api_requests" IS 'Requests of REST that the rate limit data-api refused.';

COMMENT ON TABLE "private"."check_in_inputs" IS 'What the student submitted besides media; of a submission that was rejected the crisis level alone.';

COMMENT ON VIEW "private"."metrics" IS 'How the service is doing as a whole, as GET /api/metrics returns it: names, labels and values that docs/monitoring.md explains. No row is about a person or a university.';

REVOKE ALL ON FUNCTION "private"."count_failed_job"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_failed_job"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."count_failed_job"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."keep_crisis_level"(uuid, uuid, checkin.risk_level) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_crisis_level"(uuid, uuid, checkin.risk_level) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."keep_crisis_level"(uuid, uuid, checkin.risk_level) TO "postgres";

REVOKE ALL ON FUNCTION "private"."service_faults"(private.job_kind) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."service_faults"(private.job_kind) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."service_faults"(private.job_kind) TO "postgres";

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
