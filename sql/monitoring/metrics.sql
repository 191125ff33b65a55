create function private.count_ended_check_in() returns trigger
language plpgsql security definer set search_path = '' as $$
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
$$;
comment on function private.count_ended_check_in is 'Trigger: counts check-ins that end, those that are complete by the time from submission to score.';

create trigger count_ended_check_in after update of status on checkin.check_ins
for each row when (new.status in ('complete', 'failed', 'expired') and old.status is distinct from new.status)
execute function private.count_ended_check_in();

create function private.count_time_to_human(step text, level checkin.risk_level, opened timestamptz, reached timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  seconds double precision := greatest(0, extract(epoch from reached - opened));
begin
  perform private.count_metric(
    'time_to_human',
    jsonb_build_object(
      'kind', step,
      'risk_level', level,
      'le', (
        select coalesce(min(b.s)::text, '+Inf')
        from unnest(array[300, 900, 1800, 3600, 7200, 14400, 28800, 86400, 172800, 604800]) as b (s)
        where b.s >= seconds
      )
    ),
    seconds
  );
end
$$;
comment on function private.count_time_to_human is 'Counts a step of a review by how long after its opening it came. Called by private.count_review_times.';

create function private.count_review_times() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if old.first_claimed_at is null and new.first_claimed_at is not null then
    perform private.count_time_to_human('claim', new.risk_level, new.opened_at, new.first_claimed_at);
  end if;
  if old.first_response_at is null and new.first_response_at is not null then
    perform private.count_time_to_human('response', new.risk_level, new.opened_at, new.first_response_at);
  end if;
  return null;
end
$$;
comment on function private.count_review_times is 'Trigger: counts first claims, and first notes or closings, of reviews by the time from their opening.';

create trigger count_review_times after update on public.clinical_reviews
for each row when (
  (old.first_claimed_at is null and new.first_claimed_at is not null)
  or (old.first_response_at is null and new.first_response_at is not null)
)
execute function private.count_review_times();

create function private.count_time_to_review() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  seconds double precision := greatest(0, extract(epoch from now() - new.arrived_at));
begin
  perform private.count_metric(
    'time_to_review',
    jsonb_build_object(
      'kind', new.source,
      'risk_level', new.risk_level,
      'le', (
        select coalesce(min(b.s)::text, '+Inf')
        from unnest(array[1, 2, 5, 10, 20, 30, 60, 120, 300, 1800]) as b (s)
        where b.s >= seconds
      )
    ),
    seconds
  );
  return null;
end
$$;
comment on function private.count_time_to_review is 'Trigger: counts risk that reaches a review, or a higher level of it, by the time since what shows it arrived.';

create trigger count_new_risk after insert on private.clinical_review_sources
for each row when (new.source <> 'support_alert') execute function private.count_time_to_review();

create trigger count_higher_risk after update of risk_level on private.clinical_review_sources
for each row when (new.source <> 'support_alert' and new.risk_level > old.risk_level) execute function private.count_time_to_review();

create function private.count_failed_job() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.count_metric(
    'jobs_failed', jsonb_build_object('kind', new.kind, 'error_code', coalesce(new.error_code, 'unknown'))
  );
  return null;
end
$$;
comment on function private.count_failed_job is 'Trigger: counts jobs that failed for good, which are deleted when their check-in ends.';

create trigger count_failed_job after update of status on private.analysis_jobs
for each row when (new.status = 'failed' and old.status is distinct from new.status) execute function private.count_failed_job();

-- What it reads is bounded by what waits, is open or has just gone wrong, not by what is stored: each part reads the few rows of an
-- index, or a table with as many rows as the service has settings. Every series is there from the first time on, at 0.
create view private.metrics with (security_invoker = true) as
with jobs as materialized (
  select j.kind, j.status, j.created_at, j.next_dispatch_at
  from private.analysis_jobs j
  where j.status in ('queued', 'running')
),
check_ins as materialized (
  select count(*) as processing, min(c.submitted_at) as since from checkin.check_ins c where c.status = 'processing'
),
messages as materialized (
  select o.channel, o.status, o.send_at from private.outbox o where o.status in ('queued', 'sending')
),
reviews as materialized (
  select r.risk_level, r.status, case r.status when 'open' then r.open_since else r.claimed_at end as since,
    case when r.first_response_at is null then r.opened_at end as unanswered_since
  from public.clinical_reviews r
  where r.status <> 'closed'
),
alerts as materialized (
  select count(*) as due, min(p.due_at) filter (where isfinite(p.due_at)) as since
  from private.alert_progress p
  where p.due_at <= now()
),
erasures as materialized (
  select
    case
      when exists (select from private.legal_holds h where h.user_id = e.user_id) then 'held'
      when e.final_at <= now() then 'due'
      else 'cancellable'
    end as state, e.final_at
  from private.erasures e
),
terms (kind, oldest) as (
  values
    ('raw_media', (select min(m.created_at) from private.check_in_media m)),
    ('transcripts', (select min(i.created_at) from private.check_in_inputs i where i.transcript is not null)),
    ('transcript_results', (select min(t.created_at) from private.transcript_results t)),
    (
      'results',
      least(
        (select min(c.created_at) from checkin.check_ins c), (select min(s.created_at) from public.assessment_sessions s)
      )
    ),
    ('security_events', (select min(e.minute) from private.security_events e))
),
counted as materialized (
  select c.name, c.labels, sum(c.occurrences)::double precision as occurrences, sum(c.total) as total
  from private.metric_counts c
  group by c.name, c.labels
),
rolled_back (scope, refused) as (
  select 'data-api' as scope, case when is_called then last_value else 0 end as refused from private.limited_data_api_requests
  union all
  select 'bulk' as scope, case when is_called then last_value else 0 end as refused from private.limited_bulk_requests
  union all
  select 'audit' as scope, case when is_called then last_value else 0 end as refused from private.limited_audit_entries
  union all
  select 'check-in-submission' as scope, case when is_called then last_value else 0 end as refused from private.limited_submissions
  union all
  select 'policies' as scope, case when is_called then last_value else 0 end as refused from private.limited_by_policies
),
durations as (
  select case b.le when '+Inf' then 'infinity' else b.le end::double precision as upper, b.le, coalesce(d.occurrences, 0) as occurrences, d.total
  from unnest('{1, 2, 5, 10, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1800, 3600, +Inf}'::text[]) as b (le)
  left join counted d on d.name = 'check_ins_ended' and d.labels = jsonb_build_object('outcome', 'complete', 'le', b.le)
),
times_to_human as (
  select jsonb_build_object('kind', k.kind, 'risk_level', l.level) as labels,
    case b.le when '+Inf' then 'infinity' else b.le end::double precision as upper, b.le, coalesce(d.occurrences, 0) as occurrences, d.total
  from (values ('claim'), ('response')) as k (kind)
  cross join unnest('{moderate, high}'::checkin.risk_level[]) as l (level)
  cross join unnest('{300, 900, 1800, 3600, 7200, 14400, 28800, 86400, 172800, 604800, +Inf}'::text[]) as b (le)
  left join counted d
    on d.name = 'time_to_human' and d.labels = jsonb_build_object('kind', k.kind, 'risk_level', l.level, 'le', b.le)
),
times_to_review as (
  select jsonb_build_object('kind', k.kind, 'risk_level', l.level) as labels,
    case b.le when '+Inf' then 'infinity' else b.le end::double precision as upper, b.le, coalesce(d.occurrences, 0) as occurrences, d.total
  from (values ('check_in'), ('session'), ('transcript')) as k (kind)
  cross join unnest('{moderate, high}'::checkin.risk_level[]) as l (level)
  cross join unnest('{1, 2, 5, 10, 20, 30, 60, 120, 300, 1800, +Inf}'::text[]) as b (le)
  left join counted d
    on d.name = 'time_to_review' and d.labels = jsonb_build_object('kind', k.kind, 'risk_level', l.level, 'le', b.le)
),
series (name, labels, value) as (
  select 'wellbeing_jobs' as name, jsonb_build_object('kind', k.kind, 'state', s.state),
    count(j.kind) filter (where s.state = case
      when j.status = 'queued' then 'waiting' when j.next_dispatch_at <= now() then 'lost' else 'running'
    end)
  from unnest(enum_range(null::private.job_kind)) as k (kind)
  cross join (values ('waiting'), ('running'), ('lost')) as s (state)
  left join jobs j on j.kind = k.kind
  group by k.kind, s.state
  union all
  select 'wellbeing_job_oldest_age_seconds' as name, jsonb_build_object('kind', k.kind),
    extract(epoch from now() - min(j.created_at))
  from unnest(enum_range(null::private.job_kind)) as k (kind)
  left join jobs j on j.kind = k.kind
  group by k.kind
  union all
  select 'wellbeing_workers_lost_total' as name, jsonb_build_object('worker', w.worker), max(c.occurrences)
  from (select distinct private.worker_of(k.kind) as worker from unnest(enum_range(null::private.job_kind)) as k (kind)) w
  left join counted c on c.name = 'workers_lost' and c.labels = jsonb_build_object('worker', w.worker)
  group by w.worker
  union all
  select 'wellbeing_jobs_failed_total' as name,
    jsonb_build_object(
      'kind', f.kind,
      'error_code', f.error_code,
      'cause', case when f.error_code = any (private.service_faults(f.kind)) then 'service' else 'submission' end
    ),
    max(c.occurrences)
  from (
    select k.kind, unnest(private.service_faults(k.kind)) as error_code
    from unnest(enum_range(null::private.job_kind)) as k (kind)
    union
    select (labels ->> 'kind')::private.job_kind, labels ->> 'error_code' from counted where name = 'jobs_failed'
  ) as f (kind, error_code)
  left join counted c
    on c.name = 'jobs_failed' and c.labels = jsonb_build_object('kind', f.kind, 'error_code', f.error_code)
  group by f.kind, f.error_code
  union all
  select 'wellbeing_crisis_unread_total' as name, '{}', max(c.occurrences) from counted c where c.name = 'crisis_unread'
  union all
  select 'wellbeing_language_model_failures_total' as name, jsonb_build_object('error_code', f.error_code), max(c.occurrences)
  from (
    select 'provider_refused' as error_code
    union
    select labels ->> 'error_code' from counted where name = 'language_model_failures'
  ) as f
  left join counted c on c.name = 'language_model_failures' and c.labels = jsonb_build_object('error_code', f.error_code)
  group by f.error_code
  union all
  select 'wellbeing_check_ins_processing' as name, '{}' as labels, processing from check_ins
  union all
  select 'wellbeing_check_in_oldest_age_seconds' as name, '{}' as labels, extract(epoch from now() - since) from check_ins
  union all
  select 'wellbeing_check_ins_ended_total' as name, jsonb_build_object('outcome', o.outcome, 'reason', o.reason), sum(c.occurrences)
  from (
    values ('complete', ''), ('failed', 'analysis_failed'), ('failed', 'nothing_to_score'), ('expired', '')
    union
    select 'failed' as outcome, labels ->> 'reason' from counted where name = 'check_ins_ended' and labels ->> 'outcome' = 'failed'
  ) as o (outcome, reason)
  left join counted c
    on c.name = 'check_ins_ended' and c.labels ->> 'outcome' = o.outcome and coalesce(c.labels ->> 'reason', '') = o.reason
  group by o.outcome, o.reason
  union all
  select 'wellbeing_check_in_duration_seconds_bucket' as name, jsonb_build_object('le', le), sum(occurrences) over (order by upper)
  from durations
  union all
  select 'wellbeing_check_in_duration_seconds_sum' as name, '{}' as labels, sum(total) from durations
  union all
  select 'wellbeing_check_in_duration_seconds_count' as name, '{}' as labels, sum(occurrences) from durations
  union all
  select 'wellbeing_reviews' as name, jsonb_build_object('risk_level', l.level, 'status', s.status), count(r.since)
  from unnest('{moderate, high}'::checkin.risk_level[]) as l (level)
  cross join unnest('{open, claimed}'::public.review_status[]) as s (status)
  left join reviews r on r.risk_level = l.level and r.status = s.status
  group by l.level, s.status
  union all
  select 'wellbeing_review_oldest_age_seconds' as name, jsonb_build_object('risk_level', l.level, 'status', s.status),
    extract(epoch from now() - min(r.since))
  from unnest('{moderate, high}'::checkin.risk_level[]) as l (level)
  cross join unnest('{open, claimed}'::public.review_status[]) as s (status)
  left join reviews r on r.risk_level = l.level and r.status = s.status
  group by l.level, s.status
  union all
  select 'wellbeing_review_oldest_unanswered_age_seconds' as name, jsonb_build_object('risk_level', l.level),
    extract(epoch from now() - min(r.unanswered_since))
  from unnest('{moderate, high}'::checkin.risk_level[]) as l (level)
  left join reviews r on r.risk_level = l.level
  group by l.level
  union all
  select 'wellbeing_review_time_to_human_seconds_bucket' as name, labels || jsonb_build_object('le', le),
    sum(occurrences) over (partition by labels order by upper)
  from times_to_human
  union all
  select 'wellbeing_review_time_to_human_seconds_sum' as name, labels, sum(total) from times_to_human group by labels
  union all
  select 'wellbeing_review_time_to_human_seconds_count' as name, labels, sum(occurrences) from times_to_human group by labels
  union all
  select 'wellbeing_review_delay_seconds_bucket' as name, labels || jsonb_build_object('le', le),
    sum(occurrences) over (partition by labels order by upper)
  from times_to_review
  union all
  select 'wellbeing_review_delay_seconds_sum' as name, labels, sum(total) from times_to_review group by labels
  union all
  select 'wellbeing_review_delay_seconds_count' as name, labels, sum(occurrences) from times_to_review group by labels
  union all
  select 'wellbeing_support_alerts_open' as name, '{}' as labels, count(*) from public.support_alerts where status = 'open'
  union all
  select 'wellbeing_support_alerts_due' as name, '{}' as labels, due from alerts
  union all
  select 'wellbeing_support_alert_lag_seconds' as name, '{}' as labels, extract(epoch from now() - since) from alerts
  union all
  select 'wellbeing_support_standstills' as name, '{}' as labels, count(*) from private.support_standstills where ended_at is null
  union all
  select 'wellbeing_messages' as name, jsonb_build_object('channel', h.channel, 'state', s.state),
    count(m.channel) filter (where s.state = case
      when m.status = 'sending' then 'sending' when m.send_at <= now() then 'due' else 'scheduled'
    end)
  from unnest(enum_range(null::private.message_channel)) as h (channel)
  cross join (values ('due'), ('scheduled'), ('sending')) as s (state)
  left join messages m on m.channel = h.channel
  group by h.channel, s.state
  union all
  select 'wellbeing_message_oldest_due_age_seconds' as name, jsonb_build_object('channel', h.channel),
    extract(epoch from now() - min(m.send_at))
  from unnest(enum_range(null::private.message_channel)) as h (channel)
  left join messages m on m.channel = h.channel and m.send_at <= now()
  group by h.channel
  union all
  select 'wellbeing_messages_undelivered' as name, jsonb_build_object('channel', h.channel, 'status', s.status), count(o.id)
  from unnest(enum_range(null::private.message_channel)) as h (channel)
  cross join unnest('{dead, unconfirmed}'::private.message_status[]) as s (status)
  left join private.outbox o
    on o.status in ('dead', 'unconfirmed') and o.status = s.status and o.channel = h.channel
      and o.ended_at > now() - interval '24 hours'
  group by h.channel, s.status
  union all
  select 'wellbeing_text_cost_dollars' as name, jsonb_build_object('kind', kind), cost from private.text_budgets
  union all
  select 'wellbeing_text_cost_limit_dollars' as name, jsonb_build_object('kind', kind), most from private.text_budgets
  union all
  select 'wellbeing_rate_limited_total' as name, jsonb_build_object('scope', r.scope),
    coalesce(max(c.occurrences), 0) + coalesce(max(b.refused), 0)
  from (select scope from private.rate_limit_rules union select scope from rolled_back) as r
  left join counted c on c.name = 'rate_limited' and c.labels = jsonb_build_object('scope', r.scope)
  left join rolled_back b on b.scope = r.scope
  group by r.scope
  union all
  select 'wellbeing_erasures' as name, jsonb_build_object('state', s.state), count(e.state)
  from (values ('cancellable'), ('due'), ('held')) as s (state)
  left join erasures e on e.state = s.state
  group by s.state
  union all
  select 'wellbeing_erasure_oldest_due_age_seconds' as name, '{}' as labels, extract(epoch from now() - min(final_at)) from erasures where state = 'due'
  union all
  select 'wellbeing_object_removals' as name, jsonb_build_object('state', s.state),
    count(r.name) filter (where s.state = case when r.attempts >= 5 and r.error_code is not null then 'failing' else 'waiting' end)
  from (values ('waiting'), ('failing')) as s (state)
  left join private.object_removals r on true
  group by s.state
  union all
  select 'wellbeing_retention_overdue_seconds' as name, jsonb_build_object('kind', t.kind),
    greatest(0, extract(epoch from now() - r.keep - t.oldest))
  from terms t
  join private.retention_rules r on r.kind = t.kind
  union all
  select 'wellbeing_retention_deleted_total' as name, jsonb_build_object('kind', r.kind), sum(c.deleted)
  from private.retention_rules r
  left join private.retention_counts c on c.kind = r.kind
  group by r.kind
  union all
  select 'wellbeing_exports_unfinished' as name, '{}' as labels, count(*) from private.exports where status in ('queued', 'building')
  union all
  select 'wellbeing_export_oldest_age_seconds' as name, '{}' as labels, extract(epoch from now() - min(created_at))
  from private.exports
  where status in ('queued', 'building')
  union all
  select 'wellbeing_cron_job_interval_seconds' as name, jsonb_build_object('cron_job', job), extract(epoch from every)
  from private.cron_heartbeats
  where every is not null
  union all
  -- As it was when cron was last observed, so that no job is late because the observation is.
  select 'wellbeing_cron_job_success_age_seconds' as name, jsonb_build_object('cron_job', job),
    greatest(0, extract(epoch from o.at - coalesce(b.last_success_at, b.first_seen_at)))
  from private.cron_heartbeats b
  cross join (select max(observed_at) as at from private.cron_heartbeats) as o
  union all
  select 'wellbeing_cron_job_failures_total' as name, jsonb_build_object('cron_job', job), failures from private.cron_heartbeats
  union all
  select 'wellbeing_cron_observation_age_seconds' as name, '{}' as labels, coalesce(extract(epoch from now() - max(observed_at)), 'infinity')
  from private.cron_heartbeats
  union all
  select 'wellbeing_database_connections' as name, '{}' as labels, sum(numbackends) from pg_stat_database
  union all
  select 'wellbeing_database_connections_limit' as name, '{}' as labels, current_setting('max_connections')::double precision
)
select name, labels, coalesce(value, 0)::double precision as value from series;
comment on view private.metrics is 'How the service is doing as a whole, as GET /api/metrics returns it: names, labels and values that docs/monitoring.md explains. No row is about a person or a university.';
comment on column private.metrics.labels is 'Which of it; never whose. Example: {"worker": "pipeline-audio"}';
