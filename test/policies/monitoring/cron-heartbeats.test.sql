-- What cron's own record says of each job, and what is sent of it to the operator's address.
select plan(25);

select is_empty(
  $$ select schedule from cron.job where private.interval_of_schedule(schedule) is null $$,
  'every schedule that a job has is known'
);

delete from cron.job_run_details;
delete from private.cron_heartbeats;
-- Jobs that cron does not see before the transaction ends.
select cron.unschedule(jobname) from cron.job;
select cron.schedule('invented-often', '5 seconds', 'select 1'), cron.schedule('invented-purge', '*/5 * * * *', 'select 1'),
  cron.schedule('invented-daily', '37 2 * * *', 'select 1');
delete from vault.secrets where name like 'heartbeat_url%';

create temporary sequence runs;
create function tests.run(job text, status text, ended timestamptz)
returns void
language sql
as $$
  insert into cron.job_run_details (jobid, runid, database, username, command, status, start_time, end_time)
  select j.jobid, nextval('runs'), j.database, j.username, j.command, run.status, ended, ended from cron.job j where j.jobname = run.job
$$;
-- The addresses that were called since the last time that this was asked, in order.
create function tests.observed(at timestamptz)
returns text[]
language sql
as $$
  delete from net.http_request_queue;
  select private.observe_cron_jobs(at);
  select array_agg(url order by url) from net.http_request_queue;
$$;
create function tests.heartbeat(job text)
returns private.cron_heartbeats
language sql
as $$ select * from private.cron_heartbeats b where b.job = heartbeat.job $$;

select is(private.interval_of_schedule('5 seconds'), interval '5 seconds', 'such as one of seconds');
select is(private.interval_of_schedule('*/10 * * * *'), interval '10 minutes', 'one of minutes');
select is(private.interval_of_schedule('22 * * * *'), interval '1 hour', 'one of hours');
select is(private.interval_of_schedule('7,27,47 * * * *'), interval '20 minutes', 'one of parts of an hour');
select is(private.interval_of_schedule('37 2 * * *'), interval '1 day', 'and one of days');
select is(private.interval_of_schedule('0 0 1 1 *'), null, 'others are not');

select is(tests.observed('2026-11-02 10:00Z'), null, 'before the first run, and without an address, nothing is sent');
select is((tests.heartbeat('invented-purge')).first_seen_at, '2026-11-02 10:00Z', 'that a job is there is known');
select is((tests.heartbeat('invented-purge')).last_success_at, null, 'and that it has not succeeded');

select vault.create_secret('https://beats.example.edu/key-1/{job}', 'heartbeat_url');
select tests.run('invented-often', 'succeeded', '2026-11-02 10:00:10Z');
select tests.run('invented-often', 'succeeded', '2026-11-02 10:00:15Z');
select tests.run('invented-purge', 'failed', '2026-11-02 10:00:20Z');
select tests.run('invented-daily', 'running', null);
select is(tests.observed('2026-11-02 10:01Z'), '{https://beats.example.edu/key-1/invented-often}', 'a job that succeeded beats once');
select is((tests.heartbeat('invented-purge')).failures, 1::bigint, 'one that failed is counted and does not beat');
select is(tests.observed('2026-11-02 10:02Z'), null, 'a job that did not run since does not beat');
select is((tests.heartbeat('invented-purge')).failures, 1::bigint, 'and a failure counts once');
select tests.run('invented-often', 'failed', '2026-11-02 10:02:15Z');
select is(tests.observed('2026-11-02 10:03Z'), null, 'a job that failed since does not beat');

select vault.create_secret('https://other.example.edu/heartbeat/42', 'heartbeat_url:invented-purge');
select tests.run('invented-purge', 'succeeded', '2026-11-02 10:05Z');
select tests.run('invented-often', 'succeeded', '2026-11-02 10:05Z');
select is(
  tests.observed('2026-11-02 10:06Z'),
  '{https://beats.example.edu/key-1/invented-often,https://other.example.edu/heartbeat/42}',
  'a job may have an address of its own'
);
select is(
  (select array_agg(distinct timeout_milliseconds) from net.http_request_queue), '{5000}', 'each call has five seconds'
);

select cron.unschedule('invented-purge');
select tests.observed('2026-11-02 11:00Z');
select is((tests.heartbeat('invented-purge')).observed_at, '2026-11-02 10:06Z', 'a job that is not scheduled any more is still missed');

select vault.update_secret(id, 'http://beats.example.edu/{job}') from vault.secrets where name = 'heartbeat_url';
select tests.run('invented-often', 'succeeded', '2026-11-02 11:05Z');
select is(tests.observed('2026-11-02 11:06Z'), null, 'nothing is sent without TLS');
select vault.update_secret(id, 'https://beats.example.edu/no-place') from vault.secrets where name = 'heartbeat_url';
select tests.run('invented-often', 'succeeded', '2026-11-02 11:10Z');
select is(tests.observed('2026-11-02 11:11Z'), null, 'nor to an address that would mix up the jobs');
select vault.update_secret(id, 'https://key@beats.example.edu/{job}') from vault.secrets where name = 'heartbeat_url';
select tests.run('invented-often', 'succeeded', '2026-11-02 11:15Z');
select is(tests.observed('2026-11-02 11:16Z'), null, 'nor to one with a name in it');
select is((tests.heartbeat('invented-often')).last_success_at, '2026-11-02 11:15Z', 'what cron says is known all the same');

-- A backup in a new project, whose cron begins to number its runs.
update private.cron_heartbeats set last_run_id = 1000000;
delete from cron.job_run_details;
alter sequence runs restart;
select tests.run('invented-often', 'failed', '2026-11-02 12:00:05Z');
select tests.observed('2026-11-02 12:01Z');
select is((tests.heartbeat('invented-often')).failures, 2::bigint, 'in a restored project a failure counts');
select tests.observed('2026-11-02 12:02Z');
select is((tests.heartbeat('invented-often')).failures, 2::bigint, 'once');
select tests.run('invented-often', 'failed', '2026-11-02 12:02:05Z');
select tests.observed('2026-11-02 12:03Z');
select is((tests.heartbeat('invented-often')).failures, 3::bigint, 'and so does the next');

select * from finish();
