create view staff.mail_delivery
with (security_invoker = true)
as
with pending as (
  select channel, purpose, urgency, status, send_at, ended_at, error_code from private.outbox where status = 'queued'
  union all
  select channel, purpose, urgency, status, send_at, ended_at, error_code from private.outbox where status = 'sending'
  union all
  select channel, purpose, urgency, status, send_at, ended_at, error_code from private.outbox where status in ('dead', 'unconfirmed')
)
select
  m.channel,
  m.purpose,
  m.urgency,
  count(*) filter (where m.status = 'queued' and m.send_at <= now()) as waiting,
  min(m.send_at) filter (where m.status = 'queued' and m.send_at <= now()) as waiting_since,
  count(*) filter (where m.status = 'queued' and m.send_at > now()) as scheduled,
  count(*) filter (where m.status = 'sending') as sending,
  count(*) filter (where m.status = 'dead') as failed,
  count(*) filter (where m.status = 'unconfirmed') as unconfirmed,
  max(m.ended_at) as last_failed_at,
  (array_agg(m.error_code order by m.ended_at desc) filter (where m.ended_at is not null))[1] as last_error
from pending m
group by m.channel, m.purpose, m.urgency
order by m.urgency, m.purpose, m.channel;
select private.describe('staff.mail_delivery', 'Emails and texts that are not sent, by kind, the most urgent first; no row for a kind of which all were. private.undelivered_messages names those that failed, and docs/messaging.md what to do.', $$
  channel: Email or text message.
  purpose: What they are for.
  urgency: How urgent they are.
  waiting: Those that are due and wait for a sender.
  waiting_since: Since when the oldest of them has been due.
  scheduled: Those that are to be sent later, or tried again later.
  sending: Those that a sender has.
  failed: Those that could not be sent, of the last 90 days.
  unconfirmed: Texts that may not have been sent.
  last_failed_at: When the last one failed.
  last_error: Why.
$$);

create view staff.cron_jobs
with (security_invoker = true)
as
select
  coalesce(j.jobname, h.job) as job,
  j.schedule,
  coalesce(j.active, false) as active,
  h.last_success_at,
  case
    when h.every is not null then coalesce(h.last_success_at, h.first_seen_at) < now() - 1.5 * h.every - interval '5 minutes'
  end as late,
  d.status as last_status,
  d.end_time as last_ended_at,
  case when d.status = 'failed' then d.return_message end as last_message,
  coalesce(h.failures, 0) as failures,
  h.observed_at,
  j.command
from cron.job j
full join private.cron_heartbeats h on h.job = j.jobname
left join cron.job_run_details d on d.runid = h.last_run_id and d.jobid = j.jobid
order by late desc nulls last, d.status = 'failed' desc nulls last, job;
select private.describe('staff.cron_jobs', 'Scheduled jobs, those that are late or failed first. A job that is missing has no schedule.', $$
  job: The job.
  schedule: When it runs, as cron writes it; empty for a job that is no longer scheduled.
  active: Whether it is to run.
  last_success_at: When its last successful run ended.
  late: Whether it should have succeeded again by now, by the rule of the alert CronJobLate.
  last_status: How the last run that was observed ended.
  last_ended_at: When.
  last_message: Why it failed.
  failures: Runs that failed since the job was first observed.
  observed_at: When cron was last looked at, once a minute; longer ago means that cron stands still or the job is gone.
  command: What it runs.
$$);

-- What a trigger or a cron job sends through private.call_function, and the queue from which the function then takes its work.
create view staff.webhooks
with (security_invoker = true)
as
with queues (function, relation, trigger, cron_job, waiting, waiting_since, running, failing) as (
  select
    k.worker, 'private.analysis_jobs', 'dispatch_new_jobs', 'dispatch-due-jobs',
    count(*) filter (where j.status = 'queued'),
    min(j.created_at) filter (where j.status = 'queued'),
    count(*) filter (where j.status = 'running'),
    count(*) filter (where j.error_code is not null)
  from private.job_kinds k
  left join private.analysis_jobs j on j.kind = k.kind and j.status in ('queued', 'running')
  group by k.worker
  union all
  select
    'deliver-messages', 'private.outbox', 'dispatch_messages', 'dispatch-due-messages',
    coalesce(sum(m.waiting), 0), min(m.waiting_since), coalesce(sum(m.sending), 0), coalesce(sum(m.failed), 0)
  from staff.mail_delivery m
  union all
  select
    'remove-objects', 'private.object_removals', 'dispatch_object_removals', 'dispatch-due-object-removals',
    count(*) filter (where r.claim is null),
    min(r.created_at) filter (where r.claim is null),
    count(*) filter (where r.claim is not null),
    count(*) filter (where r.error_code is not null)
  from private.object_removals r
  union all
  select
    'export-data', 'private.export_volumes', null, 'dispatch-due-exports',
    count(*) filter (where v.status = 'queued'),
    min(e.created_at) filter (where v.status = 'queued'),
    count(*) filter (where v.status = 'running'),
    count(*) filter (where v.error_code is not null)
  from private.export_volumes v
  join private.exports e on e.id = v.export_id
  where v.status in ('queued', 'running')
  union all
  select
    'probe-security', 'public.security_test_results', null, 'advance-security-tests',
    count(*) filter (where p.status = 'queued'),
    min(u.created_at) filter (where p.status = 'queued'),
    count(*) filter (where p.status = 'running'),
    count(*) filter (where p.error_code is not null)
  from public.security_test_results p
  join public.security_test_runs u on u.id = p.run_id
  where p.status in ('queued', 'running')
)
select
  q.function,
  q.relation,
  q.trigger,
  case when q.trigger is not null then exists (
    select from pg_trigger t where t.tgrelid = to_regclass(q.relation) and t.tgname = q.trigger and t.tgenabled in ('O', 'A')
  ) end as trigger_enabled,
  q.cron_job,
  coalesce((select j.active from cron.job j where j.jobname = q.cron_job), false) as cron_job_active,
  q.waiting,
  q.waiting_since,
  q.running,
  q.failing,
  (select count(*) from net.http_request_queue n where n.url like '%/' || q.function) as unsent
from queues q
order by q.waiting_since nulls last, q.function;
select private.describe('staff.webhooks', 'The webhooks of the database: what sends them, which function they wake, and what waits for it, the longest first. How they were answered: staff.webhook_responses.', $$
  function: The edge function.
  relation: The queue from which it takes its work; the webhook only says that there is some.
  trigger: Trigger of the queue that sends it; empty where the function that adds to the queue does.
  trigger_enabled: Whether that trigger is there and enabled.
  cron_job: Scheduled job that sends it again for what waits.
  cron_job_active: Whether that job is scheduled and active.
  waiting: What waits in the queue.
  waiting_since: Since when the oldest has been there, or of messages has been due: longer than a minute means that webhooks do not arrive, or that the function is busy.
  running: What the function is at work on.
  failing: What is in the queue although an attempt failed; of messages those that are dead.
  unsent: Webhooks that pg_net has not sent yet.
$$);

create view staff.webhook_responses
with (security_invoker = true)
as
select
  r.status_code,
  r.timed_out,
  r.error_msg as error,
  case
    when r.timed_out then 'The function did not answer in time.'
    when r.status_code is null then 'There was no answer: check functions_url in Vault.'
    when r.status_code between 200 and 299 then 'The function took it.'
    when r.status_code = 401 then 'pipeline_secret in Vault and PIPELINE_SECRET of the functions differ.'
    when r.status_code = 404 then 'A function is not deployed, or functions_url in Vault is wrong.'
    when r.status_code = 429 then 'The platform limits the calls.'
    when r.status_code >= 500 then 'A function does not start or ran over its limits: read its log.'
  end as meaning,
  count(*) as responses,
  min(r.created) as first_at,
  max(r.created) as last_at
from net._http_response r
group by r.status_code, r.timed_out, r.error_msg
order by last_at desc;
select private.describe('staff.webhook_responses', 'How webhooks, and the heartbeats of cron jobs, were answered in the last six hours. pg_net keeps no address of a request that it has sent, so that an answer names no function.', $$
  status_code: Status of the answer; empty without one.
  timed_out: Whether it took longer than 5 seconds.
  error: What pg_net says where there was no answer.
  meaning: What that says, and where to look.
  responses: How many.
  first_at: When the first of them came.
  last_at: When the last of them came.
$$);
