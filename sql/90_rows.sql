-- Rows that the schema cannot do without. Each statement can be run again; every migration ends with them,
-- because a diff carries no rows.
insert into private.pipeline_settings default values on conflict do nothing;

select cron.schedule('ring-due-jobs', '10 seconds', 'select private.ring_due_jobs()');
select cron.schedule('expire-check-ins', '*/5 * * * *', 'select private.expire_check_ins()');
select cron.schedule(
  'forget-cron-runs',
  '17 3 * * *',
  $$ delete from cron.job_run_details where end_time < now() - interval '7 days' $$
);
