-- The automated checks of how the service runs, of what operators tell, and of people. They are part of the schema, not settings.
-- Each query returns what is wrong, and no row when nothing is. Below them are those of what operators tell.
insert into private.compliance_checks (id, failure, title, expected, source, query)
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
  $q$);

insert into private.compliance_checks (id, failure, title, expected, source, query)
select id, failure::public.compliance_status, title, expected,
  format('exists (select from private.compliance_facts where fact = %L)', fact),
  format('select %L || happened_at::date from private.compliance_facts where fact = %L and happened_at < now() - interval %L', was, fact, term)
from (
  values
    ('backup_recent', 'non_compliant', 'Backups', 'The last one is of the last 26 hours.', 'backup', '26 hours', 'the last one ended on '),
    ('restore_tested', 'partial', 'Restoring a backup', 'It was tried within half a year.', 'restore_test', '180 days', 'last tried on '),
    ('risk_analysed', 'non_compliant', 'Risk analysis', 'It was made or renewed within a year.', 'risk_analysis', '1 year', 'it is of '),
    ('impact_assessed', 'non_compliant', 'Data protection impact assessment', 'It was made or renewed within two years.',
      'impact_assessment', '2 years', 'it is of '),
    ('incidents_exercised', 'partial', 'Exercises', 'An incident was exercised within a year.', 'incident_exercise', '1 year', 'last on '),
    ('access_reviewed', 'partial', 'Reviews of access', 'Who has which role was reviewed within a year.',
      'access_review', '1 year', 'the last one was on '),
    ('encryption_at_rest', 'non_compliant', 'Disks and backups', 'That they are encrypted was confirmed within a year.',
      'encryption_at_rest', '1 year', 'last confirmed on ')
) as told (id, failure, title, expected, fact, term, was);
