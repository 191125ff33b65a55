-- What the security administrator's page shows, for Studio. Rights are those of whoever asks, as in the tables.

create view private.active_incidents
with (security_invoker = true)
as
select i.id, i.severity, i.status, i.type, i.title, i.detected_at, i.last_seen_at, i.owner, i.response, i.timeline
from public.security_incidents i
where i.ended_at is null
order by i.severity desc, i.last_seen_at desc;
comment on view private.active_incidents is 'Incidents that go on, the worst first, with what was done and what happened.';

create view private.policies_in_force
with (security_invoker = true)
as
select p.id, p.name, p.category, p.priority, p.dry_run, p.trigger_count, p.last_triggered
from public.security_policies p
where p.enabled
order by p.priority, p.id;
comment on view private.policies_in_force is 'Security policies that are evaluated, in their order, and how often each applied.';

create view private.compliance_posture
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
group by c.framework;
comment on view private.compliance_posture is 'How many controls of each framework stand how, by what the checks found last.';

create view private.unresolved_vulnerabilities
with (security_invoker = true)
as
select v.id, v.severity, v.status, v.probe, v.fault, v.title, v.found_at, v.times_found, v.regression_of, v.accepted_until
from public.vulnerabilities v
where v.status <> 'fixed'
order by v.status, v.severity desc, v.found_at;
comment on view private.unresolved_vulnerabilities is 'Faults that are still there, the open ones first.';

create view private.training_by_module
with (security_invoker = true)
as
select m.id, m.title, m.published,
  count(d.user_id) as assigned,
  count(*) filter (where d.due_at > now() and d.certificate_expires_at > now()) as completed,
  count(*) filter (where d.due_at <= now()) as overdue
from public.training_modules m
left join private.training_due d on d.module_id = m.id
group by m.id
order by overdue desc, m.title;
comment on view private.training_by_module is 'How many people each module is assigned to, and how many of them are trained or overdue.';
