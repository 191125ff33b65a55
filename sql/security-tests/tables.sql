-- Security tests: probes that attack the project at its own addresses, as an attacker with an account would. What a probe does is
-- in functions/_shared/security-tests/; here is which are to run, who runs one at the moment, and what came of it.

create type public.security_probe as enum (
  'forged_tokens', 'foreign_tokens', 'ended_tokens', 'other_students_rows', 'other_students_files', 'other_students_channels',
  'role_escalation', 'hidden_schemas', 'rate_limits', 'injection', 'security_headers', 'worker_doors', 'replayed_links'
);
comment on type public.security_probe is 'The closed catalogue of probes; functions/_shared/security-tests/catalogue.ts says what each does.';

create type public.security_test_schedule as enum ('on_demand', 'daily', 'weekly');
comment on type public.security_test_schedule is 'When a security test runs by itself.';

create type public.security_test_run_status as enum ('running', 'completed', 'failed');
comment on type public.security_test_run_status is 'State of a run: failed when a probe could not be carried out, so that the run says nothing about what it looks for.';

create type public.security_probe_status as enum ('queued', 'running', 'passed', 'faults_found', 'failed');
comment on type public.security_probe_status is 'State of a probe in a run: failed when it could not be carried out, which says nothing about the project.';

create table public.security_tests (
  id text not null default 'tst_' || replace(gen_random_uuid()::text, '-', '') constraint security_tests_pkey primary key,
  name text not null constraint security_tests_name_form check (name !~ '[[:cntrl:]]' and char_length(name) between 1 and 200),
  probes public.security_probe[] not null constraint security_tests_probes_some check (cardinality(probes) >= 1),
  schedule public.security_test_schedule not null default 'on_demand',
  enabled boolean not null default true,
  next_run_at timestamptz,
  created_by uuid default private.actor() constraint security_tests_created_by_fkey references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint security_tests_id_form check (id ~ '^tst_[a-z0-9_]{1,60}$'),
  constraint security_tests_next_run check ((next_run_at is null) = (schedule = 'on_demand'))
);
select private.describe('public.security_tests', 'Which probes are run together, and when.', $$
  id: The test.
  name: Name.
  probes: What it probes, each once, in the order of the catalogue.
  schedule: When it runs by itself.
  enabled: Whether its schedule counts; on demand it runs all the same.
  next_run_at: When it runs by itself next; null when only on demand.
  created_by: The security administrator; null for the one that is there from the start.
  created_at: When it was created.
$$);
alter table public.security_tests alter column created_by set statistics 0; -- see public.user_roles
create index security_tests_created_by_idx on public.security_tests (created_by);
create index security_tests_next_run_at_idx on public.security_tests (next_run_at) where enabled;

select private.declare_term('security_test_runs', '3 years', 'Runs of security tests and what they found: from their end.',
  shortest => '30 days');
select private.declare_data('public.security_tests', '{id, name, probes, schedule, enabled, next_run_at, created_at}',
  'Which probes run, and when.');
select private.declare_data('public.security_tests', '{created_by}', 'To know who created it.', 'staff', 'activity',
  't.created_by = $1', erasure => 'anonymize');

create table public.security_test_runs (
  id text not null default 'run_' || replace(gen_random_uuid()::text, '-', '') constraint security_test_runs_pkey primary key,
  test_id text not null constraint security_test_runs_test_id_fkey references public.security_tests (id) on delete cascade,
  scheduled boolean not null default false,
  status public.security_test_run_status not null default 'running',
  requested_by uuid constraint security_test_runs_requested_by_fkey references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint security_test_runs_ended check ((ended_at is null) = (status = 'running'))
);
select private.describe('public.security_test_runs', 'Each time that a security test ran.', $$
  id: The run.
  test_id: The test.
  scheduled: Whether its schedule began it.
  status: Whether it goes on, has ended, or could not look at everything.
  requested_by: The security administrator who began it; null when its schedule did.
  created_at: When it began.
  ended_at: When it ended.
$$);
alter table public.security_test_runs alter column requested_by set statistics 0; -- see public.user_roles
create index security_test_runs_requested_by_idx on public.security_test_runs (requested_by);
create index security_test_runs_test_id_idx on public.security_test_runs (test_id, created_at desc);
create unique index security_test_runs_one_at_a_time_idx on public.security_test_runs (test_id) where status = 'running';

select private.declare_data('public.security_test_runs', '{id, test_id, scheduled, status, created_at, ended_at}',
  'When a security test ran.', term => 'security_test_runs');
select private.declare_data('public.security_test_runs', '{requested_by}', 'To know who began it.', 'staff', 'activity',
  't.requested_by = $1', erasure => 'anonymize', term => 'security_test_runs');
select private.declare_purge('security_test_runs', 'public.security_test_runs', 'd.ended_at < $1');
select private.declare_audited('public.security_test_runs', 'id', 'by_hand');

create table public.security_test_results (
  run_id text not null constraint security_test_results_run_id_fkey references public.security_test_runs (id) on delete cascade,
  probe public.security_probe not null,
  status public.security_probe_status not null default 'queued',
  attempts smallint not null default 0,
  due_at timestamptz not null default '-infinity',
  started_at timestamptz,
  ended_at timestamptz,
  checks integer,
  findings jsonb not null default '[]' constraint security_test_results_findings_array check (jsonb_typeof(findings) = 'array'),
  error_code text,
  constraint security_test_results_pkey primary key (run_id, probe),
  constraint security_test_results_findings_size check (jsonb_typeof(findings) = 'array' and octet_length(findings::text) <= 65536)
);
select private.describe('public.security_test_results',
  'What each probe of a run found, and the queue of those that are still to run: one of a run at a time, in their order.', $$
  run_id: The run.
  probe: The probe; those of a run go in the order of the catalogue.
  status: How far it is, and what came of it.
  attempts: Attempts so far; three at most.
  due_at: When it may be tried: while it runs, the end of its lease.
  started_at: When its last attempt began.
  ended_at: When it ended.
  checks: Attacks that it tried; null before its end.
  findings: Faults that it found: [{fault, title, severity, evidence}]. Evidence names addresses and statuses, never a token or a person. Example: [{"fault": "schema:private", "title": "The Data API serves the schema private", "severity": "critical", "evidence": {"status": 200}}]
  error_code: Why the last attempt could not be carried out.
$$);
create index security_test_results_due_at_idx on public.security_test_results (due_at) where status in ('queued', 'running');

select private.declare_data('public.security_test_results',
  '{run_id, probe, status, attempts, due_at, started_at, ended_at, checks, findings, error_code}',
  'What probes found, without anybody''s data.', term => 'security_test_runs');
select private.declare_audited('public.security_test_results', 'run_id', 'by_hand');

-- Their ids are chosen here before there are such accounts: nobody can sign up as one of them, whatever they write into a request.
create table private.probe_accounts (
  user_id uuid not null default gen_random_uuid() constraint probe_accounts_pkey primary key,
  run_id text not null constraint probe_accounts_run_id_fkey references public.security_test_runs (id) on delete cascade,
  part text not null constraint probe_accounts_part_known check (part in ('attacker', 'victim')),
  tokens_expired boolean not null default false,
  created_at timestamptz not null default now(),
  constraint probe_accounts_once unique (run_id, part)
);
select private.describe('private.probe_accounts',
  'Invented students that probes act as, and on: without a university, so that no figure counts them. The accounts are deleted when their run ends; what they are listed here for is kept a day longer, for detection that looks back.', $$
  user_id: The account.
  run_id: The run that it is for.
  part: attacker, or victim.
  tokens_expired: Whether Auth gives it tokens that have expired already.
  created_at: When it was listed.
$$);

select private.declare_data('private.probe_accounts', '{user_id, run_id, part, tokens_expired, created_at}',
  'Invented accounts of probes.');
select private.declare_audited('private.probe_accounts', 'user_id', 'by_hand');

create function private.is_probe(account uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.probe_accounts where user_id = account)
$$;
comment on function private.is_probe is 'Whether an account is one of a security test. Called where security events are recorded, so that a test opens no incident.';

-- A header that only whoever knows the secret can write, for requests that come without an account, and only while a run goes on. It
-- changes no answer: it tells detection to count the request apart.
create function private.probe_run(header text) returns text
language sql stable security definer set search_path = '' as $$
  select r.id
  from public.security_test_runs r
  where r.id = split_part(header, ' ', 1)
    and r.status = 'running'
    and header = any (
      select r.id || ' ' || encode(extensions.hmac('x-security-probe ' || r.id, decrypted_secret, 'sha256'), 'hex')
      from vault.decrypted_secrets
      where name in ('pipeline_secret', 'pipeline_secret_next')
    )
$$;
comment on function private.probe_run is 'The run that a request''s header x-security-probe proves to belong to; null for any other. Called where security events are recorded: with the header that a function received, or private.request_header(''x-security-probe'').';

create function private.custom_token_expiry(account uuid, expiry bigint) returns bigint
language sql stable security definer set search_path = '' as $$
  select case
    when exists (select from private.probe_accounts p where p.user_id = account and p.tokens_expired) then expiry - 86400
    else expiry
  end
$$;
comment on function private.custom_token_expiry is 'When a token of an account is to expire (seconds): as Auth says, or for a probe that needs an expired one a day sooner. Called by private.custom_access_token.';

create function private.furnish_probe_victim(victim uuid, link_hash text, expired_link_hash text) returns void
language plpgsql set search_path = '' as $$
declare
  check_in constant uuid := gen_random_uuid();
  session constant uuid := gen_random_uuid();
  contact constant uuid := gen_random_uuid();
  requests uuid[];
begin
  perform from auth.users where id = victim for key share;
  if not private.is_probe(victim) or exists (select from checkin.check_ins c where c.user_id = victim) then
    return;
  end if;
  insert into public.consents (user_id, kind, version)
  values (victim, 'text', '2026-11'), (victim, 'support_circle', '2026-11');
  insert into public.assessment_sessions (id, user_id, assessment_type) values (session, victim, 'daily');
  perform private.store_session_analysis(
    session, victim, '{"modality": "text", "analysis": {}, "measures": {}, "quality": 1, "risk_level": "none"}'
  );
  perform private.store_session_score(
    session, victim,
    '{"final_score": 50, "confidence": 0.5, "risk_level": "none", "fusion_score": {}, "algorithm_version": "probe"}'
  );
  insert into checkin.check_ins (id, user_id, type) values (check_in, victim, 'daily');
  insert into checkin.audio_analysis (check_in_id, user_id, quality) values (check_in, victim, 1);
  insert into checkin.visual_analysis (check_in_id, user_id, quality) values (check_in, victim, 1);
  insert into checkin.text_analysis (check_in_id, user_id, quality) values (check_in, victim, 1);
  insert into checkin.fusion_results (
    check_in_id, user_id, score, uncertainty, direction_of_change, significance, risk_level, summary, themes, drivers_positive,
    drivers_negative, drivers, components, baseline, algorithm_version
  )
  values (check_in, victim, 50, 0.5, 'same', 'low', 'none', 'A probe.', '{}', '{}', '{}', '[]', '[]', '{}', 'probe');
  insert into checkin.user_baselines (user_id, version, check_ins, score_mean, score_sd, state)
  values (victim, 1, 1, 50, 10, '{}');
  insert into public.support_preferences (user_id) values (victim);
  perform private.hear_answer();
  -- Without an outbox row nobody is sent anything, and what counts as delivered is not waited for. The number is fictional.
  insert into public.buddy_contacts (id, user_id, name, phone, email, priority_rank, verified, verified_at)
  values (contact, victim, 'Probe', '+12025550199', 'contact@probe.invalid', 1, true, now());
  insert into public.buddy_verification_audit (buddy_contact_id, user_id, event_type)
  values (contact, victim, 'verification_accepted');
  with made as (
    insert into public.buddy_check_in_requests (buddy_contact_id, user_id, request_type, sent_at, delivery_status)
    select contact, victim, 'user_initiated', now(), 'delivered' from generate_series(1, 2)
    returning id
  )
  select array_agg(id) into requests from made;
  insert into private.buddy_links (request_id, token_hash, number_hash, expires_at)
  values
    (requests[1], link_hash, private.hash_of_number('+12025550199'), now() + interval '1 day'),
    (requests[2], expired_link_hash, private.hash_of_number('+12025550199'), now() - interval '1 hour');
  insert into public.support_alerts (user_id, status, worrying_days, all_right_at, ended_at)
  values (victim, 'resolved', 3, now(), now());
end
$$;
comment on function private.furnish_probe_victim is 'Gives the account that probes attack a row in every table of students, and two links, of which one has expired; nothing the second time. Called by probe-security.';

create function private.create_security_test(
  test_name text, test_probes public.security_probe[], test_schedule public.security_test_schedule
) returns public.security_tests
language plpgsql security definer set search_path = '' as $$
declare
  created public.security_tests;
begin
  perform private.require_security_admin();
  insert into public.security_tests (name, probes, schedule, next_run_at)
  values (
    test_name,
    array(select distinct p from unnest(test_probes) as p order by p),
    test_schedule,
    case when test_schedule <> 'on_demand' then now() end
  )
  returning * into created;
  perform private.audit_at_end(
    'security_test_changed', null, 'security_tests', created.id, after => to_jsonb(created) - array['created_by', 'created_at']
  );
  return created;
end
$$;
comment on function private.create_security_test is 'Implementation of public.create_security_test, which calls it.';

create function public.create_security_test(
  test_name text, test_probes public.security_probe[], test_schedule public.security_test_schedule default 'on_demand'
) returns public.security_tests
language sql set search_path = ''
begin atomic select private.create_security_test(test_name, test_probes, test_schedule); end;
comment on function public.create_security_test is 'Creates a security test of probes of the catalogue; with a schedule its first run begins at once. Called by security administrators.';

create function private.change_security_test(
  test text, test_name text, test_probes public.security_probe[], test_schedule public.security_test_schedule, test_enabled boolean
) returns public.security_tests
language plpgsql security definer set search_path = '' as $$
declare
  old public.security_tests;
  changed public.security_tests;
begin
  perform private.require_security_admin();
  select * into old from public.security_tests t where t.id = test for update;
  if not found then
    perform private.refuse(404, 'security_test_not_found', 'There is no security test of this id.');
  end if;
  update public.security_tests t
  set name = coalesce(test_name, t.name),
    probes = coalesce((select array_agg(distinct p order by p) from unnest(test_probes) as p), t.probes),
    schedule = coalesce(test_schedule, t.schedule),
    enabled = coalesce(test_enabled, t.enabled),
    next_run_at = case
      when coalesce(test_schedule, t.schedule) = 'on_demand' then null
      -- What runs by itself from now on begins now, and nothing else moves the date.
      when t.schedule = 'on_demand' or (test_enabled and not t.enabled) then now()
      else t.next_run_at
    end
  where t.id = test
  returning * into changed;
  perform private.audit_at_end(
    'security_test_changed', null, 'security_tests', test,
    private.changed_columns(to_jsonb(old), to_jsonb(changed)), private.changed_columns(to_jsonb(changed), to_jsonb(old))
  ) where old is distinct from changed;
  return changed;
end
$$;
comment on function private.change_security_test is 'Implementation of public.change_security_test, which calls it.';

create function public.change_security_test(
  test text, test_name text default null, test_probes public.security_probe[] default null,
  test_schedule public.security_test_schedule default null, test_enabled boolean default null
) returns public.security_tests
language sql set search_path = ''
begin atomic select private.change_security_test(test, test_name, test_probes, test_schedule, test_enabled); end;
comment on function public.change_security_test is 'Changes what a security test is called, what it probes, when it runs by itself, and whether it does; what is left out stays. Called by security administrators.';

create function private.list_security_tests() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_security_admin();
  return (
    select coalesce(
      jsonb_agg(
        jsonb_build_object(
          'id', t.id, 'name', t.name, 'probes', cardinality(t.probes), 'schedule', t.schedule, 'enabled', t.enabled,
          'next_run_at', t.next_run_at, 'last_run_at', r.created_at, 'last_status', r.status
        )
        order by t.name, t.id
      ),
      '[]'
    )
    from public.security_tests t
    left join lateral (
      select r.created_at, r.status from public.security_test_runs r where r.test_id = t.id order by r.created_at desc limit 1
    ) r on true
  );
end
$$;
comment on function private.list_security_tests is 'Implementation of public.list_security_tests, which calls it.';

create function public.list_security_tests() returns jsonb
language sql stable set search_path = ''
begin atomic select private.list_security_tests(); end;
comment on function public.list_security_tests is 'The security tests, each with its last run: [{id, name, probes, schedule, enabled, next_run_at, last_run_at, last_status}], probes a number. Called by security administrators.';

insert into public.security_tests (id, name, probes, schedule, next_run_at)
values ('tst_all_probes', 'All probes', enum_range(null::public.security_probe), 'daily', now() + interval '1 day');
select private.declare_audited('public.security_tests', 'id', 'by_hand');
