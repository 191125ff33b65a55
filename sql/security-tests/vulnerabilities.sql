create type public.vulnerability_severity as enum ('low', 'medium', 'high', 'critical');
comment on type public.vulnerability_severity is 'How bad a vulnerability is.';

create type public.vulnerability_status as enum ('open', 'fixed', 'accepted');
comment on type public.vulnerability_status is 'open until a probe that looks for it finds it no more, or somebody accepts it; fixed is final: a regression is another vulnerability.';

create table public.vulnerabilities (
  id text not null default 'vul_' || replace(gen_random_uuid()::text, '-', '') constraint vulnerabilities_pkey primary key,
  probe public.security_probe not null,
  fault text not null constraint vulnerabilities_fault_form check (fault ~ '^[a-z0-9_.:/-]{1,120}$'),
  title text not null constraint vulnerabilities_title_length check (char_length(title) between 1 and 300),
  severity public.vulnerability_severity not null,
  status public.vulnerability_status not null default 'open',
  evidence jsonb not null default '{}',
  found_at timestamptz not null default now(),
  found_in text constraint vulnerabilities_found_in_fkey references public.security_test_runs (id) on delete set null,
  last_found_at timestamptz not null default now(),
  times_found integer not null default 1,
  fixed_at timestamptz,
  fixed_in text constraint vulnerabilities_fixed_in_fkey references public.security_test_runs (id) on delete set null,
  accepted_at timestamptz,
  accepted_by uuid constraint vulnerabilities_accepted_by_fkey references auth.users (id) on delete set null,
  accepted_until timestamptz,
  accepted_reason text,
  regression_of text constraint vulnerabilities_regression_of_fkey references public.vulnerabilities (id) on delete set null,
  constraint vulnerabilities_evidence_size check (jsonb_typeof(evidence) = 'object' and octet_length(evidence::text) <= 8192),
  constraint vulnerabilities_fixed check ((fixed_at is not null) = (status = 'fixed')),
  constraint vulnerabilities_accepted check (
    (status <> 'accepted' or num_nulls(accepted_at, accepted_until, accepted_reason) = 0)
    and (accepted_reason is null or char_length(accepted_reason) between 10 and 2000)
    and accepted_until <= accepted_at + interval '366 days'
  )
);
select private.describe('public.vulnerabilities',
  'Faults that probes found, from the first time until a later run does not find them any more. What comes back is a new row that names the old one.', $$
  id: The vulnerability.
  probe: The probe that finds it.
  fault: What is wrong, such as public.consents:select: with the probe the same fault of every run.
  title: What is wrong, in a sentence.
  severity: How bad it is.
  status: Whether it is still there, and is to be.
  evidence: What the probe saw the last time: addresses and statuses, never a token or a person. Example: {"method": "GET", "path": "/rest/v1/", "status": 200}
  found_at: When it was found first.
  found_in: The run that found it first.
  last_found_at: When it was found last.
  times_found: Runs that found it.
  fixed_at: When a run did not find it any more.
  fixed_in: That run.
  accepted_at: When somebody accepted it.
  accepted_by: The security administrator who did.
  accepted_until: Until when, at most 366 days; then it is open again.
  accepted_reason: Why.
  regression_of: The vulnerability that it was before it was fixed; null the first time.
$$);
alter table public.vulnerabilities alter column accepted_by set statistics 0; -- see public.user_roles
create unique index vulnerabilities_unresolved_idx on public.vulnerabilities (probe, fault) where status <> 'fixed';
create index vulnerabilities_found_in_idx on public.vulnerabilities (found_in);
create index vulnerabilities_fixed_in_idx on public.vulnerabilities (fixed_in);
create index vulnerabilities_accepted_by_idx on public.vulnerabilities (accepted_by);
create index vulnerabilities_regression_of_idx on public.vulnerabilities (regression_of);
create index vulnerabilities_status_idx on public.vulnerabilities (status, severity desc, found_at);

select private.declare_data('public.vulnerabilities',
   '{id, probe, fault, title, severity, status, evidence, found_at, found_in, last_found_at, times_found, fixed_at, fixed_in,
    accepted_at, accepted_until, accepted_reason, regression_of}', 'Faults that probes found.');
select private.declare_data('public.vulnerabilities', '{accepted_by}', 'To know who accepted it.', 'staff', 'activity',
  't.accepted_by = $1', erasure => 'anonymize');
select private.declare_audited('public.vulnerabilities', 'id', 'by_hand');

-- A probe that could not be carried out is not here: it says nothing about what it looks for.
create function private.follow_findings(run text, looked public.security_probe, faults jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  update public.vulnerabilities v
  set status = 'fixed', fixed_at = now(), fixed_in = run
  where v.probe = looked
    and v.status <> 'fixed'
    and not exists (select from jsonb_array_elements(faults) as f (fault) where f.fault ->> 'fault' = v.fault);
  insert into public.vulnerabilities as v (probe, fault, title, severity, evidence, found_in, regression_of)
  select
    looked, f.fault ->> 'fault', f.fault ->> 'title', (f.fault ->> 'severity')::public.vulnerability_severity, f.fault -> 'evidence', run,
    (
      select o.id
      from public.vulnerabilities o
      where o.probe = looked and o.fault = f.fault ->> 'fault' and o.status = 'fixed'
      order by o.fixed_at desc
      limit 1
    )
  from jsonb_array_elements(faults) as f (fault)
  on conflict (probe, fault) where status <> 'fixed' do update
  set title = excluded.title, severity = excluded.severity, evidence = excluded.evidence, last_found_at = now(),
    times_found = v.times_found + 1;
end
$$;
comment on function private.follow_findings is 'Opens a vulnerability for each fault that is new or has come back, counts those that are still there, and closes those that the probe did not find any more. Called when a probe ends.';

create function private.guard_fixed_vulnerability() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (
    select
    from public.security_test_results r
    where r.run_id = new.fixed_in
      and r.probe = new.probe
      and r.status in ('passed', 'faults_found')
      and not jsonb_path_exists(r.findings, '$[*] ? (@.fault == $fault)', jsonb_build_object('fault', new.fault))
  ) then
    raise exception 'Only a run that does not find it any more makes it fixed. To leave it for a time, call public.accept_vulnerability.'
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;
comment on function private.guard_fixed_vulnerability is 'Trigger: a vulnerability is fixed when a run no longer finds it.';

create trigger guard_fixed_vulnerability before update on public.vulnerabilities
for each row when (new.status = 'fixed' and old.status <> 'fixed')
execute function private.guard_fixed_vulnerability();

create trigger guard_fixed_vulnerability_added before insert on public.vulnerabilities
for each row when (new.status = 'fixed')
execute function private.guard_fixed_vulnerability();

create function private.accept_vulnerability(vulnerability text, reason text, until timestamptz) returns public.vulnerabilities
language plpgsql security definer set search_path = '' as $$
declare
  old public.vulnerabilities;
  accepted public.vulnerabilities;
begin
  perform private.require_security_admin();
  select * into old from public.vulnerabilities v where v.id = vulnerability for update;
  if not found then
    perform private.refuse(404, 'vulnerability_not_found', 'There is no vulnerability of this id.');
  elsif old.status = 'fixed' then
    perform private.refuse(409, 'vulnerability_fixed', 'It is fixed. If it comes back, that is another vulnerability.');
  elsif until is null or until <= now() or until > now() + interval '366 days'
    or reason is null or char_length(reason) not between 10 and 2000
  then
    perform private.refuse(400, 'invalid_value', 'Accept it for at most 366 days, and give a reason of 10 to 2000 characters.');
  end if;
  update public.vulnerabilities v
  set status = 'accepted', accepted_at = now(), accepted_until = until, accepted_reason = reason,
    accepted_by = private.current_account()
  where v.id = vulnerability
  returning * into accepted;
  perform private.audit_at_end(
    'vulnerability_changed', null, 'vulnerabilities', vulnerability,
    private.changed_columns(to_jsonb(old), to_jsonb(accepted)) - 'accepted_by',
    private.changed_columns(to_jsonb(accepted), to_jsonb(old)) - 'accepted_by'
  );
  return accepted;
end
$$;
comment on function private.accept_vulnerability is 'Implementation of public.accept_vulnerability, which calls it.';

create function public.accept_vulnerability(vulnerability text, reason text, until timestamptz) returns public.vulnerabilities
language sql set search_path = ''
begin atomic select private.accept_vulnerability(vulnerability, reason, until); end;
comment on function public.accept_vulnerability is 'Accepts a vulnerability that is to stay for the time being, with a reason, for at most 366 days. Called by security administrators.';

create function private.reopen_vulnerability(vulnerability text) returns public.vulnerabilities
language plpgsql security definer set search_path = '' as $$
declare
  found_one public.vulnerabilities;
begin
  perform private.require_security_admin();
  select * into found_one from public.vulnerabilities v where v.id = vulnerability for update;
  if not found then
    perform private.refuse(404, 'vulnerability_not_found', 'There is no vulnerability of this id.');
  elsif found_one.status = 'fixed' then
    perform private.refuse(409, 'vulnerability_fixed', 'It is fixed. If it comes back, that is another vulnerability.');
  elsif found_one.status = 'accepted' then
    update public.vulnerabilities v set status = 'open' where v.id = vulnerability returning * into found_one;
    perform private.audit_at_end(
      'vulnerability_changed', null, 'vulnerabilities', vulnerability, '{"status": "accepted"}', '{"status": "open"}'
    );
  end if;
  return found_one;
end
$$;
comment on function private.reopen_vulnerability is 'Implementation of public.reopen_vulnerability, which calls it.';

create function public.reopen_vulnerability(vulnerability text) returns public.vulnerabilities
language sql set search_path = ''
begin atomic select private.reopen_vulnerability(vulnerability); end;
comment on function public.reopen_vulnerability is 'Withdraws the acceptance of a vulnerability before its time: it is open again. One that is open stays so. Called by security administrators.';

create function private.security_test_statistics() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'tests', (select count(*) from public.security_tests),
    'runs', (
      select jsonb_build_object(
        'last_30_days', count(*),
        'completed', count(*) filter (where r.status = 'completed'),
        'failed', count(*) filter (where r.status = 'failed'),
        'last_ended_at', max(r.ended_at)
      )
      from public.security_test_runs r
      where r.created_at > now() - interval '30 days'
    ),
    'probes', (
      select coalesce(jsonb_agg(to_jsonb(p) order by p.probe), '[]')
      from (
        select distinct on (r.probe) r.probe, r.status, r.ended_at, r.checks, jsonb_array_length(r.findings) as faults
        from public.security_test_results r
        where r.ended_at is not null
        order by r.probe, r.ended_at desc
      ) p
    ),
    'vulnerabilities', (
      select jsonb_agg(to_jsonb(v) order by v.severity desc)
      from (
        select
          s.severity,
          count(v.id) filter (where v.status = 'open') as open,
          count(v.id) filter (where v.status = 'accepted') as accepted,
          count(v.id) filter (where v.status = 'fixed') as fixed,
          count(v.regression_of) as regressions,
          min(v.found_at) filter (where v.status = 'open') as oldest_open_at,
          round((extract(epoch from avg(v.fixed_at - v.found_at)) / 3600)::numeric, 2) as mean_hours_to_fix,
          round(
            (extract(epoch from percentile_cont(0.5) within group (order by v.fixed_at - v.found_at)) / 3600)::numeric, 2
          ) as median_hours_to_fix
        from unnest(enum_range(null::public.vulnerability_severity)) as s (severity)
        left join public.vulnerabilities v on v.severity = s.severity
        group by s.severity
      ) v
    )
  )
  where private.is_security_admin() or coalesce((select auth.role()), '') not in ('anon', 'authenticated')
$$;
comment on function private.security_test_statistics is 'Implementation of public.security_test_statistics, which calls it.';

create function public.security_test_statistics() returns jsonb
language sql stable set search_path = ''
begin atomic select private.security_test_statistics(); end;
comment on function public.security_test_statistics is 'How security tests went: {tests, runs: {last_30_days, completed, failed, last_ended_at}, probes: [{probe, status, ended_at, checks, faults}] as each went last, vulnerabilities: [{severity, open, accepted, fixed, regressions, oldest_open_at, mean_hours_to_fix, median_hours_to_fix}]}. Called by security administrators and the secret key; null for others.';
