create function private.begin_security_test_run(test text, begun_by uuid) returns public.security_test_runs
language plpgsql security definer set search_path = '' as $$
declare
  run public.security_test_runs;
begin
  -- One run of a test at a time: who asks again joins the one that goes on.
  insert into public.security_test_runs (test_id, scheduled, requested_by)
  values (test, begun_by is null, begun_by)
  on conflict (test_id) where status = 'running' do nothing
  returning * into run;
  if run.id is null then
    select r.* into run from public.security_test_runs r where r.test_id = test and r.status = 'running';
    return run;
  end if;
  return run;
end
$$;
comment on function private.begin_security_test_run is 'Begins a run of a test, or returns the one that goes on. Called by private.execute_security_test and by cron.';

-- The row is the run, whoever adds it.
create function private.prepare_security_test_run() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.status <> 'running' then
    raise exception 'A run begins as running, and ends with its probes: call public.execute_security_test(''%'').', new.test_id
      using errcode = 'check_violation';
  end if;
  insert into public.security_test_results (run_id, probe)
  select new.id, p from public.security_tests t cross join lateral unnest(t.probes) as p where t.id = new.test_id;
  insert into private.probe_accounts (run_id, part) values (new.id, 'attacker'), (new.id, 'victim');
  perform private.dispatch_security_tests();
  return null;
end
$$;
comment on function private.prepare_security_test_run is 'Trigger: a run that begins has its probes queued, gets its accounts, and wakes the worker.';

create function private.guard_security_test_run() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  outcome public.security_test_run_status;
begin
  select
    case
      when bool_or(r.status in ('queued', 'running')) then 'running'
      when bool_or(r.status = 'failed') then 'failed'
      else 'completed'
    end
  into outcome
  from public.security_test_results r
  where r.run_id = new.id
  having count(*) > 0;
  if old.status <> 'running' or new.status is distinct from outcome then
    raise exception 'A run ends with its probes: nobody sets its status.' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
comment on function private.guard_security_test_run is 'Trigger: a run is completed or failed as its probes are.';

create trigger prepare_security_test_run after insert on public.security_test_runs
for each row execute function private.prepare_security_test_run();

create trigger guard_security_test_run before update on public.security_test_runs
for each row when (new.status <> old.status) execute function private.guard_security_test_run();

create trigger refuse_direct_write before insert on public.security_test_results
for each row execute function private.refuse_direct_write('public.security_test_runs');

create function private.guard_probe_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from auth.users u where u.id = new.user_id) then
    raise exception 'This account is somebody''s: those of security tests are chosen before they exist, and are deleted with their run.'
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;
comment on function private.guard_probe_account is 'Trigger: no account that exists is taken for one of a security test, which would agree to everything and be deleted with its run.';

create trigger guard_probe_account before insert on private.probe_accounts
for each row execute function private.guard_probe_account();

create trigger guard_probe_account_changed before update on private.probe_accounts
for each row when (new.user_id <> old.user_id) execute function private.guard_probe_account();

create function private.execute_security_test(test text) returns public.security_test_runs
language plpgsql security definer set search_path = '' as $$
declare
  run public.security_test_runs;
begin
  perform private.require_security_admin();
  perform from public.security_tests t where t.id = test for key share;
  if not found then
    perform private.refuse(404, 'security_test_not_found', 'There is no security test of this id.');
  end if;
  run := private.begin_security_test_run(test, private.current_account());
  perform private.audit_at_end('security_test_run', null, 'security_tests', test, details => jsonb_build_object('run_id', run.id));
  return run;
end
$$;
comment on function private.execute_security_test is 'Implementation of public.execute_security_test, which calls it.';

create function public.execute_security_test(test text) returns public.security_test_runs
language sql set search_path = ''
begin atomic select private.execute_security_test(test); end;
comment on function public.execute_security_test is 'Begins a run of a security test, or returns the one that goes on; its results come in public.security_test_results. Called by security administrators.';

create function private.dispatch_security_tests() returns void
language sql set search_path = '' as $$
  select private.call_function('probe-security', '{"type": "INSERT", "schema": "public", "table": "security_test_results"}')
$$;
comment on function private.dispatch_security_tests is 'Wakes the worker of security tests. Called when a run begins, when a probe ends, and by cron.';

create function private.claim_security_probe()
returns table (run_id text, probe public.security_probe, attempts smallint, attacker uuid, victim uuid)
language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  chosen public.security_test_results;
begin
  -- One probe at a time, whichever run it belongs to: what they use up of limits must not add up.
  perform pg_advisory_xact_lock(92, 0);
  if exists (select from public.security_test_results r where r.status = 'running' and r.due_at > now()) then
    return;
  end if;
  select r.* into chosen
  from public.security_test_results r
  join public.security_test_runs u on u.id = r.run_id
  where r.status in ('queued', 'running') and r.due_at <= now() and r.attempts < 3
  order by u.created_at, r.run_id, r.probe
  limit 1
  for update of r skip locked;
  if chosen.run_id is null then
    return;
  end if;
  return query
  update public.security_test_results r
  set status = 'running', attempts = r.attempts + 1, started_at = now(), due_at = clock_timestamp() + interval '2 minutes'
  where r.run_id = chosen.run_id and r.probe = chosen.probe
  returning
    r.run_id, r.probe, r.attempts,
    (select a.user_id from private.probe_accounts a where a.run_id = r.run_id and a.part = 'attacker'),
    (select a.user_id from private.probe_accounts a where a.run_id = r.run_id and a.part = 'victim');
end
$$;
comment on function private.claim_security_probe is 'Claims the next probe for one attempt of two minutes; no row when there is none, or one runs. Called by probe-security.';

-- Their rows and files go with them, by what erasure deletes; no tombstone and no receipt stays, as there is no person to whom they
-- would be due.
create function private.end_security_test_run(run text) returns void
language plpgsql set search_path = '' as $$
begin
  perform from public.security_test_runs r where r.id = run and r.status = 'running' for update;
  if not found
    or exists (select from public.security_test_results r where r.run_id = run and r.status in ('queued', 'running'))
  then
    return;
  end if;
  update public.security_test_runs r
  set ended_at = now(),
    status = case
      when exists (select from public.security_test_results p where p.run_id = run and p.status = 'failed')
        then 'failed'::public.security_test_run_status
      else 'completed'
    end
  where r.id = run;
  delete from auth.users u using private.probe_accounts a where a.run_id = run and u.id = a.user_id;
  delete from private.erasures e using private.probe_accounts a where a.run_id = run and e.user_id = a.user_id;
end
$$;
comment on function private.end_security_test_run is 'Ends a run of which nothing is left to do, and deletes its accounts with all that is theirs; nothing otherwise. Called when a probe ends, and by cron.';

create function private.finish_security_probe(
  run text, done public.security_probe, attempt smallint, attacks integer, faults jsonb
) returns boolean
language plpgsql set search_path = '' as $$
begin
  update public.security_test_results r
  set status = (case when faults = '[]' then 'passed' else 'faults_found' end)::public.security_probe_status,
    checks = attacks, findings = faults, error_code = null, ended_at = now()
  where r.run_id = run and r.probe = done and r.attempts = attempt and r.status = 'running';
  if not found then
    return false;
  end if;
  perform private.follow_findings(run, done, faults);
  perform private.end_security_test_run(run);
  perform private.dispatch_security_tests() where exists (select from public.security_test_results r where r.status = 'queued');
  return true;
end
$$;
comment on function private.finish_security_probe is 'Stores what a probe found, and ends the run after the last one. False when this attempt is no longer the current one. Called by probe-security.';

create function private.fail_security_probe(run text, failed public.security_probe, attempt smallint, code text) returns void
language plpgsql set search_path = '' as $$
begin
  update public.security_test_results r
  set status = (case when r.attempts < 3 then 'queued' else 'failed' end)::public.security_probe_status,
    error_code = left(code, 100), due_at = now() + private.retry_delay('10 seconds', r.attempts),
    ended_at = case when r.attempts >= 3 then now() end
  where r.run_id = run and r.probe = failed and r.attempts = attempt and r.status = 'running';
  perform private.end_security_test_run(run);
end
$$;
comment on function private.fail_security_probe is 'Ends an attempt that could not be carried out: another one follows, or the probe has failed. Called by probe-security.';

create function private.advance_security_tests(at timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  due text[];
begin
  -- Their workers were lost with the last attempt.
  update public.security_test_results r
  set status = 'failed', error_code = coalesce(r.error_code, 'worker_lost'), ended_at = at
  where r.status in ('queued', 'running') and r.due_at <= at and r.attempts >= 3;
  perform private.end_security_test_run(r.id) from public.security_test_runs r where r.status = 'running';
  with begun as (
    update public.security_tests t
    -- What was missed is not caught up: one run says how things are now.
    set next_run_at = at + case t.schedule when 'daily' then interval '1 day' else interval '7 days' end
    where t.enabled and t.next_run_at <= at
    returning t.id
  )
  select array_agg(b.id) into due from begun b;
  perform private.begin_security_test_run(test, null) from unnest(due) as test;
  update public.vulnerabilities v
  set status = 'open'
  where v.status = 'accepted' and v.accepted_until <= at;
  delete from private.probe_accounts a using public.security_test_runs r
  where r.id = a.run_id and r.ended_at < at - interval '1 day';
  perform private.dispatch_security_tests()
  where exists (select from public.security_test_results r where r.status in ('queued', 'running') and r.due_at <= at);
end
$$;
comment on function private.advance_security_tests is 'Begins runs that are due, dispatches probes whose webhook or worker was lost, ends runs whose probes are out of attempts, and lets acceptances expire. Called by cron.';
select cron.schedule('advance-security-tests', '30 seconds', 'select private.advance_security_tests(now())');

create function private.expire_tokens(account uuid, expired boolean) returns void
language sql security definer set search_path = '' as $$
  update private.probe_accounts set tokens_expired = expired where user_id = account
$$;
comment on function private.expire_tokens is 'Whether the tokens that Auth gives an invented account have expired already. Called by the edge functions.';
