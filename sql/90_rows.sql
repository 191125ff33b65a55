-- Rows that the schema cannot do without. Each statement can be run again; every migration ends with them,
-- because a diff carries no rows.
insert into private.pipeline_settings default values on conflict do nothing;
insert into private.messaging_settings default values on conflict do nothing;
insert into private.rate_limit_rules (scope, requests)
values
  ('analyze-audio', 10),
  ('analyze-visual', 5),
  ('analyze-text', 20),
  ('calculate-wellbeing-score', 10),
  ('textmodel', 20),
  ('check-in-start', 10),
  ('check-in-complete', 10),
  ('check-in-get', 120)
on conflict do nothing;

select cron.schedule('ring-due-jobs', '10 seconds', 'select private.ring_due_jobs()');
select cron.schedule('expire-check-ins', '*/5 * * * *', 'select private.expire_check_ins()');
select cron.schedule('ring-due-messages', '10 seconds', 'select private.ring_due_messages()');
select cron.schedule('forget-sent-messages', '27 3 * * *', 'select private.forget_sent_messages()');
select cron.schedule('forget-transcript-results', '37 3 * * *', 'select private.forget_transcript_results()');
select cron.schedule(
  'forget-cron-runs',
  '17 3 * * *',
  $$ delete from cron.job_run_details where end_time < now() - interval '7 days' $$
);
