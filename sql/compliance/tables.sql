-- Controls of HIPAA, GDPR and SOC 2 in our own words, and how they stand. What the automated checks find and what an assessor decides
-- are kept apart: neither ever overwrites the other.

-- The checks of staff look at no row of a student.
create index user_roles_role_idx on public.user_roles (role, user_id);

create type public.compliance_framework as enum ('hipaa', 'gdpr', 'soc2');
comment on type public.compliance_framework is 'A framework whose controls are assessed.';

create type public.compliance_status as enum ('not_assessed', 'compliant', 'partial', 'non_compliant', 'not_applicable');
comment on type public.compliance_status is 'How a control stands; not_assessed where a source is missing, which is never taken for compliance.';

create function private.is_evidence(evidence jsonb) returns boolean
language sql immutable set search_path = '' as $$
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
comment on function private.is_evidence is 'Whether this is what an assessor''s decision rests on: [{description, link?}]. Called by a check of public.compliance_controls.';

create table public.compliance_controls (
  id text not null constraint compliance_controls_pkey primary key,
  framework public.compliance_framework not null,
  reference text not null,
  title text not null,
  requirement text not null,
  checks text[] not null,
  automated_status public.compliance_status not null default 'not_assessed',
  automated_at timestamptz,
  decision public.compliance_status constraint compliance_controls_decision_made check (decision <> 'not_assessed'),
  decision_reason text,
  decision_evidence jsonb constraint compliance_controls_decision_evidence_form check (private.is_evidence(decision_evidence)),
  decided_at timestamptz,
  decided_by uuid constraint compliance_controls_decided_by_fkey references auth.users (id) on delete set null,
  constraint compliance_controls_reference_key unique (framework, reference),
  constraint compliance_controls_id_form check (id ~ '^ctl_[a-z0-9_]{1,60}$'),
  constraint compliance_controls_automated_at_when_assessed check (automated_status = 'not_assessed' or automated_at is not null),
  constraint compliance_controls_automated_status_found check (automated_status <> 'not_applicable'),
  constraint compliance_controls_decision_whole check (
    num_nulls(decision, decision_reason, decision_evidence, decided_at) in (0, 4) and (decided_by is null or decision is not null)
  ),
  constraint compliance_controls_decision_reason_length check (char_length(decision_reason) between 1 and 2000)
);
select private.describe('public.compliance_controls',
  'What the frameworks ask for, and how it stands: by the automated checks, and by an assessor''s decision beside it.', $$
  id: The control, such as ctl_hipaa_164_312_b.
  framework: Its framework.
  reference: Where the framework has it, such as 164.312(b).
  title: Title, in our own words.
  requirement: What it asks of this service, in our own words.
  checks: Ids of the automated checks that it is assessed with; none for one that takes an assessor.
  automated_status: What the last automated assessment found; no decision changes it.
  automated_at: When that was.
  decision: What an assessor decided; null when nobody did. No automated assessment changes it.
  decision_reason: Why.
  decision_evidence: What the decision rests on: [{description, link?}]. Example: [{"description": "Contract with the provider, signed", "link": "https://intranet.example.edu/contracts/42"}]
  decided_at: When it was decided.
  decided_by: The security administrator; null once the account is deleted.
$$);
alter table public.compliance_controls alter column decided_by set statistics 0; -- see public.user_roles
create index compliance_controls_decided_by_idx on public.compliance_controls (decided_by);

select private.declare_term('compliance_assessments', '6 years', 'Assessments of compliance with their evidence: from their end.',
  shortest => '6 years');
select private.declare_data('public.compliance_controls',
   '{id, framework, reference, title, requirement, checks, automated_status, automated_at, decision, decision_reason,
    decision_evidence, decided_at}', 'What frameworks ask for, and how it stands.');
select private.declare_data('public.compliance_controls', '{decided_by}', 'To know who decided how a control stands.', 'staff',
  'activity', 't.decided_by = $1', erasure => 'anonymize');

create table public.compliance_assessments (
  id text not null constraint compliance_assessments_pkey primary key,
  framework public.compliance_framework not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  requested_by uuid constraint compliance_assessments_requested_by_fkey references auth.users (id) on delete set null,
  controls jsonb not null constraint compliance_assessments_controls_array check (jsonb_typeof(controls) = 'array'),
  evidence jsonb not null constraint compliance_assessments_evidence_array check (jsonb_typeof(evidence) = 'array'),
  hash bytea not null constraint compliance_assessments_hash_length check (octet_length(hash) = 32)
);
select private.describe('public.compliance_assessments',
  'Every assessment with its evidence, as it was. Its hash is in the audit log too; nobody is named in it.', $$
  id: The assessment.
  framework: What was assessed.
  started_at: When it began.
  ended_at: When it ended.
  requested_by: The security administrator; null for the nightly one, and once the account is deleted.
  controls: How each control stood: [{id, reference, title, requirement, checks, automated_status, decision}], the decision {status, reason, evidence, decided_at} or null. Example: [{"id": "ctl_gdpr_5_2", "reference": "Art. 5(2)", "automated_status": "compliant", "checks": ["changes_audited"], "decision": null}]
  evidence: What each check found: [{check_id, title, expected, query, result, failure, found, more, problem, checked_at, hash}]. found: what is wrong, 100 of it at most; more: whether there is more; problem: why it is not_assessed. Example: [{"check_id": "changes_audited", "result": "passed", "found": [], "more": false, "problem": null}]
  hash: private.assessment_hash of the row.
$$);
alter table public.compliance_assessments alter column requested_by set statistics 0; -- see public.user_roles
create index compliance_assessments_framework_idx on public.compliance_assessments (framework, ended_at desc);
create index compliance_assessments_ended_at_idx on public.compliance_assessments (ended_at);
create index compliance_assessments_requested_by_idx on public.compliance_assessments (requested_by);

select private.declare_data('public.compliance_assessments', '{id, framework, started_at, ended_at, controls, evidence, hash}',
  'Assessments with their evidence, which counts people and names none.', term => 'compliance_assessments');
select private.declare_data('public.compliance_assessments', '{requested_by}', 'To know who asked for an assessment.', 'staff',
  'activity', 't.requested_by = $1', erasure => 'anonymize', term => 'compliance_assessments');
select private.declare_purge('compliance_assessments', 'public.compliance_assessments', 'd.ended_at < $1', oldest => 'ended_at');
select private.declare_audited('public.compliance_assessments', 'id', 'by_hand', kept => 'An assessment is never deleted: make another one.');

create table private.compliance_checks (
  id text not null constraint compliance_checks_pkey primary key,
  title text not null,
  expected text not null,
  failure public.compliance_status not null constraint compliance_checks_failure check (failure in ('partial', 'non_compliant')),
  source text,
  query text not null,
  constraint compliance_checks_id_form check (id ~ '^[a-z][a-z_]{1,60}$')
);
select private.describe('private.compliance_checks',
  'The automated checks: each is a query for what is wrong. Its rows come with the service (sql/compliance/checks-of-*.sql).', $$
  id: The check.
  title: What is checked.
  expected: What is right.
  failure: What finding something makes of a control: partial or non_compliant.
  source: SQL condition: whether there is anything to check by, such as the time of a backup; else the check is not_assessed. Null: always.
  query: SQL query of one column: a text for each thing that is wrong. It names no account, and scans no table that grows with students.
$$);

select private.declare_data('private.compliance_checks', '{id, title, expected, failure, source, query}',
  'What is checked, and how.');

create table private.compliance_facts (
  fact text not null constraint compliance_facts_pkey primary key,
  happened_at timestamptz not null,
  reference text not null constraint compliance_facts_reference_length check (char_length(reference) between 1 and 500),
  told_at timestamptz not null default now(),
  constraint compliance_facts_fact_known check (
    fact in ('backup', 'restore_test', 'risk_analysis', 'impact_assessment', 'encryption_at_rest', 'access_review', 'incident_exercise')
  ),
  constraint compliance_facts_past check (happened_at <= told_at)
);
select private.describe('private.compliance_facts',
  'What the database cannot see by itself and operators tell it, each the last time: without a row, what depends on it is not_assessed.', $$
  fact: backup: it ended; restore_test: a backup was restored and read; risk_analysis, impact_assessment, access_review: it was done or renewed; encryption_at_rest: it was confirmed of the disks and backups; incident_exercise: it was held.
  happened_at: When that was, no later than told_at.
  reference: Where the proof of it is kept, 1 to 500 characters.
  told_at: When it was told.
$$);

select private.declare_data('private.compliance_facts', '{fact, happened_at, reference, told_at}',
  'When backups, tests and reviews were done that the database cannot see.');
select private.declare_audited('private.compliance_facts', 'fact');

create function private.tell_compliance(fact text, happened_at timestamptz, reference text) returns void
language sql set search_path = '' as $$
  insert into private.compliance_facts as f (fact, happened_at, reference, told_at)
  values (tell_compliance.fact, tell_compliance.happened_at, tell_compliance.reference, clock_timestamp())
  on conflict on constraint compliance_facts_pkey do update
  set happened_at = excluded.happened_at, reference = excluded.reference, told_at = excluded.told_at
  where f.happened_at <= excluded.happened_at
$$;
comment on function private.tell_compliance is 'Tells when something was last done that the database cannot see, and where the proof is; an earlier time than is known changes nothing. Called by operators and by the job that makes backups.';

create function private.record_compliance_fact(fact text, happened_at timestamptz, reference text) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
begin
  perform private.require_security_admin();
  if happened_at is null or happened_at > now() or coalesce(char_length(reference), 0) not between 1 and 500 then
    perform private.refuse(400, 'invalid_value', 'Say when it was, which is not in the future, and where the proof of it is kept, in 1 to 500 characters.');
  elsif exists (select from private.compliance_facts f where f.fact = record_compliance_fact.fact and f.happened_at > record_compliance_fact.happened_at) then
    perform private.refuse(400, 'invalid_value', 'A later time than this is known already.');
  end if;
  begin
    perform private.tell_compliance(fact, happened_at, reference);
  exception
    when check_violation or not_null_violation then
      perform private.refuse(400, 'invalid_value', 'There is no such fact.');
  end;
  return (select to_jsonb(f) from private.compliance_facts f where f.fact = record_compliance_fact.fact);
end
$$;
comment on function private.record_compliance_fact is 'Implementation of public.record_compliance_fact, which calls it.';

create function public.record_compliance_fact(fact text, happened_at timestamptz, reference text) returns jsonb
language sql set search_path = ''
begin atomic select private.record_compliance_fact(fact, happened_at, reference); end;
comment on function public.record_compliance_fact is 'Tells when something was last done that the database cannot see, and where the proof is: backup, restore_test, risk_analysis, impact_assessment, encryption_at_rest, access_review or incident_exercise. Returns {fact, happened_at, reference, told_at}. Called by security administrators.';

create function private.list_compliance_facts() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_security_admin();
  return (select coalesce(jsonb_agg(to_jsonb(f) order by f.fact), '[]') from private.compliance_facts f);
end
$$;
comment on function private.list_compliance_facts is 'Implementation of public.list_compliance_facts, which calls it.';

create function public.list_compliance_facts() returns jsonb
language sql stable set search_path = ''
begin atomic select private.list_compliance_facts(); end;
comment on function public.list_compliance_facts is 'What was told that the database cannot see, each the last time: [{fact, happened_at, reference, told_at}]. Called by security administrators.';
