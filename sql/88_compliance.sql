-- Controls of HIPAA, GDPR and SOC 2 in our own words, and how they stand. What the automated checks find and what an assessor decides
-- are kept apart: neither ever overwrites the other.

-- The checks of staff look at no row of a student.
create index user_roles_role_idx on public.user_roles (role, user_id);

create type public.compliance_framework as enum ('hipaa', 'gdpr', 'soc2');
comment on type public.compliance_framework is 'A framework whose controls are assessed.';

create type public.compliance_status as enum ('not_assessed', 'compliant', 'partial', 'non_compliant', 'not_applicable');
comment on type public.compliance_status is 'How a control stands; not_assessed where a source is missing, which is never taken for compliance.';

create function private.is_evidence(evidence jsonb)
returns boolean
language sql
immutable
set search_path = ''
as $$
  select case
    when jsonb_typeof(evidence) <> 'array' then false
    else jsonb_array_length(evidence) between 1 and 20
      and not exists (
        select
        from jsonb_array_elements(evidence) as e (item)
        where jsonb_typeof(item) <> 'object'
          or jsonb_typeof(item -> 'description') is distinct from 'string'
          or char_length(item ->> 'description') not between 1 and 1000
          or coalesce(jsonb_typeof(item -> 'link'), 'string') <> 'string'
          or (item ->> 'link') !~ '^https://[A-Za-z0-9_.-]+(:[0-9]{1,5})?(/([A-Za-z0-9_.~:/@!$&''()*+,;=-]|%[0-9A-Fa-f]{2})*)?(\?([A-Za-z0-9_.~:/?@!$&''()*+,;=-]|%[0-9A-Fa-f]{2})*)?(#([A-Za-z0-9_.~:/?@!$&''()*+,;=-]|%[0-9A-Fa-f]{2})*)?$'
          or char_length(item ->> 'link') > 500
          or item - array['description', 'link'] <> '{}'
      )
  end
$$;
comment on function private.is_evidence is
  'Whether this is what an assessor''s decision rests on: [{description, link?}]. Called by a check of public.compliance_controls.';

create table public.compliance_controls (
  id text not null,
  framework public.compliance_framework not null,
  reference text not null,
  title text not null,
  requirement text not null,
  checks text[] not null,
  automated_status public.compliance_status not null default 'not_assessed',
  automated_at timestamptz,
  decision public.compliance_status,
  decision_reason text,
  decision_evidence jsonb,
  decided_at timestamptz,
  decided_by uuid,
  constraint compliance_controls_pkey primary key (id),
  constraint compliance_controls_decided_by_fkey foreign key (decided_by) references auth.users (id) on delete set null,
  constraint compliance_controls_reference_key unique (framework, reference),
  constraint compliance_controls_id_form check (id ~ '^ctl_[a-z0-9_]{1,60}$'),
  constraint compliance_controls_automated_at_when_assessed check (automated_status = 'not_assessed' or automated_at is not null),
  constraint compliance_controls_automated_status_found check (automated_status <> 'not_applicable'),
  constraint compliance_controls_decision_whole check (
    num_nulls(decision, decision_reason, decision_evidence, decided_at) in (0, 4) and (decided_by is null or decision is not null)
  ),
  constraint compliance_controls_decision_made check (decision <> 'not_assessed'),
  constraint compliance_controls_decision_reason_length check (char_length(decision_reason) between 1 and 2000),
  constraint compliance_controls_decision_evidence_form check (private.is_evidence(decision_evidence))
);
comment on table public.compliance_controls is
  'What the frameworks ask for, and how it stands: by the automated checks, and by an assessor''s decision beside it.';
comment on column public.compliance_controls.id is 'The control, such as ctl_hipaa_164_312_b.';
comment on column public.compliance_controls.framework is 'Its framework.';
comment on column public.compliance_controls.reference is 'Where the framework has it, such as 164.312(b).';
comment on column public.compliance_controls.title is 'Title, in our own words.';
comment on column public.compliance_controls.requirement is 'What it asks of this service, in our own words.';
comment on column public.compliance_controls.checks is 'Ids of the automated checks that it is assessed with; none for one that takes an assessor.';
comment on column public.compliance_controls.automated_status is 'What the last automated assessment found; no decision changes it.';
comment on column public.compliance_controls.automated_at is 'When that was.';
comment on column public.compliance_controls.decision is 'What an assessor decided; null when nobody did. No automated assessment changes it.';
comment on column public.compliance_controls.decision_reason is 'Why.';
comment on column public.compliance_controls.decision_evidence is 'What the decision rests on: [{description, link?}].';
comment on column public.compliance_controls.decided_at is 'When it was decided.';
comment on column public.compliance_controls.decided_by is 'The security administrator; null once the account is deleted.';
alter table public.compliance_controls alter column decided_by set statistics 0; -- see public.user_roles
create index compliance_controls_decided_by_idx on public.compliance_controls (decided_by);

create table public.compliance_assessments (
  id text not null,
  framework public.compliance_framework not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  requested_by uuid,
  controls jsonb not null,
  evidence jsonb not null,
  hash bytea not null,
  constraint compliance_assessments_pkey primary key (id),
  constraint compliance_assessments_requested_by_fkey foreign key (requested_by) references auth.users (id) on delete set null,
  constraint compliance_assessments_hash_length check (octet_length(hash) = 32)
);
comment on table public.compliance_assessments is
  'Every assessment with its evidence, as it was. Its hash is in the audit log too; nobody is named in it.';
comment on column public.compliance_assessments.id is 'The assessment.';
comment on column public.compliance_assessments.framework is 'What was assessed.';
comment on column public.compliance_assessments.started_at is 'When it began.';
comment on column public.compliance_assessments.ended_at is 'When it ended.';
comment on column public.compliance_assessments.requested_by is 'The security administrator; null for the nightly one, and once the account is deleted.';
comment on column public.compliance_assessments.controls is
  'How each control stood: [{id, reference, title, requirement, checks, automated_status, decision}], the decision {status, reason, evidence, decided_at} or null.';
comment on column public.compliance_assessments.evidence is
  'What each check found: [{check_id, title, expected, query, result, failure, found, more, problem, checked_at, hash}]. found: what is wrong, 100 of it at most; more: whether there is more; problem: why it is not_assessed.';
comment on column public.compliance_assessments.hash is 'private.assessment_hash of the row.';
alter table public.compliance_assessments alter column requested_by set statistics 0; -- see public.user_roles
create index compliance_assessments_framework_idx on public.compliance_assessments (framework, ended_at desc);
create index compliance_assessments_ended_at_idx on public.compliance_assessments (ended_at);
create index compliance_assessments_requested_by_idx on public.compliance_assessments (requested_by);

create table private.compliance_checks (
  id text not null,
  title text not null,
  expected text not null,
  failure public.compliance_status not null,
  source text,
  query text not null,
  constraint compliance_checks_pkey primary key (id),
  constraint compliance_checks_id_form check (id ~ '^[a-z][a-z_]{1,60}$'),
  constraint compliance_checks_failure check (failure in ('partial', 'non_compliant'))
);
comment on table private.compliance_checks is
  'The automated checks: each is a query for what is wrong. Its rows come with the service (sql/89_compliance_checks.sql).';
comment on column private.compliance_checks.id is 'The check.';
comment on column private.compliance_checks.title is 'What is checked.';
comment on column private.compliance_checks.expected is 'What is right.';
comment on column private.compliance_checks.failure is 'What finding something makes of a control: partial or non_compliant.';
comment on column private.compliance_checks.source is
  'SQL condition: whether there is anything to check by, such as the time of a backup; else the check is not_assessed. Null: always.';
comment on column private.compliance_checks.query is
  'SQL query of one column: a text for each thing that is wrong. It names no account, and scans no table that grows with students.';

create table private.compliance_facts (
  fact text not null,
  happened_at timestamptz not null,
  reference text not null,
  told_at timestamptz not null default now(),
  constraint compliance_facts_pkey primary key (fact),
  constraint compliance_facts_known check (
    fact in ('backup', 'restore_test', 'risk_analysis', 'impact_assessment', 'encryption_at_rest', 'access_review', 'incident_exercise')
  ),
  constraint compliance_facts_past check (happened_at <= told_at),
  constraint compliance_facts_reference_length check (char_length(reference) between 1 and 500)
);
comment on table private.compliance_facts is
  'What the database cannot see by itself and operators tell it, each the last time: without a row, what depends on it is not_assessed.';
comment on column private.compliance_facts.fact is
  'backup: it ended; restore_test: a backup was restored and read; risk_analysis, impact_assessment, access_review: it was done or renewed; encryption_at_rest: it was confirmed of the disks and backups; incident_exercise: it was held.';
comment on column private.compliance_facts.happened_at is 'When that was.';
comment on column private.compliance_facts.reference is 'Where the proof of it is kept.';
comment on column private.compliance_facts.told_at is 'When it was told.';

create function private.tell_compliance(fact text, happened_at timestamptz, reference text)
returns void
language sql
set search_path = ''
as $$
  insert into private.compliance_facts as f (fact, happened_at, reference, told_at)
  values (tell_compliance.fact, tell_compliance.happened_at, tell_compliance.reference, clock_timestamp())
  on conflict on constraint compliance_facts_pkey do update
  set happened_at = excluded.happened_at, reference = excluded.reference, told_at = excluded.told_at
  where f.happened_at <= excluded.happened_at
$$;
comment on function private.tell_compliance is
  'Tells when something was last done that the database cannot see, and where the proof is; an earlier time than is known changes nothing. Called by operators and by the job that makes backups.';

-- A check that fails to run is not_assessed, with why: it neither stops the others nor counts as passed.
create function private.run_compliance_check(assessed private.compliance_checks)
returns jsonb
language plpgsql
set search_path = ''
as $$
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
comment on function private.run_compliance_check is
  'Runs a check; returns its evidence as in public.compliance_assessments, with a SHA-256 of all the rest of it. Called by private.assess_compliance.';

create function private.assessment_hash(assessment public.compliance_assessments)
returns bytea
language sql
stable
set search_path = ''
as $$
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

create function private.automated_status(checks text[], evidence jsonb)
returns public.compliance_status
language sql
immutable
set search_path = ''
as $$
  select case
    when bool_or(e.result = 'failed' and e.failure = 'non_compliant') then 'non_compliant'
    when bool_or(e.result = 'failed') then 'partial'
    when bool_and(e.result = 'passed') then 'compliant'
    else 'not_assessed'
  end::public.compliance_status
  from unnest(checks) as c (id)
  left join jsonb_to_recordset(evidence) as e (check_id text, result text, failure text) on e.check_id = c.id
$$;
comment on function private.automated_status is
  'How a control stands by its checks: as the worst of them makes it, and not_assessed when none is wrong but one could not be assessed. Called by private.assess_compliance.';

create function private.assess_compliance(assessed public.compliance_framework)
returns public.compliance_assessments
language plpgsql
security definer
set search_path = ''
as $$
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
comment on function private.assess_compliance is
  'Runs the checks of a framework''s controls and stores what they find. Called by cron, and by private.request_assessment.';

create function private.decision_of(control public.compliance_controls)
returns jsonb
language sql
stable
set search_path = ''
as $$
  select case
    when control.decision is not null then jsonb_build_object(
      'status', control.decision,
      'reason', control.decision_reason,
      'evidence', control.decision_evidence,
      'decided_at', to_char(control.decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
    )
  end
$$;
comment on function private.decision_of is
  'What an assessor decided of a control, without who it was: {status, reason, evidence, decided_at}; null when nobody did. Called where controls are read.';

create function private.request_assessment(framework public.compliance_framework)
returns text
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.require_security_admin();
  return (private.assess_compliance(framework)).id;
end
$$;
comment on function private.request_assessment is 'Implementation of public.assess_compliance, which calls it.';

create function public.assess_compliance(framework public.compliance_framework)
returns text
language sql
set search_path = ''
begin atomic
  select private.request_assessment(framework);
end;
comment on function public.assess_compliance is
  'Runs the automated checks of a framework''s controls; returns the id of the assessment. Called by security administrators.';

create function private.decide_control(
  control_id text,
  status public.compliance_status,
  reason text,
  evidence jsonb
)
returns public.compliance_controls
language plpgsql
security definer
set search_path = ''
as $$
declare
  decided public.compliance_controls;
begin
  perform private.require_security_admin();
  if coalesce(char_length(reason) not between 1 and 2000, true) or private.is_evidence(evidence) is not true or status is null then
    perform private.refuse(400, 'invalid_value', 'A decision needs a status, a reason, and evidence: [{description, link?}].');
  end if;
  update public.compliance_controls k
  set decision = nullif(status, 'not_assessed'),
    decision_reason = case when status <> 'not_assessed' then reason end,
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
  control_id text,
  status public.compliance_status,
  reason text,
  evidence jsonb
)
returns public.compliance_controls
language sql
set search_path = ''
begin atomic
  select private.decide_control(control_id, status, reason, evidence);
end;
comment on function public.decide_control is
  'Stores what an assessor decides of a control, beside what the checks found; not_assessed withdraws the decision. evidence: [{description, link?}]. The audit log keeps each. Called by security administrators.';

create constraint trigger audit_settings
after update or delete on private.compliance_checks
deferrable initially deferred
for each row execute function private.audit_settings('id');

create constraint trigger audit_settings
after insert or update or delete on private.compliance_facts
deferrable initially deferred
for each row execute function private.audit_settings('fact');
