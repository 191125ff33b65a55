create table private.score_calibrations (
  algorithm_version text not null,
  components text[] not null,
  instrument text not null,
  labels integer not null,
  low double precision not null,
  high double precision not null,
  held_out_coverage double precision not null,
  created_at timestamptz not null default now(),
  constraint score_calibrations_pkey primary key (algorithm_version, components),
  constraint score_calibrations_instrument_known check (instrument in ('mood', 'who5')),
  constraint score_calibrations_labels_range check (labels >= 100),
  constraint score_calibrations_order check (low <= high),
  constraint score_calibrations_coverage_range check (held_out_coverage between 0 and 1)
);
select private.describe('private.score_calibrations', 'Intervals fitted to labels of the operator''s own students by npm run calibrate, by version of the fusion and set of components. The fusion reads them.', $$
  algorithm_version: Version of the fusion that made the scores; another version's scores do not use it.
  components: Components that the scores were made of, in the order of checkin.fusion_results.components.
  instrument: What the labels are: mood (1 to 10) or who5 (WHO-5, 0 to 100).
  labels: Labels that it was fitted to, one for each student.
  low: Lower end of the 90% interval minus the score, points.
  high: Upper end of the 90% interval minus the score, points.
  held_out_coverage: Share of one half of the labels that an interval fitted to the other half holds, 0 to 1.
  created_at: When it was fitted.
$$);

select private.declare_data('private.score_calibrations',
  '{algorithm_version, components, instrument, labels, low, high, held_out_coverage, created_at}',
  'Settings: intervals of scores, fitted to labels of which only their number is kept.');
select private.declare_audited('private.score_calibrations', 'components');

create function private.fusion_input(check_in uuid) returns jsonb
language sql stable set search_path = '' as $$
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
            select k.modality, max(j.error_code) as reason
            from private.analysis_jobs j
            join private.job_kinds k on k.kind = j.kind and k.modality is not null
            where j.check_in_id = check_in and j.status = 'failed'
            group by k.modality
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
      join private.job_kinds k on k.kind = j.kind and k.modality is not null
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
$$;
comment on function private.fusion_input is 'Everything that the fusion of a check-in reads, in one snapshot, limited to the consents in force. Called by the fusion worker.';

create function private.store_fusion_result(
  job uuid, attempt smallint, result jsonb, next_baseline jsonb, baseline_version integer
) returns text
language plpgsql set search_path = '' as $$
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
$$;
comment on function private.store_fusion_result is 'Stores the score, the baseline and the end of a check-in in one transaction. Returns stored, baseline_moved or consent_withdrawn (the baseline or the consents have changed: read the input again), or stale (the attempt is no longer the current one). Called by the fusion worker.';

create function private.leading_first(components jsonb) returns jsonb
language sql stable set search_path = '' as $$
  -- What the service did wrong, then what was sent and could not be used, then what was not sent, then what was not agreed to.
  select coalesce(
    jsonb_agg(
      jsonb_build_object('modality', c.modality, 'reason', c.reason)
      order by
        case
          when c.reason = 'no_consent' then 3
          when c.reason = 'not_provided' then 2
          when c.reason in (select unnest(private.service_faults(k.kind)) from private.job_kinds k) then 0
          else 1
        end,
        c.place
    ),
    '[]'
  )
  from rows from (jsonb_to_recordset(components) as (modality text, reason text)) with ordinality as c (modality, reason, place)
  where c.modality <> 'self_report'
$$;
comment on function private.leading_first is 'The reasons of a score''s components without the reported mood, as an array of {modality, reason}, the one to tell first at its beginning. Called where a check-in has failed.';

create function private.fail_check_in_for_job(
  job uuid, attempt smallint, code text, risk checkin.risk_level, components jsonb default '[]'
) returns boolean
language plpgsql set search_path = '' as $$
declare
  check_in uuid := private.lock_check_in_for_job(job);
begin
  if not exists (
    select from private.analysis_jobs
    where id = job and check_in_id = check_in and attempts = attempt and status = 'running'
  ) then
    return false;
  end if;
  update checkin.check_ins set risk_level = greatest(risk_level, risk) where id = check_in;
  perform private.fail_check_in(check_in, code, private.leading_first(components));
  return true;
end
$$;
comment on function private.fail_check_in_for_job is 'Fails the check-in of a fusion job that has nothing to score, with nothing_to_score or, where a step failed for the service''s own reasons, analysis_failed, and with the reasons of its components; keeps the risk that was found. Called by the fusion worker.';
