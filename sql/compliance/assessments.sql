-- A check that fails to run is not_assessed, with why: it neither stops the others nor counts as passed.
create function private.run_compliance_check(assessed private.compliance_checks) returns jsonb
language plpgsql set search_path = '' as $$
declare
  has_source boolean := true;
  found text[];
  problem text;
  result jsonb;
begin
  begin
    if assessed.source is not null then
      execute format('select coalesce((%s), false)', assessed.source) into has_source;
    end if;
    if has_source then
      execute format(
        'select coalesce(array_agg(left(item, 300) order by item), ''{}'') from (select item from (%s) as f (item) limit 101) as found',
        assessed.query
      ) into found;
    else
      problem := 'its source is not told';
    end if;
  exception
    when others then
      problem := 'it failed with ' || sqlstate;
  end;
  result := jsonb_build_object(
    'check_id', assessed.id,
    'title', assessed.title,
    'expected', assessed.expected,
    'query', assessed.query,
    'failure', assessed.failure,
    'result', case when problem is not null then 'not_assessed' when found = '{}' then 'passed' else 'failed' end,
    'found', to_jsonb(coalesce(found[:100], '{}')),
    'more', coalesce(cardinality(found), 0) > 100,
    'problem', problem,
    'checked_at', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
  );
  return result || jsonb_build_object('hash', encode(sha256(convert_to(result::text, 'UTF8')), 'hex'));
end
$$;
comment on function private.run_compliance_check is 'Runs a check; returns its evidence as in public.compliance_assessments, with a SHA-256 of all the rest of it. Called by private.assess_compliance.';

create function private.assessment_hash(assessment public.compliance_assessments) returns bytea
language sql stable set search_path = '' as $$
  select sha256(
    convert_to(
      jsonb_build_array(
        assessment.id,
        assessment.framework,
        extract(epoch from assessment.started_at),
        extract(epoch from assessment.ended_at),
        assessment.controls,
        assessment.evidence
      )::text,
      'UTF8'
    )
  )
$$;
comment on function private.assessment_hash is 'The hash that an assessment must have. Called where assessments are stored and checked.';

create function private.automated_status(checks text[], evidence jsonb) returns public.compliance_status
language sql immutable set search_path = '' as $$
  select case
    when bool_or(e.result = 'failed' and e.failure = 'non_compliant') then 'non_compliant'
    when bool_or(e.result = 'failed') then 'partial'
    when bool_and(e.result = 'passed') then 'compliant'
    else 'not_assessed'
  end::public.compliance_status
  from unnest(checks) as c (id)
  left join jsonb_to_recordset(evidence) as e (check_id text, result text, failure text) on e.check_id = c.id
$$;
comment on function private.automated_status is 'How a control stands by its checks: as the worst of them makes it, and not_assessed when none is wrong but one could not be assessed. Called by private.assess_compliance.';

create function private.assess_compliance(assessed public.compliance_framework) returns public.compliance_assessments
language plpgsql security definer set search_path = '' as $$
declare
  made public.compliance_assessments;
begin
  -- One assessment of a framework at a time, so that the last one is what the controls show.
  perform pg_advisory_xact_lock(88, array_position(enum_range(null::public.compliance_framework), assessed));
  made.id := 'asm_' || replace(gen_random_uuid()::text, '-', '');
  made.framework := assessed;
  made.requested_by := private.current_account();
  made.started_at := clock_timestamp();
  select coalesce(jsonb_agg(private.run_compliance_check(c) order by c.id), '[]') into made.evidence
  from private.compliance_checks c
  where c.id in (select unnest(k.checks) from public.compliance_controls k where k.framework = assessed);
  made.ended_at := clock_timestamp();

  update public.compliance_controls k
  set automated_status = private.automated_status(k.checks, made.evidence), automated_at = made.ended_at
  where k.framework = assessed and k.checks <> '{}';
  select jsonb_agg(
    jsonb_build_object(
      'id', k.id,
      'reference', k.reference,
      'title', k.title,
      'requirement', k.requirement,
      'checks', k.checks,
      'automated_status', k.automated_status,
      'decision', private.decision_of(k)
    )
    order by k.id
  ) into made.controls
  from public.compliance_controls k
  where k.framework = assessed;

  made.hash := private.assessment_hash(made);
  insert into public.compliance_assessments values (made.*);
  perform private.audit(
    'compliance_assessed',
    target_type => 'compliance_assessments',
    target_id => made.id,
    details => jsonb_build_object('framework', assessed, 'sha256', encode(made.hash, 'hex'))
  );
  return made;
end
$$;
comment on function private.assess_compliance is 'Runs the checks of a framework''s controls and stores what they find. Called by cron, and by private.request_assessment.';
select cron.schedule(
  'assess-compliance', '37 2 * * *', 'select private.assess_compliance(f) from unnest(enum_range(null::public.compliance_framework)) as f'
);

create function private.decision_of(control public.compliance_controls) returns jsonb
language sql stable set search_path = '' as $$
  select case
    when control.decision is not null then jsonb_build_object(
      'status', control.decision,
      'reason', control.decision_reason,
      'evidence', control.decision_evidence,
      'decided_at', to_char(control.decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
    )
  end
$$;
comment on function private.decision_of is 'What an assessor decided of a control, without who it was: {status, reason, evidence, decided_at}; null when nobody did. Called where controls are read.';

create function private.request_assessment(framework public.compliance_framework) returns text
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_security_admin();
  return (private.assess_compliance(framework)).id;
end
$$;
comment on function private.request_assessment is 'Implementation of public.assess_compliance, which calls it.';

create function public.assess_compliance(framework public.compliance_framework) returns text
language sql set search_path = ''
begin atomic select private.request_assessment(framework); end;
comment on function public.assess_compliance is 'Runs the automated checks of a framework''s controls; returns the id of the assessment. Called by security administrators.';

create function private.decide_control(
  control_id text, status public.compliance_status, reason text, evidence jsonb
) returns public.compliance_controls
language plpgsql security definer set search_path = '' as $$
declare
  decided public.compliance_controls;
begin
  perform private.require_security_admin();
  if coalesce(char_length(reason) not between 1 and 2000, true) or private.is_evidence(evidence) is not true or status is null then
    perform private.refuse(400, 'invalid_value', 'A decision needs a status, a reason, and evidence: [{description, link?}].');
  end if;
  update public.compliance_controls k
  set decision = nullif(status, 'not_assessed'), decision_reason = case when status <> 'not_assessed' then reason end,
    decision_evidence = case when status <> 'not_assessed' then evidence end,
    decided_at = case when status <> 'not_assessed' then clock_timestamp() end,
    decided_by = case when status <> 'not_assessed' then (select private.current_account()) end
  where k.id = control_id
  returning * into decided;
  if decided.id is null then
    perform private.refuse(404, 'control_not_found', 'There is no such control.');
  end if;
  -- Logged here and not by a trigger: why a decision was withdrawn is in no column.
  perform private.audit(
    'control_decided',
    target_type => 'compliance_controls',
    target_id => control_id,
    details => jsonb_build_object('status', status, 'reason', reason, 'evidence', evidence)
  );
  return decided;
end
$$;
comment on function private.decide_control is 'Implementation of public.decide_control, which calls it.';

create function public.decide_control(
  control_id text, status public.compliance_status, reason text, evidence jsonb
) returns public.compliance_controls
language sql set search_path = ''
begin atomic select private.decide_control(control_id, status, reason, evidence); end;
comment on function public.decide_control is 'Stores what an assessor decides of a control, beside what the checks found; not_assessed withdraws the decision. evidence: [{description, link?}]. The audit log keeps each. Called by security administrators.';
