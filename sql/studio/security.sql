create view staff.incidents
with (security_invoker = true)
as
select
  i.id,
  i.severity,
  i.status,
  i.type,
  i.title,
  private.staff_name(i.owner) as owner,
  i.detected_at,
  i.last_seen_at,
  cardinality(i.affected_users) as affected_accounts,
  jsonb_array_length(i.response) as responses,
  i.timeline -> -1 ->> 'event' as last_event,
  i.aware_at,
  i.aware_at + interval '72 hours' as notify_authority_by,
  i.aware_at + interval '60 days' as notify_people_by
from public.security_incidents i
where i.status = any (array['open', 'investigating', 'contained']::public.incident_status[])
order by i.severity desc, i.last_seen_at desc, i.id;
select private.describe('staff.incidents', 'Incidents that go on, the worst first: who deals with them and until when others have to be told. What shows them and what was done is in public.security_incidents.', $$
  id: The incident.
  severity: How bad it is.
  status: How far it is dealt with.
  type: What kind it is.
  title: What happened, in a line.
  owner: Name of the security administrator who deals with it; empty while nobody does.
  detected_at: When it was detected.
  last_seen_at: When it was last seen going on.
  affected_accounts: How many accounts it concerns.
  responses: How often something was done about it.
  last_event: The latest entry of its timeline.
  aware_at: Since when a breach of personal data is known; empty while it is no such breach.
  notify_authority_by: Until when the supervisory authority has to be told: 72 hours (GDPR article 33).
  notify_people_by: Until when the people concerned have to be told at the latest: 60 days (45 CFR 164.404).
$$);

create view staff.policies
with (security_invoker = true)
as
select
  p.id,
  p.name,
  p.enabled,
  p.dry_run,
  p.priority,
  p.enforcement_points,
  jsonb_path_query_array(p.actions, '$[*].action') as actions,
  p.trigger_count as fired,
  coalesce(d.fired, 0)::bigint as fired_7_days,
  p.last_triggered as last_fired_at,
  p.enabled and not p.dry_run
    and p.actions @? '$[*].action ? (@ == "block_access" || @ == "require_mfa" || @ == "apply_rate_limits")' as refuses
from public.security_policies p
left join (
  select policy_id, sum(triggered) as fired
  from private.policy_days
  where day > (now() at time zone 'UTC')::date - 7
  group by policy_id
) d on d.policy_id = p.id
order by p.enabled desc, p.priority, p.id;
select private.describe('staff.policies', 'Security policies in the order in which they are evaluated, those that are switched off last, and how often each applied.', $$
  id: The policy.
  name: Name.
  enabled: Whether it is evaluated.
  dry_run: Whether it only counts, and acts on nothing.
  priority: Order of evaluation, from 1.
  enforcement_points: Where it is enforced.
  actions: What it does, by name. Example: ["require_mfa", "log_events"]
  fired: How often its conditions held, as of the last minute. A request that the Data API refuses is rolled back with its count: docs/security-policies.md.
  fired_7_days: How often in the last seven days, UTC.
  last_fired_at: When they held last; empty before the first time.
  refuses: Whether it refuses requests or wants a second factor of them.
$$);

create view staff.vulnerabilities
with (security_invoker = true)
as
select
  v.id,
  v.severity,
  v.status,
  v.title,
  v.probe,
  v.fault,
  v.found_at,
  v.last_found_at,
  v.times_found,
  v.regression_of,
  private.staff_name(v.accepted_by) as accepted_by,
  v.accepted_until
from public.vulnerabilities v
where v.status <> 'fixed'
order by v.status, v.severity desc, v.found_at, v.id;
select private.describe('staff.vulnerabilities', 'Faults that are still there, the open ones and the worst first.', $$
  id: The vulnerability.
  severity: How bad it is.
  status: Whether it is open or accepted.
  title: What is wrong, in a sentence.
  probe: The probe that finds it.
  fault: What is wrong, as the probe calls it.
  found_at: When it was found first.
  last_found_at: When it was found last.
  times_found: Runs that found it.
  regression_of: The vulnerability that it was before it was fixed.
  accepted_by: Name of the security administrator who accepted it.
  accepted_until: Until when it is accepted.
$$);

create view staff.compliance
with (security_invoker = true)
as
select
  c.framework,
  count(*) as controls,
  count(*) filter (where c.automated_status = 'compliant') as compliant,
  count(*) filter (where c.automated_status = 'partial') as partial,
  count(*) filter (where c.automated_status = 'non_compliant') as non_compliant,
  count(*) filter (where c.automated_status = 'not_assessed') as not_assessed,
  count(c.decision) as decided,
  max(c.automated_at) as assessed_at
from public.compliance_controls c
group by c.framework
order by c.framework;
select private.describe('staff.compliance', 'How many controls of each framework stand how, by what the checks found last.', $$
  framework: The framework.
  controls: Its controls.
  compliant: Those of which every check passed.
  partial: Those of which a check found a lesser fault.
  non_compliant: Those of which a check found a fault.
  not_assessed: Those that have no check, or one that had nothing to check by.
  decided: Those of which an assessor decided; no check changes that.
  assessed_at: When the checks ran last.
$$);

create view staff.compliance_checks
with (security_invoker = true)
as
select distinct on (e.check_id)
  e.check_id, e.title, e.result, jsonb_array_length(e.found) as faults, e.found ->> 0 as first_fault, e.problem, e.checked_at
from unnest(enum_range(null::public.compliance_framework)) as f (framework)
cross join lateral (
  select a.evidence
  from public.compliance_assessments a
  where a.framework = f.framework
  order by a.ended_at desc
  limit 1
) a
cross join lateral jsonb_to_recordset(a.evidence) as e (
  check_id text, title text, result text, found jsonb, problem text, checked_at timestamptz
)
order by e.check_id, e.checked_at desc;
select private.describe('staff.compliance_checks', 'What each automated check found the last time.', $$
  check_id: The check.
  title: What is checked.
  result: passed, failed or not_assessed.
  faults: How many faults it found, 100 at most.
  first_fault: The first of them.
  problem: Why it is not_assessed.
  checked_at: When it ran.
$$);
